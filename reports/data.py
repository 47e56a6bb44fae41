"""A report as data: the results a page was made from, at full precision, with the inputs and the command.

The page holds this as an inert island and ``--json`` prints it; what a reader sees rounded and worded stands here as
it was worked out. The text of single failures is not in it: ``failures.csv`` and ``foundlost show`` have that.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from importlib.metadata import version
from typing import Literal

from pydantic import Field

from attribution.results import (
    Attribution,
    ForecastRecord,
    Projection,
    Result,
    RunFacts,
    Sealed,
    VerdictFound,
)
from attribution.statistics.interval import Interval
from reports.builds import Builds
from reports.label_inventory import LabelSet
from reports.view.footer import own_name
from reports.view.forecast_shown import ForecastShown
from reports.view.planning_shown import PlanningShown


class Input(Result):
    """One file the store read: its own name without folders, None for a stream, and the hash of its bytes."""

    name: str | None
    sha256: str


class ReportData(Result):
    """What every report says of itself: ``foundlost`` is the version, ``command`` makes the report again."""

    schema_: Literal["foundlost.report/1"] = Field(default="foundlost.report/1", alias="schema")
    kind: Literal["attribution", "forecast", "planning"]
    foundlost: str = Field(default_factory=lambda: version("foundlost"))
    command: str
    inputs: list[Input]


class AttributionResults(Result):
    """The attribution of a run, and what a fix of its recall is worth; None where there was nothing to price."""

    attribution: Attribution
    projection: Projection | None


class AttributionData(ReportData):
    """The attribution report as data."""

    kind: Literal["attribution"] = "attribution"
    results: AttributionResults


class ForecastResults(Result):
    """A forecast as it was sealed, the verdict shown, None before it, and how forecasts have done.

    ``record`` lists this forecast with those it revises and that revise it; its calibration is that of all forecasts.
    """

    forecast: Sealed
    verdict: VerdictFound | None
    record: ForecastRecord


class ForecastData(ReportData):
    """The forecast report as data."""

    kind: Literal["forecast"] = "forecast"
    results: ForecastResults


class BuildFound(Result):
    """One run as it stands beside the others; ``since`` is when its first outcomes came into the store, in UTC."""

    run: str
    build: str | None
    created_at: datetime | None
    since: datetime | None
    attribution: Attribution


class PlanningResults(Result):
    """Builds in their order, forecasts, and label sets.

    ``apart`` are runs that cannot stand beside the others, with the reason; ``change`` is the pass rate of the last
    build with outcomes less that of the first; ``pending`` are forecasts without a verdict; ``audited`` is the share
    of audited questions for which gold turned up that the labels lack.
    """

    builds: list[BuildFound]
    apart: dict[str, str]
    change: Interval | None
    forecasts: ForecastRecord
    pending: list[Sealed]
    labels: list[LabelSet]
    audited: Interval | None
    target: float | None


class PlanningData(ReportData):
    """The planning report as data."""

    kind: Literal["planning"] = "planning"
    results: PlanningResults


def attribution_data(
    attribution: Attribution, facts: RunFacts, projection: Projection | None, command: str
) -> AttributionData:
    """Return the attribution report as data."""
    results = AttributionResults(attribution=attribution, projection=projection)
    return AttributionData(command=command, inputs=_inputs([facts]), results=results)


def forecast_data(shown: ForecastShown, command: str) -> ForecastData:
    """Return the forecast report as data; its inputs are those of all builds that stand beside it."""
    kin = {shown.sealed.sha256, *(line.sha256 for line in shown.family)}
    record = shown.record.model_copy(
        update={"forecasts": [line for line in shown.record.forecasts if line.sha256 in kin]}
    )
    results = ForecastResults(forecast=shown.sealed, verdict=shown.verdict, record=record)
    return ForecastData(command=command, inputs=_inputs_of(shown.builds), results=results)


def planning_data(shown: PlanningShown, command: str) -> PlanningData:
    """Return the planning report as data."""
    results = PlanningResults(
        builds=[
            BuildFound(
                run=build.run,
                build=build.facts.build,
                created_at=build.facts.created_at,
                since=build.since,
                attribution=build.attribution,
            )
            for build in shown.builds.shown
        ],
        apart=shown.builds.apart,
        change=shown.change,
        forecasts=shown.record,
        pending=list(shown.pending),
        labels=list(shown.sets),
        audited=shown.audited,
        target=shown.target,
    )
    return PlanningData(command=command, inputs=_inputs_of(shown.builds), results=results)


def _inputs_of(builds: Builds) -> list[Input]:
    return _inputs(build.facts for build in builds.shown)


def _inputs(facts: Iterable[RunFacts]) -> list[Input]:
    """Return every file once, in the order read; builds share their labels."""
    sources = {(own_name(source.name), source.sha256): None for each in facts for source in each.sources}
    return [Input(name=name, sha256=sha256) for name, sha256 in sources]
