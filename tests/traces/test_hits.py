"""Hits: the judged documents found in the lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.traces.made import RUN, ingest, trace, write
from traces.hits import rebuild_hits
from traces.imports import import_documents, import_labels
from traces.ingest import ingest_run
from traces.store import TraceStore

COLUMNS = "query_id, repeat, search, stage, doc_id, evidence_group, grade, rank, whole"


def hits(store: TraceStore, columns: str = COLUMNS) -> list[list[Any]]:
    rows = store.rows(f"SELECT {columns} FROM hits ORDER BY ALL NULLS FIRST")  # noqa: S608
    return [list(row.values()) for row in rows]


def judge(store: TraceStore, folder: Path, *records: dict[str, Any], name: str = "team") -> None:
    import_labels(store, write(folder, *records, name="labels"), name=name)


def test_a_judged_document_is_found_at_every_stage_with_its_rank_and_grade(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1"), trace("q2"))
    judge(store, tmp_path, {"query_id": "q1", "doc_id": "d1", "grade": 2}, {"query_id": "q1", "doc_id": "absent"})
    assert hits(store) == [
        ["q1", 0, 0, "candidates", "d1", None, 2.0, 1, True],
        ["q1", 0, 0, "reranked", "d1", None, 2.0, 2, True],
    ]


def test_a_repeated_document_is_one_hit_at_its_best_rank(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace(stages={"packed": ["d2", "d1", "d2", "d1"]}, gold=["d1"]))
    assert hits(store, "doc_id, rank") == [["d1", 2]]


def test_gaps_in_ranks_count(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace(stages={"packed": [{"doc_id": "d1", "rank": 38}]}, gold=["d1"]))
    assert hits(store, "doc_id, rank") == [["d1", 38]]


def test_searches_and_repeats_are_found_each_on_its_own(store: TraceStore, tmp_path: Path) -> None:
    stages = [
        {"stage": "candidates", "search": 0, "items": ["d2", "d1"]},
        {"stage": "candidates", "search": 1, "items": ["d1"]},
        {"stage": "packed", "search": 0, "items": []},
    ]
    ingest(
        store, tmp_path, trace("q1", stages=stages, gold=["d1"]), trace("q1", repeat=1, stages={"candidates": ["d1"]})
    )
    assert hits(store, "repeat, search, stage, rank") == [
        [0, 0, "candidates", 2],
        [0, 1, "candidates", 1],
        [1, 0, "candidates", 1],
    ]


def test_a_piece_is_whole_if_any_copy_in_the_list_is(store: TraceStore, tmp_path: Path) -> None:
    cut, whole = {"tokens": 9, "kept_tokens": 5}, {"tokens": 9, "kept_tokens": 9}
    packed = [{"doc_id": "cut", **cut}, {"doc_id": "both", **cut}, {"doc_id": "both", **whole}, "unknown"]
    ingest(store, tmp_path, trace(stages={"packed": packed}, gold=["cut", "both", "unknown"]))
    assert hits(store, "doc_id, whole") == [["both", True], ["cut", False], ["unknown", True]]


def test_evidence_groups_are_hits_of_their_own(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace(stages={"packed": ["d1"]}, gold=[["d1", "d2"], ["d1"]]))
    assert hits(store, "doc_id, evidence_group") == [["d1", "1"], ["d1", "2"]]


def test_lists_and_judgments_may_name_a_document_by_any_of_its_ids(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1", stages={"candidates": ["x", "d1-copy"], "packed": ["d1"]}))
    judge(store, tmp_path, {"query_id": "q1", "doc_id": "d1-old", "grade": 2})
    assert hits(store) == []
    import_documents(store, write(tmp_path, {"doc_id": "d1", "aliases": ["d1-old", "d1-copy"]}, name="documents"))
    assert hits(store, "stage, doc_id, grade, rank") == [["candidates", "d1", 2.0, 2], ["packed", "d1", 2.0, 1]]
    ingest(
        store,
        tmp_path,
        trace("q1", stages={"candidates": ["d1-old"], "packed": ["d1-copy", "d1"]}),
        run_id="later",
        name="b",
    )
    found = store.rows("SELECT stage, rank FROM hits WHERE run_id = 'later' ORDER BY stage")
    assert found == [{"stage": "candidates", "rank": 1}, {"stage": "packed", "rank": 1}]


def test_two_judgments_of_one_document_under_two_ids_are_one_hit(store: TraceStore, tmp_path: Path) -> None:
    import_documents(store, write(tmp_path, {"doc_id": "d1", "aliases": ["a"]}, name="documents"))
    ingest(store, tmp_path, trace("q1", stages={"packed": ["a"]}))
    judge(
        store, tmp_path, {"query_id": "q1", "doc_id": "d1", "grade": 1}, {"query_id": "q1", "doc_id": "a", "grade": 3}
    )
    assert hits(store, "doc_id, grade, rank") == [["d1", 3.0, 1]]


def test_a_piece_cut_under_one_id_and_whole_under_another_is_whole(store: TraceStore, tmp_path: Path) -> None:
    import_documents(store, write(tmp_path, {"doc_id": "d1", "aliases": ["a"]}, name="documents"))
    packed = [{"doc_id": "a", "tokens": 9, "kept_tokens": 5}, {"doc_id": "d1", "tokens": 9, "kept_tokens": 9}]
    ingest(store, tmp_path, trace("q1", stages={"packed": packed}, gold=["d1"]))
    assert hits(store, "doc_id, rank, whole") == [["d1", 1, True]]


def test_each_label_set_has_hits_of_its_own(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1", gold=["d2"]))
    judge(store, tmp_path, {"query_id": "q1", "doc_id": "d3"}, name="a")
    judge(store, tmp_path, {"query_id": "q1", "doc_id": "d3", "grade": 0}, name="b")
    assert hits(store, "label_set, stage, doc_id, grade") == [
        ["a", "candidates", "d3", 1.0],
        ["b", "candidates", "d3", 0.0],
        ["inline", "candidates", "d2", 1.0],
        ["inline", "packed", "d2", 1.0],
        ["inline", "reranked", "d2", 1.0],
    ]


DOCUMENTS = st.sampled_from("abcd")
FILES = st.lists(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.integers(0, 2), st.lists(DOCUMENTS, max_size=4), st.lists(DOCUMENTS, max_size=2)
        ),
        min_size=1,
        max_size=4,
        unique_by=lambda entry: entry[:2],
    ),
    min_size=1,
    max_size=3,
)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=FILES, labels=st.lists(st.tuples(st.integers(0, 4), DOCUMENTS, st.integers(0, 2)), min_size=1, max_size=6))
def test_hits_kept_file_by_file_are_those_found_anew(
    tmp_path: Path, files: list[list[Any]], labels: list[tuple[int, str, int]]
) -> None:
    with TraceStore.in_memory() as store:
        judge(store, tmp_path, *({"query_id": f"q{q}", "doc_id": d, "grade": g} for q, d, g in labels))
        for number, entries in enumerate(files):
            records = [trace(f"q{q}", repeat=r, stages={"packed": docs}, gold=gold) for q, r, docs, gold in entries]
            path = write(tmp_path, *records, trace(f"own-{number}"), name=f"{number}.jsonl")
            ingest_run(store, [path], run_id=RUN)
        kept = hits(store, f"run_id, label_set, {COLUMNS}")
        rebuild_hits(store)
        assert hits(store, f"run_id, label_set, {COLUMNS}") == kept
