"""A judge's rate shifted by its mean error on labelled questions: a cross-check of the two-phase estimate."""

from __future__ import annotations

import math
import operator

from attribution.statistics.confusion import Confusion
from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.posterior import unknown
from attribution.statistics.projection import check_share


def prediction_powered(
    labelled: Confusion, unlabelled_pass: int, unlabelled: int, *, weight: float | None = None, level: float = 0.95
) -> Interval:
    """True pass rate as the judge's rate on unlabelled questions plus its mean error on labelled ones.

    One draw is one question, labelled at random. With two verdicts it estimates what `two_phase.two_phase` does, with
    normal limits. Do not trust it in that one's place: below some sixty labels it covers too little and leans
    by up to a point; a wide gap between the two asks for a look at the counts.

    Args:
        labelled: labelled questions by truth and verdict.
        unlabelled_pass: the other questions judged pass.
        unlabelled: the other questions.
        weight: how far to follow the judge, 0 (labels only) to 1. Default: the weight of least variance.
        level: confidence level.

    Returns:
        The rate, clipped to 0 to 1. With fewer than two labelled or no other questions the estimate is None and the
        limits are 0 and 1.

    Raises:
        ValueError: counts do not nest, weight lies outside 0 to 1, or the level is not a level.

    References:
        Angelopoulos et al. (2023), and their PPI++ of the same year for the weight.

    >>> items = Confusion(true_pass=60, false_fail=10, false_pass=6, true_fail=24)
    >>> found = prediction_powered(items, 205, 300, weight=1.0)
    >>> round(found.estimate, 4), round(found.lower, 4), round(found.upper, 4)
    (0.7233, 0.6292, 0.8174)
    """
    z = critical_value(level)
    if not 0 <= operator.index(unlabelled_pass) <= operator.index(unlabelled):
        msg = f"a count lies between 0 and n: count {unlabelled_pass}, n {unlabelled}"
        raise ValueError(msg)
    if weight is not None:
        check_share(weight, "weight")
    n = labelled.passes + labelled.fails
    method = "ppi++" if weight is None else "ppi"
    if n < 2 or unlabelled == 0:
        return unknown(n + unlabelled, level=level, reason=Undefined.no_cases, method=method)
    truth, judged = labelled.passes / n, (labelled.true_pass + labelled.false_pass) / n
    covariance = labelled.true_pass / n - truth * judged
    elsewhere = unlabelled_pass / unlabelled
    if weight is None:
        whole = n + unlabelled
        pooled = (n * judged + unlabelled_pass) / whole
        spread = pooled * (1.0 - pooled) * whole / (whole - 1)
        weight = min(1.0, max(0.0, covariance / ((1.0 + n / unlabelled) * spread))) if spread > 0.0 else 0.0
    point = weight * elsewhere + truth - weight * judged
    of_labels = truth * (1.0 - truth) + weight**2 * judged * (1.0 - judged) - 2.0 * weight * covariance
    half = z * math.sqrt(weight**2 * elsewhere * (1.0 - elsewhere) / unlabelled + max(0.0, of_labels) / n)
    estimate = min(1.0, max(0.0, point))
    return Interval(
        n=n + unlabelled,
        count=None,
        estimate=estimate,
        lower=min(1.0, max(0.0, point - half)),
        upper=min(1.0, max(0.0, point + half)),
        level=level,
        method=method,
        reason=None if estimate == point else Undefined.clipped,
    )
