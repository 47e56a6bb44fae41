"""Two runs compared: exact splits, clusters, and what must not be compared without saying so."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from attribution.choices import Choices
from attribution.compare import compare
from attribution.metrics.against import compare_metrics
from attribution.results import Comparison
from attribution.statistics.interval import Undefined
from tests.attribution.made_runs import add_run, made_store, trace, write_lines
from tests.test_command import foundlost, one_line
from traces.errors import UsageError
from traces.imports import import_labels

# the method's worked example: (gold before, gold after, passed before, passed after) -> questions
EXAMPLE = {
    (1, 1, 1, 1): 190, (1, 1, 1, 0): 11, (1, 1, 0, 1): 6, (1, 1, 0, 0): 21,
    (1, 0, 1, 1): 2, (1, 0, 1, 0): 1, (1, 0, 0, 0): 1,
    (0, 1, 1, 1): 50, (0, 1, 1, 0): 5, (0, 1, 0, 1): 40, (0, 1, 0, 0): 17,
    (0, 0, 1, 1): 20, (0, 0, 1, 0): 4, (0, 0, 0, 1): 2, (0, 0, 0, 0): 30,
}  # fmt: skip


def answered(query_id: str, gold: bool, passed: bool, **more: Any) -> dict[str, Any]:
    listed = ["g"] if gold else ["x"]
    return trace(query_id, listed, listed, listed, passed, gold=["g"], **more)


def two_runs(kinds: Sequence[tuple[int, int, int, int]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    before = [answered(f"q{i}", bool(gold), bool(passed)) for i, (gold, _, passed, _) in enumerate(kinds)]
    after = [answered(f"q{i}", bool(gold), bool(passed)) for i, (_, gold, _, passed) in enumerate(kinds)]
    return before, after


def compared(folder: Path, before: list[dict[str, Any]], after: list[dict[str, Any]], **options: Any) -> Comparison:
    with made_store(folder, before, run="before") as store:
        add_run(store, folder, after, run="after")
        return compare(store, "before", "after", **options)


def cell(found: Comparison, name: str) -> tuple[int, int, int]:
    (one,) = [each for each in found.cells if each.cell == name]
    return one.n, one.passed_before, one.passed_after


def test_the_worked_example(tmp_path: Path) -> None:
    found = compared(tmp_path, *two_runs([kind for kind, n in EXAMPLE.items() for _ in range(n)]))
    assert cell(found, "retained") == (228, 201, 196)
    assert cell(found, "recovered") == (112, 55, 90)
    assert cell(found, "lost") == (4, 3, 2)
    assert cell(found, "still_missing") == (56, 24, 22)
    assert found.change == float(Fraction(310 - 283, 400))
    assert sum(Fraction(c.passed_after - c.passed_before, 400) for c in found.cells) == Fraction(27, 400)
    assert found.passed.difference.estimate == pytest.approx(0.0675)
    assert found.passed.p_sign_flip is None
    assert found.churn is not None
    assert found.churn.model_dump() == {"gained_gold": 112, "lost_gold": 4, "gained_pass": 48, "lost_pass": 21}


def test_contributions_of_the_stages_sum_to_the_change(tmp_path: Path) -> None:
    chance = random.Random(5)
    kinds = [(chance.randrange(2), chance.randrange(2), chance.randrange(2), chance.randrange(2)) for _ in range(80)]
    found = compared(tmp_path, *two_runs(kinds))
    assert sum(stage.contribution.estimate or 0 for stage in found.stages) == pytest.approx(found.change, abs=1e-15)
    assert [(stage.fate, stage.stage) for stage in found.stages] == [
        ("never_found", None), ("lost", "reranked"), ("lost", "packed"), ("reached", None),
    ]  # fmt: skip


def test_stages_against_each_other_are_flagged_by_their_intervals_only(tmp_path: Path) -> None:
    fixed = [(0, 1, 0, 1)] * 60 + [(1, 1, 1, 0)] * 58 + [(1, 1, 1, 1)] * 282
    assert (strong := compared(tmp_path, *two_runs(fixed)).cancellation) is not None
    assert strong.flag
    assert strong.net == pytest.approx(0.005)
    noise = [(0, 1, 0, 1)] * 2 + [(1, 1, 1, 0)] * 2 + [(1, 1, 1, 1)] * 396
    assert (weak := compared(tmp_path, *two_runs(noise)).cancellation) is not None
    assert not weak.flag
    assert weak.index == pytest.approx(1.0)


def test_repeats_are_clusters_and_no_mcnemar_is_given(tmp_path: Path) -> None:
    chance = random.Random(7)
    before, after = [], []
    for question in range(30):
        gold = chance.random() < 0.5
        for repeat in range(3):
            before.append(answered(f"q{question}", gold, chance.random() < 0.5, repeat=repeat))
            after.append(answered(f"q{question}", True, chance.random() < 0.6, repeat=repeat))
    found = compared(tmp_path, before, after)
    assert (found.questions, found.answers) == (30, 90)
    assert found.passed.p_mcnemar_midp is None
    assert found.passed.p_sign_flip is not None
    gained = sum(b["passed"] is False and a["passed"] for b, a in zip(before, after, strict=True))
    lost = sum(b["passed"] and a["passed"] is False for b, a in zip(before, after, strict=True))
    assert found.change == pytest.approx((gained - lost) / 90)
    assert sum(c.contribution for c in found.cells) == pytest.approx(found.change)
    assert sum(s.contribution.estimate or 0 for s in found.stages) == pytest.approx(found.change)


def test_questions_in_one_run_only_are_left_out_and_counted(tmp_path: Path) -> None:
    before, after = two_runs([(1, 1, 1, 1)] * 5)
    found = compared(tmp_path, before[:4], after[1:])
    assert found.questions == 3
    assert [(w.code, w.questions) for w in found.warnings] == [("not_in_both", 2)]


def test_different_questions_are_split_without_pairing(tmp_path: Path) -> None:
    before = [answered(f"b{i}", i < 58, i < 50 or i >= 80) for i in range(100)]
    after = [answered(f"a{i}", i < 70, i < 60 or i >= 85) for i in range(100)]
    found = compared(tmp_path, before, after)
    assert (found.questions, found.cells, found.stages, found.churn) == (0, [], [], None)
    assert found.split is not None
    parts = [found.split.composition, found.split.rate_with_gold, found.split.rate_without_gold]
    assert sum(part.estimate or 0.0 for part in parts) == pytest.approx(75 / 100 - 70 / 100)
    assert all((part.lower or 0.0) < (part.estimate or 0.0) < (part.upper or 0.0) for part in parts)
    assert {w.code for w in found.warnings} == {"different_questions"}


def test_a_rate_without_cases_leaves_the_split_undefined_rather_than_0(tmp_path: Path) -> None:
    before = [answered(f"b{i}", True, i < 78) for i in range(100)]
    after = [answered(f"a{i}", i < 70, i < 60 or i >= 85) for i in range(100)]
    found = compared(tmp_path, before, after)
    assert found.split is not None
    assert found.passed.before.estimate == 0.78
    parts = [found.split.composition, found.split.rate_with_gold, found.split.rate_without_gold]
    assert [(part.estimate, part.reason) for part in parts] == [(None, Undefined.no_cases)] * 3


@pytest.mark.parametrize(("shared", "paired"), [(1, False), (19, False), (20, True), (60, True)])
def test_runs_that_share_hardly_a_question_are_not_judged_by_it(tmp_path: Path, shared: int, paired: bool) -> None:
    before = [answered(f"q{i}", i < 58, i < 50 or i >= 80) for i in range(100)]
    after = [answered(f"q{i + 100 - shared}", i < 70, i < 60 or i >= 85) for i in range(100)]
    found = compared(tmp_path, before, after)
    assert (found.split is None, found.questions) == (paired, shared)
    assert ("different_questions" in {w.code for w in found.warnings}) is not paired
    assert ("not_in_both" in {w.code for w in found.warnings}) is paired


def test_other_gold_judges_and_rules_are_refused_unless_named(tmp_path: Path) -> None:
    before, after = two_runs([(1, 1, 1, 1)] * 4)
    other_gold = [{**record, "gold": ["g", "h"]} for record in after]
    other_judge = [{**record, "judge": "b"} for record in after]
    for records, word in ((other_gold, "labels"), (other_judge, "judge")):
        with pytest.raises(UsageError, match=f"--allow {word}") as refused:
            compared(tmp_path, before, records)
        assert refused.value.slug == "not-comparable"
        found = compared(tmp_path, before, records, allow=(word,))
        assert found.allowed == [word]
        assert "compared_anyway" in {w.code for w in found.warnings}
    scored = [{**record, "passed": None, "score": 4} for record in after]
    with made_store(tmp_path, before, run="before") as store:
        add_run(store, tmp_path, scored, run="after", pass_rule="score >= 3")  # noqa: S106 - a rule, not a password
        with pytest.raises(UsageError) as refused:
            compare(store, "before", "after")
        assert "pass rules differ" in refused.value.what


def test_a_label_set_both_runs_share_is_the_same_for_both(tmp_path: Path) -> None:
    before, after = ([{**r, "gold": None} for r in run] for run in two_runs([(1, 1, 1, 0)] * 3))
    with made_store(tmp_path, before, run="before") as store:
        add_run(store, tmp_path, after, run="after")
        labels = [{"query_id": f"q{i}", "doc_id": "g"} for i in range(3)]
        import_labels(store, write_lines(tmp_path / "l.jsonl", labels), name="made")
        found = compare(store, "before", "after", Choices(labels="made"))
    assert (found.labels.name, found.change) == ("made", -1.0)


def test_without_outcomes_or_with_an_unknown_word_there_is_no_comparison(tmp_path: Path) -> None:
    before, after = two_runs([(1, 1, 1, 1)] * 2)
    with pytest.raises(UsageError) as refused:
        compared(tmp_path, before, [{**record, "passed": None} for record in after])
    assert refused.value.slug == "no-outcomes"
    with pytest.raises(UsageError) as refused:
        compared(tmp_path, before, after, allow=("everything",))
    assert refused.value.slug == "bad-option"


def test_stages_of_one_run_only_stand_where_the_pipeline_has_them(tmp_path: Path) -> None:
    before, after = two_runs([(1, 1, 1, 0), (0, 1, 0, 1)] * 3)
    for record in after:
        del record["stages"]["reranked"]
    with made_store(tmp_path, before, run="before") as store:
        add_run(store, tmp_path, after, run="after")
        there, back = compare(store, "before", "after"), compare(store, "after", "before")
    for found in (there, back):
        assert [s.stage for s in found.stages] == [None, "reranked", "packed", None]
        assert sum(s.contribution.estimate or 0 for s in found.stages) == pytest.approx(found.change)


def metrics_of(found: Comparison) -> dict[tuple[str, str], tuple[float | None, int]]:
    return {(m.metric, m.stage): (m.difference.estimate, m.difference.n) for m in found.metrics}


def test_metrics_are_compared_as_the_metrics_command_does(tmp_path: Path) -> None:
    kinds = [(1, 1, 1, 1)] * 5 + [(0, 1, 0, 1)] * 4 + [(1, 0, 1, 0)]
    with made_store(tmp_path, two_runs(kinds)[0], run="before") as store:
        add_run(store, tmp_path, two_runs(kinds)[1], run="after")
        usual, named = compare(store, "before", "after"), compare(store, "before", "after", metrics="RR@3 P@1")
        against = compare_metrics(store, "before", "after", "RR@3 P@1")
    stages = ("candidates", "reranked", "packed")
    assert list(metrics_of(usual)) == [
        *(("R@10", stage) for stage in stages), *(("nDCG@10", stage) for stage in stages), ("R@packed", "packed"),
    ]  # fmt: skip
    assert [mean for mean, _ in metrics_of(usual).values()] == pytest.approx([0.3] * 7)
    assert {n for _, n in metrics_of(usual).values()} == {10}
    assert named.metrics == against.changes
    assert "no_metrics" not in {w.code for w in usual.warnings}


def test_metrics_are_measured_at_the_stages_both_runs_have(tmp_path: Path) -> None:
    before, after = two_runs([(0, 1, 0, 1)] * 4)
    for record in after:
        del record["stages"]["reranked"]
    found = compared(tmp_path, before, after)
    assert {stage for _, stage in metrics_of(found)} == {"candidates", "packed"}


def test_refused_metrics_do_not_end_a_comparison(tmp_path: Path) -> None:
    before, after = two_runs([(0, 1, 0, 1)] * 4)
    apart = [{**r, "stages": {"found": ["g"]}} for r in after]
    other_gold = [{**r, "gold": ["g", "h"]} for r in after]
    for records, options, says in (
        (apart, {}, "the runs have no stage in common"),
        (other_gold, {"allow": ("labels",)}, "the judgments of 4 shared questions differ"),
        (after, {"choices": Choices(min_grade=0)}, "the lowest grade of gold must be above 0"),
        (after, {"metrics": "R(rel=7)@5"}, "counts grades from 7"),
    ):
        found = compared(tmp_path, before, records, **options)
        (said,) = [w.message for w in found.warnings if w.code == "no_metrics"]
        assert said.startswith("no retrieval metrics are compared: ")
        assert says in said
        assert (found.metrics, found.questions) == ([], 4)


@pytest.mark.parametrize(
    ("names", "slug"),
    [("", "bad-metric"), ("nDCF@10", "unknown-metric"), ("R@0", "bad-cutoff"), ("R(x=1)", "bad-metric")],
)
def test_a_metric_that_cannot_be_read_is_a_fault(tmp_path: Path, names: str, slug: str) -> None:
    with pytest.raises(UsageError) as refused:
        compared(tmp_path, *two_runs([(1, 1, 1, 1)] * 2), metrics=names)
    assert refused.value.slug == slug


def test_a_run_against_itself_and_one_without_gold_are_refused(tmp_path: Path) -> None:
    with made_store(tmp_path, two_runs([(1, 1, 1, 1)] * 2)[0], run="before") as store:
        with pytest.raises(UsageError) as refused:
            compare(store, "before", "before")
        assert refused.value.slug == "same-run"
        add_run(store, tmp_path, two_runs([(1, 1, 1, 1)] * 2)[1], run="after")
        with pytest.raises(UsageError) as refused:
            compare(store, "before", "after", Choices(min_grade=2))
        assert refused.value.slug == "nothing-attributable"


def test_the_command_prints_metrics_and_gives_them_as_json(tmp_path: Path) -> None:
    before, after = two_runs([(0, 1, 0, 1)] * 3 + [(1, 1, 1, 1)] * 27)
    for name, records in (("before", before), ("after", after)):
        foundlost("ingest", write_lines(tmp_path / f"{name}.jsonl", records), "--run", name, cwd=tmp_path)
    words = ("compare", "before", "after", "--metrics", "RR Coverage@packed")
    printed = foundlost(*words, cwd=tmp_path).stdout
    assert "RR               candidates  +.100 (" in printed
    assert "Coverage@packed  packed      +.100 (" in printed
    found = json.loads(foundlost(*words, "--json", cwd=tmp_path).stdout)
    assert [(m["metric"], m["stage"]) for m in found["metrics"]][-1] == ("Coverage@packed", "packed")
    assert all(m["difference"]["estimate"] == pytest.approx(0.1) for m in found["metrics"])
    for given, slug in (
        (("before", "before"), "same-run"),
        (("before", "nobody"), "unknown-run"),
        (("before", "after", "--metrics", "\x1b[31mR"), "bad-metric"),
        (("before", "after", "--judge", "nobody"), "unknown-judge"),
        (("before", "after", "--labels", "none"), "unknown-labels"),
        (("before", "after", "--min-grade", "9"), "nothing-attributable"),
        (("before", "after", "--level", "95"), "bad-level"),
        (("before", "after", "--allow", "all"), "bad-option"),
        (("before",), "usage"),
    ):
        line = one_line(foundlost("compare", *given, cwd=tmp_path, code=2))
        assert line.startswith(f"foundlost: {slug}: ")
        assert "\x1b" not in line
