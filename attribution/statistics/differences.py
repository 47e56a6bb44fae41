"""Two rates compared: square-and-add of independent rates, Newcombe's paired interval, McNemar's test."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass

from attribution.statistics.interval import Interval, Undefined, critical_value, wilson_limits


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Two-sided p-values of the same discordant pairs.

    Attributes:
        exact: conditional binomial test; never above its nominal size, at the price of power.
        midp: the exact value less half the weight of the observed table on either side.
    """

    exact: float
    midp: float


def difference(first: Interval, second: Interval, *, method: str = "newcombe") -> Interval:
    """Difference of two independent rates whose own intervals are known, by square-and-add.

    One draw is one case of either rate; the two rates must come from disjoint cases. Do not trust it for
    the same questions measured twice: that is `newcombe_paired`.

    Args:
        first: the rate from which is subtracted, with limits.
        second: the rate that is subtracted, at the same level.
        method: name put into the result.

    Returns:
        first - second, in -1 to 1. With an empty side the estimate is None and the limits are all that
        the other side leaves possible.

    Raises:
        ValueError: the two levels differ.

    References:
        Newcombe (1998, unpaired differences, method 10); Zou & Donner (2008).

    >>> from attribution.statistics.proportions import wilson
    >>> gap = difference(wilson(204, 232), wilson(79, 168))
    >>> round(gap.estimate, 3), round(gap.lower, 3), round(gap.upper, 3)
    (0.409, 0.32, 0.491)
    """
    if first.level != second.level:
        msg = f"the two rates have limits at different levels: {first.level} and {second.level}"
        raise ValueError(msg)
    (low1, high1), (low2, high2) = first.bounds, second.bounds
    n = first.n + second.n
    if first.estimate is None or second.estimate is None:
        return Interval(
            n=n,
            count=None,
            estimate=None,
            lower=low1 - high2,
            upper=high1 - low2,
            level=first.level,
            method=method,
            reason=Undefined.no_cases,
        )
    gap = first.estimate - second.estimate
    down = math.hypot(first.estimate - low1, high2 - second.estimate)
    up = math.hypot(high1 - first.estimate, second.estimate - low2)
    return Interval(n=n, count=None, estimate=gap, lower=gap - down, upper=gap + up, level=first.level, method=method)


def paired_correlation(a: int, b: int, c: int, d: int) -> float:
    """Correlation of the two sides of a paired table, pulled towards 0 for small positive association.

    Args:
        a: pairs that succeed on both sides.
        b: pairs that succeed on the first side only.
        c: pairs that succeed on the second side only.
        d: pairs that succeed on neither.

    Returns:
        Corrected phi in -1 to 1; 0 where a margin is empty.

    References:
        Newcombe (1998, paired differences, method 10).

    >>> round(paired_correlation(190, 11, 6, 21), 6)
    0.653043
    """
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    if margins == 0:
        return 0.0
    cross = float(a * d - b * c)
    if cross > 0.0:
        cross = max(cross - (a + b + c + d) / 2.0, 0.0)
    return cross / math.sqrt(margins)


def newcombe_paired(a: int, b: int, c: int, d: int, *, level: float = 0.95) -> Interval:
    """Difference (b - c)/n between two passes over the same questions: first side minus second.

    One draw is one question, measured on both sides. Do not trust it for repeats of a question counted as
    questions of their own; it is wider than need be where few pairs are discordant.

    Args:
        a: questions that pass on both sides.
        b: questions that pass on the first side only.
        c: questions that pass on the second side only.
        d: questions that pass on neither.
        level: confidence level.

    Returns:
        The difference, in -1 to 1; estimate None and limits -1 and 1 where there are no questions.

    Raises:
        ValueError: a count is negative, or the level is not a level.

    References:
        Newcombe (1998, paired differences, method 10); Fagerland, Lydersen & Laake (2014).

    >>> gap = newcombe_paired(190, 11, 6, 21)
    >>> round(gap.estimate, 4), round(gap.lower, 4), round(gap.upper, 4)
    (0.0219, -0.0155, 0.0607)
    """
    a, b, c, d = (operator.index(cell) for cell in (a, b, c, d))
    if min(a, b, c, d) < 0:
        msg = f"counts of pairs cannot be negative: {a}, {b}, {c}, {d}"
        raise ValueError(msg)
    z = critical_value(level)
    n = a + b + c + d
    if n == 0:
        return Interval(
            n=0,
            count=None,
            estimate=None,
            lower=-1.0,
            upper=1.0,
            level=level,
            method="newcombe-paired",
            reason=Undefined.no_cases,
        )
    first, second, phi = (a + b) / n, (a + c) / n, paired_correlation(a, b, c, d)
    low1, high1 = wilson_limits(first, n, z)
    low2, high2 = wilson_limits(second, n, z)
    gap = (b - c) / n
    down = _joint_distance(first - low1, high2 - second, phi)
    up = _joint_distance(high1 - first, second - low2, phi)
    return Interval(
        n=n,
        count=None,
        estimate=gap,
        lower=max(-1.0, gap - down),
        upper=min(1.0, gap + up),
        level=level,
        method="newcombe-paired",
    )


def mcnemar(b: int, c: int) -> McNemar:
    """Whether two passes over the same questions differ, from the questions on which they disagree.

    One draw is one discordant question. The p-values invert another test than the interval of
    `newcombe_paired`, so at the margin the two can disagree: decide on the interval.

    Args:
        b: questions that pass on the first side only.
        c: questions that pass on the second side only.

    Returns:
        Two-sided exact and mid-p values; both 1 where nothing is discordant.

    Raises:
        ValueError: a count is negative.

    References:
        McNemar (1947); Fagerland, Lydersen & Laake (2013).

    >>> test = mcnemar(11, 6)
    >>> round(test.exact, 4), round(test.midp, 4)
    (0.3323, 0.2379)
    """
    from scipy.special import bdtr

    b, c = operator.index(b), operator.index(c)
    if min(b, c) < 0:
        msg = f"counts of discordant questions cannot be negative: {b}, {c}"
        raise ValueError(msg)
    if b + c == 0:
        return McNemar(exact=1.0, midp=1.0)
    few, total = min(b, c), b + c
    exact = min(1.0, 2.0 * float(bdtr(few, total, 0.5)))
    # An even split has no mirror image: one table, of which half counts.
    ways = math.lgamma(total + 1) - math.lgamma(few + 1) - math.lgamma(total - few + 1)
    weight = math.exp(ways - total * math.log(2.0))
    return McNemar(exact=exact, midp=1.0 - weight / 2.0 if b == c else exact - weight)


def _joint_distance(first: float, second: float, phi: float) -> float:
    """Length of two correlated distances added, the sides of a triangle whose angle has cosine phi."""
    return math.sqrt(max(0.0, first * first - 2.0 * phi * first * second + second * second))
