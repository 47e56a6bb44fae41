"""The ceiling check finds, counts and explains gold that a stage has and the one before did not."""

from __future__ import annotations

from pathlib import Path

from attribution.metrics.evaluate import evaluate
from attribution.results import CeilingCheck
from tests.attribution.made_runs import made_store, trace


def test_stages_that_only_choose_and_reorder_are_under_their_ceiling(tmp_path: Path) -> None:
    records = [trace(f"q{n}", ["a", "b", "c"], ["c", "a"], ["c"][: n % 2], None, gold=["c", "z"]) for n in range(6)]
    with made_store(tmp_path, records) as store:
        found = evaluate(store, "run", "R")
    assert [check.is_ceiling for check in found.ceiling] == [True, True]
    assert [each.mean.estimate for each in found.metrics] == [0.5, 0.5, 0.25]
    assert "appeared_late" not in {warning.code for warning in found.warnings}


def test_gold_from_nowhere_is_counted_and_the_ceiling_is_taken_down(tmp_path: Path) -> None:
    records = [
        trace("q1", ["x"], ["a", "b"], ["a"], None, gold=["a", "b"]),
        trace("q2", ["a"], ["a"], ["a", "b"], None, gold=["a", "b"]),
        trace("q3", ["a"], [], ["a", "x"], None, gold=["a"]),
    ]
    with made_store(tmp_path, records) as store:
        found = evaluate(store, "run", "R")
    assert found.ceiling == [
        CeilingCheck(before="candidates", stage="reranked", answers=1, documents=2, is_ceiling=False),
        CeilingCheck(before="reranked", stage="packed", answers=2, documents=2, is_ceiling=False),
    ]
    warnings = [warning.message for warning in found.warnings if warning.code == "appeared_late"]
    assert warnings[0] == (
        "reranked has 2 gold documents that candidates did not have, in 1 answers: recall of candidates is no ceiling "
        "for reranked"
    )
    assert len(warnings) == 2


def test_a_place_beyond_the_cutoff_was_not_handed_on(tmp_path: Path) -> None:
    header = {"run": {"run_id": "run", "stages": ["candidates", "packed"], "cutoffs": {"candidates": 1}}}
    record = {"query_id": "q", "stages": {"candidates": ["x", "a"], "packed": ["a"]}, "gold": ["a"]}
    with made_store(tmp_path, [header, record]) as store:
        found = evaluate(store, "run", "R")
    assert [(check.answers, check.is_ceiling) for check in found.ceiling] == [(1, False)]
    assert [each.mean.estimate for each in found.metrics] == [0.0, 1.0]
