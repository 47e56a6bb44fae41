"""What a change of recall is worth in pass rate, from the posterior of recall and of both rates."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from attribution.statistics.differences import difference
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.projection import check_levels, check_share

Floats = NDArray[np.float64]

METHOD = "jeffreys-product"
# Gauss-Legendre nodes a panel. 64 agree with 400 to 1e-9 at hundreds of cases a rate, to 5e-4 at one to six.
NODES = 64
# Points at which the difference of both rates is tabulated; with four times as many, limits move by less than 1e-7 at
# hundreds of cases a rate.
POINTS = 513
# Tail of each posterior that the nodes leave out on either side.
OUTSIDE = 1e-10


def gain(
    recall_target: float, recall: Interval, with_gold: Interval, without_gold: Interval, *, level: float = 0.95
) -> Interval:
    """Gain in pass rate if recall moved from where it is to a target: (target - recall)(with - without).

    One draw is one question. The limits are equal-tailed posterior limits, with Jeffreys' prior once on each of
    recall and the two rates, on effective counts; computed by quadrature, so the same counts give the same
    bytes. Subtracting the observed pass rate from the limits of the projection would be wrong: both rest on
    the same questions. Do not trust it where recovered questions are harder: see `sensitivity.discounts`.

    Args:
        recall_target: recall after the change, 0 to 1, taken as known.
        recall: recall now.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.
        level: level of the inputs and of the result.

    Returns:
        The gain, in -1 to 1, negative where recall falls. With all-or-nothing counts the limits are stretched
        to hold the estimate. If something has no cases the estimate is None and the limits come from those of
        the inputs.

    Raises:
        ValueError: recall_target lies outside 0 to 1, or an input has limits at another level.

    References:
        Brown, Cai & DasGupta (2001), for the prior.

    >>> from attribution.statistics.proportions import wilson
    >>> worth = gain(0.85, wilson(232, 400), wilson(204, 232), wilson(79, 168))
    >>> round(worth.estimate, 4), round(worth.lower, 4), round(worth.upper, 4)
    (0.1104, 0.081, 0.1419)
    """
    check_share(recall_target, "recall_target")
    check_levels(level, recall, with_gold, without_gold)
    if recall.estimate is None or with_gold.estimate is None or without_gold.estimate is None:
        lower, upper = _possible(recall_target, recall, with_gold, without_gold)
        return Interval(
            n=recall.n,
            count=None,
            estimate=None,
            lower=lower,
            upper=upper,
            level=level,
            method=METHOD,
            reason=Undefined.no_cases,
        )
    point = (recall_target - recall.estimate) * (with_gold.estimate - without_gold.estimate)
    posterior = gain_posterior(recall_target, recall, with_gold, without_gold)
    tail = (1.0 - level) / 2.0
    return Interval(
        n=recall.n,
        count=None,
        estimate=point,
        lower=min(point, quantile(posterior, tail)),
        upper=max(point, quantile(posterior, 1.0 - tail)),
        level=level,
        method=METHOD,
    )


def gain_measured(measured: Interval, recall: Interval, with_gold: Interval, without_gold: Interval) -> Interval:
    """Gain in pass rate when the new recall was itself measured, with the noise of that measurement.

    One draw is one question. The two recalls are treated as independent; measured on the same questions they are
    not, and the limits are then wider than need be. Do not trust it below some ten cases a rate.

    Args:
        measured: recall of the new retrieval, with limits.
        recall: recall now, at the same level.
        with_gold: pass rate of recovered questions.
        without_gold: pass rate where gold was not there.

    Returns:
        The gain, in -1 to 1; estimate None where something has no cases.

    Raises:
        ValueError: something has limits at another level.

    References:
        Zou, Huang & Zhang (2009).

    >>> from attribution.statistics.proportions import wilson
    >>> found = gain_measured(wilson(340, 400), wilson(232, 400), wilson(204, 232), wilson(79, 168))
    >>> round(found.estimate, 4), round(found.lower, 4), round(found.upper, 4)
    (0.1104, 0.0758, 0.143)
    """
    check_levels(measured.level, recall, with_gold, without_gold)
    moved, slope = difference(measured, recall), difference(with_gold, without_gold)
    ends = [move * rate for move in moved.bounds for rate in slope.bounds]
    n = with_gold.n + without_gold.n
    method = "mover-product"
    if moved.estimate is None or slope.estimate is None:
        return Interval(
            n=n, count=None, estimate=None, lower=min(ends), upper=max(ends), level=measured.level, method=method,
            reason=Undefined.no_cases,
        )  # fmt: skip
    point = moved.estimate * slope.estimate
    down = math.hypot(_towards(slope.estimate, moved, -1), _towards(moved.estimate, slope, -1))
    up = math.hypot(_towards(slope.estimate, moved, 1), _towards(moved.estimate, slope, 1))
    return Interval(
        n=n, count=None, estimate=point, lower=max(-1.0, point - down), upper=min(1.0, point + up),
        level=measured.level, method=method,
    )  # fmt: skip


def _towards(factor: float, other: Interval, direction: int) -> float:
    """How far the product moves in a direction when the other factor goes to the limit that moves it there."""
    lower, upper = other.bounds
    limit = upper if (factor >= 0.0) == (direction > 0) else lower
    return factor * (limit - (other.estimate or 0.0))


def gain_posterior(
    recall_target: float, recall: Interval, with_gold: Interval, without_gold: Interval
) -> Callable[[float], float]:
    """Posterior distribution function of the gain, deterministic.

    Args:
        recall_target: recall after the change.
        recall: recall now, with an estimate.
        with_gold: pass rate where gold was there, with an estimate.
        without_gold: pass rate where it was not, with an estimate.

    Returns:
        The function g -> P(gain <= g).

    Raises:
        ValueError: a rate has no cases.

    References:
        Brown, Cai & DasGupta (2001), for the prior.

    >>> from attribution.statistics.proportions import wilson
    >>> below = gain_posterior(0.85, wilson(232, 400), wilson(204, 232), wilson(79, 168))
    >>> round(below(0.081), 4), round(below(0.1419), 4)
    (0.025, 0.9749)
    """
    # Close to the target the gain turns from surely small to either sign: the nodes must crowd there.
    recalls, weights = jeffreys_nodes(recall, split=recall_target)
    move = recall_target - recalls
    # Gauss nodes do not hit the target itself, but a move of 0 would divide: the gain is then 0 whatever the rates.
    step = np.where(move == 0.0, np.finfo(np.float64).tiny, move)
    slope_below = _slope_distribution(with_gold, without_gold)

    def distribution(value: float) -> float:
        below = slope_below(value / step)
        return float(weights @ np.where(step > 0.0, below, 1.0 - below))

    return distribution


def _slope_distribution(with_gold: Interval, without_gold: Interval) -> Callable[[Floats], Floats]:
    """Posterior distribution function of with - without, tabulated once and interpolated by cubics."""
    from scipy.special import betainc, betaincinv

    # Nodes for the narrower of the two and the distribution function of the wider: the other way round, a rate known
    # for sure would make the table a staircase.
    wide_is_with = _spread(with_gold) >= _spread(without_gold)
    wide, narrow = (with_gold, without_gold) if wide_is_with else (without_gold, with_gold)
    nodes, weights = jeffreys_nodes(narrow)
    shape = _jeffreys_shape(wide)
    low, high = betaincinv(*shape, np.array([OUTSIDE, 1.0 - OUTSIDE]))
    ends = (low - nodes.max(), high - nodes.min()) if wide_is_with else (nodes.min() - high, nodes.max() - low)
    slopes = np.linspace(*ends, POINTS)
    if wide_is_with:
        table = betainc(*shape, np.clip(slopes[:, None] + nodes, 0.0, 1.0)) @ weights
    else:
        table = 1.0 - betainc(*shape, np.clip(nodes - slopes[:, None], 0.0, 1.0)) @ weights
    rises, width = np.gradient(table, edge_order=2), slopes[1] - slopes[0]

    def below(value: Floats) -> Floats:
        place = np.clip((value - slopes[0]) / width, 0.0, POINTS - 1.0)
        at = np.minimum(place.astype(np.int64), POINTS - 2)
        part, step = place - at, table[at + 1] - table[at]
        first, last = rises[at], rises[at + 1]
        bend = 3.0 * step - 2.0 * first - last + part * (first + last - 2.0 * step)
        return np.asarray(table[at] + part * (first + part * bend))

    return below


def _spread(rate: Interval) -> float:
    """Variance of the posterior of a rate."""
    a, b = _jeffreys_shape(rate)
    return a * b / ((a + b) ** 2 * (a + b + 1.0))


def quantile(distribution: Callable[[float], float], probability: float) -> float:
    """Quantile of a distribution on -1 to 1.

    Args:
        distribution: its distribution function, continuous.
        probability: strictly between 0 and 1.

    Returns:
        The value below which it lies with this probability, to 1e-10.

    >>> round(quantile(lambda value: (value + 1.0) / 2.0, 0.25), 6)
    -0.5
    """
    from scipy.optimize import brentq

    return float(brentq(lambda value: distribution(value) - probability, -1.0, 1.0, xtol=1e-10))


def _jeffreys_shape(rate: Interval) -> tuple[float, float]:
    """Posterior of a rate: the prior comes once, on the pooled effective count, never once a stratum."""
    if rate.estimate is None:
        raise ValueError("a rate without cases has no posterior")
    size = rate.size
    return rate.estimate * size + 0.5, (1.0 - rate.estimate) * size + 0.5


def jeffreys_nodes(rate: Interval, split: float | None = None) -> tuple[Floats, Floats]:
    """Nodes and weights for averages over the posterior of a rate, crowded around a split if there is one.

    With p = sin^2(t) the density in t is sin^(2x) cos^(2(n-x)), smooth even where x is 0 or n, so that few
    nodes do.

    Args:
        rate: the rate, with cases.
        split: where the integrand is steep, 0 to 1; None where it is not.

    Returns:
        Rates and their weights, which add up to 1.

    Raises:
        ValueError: the rate has no cases.

    >>> from attribution.statistics.proportions import wilson
    >>> rates, weights = jeffreys_nodes(wilson(204, 232))
    >>> round(float(weights @ rates), 6) == round(204.5 / 233, 6)
    True
    """
    from scipy.special import betaincinv

    a, b = _jeffreys_shape(rate)
    edges = np.arcsin(np.sqrt(betaincinv(a, b, np.array([OUTSIDE, 1.0 - OUTSIDE]))))
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    turn = None if split is None else math.asin(math.sqrt(split))
    if turn is None or not edges[0] < turn < edges[1]:
        angles = edges.mean() + 0.5 * np.ptp(edges) * nodes
    else:
        # The cube puts most nodes close to the split, where the integrand is steep.
        depth = 0.5 * (nodes + 1.0)
        angles = np.concatenate([turn + (edge - turn) * depth**3 for edge in edges])
        weights = np.concatenate([abs(edge - turn) * depth**2 * weights for edge in edges])
    density = (2.0 * a - 1.0) * np.log(np.sin(angles)) + (2.0 * b - 1.0) * np.log(np.cos(angles))
    weights = weights * np.exp(density - density.max())
    return np.sin(angles) ** 2, weights / weights.sum()


def _possible(
    recall_target: float, recall: Interval, with_gold: Interval, without_gold: Interval
) -> tuple[float, float]:
    """Extremes of the gain over the limits of its parts."""
    (low, high), (low1, high1), (low0, high0) = recall.bounds, with_gold.bounds, without_gold.bounds
    corners = [(recall_target - at) * slope for at in (low, high) for slope in (low1 - high0, high1 - low0)]
    return min(corners), max(corners)
