"""Intervals of the splits between different sets of questions, from posterior draws of every rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attribution.statistics.composition import funnel_pass, shapley
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.posterior import METHOD, rate_draws, summary
from attribution.statistics.projection import check_levels

Split = Callable[[Sequence[Any], Sequence[Any]], Sequence[Any]]


def funnel_split(before: Sequence[Interval], after: Sequence[Interval], *, level: float = 0.95) -> tuple[Interval, ...]:
    """What each stage's survival and each pass rate added to the change of the pass rate, with intervals.

    One draw is one question of either run. With recall alone and the two pass rates it is Kitagawa's split. Do not
    trust it for the same questions in both runs; other conditions as in `split_limits`.

    Args:
        before: survival of each stage among those that survived the one before, then the pass rate with gold,
            then without; up to 8 rates of the earlier run.
        after: the same of the later run, on other questions.
        level: level of the inputs and of the result.

    Returns:
        One part a rate, in its order, and last the total change; on the scale of a pass rate.

    Raises:
        ValueError: as `split_limits`.

    References:
        Shapley (1953); Shorrocks (2013); Brown, Cai & DasGupta (2001), for the prior.

    >>> from attribution.statistics.proportions import wilson
    >>> parts = funnel_split(
    ...     [wilson(232, 400), wilson(204, 232), wilson(79, 168)], [wilson(280, 400), wilson(238, 280), wilson(60, 120)]
    ... )
    >>> [round(part.estimate, 4) for part in parts]
    [0.0455, -0.0188, 0.0107, 0.0375]
    >>> round(parts[0].lower, 3), round(parts[0].upper, 3)
    (0.02, 0.072)
    """

    def split(first: Sequence[Any], second: Sequence[Any]) -> Sequence[Any]:
        return [*shapley(funnel_pass, first, second), funnel_pass(second) - funnel_pass(first)]

    return split_limits(split, before, after, level=level)


def split_limits(
    split: Split, before: Sequence[Interval], after: Sequence[Interval], *, level: float = 0.95
) -> tuple[Interval, ...]:
    """Intervals for any split that is a function of rates before and rates after.

    One draw is one question of either run; the rates must be independent of each other, as pass rates within
    disjoint kinds and the survivals of a funnel are. Limits are equal-tailed over posterior draws with Jeffreys'
    prior on every rate, seeded from the counts. Do not trust it for the same questions in both runs.

    Args:
        split: the parts as a function of the rates before and the rates after, for numbers and for arrays.
        before: rates of the earlier run, on plain or effective counts.
        after: rates of the later run.
        level: level of the inputs and of the result.

    Returns:
        One interval a part. Where a rate has no cases every part is None, within -1 and 1.

    Raises:
        ValueError: there is no rate, or one has limits at another level, or the split refuses them.

    References:
        Brown, Cai & DasGupta (2001), for the prior.

    >>> from attribution.statistics.proportions import wilson
    >>> part, = split_limits(lambda first, second: [second[0] - first[0]], [wilson(3, 10)], [wilson(6, 10)])
    >>> round(part.estimate, 2), round(part.lower, 2), round(part.upper, 2)
    (0.3, -0.12, 0.63)
    """
    rates = [*before, *after]
    check_levels(level, *rates)
    n, known = sum(each[0].n for each in (before, after) if each), [rate.estimate for rate in rates]
    # A rate without cases takes any value here: only the number of parts is wanted then.
    points = split(*_sides([0.5 if each is None else each for each in known], len(before)))
    if None in known:
        unknown = Interval(
            n=n,
            count=None,
            estimate=None,
            lower=-1.0,
            upper=1.0,
            level=level,
            method=METHOD,
            reason=Undefined.no_cases,
        )
        return tuple(unknown for _ in points)
    parts = split(*_sides(list(rate_draws(rates)), len(before)))
    return tuple(
        summary(float(point), part, n=n, level=level, method=METHOD) for point, part in zip(points, parts, strict=True)
    )


def _sides(values: Sequence[Any], before: int) -> tuple[Sequence[Any], Sequence[Any]]:
    return values[:before], values[before:]
