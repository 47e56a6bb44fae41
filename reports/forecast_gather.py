"""From the store to what a forecast report is made from."""

from __future__ import annotations

from collections.abc import Sequence

from attribution.choices import choices_of
from attribution.forecasts.record import counting, record
from attribution.forecasts.stored import find_forecast, verdicts_on
from attribution.results import ForecastLine, VerdictFound
from reports.builds import Builds, builds_of
from reports.view.forecast_shown import ForecastShown
from traces.errors import UsageError, near
from traces.store import TraceStore


def forecast_shown(
    store: TraceStore, name: str, *, after: str | None = None, target: float | None = None
) -> ForecastShown:
    """Return a forecast with its verdicts, the builds beside it, and its revisions.

    Raises:
        UsageError: no such forecast, no verdict by that run, or a target out of range.
        InputError: the forecast or a verdict on it is not what was sealed.
    """
    check_target(target)
    sealed = find_forecast(store, name)
    verdicts = verdicts_on(store, sealed)
    verdict = _chosen(verdicts, after, name)
    builds = builds_of(store, choices_of(sealed.forecast.labels, sealed.forecast.policy))
    forecasts = record(store)
    return ForecastShown(
        sealed=sealed,
        verdict=verdict,
        verdicts=_one_a_run(verdicts, verdict),
        builds=builds,
        record=forecasts,
        family=family_of(forecasts.forecasts, name),
        synthetic=_synthetic(builds, sealed.forecast.run),
        target=target,
    )


def check_target(target: float | None) -> None:
    """Refuse a pass rate out of range.

    Raises:
        UsageError: it lies outside 0 to 1.
    """
    if target is not None and not 0.0 <= target <= 1.0:
        raise UsageError("bad-share", f"--target lies between 0 and 1, not {target}")


def _chosen(verdicts: Sequence[VerdictFound], after: str | None, name: str) -> VerdictFound | None:
    if after is None:
        return counting(verdicts)
    found = [verdict for verdict in verdicts if verdict.after == after]
    if not found:
        known = [verdict.after for verdict in verdicts]
        raise UsageError(
            "no-verdict",
            f"run '{after}' has not judged the forecast '{name}'",
            hint=near(after, known) if known else "judge it first: foundlost forecast verify",
        )
    return found[-1]


def _one_a_run(verdicts: Sequence[VerdictFound], chosen: VerdictFound | None) -> list[VerdictFound]:
    """Return one verdict a run: the one to show, else the first by that run."""
    kept: dict[str, VerdictFound] = {}
    for verdict in verdicts:
        kept.setdefault(verdict.after, verdict)
    if chosen is not None:
        kept[chosen.after] = chosen
    return list(kept.values())


def family_of(lines: Sequence[ForecastLine], name: str) -> list[ForecastLine]:
    """Return a forecast with all that it revises and that revise it, in the order they were sealed; else nothing.

    A revision names one that was sealed before it, so one pass in that order finds the root of each.
    """
    root: dict[str, str] = {}
    for line in lines:
        root[line.name] = root.get(line.revises, line.revises) if line.revises is not None else line.name
    kin = [line for line in lines if root[line.name] == root.get(name)]
    return kin if len(kin) > 1 else []


def _synthetic(builds: Builds, run: str) -> str | None:
    """Return how the data was made up; that of any build on the page, for one made-up run makes the page so."""
    own = [build.facts.synthetic for build in builds.shown if build.run == run]
    others = [build.facts.synthetic for build in builds.shown]
    return next((each for each in (*own, *others) if each), None)
