"""The pass rate at another recall, carried over from the rates with and without gold.

Every interval here covers sampling only. That recovered questions would pass as often as those whose gold is
found today is an assumption, and no interval covers it: see `sensitivity`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from attribution.statistics.interval import Interval, Undefined

METHOD = "mover-wilson"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectionRange:
    """The projection over a range of recalls.

    Attributes:
        at_low: projection at the low end of the range.
        at_high: projection at the high end.
        lower: lowest limit anywhere in the range.
        upper: highest limit anywhere in the range.
    """

    at_low: Interval
    at_high: Interval
    lower: float
    upper: float


def project(recall: float, with_gold: Interval, without_gold: Interval, *, level: float = 0.95) -> Interval:
    """Pass rate if gold reached the model for this share of the questions, and nothing else changed.

    One draw is one question: the two rates rest on disjoint questions. Do not trust it where recovered
    questions are harder than those found today, or where labels or outcomes are wrong. At the recall that
    was observed it is not the interval of the pass rate: the chance in the recall is left out.

    Args:
        recall: share of questions whose gold reaches the model, 0 to 1, taken as known.
        with_gold: pass rate where gold was there, with Wilson limits, plain or on effective counts.
        without_gold: pass rate where it was not, likewise.
        level: confidence level of both rates and of the result.

    Returns:
        The projected pass rate, in 0 to 1. If a rate that matters has no cases, the estimate is None and the
        limits are what is possible for any value of that rate.

    Raises:
        ValueError: recall lies outside 0 to 1, or a rate has limits at another level.

    References:
        Zou & Donner (2008); Zou, Huang & Zhang (2009).

    >>> from attribution.statistics.proportions import wilson
    >>> forecast = project(0.85, wilson(204, 232), wilson(79, 168))
    >>> round(forecast.estimate, 4), round(forecast.lower, 4), round(forecast.upper, 4)
    (0.8179, 0.7755, 0.8505)
    >>> project(0.9, wilson(36, 40), wilson(0, 0)).reason.value
    'no cases'
    """
    check_share(recall, "recall")
    check_levels(level, with_gold, without_gold)
    parts = ((recall, with_gold), (1.0 - recall, without_gold))
    point, lower, upper = 0.0, 0.0, 0.0
    known, down, up = True, 0.0, 0.0
    for weight, rate in parts:
        low, high = rate.bounds
        lower, upper = lower + weight * low, upper + weight * high
        if weight == 0.0:
            continue
        if rate.estimate is None:
            known = False
            continue
        point += weight * rate.estimate
        down, up = math.hypot(down, weight * (rate.estimate - low)), math.hypot(up, weight * (high - rate.estimate))
    n = with_gold.n + without_gold.n
    if not known:
        # Square-and-add needs a point to start from; without one, only the weighted limits remain.
        return _unknown(n, lower, upper, level, METHOD)
    # The limits never leave the weighted limits of the parts; rounding must not either.
    return _interval(n, point, max(lower, point - down), min(upper, point + up), level, METHOD)


def project_measured(recall: Interval, with_gold: Interval, without_gold: Interval, *, level: float = 0.95) -> Interval:
    """Projected pass rate at a recall that was itself measured, by replaying the new retrieval on the same questions.

    One draw is one question; the replay needs no generation. Ignoring the noise of the measured recall
    covers too little. Do not trust it where the replay was tuned on these questions.

    Args:
        recall: measured recall with its limits.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.
        level: confidence level of all three and of the result.

    Returns:
        The projected pass rate, in 0 to 1; estimate None where recall or a rate that matters has no cases.

    Raises:
        ValueError: something has limits at another level.

    References:
        Zou & Donner (2008).

    >>> from attribution.statistics.proportions import wilson
    >>> forecast = project_measured(wilson(340, 400), wilson(204, 232), wilson(79, 168))
    >>> round(forecast.lower, 4), round(forecast.upper, 4)
    (0.7727, 0.8529)
    """
    check_levels(level, recall, with_gold, without_gold)
    method = METHOD + "-measured"
    n = with_gold.n + without_gold.n
    ends = [project(end, with_gold, without_gold, level=level) for end in recall.bounds]
    if (
        recall.estimate is None
        or (stated := project(recall.estimate, with_gold, without_gold, level=level)).estimate is None
    ):
        return _unknown(n, *_hull(ends), level, method)
    if with_gold.estimate is None or without_gold.estimate is None:
        # A recall of exactly 0 or 1 needs one rate only, but its limits reach where the other matters.
        return _interval(n, stated.estimate, *_hull([stated, *ends]), level, method)
    slope = with_gold.estimate - without_gold.estimate
    (low, high), (bottom, top) = recall.bounds, stated.bounds
    fall, rise = slope * (recall.estimate - low), slope * (high - recall.estimate)
    if slope < 0.0:
        fall, rise = -rise, -fall
    down = math.hypot(stated.estimate - bottom, fall)
    up = math.hypot(top - stated.estimate, rise)
    return _interval(
        n, stated.estimate, max(0.0, stated.estimate - down), min(1.0, stated.estimate + up), level, method
    )


def project_range(
    low: float, high: float, with_gold: Interval, without_gold: Interval, *, level: float = 0.95
) -> ProjectionRange:
    """Projection for a recall known only to lie in a range: both ends, and the hull of their limits.

    One draw is one question. Nothing is averaged over the range, for that would invent a belief about where in
    it the recall lies. The estimates are monotone in recall, so the ends bound them. Do not trust it where `project`
    is not to be trusted at either end.

    Args:
        low: lowest recall, 0 to 1.
        high: highest recall, at least low.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.
        level: confidence level of both rates and of the result.

    Returns:
        The projection at either end and the hull of the limits.

    Raises:
        ValueError: the range is empty or leaves 0 to 1, or a rate has limits at another level.

    References:
        Zou & Donner (2008), at either end.

    >>> from attribution.statistics.proportions import wilson
    >>> span = project_range(0.8, 0.9, wilson(204, 232), wilson(79, 168))
    >>> round(span.lower, 4), round(span.upper, 4)
    (0.7562, 0.8715)
    """
    if low > high:
        msg = f"a range of recall runs from low to high, not from {low} to {high}"
        raise ValueError(msg)
    ends = [project(end, with_gold, without_gold, level=level) for end in (low, high)]
    lower, upper = _hull(ends)
    return ProjectionRange(at_low=ends[0], at_high=ends[1], lower=lower, upper=upper)


def check_share(value: float, name: str) -> None:
    """Refuse a share outside 0 to 1.

    Args:
        value: the share.
        name: what it is, for the message.

    Raises:
        ValueError: it lies outside 0 to 1 or is not a number.

    >>> check_share(1.2, "recall")
    Traceback (most recent call last):
        ...
    ValueError: recall lies between 0 and 1, not 1.2
    """
    if not 0.0 <= value <= 1.0:
        msg = f"{name} lies between 0 and 1, not {value}"
        raise ValueError(msg)


def check_levels(level: float, *rates: Interval) -> None:
    """Refuse rates whose limits are not at the level asked for: their limits are used as they are.

    Args:
        level: level of the result.
        rates: the rates that go into it.

    Raises:
        ValueError: a rate has another level.

    >>> from attribution.statistics.proportions import wilson
    >>> check_levels(0.95, wilson(3, 4, level=0.9))
    Traceback (most recent call last):
        ...
    ValueError: a rate has limits at level 0.9, the result is asked for at 0.95
    """
    for rate in rates:
        if rate.level != level:
            msg = f"a rate has limits at level {rate.level}, the result is asked for at {level}"
            raise ValueError(msg)


def _hull(intervals: list[Interval]) -> tuple[float, float]:
    return min(each.bounds[0] for each in intervals), max(each.bounds[1] for each in intervals)


def _unknown(n: int, lower: float, upper: float, level: float, method: str) -> Interval:
    return Interval(
        n=n,
        count=None,
        estimate=None,
        lower=lower,
        upper=upper,
        level=level,
        method=method,
        reason=Undefined.no_cases,
    )


def _interval(n: int, point: float, lower: float, upper: float, level: float, method: str) -> Interval:
    return Interval(n=n, count=None, estimate=point, lower=lower, upper=upper, level=level, method=method)
