"""What a stage costs: the share of failures located there, and the share that a perfect stage would remove."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.posterior import METHOD, Floats, rate_draws, summary
from attribution.statistics.projection import check_levels
from attribution.statistics.proportions import wilson


@dataclass(frozen=True, slots=True, kw_only=True)
class Removable:
    """What would change if a stage lost nothing.

    Attributes:
        gain: gain in pass rate over all questions.
        share_of_failures: share of the failures that would go.
    """

    gain: Interval
    share_of_failures: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovableByStage:
    """Removable failures of every stage alone, and of all together.

    Attributes:
        stages: one entry a stage, in the order given. They do not add up to the joint one.
        jointly: all stages perfect, which is full recall.
    """

    stages: tuple[Removable, ...]
    jointly: Removable


def located_share(failed: Sequence[int], *, level: float = 0.95) -> tuple[Interval, ...]:
    """Share of the failures that first went wrong at each stage.

    One draw is one failed question. Each interval holds by itself; for a statement about several shares at once
    take `proportions.goodman`. Where a failure is located is not what a fix would remove: see
    `removable_share`. Do not trust it for repeats of a question counted as questions.

    Args:
        failed: failures located at each place, the last place included; their sum is all failures.
        level: confidence level of each interval.

    Returns:
        One share a place, in 0 to 1; without failures the estimates are None.

    Raises:
        ValueError: a count is negative, or the level is not a level.

    References:
        Wilson (1927); Quesenberry & Hurst (1964), for the joint problem.

    >>> [round(share.estimate, 3) for share in located_share([60, 20, 9, 28])]
    [0.513, 0.171, 0.077, 0.239]
    """
    whole = sum(failed)
    return tuple(wilson(count, whole, level=level) for count in failed)


def removable_share(
    survival: Sequence[Interval],
    with_gold: Interval,
    without_gold: Interval,
    *,
    recovered: Interval | None = None,
    level: float = 0.95,
) -> RemovableByStage:
    """What perfecting one stage would gain, when what it hands on must still survive the later stages.

    Of n questions a stage loses some; repaired, they pass on at the later stages' survival rates and then gain
    with - without. One draw is one question. Limits are equal-tailed over posterior draws with Jeffreys'
    prior, whose seed is made from the counts, so the same counts give the same bytes. Do not trust it where
    recovered evidence survives the later stages worse than today's.

    Args:
        survival: for each stage in order, the share covered after it among those covered before it (among all
            questions for the first). Their product is the recall.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.
        recovered: pass rate of questions that gain their gold, where it is known apart; None for that with gold.
        level: level of the inputs and of the result.

    Returns:
        Gains in -1 to 1 and shares of failures up to 1, for each stage and for all. If a rate has no cases the
        gains are None within limits and the shares None without; without failures the shares are None.

    Raises:
        ValueError: there is no stage, or an input has limits at another level.

    References:
        Brown, Cai & DasGupta (2001), for the prior.

    >>> funnel = [wilson(300, 400), wilson(260, 300), wilson(232, 260)]
    >>> result = removable_share(funnel, wilson(204, 232), wilson(79, 168))
    >>> [round(stage.gain.estimate, 4) for stage in result.stages], round(result.jointly.gain.estimate, 4)
    ([0.0791, 0.0365, 0.0286], 0.1718)
    >>> round(result.jointly.share_of_failures.estimate, 4)
    0.5874
    """
    if not survival:
        raise ValueError("there is no stage that could lose anything")
    rates = [*survival, with_gold, without_gold, *([] if recovered is None else [recovered])]
    check_levels(level, *rates)
    known = [rate.estimate for rate in rates if rate.estimate is not None]
    n, stages = survival[0].n, len(survival)
    if len(known) < len(rates):
        side = with_gold if recovered is None else recovered
        undefined = [_undefined(lost, side, without_gold, n, level) for lost in _lost_limits(survival)]
        return RemovableByStage(stages=tuple(undefined[:-1]), jointly=undefined[-1])
    points, shares = _gains(np.array(known)[:, None], stages)
    gain_draws, share_draws = _gains(rate_draws(rates), stages)
    results = [
        Removable(
            gain=_summary(float(points[at, 0]), gain_draws[at], n, level),
            share_of_failures=_summary(float(shares[at, 0]), share_draws[at], n, level),
        )
        for at in range(len(points))
    ]
    return RemovableByStage(stages=tuple(results[:-1]), jointly=results[-1])


def _gains(rates: Floats, stages: int) -> tuple[Floats, Floats]:
    """Gains and shares of failures for rates of shape (stages + 2 or 3, draws): one row a stage, then all stages.

    After the survivals come the rates with and without gold, and that of the recovered where it is apart.
    """
    survival, with_gold, without_gold = rates[:stages], rates[stages], rates[stages + 1]
    side = rates[stages + 2] if len(rates) > stages + 2 else with_gold
    recall = survival.prod(axis=0)
    # Leaving one factor out by product, not by division: a stage that loses everything has survival 0.
    others = np.array([np.delete(survival, at, axis=0).prod(axis=0) for at in range(len(survival))])
    lost = np.vstack([others - recall, 1.0 - recall])
    gains = lost * (side - without_gold)
    failures = 1.0 - (recall * with_gold + (1.0 - recall) * without_gold)
    shares = np.full_like(gains, np.nan)
    np.divide(gains, failures, out=shares, where=failures > 0.0)
    return gains, shares


def _summary(point: float, draws: Floats, n: int, level: float) -> Interval:
    if math.isnan(point):
        return Interval(
            n=n,
            count=None,
            estimate=None,
            lower=None,
            upper=None,
            level=level,
            method=METHOD,
            reason=Undefined.no_failures,
        )
    return summary(point, draws, n=n, level=level)


def _lost_limits(survival: Sequence[Interval]) -> list[tuple[float, float]]:
    """Extremes of what each stage, and all together, keep from the model, over the limits of the survivals."""
    low = np.array([rate.bounds[0] for rate in survival])
    high = np.array([rate.bounds[1] for rate in survival])
    limits = []
    for at in range(len(survival)):
        lost = np.delete(low, at).prod() * (1.0 - high[at]), np.delete(high, at).prod() * (1.0 - low[at])
        limits.append((float(lost[0]), float(lost[1])))
    return [*limits, (float(1.0 - high.prod()), float(1.0 - low.prod()))]


def _undefined(lost: tuple[float, float], side: Interval, without: Interval, n: int, level: float) -> Removable:
    """Gain within the extremes of its factors, and no share of failures at all."""
    (low1, high1), (low0, high0) = side.bounds, without.bounds
    corners = [part * slope for part in lost for slope in (low1 - high0, high1 - low0)]

    def without_estimate(lower: float | None, upper: float | None) -> Interval:
        return Interval(
            n=n,
            count=None,
            estimate=None,
            lower=lower,
            upper=upper,
            level=level,
            method=METHOD,
            reason=Undefined.no_cases,
        )

    return Removable(gain=without_estimate(min(corners), max(corners)), share_of_failures=without_estimate(None, None))
