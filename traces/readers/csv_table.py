"""Canonical records as CSV or TSV: a row each, the field names in the header.

An empty cell is an absent field. Lists and objects (``stages``, ``gold``, ``tags``, ``aliases``) are JSON text in their
cell. A row may run over several lines inside quotes; its line number is that of its first line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from traces.errors import InputError, RecordError
from traces.progress import Progress
from traces.readers.base import EVERYTHING, Format, Raw
from traces.readers.cells import cell_value
from traces.sources import BOM, MAX_LINE, Source


class _Lines:
    """Feeds the csv module, and remembers the raw lines of the row it is reading."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.read = 0
        self.row: list[bytes] = []

    def __iter__(self) -> Iterator[str]:
        while line := self._stream.readline(MAX_LINE + 1):
            self.read += 1
            if self.read == 1:
                line = line.removeprefix(BOM)
            self.row.append(line)
            yield line.decode(errors="surrogateescape")

    def take_row(self) -> bytes:
        row = b"".join(self.row)
        self.row.clear()
        return row


def _reader(delimiter: str) -> Any:
    def read(source: Source, progress: Progress) -> Iterator[Raw]:
        csv.field_size_limit(max(csv.field_size_limit(), MAX_LINE))
        with source.stream() as (unpacked, packed):
            lines = _Lines(unpacked)
            rows = csv.reader(lines, delimiter=delimiter, strict=True)
            header: list[str] | None = None
            told = 0
            while True:
                first = lines.read + 1
                row: list[str] | RecordError | None
                try:
                    row = next(rows, None)
                except csv.Error as error:
                    row = RecordError("bad-row", f"not a row of CSV: {error}")
                if row is None:
                    progress.advance(packed.tell() - told)
                    return
                raw = lines.take_row()
                if row == [] or raw.isspace():
                    continue
                if header is None:
                    header = _header(row, source.name)
                    continue
                yield Raw(source.name, first, _record(header, row, raw), raw.rstrip(b"\r\n"))
                if lines.read % 1024 == 0:
                    progress.advance(packed.tell() - told)
                    told = packed.tell()

    return read


def _header(row: list[str] | RecordError, name: str) -> list[str]:
    if isinstance(row, RecordError):
        raise InputError("bad-header", f"the header cannot be read: {row.reason}", where=f"{name}:1")
    header = [cell.strip() or f"column {number}" for number, cell in enumerate(row, start=1)]
    twice = sorted({cell for cell in header if header.count(cell) > 1})
    if twice:
        raise InputError("bad-header", f"the header names {', '.join(twice)} twice", where=f"{name}:1")
    return header


def _record(header: Sequence[str], row: list[str] | RecordError, raw: bytes) -> dict[str, Any] | RecordError:
    if isinstance(row, RecordError):
        return row
    if len(row) != len(header):
        return RecordError("wrong-columns", f"has {len(row)} cells, the header {len(header)}")
    try:
        raw.decode()
        return {name: cell_value(name, cell) for name, cell in zip(header, row, strict=True) if cell != ""}
    except UnicodeDecodeError:
        return RecordError("not-utf8", "not UTF-8 text", hint="recode the file as UTF-8")
    except RecordError as error:
        return error


def _teller(delimiter: bytes, named: str) -> Any:
    def told_by(head: list[bytes]) -> str | None:
        if not head or head[0].lstrip().startswith((b"{", b"[")):
            return None
        cells = [cell.strip(b' "') for cell in head[0].split(delimiter)]
        key = next((key for key in (b"query_id", b"doc_id") if key in cells), None)
        alone = len(cells) == 1 and delimiter != b","
        return None if key is None or alone else f"its header sets columns apart by {named} and names {key.decode()}"

    return told_by


CSV = Format("csv", "canonical records, a row each under a header", EVERYTHING, _teller(b",", "commas"), _reader(","))
TSV = Format("tsv", "as csv, set apart by tabs", EVERYTHING, _teller(b"\t", "tabs"), _reader("\t"))
