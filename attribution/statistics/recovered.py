"""The pass rate at a higher recall where the questions that gain their gold have a pass rate of their own.

`projection` lets them pass like those whose gold is found today. Here their rate comes from elsewhere: from answering a
sample of them with the gold put into the prompt, or from what somebody states.
"""

from __future__ import annotations

import math

from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.projection import check_levels, check_share, project, project_measured

METHOD = "mover-recovered"


def project_recovered(
    recall_target: float | Interval,
    recall: Interval,
    with_gold: Interval,
    recovered: Interval,
    without_gold: Interval,
    *,
    level: float = 0.95,
) -> Interval:
    """Pass rate if recall rose to a target and recovered questions passed at a rate of their own.

    With r for recall now and r' for the target it is r with_gold + (r' - r) recovered + (1 - r') without_gold: three
    independent rates by square-and-add. As r parts the found from the recovered, its own noise comes in where these
    two rates differ; so does that of a measured target, which is taken to hold all that is found today and to move
    with it. One draw is one question. Do not trust it where the recovered questions were not a random part of those
    without gold, or were answered from a prompt the fix will not produce.

    Args:
        recall_target: recall after the change, 0 to 1, as known or with limits; not above the present recall, nothing
            is recovered and this is `projection.project`.
        recall: recall now.
        with_gold: pass rate where gold was there.
        recovered: pass rate of questions that gain their gold.
        without_gold: pass rate where it was not there.
        level: level of the inputs and of the result.

    Returns:
        The projected pass rate, in 0 to 1. If a rate that matters has no cases, the estimate is None and the limits
        are those of what is possible.

    Raises:
        ValueError: recall_target lies outside 0 to 1, or an input has limits at another level.

    References:
        Zou & Donner (2008); Zou (2008), for parts that move together.

    >>> from attribution.statistics.proportions import wilson
    >>> found, missed = wilson(204, 232), wilson(79, 168)
    >>> forecast = project_recovered(0.85, wilson(232, 400), found, wilson(42, 60), missed)
    >>> round(forecast.estimate, 4), round(forecast.lower, 4), round(forecast.upper, 4)
    (0.7695, 0.7235, 0.8066)
    >>> project_recovered(0.4, wilson(232, 400), found, wilson(42, 60), missed).method
    'mover-wilson'
    """
    measured = recall_target if isinstance(recall_target, Interval) else None
    target = recall_target.estimate if isinstance(recall_target, Interval) else recall_target
    check_levels(level, recall, with_gold, recovered, without_gold, *([measured] if measured else []))
    n = with_gold.n + recovered.n + without_gold.n
    if target is None or recall.estimate is None:
        ends = [rate.bounds for rate in (with_gold, recovered, without_gold)]
        return _result(n, None, min(low for low, _ in ends), max(high for _, high in ends), level)
    check_share(target, "recall_target")
    if target <= recall.estimate:
        if measured is not None:
            return project_measured(measured, with_gold, without_gold, level=level)
        return project(target, with_gold, without_gold, level=level)
    parts = ((recall.estimate, with_gold), (target - recall.estimate, recovered), (1.0 - target, without_gold))
    used = [(weight, rate) for weight, rate in parts if weight > 0.0]
    lower = math.fsum(weight * rate.bounds[0] for weight, rate in used)
    upper = math.fsum(weight * rate.bounds[1] for weight, rate in used)
    known = [(weight, rate.estimate, *rate.bounds) for weight, rate in used if rate.estimate is not None]
    if len(known) < len(used):
        return _result(n, None, lower, upper, level)
    point = math.fsum(weight * estimate for weight, estimate, _, _ in known)
    down = math.hypot(*(weight * (estimate - low) for weight, estimate, low, _ in known))
    up = math.hypot(*(weight * (high - estimate) for weight, estimate, _, high in known))
    fall, rise = _recalls_move(recall, measured, _slope(with_gold, recovered), _slope(recovered, without_gold))
    limits = max(0.0, point - math.hypot(down, fall)), min(1.0, point + math.hypot(up, rise))
    return _result(n, point, *limits, level)


def _slope(above: Interval, below: Interval) -> float:
    """Difference of two rates; 0 where one has no cases, which only happens where it has no weight."""
    return 0.0 if above.estimate is None or below.estimate is None else above.estimate - below.estimate


def _recalls_move(recall: Interval, measured: Interval | None, now: float, then: float) -> tuple[float, float]:
    """How far the noise of both recalls carries the projection down and up.

    Args:
        recall: recall now.
        measured: the target, where it was measured.
        now: how the projection changes with recall now.
        then: how it changes with the target.
    """
    here, there = _moves(recall, now), (0.0, 0.0) if measured is None else _moves(measured, then)
    together = 0.0
    if measured is not None and recall.estimate and measured.estimate and measured.estimate < 1.0:
        # The target holds all that is found now, so both are counted on the same questions.
        odds = recall.estimate * (1.0 - measured.estimate) / (measured.estimate * (1.0 - recall.estimate))
        together = math.copysign(math.sqrt(odds), now * then)
    fall, rise = (math.sqrt(max(0.0, a * a + b * b + 2.0 * together * a * b)) for a, b in zip(here, there, strict=True))
    return fall, rise


def _moves(recall: Interval, slope: float) -> tuple[float, float]:
    """Sizes of the moves down and up that the limits of a recall allow."""
    low, high = recall.bounds
    estimate = recall.estimate or 0.0
    down, up = abs(slope) * (estimate - low), abs(slope) * (high - estimate)
    return (down, up) if slope >= 0.0 else (up, down)


def _result(n: int, point: float | None, lower: float, upper: float, level: float) -> Interval:
    reason = Undefined.no_cases if point is None else None
    return Interval(
        n=n, count=None, estimate=point, lower=lower, upper=upper, level=level, method=METHOD, reason=reason
    )
