"""Sources: what can be read, line by line, and one clear line for what cannot."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pytest

from tests.traces.made import Heard
from traces import sources
from traces.errors import InputError
from traces.sources import open_source

TEXT = b'{"a": 1}\n{"a": 2}\n'


def read(path: Path | str) -> list[tuple[int, bytes]]:
    with open_source(path) as source:
        return list(source.lines())


def refusal(path: Path | str) -> InputError:
    with pytest.raises(InputError) as caught:
        read(path)
    assert "\n" not in caught.value.line()
    return caught.value


def zstd(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


@pytest.mark.parametrize("packed", [TEXT, gzip.compress(TEXT), zstd(TEXT), gzip.compress(TEXT) + gzip.compress(TEXT)])
def test_plain_gzip_and_zstandard_give_the_same_lines_whatever_the_name(tmp_path: Path, packed: bytes) -> None:
    path = tmp_path / "traces"
    path.write_bytes(packed)
    assert read(path)[:2] == [(1, b'{"a": 1}'), (2, b'{"a": 2}')]
    with open_source(path) as source:
        assert source.sha256 == hashlib.sha256(packed).hexdigest()
        assert source.size == len(packed)


def test_lines_keep_their_true_numbers_and_lose_only_their_ends(tmp_path: Path) -> None:
    path = tmp_path / "traces"
    path.write_bytes(b"\xef\xbb\xbfone\r\n\n  \t\r\ntwo\rstill two\n\x0cthree \nfour")
    assert read(path) == [(1, b"one"), (4, b"two\rstill two"), (5, b"\x0cthree "), (6, b"four")]


def test_a_byte_order_mark_is_only_one_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "traces"
    path.write_bytes(b"one\n\xef\xbb\xbftwo\n")
    assert read(path) == [(1, b"one"), (2, b"\xef\xbb\xbftwo")]


def test_a_line_beyond_the_cap_is_cut_and_the_next_one_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_LINE", 10)
    path = tmp_path / "traces"
    path.write_bytes(b"x" * 10 + b"\n" + b"y" * 3_000_000 + b"\nshort\n" + b"z" * 11)
    assert read(path) == [(1, b"x" * 10), (2, b"y" * 11), (3, b"short"), (4, b"z" * 11)]


def test_a_file_of_blank_lines_has_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "traces"
    path.write_bytes(b"\n \r\n\n")
    assert read(path) == []


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd])
def test_progress_adds_up_to_the_bytes_on_disk(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    path = tmp_path / "traces"
    path.write_bytes(pack(os.urandom(64).hex().encode() + b"\n" + TEXT * 5_000))
    heard = Heard()
    with open_source(path) as source:
        assert sum(1 for _ in source.lines(heard)) == 10_001
        assert (heard.started, heard.read, heard.ended) == ([], source.size, 0)


def test_standard_input_is_read_as_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    with open_source("-") as source:
        assert source.name == "<stdin>"
        assert [line for _, line in source.lines()] == [b'{"a": 1}', b'{"a": 2}']
        spool = source.path
        assert spool.exists()
    assert not spool.exists()


def test_empty_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert refusal("-").slug == "empty-file"


def test_a_pipe_is_read_as_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(TEXT,))
    writer.start()
    assert read(pipe) == [(1, b'{"a": 1}'), (2, b'{"a": 2}')]
    writer.join()


def test_a_missing_file_a_folder_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert refusal(tmp_path / "nowhere.jsonl").slug == "no-file"
    assert refusal(tmp_path).slug == "a-folder"
    assert refusal(empty).slug == "empty-file"
    assert str(empty) in refusal(empty).line()


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.jsonl"
    path.write_bytes(TEXT)
    path.chmod(0)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    script = (
        "import os, sys\n"
        "from traces.errors import InputError\n"
        "from traces.sources import open_source\n"
        "if os.geteuid() == 0: os.seteuid(65534)\n"
        "try:\n"
        "    with open_source(sys.argv[1]): print('read')\n"
        "except InputError as error: print(error.slug)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "no-access\n"


@pytest.mark.parametrize(("pack", "name"), [(gzip.compress, "traces.jsonl.gz"), (zstd, "traces.jsonl.zst")])
def test_a_packed_file_that_was_cut_is_refused_once_the_end_is_reached(tmp_path: Path, pack: object, name: str) -> None:
    assert callable(pack)
    path = tmp_path / name
    path.write_bytes(pack(b"".join(os.urandom(30).hex().encode() + b"\n" for _ in range(5_000)))[:-1_000])
    error = refusal(path)
    assert error.slug == "cut-short"
    assert name in error.line()


def test_a_damaged_packed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl.gz"
    packed = bytearray(gzip.compress(os.urandom(5_000)))
    packed[2_000] ^= 0xFF
    path.write_bytes(packed)
    assert refusal(path).slug == "cut-short"


@pytest.mark.parametrize("name", ["traces.jsonl.gz", "traces.jsonl.zst"])
def test_a_name_that_promises_packing_the_content_lacks_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(TEXT)
    assert refusal(path).slug == "wrong-magic"


@pytest.mark.parametrize("magic", [b"BZh9", b"PK\x03\x04", b"\xff\xfe{\x00", b"\xfd7zXZ\x00"])
def test_packings_that_are_not_read_are_named(tmp_path: Path, magic: bytes) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(magic + b"rest")
    assert refusal(path).slug == "unknown-packing"
