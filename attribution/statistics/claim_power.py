"""The power of every claim before the run, by going through the tables that can occur."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from attribution.statistics.differences import newcombe_paired
from attribution.statistics.interval import Interval, critical_value, wilson_limits
from attribution.statistics.projection import check_share

Floats = NDArray[np.float64]

# Level whose limits give one-sided tests at 5%.
LEVEL = 0.9
# Tails of the flips less likely than this are left out.
NEGLIGIBLE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """What testing the likeness of two rates will say, by probability.

    Attributes:
        held: the shortfall is shown to be below the margin.
        within: a shortfall and a surplus are both shown to be below it.
        shown: a shortfall is shown.
        material: a shortfall beyond the margin is shown.
    """

    held: float
    within: float
    shown: float
    material: float


def likeness_chances(first_n: int, first_rate: float, second_n: int, second_rate: float, margin: float) -> Chances:
    """What Newcombe's 90% interval of first - second will say of a margin, by going through every table.

    One draw is one question of either side, independent.

    Args:
        first_n: questions of the first side, at least 1.
        first_rate: their true rate, 0 to 1.
        second_n: questions of the second side, at least 1.
        second_rate: their true rate, 0 to 1.
        margin: difference that counts as none, above 0.

    Returns:
        Probabilities, exact up to rounding.

    Raises:
        ValueError: there are no questions, the margin is not above 0, or a rate lies outside 0 to 1.

    References:
        Newcombe (1998, unpaired differences, method 10).

    >>> chances = likeness_chances(108, 0.78, 232, 0.88, 0.1)
    >>> round(chances.held, 3), round(chances.material, 3), round(chances.shown, 3)
    (0.049, 0.051, 0.759)
    """
    from scipy.stats import binom

    check_share(first_rate, "first_rate")
    check_share(second_rate, "second_rate")
    if first_n < 1 or second_n < 1 or not margin > 0.0:
        msg = f"no such test: {first_n} against {second_n} questions, margin {margin}"
        raise ValueError(msg)
    (first, low1, high1), (second, low2, high2) = _wilson_all(first_n), _wilson_all(second_n)
    gap = first[:, None] - second
    lower = gap - np.hypot((first - low1)[:, None], high2 - second)
    upper = gap + np.hypot((high1 - first)[:, None], second - low2)
    chance1 = binom.pmf(np.arange(first_n + 1), first_n, first_rate)
    chance2 = binom.pmf(np.arange(second_n + 1), second_n, second_rate)

    def chance(tables: NDArray[np.bool_]) -> float:
        return min(1.0, float(chance1 @ tables @ chance2))

    return Chances(
        held=chance(lower > -margin),
        within=chance((lower > -margin) & (upper < margin)),
        shown=chance(upper < 0.0),
        material=chance(upper < -margin),
    )


def retained_power(retained: int, rate: float, flips: float, margin: float, *, shortfall: float = 0.0) -> float:
    """Probability of holding that retained questions are undisturbed, by going through the tables of flips.

    One draw is one retained question, answered twice. Exact but for one thing: the questions that do not flip
    are split into passed and failed as expected.

    Args:
        retained: retained questions, at least 1.
        rate: their pass rate before, 0 to 1.
        flips: share whose outcome flips, 0 to 1: the flips of an unchanged build run twice, or more.
        margin: shortfall that counts as none, above 0.
        shortfall: true fall of their pass rate, at most flips.

    Returns:
        The probability.

    Raises:
        ValueError: there are no questions, the margin is not above 0, a share is out of range, or the rates do
            not leave room for so many flips.

    References:
        Newcombe (1998, paired differences, method 10).

    >>> round(retained_power(232, 0.88, 0.03, 0.05), 2)
    0.99
    """
    from scipy.stats import binom

    check_share(rate, "rate")
    check_share(flips, "flips")
    falls, rises = (flips + shortfall) / 2.0, (flips - shortfall) / 2.0
    if (
        retained < 1
        or not margin > 0.0
        or min(falls, rises) < 0.0
        or falls > rate
        or rises > 1.0 - rate
        or falls == 1.0
    ):
        msg = f"no such test: {retained} retained at {rate}, flips {flips}, shortfall {shortfall}, margin {margin}"
        raise ValueError(msg)
    steady = 1.0 - flips
    passing = (rate - falls) / steady if steady else 0.0
    power = 0.0
    for down in _likely(retained, falls):
        rest = retained - down
        ups = _likely(rest, rises / (1.0 - falls))
        chances = binom.pmf(ups, rest, rises / (1.0 - falls)) * binom.pmf(down, retained, falls)
        for up, chance in zip(ups, chances, strict=True):
            both = round((rest - up) * passing)
            gap = newcombe_paired(both, up, down, rest - up - both, level=LEVEL)
            power += float(chance) * (gap.bounds[0] > -margin)
    return power


def aggregate_power(predicted: Interval, margin: float) -> float:
    """Probability of holding that the pass rate lies where it was forecast, if it does.

    Normal approximation, as the predictive interval itself.

    Args:
        predicted: predictive interval of the run to come, with an estimate.
        margin: shortfall that counts as none, above 0.

    Returns:
        The probability.

    Raises:
        ValueError: the margin is not above 0, or the interval has no estimate.

    References:
        Schuirmann (1987).

    >>> predicted = Interval(n=400, count=None, estimate=0.82, lower=0.79, upper=0.85, level=0.95, method="given")
    >>> round(aggregate_power(predicted, 0.04), 2)
    0.83
    """
    lower, upper = predicted.bounds
    if predicted.estimate is None or not margin > 0.0 or not upper > lower:
        msg = f"no such test: margin {margin}, prediction {predicted.estimate} in {lower} to {upper}"
        raise ValueError(msg)
    spread = (upper - lower) / (2.0 * critical_value(predicted.level))
    return NormalDist().cdf(margin / spread - critical_value(LEVEL))


def _wilson_all(n: int) -> tuple[Floats, Floats, Floats]:
    """Every share of n with its limits."""
    z = critical_value(LEVEL)
    limits = np.array([(count / n, *wilson_limits(count / n, n, z)) for count in range(n + 1)])
    return limits[:, 0], limits[:, 1], limits[:, 2]


def _likely(n: int, share: float) -> range:
    """Counts out of n that are not negligible."""
    from scipy.stats import binom

    return range(int(binom.ppf(NEGLIGIBLE, n, share)), int(binom.ppf(1.0 - NEGLIGIBLE, n, share)) + 1)
