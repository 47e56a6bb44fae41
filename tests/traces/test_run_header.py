"""The header of a trace file: what the run keeps of it."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from tests.traces.made import RUN, column, everything, ingest, trace
from traces.errors import InputError
from traces.store import TraceStore


def test_the_header_describes_the_run(store: TraceStore, tmp_path: Path) -> None:
    header = {
        "run_id": RUN,
        "build": "7f3a",
        "created_at": "2026-09-26T02:00:00Z",
        "stages": ["candidates", "reranked", "packed"],
        "cutoffs": {"candidates": 100},
        "index_size": 2600,
        "model": "m-1",
        "prompt": "p-3",
        "judge": "judge-v3",
        "synthetic": "drawn by seed 7",
        "notes": "nightly",
    }
    report = ingest(store, tmp_path, {"run": header}, trace())
    assert report.notes == ()
    (run,) = store.rows("SELECT * FROM runs")
    assert run == {
        "run_id": RUN,
        "build": "7f3a",
        "created_at": dt.datetime(2026, 9, 26, 2, 0),  # noqa: DTZ001 - stored in UTC without a zone
        "index_size": 2600,
        "model": "m-1",
        "prompt": "p-3",
        "judge": "judge-v3",
        "synthetic": "drawn by seed 7",
        "notes": "nightly",
        "source_id": 1,
    }
    assert store.value("SELECT cutoff FROM run_stages WHERE stage = 'candidates'") == 100


def test_declared_stages_hold_even_for_writers_that_sort_their_keys(store: TraceStore, tmp_path: Path) -> None:
    shuffled = {"candidates": ["d1"], "packed": ["d1"], "reranked": ["d1"]}
    ingest(store, tmp_path, {"run": {"stages": ["candidates", "reranked", "packed"]}}, trace(stages=shuffled))
    assert column(store.rows("SELECT stage FROM run_stages ORDER BY position"), "stage") == [
        "candidates",
        "reranked",
        "packed",
    ]


def test_declared_stages_no_question_has_are_kept_and_noted(store: TraceStore, tmp_path: Path) -> None:
    report = ingest(store, tmp_path, {"run": {"stages": ["candidates", "fused", "reranked", "packed"]}}, trace())
    assert report.notes == ("1 question has no 'fused' list; they get no verdict",)
    assert store.value("SELECT position FROM run_stages WHERE stage = 'packed'") == 4


def test_the_runs_name_given_wins_over_the_headers(store: TraceStore, tmp_path: Path) -> None:
    report = ingest(store, tmp_path, {"run": {"run_id": "other"}}, trace())
    assert report.notes == (f"the header calls the run 'other'; it is stored as '{RUN}'",)
    assert column(store.rows("SELECT run_id FROM runs"), "run_id") == [RUN]


@pytest.mark.parametrize(
    ("notes", "kept"),
    [
        (None, {"gpu": "h100"}),
        ("nightly", {"gpu": "h100", "notes": "nightly"}),
        ({"gpu": "a100", "k": 20}, {"gpu": "a100", "k": 20}),
    ],
)
def test_unknown_header_fields_join_the_notes_and_are_reported(
    store: TraceStore, tmp_path: Path, notes: Any, kept: dict[str, Any]
) -> None:
    report = ingest(store, tmp_path, {"run": {"gpu": "h100", "notes": notes}}, trace())
    assert report.notes == ("unknown fields of the header are kept in the run's notes: gpu",)
    assert json.loads(store.value("SELECT notes FROM runs")) == kept


def test_what_an_earlier_file_said_stands_and_gaps_are_filled(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, {"run": {"build": "7", "cutoffs": {"packed": 3}}}, trace("q1"))
    report = ingest(store, tmp_path, {"run": {"build": "8", "model": "m-1"}}, trace("q2"), name="b")
    assert report.notes == ("an earlier file gave the run another build, which stands",)
    assert store.rows("SELECT build, model FROM runs") == [{"build": "7", "model": "m-1"}]
    assert store.value("SELECT cutoff FROM run_stages WHERE stage = 'packed'") == 3


def test_a_cutoff_for_no_stage_is_noted(store: TraceStore, tmp_path: Path) -> None:
    report = ingest(store, tmp_path, {"run": {"cutoffs": {"fused": 3}}}, trace())
    assert report.notes == ("the header has a cutoff for 'fused', which is no stage of the run",)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("build 7", r"run should be an object, is text \(\"build 7\"\)"),
        ({"stages": "candidates"}, r"run\.stages: should be a list"),
        ({"stages": ["packed", "packed"]}, "a stage is named twice"),
        ({"cutoffs": {"packed": 0}}, r"run\.cutoffs\.packed: is below 1"),
        ({"index_size": -1}, r"run\.index_size: is below 0"),
        ({"created_at": "0001-01-01T00:00:00+10:00"}, r"run\.created_at: is outside the years"),
    ],
)
def test_a_header_that_cannot_be_read_stops_the_file(
    store: TraceStore, tmp_path: Path, header: Any, message: str
) -> None:
    before = everything(store)
    with pytest.raises(InputError, match=message):
        ingest(store, tmp_path, {"run": header}, trace())
    assert everything(store) == before


def test_a_header_that_contradicts_the_stored_stages_stops_the_file(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1"))
    with pytest.raises(InputError, match="contradict") as caught:
        ingest(store, tmp_path, {"run": {"stages": ["packed", "candidates"]}}, trace("q2"), name="b")
    assert caught.value.hint == "the run has candidates, reranked, packed"


def test_a_trace_with_a_run_field_is_no_header(store: TraceStore, tmp_path: Path) -> None:
    report = ingest(store, tmp_path, trace(run={"build": "7"}))
    assert report.notes == ("unknown fields are kept as tags: run (1)",)
    assert store.value("SELECT build FROM runs") is None
