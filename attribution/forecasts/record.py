"""The record: all forecasts of a store, what became of them, and how far off they were."""

from __future__ import annotations

from collections.abc import Sequence

from attribution.forecasts.stored import Stored, stored_forecasts, stored_verdicts
from attribution.results import Calibration, ForecastLine, ForecastRecord, Sealed, VerdictFound, Warn
from traces.store import TraceStore


def record(store: TraceStore) -> ForecastRecord:
    """Return every forecast with the verdict that counts, and how forecasts have done so far.

    What a later run says is kept, but a forecast has one run that it was made for. Counted apart are forecasts sealed
    when the outcomes were in the store already, for they foretold nothing, and those judged only with a difference that
    was allowed by name. A forecast or a verdict that is not what was sealed is named, and says nothing.

    Args:
        store: an open store; reading is enough.
    """
    forecasts, verdicts = stored_forecasts(store), stored_verdicts(store)
    by_name: dict[str, list[Stored[VerdictFound]]] = {}
    for each in verdicts:
        by_name.setdefault(each.row.name, []).append(each)
    lines = [_line(each, by_name.get(each.row.name, [])) for each in forecasts]
    return ForecastRecord(
        forecasts=lines,
        calibration=calibration([line.first for line in lines if line.first is not None]),
        warnings=_faults(forecasts, verdicts),
    )


def counting(verdicts: Sequence[VerdictFound]) -> VerdictFound | None:
    """Return the verdict that counts: the first with nothing allowed by name, or else the first; None where none is."""
    return next((each for each in verdicts if not each.allowed), verdicts[0] if verdicts else None)


def _line(stored: Stored[Sealed], verdicts: Sequence[Stored[VerdictFound]]) -> ForecastLine:
    row, forecast = stored.row, stored.content and stored.content.forecast
    own = [each for each in verdicts if each.content is None or each.content.sha256 == row.sha256]
    readable = [each.content for each in own if each.content is not None]
    fault = stored.fault or next((each.fault for each in own if each.fault is not None), None)
    return ForecastLine(
        name=row.name,
        revises=forecast and forecast.revises,
        sealed_at=row.sealed_at,
        sha256=row.sha256,
        intact=forecast is not None,
        verdicts_intact=len(readable) == len(own),
        fault=fault,
        run=forecast and forecast.run,
        recall_target=forecast and forecast.recall_target,
        forecast_pass=forecast and forecast.projection,
        first=counting(readable) if fault is None else None,
        verdicts=len(own),
    )


def _faults(forecasts: Sequence[Stored[Sealed]], verdicts: Sequence[Stored[VerdictFound]]) -> list[Warn]:
    """Name what is not as it was sealed, and verdicts on forecasts that came from a file alone."""
    found = [
        Warn(code="forecast_tampered", message=f"forecast {each.row.name} is not what was sealed: {each.fault}")
        for each in forecasts
        if each.fault is not None
    ]
    found += [
        Warn(code="verdict_tampered", message=f"a verdict on {each.row.name} is not what was recorded: {each.fault}")
        for each in verdicts
        if each.fault is not None
    ]
    known, broken = {each.row.sha256 for each in forecasts}, {each.row.name for each in forecasts if each.fault}
    strange = {each.row.name for each in verdicts if each.content is not None and each.content.sha256 not in known}
    return found + [not_stored(name) for name in sorted(strange - broken)]


def not_stored(name: str) -> Warn:
    """Return what to say of a verdict on a forecast that the store never sealed."""
    message = f"forecast {name} was judged by its file alone: this store never sealed it, and it is not counted"
    return Warn(code="forecast_not_stored", message=message)


def calibration(verdicts: Sequence[VerdictFound]) -> Calibration:
    """Return how forecasts have done, over those judged before the fact with nothing allowed by name."""
    before = [verdict for verdict in verdicts if verdict.before_the_fact]
    counted = [verdict for verdict in before if not verdict.allowed]
    words = [verdict.verdict for verdict in counted]
    errors = [verdict.error.total for verdict in counted]
    return Calibration(
        judged=len(counted),
        held=words.count("held"),
        refuted=words.count("refuted"),
        cannot_tell=words.count("cannot tell"),
        covered=sum(_covered(verdict) for verdict in counted),
        mean_error=sum(errors) / len(errors) if errors else None,
        mean_absolute_error=sum(map(abs, errors)) / len(errors) if errors else None,
        after_the_fact=len(verdicts) - len(before),
        allowed=len(before) - len(counted),
    )


def _covered(verdict: VerdictFound) -> bool:
    observed, expected = verdict.observed_pass.estimate, verdict.expected_pass
    if observed is None or expected.lower is None or expected.upper is None:
        return False
    return expected.lower <= observed <= expected.upper
