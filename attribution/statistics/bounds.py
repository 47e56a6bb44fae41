"""What the projection can be at most and at least, with nothing assumed about the questions that change side."""

from __future__ import annotations

from dataclasses import dataclass

from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.projection import check_share


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Extremes of the projection at the estimated rates, with no assumption on the questions that change side.

    Attributes:
        lower: projection if they all fail.
        upper: projection if they all pass.
        monotone_lower: lower bound if gold never hurts.
        monotone_upper: upper bound if gold never hurts.
        reason: why the bounds are None.
    """

    lower: float | None
    upper: float | None
    monotone_lower: float | None
    monotone_upper: float | None
    reason: Undefined | None = None


def bounds(recall_target: float, recall: Interval, with_gold: Interval, without_gold: Interval) -> Bounds:
    """Lowest and highest pass rate at another recall, whatever becomes of the questions that change side.

    Holds at the estimated rates: sampling error comes on top. Below the present recall the bounds are those of
    a regression, with questions losing their gold.

    Args:
        recall_target: recall after the change, 0 to 1.
        recall: recall now.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.

    Returns:
        Bounds in 0 to 1, and those that hold if gold never hurts; None with a reason where a rate that matters
        has no cases.

    Raises:
        ValueError: recall_target lies outside 0 to 1.

    References:
        Manski (1990).

    >>> from attribution.statistics.proportions import wilson
    >>> wide = bounds(0.85, wilson(232, 400), wilson(204, 232), wilson(79, 168))
    >>> round(wide.lower, 4), round(wide.monotone_lower, 4), round(wide.upper, 4)
    (0.5805, 0.7075, 0.8505)
    """
    check_share(recall_target, "recall_target")
    nothing = Bounds(lower=None, upper=None, monotone_lower=None, monotone_upper=None, reason=Undefined.no_cases)
    if recall.estimate is None:
        return nothing
    shares = ((recall.estimate, with_gold.estimate), (1.0 - recall.estimate, without_gold.estimate))
    if any(weight > 0.0 and share is None for weight, share in shares):
        return nothing
    passed = sum(weight * share for weight, share in shares if share is not None)
    moved = abs(recall_target - recall.estimate)
    gains = recall_target >= recall.estimate
    # Who moves leaves the cell that it comes from, with that cell's rate, for an unknown one. An empty cell gives none.
    leaving = (without_gold if gains else with_gold).estimate or 0.0
    lower, upper = passed - moved * leaving, passed + moved * (1.0 - leaving)
    return Bounds(
        lower=lower,
        upper=upper,
        monotone_lower=passed if gains else lower,
        monotone_upper=upper if gains else passed,
    )
