"""The projection turned round: the recall that a target pass rate needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from attribution.statistics.differences import difference
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.projection import check_levels, check_share, project
from attribution.statistics.recovered import project_recovered


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
    target: float,
    with_gold: Interval,
    without_gold: Interval,
    *,
    recall: Interval | None = None,
    recovered: Interval | None = None,
    level: float = 0.95,
) -> RequiredRecall:
    """Recall at which the projected pass rate reaches a target, with the recalls that are compatible with it.

    One draw is one question. The limits are those recalls whose projection interval holds the target. Do not
    trust it where recovered questions are harder: then more recall is needed. Break-even recall for a cost in
    pass rate is the same question with the present pass rate plus that cost as its target.

    Args:
        target: pass rate asked for, 0 to 1.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.
        recall: recall now; matters only with `recovered`.
        recovered: pass rate of questions that gain their gold, where it is known apart; None for that with gold.
        level: confidence level of all rates and of the result.

    Returns:
        The recall and its limits. Nothing but a reason where a rate has no cases, recovered questions pass as often
        as those without gold, or the interval of that difference holds 0 or lies below it.

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
    refusal = _slope_refusal(with_gold if recovered is None else recovered, without_gold)
    at = _projector(with_gold, without_gold, recall, recovered)
    full, none = at(1.0).estimate, at(0.0).estimate
    if refusal is not None or full is None or none is None:
        return _refused(target, level, refusal or Undefined.no_cases)
    # The projection bends at today's recall where the recovered have a rate of their own, and is straight elsewhere.
    bend = 0.0 if recall is None or recovered is None else recall.estimate or 0.0
    here = at(bend).estimate or 0.0
    if bend == 1.0 and none >= here:
        # Nothing is left to recover, and what is found gains nothing from its gold.
        return _refused(target, level, Undefined.slope_negative if none > here else Undefined.equal_rates)
    if none < here and (target < here or bend == 1.0):
        estimate = bend * (target - none) / (here - none)
    else:
        estimate = bend + (target - here) * (1.0 - bend) / (full - here)
    # The upper limit of the projection gives the lower limit of recall, and the other way round.
    lower = _recall_where_limit_meets(target, at, upper_limit=True)
    upper = _recall_where_limit_meets(target, at, upper_limit=False)
    reason = None
    if target > full:
        reason = Undefined.unattainable
    elif estimate < 0.0:
        reason = Undefined.not_needed
    return RequiredRecall(
        target=target,
        estimate=estimate,
        lower=lower,
        upper=None if lower is None else 1.0 if upper is None else upper,
        attainable=target <= full,
        upper_open=upper is None,
        level=level,
        reason=reason,
    )


def _refused(target: float, level: float, reason: Undefined) -> RequiredRecall:
    return RequiredRecall(
        target=target,
        estimate=None,
        lower=None,
        upper=None,
        attainable=None,
        upper_open=False,
        level=level,
        reason=reason,
    )


def _projector(
    with_gold: Interval, without_gold: Interval, recall: Interval | None, recovered: Interval | None
) -> Callable[[float], Interval]:
    """Return the projection as a function of recall."""
    if recall is None or recovered is None:
        return lambda target: project(target, with_gold, without_gold, level=with_gold.level)
    return lambda target: project_recovered(target, recall, with_gold, recovered, without_gold, level=with_gold.level)


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


def _recall_where_limit_meets(target: float, at: Callable[[float], Interval], *, upper_limit: bool) -> float | None:
    """Recall at which a limit of the projection equals the target: 0 if it does before, None if never."""
    from scipy.optimize import brentq

    def excess(recall: float) -> float:
        return at(recall).bounds[upper_limit] - target

    if excess(1.0) < 0.0:
        return None
    return 0.0 if excess(0.0) >= 0.0 else float(brentq(excess, 0.0, 1.0, xtol=1e-12))
