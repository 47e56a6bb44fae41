"""How many questions it takes: standard errors, sample sizes, smallest detectable changes."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

from attribution.statistics.interval import Point, Undefined, critical_value
from attribution.statistics.projection import check_share

POWER = 0.8


def standard_error(rate: float, n: float) -> float:
    """Standard error of a proportion of n independent cases.

    Args:
        rate: the proportion, 0 to 1.
        n: cases, above 0; may be effective.

    Returns:
        The standard error, on the scale of a proportion. Near 0 and 1 it is no basis for an interval.

    Raises:
        ValueError: rate lies outside 0 to 1, or n is not above 0.

    References:
        Cochran (1977).

    >>> standard_error(0.75, 300)
    0.025
    """
    check_share(rate, "rate")
    _check_size(n)
    return math.sqrt(rate * (1.0 - rate) / n)


def unpaired_size(rate: float, change: float, *, level: float = 0.95, power: float = POWER) -> float:
    """Questions needed in each of two separate sets to show a change of the pass rate.

    One draw is one question of either set. Do not trust it for the same questions run twice: those need
    fewer, see `paired_size`.

    Args:
        rate: pass rate of the first set, 0 to 1.
        change: difference to show, not 0; rate + change must lie within 0 to 1.
        level: confidence level of the two-sided test.
        power: wanted probability of showing it.

    Returns:
        Questions in each set, not rounded.

    Raises:
        ValueError: change is 0, a rate leaves 0 to 1, or level or power is not strictly between 0 and 1.

    References:
        Fleiss, Levin & Paik (2003).

    >>> round(unpaired_size(0.75, 0.05), 1)
    1093.7
    """
    check_share(rate, "rate")
    check_share(rate + change, "rate + change")
    _check_change(change)
    after, middle = rate + change, rate + change / 2.0
    noise_if_equal = math.sqrt(2.0 * middle * (1.0 - middle))
    noise_if_changed = math.sqrt(rate * (1.0 - rate) + after * (1.0 - after))
    return ((critical_value(level) * noise_if_equal + _power_value(power) * noise_if_changed) / change) ** 2


def paired_size(discordance: float, change: float, *, level: float = 0.95, power: float = POWER) -> float:
    """Questions needed in one set, run before and after, to show a change of the pass rate.

    One draw is one question, answered twice. The share of questions whose outcome differs decides; it cannot
    be below the churn of a build run twice. Do not trust it with a guessed discordance.

    Args:
        discordance: share of questions whose outcome differs between the runs, 0 to 1.
        change: difference to show, not 0, at most the discordance in size.
        level: confidence level of the two-sided test.
        power: wanted probability of showing it.

    Returns:
        Questions, not rounded.

    Raises:
        ValueError: change is 0 or larger than the discordance, or a share is out of range.

    References:
        Miettinen (1968); Connor (1987).

    >>> round(paired_size(0.10, 0.05), 1)
    311.6
    """
    check_share(discordance, "discordance")
    _check_change(change)
    if abs(change) > discordance:
        msg = f"the pass rate cannot change by {change} where only {discordance} of the outcomes differ"
        raise ValueError(msg)
    noise_if_equal = math.sqrt(discordance)
    noise_if_changed = math.sqrt(discordance - change * change)
    return ((critical_value(level) * noise_if_equal + _power_value(power) * noise_if_changed) / change) ** 2


def unpaired_detectable(n: float, rate: float, *, level: float = 0.95, power: float = POWER) -> Point:
    """Smallest rise of the pass rate that two separate sets of n questions are likely to show.

    One draw is one question of either set. Do not trust it for the same questions run twice: those show less, see
    `paired_detectable`.

    Args:
        n: questions in each set, above 0.
        rate: pass rate of the first set, 0 to 1.
        level: confidence level of the two-sided test.
        power: wanted probability of showing it.

    Returns:
        The rise as a share, or None with a reason where not even a rise to 1 would show.

    Raises:
        ValueError: n is not above 0, rate lies outside 0 to 1, or level or power is out of range.

    References:
        Fleiss, Levin & Paik (2003), solved for the difference.

    >>> round(unpaired_detectable(400, 0.75).estimate, 4)
    0.0805
    """
    check_share(rate, "rate")
    return _smallest(lambda change: unpaired_size(rate, change, level=level, power=power), n, 1.0 - rate)


def paired_detectable(n: float, discordance: float, *, level: float = 0.95, power: float = POWER) -> Point:
    """Smallest change of the pass rate that n questions run before and after are likely to show.

    One draw is one question, answered twice. Do not trust it with a guessed discordance.

    Args:
        n: questions, above 0.
        discordance: share of questions whose outcome differs between the runs, 0 to 1.
        level: confidence level of the two-sided test.
        power: wanted probability of showing it.

    Returns:
        The change as a share, or None with a reason where it would have to exceed the discordance.

    Raises:
        ValueError: n is not above 0, discordance lies outside 0 to 1, or level or power is out of range.

    References:
        Connor (1987), solved for the difference.

    >>> round(paired_detectable(400, 0.10).estimate, 4)
    0.0442
    >>> paired_detectable(15, 0.20).reason.name
    'undetectable'
    """
    check_share(discordance, "discordance")
    return _smallest(lambda change: paired_size(discordance, change, level=level, power=power), n, discordance)


def _smallest(size_for: Callable[[float], float], n: float, largest: float) -> Point:
    """Change that needs exactly n questions, among those up to the largest possible."""
    from scipy.optimize import brentq

    _check_size(n)
    if largest <= 0.0 or size_for(largest) > n:
        return Point(estimate=None, reason=Undefined.undetectable)
    least = 1e-9 * largest
    while size_for(least) < n:
        least *= 1e-3
    return Point(estimate=float(brentq(lambda change: size_for(change) - n, least, largest, xtol=1e-12)))


def _power_value(power: float) -> float:
    if not 0.0 < power < 1.0:
        msg = f"power must lie strictly between 0 and 1, not {power}"
        raise ValueError(msg)
    return NormalDist().inv_cdf(power)


def _check_size(n: float) -> None:
    if not 0.0 < n < math.inf:
        msg = f"a number of questions must be finite and above 0, not {n}"
        raise ValueError(msg)


def _check_change(change: float) -> None:
    if not abs(change) > 0.0:
        msg = f"no number of questions shows a change of {change}"
        raise ValueError(msg)
