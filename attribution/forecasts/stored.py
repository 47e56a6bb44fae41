"""The forecasts and verdicts of a store, each read, or with what shows that it is not what was sealed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import ValidationError

from attribution.forecasts.sealed import first_fault
from attribution.results import Forecast, Sealed, VerdictFound
from traces.chain import FORECASTS, VERDICTS, SealedRow
from traces.errors import InputError, UsageError, near
from traces.forecasts import sealed_rows
from traces.store import TraceStore

Content = TypeVar("Content", Sealed, VerdictFound)


@dataclass(frozen=True, slots=True)
class Stored(Generic[Content]):
    """A stored forecast or verdict: ``content`` is what it says, None where ``fault`` says why it is not believed."""

    row: SealedRow
    content: Content | None
    fault: str | None


def stored_forecasts(store: TraceStore) -> list[Stored[Sealed]]:
    """Return all forecasts in the order of sealing; those taken out last."""
    return [_read(row, _forecast) for row in sealed_rows(store, FORECASTS)]


def stored_verdicts(store: TraceStore) -> list[Stored[VerdictFound]]:
    """Return all verdicts in the order they were given; those taken out last."""
    return [_read(row, _verdict) for row in sealed_rows(store, VERDICTS)]


def find_forecast(store: TraceStore, name: str) -> Sealed:
    """Return a sealed forecast by name.

    Raises:
        UsageError: there is none of that name.
        InputError: it is not what was sealed, or the one before it is not there.
    """
    stored = stored_forecasts(store)
    named = [each for each in stored if each.row.name == name]
    if not named:
        hint = near(name, [each.row.name for each in stored])
        raise UsageError("unknown-forecast", f"there is no forecast '{name}'", hint=hint)
    (*_, last) = named  # of several with that name none is whole
    if last.content is None:
        raise InputError(
            "forecast-tampered",
            f"the forecast is not what was sealed: {last.fault}",
            where=f"forecast {name}",
            hint="restore the store from a copy, or verify the exported file",
        )
    return last.content


def verdicts_on(store: TraceStore, sealed: Sealed) -> list[VerdictFound]:
    """Return the verdicts on a forecast in the order they were given.

    Raises:
        InputError: one of them is not what was recorded, or the one before it is not there.
    """
    name = sealed.forecast.name
    found = []
    for each in stored_verdicts(store):
        if each.content is None and each.row.name == name:
            raise InputError(
                "verdict-tampered",
                f"a verdict is not what was recorded: {each.fault}",
                where=f"forecast {name}",
                hint="restore the store from a copy",
            )
        if each.content is not None and each.content.sha256 == sealed.sha256:
            found.append(each.content)
    return found


def _forecast(row: SealedRow) -> Sealed:
    return Sealed(sha256=row.sha256, forecast=Forecast.model_validate_json(row.body))


def _verdict(row: SealedRow) -> VerdictFound:
    return VerdictFound.model_validate_json(row.body)


def _read(row: SealedRow, form: Callable[[SealedRow], Content]) -> Stored[Content]:
    if row.fault is not None:
        return Stored(row, None, row.fault)
    try:
        return Stored(row, form(row), None)
    except ValidationError as error:
        return Stored(row, None, f"this foundlost cannot read it: {first_fault(error)}")
