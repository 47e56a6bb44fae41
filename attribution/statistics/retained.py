"""The claim that questions which had gold and kept it are not disturbed, from counts and from means of repeats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attribution.statistics.claims import Claim, Gap, Reason, Untested
from attribution.statistics.differences import newcombe_paired
from attribution.statistics.interval import Interval
from attribution.statistics.paired_means import paired_mean, standard_error, t_quantile

RETAINED = "retained"


def retained_undisturbed(
    both: int, before_only: int, after_only: int, neither: int, *, margin: float, power: float | None = None
) -> Claim | Untested:
    """Questions that had gold and kept it pass as often as before, less a margin.

    One draw is one retained question, answered in both runs. Do not trust it for repeats counted as questions:
    that is `retained_undisturbed_means`.

    Args:
        both: retained questions that passed before and after.
        before_only: that passed before only.
        after_only: that pass after only.
        neither: that passed in neither run.
        margin: shortfall that counts as none, above 0.
        power: probability of holding it if true, as reckoned beforehand.

    Returns:
        The claim, which gates; untested where nothing is retained.

    Raises:
        ValueError: a count is negative, or margin is not above 0.

    References:
        Newcombe (1998, paired differences, method 10).

    >>> gap = retained_undisturbed(190, 11, 6, 21, margin=0.07).gap(0.9, 1.0)
    >>> round(gap.estimate, 4), round(gap.lower, 4), round(gap.upper, 4)
    (-0.0219, -0.054, 0.0091)
    """
    counts = (both, after_only, before_only, neither)
    newcombe_paired(*counts)

    def gap(level: float, grown: float) -> Interval:
        return newcombe_paired(*(round(grown * count) for count in counts), level=level)

    return _of_retained(gap, sum(counts), margin, power)


def retained_undisturbed_means(
    differences: Sequence[float],
    *,
    weight: Sequence[float] | None = None,
    margin: float,
    power: float | None = None,
) -> Claim | Untested:
    """The claim of `retained_undisturbed` where questions have repeats or weights.

    One draw is one retained question with all its answers.

    Args:
        differences: for each retained question its share of passes after less the one before, -1 to 1.
        weight: weight of each question, above 0; by default all alike.
        margin: shortfall that counts as none, above 0.
        power: probability of holding it if true, as reckoned beforehand.

    Returns:
        The claim, which gates; untested with fewer than two retained questions.

    Raises:
        ValueError: as `paired_means.paired_mean`, or margin is not above 0.

    References:
        Student (1908), the t interval.

    >>> claim = retained_undisturbed_means([0, 0, -1 / 3, 0, 1 / 3, 0, -2 / 3, 0, 0, 0] * 5, margin=0.1)
    >>> round(claim.gap(0.9, 1.0).estimate, 4), round(claim.gap(0.9, 1.0).lower, 4)
    (-0.0667, -0.1403)
    """
    mean = paired_mean(differences, weight=weight)
    n = mean.n
    weights = np.ones(n) if weight is None else np.asarray(weight, dtype=np.float64)
    if mean.estimate is None or n < 2:
        return Untested(name=RETAINED, reason=Reason.no_questions, margin=margin, gates=True)
    point = mean.estimate
    # The spread is measured with one more question that gains all and one that loses all. Where nothing differs
    # the limits would have no width, and two quiet questions would prove that none is ever disturbed.
    guarded = np.append(weights, [weights.mean()] * 2)
    error = standard_error(np.append(differences, [1.0, -1.0]), guarded)

    def gap(level: float, grown: float) -> Interval:
        half = t_quantile(level, grown * n - 1.0) * (error or 0.0) / math.sqrt(grown)
        return replace(mean, lower=point - half, upper=point + half, level=level, method="t-paired-guarded")

    return _of_retained(gap, n, margin, power)


def _of_retained(gap: Gap, size: int, margin: float, power: float | None) -> Claim | Untested:
    if size == 0:
        return Untested(name=RETAINED, reason=Reason.no_questions, margin=margin, gates=True)
    return Claim(name=RETAINED, margin=margin, gap=gap, gates=True, size=size, power=power)
