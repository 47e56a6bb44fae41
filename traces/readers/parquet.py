"""Canonical records as Parquet: a row each, the field names as columns.

Lists and objects are nested columns or JSON text. NULL is an absent field, inside nested columns too. The "line" of a
record is its row number, counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from traces.errors import InputError, RecordError
from traces.progress import Progress
from traces.readers.base import EVERYTHING, Format, Raw
from traces.readers.cells import NESTED, nested
from traces.sources import Source

MAGIC = b"PAR1"
_BATCH = 1_000


def _told_by(head: list[bytes]) -> str | None:
    return "it begins with PAR1" if head and head[0].startswith(MAGIC) else None


def _read(source: Source, progress: Progress) -> Iterator[Raw]:
    try:
        file = pq.ParquetFile(source.path)
        rows = max(file.metadata.num_rows, 1)
        done = 0
        for batch in file.iter_batches(batch_size=_BATCH):
            for number, row in enumerate(_rows(_plain(batch)), start=done + 1):
                yield (
                    Raw(source.name, number, row, b"")
                    if isinstance(row, RecordError)
                    else _record(source.name, number, row)
                )
            progress.advance(source.size * (done + batch.num_rows) // rows - source.size * done // rows)
            done += batch.num_rows
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            "cut-short",
            f"not a whole Parquet file: {str(error).splitlines()[0][:200]}",
            where=source.name,
            hint="export it again",
        ) from error


def _rows(table: pa.Table) -> Iterator[dict[str, Any] | RecordError]:
    """Yield the rows as Python values; one that Python has no value for is told alone."""
    try:
        yield from table.to_pylist()
    except (OverflowError, ValueError):
        for at in range(table.num_rows):
            try:
                yield from table.slice(at, 1).to_pylist()
            except (OverflowError, ValueError) as error:
                yield RecordError("bad-record", f"holds a value out of range: {str(error)[:100]}")


def _plain(batch: pa.RecordBatch) -> pa.Table:
    """Recast the column types that have no JSON counterpart."""
    table = pa.Table.from_batches([batch])
    for index, column in enumerate(table.schema):
        kind = column.type
        if pa.types.is_timestamp(kind):
            kind = pa.timestamp("us", kind.tz)
        elif pa.types.is_decimal(kind):
            kind = pa.float64()
        if kind != column.type:
            table = table.set_column(index, column.name, table.column(index).cast(kind, safe=False))
    return table


def _record(file: str, number: int, row: dict[str, Any]) -> Raw:
    value: dict[str, Any] | RecordError
    try:
        value = {
            name: nested(name, cell) if name in NESTED and isinstance(cell, str) else _given(cell)
            for name, cell in row.items()
            if cell is not None
        }
        repeat = value.get("repeat")
        if isinstance(repeat, float) and repeat.is_integer():
            value["repeat"] = int(repeat)  # a column of whole numbers with gaps is often written as floats
    except RecordError as error:
        value = error
    return Raw(file, number, value, _raw(row))


def _given(value: Any) -> Any:
    """Leave out what is NULL inside objects; a map arrives as a list of pairs."""
    if isinstance(value, list):
        if value and all(isinstance(entry, tuple) for entry in value):
            return {key: _given(held) for key, held in value if held is not None}
        return [_given(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _given(held) for key, held in value.items() if held is not None}
    return value


def _raw(row: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(row)
    except (TypeError, UnicodeError, RecursionError):
        return repr(row).encode(errors="replace")


FORMAT = Format("parquet", "canonical records, a row each", EVERYTHING, _told_by, _read)
