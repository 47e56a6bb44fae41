"""Outcomes that come on their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.traces.made import RUN, everything, ingest, issues, trace, write
from traces.errors import RecordError, UsageError
from traces.imports import import_outcomes
from traces.store import TraceStore


@pytest.fixture
def answered(store: TraceStore, tmp_path: Path) -> TraceStore:
    ingest(store, tmp_path, trace("q1", passed=None), trace("q1", repeat=1, passed=None), trace("q2", judge="old"))
    return store


def put(store: TraceStore, folder: Path, *records: dict[str, Any], **options: Any) -> Any:
    return import_outcomes(store, write(folder, *records, name="outcomes"), **{"run_id": RUN, **options})


def outcomes(store: TraceStore) -> list[list[Any]]:
    rows = store.rows("SELECT query_id, repeat, passed, score, judge, pass_rule FROM outcomes ORDER BY ALL NULLS FIRST")
    return [list(row.values()) for row in rows]


def test_verdicts_join_their_questions_and_repeats(answered: TraceStore, tmp_path: Path) -> None:
    report = put(
        answered,
        tmp_path,
        {"query_id": "q1", "passed": True},
        {"query_id": "q1", "repeat": 1, "score": 2.0, "judge": "judge-v3"},
        {"query_id": "q2", "passed": False},
        judge="judge-v2",
    )
    assert (report.run_id, report.records, report.quarantined) == (RUN, 3, 0)
    assert outcomes(answered) == [
        ["q1", 0, True, None, "judge-v2", None],
        ["q1", 1, None, 2.0, "judge-v3", None],
        ["q2", 0, False, None, "judge-v2", None],
        ["q2", 0, True, None, "old", None],
    ]


def test_a_pass_rule_decides_and_is_stored(answered: TraceStore, tmp_path: Path) -> None:
    rows = [
        {"query_id": "q1", "score": 4},
        {"query_id": "q1", "repeat": 1, "score": 2},
        {"query_id": "q2", "passed": True},
    ]
    put(answered, tmp_path, *rows, pass_rule="score >= 3")  # noqa: S106 - not a password
    assert [row for row in outcomes(answered) if row[4] is None] == [
        ["q1", 0, True, 4.0, None, "score >= 3"],
        ["q1", 1, False, 2.0, None, "score >= 3"],
        ["q2", 0, True, None, None, None],
    ]


def test_csv_outcomes_are_read(answered: TraceStore, tmp_path: Path) -> None:
    path = tmp_path / "outcomes.csv"
    path.write_text("query_id,repeat,passed\nq1,,true\nq1,1,FALSE\n")
    import_outcomes(answered, path, run_id=RUN)
    assert outcomes(answered)[:2] == [["q1", 0, True, None, None, None], ["q1", 1, False, None, None, None]]


NUMBER = "is a number (1), so it neither passes nor fails; give --pass-rule 'passed >= 1', or whatever passes"
TWICE = "question 'q1' repeat 0 has a verdict already, one without a judge's name"
TWICE_OLD = "question 'q2' repeat 0 has a verdict already, one of judge 'old'"


@pytest.mark.parametrize(
    ("record", "field", "reason"),
    [
        ({"query_id": "q9", "passed": True}, "query_id", "question 'q9' repeat 0 is not in the run"),
        ({"query_id": "q1", "repeat": 2, "passed": True}, "query_id", "question 'q1' repeat 2 is not in the run"),
        ({"query_id": "q1", "passed": True}, "query_id", TWICE),
        ({"query_id": "q2", "passed": True, "judge": "old"}, "query_id", TWICE_OLD),
        ({"query_id": "q2", "passed": 1}, "passed", NUMBER),
        ({"query_id": "q2", "passed": "yes"}, "passed", 'should be true or false or a number, is text ("yes")'),
    ],
)
def test_a_bad_verdict_is_quarantined_or_strictly_refused(
    answered: TraceStore, tmp_path: Path, record: dict[str, Any], field: str, reason: str
) -> None:
    first = {"query_id": "q1", "passed": True}
    before = everything(answered)
    with pytest.raises(RecordError) as caught:
        put(answered, tmp_path, first, record, strict=True)
    assert (caught.value.where, caught.value.field) == (f"{tmp_path / 'outcomes'}:2", field)
    assert everything(answered) == before
    report = put(answered, tmp_path, first, record)
    assert (report.records, report.quarantined) == (1, 1)
    assert [(issue["line"], issue["field"], issue["reason"]) for issue in issues(answered)] == [(2, field, reason)]


def test_a_record_without_a_verdict_stores_nothing_and_is_told(answered: TraceStore, tmp_path: Path) -> None:
    before = len(outcomes(answered))
    report = put(answered, tmp_path, {"query_id": "q1", "passed": None, "judge": "j"})
    assert report.notes == ("1 record gives neither passed nor score; nothing is stored for it",)
    assert len(outcomes(answered)) == before


def test_the_same_bytes_change_nothing_but_another_judge_may_bring_them(answered: TraceStore, tmp_path: Path) -> None:
    record = {"query_id": "q1", "passed": True}
    put(answered, tmp_path, record, judge="a")
    before = everything(answered)
    assert put(answered, tmp_path, record, judge="a").skipped_same_bytes
    assert everything(answered) == before
    assert put(answered, tmp_path, record, judge="b").records == 1


def test_an_unknown_run_is_refused_with_those_that_are_near(answered: TraceStore, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        put(answered, tmp_path, {"query_id": "q1", "passed": True}, run_id="build7")
    assert (caught.value.slug, caught.value.hint) == ("unknown-run", f"did you mean {RUN}?")
