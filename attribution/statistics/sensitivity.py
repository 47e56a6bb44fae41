"""How much of the forecast hangs on recovered questions being like those whose gold is found today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attribution.statistics.gain import gain_posterior, quantile
from attribution.statistics.interval import Interval, Point, Undefined
from attribution.statistics.projection import check_share

KAPPAS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discounted:
    """The forecast if recovered questions gain less than those found today.

    Attributes:
        kappa: share of the advantage of gold that recovered questions miss out on.
        projection: projected pass rate.
        gain: projected gain in pass rate.
        probability: posterior probability that the gain is at least the one asked for.
    """

    kappa: float
    projection: float
    gain: float
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Discounts:
    """How large a discount the forecast survives.

    Attributes:
        gain_min: gain asked for.
        rows: one row a discount; empty where a rate has no cases.
        safe: largest discount at which the gain is reached with probability .95; None if there is none.
        even: largest discount at which it is reached with probability .5; None if there is none.
        reason: why there are no rows.
    """

    gain_min: float
    rows: tuple[Discounted, ...]
    safe: float | None
    even: float | None
    reason: Undefined | None = None


def discounts(
    gain_min: float,
    recall_target: float,
    recall: Interval,
    with_gold: Interval,
    without_gold: Interval,
    *,
    kappas: Sequence[float] = KAPPAS,
) -> Discounts:
    """How the forecast holds up if recovered questions gain less from their gold than those found today.

    A discount kappa lets recovered questions pass at with - kappa (with - without): 0 is as good as found
    questions, 1 is no better than before. One draw is one question; the probability is a posterior one, for
    that kappa. It does not say which kappa is true.

    Args:
        gain_min: smallest gain worth having, above 0.
        recall_target: recall after the change, 0 to 1.
        recall: recall now.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.
        kappas: discounts to tabulate, each 0 to 1.

    Returns:
        One row a discount, and the discounts at which the probability falls to .95 and to .5.

    Raises:
        ValueError: gain_min is not above 0, or a share lies outside 0 to 1.

    References:
        Rosenbaum (2002), for asking how large a departure a conclusion survives.

    >>> from attribution.statistics.proportions import wilson
    >>> table = discounts(0.05, 0.85, wilson(232, 400), wilson(204, 232), wilson(79, 168), kappas=[0, 0.5])
    >>> [round(row.projection, 4) for row in table.rows], [round(row.probability, 3) for row in table.rows]
    ([0.8179, 0.7627], [1.0, 0.734])
    >>> round(table.safe, 2), round(table.even, 2)
    (0.41, 0.54)
    """
    check_share(recall_target, "recall_target")
    if not gain_min > 0.0:
        msg = f"the smallest gain worth having must be above 0, not {gain_min}"
        raise ValueError(msg)
    for kappa in kappas:
        check_share(kappa, "a discount")
    if recall.estimate is None or with_gold.estimate is None or without_gold.estimate is None:
        return Discounts(gain_min=gain_min, rows=(), safe=None, even=None, reason=Undefined.no_cases)
    full = (recall_target - recall.estimate) * (with_gold.estimate - without_gold.estimate)
    passed = recall.estimate * with_gold.estimate + (1.0 - recall.estimate) * without_gold.estimate
    posterior = gain_posterior(recall_target, recall, with_gold, without_gold)
    rows = tuple(
        Discounted(
            kappa=float(kappa),
            projection=passed + (1.0 - kappa) * full,
            gain=(1.0 - kappa) * full,
            probability=0.0 if kappa == 1.0 else 1.0 - posterior(gain_min / (1.0 - kappa)),
        )
        for kappa in kappas
    )
    return Discounts(
        gain_min=gain_min,
        rows=rows,
        safe=_largest_discount(gain_min, quantile(posterior, 0.05)),
        even=_largest_discount(gain_min, quantile(posterior, 0.5)),
    )


def tipping_recovered_pass(gain_min: float, recall_target: float, recall: Interval, without_gold: Interval) -> Point:
    """Lowest pass rate of the recovered questions at which the change still gains this much.

    Holds at the estimates: it has no interval, and no assumption about the recovered questions.

    Args:
        gain_min: smallest gain worth having, as a share of all questions.
        recall_target: recall after the change, 0 to 1.
        recall: recall now.
        without_gold: pass rate where gold was not there.

    Returns:
        A pass rate. Above 1 it comes with a reason: no pass rate of the recovered questions is enough.

    Raises:
        ValueError: recall_target lies outside 0 to 1.

    References:
        Manski (1990), for leaving the unseen rate free.

    >>> from attribution.statistics.proportions import wilson
    >>> round(tipping_recovered_pass(0.05, 0.85, wilson(232, 400), wilson(79, 168)).estimate, 4)
    0.6554
    """
    check_share(recall_target, "recall_target")
    if recall.estimate is None or without_gold.estimate is None:
        return Point(estimate=None, reason=Undefined.no_cases)
    if recall_target <= recall.estimate:
        return Point(estimate=None, reason=Undefined.no_recovery)
    needed = without_gold.estimate + gain_min / (recall_target - recall.estimate)
    return Point(estimate=needed, reason=Undefined.unattainable if needed > 1.0 else None)


def tipping_discount(
    gain_min: float, recall_target: float, recall: Interval, with_gold: Interval, without_gold: Interval
) -> Point:
    """Discount on the recovered questions at which the change gains just this much.

    Holds at the estimates; `discounts` says how sure. A discount of 0 lets recovered questions pass as
    often as found ones, 1 as seldom as before.

    Args:
        gain_min: smallest gain worth having, as a share of all questions.
        recall_target: recall after the change, 0 to 1.
        recall: recall now.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.

    Returns:
        A discount up to 1. Below 0 it comes with a reason: even without a discount the gain falls short.

    Raises:
        ValueError: recall_target lies outside 0 to 1.

    References:
        Rosenbaum (2002), for asking how large a departure a conclusion survives.

    >>> from attribution.statistics.proportions import wilson
    >>> round(tipping_discount(0.05, 0.85, wilson(232, 400), wilson(204, 232), wilson(79, 168)).estimate, 4)
    0.5473
    """
    check_share(recall_target, "recall_target")
    if recall.estimate is None or with_gold.estimate is None or without_gold.estimate is None:
        return Point(estimate=None, reason=Undefined.no_cases)
    if recall_target <= recall.estimate:
        return Point(estimate=None, reason=Undefined.no_recovery)
    slope = with_gold.estimate - without_gold.estimate
    if slope <= 0.0:
        return Point(estimate=None, reason=Undefined.equal_rates if slope == 0.0 else Undefined.slope_negative)
    kappa = 1.0 - gain_min / ((recall_target - recall.estimate) * slope)
    return Point(estimate=kappa, reason=Undefined.unattainable if kappa < 0.0 else None)


def _largest_discount(gain_min: float, low: float) -> float | None:
    """Discount at which the gain that is exceeded with the wanted probability shrinks to the smallest wanted."""
    return 1.0 - gain_min / low if low >= gain_min else None
