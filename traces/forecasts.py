"""Sealed forecasts and their verdicts in the store: rows are added and read, and never changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from traces.chain import Kind, SealedRow, checked, digest
from traces.errors import InputError
from traces.store import TraceStore


def now(store: TraceStore) -> datetime:
    """Return the time in UTC.

    Raises:
        InputError: the clock is behind something that the store has seen already.
    """
    clock = datetime.now(UTC)
    last = store.value(
        "SELECT max(moment) FROM (SELECT sealed_at AS moment FROM seals UNION ALL SELECT loaded_at FROM sources)"
    )
    if isinstance(last, datetime) and clock.replace(tzinfo=None) < last:
        raise InputError(
            "clock-back",
            f"the clock says {clock:%Y-%m-%d %H:%M:%S} UTC, but the store was last written at {last:%Y-%m-%d %H:%M:%S}",
            hint="set the clock right: what a forecast is worth hangs on when it was sealed",
        )
    return clock


def sealed_rows(store: TraceStore, kind: Kind) -> list[SealedRow]:
    """Return all forecasts, or all verdicts, in the order of sealing, each with what is wrong with it.

    After them stand those of which the store has nothing but the seal it gave, unless a broken row has their name.
    """
    found = store.rows(
        f"""SELECT {kind.number} AS number, {kind.name} AS name, {kind.sealed_at} AS sealed_at, sha256, previous, body
            FROM {kind.table} ORDER BY ALL"""  # noqa: S608 - names are ours
    )
    seals = store.rows("SELECT name, sealed_at, sha256 FROM seals WHERE kind = $kind", {"kind": kind.word})
    rows = checked([_row(row) for row in found], kind, {seal["sha256"]: seal["name"] or "" for seal in seals})
    there, told = {row.sha256 for row in rows}, {row.name for row in rows if row.fault}
    gone = {"number": None, "previous": None, "body": None}
    missing = [_row(seal | gone, "it has been taken out") for seal in seals if seal["sha256"] not in there]
    return rows + [row for row in missing if row.name not in told]


def _row(row: dict[str, Any], fault: str | None = None) -> SealedRow:
    """Return a row as an object, whatever has been put into it: a column may be empty, or hold what is no date."""
    when = row["sealed_at"]
    return SealedRow(
        number=row["number"],
        name=row["name"] or "",
        sealed_at=when.replace(tzinfo=UTC) if isinstance(when, datetime) else None,
        sha256=row["sha256"] or "",
        previous=row["previous"],
        body=row["body"] or "",
        fault=fault,
    )


def last_seal(store: TraceStore, kind: Kind) -> str | None:
    """Return the seal that the next one has to cover; None where it is the first."""
    last = _last(store, kind)
    return None if last is None else last["sha256"]


def add_sealed(
    store: TraceStore, kind: Kind, *, name: str, sealed_at: datetime, previous: str | None, body: str
) -> None:
    """Add a forecast or a verdict, and its seal, in the transaction that asked for the one before it.

    Args:
        store: open for writing.
        kind: what it is.
        name: the forecast, as in ``body``.
        sealed_at: when, as in ``body``.
        previous: what ``last_seal`` gave, as in ``body``.
        body: canonical JSON.
    """
    last = _last(store, kind)
    when, sha256 = sealed_at.astimezone(UTC).replace(tzinfo=None), digest(body)
    store.connection.execute(
        f"""INSERT INTO {kind.table} ({kind.number}, {kind.name}, {kind.sealed_at}, sha256, previous, body)
            VALUES (?, ?, ?, ?, ?, ?)""",  # noqa: S608 - names are ours
        [1 if last is None else (last["number"] or 0) + 1, name, when, sha256, previous, body],
    )
    store.connection.execute(
        "INSERT INTO seals (kind, name, sealed_at, sha256) VALUES (?, ?, ?, ?)", [kind.word, name, when, sha256]
    )


def _last(store: TraceStore, kind: Kind) -> dict[str, Any] | None:
    rows = store.rows(
        f"SELECT {kind.number} AS number, sha256 FROM {kind.table} ORDER BY ALL DESC NULLS FIRST LIMIT 1"  # noqa: S608 - names are ours
    )
    return rows[0] if rows else None


def outcomes_since(store: TraceStore, run_id: str) -> datetime | None:
    """Return when outcomes of a run first came into the store; None where it has none.

    A run that was dropped and read in again, or whose files were read in under another name, was seen the first time.
    A score is an outcome before any rule makes it a pass or a fail.
    """
    found: datetime | None = store.value(
        """WITH brought AS (
               SELECT o.run_id, s.sha256, s.loaded_at
               FROM (SELECT DISTINCT run_id, source_id FROM outcomes) AS o
               JOIN sources AS s ON s.source_id = o.source_id
               UNION ALL
               SELECT run_id, sha256, loaded_at FROM dropped_outcomes
           )
           SELECT min(loaded_at) FROM brought
           WHERE run_id = $run OR sha256 IN (SELECT sha256 FROM brought WHERE run_id = $run)""",
        {"run": run_id},
    )
    return found
