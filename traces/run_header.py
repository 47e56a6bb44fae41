"""The header of a trace file, and what a run keeps of it."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from pydantic import ValidationError

from traces import models, refusals
from traces.errors import InputError, RecordError
from traces.models import RunInfo
from traces.readers.base import Raw
from traces.store import TraceStore
from traces.values import utc

_BEGINS_HEADER = re.compile(rb'\s*\{\s*"run"\s*:')
_KEPT = ("build", "created_at", "index_size", "model", "prompt", "judge", "synthetic", "notes")


def header_of(raw: Raw) -> tuple[RunInfo, list[str]] | None:
    """Read the header if the record is one; with it the names of its unknown fields, which join the notes.

    Raises:
        InputError: it is a header and cannot be read. Its stages and cutoffs decide what the records mean, so the
            file is not read without them.
    """
    if not isinstance(raw.value, bytes) or b'"run"' not in raw.value:
        return None
    where = f"{raw.file}:{raw.line}"
    try:
        value = msgspec.json.decode(raw.value)
    except (msgspec.DecodeError, RecursionError) as error:
        if not _BEGINS_HEADER.match(raw.value):
            return None
        raise InputError("bad-header", "the line that describes the run is not JSON", where=where) from error
    if not isinstance(value, dict) or "run" not in value or "query_id" in value:
        return None
    fields = value["run"]
    if isinstance(fields, dict):
        fields |= {name: held for name, held in value.items() if name != "run" and name not in fields}
    else:
        raise InputError("bad-header", f"run should be an object, is {refusals.kind_of(fields)}", where=where)
    unknown = [name for name in fields if name not in models.field_names(RunInfo)]
    if unknown:
        notes = fields.get("notes")
        others = {name: fields.pop(name) for name in unknown}
        fields["notes"] = others | (notes if isinstance(notes, dict) else {} if notes is None else {"notes": notes})
    try:
        header = RunInfo.model_validate(fields)
        utc(header.created_at, "created_at")
    except ValidationError as error:
        fault = refusals.from_model(error, fields)
    except RecordError as error:
        fault = error
    else:
        return header, unknown
    raise InputError("bad-header", f"run.{fault.field}: {fault.reason}", where=where)


def keep_run(store: TraceStore, run_id: str, source_id: int, header: RunInfo | None) -> list[str]:
    """Store what is known of the run; what an earlier file said of it stands.

    Returns:
        The names of fields that an earlier file gave another value.
    """
    given = _columns(header)
    stored = store.rows("SELECT * FROM runs WHERE run_id = $run_id", {"run_id": run_id})
    row = stored[0] if stored else {"run_id": run_id, "source_id": source_id} | dict.fromkeys(_KEPT)
    other = [name for name in _KEPT if None not in (row[name], given[name]) and row[name] != given[name]]
    row |= {name: given[name] for name in _KEPT if row[name] is None}
    store.connection.execute("DELETE FROM runs WHERE run_id = $run_id", {"run_id": run_id})
    names = ", ".join(row)
    values = ", ".join(f"${name}" for name in row)
    store.connection.execute(f"INSERT INTO runs ({names}) VALUES ({values})", row)  # noqa: S608 - names are ours
    return other


def _columns(header: RunInfo | None) -> dict[str, Any]:
    if header is None:
        return dict.fromkeys(_KEPT)
    columns = {name: getattr(header, name) for name in _KEPT}
    columns["created_at"] = utc(header.created_at, "created_at")
    if header.notes is not None and not isinstance(header.notes, str):
        columns["notes"] = msgspec.json.encode(header.notes).decode()
    return columns


def stored_stages(store: TraceStore, run_id: str) -> dict[str, int | None]:
    """Return the run's stages in order, each with its cutoff."""
    found = store.rows(
        "SELECT stage, cutoff FROM run_stages WHERE run_id = $run_id ORDER BY position", {"run_id": run_id}
    )
    return {row["stage"]: row["cutoff"] for row in found}


def keep_stages(store: TraceStore, run_id: str, cutoffs: dict[str, int | None]) -> None:
    """Store the run's stages in order, each with its cutoff."""
    store.connection.execute("DELETE FROM run_stages WHERE run_id = $run_id", {"run_id": run_id})
    store.connection.executemany(
        "INSERT INTO run_stages (run_id, stage, position, cutoff) VALUES (?, ?, ?, ?)",
        [[run_id, stage, position, cutoff] for position, (stage, cutoff) in enumerate(cutoffs.items(), start=1)],
    )
