"""Worlds in which recall and both pass rates are known, and the intervals made from one sample of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from attribution.statistics.gain import gain
from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.projection import project, project_measured, project_range
from attribution.statistics.proportions import wilson
from attribution.statistics.rerun import next_run_fresh_questions, next_run_same_questions
from attribution.statistics.targets import required_recall
from tests.simulation.trials import Trial, World

if TYPE_CHECKING:
    from numpy.typing import NDArray

wilson_of = cache(wilson)

# Half the width of a range that is stated in place of a recall.
SPREAD = 0.05


@dataclass(frozen=True)
class Rates:
    """What is true: recall, the recall a fix brings, and both pass rates."""

    recall: float = 0.58
    target: float = 0.85
    p1: float = 0.88
    p0: float = 0.47

    def at(self, recall: float) -> float:
        """Return the pass rate at a recall."""
        return recall * self.p1 + (1.0 - recall) * self.p0


def sampled(random: np.random.Generator, n: int, true: Rates) -> tuple[Interval, Interval, Interval]:
    """Recall and both pass rates as one sample of n questions shows them."""
    found = int(random.binomial(n, true.recall))
    x1, x0 = int(random.binomial(found, true.p1)), int(random.binomial(n - found, true.p0))
    return wilson_of(found, n), wilson_of(x1, found), wilson_of(x0, n - found)


def stated(n: int, true: Rates) -> World:
    """The projection at a recall that is known, and by the delta method in its place."""
    truth = true.at(true.target)

    def draw(random: np.random.Generator) -> Trial:
        _, first, second = sampled(random, n, true)
        found = project(true.target, first, second)
        return {"stated": (found, truth), "delta method": (_delta(true.target, first, second, found), truth)}

    return draw


def _delta(target: float, first: Interval, second: Interval, found: Interval) -> Interval:
    if first.estimate is None or second.estimate is None or found.estimate is None:
        return found
    parts = ((target, first.estimate, first.n), (1.0 - target, second.estimate, second.n))
    spread = sum(weight**2 * rate * (1.0 - rate) / size for weight, rate, size in parts)
    half = critical_value(0.95) * math.sqrt(spread)
    return replace(found, lower=found.estimate - half, upper=found.estimate + half)


def measured(n: int, true: Rates) -> World:
    """The projection at a recall that a replay on the same questions measured, and with that recall taken as known."""
    truth = true.at(true.target)

    def draw(random: np.random.Generator) -> Trial:
        recall, first, second = sampled(random, n, true)
        found = recall.count or 0
        recovered = int(random.binomial(n - found, (true.target - true.recall) / (1.0 - true.recall)))
        replayed = wilson_of(found + recovered, n)
        return {
            "measured": (project_measured(replayed, first, second), truth),
            "taken as known": (project((found + recovered) / n, first, second), truth),
        }

    return draw


def ranged(n: int, true: Rates) -> World:
    """The hull over a range of recalls, with the truth at its middle and at both ends."""
    ends = true.target - SPREAD, min(1.0, true.target + SPREAD)

    def draw(random: np.random.Generator) -> Trial:
        _, first, second = sampled(random, n, true)
        span = project_range(*ends, first, second)
        hull = replace(span.at_low, lower=span.lower, upper=span.upper)
        places = {"middle": true.target, "low end": ends[0], "high end": ends[1]}
        return {name: (hull, true.at(recall)) for name, recall in places.items()}

    return draw


def gained(n: int, true: Rates) -> World:
    """The gain, and the limits of the projection less the pass rate that was observed in its place."""
    truth = (true.target - true.recall) * (true.p1 - true.p0)

    def draw(random: np.random.Generator) -> Trial:
        recall, first, second = sampled(random, n, true)
        found = gain(true.target, recall, first, second)
        passed = ((first.count or 0) + (second.count or 0)) / n
        lower, upper = project(true.target, first, second).bounds
        naive = replace(found, lower=lower - passed, upper=upper - passed)
        return {"gain": (found, truth), "projection less today's rate": (naive, truth)}

    return draw


def needed(n: int, true: Rates) -> World:
    """The recall that a target pass rate needs, the target being the pass rate at the recall of the world."""
    refusals = {Undefined.slope_unclear, Undefined.slope_negative, Undefined.equal_rates, Undefined.no_cases}

    def draw(random: np.random.Generator) -> Trial:
        _, first, second = sampled(random, n, true)
        found = required_recall(true.at(true.target), first, second)
        refused = found.reason in refusals
        # No recall up to 1 is compatible with the target: that interval is empty and holds nothing.
        empty = found.lower is None or found.upper is None
        lower, upper = (0.0, 1.0) if refused else (2.0, 2.0) if empty else (found.lower, found.upper)
        interval = replace(first, estimate=None if refused else found.estimate, lower=lower, upper=upper)
        return {"recall needed": (interval, true.target)}

    return draw


def fresh(n: int, questions: int, true: Rates) -> World:
    """What a run on fresh questions shows, and the limits of the projection in its place."""

    def draw(random: np.random.Generator) -> Trial:
        _, first, second = sampled(random, n, true)
        shown = float(random.binomial(questions, true.at(true.target))) / questions
        found = next_run_fresh_questions(true.target, first, second, questions=questions)
        return {"fresh": (found, shown), "projection's limits": (project(true.target, first, second), shown)}

    return draw


def again(n: int, churn: float, true: Rates) -> World:
    """What a run on the same questions shows: movers answer anew at the rate of the side they come to, others flip."""

    def draw(random: np.random.Generator) -> Trial:
        found = int(random.binomial(n, true.recall))
        with_gold, without = random.random(found) < true.p1, random.random(n - found) < true.p0
        cells = wilson_of(int(with_gold.sum()), found), wilson_of(int(without.sum()), n - found)
        moved = round(true.target * n) - found
        (leaving, staying), rate = ((without, with_gold), true.p1) if moved > 0 else ((with_gold, without), true.p0)
        kept = _flipped(random, np.concatenate([staying, random.permutation(leaving)[abs(moved) :]]), churn)
        shown = float(kept.sum() + random.binomial(abs(moved), rate)) / n
        given = (found + moved) / n, wilson_of(found, n), *cells
        return {
            "same": (next_run_same_questions(*given, churn=churn), shown),
            "flips left out": (next_run_same_questions(*given, churn=0.0), shown),
            "projection's limits": (project((found + moved) / n, *cells), shown),
        }

    return draw


def _flipped(random: np.random.Generator, passed: NDArray[np.bool_], churn: float) -> NDArray[np.bool_]:
    """As many flips either way on average: an unchanged build has no trend."""
    share = passed.mean() if passed.size else 0.5
    chance = np.where(passed, churn / (2 * max(share, 1e-9)), churn / (2 * max(1 - share, 1e-9)))
    return np.asarray(passed ^ (random.random(passed.size) < chance))
