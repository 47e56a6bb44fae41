"""Means over questions: each question once, weights, repeats, ranges, pooled figures, and who is left out and why."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.metrics.conventions import MetricChoices
from attribution.metrics.evaluate import evaluate, measure
from attribution.results import MetricAtStage
from attribution.statistics.interval import Undefined
from attribution.statistics.means import mean_of
from attribution.statistics.proportions import wilson
from tests.attribution.made_runs import made_store, trace, write_lines
from tests.attribution.metrics.scored_runs import at_stage, means, per_question
from traces.errors import UsageError
from traces.imports import import_questions
from traces.store import TraceStore


def ranked_at(query_id: str, rank: int, **more: Any) -> dict[str, Any]:
    """Return a question whose one gold document is at a rank."""
    listed = [f"x{place}" for place in range(1, rank)] + ["gold"]
    return {"query_id": query_id, "stages": {"candidates": listed}, "gold": ["gold"], **more}


def sums(values: list[float], weights: list[float]) -> dict[str, float]:
    """Return the row of sums that the SQL hands over for one stratum."""
    w, v = np.array(weights), np.array(values)
    return {
        "questions": len(v), "weights": w.sum(), "squared_weights": (w * w).sum(), "weighted": (w * v).sum(),
        "twice_weighted": (w * w * v).sum(), "squares": (w * w * v * v).sum(), "lowest": v.min(), "highest": v.max(),
    }  # fmt: skip


def test_the_range_of_a_mean_is_students(tmp_path: Path) -> None:
    from scipy import stats

    ranks = [1, 2, 2, 3, 4, 1, 5, 9, 2, 1, 3, 7]
    records = [ranked_at(f"q{number}", rank) for number, rank in enumerate(ranks)]
    with made_store(tmp_path, records) as store:
        found = at_stage(store, "RR", MetricChoices(level=0.9))["RR"].mean
    values = [1 / rank for rank in ranks]
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert (found.n, found.method, found.level) == (12, "t", 0.9)
    assert (found.estimate, found.lower, found.upper) == pytest.approx((np.mean(values), *expected), abs=1e-14)


def test_what_a_question_meets_or_not_has_wilsons_range(tmp_path: Path) -> None:
    records = [ranked_at(f"q{number}", rank) for number, rank in enumerate([1, 1, 5, 9, 2])]
    with made_store(tmp_path, records) as store:
        found = at_stage(store, "Success@2 Coverage@2")
    assert found["Success@2"].mean == found["Coverage@2"].mean == wilson(3, 5)


def test_weights_and_strata_enter_the_mean_and_its_range() -> None:
    from scipy import stats

    draw = random.Random(4)
    strata = {
        name: ([draw.random() for _ in range(n)], [weight] * n) for name, n, weight in (("a", 12, 1.0), ("b", 7, 5.0))
    }
    found = mean_of([sums(*rows) for rows in strata.values()], level=0.95, bounded=True)
    values, weights = (np.concatenate([rows[side] for rows in strata.values()]) for side in (0, 1))
    mean = np.average(values, weights=weights)
    variance = 0.0
    for mine, w in strata.values():
        residual = np.array(w) * (np.array(mine) - mean)
        variance += len(mine) / (len(mine) - 1) * ((residual - residual.mean()) ** 2).sum()
    half = stats.t.ppf(0.975, 19 - 2) * math.sqrt(variance) / weights.sum()
    assert (found.estimate, found.lower, found.upper) == pytest.approx((mean, mean - half, mean + half), abs=1e-13)
    assert found.n_effective == pytest.approx(weights.sum() ** 2 / (weights**2).sum())


def test_the_scale_of_the_weights_means_nothing() -> None:
    values, weights = [0.1, 0.5, 0.9, 0.3], [1.0, 2.0, 3.0, 4.0]
    one, other = (mean_of([sums(values, [w * s for w in weights])], level=0.95, bounded=True) for s in (1.0, 1e6))
    assert (one.estimate, one.lower, one.upper) == pytest.approx((other.estimate, other.lower, other.upper), abs=1e-12)


def test_questions_alone_in_their_stratum_are_taken_together() -> None:
    values = [0.1, 0.5, 0.9, 0.3]
    apart = mean_of([sums([value], [1.0]) for value in values], level=0.95, bounded=True)
    together = mean_of([sums(values, [1.0] * 4)], level=0.95, bounded=True)
    assert (apart.estimate, apart.lower, apart.upper) == pytest.approx(
        (together.estimate, together.lower, together.upper)
    )


def test_where_all_values_are_equal_the_range_allows_for_what_was_not_seen() -> None:
    perfect = mean_of([sums([1.0] * 30, [1.0] * 30)], level=0.95, bounded=True)
    assert (perfect.estimate, perfect.upper) == (1.0, 1.0)
    assert perfect.lower == pytest.approx(0.025 ** (1 / 30))
    unbounded = mean_of([sums([2.0] * 30, [1.0] * 30)], level=0.95, bounded=False)
    assert unbounded.upper is None


def test_one_question_has_no_range_and_none_has_no_mean(tmp_path: Path) -> None:
    with made_store(tmp_path, [ranked_at("q", 2), {"query_id": "r", "stages": {"candidates": ["a"]}}]) as store:
        one = at_stage(store, "RR DCG")
        none = evaluate(store, "run", "RR(rel=1)", MetricChoices(labels="inline", missing="excluded")).metrics[0]
    assert (one["RR"].mean.estimate, one["RR"].mean.lower, one["RR"].mean.upper) == (0.5, 0.0, 1.0)
    assert one["RR"].mean.reason is one["DCG"].mean.reason is Undefined.one_question
    assert (one["DCG"].mean.lower, one["DCG"].mean.upper) == (0.0, None)
    assert none.excluded == {"unlabelled": 1}
    empty = mean_of([], level=0.95, bounded=True)
    assert (empty.estimate, empty.reason) == (None, Undefined.no_cases)


def repeats_of(query_id: str, ranks: list[int]) -> list[dict[str, Any]]:
    return [ranked_at(query_id, rank, repeat=repeat) for repeat, rank in enumerate(ranks)]


def test_repeats_are_averaged_within_their_question_first(tmp_path: Path) -> None:
    records = [*repeats_of("q1", [1, 1, 1, 1]), *repeats_of("q2", [4]), *repeats_of("q3", [2, 4])]
    with made_store(tmp_path, records) as store:
        found = at_stage(store, "RR Success@1")
        values = per_question(store, "RR")["RR"]
    assert values == {"q1": 1.0, "q2": 0.25, "q3": 0.375}
    assert found["RR"].mean.estimate == pytest.approx((1.0 + 0.25 + 0.375) / 3, abs=1e-15)
    assert found["RR"].mean.n == 3
    assert found["RR"].pooled == pytest.approx((4 + 0.25 + 0.5 + 0.25) / 7, abs=1e-15)
    assert found["Success@1"].mean.estimate == pytest.approx(1 / 3, abs=1e-15)
    assert (found["Success@1"].mean.n, found["Success@1"].eligible) == (7, 3)


def with_weights(store: TraceStore, folder: Path, weights: dict[str, float]) -> None:
    path = write_lines(folder / "questions.jsonl", [{"query_id": q, "weight": w} for q, w in weights.items()])
    import_questions(store, path)


def test_means_are_weighted_to_traffic_once_every_judged_question_has_a_weight(tmp_path: Path) -> None:
    no_answer = ranked_at("q4", 1, answerable=False)  # is in no mean, so its weight is not asked for
    records = [ranked_at("q1", 1), ranked_at("q2", 4), {"query_id": "q3", "stages": {"candidates": ["a"]}}, no_answer]
    with made_store(tmp_path, records) as store:
        with_weights(store, tmp_path, {"q1": 3.0})
        partly = evaluate(store, "run", "RR Success@1")
        with_weights(store, tmp_path, {"q2": 1.0})
        found = evaluate(store, "run", "RR Success@1 judged")
    assert not partly.conventions.weighted
    assert "weights_incomplete" in {warning.code for warning in partly.warnings}
    assert partly.metrics[0].mean.estimate == 0.625
    assert found.conventions.weighted
    assert [each.mean.estimate for each in found.metrics[:2]] == pytest.approx([(3 * 1 + 0.25) / 4, 0.75])
    assert found.metrics[0].pooled == 0.625
    assert found.metrics[2].excluded == {"no_weight": 2}


def test_every_question_left_out_is_counted_by_its_reason(tmp_path: Path) -> None:
    gold = [{"doc_id": "gold", "grade": 0}]
    records = [
        ranked_at("fine", 1),
        {"query_id": "unlabelled", "stages": {"candidates": ["a"]}},
        {"query_id": "no answer", "stages": {"candidates": ["a"]}, "gold": [], "answerable": False},
        {"query_id": "no gold", "stages": {"candidates": ["a"]}, "gold": gold},
        {"query_id": "by text", "stages": {"candidates": ["a"]}, "gold": [{"text": "only this"}]},
        {
            "query_id": "cut",
            "stages": [{"stage": "candidates", "items": ["gold"], "complete": False}],
            "gold": ["gold"],
        },
        {"query_id": "empty", "stages": {"candidates": []}, "gold": ["gold"]},
    ]
    with made_store(tmp_path, records) as store:
        found = at_stage(store, "P@1 P nDCG@1 DCG@1 judged@1")
    left_out = {"unlabelled": 1, "no_answer": 1, "unknown_gold": 1, "incomplete_lists": 1}
    assert found["P@1"].excluded == left_out | {"no_gold": 1}
    assert found["P"].excluded == left_out | {"no_gold": 1, "empty_list": 1}
    assert found["nDCG@1"].excluded == left_out | {"zero_ideal": 1}
    assert found["DCG@1"].excluded == left_out
    assert found["judged@1"].excluded == {"incomplete_lists": 1, "empty_list": 1}
    assert [found[name].eligible for name in ("P@1", "P", "nDCG@1", "DCG@1", "judged@1")] == [2, 1, 2, 3, 5]


def test_what_is_judged_stands_beside_every_metric(tmp_path: Path) -> None:
    gold = ["gold", {"doc_id": "x1", "grade": 0}]
    records = [ranked_at("q1", 4, gold=gold), ranked_at("q2", 2, gold=gold)]
    with made_store(tmp_path, [dict(record) for record in records]) as store:
        found = at_stage(store, "R@1 R@3 R")
    assert [found[name].judged_share for name in ("R@1", "R@3", "R")] == [
        1.0,
        pytest.approx(3 / 5),
        pytest.approx(4 / 6),
    ]


def test_coverage_is_the_recall_of_the_attribution(tmp_path: Path) -> None:
    """With an outcome for every question both count the same answers at every stage, whatever the requirement."""
    draw = random.Random(11)
    documents = [f"d{number}" for number in range(12)]

    def packed() -> list[dict[str, Any]]:
        return [{"doc_id": d, "tokens": 9, "kept_tokens": draw.choice([9, 4])} for d in draw.sample(documents, 3)]

    def gold() -> list[list[str]]:
        return [draw.sample(documents, draw.randint(1, 2)) for _ in range(draw.randint(1, 3))]

    records = [
        trace(f"q{n}", draw.sample(documents, 9), draw.sample(documents, 5), packed(), draw.random() < 0.5, gold=gold())
        for n in range(80)
    ]
    with made_store(tmp_path, records) as store:
        for require in (None, "any", "all"):
            for truncated in ("lost", "kept"):
                recall = attribute(store, "run", Choices(require=require, truncated=truncated)).stages
                chosen = MetricChoices(require=require, truncated=truncated)
                coverage = [each.mean for each in evaluate(store, "run", "Coverage", chosen).metrics]
                assert coverage == [stage.recall for stage in recall]
                assert 0 < (coverage[0].count or 0) < 80


def test_pass_rates_by_groups_present_come_along_where_several_are_needed(tmp_path: Path) -> None:
    records = [
        trace("q1", ["a", "b"], ["a", "b"], ["a", "b"], True, gold=[["a"], ["b"]]),
        trace("q2", ["a", "b"], ["a", "b"], ["a"], False, gold=[["a"], ["b"]]),
        trace("q3", ["a", "b"], ["a"], [], False, gold=[["a"], ["b"]]),
    ]
    with made_store(tmp_path, records) as store:
        found = evaluate(store, "run", "Coverage@packed Groups@packed")
        alone = evaluate(store, "run", "Coverage@packed", MetricChoices(require="any"))
    assert [(g.needed, g.present, g.passed.count, g.passed.n) for g in found.groups_present] == [
        (2, 0, 0, 1),
        (2, 1, 0, 1),
        (2, 2, 1, 1),
    ]
    assert [each.mean.estimate for each in found.metrics] == [pytest.approx(1 / 3), 0.5]
    assert alone.groups_present == []


def test_the_packed_slice_is_the_last_stage_to_its_own_depth(tmp_path: Path) -> None:
    records = [
        trace("q1", ["a", "b", "c"], ["a", "b"], ["b", "a"], None, gold=["a"]),
        trace("q2", ["a", "b", "c"], ["a", "b"], ["c"], None, gold=["a", "c", "z"]),
        trace("q3", ["a", "b", "c"], ["a", "b"], [], None, gold=["a"]),
    ]
    with made_store(tmp_path, records) as store:
        found = evaluate(
            store, "run", "P@packed R@packed nDCG@packed F1@packed Coverage@packed RR@packed", stages=["candidates"]
        )
        values = {
            row["metric"] + row["query_id"]: row["value"]
            for row in measure(store, "run", "nDCG@packed").per_question().to_pylist()
        }
    assert {each.stage for each in found.metrics} == {"packed"}
    mean = {each.metric: each.mean.estimate for each in found.metrics}
    assert mean["P@packed"] == pytest.approx((1 / 2 + 1) / 2)
    assert mean["R@packed"] == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert mean["F1@packed"] == pytest.approx((2 / 3 + 2 / 4 + 0) / 3)
    assert values == {"nDCG@packedq1": 1 / math.log2(3), "nDCG@packedq2": 1.0, "nDCG@packedq3": 0.0}


def test_a_threshold_above_all_grades_is_told_in_one_line(tmp_path: Path) -> None:
    with made_store(tmp_path, [ranked_at("q", 1)]) as store:
        for asked, choices in (
            ("R(rel=5)@3", MetricChoices()),
            ("R@3", MetricChoices(min_grade=5)),
            ("nDCG(rel=5)", MetricChoices()),
        ):
            with pytest.raises(UsageError) as caught:
                evaluate(store, "run", asked, choices)
            assert caught.value.slug == "grade-above-all"
            assert "the highest that 'inline' gives is 1" in caught.value.line()
        assert means(store, "nDCG judged@1", MetricChoices(min_grade=5)) == {"nDCG": 1.0, "judged@1": 1.0}


def test_a_grade_beyond_any_gain_is_told_in_one_line(tmp_path: Path) -> None:
    record = ranked_at("q", 1, gold=[{"doc_id": "gold", "grade": 2000}])
    with made_store(tmp_path, [record]) as store:
        assert means(store, "nDCG DCG") == {"nDCG": 1.0, "DCG": 2000.0}
        with pytest.raises(UsageError, match="grade-too-large"):
            evaluate(store, "run", "nDCG(gain=exp)")


def test_an_unknown_stage_names_the_nearest(tmp_path: Path) -> None:
    with (
        made_store(tmp_path, [ranked_at("q", 1)]) as store,
        pytest.raises(UsageError, match=r"did you mean candidates\?"),
    ):
        evaluate(store, "run", "RR", stages=["candidate"])


def test_the_result_is_json_that_says_how_it_was_computed(tmp_path: Path) -> None:
    with made_store(tmp_path, [ranked_at("q1", 1), ranked_at("q2", 3)]) as store:
        found = json.loads(evaluate(store, "run", "RR", MetricChoices(short_lists="returned")).to_json())
    assert found["schema"] == "foundlost.metrics/1"
    assert found["conventions"]["short_lists"] == "returned"
    assert found["conventions"]["ideal"] == "all known judgments of the question"
    (metric,) = found["metrics"]
    assert metric.keys() >= set(MetricAtStage.model_fields) - {"bounds"}
    assert metric["mean"].keys() >= {"n", "count", "estimate", "lower", "upper", "level", "method"}
