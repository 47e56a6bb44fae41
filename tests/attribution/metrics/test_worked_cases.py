"""Worked cases, small enough to check by hand: where two metrics disagree, and which conventions decide."""

from __future__ import annotations

import math
import runpy
from pathlib import Path
from typing import Any

import pytest

from attribution.metrics.conventions import MetricChoices
from attribution.metrics.evaluate import evaluate
from tests.attribution.made_runs import made_store
from tests.attribution.metrics.scored_runs import at_stage, means

GOLD = ["g1", "g2", "g3", "g4"]
FILLER = [f"x{number}" for number in range(1, 7)]


def one_question(
    folder: Path, ranked: list[str], gold: list[Any], metrics: str, **choices: Any
) -> dict[str, float | None]:
    """Return the metrics of a run of one question and one stage."""
    record = {"query_id": "q", "stages": {"candidates": ranked}, "gold": gold}
    with made_store(folder, [record]) as store:
        return means(store, metrics, MetricChoices(**choices))


def test_two_orders_that_tie_at_ten_differ_at_the_five_that_are_read(tmp_path: Path) -> None:
    early = one_question(tmp_path, [*GOLD, *FILLER], GOLD, "P@10 R@10 F1@10 P@5 R@5 RR@10 RR@5")
    late = one_question(tmp_path, [*FILLER, *GOLD], GOLD, "P@10 R@10 F1@10 P@5 R@5 RR@10 RR@5")
    for name in ("P@10", "R@10", "F1@10"):
        assert early[name] == late[name] == {"P@10": 0.4, "R@10": 1.0, "F1@10": 4 / 7}[name]
    assert {name: early[name] for name in ("P@5", "R@5", "RR@10", "RR@5")} == {
        "P@5": 0.8,
        "R@5": 1.0,
        "RR@10": 1.0,
        "RR@5": 1.0,
    }
    assert {name: late[name] for name in ("P@5", "R@5", "RR@10", "RR@5")} == {
        "P@5": 0.0,
        "R@5": 0.0,
        "RR@10": 1 / 7,
        "RR@5": 0.0,
    }


def test_the_first_hit_ties_what_graded_gain_tells_apart(tmp_path: Path) -> None:
    graded = [{"doc_id": "A", "grade": 3}, {"doc_id": "B", "grade": 1}]
    asked = "DCG@10 nDCG@10 RR@10 R@10 RR(rel=2)@10"
    x = one_question(tmp_path, ["B", "x1", "x2", "A"], graded, asked)
    y = one_question(tmp_path, ["A", "x1", "x2", "B"], graded, asked)
    assert x["DCG@10"] == pytest.approx(2.292030, abs=5e-7)
    assert x["nDCG@10"] == pytest.approx(0.631251, abs=5e-7)
    assert y["nDCG@10"] is not None
    assert x["nDCG@10"] is not None
    assert y["nDCG@10"] - x["nDCG@10"] == pytest.approx(0.313596506, abs=5e-10)
    assert (x["RR@10"], y["RR@10"], x["R@10"], y["R@10"]) == (1.0, 1.0, 1.0, 1.0)
    assert (x["RR(rel=2)@10"], y["RR(rel=2)@10"]) == (0.25, 1.0)


def test_a_first_hit_says_nothing_of_the_other_pieces_needed(tmp_path: Path) -> None:
    record = {"query_id": "q", "stages": {"candidates": ["g1", "x1", "x2"]}, "gold": [["g1"], ["g2"], ["g3"]]}
    with made_store(tmp_path, [record]) as store:
        found = means(store, "RR Success@1 Coverage Groups R")
    assert found == {"RR": 1.0, "Success@1": 1.0, "Coverage": 0.0, "Groups": 1 / 3, "R": 1 / 3}


def test_hits_at_ranks_one_and_ten_have_the_reciprocal_rank_of_the_first(tmp_path: Path) -> None:
    ranked = ["g1", *[f"x{number}" for number in range(8)], "g2"]
    assert one_question(tmp_path, ranked, ["g1", "g2"], "RR@10") == {"RR@10": 1.0}


def test_the_best_order_so_far_may_still_miss_most(tmp_path: Path) -> None:
    found = one_question(tmp_path, ["g1", "x1"], ["g1", "g2", "g3"], "nDCG@1 R@1")
    assert found == {"nDCG@1": 1.0, "R@1": 1 / 3}


def test_the_ideal_knows_the_documents_that_were_not_retrieved(tmp_path: Path) -> None:
    graded = [{"doc_id": "weak", "grade": 1}, {"doc_id": "strong", "grade": 3}]
    assert one_question(tmp_path, ["weak"], graded, "nDCG@1") == {"nDCG@1": 1 / 3}
    only_the_candidates = [{"doc_id": "weak", "grade": 1}]
    assert one_question(tmp_path, ["weak"], only_the_candidates, "nDCG@1") == {"nDCG@1": 1.0}


def test_the_mean_over_questions_is_not_the_pooled_count(tmp_path: Path) -> None:
    many = [f"m{number}" for number in range(100)]
    records = [
        {"query_id": "q1", "stages": {"candidates": ["g1"]}, "gold": ["g1"]},
        {"query_id": "q2", "stages": {"candidates": ["x1"]}, "gold": many},
    ]
    with made_store(tmp_path, records) as store:
        found = at_stage(store, "R")["R"]
    assert (found.mean.estimate, found.pooled) == (0.5, 1 / 101)


def test_recall_at_five_rises_by_returning_fifteen_and_keeping_the_relevant(tmp_path: Path) -> None:
    """Filtered after the fact, five of fifteen look like a better retriever; the places they came from tell."""
    fifteen = [f"x{number}" for number in range(10)] + ["g1", "g2", "g3", "g4", "x11"]
    record = {
        "query_id": "q",
        "stages": {"candidates": fifteen, "filtered": ["g1", "g2", "g3", "g4", "x11"]},
        "gold": GOLD,
    }
    with made_store(tmp_path, [record]) as store:
        found = {(each.metric, each.stage): each.mean.estimate for each in evaluate(store, "run", "R@5 R@15").metrics}
    assert found["R@5", "candidates"] == 0.0
    assert found["R@5", "filtered"] == found["R@15", "candidates"] == 1.0


def test_a_run_that_returns_nothing_is_nearly_always_right_and_finds_nothing(tmp_path: Path) -> None:
    corpus = 10**7
    accuracy = (corpus - len(GOLD)) / corpus
    assert accuracy == 0.9999996
    found = one_question(tmp_path, [], GOLD, "R@10 P@10 F1@10")
    assert found == {"R@10": 0.0, "P@10": 0.0, "F1@10": 0.0}


def test_the_discount_leaves_rank_one_alone(tmp_path: Path) -> None:
    graded = [{"doc_id": "A", "grade": 1}]
    for rank, expected in ((1, 1.0), (2, 1 / 1.584963), (10, 1 / 3.459432)):
        ranked = [f"x{number}" for number in range(rank - 1)] + ["A"]
        assert one_question(tmp_path, ranked, graded, "DCG@10")["DCG@10"] == pytest.approx(expected, abs=1e-6)


def test_swapping_equals_changes_nothing_and_cumulated_gain_sees_no_order(tmp_path: Path) -> None:
    graded = [{"doc_id": "A", "grade": 2}, {"doc_id": "B", "grade": 2}, {"doc_id": "C", "grade": 1}]
    first = one_question(tmp_path, ["A", "B", "C"], graded, "nDCG@3 CG@3 RR AP")
    assert first == one_question(tmp_path, ["B", "A", "C"], graded, "nDCG@3 CG@3 RR AP")
    turned = one_question(tmp_path, ["C", "A", "B"], graded, "nDCG@3 CG@3")
    assert turned["CG@3"] == first["CG@3"] == 5.0
    assert turned["nDCG@3"] == pytest.approx((1 + 2 / math.log2(3) + 1) / (2 + 2 / math.log2(3) + 0.5))


def test_the_example_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    example = Path(__file__).resolve().parents[3] / "examples" / "metrics_worked.py"
    runpy.run_path(str(example), run_name="__main__")
    printed = " ".join(capsys.readouterr().out.split())
    for shown in (
        "F1@10 0.571429 P@5 0.800000 R@5 1.000000 RR@10 1.000000",
        "P@5 0.000000 R@5 0.000000 RR@10 0.142857",
        "DCG@10 2.292030 nDCG@10 0.631251",
        "R 0.500000 pooled 0.009901",
        "right about 0.9999996 of them",
    ):
        assert shown in printed
