"""Inline gold: judgments of the run's own label set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.traces.made import RUN, ingest, trace
from traces.errors import UsageError
from traces.imports import import_labels
from traces.store import TraceStore


def judgments(store: TraceStore, columns: str = "query_id, doc_id, grade, evidence_group") -> list[list[Any]]:
    rows = store.rows(f"SELECT {columns} FROM judgments ORDER BY query_id, evidence_group, doc_id, grade")  # noqa: S608
    return [list(row.values()) for row in rows]


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (["d1", 2], [["q1", "2", 1.0, None], ["q1", "d1", 1.0, None]]),
        ([{"doc_id": "d1", "grade": 3, "group": "g"}], [["q1", "d1", 3.0, "g"]]),
        ([["d1", "d2"], ["d3"]], [["q1", "d1", 1.0, "1"], ["q1", "d2", 1.0, "1"], ["q1", "d3", 1.0, "2"]]),
        ([[], ["d1"], [{"doc_id": "d2", "group": 9}]], [["q1", "d1", 1.0, "2"], ["q1", "d2", 1.0, "9"]]),
        (["d1", "d1"], [["q1", "d1", 1.0, None]]),
        ([{"doc_id": "d1", "grade": -1}], [["q1", "d1", -1.0, None]]),
        ([], []),
        (None, []),
        ([[]], []),
    ],
)
def test_gold_becomes_judgments(store: TraceStore, tmp_path: Path, gold: Any, expected: list[list[Any]]) -> None:
    report = ingest(store, tmp_path, trace(gold=gold))
    assert judgments(store) == expected
    assert report.counts.get("judgments", 0) == len(expected)
    assert store.value("SELECT count(*) FROM label_sets") == (1 if expected else 0)


def test_gold_belongs_to_the_run_and_says_where_it_comes_from(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1"), trace("q2", gold=["d1"]))
    assert judgments(store, "label_set, version, run_id, kind, source_id, line") == [["inline", 1, RUN, "inline", 1, 2]]


def test_gold_known_by_text_only_has_no_id(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace(gold=[{"text": "restart the gateway"}]))
    assert judgments(store, "doc_id, text") == [[None, "restart the gateway"]]


@pytest.mark.parametrize("batch", [1, 100])
def test_repeats_that_bring_the_same_gold_add_it_once(
    store: TraceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr("traces.trace_rows.BATCH_TRACES", batch)
    gold = ["d1", {"doc_id": "d2", "group": "g"}, {"text": "t"}]
    report = ingest(store, tmp_path, trace("q1", gold=gold), trace("q1", repeat=1, gold=gold), trace("q2", gold=gold))
    assert report.counts["judgments"] == 6
    assert store.value("SELECT count(*) FROM judgments") == 6


def test_later_files_add_versions_and_only_what_is_new(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1", gold=["d1"]))
    ingest(store, tmp_path, trace("q1", repeat=1, gold=["d1"]), name="same")
    ingest(store, tmp_path, trace("q1", repeat=2, gold=["d1", "d3"]), name="more")
    assert judgments(store, "doc_id, version") == [["d1", 1], ["d3", 2]]
    assert store.rows("SELECT version, source_id FROM label_sets ORDER BY version") == [
        {"version": 1, "source_id": 1},
        {"version": 2, "source_id": 3},
    ]


def test_gold_of_a_later_file_is_found_in_the_lists_of_an_earlier_one(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1"))
    ingest(store, tmp_path, trace("q1", repeat=1, gold=["d2"]), name="more")
    found = store.rows("SELECT repeat, stage, rank FROM hits ORDER BY repeat, stage")
    assert [list(row.values()) for row in found] == [
        [0, "candidates", 2],
        [0, "packed", 1],
        [0, "reranked", 1],
        [1, "candidates", 2],
        [1, "packed", 1],
        [1, "reranked", 1],
    ]


def test_gold_of_one_run_judges_no_other(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1", gold=["d1"]), run_id="a")
    ingest(store, tmp_path, trace("q1", answer="b"), run_id="b", name="b")
    assert store.rows("SELECT DISTINCT run_id FROM hits") == [{"run_id": "a"}]


def test_gold_may_go_to_a_named_set_that_judges_every_run(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1"), run_id="a")
    ingest(store, tmp_path, trace("q1", gold=["d1"]), run_id="b", name="b", labels="team")
    assert judgments(store, "label_set, run_id, kind") == [["team", None, "inline"]]
    assert [row["run_id"] for row in store.rows("SELECT DISTINCT run_id FROM hits ORDER BY run_id")] == ["a", "b"]


def test_the_name_of_inline_gold_is_kept_for_it(store: TraceStore, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="kept for gold"):
        import_labels(store, tmp_path / "labels", name="inline")
