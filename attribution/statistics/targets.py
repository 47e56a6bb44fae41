"""The projection turned round: the recall that a target pass rate needs."""

from __future__ import annotations

from dataclasses import dataclass

from attribution.statistics.differences import difference
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.projection import check_levels, check_share, project


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredRecall:
    """The recall at which the projection meets a target.

    Attributes:
        target: pass rate asked for.
        estimate: recall at which the projected rate equals it; above 1 or below 0 it is only a sign of how far
            out of reach or how easily met the target is. None where no recall can be named.
        lower: lowest recall whose projection interval holds the target.
        upper: highest such recall; 1 where it is open.
        attainable: whether the estimate lies at or below 1. None where it is undefined.
        upper_open: even full recall leaves the lower limit of the projection below the target.
        level: confidence level of the limits.
        reason: why a figure is None or out of range.
    """

    target: float
    estimate: float | None
    lower: float | None
    upper: float | None
    attainable: bool | None
    upper_open: bool
    level: float
    reason: Undefined | None = None


def required_recall(
    target: float, with_gold: Interval, without_gold: Interval, *, level: float = 0.95
) -> RequiredRecall:
    """Recall at which the projected pass rate reaches a target, with the recalls that are compatible with it.

    One draw is one question. The limits are those recalls whose projection interval holds the target. Do not
    trust it where recovered questions are harder: then more recall is needed. Break-even recall for a cost in
    pass rate is the same question with the present pass rate plus that cost as its target.

    Args:
        target: pass rate asked for, 0 to 1.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.
        level: confidence level of both rates and of the result.

    Returns:
        The recall and its limits. Nothing but a reason where a rate has no cases, the rates are equal, or the
        interval of their difference holds 0 or lies below it.

    Raises:
        ValueError: target lies outside 0 to 1, or a rate has limits at another level.

    References:
        Zou & Donner (2008), inverted; Fieller (1954), for the idea of inverting.

    >>> from attribution.statistics.proportions import wilson
    >>> need = required_recall(0.8, wilson(204, 232), wilson(79, 168))
    >>> round(need.estimate, 3), round(need.lower, 3), round(need.upper, 3), need.upper_open
    (0.806, 0.725, 0.915, False)
    >>> required_recall(0.8, wilson(50, 100), wilson(50, 100)).reason.name
    'equal_rates'
    """
    check_share(target, "target")
    check_levels(level, with_gold, without_gold)
    refusal = _slope_refusal(with_gold, without_gold)
    if with_gold.estimate is None or without_gold.estimate is None or refusal is not None:
        return RequiredRecall(
            target=target,
            estimate=None,
            lower=None,
            upper=None,
            attainable=None,
            upper_open=False,
            level=level,
            reason=refusal,
        )
    estimate = (target - without_gold.estimate) / (with_gold.estimate - without_gold.estimate)
    # The upper limit of the projection gives the lower limit of recall, and the other way round.
    lower = _recall_where_limit_meets(target, with_gold, without_gold, upper_limit=True)
    upper = _recall_where_limit_meets(target, with_gold, without_gold, upper_limit=False)
    reason = None
    if target > with_gold.estimate:
        reason = Undefined.unattainable
    elif estimate < 0.0:
        reason = Undefined.not_needed
    return RequiredRecall(
        target=target,
        estimate=estimate,
        lower=lower,
        upper=None if lower is None else 1.0 if upper is None else upper,
        attainable=target <= with_gold.estimate,
        upper_open=upper is None,
        level=level,
        reason=reason,
    )


def _slope_refusal(with_gold: Interval, without_gold: Interval) -> Undefined | None:
    """Why the effect of gold cannot carry a statement about recall; None where it can."""
    slope = difference(with_gold, without_gold)
    lower, upper = slope.bounds
    if slope.estimate is None:
        return Undefined.no_cases
    if slope.estimate == 0.0:
        return Undefined.equal_rates
    if upper < 0.0:
        return Undefined.slope_negative
    return Undefined.slope_unclear if lower <= 0.0 else None


def _recall_where_limit_meets(
    target: float, with_gold: Interval, without_gold: Interval, *, upper_limit: bool
) -> float | None:
    """Recall at which a limit of the projection equals the target: 0 if it does before, None if never."""
    from scipy.optimize import brentq

    def excess(recall: float) -> float:
        return project(recall, with_gold, without_gold, level=with_gold.level).bounds[upper_limit] - target

    if excess(1.0) < 0.0:
        return None
    return 0.0 if excess(0.0) >= 0.0 else float(brentq(excess, 0.0, 1.0, xtol=1e-12))
