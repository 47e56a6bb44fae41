"""The fix a projection is asked about: the recall it is to reach, stated, given as a range, or shown by another run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from attribution.statistics.gain import gain, gain_measured
from attribution.statistics.interval import Interval
from attribution.statistics.projection import project, project_measured
from attribution.statistics.recovered import project_recovered
from traces.errors import UsageError

AS_KNOWN = 1e12
"""Cases behind a rate that is taken as known."""


def stated_rate(value: float, level: float) -> Interval:
    """Return a pass rate that somebody states: a point that is taken as known."""
    return Interval(
        n=0, count=None, estimate=value, lower=value, upper=value, level=level, method="stated", n_effective=AS_KNOWN
    )


@dataclass(frozen=True, slots=True)
class Fix:
    """A retrieval fix, known by the recall it reaches at the last stage.

    Attributes:
        low: recall, or the lower end of its range.
        high: the upper end; equal to ``low`` where one recall is stated.
        run: the run that measured it, None where it is stated.
        measured: that run's recall with its interval.
        recovered: pass rate of the recovered questions where it is known apart; None to take the rate with gold.
    """

    low: float
    high: float
    run: str | None = None
    measured: Interval | None = None
    recovered: Interval | None = None

    @classmethod
    def stated(cls, low: float, high: float | None = None) -> Fix:
        """A fix whose recall is stated, as one number or a range.

        Raises:
            UsageError: not within 0 to 1, or the range is upside down.
        """
        high = low if high is None else high
        if not 0 <= low <= high <= 1:
            said = str(low) if low == high else f"{low} to {high}"
            raise UsageError("bad-recall", f"recall lies between 0 and 1, the lower end first, not {said}")
        return cls(low, high)

    @classmethod
    def shown_by(cls, run_id: str, measured: Interval) -> Fix:
        """A fix whose recall another run has shown, with its interval."""
        point = measured.estimate or 0.0
        return cls(point, point, run_id, measured)

    @property
    def recall(self) -> float:
        """The recall to reckon with; the middle of a range."""
        return (self.low + self.high) / 2

    @property
    def target(self) -> float | list[float] | Interval:
        """The recall as it is reported: a number, the two ends of a range, or a measured rate."""
        if self.measured is not None:
            return self.measured
        return self.low if self.low == self.high else [self.low, self.high]

    def recovers(self, recall: Interval) -> bool:
        """Say whether the fix brings recall above today's anywhere in its range."""
        return recall.estimate is None or self.high > recall.estimate

    def own_rate(self, recall: Interval) -> Interval | None:
        """Return the recovered questions' own pass rate, None where it is not known or none are recovered."""
        return None if recall.estimate is not None and self.recall <= recall.estimate else self.recovered

    def project(self, recall: Interval, with_gold: Interval, without_gold: Interval) -> Interval:
        """Return the projected pass rate; for a range, the middle with the hull of the limits at both ends.

        Args:
            recall: recall now.
            with_gold: pass rate with gold, with limits at the level wanted.
            without_gold: pass rate without.
        """
        middle = self.project_at(self.measured or self.recall, recall, with_gold, without_gold)
        if self.low == self.high:
            return middle
        ends = [self.project_at(end, recall, with_gold, without_gold).bounds for end in (self.low, self.high)]
        lower, upper = min(low for low, _ in ends), max(high for _, high in ends)
        return replace(middle, lower=lower, upper=upper, method="mover-hull")

    def project_at(
        self, target: float | Interval, recall: Interval, with_gold: Interval, without_gold: Interval
    ) -> Interval:
        """Return the projected pass rate at another recall than the fix's own, stated or measured."""
        level = with_gold.level
        if self.recovered is not None:
            return project_recovered(target, recall, with_gold, self.recovered, without_gold, level=level)
        if isinstance(target, Interval):
            return project_measured(target, with_gold, without_gold, level=level)
        return project(target, with_gold, without_gold, level=level)

    def gain(self, recall: Interval, with_gold: Interval, without_gold: Interval) -> Interval:
        """Return the gain in pass rate over today's, at the fix's recall or the middle of its range."""
        side = self.own_rate(recall) or with_gold
        if self.measured is not None:
            return gain_measured(self.measured, recall, side, without_gold)
        return gain(self.recall, recall, side, without_gold, level=side.level)
