"""Small traces and files made in a test, and what a store holds afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from traces.ingest import ingest_run
from traces.report import IngestReport
from traces.store import TraceStore

RUN = "build-7"


def trace(query_id: Any = "q1", **fields: Any) -> dict[str, Any]:
    """Return a canonical trace of the default three stages; fields replace or add."""
    stages = {"candidates": ["d1", "d2", "d3"], "reranked": ["d2", "d1"], "packed": ["d2"]}
    return {"query_id": query_id, "stages": stages, "passed": True} | fields


def lines(*records: Mapping[str, Any] | str | bytes) -> bytes:
    """Return records as JSON Lines; text and bytes stand as they are."""
    written = (
        record
        if isinstance(record, bytes)
        else record.encode()
        if isinstance(record, str)
        else json.dumps(record, ensure_ascii=False).encode()
        for record in records
    )
    return b"".join(line + b"\n" for line in written)


def write(folder: Path, *records: Mapping[str, Any] | str | bytes, name: str = "traces.jsonl") -> Path:
    """Write records as JSON Lines."""
    path = folder / name
    path.write_bytes(lines(*records))
    return path


def ingest(
    store: TraceStore,
    folder: Path,
    *records: Mapping[str, Any] | str | bytes,
    name: str = "traces.jsonl",
    **options: Any,
) -> IngestReport:
    """Write records to a file and ingest it."""
    return ingest_run(store, [write(folder, *records, name=name)], **{"run_id": RUN, **options})


def everything(store: TraceStore) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of every table, but the times of loading."""
    tables = store.rows("SELECT table_name FROM duckdb_tables() WHERE NOT temporary ORDER BY table_name")
    found = {}
    for table in (row["table_name"] for row in tables):
        columns = store.rows("SELECT column_name FROM duckdb_columns() WHERE table_name = $table", {"table": table})
        names = ", ".join(c["column_name"] for c in columns if c["column_name"] not in ("loaded_at", "created_at"))
        found[table] = sorted(store.connection.execute(f"SELECT {names} FROM {table}").fetchall(), key=repr)  # noqa: S608
    return found


def issues(store: TraceStore, severity: str = "quarantined") -> list[dict[str, Any]]:
    """Return what went to quarantine, or the notes, in order."""
    return store.rows(
        "SELECT line, slug, field, reason, raw FROM ingest_issues WHERE severity = $severity ORDER BY line, reason",
        {"severity": severity},
    )


def column(rows: Iterable[Mapping[str, Any]], name: str) -> list[Any]:
    """Return one column of rows."""
    return [row[name] for row in rows]


class Heard:
    """Keeps what it is told of the progress."""

    def __init__(self) -> None:
        self.started: list[tuple[int, str]] = []
        self.read = 0
        self.ended = 0

    def start(self, total_bytes: int, name: str) -> None:
        """Note a file."""
        self.started.append((total_bytes, name))

    def advance(self, read_bytes: int) -> None:
        """Add what was read."""
        assert read_bytes >= 0
        self.read += read_bytes

    def done(self) -> None:
        """Count the end of a file."""
        self.ended += 1
