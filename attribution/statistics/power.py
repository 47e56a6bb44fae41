"""Exact power, by going through every table that can occur."""

from __future__ import annotations

import math
import operator
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attribution.statistics.design import POWER
from attribution.statistics.interval import critical_value, wilson_limits
from attribution.statistics.projection import check_share

Floats = NDArray[np.float64]


def mcnemar_power(
    n: int, discordance: float, change: float, *, test: Literal["exact", "midp"] = "midp", alpha: float = 0.05
) -> float:
    """Probability that McNemar's test shows a change between two runs over the same questions.

    One draw is one question, answered twice. At a change of 0 it is the true size of the test.

    Args:
        n: questions.
        discordance: share of questions whose outcome differs between the runs, above 0 up to 1.
        change: true change of the pass rate, at most the discordance in size.
        test: which p-value decides.
        alpha: two-sided significance level.

    Returns:
        The power, exact up to rounding.

    Raises:
        ValueError: n is negative, a share is out of range, or the change exceeds the discordance.

    References:
        Fagerland, Lydersen & Laake (2013).

    >>> round(mcnemar_power(400, 0.10, 0.04, test="exact"), 3), round(mcnemar_power(400, 0.10, 0.04), 3)
    (0.676, 0.725)
    """
    from scipy.stats import binom

    check_share(discordance, "discordance")
    if operator.index(n) < 0 or discordance == 0.0 or abs(change) > discordance:
        msg = f"no such design: {n} questions, discordance {discordance}, change {change}"
        raise ValueError(msg)
    lean = (discordance + change) / (2.0 * discordance)
    power = 0.0
    for pairs in range(1, n + 1):
        weight = float(binom.pmf(pairs, n, discordance))
        if weight < 1e-15:
            continue
        few = np.arange((pairs - 1) // 2 + 1)
        p_values = 2.0 * binom.cdf(few, pairs, 0.5) - (binom.pmf(few, pairs, 0.5) if test == "midp" else 0.0)
        # Both tails reject alike; an even split, left out above, never does.
        critical = int(np.count_nonzero(p_values <= alpha)) - 1
        if critical >= 0:
            power += weight * float(binom.cdf(critical, pairs, lean) + binom.sf(pairs - critical - 1, pairs, lean))
    return power


def confirmation_power(recovered: int, n1: int, rate: float, margin: float, *, shortfall: float = 0.0) -> float:
    """Probability of confirming that recovered questions pass as often as found ones, less a margin.

    Confirmed is where the lower limit of Newcombe's 90% interval of recovered - found lies above -margin.
    One draw is one recovered and one found question, independent.

    Args:
        recovered: recovered questions, at least 1.
        n1: questions with gold found today, at least 1.
        rate: their true pass rate, 0 to 1.
        margin: shortfall that still counts as alike, above 0.
        shortfall: true shortfall of the recovered questions.

    Returns:
        The probability, exact up to rounding.

    Raises:
        ValueError: there are no questions, the margin is not above 0, or a rate leaves 0 to 1.

    References:
        Newcombe (1998, unpaired differences, method 10).

    >>> round(confirmation_power(108, 232, 0.88, 0.1), 3)
    0.787
    """
    from scipy.stats import binom

    check_share(rate, "rate")
    check_share(rate - shortfall, "rate - shortfall")
    if operator.index(recovered) < 1 or operator.index(n1) < 1 or not margin > 0.0:
        msg = f"no such test: {recovered} recovered, {n1} found, margin {margin}"
        raise ValueError(msg)
    z = critical_value(0.9)
    after, found = np.arange(recovered + 1) / recovered, np.arange(n1 + 1) / n1
    low, _ = _wilson_all(recovered, z)
    _, high = _wilson_all(n1, z)
    gap = after[:, None] - found[None, :]
    limit = gap - np.hypot((after - low)[:, None], (high - found)[None, :])
    chance_after = binom.pmf(np.arange(recovered + 1), recovered, rate - shortfall)
    chance_found = binom.pmf(np.arange(n1 + 1), n1, rate)
    return float(chance_after @ (limit > -margin) @ chance_found)


def smallest_confirmable_slice(
    n1: int, rate: float, margin: float, *, power: float = POWER, largest: int = 2000
) -> int | None:
    """Fewest recovered questions with which likeness would be confirmed with the wanted power.

    Power climbs in a saw-tooth, so it must hold for three slices in a row.

    Args:
        n1: questions with gold found today.
        rate: their true pass rate, 0 to 1.
        margin: shortfall that still counts as alike, above 0.
        power: wanted probability.
        largest: largest slice to consider.

    Returns:
        The number of questions, or None where no slice up to the largest is enough.

    Raises:
        ValueError: as `confirmation_power`, or power is not strictly between 0 and 1.

    References:
        Newcombe (1998, unpaired differences, method 10).

    >>> smallest_confirmable_slice(232, 0.88, 0.15)
    49
    """
    if margin <= unconfirmable_margin(n1, rate, power=power):
        return None
    run = 0
    for recovered in range(1, largest + 3):
        run = run + 1 if confirmation_power(recovered, n1, rate, margin) >= power else 0
        if run == 3:
            return recovered - 2
    return None


def unconfirmable_margin(n1: int, rate: float, *, power: float = POWER) -> float:
    """Margin below which likeness cannot be confirmed with this power, however many questions are recovered.

    The noise in the rate of the found questions alone uses it up. Normal approximation.

    Args:
        n1: questions with gold found today, at least 1.
        rate: their true pass rate, 0 to 1.
        power: wanted probability.

    Returns:
        The margin, on the scale of a pass rate.

    Raises:
        ValueError: n1 is below 1, rate lies outside 0 to 1, or power is not strictly between 0 and 1.

    References:
        Schuirmann (1987).

    >>> round(unconfirmable_margin(232, 0.88), 4)
    0.053
    """
    check_share(rate, "rate")
    if operator.index(n1) < 1 or not 0.0 < power < 1.0:
        msg = f"no such test: {n1} found, power {power}"
        raise ValueError(msg)
    return (critical_value(0.9) + NormalDist().inv_cdf(power)) * math.sqrt(rate * (1.0 - rate) / n1)


def _wilson_all(n: int, z: float) -> tuple[Floats, Floats]:
    """Wilson limits of every count from 0 to n."""
    limits = np.array([wilson_limits(count / n, n, z) for count in range(n + 1)])
    return limits[:, 0], limits[:, 1]
