"""Canonical records as CSV and TSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.traces.made import RUN, everything, ingest, issues, trace
from traces.errors import InputError
from traces.ingest import ingest_run
from traces.store import TraceStore

STAGES = json.dumps({"candidates": [{"doc_id": "d1", "score": 2.5}, "d2"], "packed": ["d2"]})


def write(folder: Path, header: Sequence[str], *rows: Sequence[Any], delimiter: str = ",") -> Path:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([header, *rows])
    path = folder / "traces.csv"
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_a_row_is_a_trace_as_in_json_lines(store: TraceStore, tmp_path: Path, delimiter: str) -> None:
    header = [
        "query_id",
        "repeat",
        "query",
        "stages",
        "passed",
        "score",
        "gold",
        "tags",
        "answerable",
        "asked_at",
        "answer",
    ]
    rows: list[list[Any]] = [
        [
            "007",
            1,
            'why "403", though?\nsecond line',
            STAGES,
            "True",
            2.5,
            '["d2"]',
            '{"lang": "en"}',
            "false",
            "2026-09-26",
            "",
        ],
        ["q2", "", "", STAGES, "", "", "", "", "", "", "null"],
    ]
    report = ingest_run(store, [write(tmp_path, header, *rows, delimiter=delimiter)], run_id=RUN)
    assert (report.records, report.quarantined) == (2, 0)
    with TraceStore.in_memory() as plain:
        ingest(
            plain,
            tmp_path,
            trace(
                "007", repeat=1, query=rows[0][2], stages=json.loads(STAGES), passed=True, score=2.5, gold=["d2"],
                tags={"lang": "en"}, answerable=False, asked_at="2026-09-26",
            ),
            trace("q2", stages=json.loads(STAGES), passed=None, answer="null"),
        )  # fmt: skip
        found, expected = everything(store), everything(plain)
    for table in ("sources", "repeats", "judgments"):
        found[table], expected[table] = [], []  # line numbers and names differ
    assert found == expected
    assert store.rows("SELECT query_id, repeat, query, answer, line FROM repeats ORDER BY line") == [
        {"query_id": "007", "repeat": 1, "query": rows[0][2], "answer": None, "line": 2},
        {"query_id": "q2", "repeat": 0, "query": None, "answer": "null", "line": 4},
    ]


def test_unknown_columns_are_kept_as_tags(store: TraceStore, tmp_path: Path) -> None:
    report = ingest_run(
        store, [write(tmp_path, ["", "query_id", "stages", "lang"], [0, "q1", STAGES, "de"])], run_id=RUN
    )
    assert "unknown fields are kept as tags: column 1 (1), lang (1)" in report.notes
    assert store.value("SELECT value FROM tags WHERE field = 'lang'") == "de"


ONE = "is a number (1), so it neither passes nor fails; give --pass-rule 'passed >= 1', or whatever passes"


@pytest.mark.parametrize(
    ("column", "cell", "field", "reason"),
    [
        ("stages", "d1", "stages", "not JSON: invalid character (byte 0)"),
        ("stages", '{"packed": [{"doc_id": "d", "score": NaN}]}', "stages", "not JSON: invalid character (byte 37)"),
        ("stages", '"d1"', "stages", 'should be an object or a list, is text ("d1")'),
        ("stages", "", "stages", "is required"),
        ("query_id", "q\x00", "query_id", "an id cannot contain a NUL character"),
        ("score", "nan", "score", 'should be a number, is text ("nan")'),
        ("score", "1e999", "score", 'should be a number, is text ("1e999")'),
        ("repeat", "1.5", "repeat", 'should be a whole number, is text ("1.5")'),
        ("repeat", "-1", "repeat", 'should be a whole number, is text ("-1")'),
        ("passed", "1", "passed", ONE),
        ("passed", "yes", "passed", 'should be true or false or a number, is text ("yes")'),
        ("asked_at", "noon", "asked_at", 'should be a date and time (ISO 8601), is text ("noon")'),
        ("tags", "[1]", "tags", "should be an object, is a list"),
    ],
)  # fmt: skip
def test_a_bad_cell_goes_to_quarantine(
    store: TraceStore, tmp_path: Path, column: str, cell: str, field: str, reason: str
) -> None:
    header = ["query_id", "stages", "score", "repeat", "passed", "asked_at", "tags"]
    good = ["q1", STAGES, "", "", "", "", ""]
    bad = [
        cell if name == column else "q2" if name == "query_id" else value
        for name, value in zip(header, good, strict=True)
    ]
    report = ingest_run(store, [write(tmp_path, header, good, bad)], run_id=RUN)
    assert report.records == 1
    (issue,) = issues(store)
    assert (issue["line"], issue["field"], issue["reason"]) == (3, field, reason)


def test_rows_that_do_not_fit_the_header_or_the_format_are_quarantined(store: TraceStore, tmp_path: Path) -> None:
    path = tmp_path / "traces.csv"
    good = b'query_id,stages\nq1,"{""packed"":[]}"\n'
    path.write_bytes(good + b'\nq2\nq3,{},more\nq4,"{}"x\nq5,{}\r\nq\xff,{}\nq6,"{}\nnever closed\n')
    report = ingest_run(store, [path], run_id=RUN)
    assert report.records == 2
    assert [(issue["line"], issue["slug"]) for issue in issues(store)] == [
        (4, "wrong-columns"),
        (5, "wrong-columns"),
        (6, "bad-row"),
        (8, "not-utf8"),
        (9, "bad-row"),
    ]
    assert issues(store)[-1]["raw"] == b'q6,"{}\nnever closed'


def test_a_cell_may_be_longer_than_the_csv_module_allows_by_default(store: TraceStore, tmp_path: Path) -> None:
    answer = "x" * 200_000
    ingest_run(store, [write(tmp_path, ["query_id", "stages", "answer"], ["q1", STAGES, answer])], run_id=RUN)
    assert store.value("SELECT answer FROM repeats") == answer


def test_a_header_that_names_a_column_twice_is_refused(store: TraceStore, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="names stages twice"):
        ingest_run(store, [write(tmp_path, ["query_id", "stages", "stages"], ["q1", "{}", "{}"])], run_id=RUN)
