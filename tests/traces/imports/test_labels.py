"""Labels that come on their own."""

from __future__ import annotations

import datetime as dt
import gzip
from pathlib import Path
from typing import Any

import pytest

from tests.traces.made import Heard, everything, ingest, issues, trace, write
from traces.errors import InputError, RecordError, UsageError
from traces.imports import import_labels
from traces.store import TraceStore


def put(store: TraceStore, folder: Path, text: str, **options: Any) -> Any:
    path = folder / "labels"
    path.write_text(text, encoding="utf-8")
    return import_labels(store, path, **{"name": "team", **options})


def judgments(store: TraceStore, columns: str) -> list[list[Any]]:
    return [list(row.values()) for row in store.rows(f"SELECT {columns} FROM judgments ORDER BY version, line")]  # noqa: S608


@pytest.mark.parametrize(
    "text",
    [
        '{"query_id": "q1", "doc_id": "d1", "grade": 2}\n{"query_id": 2, "doc_id": 3}\n',
        "q1 0 d1 2\n2 Q0 3 1\n",
        "q1\t0\td1\t2.0\r\n2\t0\t3\t1\r\n",
        "query-id\tcorpus-id\tscore\nq1\td1\t2\n2\t3\t1\n",
        "query_id,doc_id,grade\nq1,d1,2\n2,3,\n",
        "doc_id\tquery_id\tgrade\nd1\tq1\t2\n3\t2\t1\n",
    ],
)
def test_every_format_says_the_same(store: TraceStore, tmp_path: Path, text: str) -> None:
    report = put(store, tmp_path, text)
    assert (report.kind, report.target, report.records, report.quarantined) == ("labels", "team", 2, 0)
    assert judgments(store, "query_id, doc_id, grade") == [["q1", "d1", 2.0], ["2", "3", 1.0]]
    assert judgments(store, "label_set, version, run_id, kind, source_id") == [["team", 1, None, "human", 1]] * 2


def test_a_judgment_keeps_its_provenance(store: TraceStore, tmp_path: Path) -> None:
    full = (
        '{"query_id": "q1", "doc_id": "d1", "grade": 3, "group": 2, "kind": "audit", "annotator": "ann", '
        '"at": "2026-09-26T02:00:00+02:00", "seconds": 12.5}\n'
    )
    put(store, tmp_path, full + '{"query_id": "q1", "text": "somewhere"}\n', kind="model")
    moment = dt.datetime(2026, 9, 26)  # noqa: DTZ001 - stored in UTC without a zone
    assert judgments(store, "doc_id, text, evidence_group, kind, annotator, judged_at, seconds, line") == [
        ["d1", None, "2", "audit", "ann", moment, 12.5, 1],
        [None, "somewhere", None, "model", None, None, None, 2],
    ]


def test_every_import_is_the_next_version_and_the_latest_judgment_is_in_force(
    store: TraceStore, tmp_path: Path
) -> None:
    ingest(store, tmp_path, trace("q1"))
    put(store, tmp_path, "q1 0 d1 1\nq1 0 d2 1\n")
    report = put(store, tmp_path, "q1 0 d1 0\nq1 0 d3 2\n")
    assert judgments(store, "version, doc_id, grade") == [
        [1, "d1", 1.0],
        [1, "d2", 1.0],
        [2, "d1", 0.0],
        [2, "d3", 2.0],
    ]
    assert store.rows("SELECT label_set, version, run_id, source_id FROM label_sets ORDER BY version") == [
        {"label_set": "team", "version": 1, "run_id": None, "source_id": 2},
        {"label_set": "team", "version": 2, "run_id": None, "source_id": 3},
    ]
    assert "1 document is judged twice with different grades; the latest is in force" in report.notes
    hits = store.rows("SELECT doc_id, grade FROM hits WHERE stage = 'candidates' ORDER BY doc_id")
    assert hits == [{"doc_id": "d1", "grade": 0.0}, {"doc_id": "d2", "grade": 1.0}, {"doc_id": "d3", "grade": 2.0}]


def test_the_same_bytes_change_nothing_but_may_go_to_another_set(store: TraceStore, tmp_path: Path) -> None:
    put(store, tmp_path, "q1 0 d1 1\n")
    before = everything(store)
    report = put(store, tmp_path, "q1 0 d1 1\n")
    assert report.skipped_same_bytes
    assert report.records == 0
    assert "nothing was changed" in report.notes[0]
    assert everything(store) == before
    assert not put(store, tmp_path, "q1 0 d1 1\n", name="other").skipped_same_bytes


def test_judgments_for_questions_in_no_run_are_stored_and_counted(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1"))
    ingest(store, tmp_path, trace("q1", answer="again"), run_id="other", name="b")
    report = put(store, tmp_path, "q1 0 d1 1\nq8 0 d1 1\nq9 0 d1 1\nq9 0 d2 1\n")
    assert report.records == 4
    assert report.notes == ("2 stored runs have questions judged here", "2 judged questions are in no stored run")


def test_labels_that_come_before_the_run_are_found_by_it(store: TraceStore, tmp_path: Path) -> None:
    put(store, tmp_path, "q1 0 d2 1\n")
    ingest(store, tmp_path, trace("q1"))
    assert store.value("SELECT count(*) FROM hits WHERE label_set = 'team'") == 3


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("q1 0 d1", "has 3 columns, a judgment has 4"),
        ("q1 0 d1 1 2", "has 5 columns, a judgment has 4"),
        ("q1 0 d1 nan", "should be a finite number, is 'nan'"),
        ("q1 0 d1 yes", "should be a finite number, is 'yes'"),
        ("q" * 1025 + " 0 d1 1", "is longer than 1,024 characters"),
        ("q\x00 0 d1 1", "an id cannot contain a NUL character"),
    ],
)
def test_a_bad_judgment_is_quarantined_or_strictly_refused(
    store: TraceStore, tmp_path: Path, line: str, reason: str
) -> None:
    text = f"q1 0 d1 1\n\n{line}\nq2 0 d1 1\n"
    with pytest.raises(RecordError) as caught:
        put(store, tmp_path, text, strict=True)
    assert caught.value.where == f"{tmp_path / 'labels'}:3"
    assert store.value("SELECT count(*) FROM judgments") == 0
    report = put(store, tmp_path, text)
    assert (report.records, report.quarantined) == (2, 1)
    assert [(issue["line"], issue["reason"], issue["raw"]) for issue in issues(store)] == [(3, reason, line.encode())]


def test_a_judgment_of_nothing_is_quarantined(store: TraceStore, tmp_path: Path) -> None:
    put(
        store,
        tmp_path,
        '{"query_id": "q1", "doc_id": "d1"}\n{"query_id": "q1"}\n{"query_id": "q1", "doc_id": "d", "grade": null}\n',
    )
    assert [issue["reason"] for issue in issues(store)] == [
        "needs a doc_id, or the text of a document whose id is not known",
        "should be a number, is null",
    ]


def test_unknown_fields_are_reported_and_not_stored(store: TraceStore, tmp_path: Path) -> None:
    report = put(store, tmp_path, '{"query_id": "q1", "doc_id": "d1", "iteration": 0}\n' * 2)
    assert "unknown fields are not stored: iteration (2)" in report.notes


def test_a_beir_file_without_its_header_is_not_read_as_one(store: TraceStore, tmp_path: Path) -> None:
    report = put(store, tmp_path, "q1\td1\t1\nq2\td2\t1\n", format="beir")
    assert (report.records, report.quarantined) == (1, 1)
    assert issues(store)[0]["slug"] == "no-header"


def test_nothing_good_stores_nothing(store: TraceStore, tmp_path: Path) -> None:
    before = everything(store)
    with pytest.raises(InputError, match="not one of 1 records"):
        put(store, tmp_path, '{"grade": 1}\n')
    with pytest.raises(InputError):
        put(store, tmp_path, "")
    assert everything(store) == before


@pytest.mark.parametrize("name", ["", "inline", "n" * 1025])
def test_names_that_cannot_be_used_are_refused(store: TraceStore, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        put(store, tmp_path, "q1 0 d1 1\n", name=name)


def test_many_judgments_are_handed_over_in_batches_with_progress(
    store: TraceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("traces.imports.labels._BATCH", 7)
    path = tmp_path / "qrels.gz"
    path.write_bytes(gzip.compress("".join(f"q{n} 0 d{n} 1\n" for n in range(100)).encode()))
    heard = Heard()
    assert import_labels(store, path, name="team", progress=heard).records == 100
    assert judgments(store, "line, query_id") == [[n + 1, f"q{n}"] for n in range(100)]
    assert (heard.started, heard.read, heard.ended) == ([(path.stat().st_size, str(path))], path.stat().st_size, 1)


def test_labels_of_a_run_that_is_a_file_of_traces_are_refused_record_by_record(
    store: TraceStore, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="needs a doc_id"):
        import_labels(store, write(tmp_path, trace()), name="team")
