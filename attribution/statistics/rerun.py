"""Where the pass rate of the next run will fall: on the same questions, and on fresh ones."""

from __future__ import annotations

import math
import operator

from attribution.statistics.interval import Interval, Undefined, critical_value, wilson_limits
from attribution.statistics.projection import check_levels, check_share, project, project_measured


def answers_each(recall: Interval, *, answers: int, questions: int) -> float:
    """Answers that flip each by itself, to every question that the size of a rate stands for.

    Where repeats of a question differ in their evidence, the size of recall already counts some of them apart.

    Args:
        recall: recall with its effective size.
        answers: answers given.
        questions: questions they were given to; 0 where there is none.

    Returns:
        At least 1.

    >>> from attribution.statistics.proportions import wilson, wilson_effective
    >>> answers_each(wilson(60, 100), answers=100, questions=100)
    1.0
    >>> answers_each(wilson_effective(0.6, 100.0, n=300, count=180), answers=300, questions=100)
    3.0
    """
    if not questions or not recall.size:
        return 1.0
    return max(1.0, min(answers / questions, answers / recall.size))


def next_run_same_questions(
    recall_target: float,
    recall: Interval,
    with_gold: Interval,
    without_gold: Interval,
    *,
    churn: float,
    answers_each: float = 1.0,
    recovered: Interval | None = None,
    level: float = 0.95,
) -> Interval:
    """Pass rate that a run with the new recall will show on the same questions.

    One draw is one answer to each question again. Questions that keep their side keep their outcome but for
    churn; those that change side pass at the rate of the side they come to, known only from its own sample,
    and take with them an unknown part of the passes of the side they leave. It is narrower than the interval
    of the true rate because most questions stay. Do not trust it with a guessed churn: measure it by running
    the unchanged build twice, (flips + 1/2)/(questions + 1).

    Args:
        recall_target: recall of the new run on these questions, 0 to 1.
        recall: recall now; with weights or repeats its effective size stands for the number of questions.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.
        churn: share of outcomes that flip when nothing changes, 0 to 1.
        answers_each: answers to a question, at least 1: they flip each by itself, and their mean the less.
        recovered: pass rate of the questions that change side, where it is known better than from the side they
            come to.
        level: level of the inputs and of the result.

    Returns:
        The expected pass rate and limits, in 0 to 1. If something has no cases the estimate is None and the
        limits are 0 and 1.

    Raises:
        ValueError: a share lies outside 0 to 1, there is less than one answer a question, or an input has limits at
            another level.

    References:
        Cochran (1977), for drawing the movers without replacement.

    >>> from attribution.statistics.proportions import wilson
    >>> run = next_run_same_questions(0.85, wilson(232, 400), wilson(204, 232), wilson(79, 168), churn=0.0)
    >>> round(run.estimate, 4), round(run.lower, 4), round(run.upper, 4)
    (0.8175, 0.7923, 0.8428)
    """
    check_share(recall_target, "recall_target")
    check_share(churn, "churn")
    if not answers_each >= 1.0:
        msg = f"a question has at least one answer, not {answers_each}"
        raise ValueError(msg)
    check_levels(level, recall, with_gold, without_gold)
    method = "predictive-same"
    found, missed = with_gold.estimate, without_gold.estimate
    if recall.estimate is None or found is None or missed is None:
        return Interval(
            n=recall.n,
            count=None,
            estimate=None,
            lower=0.0,
            upper=1.0,
            level=level,
            method=method,
            reason=Undefined.no_cases,
        )
    n = recall.size
    moved = abs(recall_target - recall.estimate) * n
    # A fall in recall is the same walk the other way: questions leave the found for the missing.
    gains = recall_target >= recall.estimate
    left = missed if gains else found
    side = recovered or (with_gold if gains else without_gold)
    joined, known = side.estimate if side.estimate is not None else left, side.size
    pool = ((1.0 - recall.estimate) if gains else recall.estimate) * n
    rate = (joined * known + 0.5) / (known + 1.0)
    present = recall.estimate * found + (1.0 - recall.estimate) * missed
    centre = min(1.0, max(0.0, present + moved / n * (rate - left)))
    spread = rate * (1.0 - rate)
    unknown_rate = moved**2 * spread / (known + 2.0)
    own_luck = moved * spread * (known + 1.0) / (known + 2.0)
    # Rounding can make the movers a hair more than the pool, which has no negative part to give.
    taken_along = moved * max(0.0, pool - moved) / (pool - 1.0) * left * (1.0 - left) if pool > 1.0 else 0.0
    flips = (n - moved) * churn / answers_each
    half = critical_value(level) * math.sqrt(unknown_rate + own_luck + taken_along + flips) / n
    return Interval(
        n=recall.n,
        count=None,
        estimate=centre,
        lower=max(0.0, centre - half),
        upper=min(1.0, centre + half),
        level=level,
        method=method,
    )


def next_run_fresh_questions(
    recall_target: float | Interval,
    with_gold: Interval,
    without_gold: Interval,
    *,
    questions: int,
    level: float = 0.95,
) -> Interval:
    """Pass rate that a run with the new recall will show on a fresh set of questions from the same source.

    One draw is a fresh simple random set. The interval of the projection alone is for the true rate and would
    raise false alarms; here the chance in the new set is added to it. Do not trust it for a set drawn from
    other traffic.

    Args:
        recall_target: recall to expect on the fresh set, 0 to 1; with its limits where it was measured.
        with_gold: pass rate where gold was there.
        without_gold: pass rate where it was not.
        questions: independent questions in the fresh set, at least 1.
        level: level of the inputs and of the result.

    Returns:
        The projected pass rate with limits for what the run will show, in 0 to 1. If a rate that matters has no
        cases the estimate is None and the limits are 0 and 1.

    Raises:
        ValueError: recall_target lies outside 0 to 1, questions is below 1, or an input has another level.

    References:
        Zou & Donner (2008); Wilson (1927).

    >>> from attribution.statistics.proportions import wilson
    >>> run = next_run_fresh_questions(0.85, wilson(204, 232), wilson(79, 168), questions=400)
    >>> round(run.lower, 4), round(run.upper, 4)
    (0.7591, 0.8655)
    """
    if isinstance(recall_target, Interval):
        true = project_measured(recall_target, with_gold, without_gold, level=level)
    else:
        true = project(recall_target, with_gold, without_gold, level=level)
    return fresh_questions_around(true, questions=questions)


def fresh_questions_around(projection: Interval, *, questions: int) -> Interval:
    """Pass rate that fresh questions will show where the true rate is projected.

    One draw is a fresh simple random set, whose own chance is added to that of the projection. Do not trust it for a
    set drawn from other traffic.

    Args:
        projection: the projected pass rate with its limits, however it was made.
        questions: independent questions in the fresh set, at least 1.

    Returns:
        The projection with limits for what the run will show, in 0 to 1; 0 and 1 where it has no estimate.

    Raises:
        ValueError: questions is below 1.

    References:
        Wilson (1927); Zou & Donner (2008).

    >>> from attribution.statistics.proportions import wilson
    >>> run = fresh_questions_around(project(0.85, wilson(204, 232), wilson(79, 168)), questions=400)
    >>> round(run.lower, 4), round(run.upper, 4)
    (0.7591, 0.8655)
    """
    questions = operator.index(questions)
    if questions < 1:
        msg = f"a fresh set has at least one question, not {questions}"
        raise ValueError(msg)
    lower, upper = 0.0, 1.0
    if projection.estimate is not None:
        point = projection.estimate
        low, high = wilson_limits(point, questions, critical_value(projection.level))
        bottom, top = projection.bounds
        lower = max(0.0, point - math.hypot(point - bottom, point - low))
        upper = min(1.0, point + math.hypot(top - point, high - point))
    return Interval(
        n=projection.n,
        count=None,
        estimate=projection.estimate,
        lower=lower,
        upper=upper,
        level=projection.level,
        method="predictive-fresh",
        reason=projection.reason,
    )
