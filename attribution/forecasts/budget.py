"""One error budget shared out over the claims, and the power each claim then has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from attribution.results import BudgetSource, ChurnMeasured, ExpectedCells
from attribution.statistics.claim_power import aggregate_power, likeness_chances, retained_power
from attribution.statistics.interval import Interval
from attribution.statistics.margins import LEAST_POWER, Margins, margins_from_budget
from attribution.statistics.rerun import next_run_same_questions
from traces.errors import UsageError

# Share of answers taken to flip by themselves where no repeat of the unchanged build measures it.
ASSUMED_FLIPS = 0.05
# Larger slices are reckoned as if they had this many questions: power is then at least what is said.
LARGEST_SLICE = 1_500
# Budgets that are searched for are given to three places, rounded up.
STEP = 0.001


@dataclass(frozen=True, kw_only=True)
class Stakes:
    """What a forecast's claims will be tested with, as far as it is known beforehand.

    Attributes:
        recall: recall now.
        recall_target: recall that is forecast.
        with_gold: pass rate with gold now.
        without_gold: pass rate without.
        recovered_rate: pass rate claimed of the recovered.
        expected: questions expected in each cell.
        churn: flips of an unchanged build, None where they were not measured.
        answers_each: answers to a question.
    """

    recall: Interval
    recall_target: float
    with_gold: Interval
    without_gold: Interval
    recovered_rate: Interval
    expected: ExpectedCells
    churn: ChurnMeasured | None
    answers_each: float

    @property
    def flips(self) -> float:
        """Share of answers that flip by themselves, as measured or assumed."""
        return self.churn.rate if self.churn is not None else ASSUMED_FLIPS

    def share(self, cell: str) -> float:
        """Share of questions expected in a cell."""
        return float(getattr(self.expected, cell)) / self._answers

    @cached_property
    def _answers(self) -> float:
        cells = self.expected
        return cells.retained + cells.recovered + cells.lost + cells.still_missing

    def size(self, cell: str) -> int:
        """Independent questions expected in a cell: repeats and weights count for what they are worth."""
        return min(LARGEST_SLICE, round(self.share(cell) * self.recall.size))

    def margins(self, budget: float) -> Margins:
        """Return the margins with which each claim alone moves the pass rate by the budget."""
        return margins_from_budget(
            budget,
            recovered=self.share("recovered"),
            retained=self.share("retained"),
            still_missing=self.share("still_missing"),
        )

    def powers(self, budget: float) -> dict[str, float | None]:
        """Return the probability that each claim holds if it is true; None where there is nothing to test."""
        margins = self.margins(budget)
        return {
            "recovered": self._recovered(margins.recovered),
            "retained": self._retained(margins.retained),
            "selection": self._selection(margins.selection),
            "aggregate": self._aggregate(margins.aggregate),
        }

    def gating(self, budget: float) -> dict[str, float]:
        """Return the power of the claims without which the forecast cannot hold."""
        powers = self.powers(budget)
        return {name: power for name in ("recovered", "retained") if (power := powers[name]) is not None}

    def _recovered(self, margin: float | None) -> float | None:
        rate, size = self.recovered_rate.estimate, self.size("recovered")
        if margin is None or rate is None or size < 1:
            return None
        known = max(1, min(LARGEST_SLICE, round(self.recovered_rate.size)))
        return likeness_chances(size, rate, known, rate, margin).held

    def _retained(self, margin: float | None) -> float | None:
        rate, size = self.with_gold.estimate, self.size("retained")
        if margin is None or rate is None or size < 1:
            return None
        flips = min(self.flips, 2.0 * rate, 2.0 * (1.0 - rate))
        return retained_power(size, rate, flips, margin)

    def _selection(self, margin: float | None) -> float | None:
        rate, stuck, freed = self.without_gold.estimate, self.size("still_missing"), self.size("recovered")
        if margin is None or rate is None or min(stuck, freed) < 1:
            return None
        return likeness_chances(stuck, rate, freed, rate, margin).within

    def _aggregate(self, margin: float) -> float | None:
        if self.churn is None or self.with_gold.estimate is None or self.without_gold.estimate is None:
            return None
        run = next_run_same_questions(
            self.recall_target,
            self.recall,
            self.with_gold,
            self.without_gold,
            churn=self.churn.rate,
            answers_each=self.answers_each,
            recovered=self.recovered_rate,
            level=self.recall.level,
        )
        return aggregate_power(run, margin) if run.bounds[1] > run.bounds[0] else None


def settle_budget(
    stakes: Stakes, gain: Interval, *, stated: float | None, min_gain: float | None
) -> tuple[float, BudgetSource]:
    """Return how far the pass rate may be off, and where the figure comes from.

    A stated budget is taken or refused. Without one it is the gain less the least worth having, or else half of the
    gain; where no claim could then be held, the least budget with which one could.

    Raises:
        UsageError: the budget is out of range, lacks power, or there is no gain to take it from.
    """
    if stated is not None:
        return _checked(stakes, stated), "stated"
    worth = None if gain.estimate is None else abs(gain.estimate)
    if not worth:
        raise UsageError(
            "no-budget", "the forecast gain is nothing to take an error budget from", hint="state one with --margin"
        )
    source: BudgetSource = "half of the gain"
    budget = worth / 2.0
    if min_gain is not None and worth > min_gain:
        budget, source = worth - min_gain, "gain less the least worth having"
    if _enough(stakes, budget):
        return budget, source
    least = least_budget(lambda each: _enough(stakes, each), budget)
    if least is None:
        raise UsageError(
            "no-power",
            "no error budget can be held more often than not with so few questions",
            hint="ask more questions",
        )
    return least, "least with power"


def _enough(stakes: Stakes, budget: float) -> bool:
    return all(power >= LEAST_POWER for power in stakes.gating(budget).values())


def least_budget(enough: Callable[[float], bool], above: float) -> float | None:
    """Return the least budget, in steps of a thousandth, with which every claim has power; None where none has."""
    low, high = int(above / STEP), int(1.0 / STEP) - 1
    if not enough(high * STEP):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle * STEP) else (middle, high)
    return high * STEP


def _checked(stakes: Stakes, budget: float) -> float:
    if not 0.0 < budget < 1.0:
        raise UsageError("bad-margin", f"--margin lies between 0 and 1, not {budget}")
    weak = {name: power for name, power in stakes.gating(budget).items() if power < LEAST_POWER}
    if weak:
        name, power = min(weak.items(), key=lambda each: each[1])
        least = least_budget(lambda each: _enough(stakes, each), budget)
        advice = f"state --margin {least:.3f} or more, or ask more questions" if least else "ask more questions"
        raise UsageError(
            "no-power",
            f"with a budget of {budget} the claim '{name}', being true, would be held with probability {power:.2f}",
            hint=advice,
        )
    return budget
