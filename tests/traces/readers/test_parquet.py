"""Canonical records as Parquet, nested or with JSON text."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.traces.made import RUN, everything, ingest, issues, trace
from traces.errors import InputError
from traces.imports import import_documents, import_labels
from traces.ingest import ingest_run
from traces.report import IngestReport
from traces.store import TraceStore

STAGES = '{"packed": []}'
ITEM = pa.struct({"doc_id": pa.string(), "score": pa.float32(), "tokens": pa.int64(), "kept_tokens": pa.int16()})


def put(store: TraceStore, folder: Path, table: pa.Table, **options: Any) -> IngestReport:
    path = folder / "traces.parquet"
    pq.write_table(table, path)
    return ingest_run(store, [path], run_id=RUN, **options)


def test_nested_columns_and_json_text_say_the_same_as_json_lines(tmp_path: Path) -> None:
    packed = [{"doc_id": "d2", "tokens": 9, "kept_tokens": 4}]
    full = trace(
        "q1", stages={"candidates": [{"doc_id": "d1", "score": 0.5}, {"doc_id": "d2"}], "packed": packed}, gold=["d2"]
    )
    lone = trace("q2", passed=None, stages={"candidates": []}, tags={"lang": "en"}, repeat=1)
    records = [full, lone]
    common = {
        "query_id": ["q1", "q2"],
        "passed": pa.array([True, None]),
        "repeat": pa.array([None, 1.0]),
        "gold": pa.array([["d2"], None], pa.list_(pa.string())),
    }
    stages = [record["stages"] for record in records]
    shapes = {
        "text": {"stages": [json.dumps(held) for held in stages], "tags": ["{}", '{"lang": "en"}']},
        "struct": {
            "stages": pa.array(stages, pa.struct({"candidates": pa.list_(ITEM), "packed": pa.list_(ITEM)})),
            "tags": pa.array([None, {"lang": "en"}]),
        },
        "map": {
            "stages": pa.array([list(held.items()) for held in stages], pa.map_(pa.string(), pa.list_(ITEM))),
            "tags": pa.array([None, [("lang", "en")]], pa.map_(pa.string(), pa.string())),
        },
    }
    found = {}
    for name, columns in shapes.items():
        with TraceStore.in_memory() as store:
            assert put(store, tmp_path, pa.table(common | columns)).quarantined == 0
            found[name] = everything(store)
    with TraceStore.in_memory() as store:
        ingest(store, tmp_path, *records)
        found["lines"] = everything(store)
    for rows in found.values():
        del rows["sources"], rows["ingest_issues"]  # they name the file
    assert found["text"] == found["struct"] == found["map"] == found["lines"]


def test_columns_without_a_json_counterpart_are_read(store: TraceStore, tmp_path: Path) -> None:
    moment = dt.datetime(2026, 9, 26, 2, 14, 0, 123456, tzinfo=dt.UTC)
    table = pa.table(
        {
            "query_id": pa.array([7]),
            "stages": [STAGES],
            "asked_at": pa.array([moment], pa.timestamp("ns", "Europe/Berlin")),
            "score": pa.array([2], pa.decimal128(5, 2)),
            "day": pa.array([moment.date()]),
        }
    )
    put(store, tmp_path, table)
    assert store.rows("SELECT query_id, asked_at FROM repeats") == [
        {"query_id": "7", "asked_at": moment.replace(tzinfo=None)}
    ]
    assert store.value("SELECT score FROM outcomes") == 2.0
    assert store.value("SELECT value FROM tags WHERE field = 'day'") == "2026-09-26"


def test_bad_rows_are_quarantined_by_their_number(store: TraceStore, tmp_path: Path) -> None:
    scores = [1.0, float("nan"), float("inf"), 2.0, 3.0]
    table = pa.table(
        {
            "query_id": ["q1", "q2", "q3", "q\x00", "q5"],
            "stages": pa.array([{"packed": [{"doc_id": "d", "score": score}]} for score in scores]),
        }
    )
    report = put(store, tmp_path, table)
    assert report.records == 2
    assert [(issue["line"], issue["field"], issue["reason"]) for issue in issues(store)] == [
        (2, "stages.packed[0].score", "is not a finite number"),
        (3, "stages.packed[0].score", "is not a finite number"),
        (4, "query_id", "an id cannot contain a NUL character"),
    ]
    assert b"q2" in issues(store)[0]["raw"]


def test_rows_are_numbered_across_batches(store: TraceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("traces.readers.parquet._BATCH", 2)
    put(store, tmp_path, pa.table({"query_id": ["q1", "q2", "q3", "q3"], "stages": [STAGES] * 4}))
    assert [issue["line"] for issue in issues(store)] == [4]


def test_a_cut_file_is_refused(store: TraceStore, tmp_path: Path) -> None:
    path = tmp_path / "traces.parquet"
    pq.write_table(pa.table({"query_id": ["q1"], "stages": [STAGES]}), path)
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(InputError, match="not a whole Parquet file"):
        ingest_run(store, [path], run_id=RUN)


def test_labels_and_documents_come_as_parquet_too(store: TraceStore, tmp_path: Path) -> None:
    labels, documents = tmp_path / "labels", tmp_path / "documents"
    pq.write_table(pa.table({"query_id": ["q1"], "doc_id": ["d1"], "grade": pa.array([2], pa.int8())}), labels)
    pq.write_table(pa.table({"doc_id": ["d1"], "aliases": [["d-1"]], "indexed": [True]}), documents)
    assert import_labels(store, labels, name="n").records == 1
    assert import_documents(store, documents).records == 1
    assert store.value("SELECT grade FROM judgments") == 2.0
    assert store.value("SELECT doc_id FROM document_aliases WHERE alias = 'd-1'") == "d1"
