"""The record: all forecasts of a store, what became of them, and how far off they were."""

from __future__ import annotations

from collections.abc import Sequence

from attribution.forecasts.sealed import unsealed
from attribution.results import Calibration, ForecastLine, ForecastRecord, VerdictFound, Warn
from traces import forecasts as ledger
from traces.store import TraceStore


def record(store: TraceStore) -> ForecastRecord:
    """Return every forecast with its first verdict, and how forecasts have done so far.

    The first verdict counts: what a later run says is kept, but a forecast has one run that it was made for. Forecasts
    sealed when the outcomes were in the store already are counted apart, for they foretold nothing.

    Args:
        store: an open store; reading is enough.
    """
    rows = ledger.sealed_rows(store)
    broken = ledger.broken_links(rows)
    verdicts: dict[str, list[VerdictFound]] = {}
    for row in ledger.verdict_rows(store):
        verdicts.setdefault(row.sha256, []).append(VerdictFound.model_validate_json(row.body))
    lines = [_line(row, verdicts.get(row.sha256, []), intact=row.name not in broken) for row in rows]
    return ForecastRecord(
        forecasts=lines,
        calibration=calibration([line.first for line in lines if line.first is not None and line.intact]),
        warnings=[
            Warn(code="forecast_tampered", message=f"forecast {name} is not what was sealed: {what}")
            for name, what in broken.items()
        ],
    )


def _line(row: ledger.SealedRow, verdicts: Sequence[VerdictFound], *, intact: bool) -> ForecastLine:
    forecast = unsealed(row).forecast
    return ForecastLine(
        name=row.name,
        revises=forecast.revises,
        sealed_at=row.sealed_at,
        sha256=row.sha256,
        intact=intact,
        run=forecast.run,
        recall_target=forecast.recall_target,
        forecast_pass=forecast.projection,
        first=verdicts[0] if verdicts else None,
        verdicts=len(verdicts),
    )


def calibration(verdicts: Sequence[VerdictFound]) -> Calibration:
    """Return how forecasts have done, over the first verdict of each that was sealed before the fact."""
    before = [verdict for verdict in verdicts if verdict.before_the_fact]
    words = [verdict.verdict for verdict in before]
    errors = [verdict.error.total for verdict in before]
    return Calibration(
        judged=len(before),
        held=words.count("held"),
        refuted=words.count("refuted"),
        cannot_tell=words.count("cannot tell"),
        covered=sum(_covered(verdict) for verdict in before),
        mean_error=sum(errors) / len(errors) if errors else None,
        mean_absolute_error=sum(map(abs, errors)) / len(errors) if errors else None,
        after_the_fact=len(verdicts) - len(before),
    )


def _covered(verdict: VerdictFound) -> bool:
    observed = verdict.observed_pass.estimate
    lower, upper = verdict.expected_pass.bounds
    return observed is not None and lower <= observed <= upper
