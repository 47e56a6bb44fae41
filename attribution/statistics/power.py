"""Exact power, by going through every table that can occur."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from statistics import NormalDist
from typing import Literal

import numpy as np

from attribution.statistics.claim_power import LEVEL, likeness_chances
from attribution.statistics.design import POWER
from attribution.statistics.interval import critical_value
from attribution.statistics.projection import check_share

# Slices up to this size are tried one by one; beyond it the teeth of the power are lower than TOOTH, and the search
# starts where the power comes that close.
SMALL, TOOTH = 60, 0.05


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


def smallest_confirmable_slice(
    n1: int, rate: float, margin: float, *, power: float = POWER, largest: int = 2000
) -> int | None:
    """Fewest recovered questions with which likeness would be confirmed with the wanted power.

    One draw is one recovered or one found question, independent. Power climbs in a saw-tooth, so it must hold for three
    slices in a row. Do not trust it where recovered questions hang together: give it effective numbers.

    Args:
        n1: questions with gold found today.
        rate: their true pass rate, 0 to 1.
        margin: shortfall that still counts as alike, above 0.
        power: wanted probability.
        largest: largest slice to consider.

    Returns:
        The number of questions, or None where no slice up to the largest is enough.

    Raises:
        ValueError: as `claim_power.likeness_chances`, or power is not strictly between 0 and 1.

    References:
        Newcombe (1998, unpaired differences, method 10).

    >>> smallest_confirmable_slice(232, 0.88, 0.15)
    49
    """
    if margin <= unconfirmable_margin(n1, rate, power=power):
        return None

    def held(recovered: int) -> float:
        return likeness_chances(recovered, rate, n1, rate, margin).held

    found = _first_of_three(lambda recovered: held(recovered) >= power, 1, min(SMALL, largest))
    if found is not None or largest <= SMALL:
        return found
    low, high = SMALL, largest
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if held(middle) >= power - TOOTH else (middle, high)
    return _first_of_three(lambda recovered: held(recovered) >= power, low + 1, largest)


def _first_of_three(holds: Callable[[int], bool], first: int, last: int) -> int | None:
    """First number from which something holds three times in a row."""
    run = 0
    for number in range(first, last + 3):
        run = run + 1 if holds(number) else 0
        if run == 3:
            return number - 2
    return None


def unconfirmable_margin(n1: int, rate: float, *, power: float = POWER) -> float:
    """Margin below which likeness cannot be confirmed with this power, however many questions are recovered.

    One draw is one found question: the noise in their rate alone uses the margin up. Normal approximation; do not
    trust it below some thirty found questions or at rates near 0 or 1.

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
    return (critical_value(LEVEL) + NormalDist().inv_cdf(power)) * math.sqrt(rate * (1.0 - rate) / n1)
