"""Ingest: what good traces become in the store."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import sys
from pathlib import Path

import pytest

from tests.traces.made import RUN, Heard, column, ingest, issues, lines, trace, write
from traces.errors import InputError, UsageError
from traces.ingest import ingest_run
from traces.store import TraceStore


def test_one_trace_becomes_its_rows(store: TraceStore, tmp_path: Path) -> None:
    record = trace(
        query="why 403?",
        intent="Troubleshooting",
        asked_at="2026-09-26T02:14:00+02:00",
        tags={"lang": "en", "n": 1.5, "ok": True, "none": None, "deep": {"a": [1]}},
        answer="Ask your administrator",
        passed=False,
        judge="judge-v3",
        answerable=True,
        stages={
            "candidates": [{"doc_id": "c12", "score": 7.1}, "c7"],
            "reranked": ["c7", "c12"],
            "packed": [{"doc_id": "c7", "tokens": 480, "kept_tokens": 200, "metadata": {"page": 3}}],
        },
    )
    report = ingest(store, tmp_path, record)
    assert (report.run_id, report.records, report.quarantined, report.notes) == (RUN, 1, 0, ())
    assert report.counts["items"] == 5
    (repeat,) = store.rows("SELECT * FROM repeats")
    assert repeat == {
        "run_id": RUN,
        "query_id": "q1",
        "repeat": 0,
        "query": "why 403?",
        "intent": "Troubleshooting",
        "answer": "Ask your administrator",
        "asked_at": dt.datetime(2026, 9, 26, 0, 14),  # noqa: DTZ001 - stored in UTC without a zone
        "answerable": True,
        "source_id": 1,
        "line": 1,
    }
    assert {row["field"]: row["value"] for row in store.rows("SELECT * FROM tags")} == {
        "lang": "en",
        "n": "1.5",
        "ok": "true",
        "deep": '{"a":[1]}',
    }
    candidates, reranked, packed = store.rows("SELECT * FROM stage_lists ORDER BY stage")[0:1] + store.rows(
        "SELECT * FROM stage_lists WHERE stage <> 'candidates' ORDER BY stage DESC"
    )
    assert (candidates["docs"], candidates["scores"], candidates["tokens"]) == (["c12", "c7"], [7.1, None], None)
    assert (reranked["docs"], reranked["scores"], reranked["complete"]) == (["c7", "c12"], None, True)
    assert (packed["kept_tokens"], packed["truncated"], packed["truncated_items"]) == ([200], ["c7"], 1)
    assert packed["metadata"] == '{"1":{"page":3}}'
    assert store.rows("SELECT passed, score, judge, pass_rule FROM outcomes") == [
        {"passed": False, "score": None, "judge": "judge-v3", "pass_rule": None}
    ]
    assert store.rows("SELECT stage, position, cutoff FROM run_stages ORDER BY position") == [
        {"stage": "candidates", "position": 1, "cutoff": None},
        {"stage": "reranked", "position": 2, "cutoff": None},
        {"stage": "packed", "position": 3, "cutoff": None},
    ]


def test_several_searches_are_kept_apart(store: TraceStore, tmp_path: Path) -> None:
    stages = [
        {"stage": "candidates", "search": 0, "query": "sso 403", "items": ["d1"]},
        {"stage": "candidates", "search": 1, "query": "idp certificate", "items": ["d2"], "complete": False},
        {"stage": "packed", "items": ["d2"], "inferred_by": "text match"},
    ]
    report = ingest(store, tmp_path, trace(stages=stages))
    assert report.counts["searches"] == 2
    assert store.rows("SELECT search, query FROM searches ORDER BY search") == [
        {"search": 0, "query": "sso 403"},
        {"search": 1, "query": "idp certificate"},
    ]
    found = store.rows("SELECT stage, search, docs, complete, inferred_by FROM stage_lists ORDER BY stage, search")
    assert [list(row.values()) for row in found] == [
        ["candidates", 0, ["d1"], True, None],
        ["candidates", 1, ["d2"], False, None],
        ["packed", 0, ["d2"], True, "text match"],
    ]


def test_integers_are_ids_and_repeats_are_kept_apart(store: TraceStore, tmp_path: Path) -> None:
    ingest(
        store,
        tmp_path,
        trace(7, stages={"packed": [1, {"doc_id": 2}]}),
        trace(7, repeat=1, gold=[2]),
        trace("7", repeat=2),
    )
    assert store.rows("SELECT query_id, repeat FROM repeats ORDER BY repeat") == [
        {"query_id": "7", "repeat": repeat} for repeat in range(3)
    ]
    assert store.value("SELECT docs FROM stage_lists WHERE repeat = 0") == ["1", "2"]
    assert column(store.rows("SELECT doc_id FROM judgments"), "doc_id") == ["2"]


def test_nul_in_free_text_is_stored(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace(query="a\x00b", answer="\x00"))
    assert store.rows("SELECT query, answer FROM repeats") == [{"query": "a\x00b", "answer": "\x00"}]


def test_texts_of_a_megabyte_are_stored_whole(store: TraceStore, tmp_path: Path) -> None:
    text = "é" * 1_000_000
    stages = {"packed": [{"doc_id": f"d{number}", "text": text + str(number)} for number in range(5)]}
    ingest(store, tmp_path, trace(answer=text, stages=stages))
    assert store.value("SELECT answer FROM repeats") == text
    found = store.rows("SELECT doc_id, text FROM documents ORDER BY doc_id")
    assert [row["text"] for row in found] == [text + str(number) for number in range(5)]


def test_texts_and_titles_of_items_are_kept_once_and_never_overlay_what_is_stored(
    store: TraceStore, tmp_path: Path
) -> None:
    first = {
        "packed": [{"doc_id": "d1", "title": "T"}, {"doc_id": "d1", "text": "one"}, {"doc_id": "d2", "text": "two"}]
    }
    ingest(store, tmp_path, trace(stages=first), trace("q2", stages={"packed": [{"doc_id": "d2", "text": "other"}]}))
    later = ingest(
        store,
        tmp_path,
        trace("q3", stages={"packed": [{"doc_id": "d1", "text": "new"}, {"doc_id": "d3", "title": "3"}]}),
        name="b",
    )
    assert later.counts["documents"] == 1
    assert store.rows("SELECT doc_id, text FROM documents ORDER BY doc_id") == [
        {"doc_id": "d1", "text": "one"},
        {"doc_id": "d2", "text": "two"},
        {"doc_id": "d3", "text": None},
    ]


def test_stages_are_merged_from_records_and_questions_without_one_are_noted(store: TraceStore, tmp_path: Path) -> None:
    report = ingest(
        store,
        tmp_path,
        trace("q1", stages={"candidates": ["d1"], "packed": ["d1"]}),
        trace("q2"),
        trace("q3", stages={"packed": []}),
    )
    assert column(store.rows("SELECT stage FROM run_stages ORDER BY position"), "stage") == [
        "candidates",
        "reranked",
        "packed",
    ]
    assert report.notes == (
        "1 question has no 'candidates' list; they get no verdict",
        "2 questions have no 'reranked' list; they get no verdict",
    )
    assert column(issues(store, "note"), "slug") == ["no-list", "no-list"]
    assert store.value("SELECT count(*) FROM repeats") == 3


def test_a_later_file_may_bring_a_new_stage(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1", stages={"candidates": ["d1"], "packed": ["d1"]}))
    report = ingest(store, tmp_path, trace("q2"), name="more.jsonl")
    assert column(store.rows("SELECT stage FROM run_stages ORDER BY position"), "stage") == [
        "candidates",
        "reranked",
        "packed",
    ]
    assert report.notes == ("1 question has no 'reranked' list; they get no verdict",)


def test_outcomes_follow_the_pass_rule_which_is_stored(store: TraceStore, tmp_path: Path) -> None:
    ingest(
        store,
        tmp_path,
        trace("q1", passed=None, score=3),
        trace("q2", passed=None, score=2.5),
        trace("q3", passed=True),
        trace("q4", passed=None, judge="silent"),
        pass_rule="score>=3",  # noqa: S106 - not a password
    )
    found = store.rows("SELECT query_id, passed, score, pass_rule FROM outcomes ORDER BY query_id")
    assert [list(row.values()) for row in found] == [
        ["q1", True, 3.0, "score >= 3"],
        ["q2", False, 2.5, "score >= 3"],
        ["q3", True, None, None],
    ]


def test_the_judge_is_the_records_else_the_headers(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, {"run": {"judge": "judge-v2"}}, trace("q1"), trace("q2", judge="judge-v3"))
    assert column(store.rows("SELECT judge FROM outcomes ORDER BY query_id"), "judge") == ["judge-v2", "judge-v3"]


def test_unknown_fields_are_kept_and_reported_once_a_file(store: TraceStore, tmp_path: Path) -> None:
    stages = {"packed": [{"doc_id": "d1", "vector": 0.5}]}
    report = ingest(
        store,
        tmp_path,
        trace("q1", latency_ms=3, stages=stages),
        trace("q2", latency_ms=4, gold=[{"doc_id": "d1", "why": "x"}]),
    )
    assert report.notes[:3] == (
        "unknown fields are kept in the metadata of the item: vector (1)",
        "unknown fields are kept nowhere: why (1)",
        "unknown fields are kept as tags: latency_ms (2)",
    )
    assert store.rows("SELECT query_id, field, value FROM tags ORDER BY query_id") == [
        {"query_id": "q1", "field": "latency_ms", "value": "3"},
        {"query_id": "q2", "field": "latency_ms", "value": "4"},
    ]
    assert store.value("SELECT metadata FROM stage_lists WHERE query_id = 'q1'") == '{"1":{"vector":0.5}}'


def test_a_pattern_is_taken_out_of_every_document_id(store: TraceStore, tmp_path: Path) -> None:
    stages = {"candidates": ["D1-3", "D1-0", "D2-11"], "packed": [{"doc_id": "D1-3", "text": "t"}]}
    ingest(store, tmp_path, trace(stages=stages, gold=["D1-7"]), doc_id_strip="-[0-9]+$")
    assert store.rows("SELECT docs, duplicates FROM stage_lists ORDER BY stage") == [
        {"docs": ["D1", "D1", "D2"], "duplicates": 1},
        {"docs": ["D1"], "duplicates": 0},
    ]
    assert store.value("SELECT doc_id FROM judgments") == "D1"
    assert store.value("SELECT doc_id FROM documents") == "D1"
    assert '"doc_id_strip": "-[0-9]+$"' in store.value("SELECT options FROM sources")


def test_cuts_are_stored_and_win_over_the_headers(store: TraceStore, tmp_path: Path) -> None:
    header = {"run": {"cutoffs": {"candidates": 50, "reranked": 10}}}
    ingest(store, tmp_path, header, trace(), cuts={"reranked": 5})
    assert store.rows("SELECT stage, cutoff FROM run_stages ORDER BY position") == [
        {"stage": "candidates", "cutoff": 50},
        {"stage": "reranked", "cutoff": 5},
        {"stage": "packed", "cutoff": None},
    ]
    assert len(store.value("SELECT docs FROM stage_lists WHERE stage = 'candidates'")) == 3


def test_several_files_and_standard_input_make_one_run(
    store: TraceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "b.jsonl.gz"
    packed.write_bytes(gzip.compress(lines(trace("q2"))))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines(trace("q3")))))
    report = ingest_run(store, [write(tmp_path, trace("q1")), packed, "-"], run_id=RUN)
    assert report.records == 3
    assert report.sources[-1] == "<stdin>"
    assert store.value("SELECT count(DISTINCT source_id) FROM stage_lists") == 3


def test_progress_hears_of_every_file(store: TraceStore, tmp_path: Path) -> None:
    files = [write(tmp_path, trace("q1"), name="a"), write(tmp_path, trace("q2"), name="b")]
    heard = Heard()
    ingest_run(store, files, run_id=RUN, progress=heard)
    assert heard.started == [(file.stat().st_size, str(file)) for file in files]
    assert heard.ended == 2
    with pytest.raises(InputError):
        ingest_run(store, [write(tmp_path, "nonsense {", name="c")], run_id=RUN, format="jsonl", progress=heard)
    assert heard.ended == 3


@pytest.mark.parametrize(
    ("options", "slug"),
    [
        ({"run_id": ""}, "bad-name"),
        ({"run_id": "r\x00"}, "bad-name"),
        ({"run_id": "r" * 1025}, "bad-name"),
        ({"run_id": "\udc80"}, "bad-name"),
        ({"labels": ""}, "bad-name"),
        ({"pass_rule": "good"}, "bad-pass-rule"),
        ({"doc_id_strip": "("}, "bad-pattern"),
        ({"cuts": {"packed": 0}}, "bad-cut"),
        ({"cuts": {"paked": 3}}, "unknown-stage"),
        ({"format": "yaml"}, "unknown-format"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_and_nothing_is_stored(
    store: TraceStore, tmp_path: Path, options: dict[str, str], slug: str
) -> None:
    with pytest.raises(UsageError) as caught:
        ingest(store, tmp_path, trace(), **options)
    assert caught.value.slug == slug
    assert store.value("SELECT count(*) FROM repeats") == 0


def test_nothing_to_ingest_is_refused(store: TraceStore) -> None:
    with pytest.raises(UsageError, match="nothing to ingest"):
        ingest_run(store, [], run_id=RUN)


@pytest.mark.parametrize("limit", ["trace_rows.BATCH_TRACES", "trace_rows.BATCH_ITEMS", "run_load.BATCH_BYTES"])
def test_many_traces_are_handed_over_in_batches_and_none_is_lost(
    store: TraceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(f"traces.{limit}", 3)
    records = [trace(f"q{number}", gold=["d1"], tags={"n": number}) for number in range(10)]
    report = ingest(store, tmp_path, *records)
    assert report.counts == {"repeats": 10, "lists": 30, "items": 60, "outcomes": 10, "judgments": 10, "tags": 10}
    assert store.value("SELECT count(DISTINCT query_id) FROM stage_lists") == 10
    assert store.value("SELECT count(*) FROM stage_items") == 60
