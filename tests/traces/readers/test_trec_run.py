"""TREC run files: one a stage, in the order trec_eval gives them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.traces.made import RUN, everything, issues, trace, write
from traces.errors import InputError, RecordError, UsageError
from traces.ingest import ingest_run
from traces.report import IngestReport
from traces.store import TraceStore

FIRST = """\
q2 Q0 a 1 3.0 bm25
q2 Q0 b 2 2.0 bm25
q1 Q0 c 1 9.5 bm25
"""
SECOND = """\
q2 Q0 b 1 0.9 cross
q3 Q0 a 1 0.1 cross
"""


def ingest(store: TraceStore, folder: Path, *texts: str, **options: Any) -> IngestReport:
    names = ("candidates", "reranked", "packed")
    stages = [
        (name, write(folder, text.rstrip("\n"), name=f"{name}.trec")) for name, text in zip(names, texts, strict=False)
    ]
    return ingest_run(store, [], run_id=RUN, stages=stages, **options)


def lists(store: TraceStore, stage: str = "candidates") -> dict[str, list[str]]:
    found = store.rows("SELECT query_id, docs FROM stage_lists WHERE stage = $stage", {"stage": stage})
    return {row["query_id"]: row["docs"] for row in found}


def test_stage_files_make_one_run_with_questions_in_order_of_first_sight(store: TraceStore, tmp_path: Path) -> None:
    report = ingest(store, tmp_path, FIRST, SECOND)
    assert (report.records, report.quarantined, report.notes) == (3, 0, ())
    assert [row["query_id"] for row in store.rows("SELECT query_id FROM repeats")] == ["q2", "q1", "q3"]
    assert lists(store) == {"q2": ["a", "b"], "q1": ["c"], "q3": []}
    assert lists(store, "reranked") == {"q2": ["b"], "q1": [], "q3": ["a"]}
    absent = store.rows(
        "SELECT stage, query_id, complete FROM stage_lists WHERE inferred_by = 'absent from the TREC run' ORDER BY 1"
    )
    assert [list(row.values()) for row in absent] == [["candidates", "q3", True], ["reranked", "q1", True]]
    assert store.rows("SELECT scores FROM stage_lists WHERE query_id = 'q2' ORDER BY stage") == [
        {"scores": [3.0, 2.0]},
        {"scores": [0.9]},
    ]
    assert store.rows("SELECT stage FROM run_stages ORDER BY position") == [
        {"stage": "candidates"},
        {"stage": "reranked"},
    ]
    assert store.value("SELECT count(*) FROM sources") == 1


def test_ties_fall_by_document_id_descending_as_bytes_do(store: TraceStore, tmp_path: Path) -> None:
    text = "".join(
        f"q1 Q0 {name} {rank} 1.0 t\n"
        for rank, name in enumerate(["a10", "a9", "Z", "é", "a", "😀", "\uffee"], start=1)
    )
    ingest(store, tmp_path, text)
    expected = sorted(["a10", "a9", "Z", "é", "a", "😀", "\uffee"], key=str.encode, reverse=True)
    assert lists(store)["q1"] == expected


def test_scores_are_compared_in_double_precision(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, "q1 Q0 a 1 1.00000002 t\nq1 Q0 b 2 1.00000001 t\n")
    assert lists(store)["q1"] == ["a", "b"]


def test_scores_win_over_the_rank_column_and_it_is_said_once(store: TraceStore, tmp_path: Path) -> None:
    report = ingest(
        store, tmp_path, "q1 Q0 a 1 1.0 t\nq1 Q0 b 2 2.0 t\nq2 Q0 a 1 1.0 t\nq2 Q0 b 2 2.0 t\nq3 Q0 a 1 2 t\n"
    )
    assert lists(store)["q1"] == ["b", "a"]
    assert len(report.notes) == 1
    assert report.notes[0].startswith(
        "the rank column of 'candidates' contradicts the order of its scores in 2 questions"
    )


def test_a_document_given_twice_is_kept_and_counted(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, "q1 Q0 a 1 3.0 t\nq1 Q0 b 2 2.0 t\nq1 Q0 a 3 1.0 t\n")
    assert lists(store)["q1"] == ["a", "b", "a"]
    assert store.value("SELECT duplicates FROM stage_lists") == 1


def test_lines_of_a_question_need_not_stand_together(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, "q1 Q0 a 2 1 t\nq2 Q0 x 1 5 t\nq1 Q0 b 1 2 t\nq2\tQ0\ty  2 4 t\n")
    assert lists(store) == {"q1": ["b", "a"], "q2": ["x", "y"]}


def test_chunks_of_a_long_file_are_put_together(
    store: TraceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("traces.readers.trec_run._CHUNK", 3)
    text = "".join(f"q{number % 4} Q0 d{number} 1 {100 - number} t\n" for number in range(20))
    ingest(store, tmp_path, text)
    assert lists(store) == {f"q{k}": [f"d{number}" for number in range(k, 20, 4)] for k in range(4)}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("q1 Q0 b 2 2.0", "has 5 columns, a line of a run has 6"),
        ("q1 Q0 b 2 2.0 bm25 more", "has 7 columns, a line of a run has 6"),
        ("q1 Q0 b 2 nan t", "should be a finite number, is 'nan'"),
        ("q1 Q0 b 2 inf t", "should be a finite number, is 'inf'"),
        ("q1 Q0 b 2 1_0 t", "should be a finite number, is '1_0'"),
        ("q1 Q0 b 2 high t", "should be a finite number, is 'high'"),
    ],
)
def test_a_bad_line_is_quarantined_and_its_list_incomplete(
    store: TraceStore, tmp_path: Path, bad: str, reason: str
) -> None:
    text = f"q1 Q0 a 1 3.0 t\n{bad}\nq2 Q0 a 1 1 t\n"
    report = ingest(store, tmp_path, text)
    assert (report.records, report.quarantined) == (2, 1)
    (issue,) = issues(store)
    assert (issue["line"], issue["reason"], issue["raw"]) == (2, reason, bad.encode())
    assert lists(store) == {"q1": ["a"], "q2": ["a"]}
    assert store.rows("SELECT query_id, complete FROM stage_lists ORDER BY query_id") == [
        {"query_id": "q1", "complete": False},
        {"query_id": "q2", "complete": True},
    ]
    with TraceStore.in_memory() as strict, pytest.raises(RecordError) as caught:
        ingest(strict, tmp_path, text, strict=True)
    assert caught.value.where == f"{tmp_path / 'candidates.trec'}:2"


def test_bytes_that_are_not_text_are_quarantined(store: TraceStore, tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_bytes(b"q1 Q0 a 1 3.0 t\nq1 Q0 \xff 2 2.0 t\n")
    assert ingest_run(store, [], run_id=RUN, stages=[("candidates", path)]).issues[0].slug == "not-utf8"


def test_the_same_files_again_change_nothing_and_other_cuts_are_told(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, FIRST, SECOND)
    before = everything(store)
    assert ingest(store, tmp_path, FIRST, SECOND).skipped_same_bytes
    with pytest.raises(InputError, match="read with other options"):
        ingest(store, tmp_path, FIRST, SECOND, cuts={"candidates": 1})
    assert everything(store) == before


def test_one_file_may_serve_several_stages_with_cuts(store: TraceStore, tmp_path: Path) -> None:
    path = write(tmp_path, FIRST.rstrip("\n"), name="run.trec")
    ingest_run(store, [], run_id=RUN, stages=[("candidates", path), ("packed", path)], cuts={"packed": 1})
    assert lists(store) == lists(store, "packed")
    assert store.value("SELECT cutoff FROM run_stages WHERE stage = 'packed'") == 1


def test_a_run_file_without_a_stage_is_refused_with_what_to_do(store: TraceStore, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="lists of one stage") as caught:
        ingest_run(store, [write(tmp_path, FIRST.rstrip("\n"), name="run.trec")], run_id=RUN)
    assert caught.value.hint == "name the stage: --stage NAME=FILE"


def test_a_stage_file_must_be_a_run_and_stages_have_names_of_their_own(store: TraceStore, tmp_path: Path) -> None:
    traces = write(tmp_path, trace())
    run = write(tmp_path, FIRST.rstrip("\n"), name="run.trec")
    with pytest.raises(InputError, match="not a TREC run but jsonl"):
        ingest_run(store, [], run_id=RUN, stages=[("candidates", run), ("packed", traces)])
    with pytest.raises(UsageError, match="named twice"):
        ingest_run(store, [], run_id=RUN, stages=[("packed", run), ("packed", run)])
    assert store.value("SELECT count(*) FROM repeats") == 0


def test_a_run_without_one_good_line_is_refused(store: TraceStore, tmp_path: Path) -> None:
    path = write(tmp_path, "q1 Q0 a 1 3.0 t", name="run.trec")
    bad = write(tmp_path, "q1 Q0 a 1 3.0 t", name="bad.trec")
    bad.write_text("q1 Q0 a 1 nan t\n" * 3)
    with pytest.raises(InputError):
        ingest_run(store, [], run_id=RUN, stages=[("candidates", bad)])
    assert ingest_run(store, [], run_id=RUN, stages=[("candidates", path)]).records == 1
