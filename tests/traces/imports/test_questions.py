"""Questions that come on their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.traces.made import everything, issues, lines
from traces.errors import InputError
from traces.imports import import_questions
from traces.store import TraceStore


def put(store: TraceStore, folder: Path, content: bytes, **options: Any) -> Any:
    path = folder / "questions"
    path.write_bytes(content)
    return import_questions(store, path, **options)


def current(store: TraceStore) -> dict[str, list[Any]]:
    rows = store.step(("traces",), "current_questions", {})
    return {row["query_id"]: [row[name] for name in ("query", "intent", "weight", "answerable")] for row in rows}


def test_json_lines_and_csv_say_the_same(tmp_path: Path) -> None:
    plain = lines(
        {
            "query_id": 1,
            "query": "why?",
            "intent": "how",
            "weight": 2.5,
            "answerable": False,
            "tags": {"lang": "en"},
            "site": 4,
        },
        {"query_id": "q2"},
    )
    table = (
        b'query_id,query,intent,weight,answerable,tags,site\n1,why?,how,2.5,false,"{""lang"": ""en""}",4\nq2,,,,,,\n'
    )
    found = []
    for content in (plain, table):
        with TraceStore.in_memory() as store:
            report = put(store, tmp_path, content)
            assert report.notes == ("unknown fields are kept as tags: site (1)",)
            found.append((current(store), everything(store)["question_tags"]))
    assert found[0] == found[1]
    assert found[0][0] == {"1": ["why?", "how", 2.5, False], "q2": [None, None, None, None]}
    assert found[0][1] == [("1", "lang", "en", 1), ("1", "site", "4", 1)]


def test_a_field_given_again_replaces_and_fields_not_given_stay(store: TraceStore, tmp_path: Path) -> None:
    put(store, tmp_path, lines({"query_id": "q1", "query": "z", "intent": "how", "weight": 9, "answerable": True}))
    put(store, tmp_path, lines({"query_id": "q1", "query": "a", "weight": 1, "answerable": False}, {"query_id": "q2"}))
    assert current(store) == {"q1": ["a", "how", 1.0, False], "q2": [None, None, None, None]}


@pytest.mark.parametrize(
    ("record", "field", "reason"),
    [
        ({"query_id": "q1"}, "query_id", "question 'q1' is already in the file"),
        ({"query_id": "q2", "weight": 0}, "weight", "is below 1e-09"),
        ({"query_id": "q2", "weight": "2"}, "weight", 'should be a number, is text ("2")'),
        ({"query_id": "q2", "answerable": 1}, "answerable", "should be true or false, is a whole number (1)"),
        ({"query": "which?"}, "query_id", "is required"),
    ],
)
def test_a_bad_question_is_quarantined(
    store: TraceStore, tmp_path: Path, record: dict[str, Any], field: str, reason: str
) -> None:
    report = put(store, tmp_path, lines({"query_id": "q1"}, record))
    assert (report.records, report.quarantined) == (1, 1)
    assert [(issue["field"], issue["reason"]) for issue in issues(store)] == [(field, reason)]
    with TraceStore.in_memory() as strict:
        with pytest.raises(InputError):
            put(strict, tmp_path, lines({"query_id": "q1"}, record), strict=True)
        assert current(strict) == {}


def test_the_same_bytes_change_nothing(store: TraceStore, tmp_path: Path) -> None:
    put(store, tmp_path, lines({"query_id": "q1"}))
    before = everything(store)
    assert put(store, tmp_path, lines({"query_id": "q1"})).skipped_same_bytes
    assert everything(store) == before
