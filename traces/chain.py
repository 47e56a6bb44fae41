"""The chain of seals: what shows that a sealed text is no longer what was sealed, or not where it was sealed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """What is sealed: the table it lies in, and which columns repeat, under the same names, what its text says.

    Attributes:
        word: what one is called.
        table: where they are stored.
        number: column of the place in the order of sealing.
        name: column of the forecast's name.
        sealed_at: column of the time.
    """

    word: str
    table: str
    number: str
    name: str
    sealed_at: str


FORECASTS = Kind("forecast", "forecasts", "forecast_id", "name", "sealed_at")
VERDICTS = Kind("verdict", "verdicts", "verdict_id", "forecast", "verified_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedRow:
    """A sealed text as it is stored: a forecast, or a verdict on one.

    Attributes:
        number: its place in the order of sealing, from 1; None where none is stored.
        name: of the forecast.
        sealed_at: when, in UTC; None where no time is stored.
        sha256: digest of ``body``.
        previous: digest of the one sealed before it; None for the first.
        body: canonical JSON.
        fault: what shows that it is not what was sealed; None where nothing does.
    """

    number: int | None
    name: str
    sealed_at: datetime | None
    sha256: str
    previous: str | None
    body: str
    fault: str | None = None


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def checked(rows: Sequence[SealedRow], kind: Kind, given: Mapping[str, str]) -> list[SealedRow]:
    """Return stored texts, each with what is wrong with it.

    Every text covers the seal of the one before, so that one taken out or put in shows at the next.

    Args:
        rows: all of one kind, in the order of their numbers.
        kind: what they are.
        given: the seals this store has given, each with the name it was given to. A row goes by that name.
    """
    found: list[SealedRow] = []
    copies = Counter(row.sha256 for row in rows)
    for row in rows:
        fault = _own_fault(row, kind, given) or _fault_in_order(row, found[-1] if found else None, kind)
        if copies[row.sha256] > 1:
            fault = "it is there twice"
        found.append(replace(row, name=given.get(row.sha256, row.name), fault=fault))
    return found


def _own_fault(row: SealedRow, kind: Kind, given: Mapping[str, str]) -> str | None:
    if digest(row.body) != row.sha256:
        return "its text does not give its sha256"
    said = _object(row.body)
    stored = {"name": row.name, "time": row.sealed_at, "predecessor": row.previous}
    sealed_at = _moment(said.get(kind.sealed_at))
    sealed = {"name": said.get(kind.name), "time": sealed_at, "predecessor": said.get("previous")}
    for what, value in stored.items():
        if value != sealed[what]:
            return f"the {what} stored beside its text is not the one in it"
    return None if row.sha256 in given else "this store never gave its seal"


def _fault_in_order(row: SealedRow, before: SealedRow | None, kind: Kind) -> str | None:
    if row.previous != (before.sha256 if before else None):
        return f"the {kind.word} sealed before it has been taken out or changed"
    if row.number != ((before.number or 0) if before else 0) + 1:
        return "its number does not follow that of the one before it"
    earlier = before.sealed_at if before and before.fault is None else None
    if earlier and row.sealed_at and row.sealed_at < earlier:
        return "its time lies before that of the one before it"
    return None


def _object(text: str) -> dict[str, Any]:
    """Return what a text says; nothing where it is no JSON object."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _moment(text: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(text)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
