"""One rate and its limits, and two independent rates; paired comparisons live in `differences`."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace

from attribution.statistics.differences import difference, mcnemar
from attribution.statistics.interval import Interval, Undefined, critical_value, wilson_limits


def wilson(count: int, n: int, *, level: float = 0.95) -> Interval:
    """A proportion with Wilson's score interval.

    One draw is one case, all equally likely and independent. Do not trust it for repeats of a question
    counted as cases, or for a set drawn with unequal chances: `survey.rate` handles both.

    Args:
        count: cases that count, 0 to n.
        n: cases.
        level: confidence level.

    Returns:
        The proportion, in 0 to 1, with limits exactly 0 at count 0 and exactly 1 at count n. Without cases
        the estimate is None and the limits are 0 and 1.

    Raises:
        ValueError: count is negative or above n, or the level is not a level.

    References:
        Wilson (1927); Newcombe (1998, single proportion); Brown, Cai & DasGupta (2001).

    >>> rate = wilson(6, 20)
    >>> rate.estimate, round(rate.lower, 4), round(rate.upper, 4)
    (0.3, 0.1455, 0.519)
    >>> wilson(0, 0).reason.value
    'no cases'
    """
    count, n = _checked(count, n)
    z = critical_value(level)
    if n == 0:
        return _no_cases(level, "wilson")
    lower, upper = wilson_limits(count / n, n, z)
    return Interval(n=n, count=count, estimate=count / n, lower=lower, upper=upper, level=level, method="wilson")


def wilson_effective(
    estimate: float, n_effective: float, *, n: int, count: int | None = None, level: float = 0.95
) -> Interval:
    """A proportion from a complex sample, with the Wilson interval of the simple sample that is as precise.

    One draw is one case of the simple sample that n_effective stands for. It is as good as the variance from
    which n_effective was made: do not trust it below some ten questions.

    Args:
        estimate: weighted proportion, 0 to 1.
        n_effective: effective number of cases, above 0; may be fractional.
        n: cases as counted.
        count: cases that count, as counted.
        level: confidence level.

    Returns:
        The proportion, in 0 to 1; n and count stay as counted.

    Raises:
        ValueError: the estimate lies outside 0 to 1, n_effective is not above 0, or the level is not a level.

    References:
        Korn & Graubard (1998).

    >>> rate = wilson_effective(0.68, 182.9057, n=180, count=125)
    >>> round(rate.lower, 4), round(rate.upper, 4)
    (0.6093, 0.7433)
    """
    if not 0.0 <= estimate <= 1.0:
        msg = f"a proportion lies between 0 and 1, not {estimate}"
        raise ValueError(msg)
    if not n_effective > 0.0:
        msg = f"n_effective must be above 0, not {n_effective}"
        raise ValueError(msg)
    lower, upper = wilson_limits(estimate, n_effective, critical_value(level))
    return Interval(
        n=n,
        count=count,
        estimate=float(estimate),
        lower=lower,
        upper=upper,
        level=level,
        method="wilson-effective",
        n_effective=float(n_effective),
    )


def goodman(counts: Sequence[int], *, level: float = 0.95) -> tuple[Interval, ...]:
    """Shares of a whole whose intervals hold all at once, for statements about several shares together.

    One draw is one case, which falls into exactly one category. Do not trust it where a case may belong to
    two categories; for a statement about one share alone `wilson` is narrower.

    Args:
        counts: cases in each category; their sum is the whole.
        level: confidence that every interval holds.

    Returns:
        One share per category in the order given, each in 0 to 1.

    Raises:
        ValueError: a count is negative, or the level is not a level.

    References:
        Goodman (1965).

    >>> [round(share.upper, 3) for share in goodman([60, 20, 9, 28])]
    [0.625, 0.274, 0.162, 0.349]
    """
    critical_value(level)
    if not counts:
        return ()
    whole = sum(operator.index(count) for count in counts)
    each = 1.0 - (1.0 - level) / len(counts)
    shares = (wilson(count, whole, level=each) for count in counts)
    return tuple(replace(share, level=level, method="goodman") for share in shares)


def jeffreys(count: int, n: int, *, level: float = 0.95) -> Interval:
    """A proportion with the equal-tailed posterior interval under Jeffreys' prior.

    One draw is one case, all equally likely and independent. Slightly narrower than Wilson's and allowed to
    cover a little less than its level. Do not trust sums of it over strata, for every prior adds a case.

    Args:
        count: cases that count, 0 to n.
        n: cases.
        level: probability inside the interval.

    Returns:
        The proportion, in 0 to 1, with limits exactly 0 at count 0 and exactly 1 at count n. Without cases
        the estimate is None and the limits are 0 and 1.

    Raises:
        ValueError: count is negative or above n, or the level is not a level.

    References:
        Brown, Cai & DasGupta (2001).

    >>> rate = jeffreys(6, 20)
    >>> round(rate.lower, 4), round(rate.upper, 4)
    (0.1361, 0.5172)
    """
    from scipy.special import betaincinv

    count, n = _checked(count, n)
    critical_value(level)
    if n == 0:
        return _no_cases(level, "jeffreys")
    tail = (1.0 - level) / 2.0
    shape = (count + 0.5, n - count + 0.5)
    # At levels near 0 the posterior's middle can lie beside the proportion: the limits hold it all the same.
    lower = 0.0 if count == 0 else min(count / n, float(betaincinv(*shape, tail)))
    upper = 1.0 if count == n else max(count / n, float(betaincinv(*shape, 1.0 - tail)))
    return Interval(n=n, count=count, estimate=count / n, lower=lower, upper=upper, level=level, method="jeffreys")


def newcombe(x1: int, n1: int, x2: int, n2: int, *, level: float = 0.95) -> Interval:
    """Difference x1/n1 - x2/n2 of two independent proportions.

    One draw is one case of either group. Do not trust it when the groups share questions, or when a
    question occurs more than once in a group.

    Args:
        x1: successes of the first group.
        n1: cases of the first group.
        x2: successes of the second group.
        n2: cases of the second group.
        level: confidence level.

    Returns:
        The difference, in -1 to 1; estimate None with a reason where a group is empty.

    Raises:
        ValueError: a count is negative or above its n, or the level is not a level.

    References:
        Newcombe (1998, unpaired differences, method 10).

    >>> gap = newcombe(56, 70, 48, 80)
    >>> round(gap.estimate, 4), round(gap.lower, 4), round(gap.upper, 4)
    (0.2, 0.0524, 0.3339)
    """
    return difference(wilson(x1, n1, level=level), wilson(x2, n2, level=level))


def leader_test(a: int, b: int) -> float:
    """Two-sided p-value that two categories of one whole are equally large.

    One draw is one case of either category; the other categories do not matter. Do not trust it after picking
    the largest of many: adjust for every comparison made.

    Args:
        a: cases in the first category.
        b: cases in the second category.

    Returns:
        Exact binomial p-value, 1 where both are empty.

    Raises:
        ValueError: a count is negative.

    References:
        Dixon & Mood (1946), the sign test.

    >>> round(leader_test(60, 28), 6)
    0.000846
    """
    # Given a + b, equal categories split like a fair coin: the same calculation as McNemar's exact test.
    return mcnemar(a, b).exact


def _checked(count: int, n: int) -> tuple[int, int]:
    """Return both as plain integers, or say what is wrong with them."""
    count, n = operator.index(count), operator.index(n)
    if not 0 <= count <= n:
        msg = f"a count lies between 0 and n: count {count}, n {n}"
        raise ValueError(msg)
    return count, n


def _no_cases(level: float, method: str) -> Interval:
    return Interval(
        n=0, count=0, estimate=None, lower=0.0, upper=1.0, level=level, method=method, reason=Undefined.no_cases
    )
