"""Curves: each point is the metric at that depth or budget, and the operating point is where the stage cuts off."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from attribution.metrics.conventions import MetricChoices
from attribution.metrics.curves import budgets, curve, depths
from attribution.metrics.evaluate import evaluate
from attribution.results import MetricCurve
from tests.attribution.made_runs import made_store
from traces.errors import UsageError

HEADER = {"run": {"run_id": "run", "stages": ["candidates", "packed"], "cutoffs": {"candidates": 5}}}


def packed(*items: tuple[str, int], kept: int | None = None) -> list[dict[str, Any]]:
    """Return items with tokens, the last cut to ``kept``."""
    listed: list[dict[str, Any]] = [{"doc_id": doc_id, "tokens": n, "kept_tokens": n} for doc_id, n in items]
    if kept is not None:
        listed[-1]["kept_tokens"] = kept
    return listed


def some_records() -> list[dict[str, Any]]:
    draw = random.Random(3)
    documents = [f"d{number}" for number in range(30)]
    records = [
        {
            "query_id": f"q{number}",
            "stages": {
                "candidates": draw.sample(documents, draw.choice([3, 24])),
                "packed": packed(*((doc_id, draw.choice([50, 120])) for doc_id in draw.sample(documents, 4))),
            },
            "gold": [{"doc_id": d, "grade": draw.choice([1, 2]), "group": d[-1]} for d in draw.sample(documents, 4)],
        }
        for number in range(25)
    ]
    return [HEADER, *records]


def at(found: MetricCurve, metric: str, stage: str) -> dict[int, float]:
    """Return the means of one metric and stage."""
    means = {point.at: point.mean.estimate for point in found.points if (point.metric, point.stage) == (metric, stage)}
    assert None not in means.values()
    return {place: mean or 0.0 for place, mean in means.items()}


def test_every_point_is_the_metric_cut_off_there(tmp_path: Path) -> None:
    with made_store(tmp_path, some_records()) as store:
        found = curve(store, "run")
        names = [f"{measure}@{depth}" for measure in ("Coverage", "R", "nDCG") for depth in depths(24, 5)]
        metrics = evaluate(
            store, "run", " ".join(names), MetricChoices(lists="recorded"), stages=["candidates"]
        ).metrics
    means = {each.metric: each.mean for each in metrics}
    points = [point for point in found.points if point.stage == "candidates"]
    for point in points:  # the sums of one are added up in another order than those of the other
        mean, same = point.mean, means[f"{point.metric}@{point.at}"]
        assert (mean.estimate, mean.lower, mean.upper) == pytest.approx((same.estimate, same.lower, same.upper))
    assert len(points) == len(means)
    assert [point.at for point in points[: len(depths(24, 5))]] == [1, 2, 3, 4, 5, 6, 8, 10, 20, 24]
    assert (found.schema_, found.conventions.lists) == ("foundlost.curve/1", "recorded")


def test_coverage_and_recall_never_fall_with_depth_or_tokens(tmp_path: Path) -> None:
    with made_store(tmp_path, some_records()) as store:
        for found in (
            curve(store, "run"),
            curve(store, "run", by="tokens"),
            curve(store, "run", MetricChoices(unit="group")),
        ):
            for stage in {point.stage for point in found.points}:
                for metric in ("Coverage", "R") + (("nDCG",) if found.by == "tokens" else ()):
                    values = [value for _, value in sorted(at(found, metric, stage).items())]
                    assert values == sorted(values)
                    assert metric == "Coverage" or values[-1] > values[0]


def test_a_stage_operates_where_it_cuts_off(tmp_path: Path) -> None:
    with made_store(tmp_path, some_records()) as store:
        candidates, last = curve(store, "run").operating
    assert (candidates.cutoff, candidates.shortest, candidates.longest) == (5, 3, 5)
    assert 3 < candidates.average < 5
    assert (last.cutoff, last.shortest, last.average, last.longest) == (None, 4, 4.0, 4)


def three_pieces(**more: Any) -> list[dict[str, Any]]:
    stages = {"candidates": ["a"], "packed": packed(("x", 100), ("a", 50), ("b", 150), **more)}
    gold = [{"doc_id": "a", "grade": 1, "group": "1"}, {"doc_id": "b", "grade": 3, "group": "2"}]
    return [{"query_id": "q", "stages": stages, "gold": gold}]


def test_a_document_is_within_a_budget_once_all_its_tokens_are(tmp_path: Path) -> None:
    with made_store(tmp_path, three_pieces()) as store:
        found = curve(store, "run", by="tokens")
    recall = at(found, "R", "packed")
    assert list(recall) == [20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220, 240, 260, 280, 300]
    assert {budget: value for budget, value in recall.items() if value == 0.5} == dict.fromkeys(
        range(160, 281, 20), 0.5
    )
    assert (recall[140], recall[300]) == (0.0, 1.0)
    assert at(found, "Coverage", "packed")[280] == 0.0
    assert at(found, "Coverage", "packed")[300] == 1.0
    assert [(point.stage, point.shortest, point.longest) for point in found.operating] == [("packed", 300, 300)]
    assert [warning.code for warning in found.warnings] == ["stage_without_tokens"]


def test_ndcg_within_a_budget_is_held_against_the_whole_ideal(tmp_path: Path) -> None:
    with made_store(tmp_path, three_pieces()) as store:
        found = at(curve(store, "run", by="tokens"), "nDCG", "packed")
        whole = evaluate(store, "run", "nDCG@packed").metrics[0].mean.estimate
    assert found[300] == pytest.approx(whole)
    assert 0 < found[200] < found[300]


@pytest.mark.parametrize(("truncated", "first_budget"), [("lost", None), ("kept", 160)])
def test_a_piece_counts_from_its_first_token_where_pieces_are_kept(
    truncated: Any, first_budget: int | None, tmp_path: Path
) -> None:
    with made_store(tmp_path, three_pieces(kept=30)) as store:
        found = at(curve(store, "run", MetricChoices(truncated=truncated), by="tokens"), "R", "packed")
    full = [budget for budget, value in found.items() if value == 1.0]
    assert (full[0] if full else None) == first_budget
    assert max(found) == 180


def test_groups_have_token_positions_too(tmp_path: Path) -> None:
    with made_store(tmp_path, three_pieces()) as store:
        found = curve(store, "run", MetricChoices(unit="group"), by="tokens")
        single = curve(store, "run", by="tokens")
    assert at(found, "R", "packed") == at(single, "R", "packed")
    assert at(found, "nDCG", "packed") == at(single, "nDCG", "packed")


def test_searches_are_walked_one_after_the_other(tmp_path: Path) -> None:
    lists = [
        {"stage": "packed", "search": search, "items": packed((name, 100))}
        for search, name in enumerate(["x", "y", "a"])
    ]
    with made_store(tmp_path, [{"query_id": "q", "stages": lists, "gold": ["a"]}]) as store:
        by_tokens = at(curve(store, "run", by="tokens"), "R", "packed")
        by_depth = at(curve(store, "run"), "R", "packed")
    assert [budget for budget, value in by_tokens.items() if value] == [300]
    assert by_depth == {1: 0.0, 2: 0.0, 3: 1.0}


def test_without_tokens_there_is_no_token_curve(tmp_path: Path) -> None:
    with made_store(tmp_path, [{"query_id": "q", "stages": {"candidates": ["a"]}, "gold": ["a"]}]) as store:
        with pytest.raises(UsageError, match="no-tokens"):
            curve(store, "run", by="tokens")
        with pytest.raises(UsageError, match="unknown-stage"):
            curve(store, "run", stages=["packed"])


def test_empty_lists_have_a_curve_of_one_point(tmp_path: Path) -> None:
    with made_store(tmp_path, [{"query_id": "q", "stages": {"candidates": []}, "gold": ["a"]}]) as store:
        found = curve(store, "run")
    assert at(found, "R", "candidates") == {1: 0.0}


@pytest.mark.parametrize("longest", [1, 2, 7, 8, 99, 100, 101, 1000, 65_535])
def test_the_grids_end_at_the_longest_list_and_stay_small(longest: int) -> None:
    for grid in (depths(longest), budgets(longest)):
        assert grid == sorted(set(grid))
        assert (grid[0] >= 1, grid[-1]) == (True, longest)
        assert len(grid) <= 40
