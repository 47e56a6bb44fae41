"""Sealed forecasts and their verdicts in the store: rows are added and read, and never changed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

from traces.errors import InputError, UsageError, near
from traces.store import TraceStore


@dataclass(frozen=True, slots=True)
class SealedRow:
    """A sealed forecast as it is stored.

    Attributes:
        forecast_id: its place in the order of sealing, from 1.
        name: what it is called.
        sealed_at: when, in UTC.
        sha256: digest of ``body``.
        previous: digest of the forecast sealed before it; None for the first.
        body: canonical JSON.
    """

    forecast_id: int
    name: str
    sealed_at: datetime
    sha256: str
    previous: str | None
    body: str

    @property
    def intact(self) -> bool:
        """Whether the body is still the one that was sealed."""
        return digest(self.body) == self.sha256


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A verdict as it is stored: on which forecast, by which run, when, and what it says."""

    forecast: str
    sha256: str
    after_run: str
    verified_at: datetime
    body: str


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def now(store: TraceStore) -> datetime:
    """Return the time in UTC.

    Raises:
        InputError: the clock is behind something that the store has seen already.
    """
    clock = datetime.now(UTC)
    last: datetime | None = store.value(
        """SELECT max(moment) FROM (SELECT max(sealed_at) AS moment FROM forecasts
           UNION ALL SELECT max(verified_at) FROM verdicts UNION ALL SELECT max(loaded_at) FROM sources)"""
    )
    if last is not None and clock.replace(tzinfo=None) < last:
        raise InputError(
            "clock-back",
            f"the clock says {clock:%Y-%m-%d %H:%M:%S} UTC, but the store was last written at {last:%Y-%m-%d %H:%M:%S}",
            hint="set the clock right: what a forecast is worth hangs on when it was sealed",
        )
    return clock


def sealed_rows(store: TraceStore) -> list[SealedRow]:
    """Return all sealed forecasts in the order of sealing."""
    rows = store.rows("SELECT * FROM forecasts ORDER BY forecast_id")
    return [SealedRow(**row | {"sealed_at": row["sealed_at"].replace(tzinfo=UTC)}) for row in rows]


def find_sealed(store: TraceStore, name: str) -> SealedRow:
    """Return a sealed forecast by name.

    Raises:
        UsageError: there is none of that name.
        InputError: it, or one before it, has been tampered with.
    """
    rows = sealed_rows(store)
    found = [row for row in rows if row.name == name]
    if not found:
        hint = near(name, [row.name for row in rows])
        raise UsageError("unknown-forecast", f"there is no forecast '{name}'", hint=hint)
    (row,) = found
    broken = broken_links(rows)
    if row.name in broken:
        raise InputError(
            "forecast-tampered",
            f"the forecast is not what was sealed: {broken[row.name]}",
            where=f"forecast {name}",
            hint="restore the store from a copy, or verify the exported file",
        )
    return row


def broken_links(rows: list[SealedRow]) -> dict[str, str]:
    """Return, by name, the forecasts that are not as sealed, each with what is wrong.

    Every seal covers the seal before it, so that a forecast taken out or put in later shows at the next one.
    """
    broken: dict[str, str] = {}
    before: SealedRow | None = None
    for row in rows:
        if not row.intact:
            broken[row.name] = "its text does not give its sha256"
        elif row.previous != (before.sha256 if before else None):
            broken[row.name] = "the forecast sealed before it has been taken out or changed"
        before = row
    return broken


def add_sealed(store: TraceStore, row: SealedRow) -> None:
    """Add a sealed forecast, in the transaction that read the one before it."""
    store.connection.execute(
        "INSERT INTO forecasts (forecast_id, name, sealed_at, sha256, previous, body) VALUES (?, ?, ?, ?, ?, ?)",
        [row.forecast_id, row.name, row.sealed_at.replace(tzinfo=None), row.sha256, row.previous, row.body],
    )


def verdict_rows(store: TraceStore) -> list[VerdictRow]:
    """Return all verdicts in the order they were given."""
    rows = store.rows("SELECT * FROM verdicts ORDER BY verified_at, rowid")
    return [VerdictRow(**row | {"verified_at": row["verified_at"].replace(tzinfo=UTC)}) for row in rows]


def add_verdict(store: TraceStore, row: VerdictRow) -> None:
    """Add a verdict."""
    store.connection.execute(
        "INSERT INTO verdicts (forecast, sha256, after_run, verified_at, body) VALUES (?, ?, ?, ?, ?)",
        [row.forecast, row.sha256, row.after_run, row.verified_at.replace(tzinfo=None), row.body],
    )


def outcomes_since(store: TraceStore, run_id: str) -> datetime | None:
    """Return when the first outcomes of a run came into the store; None where it has none."""
    found: datetime | None = store.value(
        """SELECT min(s.loaded_at) FROM outcomes AS o JOIN sources AS s ON s.source_id = o.source_id
           WHERE o.run_id = $run AND o.passed IS NOT NULL""",
        {"run": run_id},
    )
    return found
