"""Rows on their way into a stored table, held as columns and handed to DuckDB as Arrow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from traces.store import TraceStore

TYPES = {
    "VARCHAR": pa.string(),
    "BIGINT": pa.int64(),
    "INTEGER": pa.int32(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMP": pa.timestamp("us"),
    "BLOB": pa.binary(),
}

REPEAT = {"query_id": "VARCHAR", "repeat": "INTEGER"}
OUTCOME = {"passed": "BOOLEAN", "score": "DOUBLE", "judge": "VARCHAR", "pass_rule": "VARCHAR"}
Fixed = Mapping[str, str | int | None]


class Rows:
    """Rows of one table.

    Args:
        table: the stored table they go to.
        fixed: columns that hold the same value in every row.
        columns: the other columns in the order ``add`` takes them, each with the SQL type of the stored column.
    """

    def __init__(self, table: str, fixed: Fixed, **columns: str) -> None:
        self.table = table
        self.added = 0
        self._fixed = fixed
        self._types = columns
        self._values: dict[str, list[Any]] = {name: [] for name in columns}
        self._first = next(iter(self._values.values()))

    def __len__(self) -> int:
        return len(self._first)

    def add(self, *row: Any) -> None:
        """Add one row."""
        for column, value in zip(self._values.values(), row, strict=True):
            column.append(value)
        self.added += 1

    def take(self) -> pa.Table:
        """Return the waiting rows as an Arrow table, and forget them."""
        columns = {name: pa.array(values, TYPES[self._types[name]]) for name, values in self._values.items()}
        columns |= fixed_columns(self._fixed, len(self))
        for values in self._values.values():
            values.clear()
        return pa.table(columns)

    def flush(self, store: TraceStore) -> None:
        """Append the waiting rows to the store."""
        if len(self):
            store.append(self.table, self.take())


def fixed_columns(fixed: Fixed, length: int) -> dict[str, pa.Array]:
    """Return columns of ``length`` rows that hold one value each."""
    return {
        name: pa.repeat(pa.scalar(value, pa.int32() if isinstance(value, int) else pa.string()), length)
        for name, value in fixed.items()
    }
