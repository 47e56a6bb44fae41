"""Where records come from: plain, gzip and zstandard files, and streams.

A source is known by the SHA-256 of its bytes as they lie on disk. Its compression is told by its first bytes, not by
its name. Streams (``-``, pipes) are spooled to a temporary file first, since they are read twice: once for the
fingerprint, once for the records.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import itertools
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import pyarrow as pa

from traces.errors import InputError
from traces.progress import Progress, Silent

MAX_LINE = 64 * 2**20
STDIN = "-"
_CHUNK = 2**20
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
BOM = b"\xef\xbb\xbf"
_FOREIGN = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}
_READ_FAULTS = (OSError, EOFError, zlib.error, pa.ArrowException)


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read: ``name`` is what the user called it, ``path`` where its bytes lie."""

    name: str
    path: Path
    sha256: str
    size: int

    @contextlib.contextmanager
    def stream(self) -> Iterator[tuple[BinaryIO, BinaryIO]]:
        """Open the unpacked bytes, and the packed file below them, whose position tells how far the read has come.

        Raises:
            InputError: packed in a way that is not read here, or named as packed though it is not, or cut short.
        """
        with self.path.open("rb") as packed:
            head = packed.read(8)
            packed.seek(0)
            try:
                yield self._unpacked(packed, head), packed
            except _READ_FAULTS as error:
                raise InputError(
                    "cut-short",
                    f"the file cannot be read to its end: {_one_line(error)}",
                    where=self.name,
                    hint="copy or export it again",
                ) from error

    def _unpacked(self, packed: BinaryIO, head: bytes) -> BinaryIO:
        if head.startswith(_GZIP):
            return io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=packed)), _CHUNK)
        if head.startswith(_ZSTD):
            return io.BufferedReader(pa.CompressedInputStream(packed, "zstd"), _CHUNK)
        for magic, kind in _FOREIGN.items():
            if head.startswith(magic):
                raise InputError(
                    "unknown-packing", f"this is {kind}, which is not read", where=self.name, hint="unpack or recode it"
                )
        if self.name.endswith((".gz", ".zst")):
            raise InputError(
                "wrong-magic",
                f"the name ends in {Path(self.name).suffix}, its first bytes say otherwise",
                where=self.name,
                hint="rename it if it is plain text, else fetch it again",
            )
        return packed

    def lines(self, progress: Progress | None = None) -> Iterator[tuple[int, bytes]]:
        r"""Yield the lines that are not blank with their true numbers, counted from 1.

        Lines end in ``\n`` or ``\r\n``; a lone ``\r`` is data. A byte order mark on line 1 is dropped. A line longer
        than ``MAX_LINE`` is yielded as its first ``MAX_LINE + 1`` bytes, for the reader to refuse.
        """
        told = progress or Silent()
        read = 0
        with self.stream() as (unpacked, packed):
            for number in itertools.count(1):
                line = unpacked.readline(MAX_LINE + 1)
                if number % 1024 == 0 or not line:
                    told.advance(packed.tell() - read)
                    read = packed.tell()
                if not line:
                    return
                if len(line) > MAX_LINE and not line.endswith(b"\n"):
                    _skip_line(unpacked)
                if number == 1:
                    line = line.removeprefix(BOM)
                if line and not line.isspace():
                    yield number, line.removesuffix(b"\n").removesuffix(b"\r")


def _skip_line(stream: BinaryIO) -> None:
    while rest := stream.readline(_CHUNK):
        if rest.endswith(b"\n"):
            return


@contextlib.contextmanager
def open_source(path: Path | str) -> Iterator[Source]:
    """Fingerprint a file, or spool a stream (``-`` is standard input), and hand it over for reading.

    Raises:
        InputError: missing, a folder, not readable, or empty.
    """
    if str(path) == STDIN:
        with _spooled(sys.stdin.buffer, "<stdin>") as source:
            yield source
        return
    file = Path(path)
    name = str(path)
    try:
        mode = file.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError("a-folder", "this is a folder, not a file", where=name, hint="name the files in it")
        if not stat.S_ISREG(mode):
            with file.open("rb") as stream, _spooled(stream, name) as source:
                yield source
            return
        with file.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
            size = stream.tell()
    except FileNotFoundError as error:
        raise InputError("no-file", "there is no such file", where=name) from error
    except PermissionError as error:
        raise InputError("no-access", "no permission to read the file", where=name) from error
    except OSError as error:
        raise InputError("unreadable", f"the file cannot be read: {_one_line(error)}", where=name) from error
    yield _not_empty(Source(name, file, sha256, size))


@contextlib.contextmanager
def _spooled(stream: BinaryIO, name: str) -> Iterator[Source]:
    with tempfile.NamedTemporaryFile(prefix="foundlost-") as spool:
        shutil.copyfileobj(stream, spool, _CHUNK)
        spool.seek(0)
        sha256 = hashlib.file_digest(cast("io.BufferedReader", spool), "sha256").hexdigest()
        yield _not_empty(Source(name, Path(spool.name), sha256, spool.tell()))


def _not_empty(source: Source) -> Source:
    if source.size == 0:
        raise InputError("empty-file", "the file is empty (0 bytes)", where=source.name)
    return source


def _one_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]
