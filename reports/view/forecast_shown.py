"""What a forecast report is made from, and what follows from it before anything is worded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attribution.fix import Fix
from attribution.results import Forecast, ForecastLine, ForecastRecord, Sealed, SealedFalsifier, VerdictFound
from attribution.statistics.interval import Interval
from attribution.statistics.rerun import fresh_questions_around
from attribution.statistics.targets import RequiredRecall, required_recall
from reports.builds import Build, Builds
from reports.view.forecast_parts import ForecastState


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastShown:
    """A sealed forecast with everything the store says about it.

    Attributes:
        sealed: what was sealed.
        verdict: the verdict to show, None while there is none.
        verdicts: all verdicts, the first one first.
        builds: the stored runs under the forecast's labels and conventions.
        record: every forecast of the store with its first verdict.
        family: this forecast with those it revises and those that revise it; empty where it stands alone.
        synthetic: how made-up data was made; None for real data.
        target: a pass rate that is asked for, if one was named.
    """

    sealed: Sealed
    verdict: VerdictFound | None
    verdicts: Sequence[VerdictFound]
    builds: Builds
    record: ForecastRecord
    family: Sequence[ForecastLine]
    synthetic: str | None
    target: float | None

    @property
    def forecast(self) -> Forecast:
        """What was sealed, without its seal."""
        return self.sealed.forecast

    @property
    def state(self) -> ForecastState:
        """What has become of it."""
        return ForecastState.pending if self.verdict is None else ForecastState(self.verdict.verdict)

    @property
    def noun(self) -> str:
        """What one count is: an answer where questions were answered more than once."""
        return "answer" if self.forecast.answers > self.forecast.questions else "question"

    @property
    def aim(self) -> float:
        """The recall that is forecast; of a range, the middle."""
        return sum(self.forecast.recall_target) / 2.0

    @property
    def past(self) -> list[Build]:
        """Builds with outcomes the forecast could know of, and by which it was not judged; its own run among them."""
        judges = {verdict.after for verdict in self.verdicts}
        return [
            build
            for build in self.builds.shown
            if build.since is not None and build.run not in judges and build.attribution.passed.n
            if build.since <= self.forecast.sealed_at or build.run == self.forecast.run
        ]

    @property
    def highest(self) -> float:
        """The highest recall at which a build before the forecast has shown its pass rate."""
        return max([self.forecast.recall.estimate or 0.0, *(build.recall or 0.0 for build in self.past)])

    @property
    def lowest(self) -> float:
        """The lowest recall at which a build before the forecast has shown its pass rate."""
        return min([self.forecast.recall.estimate or 0.0, *(build.recall or 0.0 for build in self.past)])

    @property
    def extrapolates(self) -> bool:
        """Whether the forecast lies beyond every recall at which a pass rate has been seen."""
        return max(self.forecast.recall_target) > self.highest

    @property
    def after(self) -> Build | None:
        """The run of the verdict, if it is still stored."""
        found = [build for build in self.builds.shown if self.verdict is not None and build.run == self.verdict.after]
        return found[0] if found else None

    @property
    def fix(self) -> Fix:
        """The fix as it was sealed; a recall that was measured counts as known here, as only its point is sealed."""
        low, high = self.forecast.recall_target
        own = None if self.forecast.recovered_source == "with_gold" else self.forecast.recovered_rate
        return Fix(low, high, recovered=own)

    def true_rate(self, recall: float) -> Interval:
        """Return the pass rate the forecast implies at another recall."""
        forecast = self.forecast
        return self.fix.project_at(recall, forecast.recall, forecast.with_gold, forecast.without_gold)

    def next_run(self, recall: float) -> Interval:
        """Return where the pass rate of as many fresh questions may land at another recall."""
        return fresh_questions_around(self.true_rate(recall), questions=max(1, round(self.forecast.passed.size)))

    def claim(self, name: str) -> SealedFalsifier | None:
        """Return a falsifier by name, None where none of that name was sealed."""
        found = [each for each in self.forecast.falsifiers if each.name == name]
        return found[0] if found else None

    @property
    def delivered(self) -> float | None:
        """The least recall that counts as delivered; None where recall has no margin."""
        claim = self.claim("recall")
        return None if claim is None or claim.margin is None else self.forecast.recall_target[0] - claim.margin

    @property
    def goal(self) -> float | None:
        """The pass rate asked for: the one that was named, else today's and the least gain worth having."""
        if self.target is not None:
            return self.target
        now, worth = self.forecast.passed.estimate, self.forecast.min_gain
        return None if now is None or worth is None else min(1.0, now + worth)

    @property
    def needed(self) -> RequiredRecall | None:
        """The recall that the goal takes."""
        if self.goal is None:
            return None
        forecast = self.forecast
        return required_recall(
            self.goal,
            forecast.with_gold,
            forecast.without_gold,
            recall=forecast.recall,
            recovered=self.fix.recovered,
            level=forecast.policy.level,
        )
