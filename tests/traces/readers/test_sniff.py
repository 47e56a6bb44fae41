"""Formats are told by content, whatever the name."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.traces.made import lines, trace
from traces.errors import InputError, UsageError
from traces.imports import import_labels
from traces.ingest import ingest_run
from traces.readers import formats, sniff
from traces.store import TraceStore

CONTENT = {
    "jsonl": lines("", "# a comment", trace()),
    "csv": b'\xef\xbb\xbf"query_id",stages\r\nq1,{}\r\n',
    "tsv": b"query_id\tstages\nq1\t{}\n",
    "trec-run": b"q1 Q0 d1 1 3.5 tag\n",
    "trec-qrels": b"q1\t0\td1\t-1\n",
    "beir": b"query-id\tcorpus-id\tscore\nq1\td1\t1\n",
}


@pytest.mark.parametrize("expected", CONTENT)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_content_tells_the_format(tmp_path: Path, expected: str, pack: object) -> None:
    assert callable(pack)
    path = tmp_path / "data.parquet"
    path.write_bytes(pack(CONTENT[expected]))
    found, why = sniff(path)
    assert found == expected
    assert why


def test_parquet_is_told_by_its_magic(tmp_path: Path) -> None:
    pq.write_table(pa.table({"query_id": ["q1"]}), tmp_path / "data.txt")
    assert sniff(tmp_path / "data.txt") == ("parquet", "it begins with PAR1")


def test_every_format_is_listed_with_what_it_is() -> None:
    assert [told.name for told in formats()] == ["parquet", "jsonl", "beir", "csv", "tsv", "trec-run", "trec-qrels"]
    assert all(told.description for told in formats())


def test_a_few_bad_lines_do_not_hide_the_format(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_bytes(b"q1 0 d1\nq1 0 d2 x\nq1 0 d3 1\n")
    assert sniff(path)[0] == "trec-qrels"


@pytest.mark.parametrize(
    "content", [b"\n\n", b"hello\n", b"[{}]\n", b'{\n"query_id": 1}\n', b"a,b\n1,2\n", b"\x00\x01\x02"]
)
def test_what_is_no_known_format_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "data"
    path.write_bytes(content)
    with pytest.raises(InputError):
        sniff(path)


def test_labels_are_not_ingested_as_traces_nor_traces_of_a_stage_as_labels(store: TraceStore, tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_bytes(CONTENT["trec-qrels"])
    run.write_bytes(CONTENT["trec-run"])
    with pytest.raises(InputError, match=r"this is trec-qrels .* not the traces of a run") as caught:
        ingest_run(store, [qrels], run_id="r")
    assert caught.value.hint == "use 'foundlost labels import'"
    with pytest.raises(InputError, match=r"this is trec-run .* not labels") as caught:
        import_labels(store, run, name="n")
    assert caught.value.hint == "use 'foundlost ingest'"


def test_a_named_format_is_used_whatever_the_content_says(store: TraceStore, tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(CONTENT["trec-qrels"])
    with pytest.raises(InputError, match="not one of 1 records"):
        ingest_run(store, [path], run_id="r", format="jsonl")
    with pytest.raises(UsageError, match="there is no format 'yaml'"):
        ingest_run(store, [path], run_id="r", format="yaml")
