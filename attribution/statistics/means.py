"""The mean of one value a question, and its interval, from sums over strata."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from attribution.statistics.allocation import largest_unseen_share
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.paired_means import t_quantile


def mean_of(rows: Sequence[Mapping[str, Any]], *, level: float, bounded: bool) -> Interval:
    """Mean of one value a question, with Student's interval.

    One draw is one question; its repeats are averaged before. With weights the mean is weighted to traffic and its
    variance the linearised one between questions within strata, on as many degrees of freedom as there are questions
    beyond the strata. With equal weights and one stratum this is the one-sample t interval.

    Do not trust it where most questions share one value and few others decide: below some twenty of those, count them.

    Args:
        rows: one a stratum, each with the sums over its questions of weight (w), w squared, w times value (v),
            w squared times v, w squared times v squared, and the lowest and highest value.
        level: confidence level.
        bounded: whether values lie in 0 to 1; limits are then held there.

    Returns:
        The mean on the scale of the values, which are 0 or more. Without questions the estimate is None. Where all
        values are equal the limits allow for the largest share of other values that could have gone unseen. An upper
        limit is None where that leaves none for an unbounded value; one question has the whole range, with a reason.

    References:
        Student (1908); Cochran (1977); Hanley & Lippman-Hand (1983).

    >>> sums = {"questions": 40, "weights": 40, "squared_weights": 40, "weighted": 20.0, "twice_weighted": 20.0}
    >>> found = mean_of([sums | {"squares": 14.0, "lowest": 0.0, "highest": 1.0}], level=0.95, bounded=True)
    >>> found.estimate, round(found.lower, 4), round(found.upper, 4)
    (0.5, 0.3976, 0.6024)
    """
    n = sum(int(row["questions"]) for row in rows)
    top = 1.0 if bounded else math.inf
    if n == 0:
        return _interval(n, None, (None, None), level, reason=Undefined.no_cases)
    weights = math.fsum(row["weights"] for row in rows)
    kish = weights**2 / math.fsum(row["squared_weights"] for row in rows)
    effective = None if math.isclose(kish, n, rel_tol=1e-9) else kish
    lowest, highest = min(row["lowest"] for row in rows), max(row["highest"] for row in rows)
    # A sum over many questions may leave their range by its last digit.
    estimate = min(max(math.fsum(row["weighted"] for row in rows) / weights, lowest), highest)
    if n == 1:
        limits = (0.0, 1.0) if bounded else (0.0, None)
        return _interval(n, estimate, limits, level, effective=effective, reason=Undefined.one_question)
    if lowest == highest:
        unseen = largest_unseen_share(max(1, math.floor(kish)), level=(1.0 + level) / 2.0)
        below, above = unseen * estimate, unseen * (top - estimate)
    else:
        below = above = t_quantile(level, n - _strata(rows)) * _standard_error(rows, estimate, weights)
    upper = min(top, estimate + above)
    limits = (max(0.0, estimate - below), None if math.isinf(upper) else upper)
    return _interval(n, estimate, limits, level, effective=effective)


def _strata(rows: Sequence[Mapping[str, Any]]) -> int:
    """Strata that cost a degree of freedom; those of one question are taken together as one."""
    alone = sum(1 for row in rows if row["questions"] == 1)
    return min(len(rows) - alone + (alone > 0), sum(int(row["questions"]) for row in rows) - 1)


def _standard_error(rows: Sequence[Mapping[str, Any]], mean: float, weights: float) -> float:
    """Linearised standard error; strata of one question form one together, around the overall mean if it is one."""
    total = 0.0
    alone = [row for row in rows if row["questions"] == 1]
    for group in [[row] for row in rows if row["questions"] > 1] + ([alone] if alone else []):
        n = sum(int(row["questions"]) for row in group)
        residual = math.fsum(row["weighted"] - mean * row["weights"] for row in group)
        square = math.fsum(
            row["squares"] - 2.0 * mean * row["twice_weighted"] + mean * mean * row["squared_weights"] for row in group
        )
        total += max(0.0, square - residual * residual / n) * n / (n - 1) if n > 1 else square
    return math.sqrt(total) / weights


def _interval(
    n: int,
    estimate: float | None,
    limits: tuple[float | None, float | None],
    level: float,
    *,
    effective: float | None = None,
    reason: Undefined | None = None,
) -> Interval:
    lower, upper = limits
    return Interval(
        n=n,
        count=None,
        estimate=estimate,
        lower=lower,
        upper=upper,
        level=level,
        method="t",
        n_effective=effective,
        reason=reason,
    )
