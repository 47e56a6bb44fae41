"""Outcomes that were in the store before a forecast was sealed were not foretold, whatever became of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from attribution.forecasts.record import record
from attribution.forecasts.verify import verify
from tests.attribution.forecasts.made import EXAMPLE, after_of, kinds_of, sealed, store_before
from tests.attribution.made_runs import add_run, write_lines
from traces.imports import import_outcomes
from traces.runs import drop_run


@pytest.mark.parametrize("again", ["after", "renamed"])
@pytest.mark.parametrize("dropped", [True, False])
def test_outcomes_that_were_ever_in_the_store_were_not_foretold(tmp_path: Path, again: str, dropped: bool) -> None:
    records = after_of(kinds_of(EXAMPLE))
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, records, run="after")
        if dropped:
            drop_run(store, "after")
        sealed(store, margin=0.04)
        if dropped or again != "after":
            add_run(store, tmp_path, records, run=again)
        found = verify(store, "f", again)
        assert not found.before_the_fact
        assert record(store).calibration.after_the_fact == 1


def test_a_run_without_outcomes_may_be_dropped_and_read_in_again_with_them(tmp_path: Path) -> None:
    records = after_of(kinds_of(EXAMPLE))
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, [{**each, "passed": None} for each in records], run="after")
        drop_run(store, "after")
        sealed(store, margin=0.04)
        add_run(store, tmp_path, records, run="after")
        assert verify(store, "f", "after").before_the_fact


def test_scores_are_outcomes_before_a_rule_makes_them_a_pass(tmp_path: Path) -> None:
    records = after_of(kinds_of(EXAMPLE))
    scores = [{**each, "passed": None, "score": float(each["passed"])} for each in records]
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, scores, run="after")
        sealed(store, margin=0.04)
        import_outcomes(
            store,
            write_lines(tmp_path / "o.jsonl", [{"query_id": e["query_id"], "score": e["score"]} for e in scores]),
            run_id="after",
            pass_rule="score >= 1",  # noqa: S106 - no password
        )
        assert not verify(store, "f", "after", allow=("rule",)).before_the_fact
