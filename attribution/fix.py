"""The fix a projection is asked about: the recall it is to reach, stated, given as a range, or shown by another run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.fates import run_stages
from attribution.statistics.gain import gain, gain_measured
from attribution.statistics.interval import Interval
from attribution.statistics.projection import project, project_measured, project_range
from traces.errors import UsageError
from traces.store import TraceStore

AS_KNOWN = 1e12  # cases behind a rate that is taken as known


@dataclass(frozen=True, slots=True)
class Fix:
    """A retrieval fix, known by the recall it reaches at the last stage.

    Attributes:
        low: recall, or the lower end of its range.
        high: the upper end; equal to ``low`` where one recall is stated.
        run: the run that measured it, None where it is stated.
        measured: that run's recall with its interval.
        recovered_pass: pass rate of the recovered questions where it is stated; None to take the rate with gold.
    """

    low: float
    high: float
    run: str | None = None
    measured: Interval | None = None
    recovered_pass: float | None = None

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
    def shown_by(cls, store: TraceStore, run_id: str, *, before: str, choices: Choices) -> Fix:
        """A fix whose recall another run has shown; that run needs no outcomes.

        Raises:
            UsageError: unknown run, no recall in it, or it ends at another stage than the run before.
        """
        after = attribute(store, run_id, choices)
        there, here = after.stages[-1].stage, run_stages(store, before)[-1].name
        if there != here:
            raise UsageError(
                "other-last-stage",
                f"recall at {there!r} says nothing yet of recall at {here!r}, where the model reads",
                where=f"run {run_id}",
                hint=f"replay the pipeline up to {here!r}",
            )
        measured = after.stages[-1].recall
        if measured.estimate is None:
            raise UsageError("no-recall", "no question of this run can be attributed", where=f"run {run_id}")
        return cls(measured.estimate, measured.estimate, run_id, measured)

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

    def recovered_rate(self, with_gold: Interval) -> Interval:
        """Return the pass rate of recovered questions: the stated one, else that of questions with gold now."""
        if self.recovered_pass is None:
            return with_gold
        value = self.recovered_pass
        return Interval(
            n=0, count=None, estimate=value, lower=value, upper=value, level=with_gold.level, method="stated",
            n_effective=AS_KNOWN,
        )  # fmt: skip

    def rate_after(self, recall: Interval, with_gold: Interval) -> Interval:
        """Return the pass rate with gold after the fix: today's, mixed with the stated one of recovered questions.

        Raises:
            UsageError: a rate of recovered questions is stated, and the fix recovers none or its recall is a range.
        """
        if self.recovered_pass is None or with_gold.estimate is None or recall.estimate is None:
            return with_gold
        if self.low != self.high or self.recall <= recall.estimate:
            what = "a range" if self.low != self.high else f"{self.recall}, which recovers no question"
            raise UsageError("nothing-recovered", f"recall is {what}", hint="leave --recovered-pass out")
        kept = recall.estimate / self.recall
        stated = (1.0 - kept) * self.recovered_pass
        point = kept * with_gold.estimate + stated
        low, high = with_gold.bounds
        return replace(
            with_gold,
            count=None,
            estimate=point,
            lower=kept * low + stated,
            upper=kept * high + stated,
            method="mixed-with-stated",
            n_effective=_size_of_mixture(point, kept, with_gold),
        )

    def project(self, with_gold: Interval, without_gold: Interval) -> Interval:
        """Return the projected pass rate; for a range, the middle with the hull of the limits at both ends.

        Args:
            with_gold: pass rate with gold after the fix, with limits at the level wanted.
            without_gold: pass rate without.
        """
        level = with_gold.level
        if self.measured is not None:
            return project_measured(self.measured, with_gold, without_gold, level=level)
        middle = project(self.recall, with_gold, without_gold, level=level)
        if self.low == self.high:
            return middle
        ends = project_range(self.low, self.high, with_gold, without_gold, level=level)
        return replace(middle, lower=ends.lower, upper=ends.upper, method="mover-hull")

    def gain(self, recall: Interval, recovered: Interval, without_gold: Interval) -> Interval:
        """Return the gain in pass rate over today's; ``recovered`` is the pass rate of recovered questions."""
        if self.measured is not None:
            return gain_measured(self.measured, recall, recovered, without_gold)
        return gain(self.recall, recall, recovered, without_gold, level=recovered.level)


def _size_of_mixture(point: float, kept: float, with_gold: Interval) -> float:
    """Cases of a plain sample as precise as a rate of which only the part ``kept`` was sampled."""
    if kept == 0.0:
        return AS_KNOWN
    spread = (with_gold.estimate or 0.0) * (1.0 - (with_gold.estimate or 0.0))
    wider = point * (1.0 - point) / spread if spread > 0.0 else 1.0
    return with_gold.size * wider / kept**2
