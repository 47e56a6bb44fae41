"""Bad input: what is wrong goes to quarantine with its place and reason, the rest is stored; or nothing is."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.traces.made import RUN, everything, ingest, issues, lines, trace, write
from traces import sources
from traces.errors import InputError, RecordError
from traces.ingest import ingest_run
from traces.store import TraceStore

BAD: list[tuple[bytes | dict[str, Any], str | None, str]] = [
    (b"once a record", None, "not JSON: invalid character (byte 0)"),
    (b'{"query_id": "q9", "stages"', None, "not JSON: the line ends in the middle of a value"),
    (
        b'{"query_id": "q9", "stages": {"packed": [{"doc_id": "d", "score": NaN}]}}',
        None,
        "not JSON: invalid character (byte 66)",
    ),
    (
        b'{"query_id": "q9", "stages": {"packed": [{"doc_id": "d", "score": 1e400}]}}',
        None,
        "a number is too large to hold",
    ),
    (b'{"query_id": "q\xff", "stages": {}}', None, "not UTF-8 text; recode the file as UTF-8"),
    (trace("q\x00"), "query_id", "an id cannot contain a NUL character"),
    (trace(""), "query_id", "is empty"),
    (trace("q" * 2_000), "query_id", "is longer than 1,024 characters"),
    (trace("q9", stages="d1"), "stages", 'should be an object or a list, is text ("d1")'),
    (trace("q9", stages={"packed": "d1"}), "stages.packed", 'should be a list, is text ("d1")'),
    (trace("q1"), "query_id", "question 'q1' repeat 0 is already in the run; number its repeats"),
    (
        trace("q9", passed=0.7),
        "passed",
        "is a number (0.7), so it neither passes nor fails; give --pass-rule 'passed >= 0.7', or whatever passes",
    ),
    (
        trace("q9", stages={"packed": ["d1"], "candidates": ["d1"]}),
        "stages",
        "'packed' comes before 'candidates', other records have it after; declare the order in a run header",
    ),
    (trace("q9", stages=[{"stage": "packed", "items": []}] * 2), "stages[1]", "search 0 already has a list 'packed'"),
    (
        trace("q9", stages=[{"stage": s, "query": s, "items": []} for s in ("candidates", "packed")]),
        "stages[1].query",
        "search 0 is given two texts",
    ),
    (trace("q9", stages={"packed": ["d"] * 65_536}), "stages.packed", "65,536 items, lists hold up to 65,535"),
    (
        trace("q9", stages={"packed": ["d1", {"doc_id": "d2", "rank": 2}]}),
        "stages.packed",
        "1 of 2 items carry a rank; all or none must",
    ),
    (trace("q9", asked_at="0001-01-01T00:00:00+10:00"), "asked_at", "is outside the years 1 to 9999"),
    ({"run": {"run_id": "late"}}, None, "a run header can only be the first line"),
]


@pytest.mark.parametrize(("bad", "field", "reason"), BAD)
def test_a_bad_record_goes_to_quarantine_and_the_good_ones_are_stored(
    store: TraceStore, tmp_path: Path, bad: bytes | dict[str, Any], field: str | None, reason: str
) -> None:
    report = ingest(store, tmp_path, trace("q1"), "", bad, trace("q2"))
    assert (report.records, report.quarantined) == (2, 1)
    (issue,) = issues(store)
    assert (issue["line"], issue["field"], issue["reason"]) == (3, field, reason)
    assert issue["raw"] == lines(bad).rstrip(b"\n")[: 64 * 2**10]
    assert report.issues[0].text() == f"{tmp_path / 'traces.jsonl'}:3: {f'{field}: ' if field else ''}{reason}"
    assert store.value("SELECT count(*) FROM repeats") == 2
    assert store.rows("SELECT records, quarantined FROM sources") == [{"records": 2, "quarantined": 1}]


@pytest.mark.parametrize(("bad", "field", "reason"), BAD)
def test_strict_stops_at_the_first_bad_record_and_stores_nothing(
    store: TraceStore, tmp_path: Path, bad: bytes | dict[str, Any], field: str | None, reason: str
) -> None:
    before = everything(store)
    with pytest.raises(RecordError) as caught:
        ingest(store, tmp_path, trace("q1"), "", bad, strict=True)
    assert caught.value.where == f"{tmp_path / 'traces.jsonl'}:3"
    assert caught.value.field == field
    assert caught.value.line().startswith(
        f"{caught.value.slug}: {f'{field}: ' if field else ''}{caught.value.reason} ("
    )
    assert everything(store) == before


@pytest.mark.parametrize(("bad", "field", "reason"), BAD)
def test_a_refused_record_leaves_no_row_behind(
    store: TraceStore, tmp_path: Path, bad: bytes | dict[str, Any], field: str | None, reason: str
) -> None:
    ingest(store, tmp_path, trace("q1"), bad, trace("q2"))
    with TraceStore.in_memory() as clean:
        ingest(clean, tmp_path, trace("q1"), trace("q2"))
        found, expected = everything(store), everything(clean)
    for rows in (found, expected):
        for table in ("sources", "ingest_issues"):
            rows.pop(table)
        rows["repeats"] = [row[:-1] for row in rows["repeats"]]  # the line differs
    assert found == expected


def test_strict_over_several_files_stores_none_of_them(store: TraceStore, tmp_path: Path) -> None:
    before = everything(store)
    files = [write(tmp_path, trace("q1"), name="a"), write(tmp_path, trace("q2"), "{", name="b")]
    with pytest.raises(RecordError):
        ingest_run(store, files, run_id=RUN, strict=True)
    assert everything(store) == before


def test_a_file_that_cannot_be_used_leaves_the_one_before_it(store: TraceStore, tmp_path: Path) -> None:
    files = [write(tmp_path, trace("q1"), name="a"), write(tmp_path, '{"query_id": 1}', name="b")]
    with pytest.raises(InputError):
        ingest_run(store, files, run_id=RUN)
    assert store.rows("SELECT query_id FROM repeats") == [{"query_id": "q1"}]
    assert store.value("SELECT count(*) FROM sources") == 1


def test_no_good_record_at_all_stores_nothing_and_names_the_first_reasons(store: TraceStore, tmp_path: Path) -> None:
    before = everything(store)
    with pytest.raises(InputError) as caught:
        ingest(store, tmp_path, '{"query_id": "q1"}', "{}", '{"query_id": ', "{")
    assert caught.value.slug == "no-good-record"
    assert "not one of 4 records can be stored" in caught.value.what
    assert f"{tmp_path / 'traces.jsonl'}:1: stages: is required" in caught.value.what
    assert caught.value.what.count(".jsonl:") == 3
    assert everything(store) == before


def test_a_file_with_only_a_header_has_no_record(store: TraceStore, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no record in the file"):
        ingest(store, tmp_path, {"run": {"build": "7"}})


def test_a_run_without_a_stage_is_refused(store: TraceStore, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not one record has a stage"):
        ingest(store, tmp_path, trace("q1", stages={}), trace("q2", stages=[]))
    ingest(store, tmp_path, trace("q1", stages={}), trace("q2"), name="b")
    assert store.value("SELECT count(*) FROM repeats") == 2


@pytest.mark.parametrize("content", [b"[\n", b"{\n}\n", b"query,stages\n", b"once upon a time\n"])
def test_content_of_no_known_format_is_refused_with_those_that_are(
    store: TraceStore, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "traces"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        ingest_run(store, [path], run_id=RUN)
    assert caught.value.slug == "unknown-format"
    assert caught.value.hint


def test_a_cut_gzip_file_stores_nothing(store: TraceStore, tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl.gz"
    path.write_bytes(gzip.compress(lines(*(trace(f"q{number}") for number in range(2_000))), compresslevel=0)[:-20_000])
    before = everything(store)
    with pytest.raises(InputError) as caught:
        ingest_run(store, [path], run_id=RUN)
    assert caught.value.slug == "cut-short"
    assert everything(store) == before


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(store: TraceStore, tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + lines(trace("q1"), trace("q2")).replace(b"\n", b"\r\n"))
    assert ingest_run(store, [path], run_id=RUN).quarantined == 0


def test_a_line_beyond_the_cap_is_quarantined_and_its_raw_text_cut(
    store: TraceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MAX_LINE", 2**20)
    monkeypatch.setattr("traces.readers.jsonl.MAX_LINE", 2**20)
    ingest(store, tmp_path, trace("q1"), trace("q2", answer="x" * 2**20), trace("q3"))
    (issue,) = issues(store)
    assert (issue["line"], issue["slug"], issue["reason"]) == (2, "long-line", "the line is longer than 1 MB")
    assert len(issue["raw"]) == 64 * 2**10
    assert store.value("SELECT count(*) FROM repeats") == 2


def test_a_question_of_the_run_is_not_taken_again_from_another_file(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace("q1"))
    report = ingest(store, tmp_path, trace("q1", passed=False), trace("q1", repeat=1), name="more.jsonl")
    assert (report.records, report.quarantined) == (1, 1)
    assert store.value("SELECT passed FROM outcomes WHERE repeat = 0") is True


def test_many_bad_records_are_all_kept_and_the_first_few_told(store: TraceStore, tmp_path: Path) -> None:
    bad = [json.dumps({"query_id": number}) for number in range(2_500)]
    report = ingest(store, tmp_path, trace("q1"), *bad)
    assert (report.quarantined, len(report.issues)) == (2_500, 5)
    assert [issue["line"] for issue in issues(store)] == list(range(2, 2_502))


def test_an_undeclared_stage_is_quarantined_with_those_declared(store: TraceStore, tmp_path: Path) -> None:
    header = {"run": {"stages": ["candidates", "reranked", "packed"]}}
    extra = trace("q2", stages={"candidates": ["d1"], "fused": ["d1"]})
    report = ingest(store, tmp_path, header, trace("q1"), extra)
    assert report.issues[0].reason == (
        "stage 'fused' is not declared by the run header; declared are candidates, reranked, packed"
    )
