"""Answers of an oracle experiment that come in as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.traces.made import RUN, everything, ingest, issues, trace, write
from traces.errors import InputError, RecordError, UsageError
from traces.imports import import_oracle
from traces.oracle import Drawn, Sample, add_sample
from traces.store import TraceStore


def sample(sample_id: str) -> Sample:
    return Sample(sample_id, RUN, "inline", 1, "{}", 0, 9)


def one(query_id: str, repeat: int = 0) -> Drawn:
    return Drawn(query_id, repeat, "a", 9, 3, 1.0, 0)


@pytest.fixture
def drawn(store: TraceStore, tmp_path: Path) -> TraceStore:
    ingest(store, tmp_path, *(trace(f"q{i}", repeat=repeat) for i in range(4) for repeat in (0, 1)))
    with store.transaction():
        add_sample(store, sample("s1"), [one("q0"), one("q1", 1), one("q2")])
    return store


def put(store: TraceStore, folder: Path, *records: dict[str, Any], **options: Any) -> Any:
    return import_oracle(store, write(folder, *records, name="answers"), **{"run_id": RUN, **options})


def answers(store: TraceStore) -> list[tuple[Any, ...]]:
    return store.connection.execute(
        "SELECT sample_id, query_id, repeat, answer, passed, score, judge, pass_rule FROM oracle_answers ORDER BY ALL"
    ).fetchall()


def test_answers_join_the_repeats_that_were_drawn(drawn: TraceStore, tmp_path: Path) -> None:
    report = put(
        drawn,
        tmp_path,
        {"query_id": "q0", "answer": "Yes.", "passed": True},
        {"query_id": "q1", "score": 2, "judge": "j", "sample": "s1"},
        {"query_id": "q2", "repeat": 0, "passed": False},
        pass_rule="score >= 3",  # noqa: S106 - not a password
    )
    assert (report.kind, report.run_id, report.records, report.quarantined, report.notes) == ("oracle", RUN, 3, 0, ())
    assert answers(drawn) == [
        ("s1", "q0", 0, "Yes.", True, None, None, None),
        ("s1", "q1", 1, None, False, 2.0, "j", "score >= 3"),
        ("s1", "q2", 0, None, False, None, None, None),
    ]


@pytest.mark.parametrize(
    ("record", "slug", "field", "reason"),
    [
        ({"query_id": "q3", "passed": True}, "not-drawn", "query_id", "'q3' is not in the run's latest sample, s1"),
        ({"query_id": "q1", "repeat": 0, "passed": True}, "not-drawn", "repeat", "repeat 1 was drawn, not 0"),
        ({"query_id": "q1", "sample": "s0", "passed": True}, "not-drawn", "sample", "answers sample 's0'"),
        ({"query_id": "q0", "passed": False}, "twice", "query_id", "has another verdict already"),
        ({"query_id": "q2", "passed": 4}, "no-pass-rule", "passed", "neither passes nor fails"),
        ({"query_id": "q2", "passed": "yes"}, "bad-record", "passed", "should be true or false"),
        ({"query_id": "q2", "pack": []}, "not-an-answer", None, "a line of the exported file"),
        ({"oracle": {"sample": "s1"}}, "not-an-answer", None, "a line of the exported file"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_quarantined_or_strictly_refused(
    drawn: TraceStore, tmp_path: Path, record: dict[str, Any], slug: str, field: str | None, reason: str
) -> None:
    first, before = {"query_id": "q0", "passed": True}, everything(drawn)
    with pytest.raises(RecordError) as caught:
        put(drawn, tmp_path, first, record, strict=True)
    assert (caught.value.slug, caught.value.where) == (slug, f"{tmp_path / 'answers'}:2")
    assert everything(drawn) == before
    assert (put(drawn, tmp_path, first, record).quarantined, len(answers(drawn))) == (1, 1)
    (issue,) = issues(drawn)
    assert (issue["slug"], issue["field"]) == (slug, field)
    assert reason in issue["reason"]


def test_a_file_that_has_grown_adds_what_is_new(drawn: TraceStore, tmp_path: Path) -> None:
    first = {"query_id": "q0", "passed": True}
    assert put(drawn, tmp_path, first).notes == ("2 answers have no verdict yet, of 3 drawn",)
    assert put(drawn, tmp_path, first).skipped_same_bytes
    grown = put(drawn, tmp_path, first, {"query_id": "q1", "passed": True})
    assert (grown.quarantined, len(answers(drawn))) == (0, 2)
    assert grown.notes == ("1 answer was stored already", "1 answer has no verdict yet, of 3 drawn")


def test_scores_wait_for_a_rule(drawn: TraceStore, tmp_path: Path) -> None:
    record = {"query_id": "q0", "score": 4}
    assert "no rule turns into pass or fail" in put(drawn, tmp_path, record).notes[0]
    put(drawn, tmp_path, record, pass_rule="score >= 3")  # noqa: S106 - not a password
    assert [row[4] for row in answers(drawn)] == [True, None]


def test_the_same_bytes_may_answer_the_next_sample(drawn: TraceStore, tmp_path: Path) -> None:
    record = {"query_id": "q0", "passed": True}
    put(drawn, tmp_path, record)
    with drawn.transaction():
        add_sample(drawn, sample("s2"), [one("q0"), one("q3")])
    assert put(drawn, tmp_path, record).records == 1
    assert [row[0] for row in answers(drawn)] == ["s1", "s2"]


def test_without_a_sample_there_is_nothing_to_answer(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q0"))
    with pytest.raises(UsageError) as refused:
        put(store, tmp_path, {"query_id": "q0", "passed": True})
    assert refused.value.slug == "no-sample"
    with pytest.raises(UsageError) as unknown:
        put(store, tmp_path, {"query_id": "q0", "passed": True}, run_id="build7")
    assert unknown.value.slug == "unknown-run"


def test_a_file_without_one_good_answer_stores_nothing(drawn: TraceStore, tmp_path: Path) -> None:
    before = everything(drawn)
    with pytest.raises(InputError) as refused:
        put(drawn, tmp_path, {"query_id": "q9", "passed": True})
    assert refused.value.slug == "no-good-record"
    assert everything(drawn) == before


def test_a_csv_will_do(drawn: TraceStore, tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("query_id,answer,passed\nq0,Yes,true\nq1,No,false\n")
    assert import_oracle(drawn, path, run_id=RUN).records == 2
