"""Two runs compared: paired differences, their ranges and p-values, and when a comparison is refused."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attribution.metrics.against import compare_metrics
from attribution.metrics.conventions import MetricChoices
from attribution.results import MetricChange, MetricComparison
from attribution.statistics.differences import newcombe_paired
from tests.attribution.made_runs import add_run, made_store
from traces.errors import UsageError
from traces.imports import import_labels
from traces.store import TraceStore

LABELS = [{"query_id": f"q{number}", "doc_id": "gold"} for number in range(40)]


def at_ranks(ranks: list[int], **more: Any) -> list[dict[str, Any]]:
    """Return one question a rank, its gold document there."""
    return [
        {"query_id": f"q{n}", "stages": {"candidates": [f"x{place}" for place in range(1, rank)] + ["gold"]}, **more}
        for n, rank in enumerate(ranks)
    ]


def compared(folder: Path, before: list[int], after: list[int], metrics: str, **choices: Any) -> MetricComparison:
    with made_store(folder, at_ranks(before), labels=LABELS[: len(before)], run="before") as store:
        add_run(store, folder, at_ranks(after), run="after")
        return compare_metrics(store, "before", "after", metrics, MetricChoices(labels="made", **choices))


def only(found: MetricComparison) -> MetricChange:
    (change,) = found.changes
    return change


def test_the_difference_is_paired_with_students_range(tmp_path: Path) -> None:
    from scipy import stats

    draw = random.Random(2)
    before, after = ([draw.randint(1, 9) for _ in range(40)] for _ in range(2))
    change = only(compared(tmp_path, before, after, "RR", level=0.9))
    differences = [1 / b - 1 / a for a, b in zip(before, after, strict=True)]
    expected = stats.ttest_1samp(differences, 0)
    found = change.difference
    assert (found.n, found.method) == (40, "t-paired")
    assert (found.estimate, found.lower, found.upper) == pytest.approx(
        (np.mean(differences), *expected.confidence_interval(0.9)), abs=1e-14
    )
    assert change.p_t == pytest.approx(expected.pvalue)
    flips = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=20_000, rng=1)
    assert change.p_sign_flip == pytest.approx(flips.pvalue, abs=0.02)
    assert (change.better, change.worse) == (sum(d > 0 for d in differences), sum(d < 0 for d in differences))


def test_few_questions_are_flipped_every_way(tmp_path: Path) -> None:
    change = only(compared(tmp_path, [2, 2, 2, 1, 1], [1, 1, 1, 1, 2], "RR"))
    assert change.p_sign_flip == 10 / 16  # of 16 ways to sign four halves, 10 sum to one or more either way


def test_what_a_question_meets_or_not_has_newcombes_range(tmp_path: Path) -> None:
    change = only(compared(tmp_path, [1, 1, 2, 2, 2, 1], [1, 2, 1, 1, 2, 1], "Success@1"))
    assert change.difference == newcombe_paired(2, 2, 1, 1)


def test_runs_that_do_not_differ_say_so(tmp_path: Path) -> None:
    change = only(compared(tmp_path, [1, 2, 3], [1, 2, 3], "nDCG"))
    assert (change.difference.estimate, change.p_sign_flip, change.p_t) == (0.0, 1.0, None)


def test_only_questions_of_both_runs_are_paired(tmp_path: Path) -> None:
    with made_store(tmp_path, at_ranks([1, 1, 1]), labels=LABELS[:4], run="before") as store:
        add_run(store, tmp_path, at_ranks([2, 2, 2, 2]), run="after")
        change = only(compare_metrics(store, "before", "after", "RR", MetricChoices(missing="excluded")))
    assert (change.difference.n, change.difference.estimate, change.unpaired) == (3, -0.5, 1)


def test_repeats_are_averaged_before_the_pairing(tmp_path: Path) -> None:
    twice = [record | {"repeat": repeat} for repeat, rank in enumerate((1, 2)) for record in at_ranks([rank, rank])]
    with made_store(tmp_path, at_ranks([1, 4]), labels=LABELS[:2], run="before") as store:
        add_run(store, tmp_path, twice, run="after")
        change = only(compare_metrics(store, "before", "after", "RR"))
    assert change.difference.n == 2
    assert change.difference.estimate == pytest.approx((-0.25 + 0.5) / 2)


def test_a_newer_run_with_more_unjudged_documents_is_warned_of_with_both_counts(tmp_path: Path) -> None:
    (warning,) = compared(tmp_path, [1, 1, 1], [2, 2, 1], "P@2").warnings
    assert warning.code == "pool_bias"
    assert "at candidates, P@2 looks at 2 of 5 places that nobody judged, before at 0 of 3" in warning.message
    assert compared(tmp_path, [2, 2, 2], [1, 1, 1], "P@2").warnings == []


def refusal(store: TraceStore, **choices: Any) -> str:
    with pytest.raises(UsageError) as caught:
        compare_metrics(store, "before", "after", "RR", MetricChoices(**choices))
    assert caught.value.slug == "not-comparable"
    return caught.value.line()


def test_runs_with_gold_of_their_own_are_refused_where_it_differs(tmp_path: Path) -> None:
    with made_store(tmp_path, at_ranks([1, 2], gold=["gold"]), run="before") as store:
        add_run(store, tmp_path, at_ranks([1, 2], gold=["gold", "x1"]), run="after")
        add_run(store, tmp_path, at_ranks([2, 1], gold=["gold"]), run="same")
        assert "the judgments of 2 shared questions differ" in refusal(store)
        assert only(compare_metrics(store, "before", "same", "RR")).difference.n == 2


def test_runs_under_different_labels_are_refused(tmp_path: Path) -> None:
    with made_store(tmp_path, at_ranks([1, 2], gold=["gold"]), run="before", labels=LABELS[:2]) as store:
        add_run(store, tmp_path, at_ranks([1, 2]), run="after")
        assert "labels differ: inline v1 and made v1" in refusal(store)
        assert only(compare_metrics(store, "before", "after", "RR", MetricChoices(labels="made"))).difference.n == 2


def test_runs_with_different_requirements_are_refused(tmp_path: Path) -> None:
    grouped = [{"query_id": "only before", "doc_id": "gold", "group": "a"}]
    more = {"query_id": "only before", "stages": {"candidates": ["gold"]}}
    with made_store(tmp_path, [*at_ranks([1]), more], labels=LABELS[:1] + grouped, run="before") as store:
        add_run(store, tmp_path, at_ranks([1]), run="after")
        assert "what gold is needed differs: groups and any" in refusal(store)
        compare_metrics(store, "before", "after", "RR", MetricChoices(require="any"))


def test_runs_with_different_stages_are_refused_unless_shared_ones_are_named(tmp_path: Path) -> None:
    other = [record | {"stages": {"reranked": ["gold"], **record["stages"]}} for record in at_ranks([1, 2])]
    with made_store(tmp_path, at_ranks([1, 2]), labels=LABELS[:2], run="before") as store:
        add_run(store, tmp_path, other, run="after")
        assert "only one of the runs has reranked" in refusal(store)
        assert len(compare_metrics(store, "before", "after", "RR", stages=["candidates"]).changes) == 1


def test_a_comparison_is_the_same_whichever_run_came_first(tmp_path: Path) -> None:
    with made_store(tmp_path, at_ranks([1, 2, 5]), labels=LABELS[:3], run="one") as store:
        add_run(store, tmp_path, at_ranks([3, 1, 1]), run="two")
        import_labels(store, tmp_path / "labels.jsonl", name="other")
        forth = only(compare_metrics(store, "one", "two", "AP", MetricChoices(labels="made")))
        back = only(compare_metrics(store, "two", "one", "AP", MetricChoices(labels="made")))
    assert forth.difference.estimate == -(back.difference.estimate or 0.0)
    assert (forth.better, forth.worse) == (back.worse, back.better)
