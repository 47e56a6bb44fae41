"""What a planning report is made from, and what follows from it before anything is worded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from attribution.results import ForecastLine, ForecastRecord, Sealed
from attribution.statistics.interval import Interval
from reports.builds import Build, Builds
from reports.label_inventory import LabelSet


class PlanningState(StrEnum):
    """What the stored runs allow the report to say."""

    no_runs = "no runs"
    no_labels = "no labels"
    no_outcomes = "no outcomes"
    one_build = "one build"
    trend = "trend"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningShown:
    """All that the store says about builds, forecasts and labels.

    Attributes:
        builds: the stored runs under the same labels and conventions.
        labels: the label set they share; None where there is none.
        level: level of the intervals.
        change: pass rate of the last build with outcomes less that of the first; None where there are not two.
        shared: questions that both of these asked, 0 where they are compared without pairing.
        record: every forecast with its first verdict, and how they have done.
        pending: forecasts without a verdict, as they were sealed, the oldest first.
        sets: every label set of the store.
        audited: share of audited questions of the last build for which gold turned up that the labels lack.
        target: a pass rate that is asked for, if one was named.
    """

    builds: Builds
    labels: str | None
    level: float
    change: Interval | None
    shared: int
    record: ForecastRecord
    pending: Sequence[Sealed]
    sets: Sequence[LabelSet]
    audited: Interval | None
    target: float | None

    @property
    def answered(self) -> list[Build]:
        """The builds with a pass rate."""
        return [build for build in self.builds.shown if build.attribution.passed.n]

    @property
    def state(self) -> PlanningState:
        """What there is to show."""
        if not self.builds.shown and not self.builds.apart:
            return PlanningState.no_runs
        if not any(build.attribution.questions.attributable for build in self.builds.shown):
            return PlanningState.no_labels
        if not self.answered:
            return PlanningState.no_outcomes
        return PlanningState.trend if len(self.answered) > 1 else PlanningState.one_build

    @property
    def noun(self) -> str:
        """What one count is: an answer where any build answered questions more than once."""
        several = any(
            build.attribution.questions.repeats > build.attribution.questions.attributable for build in self.answered
        )
        return "answer" if several else "question"

    @property
    def synthetic(self) -> str | None:
        """How made-up data was made; None where all is real."""
        return next((build.facts.synthetic for build in self.builds.shown if build.facts.synthetic), None)

    @property
    def clear(self) -> bool:
        """Whether the change over the builds stands clear of none."""
        change = self.change
        if change is None or change.lower is None or change.upper is None:
            return False
        return change.lower > 0.0 or change.upper < 0.0

    def judged_by(self, run: str) -> list[ForecastLine]:
        """Return the forecasts whose first verdict a run gave."""
        return [line for line in self.record.forecasts if line.first is not None and line.first.after == run]

    def used(self) -> LabelSet | None:
        """Return the label set that the builds share."""
        return next((each for each in self.sets if each.name == self.labels), None)
