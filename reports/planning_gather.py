"""From the store to what a planning report is made from."""

from __future__ import annotations

from dataclasses import replace

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.forecasts.evidence import audited
from attribution.forecasts.record import record
from attribution.forecasts.stored import stored_forecasts
from attribution.paired_runs import pair_runs
from attribution.results import ForecastRecord, Sealed
from attribution.statistics.differences import difference
from attribution.statistics.interval import Interval
from reports.builds import Build, builds_of
from reports.forecast_gather import check_target
from reports.label_inventory import label_sets, most_shared
from reports.view.planning_shown import PlanningShown
from traces.errors import UsageError, near
from traces.store import TraceStore


def planning_shown(store: TraceStore, choices: Choices, *, target: float | None = None) -> PlanningShown:
    """Return builds, forecasts and labels side by side.

    Args:
        store: an open store; reading is enough.
        choices: conventions; where no label set is named, the one that judges most runs.
        target: a pass rate that is asked for.

    Raises:
        UsageError: there is no such label set, or the target is out of range.
    """
    check_target(target)
    sets = label_sets(store)
    named = [each.name for each in sets]
    if choices.labels is not None and choices.labels not in named:
        raise UsageError(
            "unknown-labels", f"there is no label set {choices.labels!r}", hint=near(choices.labels, named)
        )
    choices = replace(choices, labels=choices.labels or most_shared(store), by=())
    builds = builds_of(store, choices)
    answered = [build for build in builds.shown if build.attribution.passed.n]
    change, shared = _change(store, answered, choices)
    found = record(store)
    return PlanningShown(
        builds=builds,
        labels=choices.labels,
        level=choices.level,
        change=change,
        shared=shared,
        record=found,
        pending=_pending(store, found),
        sets=sets,
        audited=_audited(store, answered, choices),
        target=target,
    )


def _change(store: TraceStore, answered: list[Build], choices: Choices) -> tuple[Interval | None, int]:
    """Return the change from the first build to the last: paired where they can be, else as two samples."""
    if len(answered) < 2:
        return None, 0
    first, last = answered[0], answered[-1]
    try:
        paired = pair_runs(store, first.run, last.run, choices)
    except UsageError:  # other judge, rule or labels: their rates stand side by side, but not question by question
        return difference(last.attribution.passed, first.attribution.passed), 0
    if paired.pairs is None:
        return difference(last.attribution.passed, first.attribution.passed), 0
    return paired.pairs.passed().difference, paired.questions


def _pending(store: TraceStore, found: ForecastRecord) -> list[Sealed]:
    waiting = {line.sha256 for line in found.forecasts if line.first is None and line.believed}
    stored = [each.content for each in stored_forecasts(store)]
    return [sealed for sealed in stored if sealed is not None and sealed.sha256 in waiting]


def _audited(store: TraceStore, answered: list[Build], choices: Choices) -> Interval | None:
    """Return what audits found on the questions of the last build; its answers must be the ones kept last."""
    return audited(store, attribute(store, answered[-1].run, choices)) if answered else None
