"""A rate over questions that are not a simple random sample: traffic weights, strata, several cases a question."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.proportions import wilson, wilson_effective

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Above this multiple of the size that the weights alone allow, a small estimated variance is luck, not precision.
CAP = 1.5


@dataclass(frozen=True, slots=True)
class Profiles:
    """Questions grouped by identical rows: parallel arrays, one entry a profile (see `rate` for the fields)."""

    successes: Integers
    cases: Integers
    weight: Floats
    stratum: Integers
    multiplicity: Integers

    def where(self, keep: NDArray[np.bool_]) -> Profiles:
        """Return the profiles that are kept."""
        return Profiles(
            self.successes[keep], self.cases[keep], self.weight[keep], self.stratum[keep], self.multiplicity[keep]
        )


def rate(
    successes: ArrayLike,
    cases: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    stratum: ArrayLike | None = None,
    multiplicity: ArrayLike | None = None,
    level: float = 0.95,
) -> Interval:
    """A rate over questions, with weights, strata and repeats accounted for.

    One draw is one question with all its cases. With equal weights and at most one case a question this is
    Wilson's interval on the counts. Otherwise the estimate is the weighted ratio of successes to cases, its
    variance the linearised one between questions within strata, and the limits are Wilson's at the sample
    size that would give this variance. Strata matter only where weights differ.

    Questions without a case belong in the arrays too: whether a question falls into the denominator is
    chance, and with unequal weights that chance is part of the variance. With equal weights they are dropped.

    A stratum of one question has no spread of its own. All such strata are taken together as one; if that
    leaves one question still, its distance from the overall rate stands in for its spread.

    Do not trust it with fewer than some ten questions in the denominator, or where the weights themselves
    are guesses: they are taken as known.

    Args:
        successes: cases that count, per question of the profile; integers, shape (k,).
        cases: cases in the denominator, per question of the profile; integers, shape (k,).
        weight: weight of one question of the profile, above 0, any scale; shape (k,). Default: all equal.
        stratum: code of the stratum; integers, shape (k,). Default: one stratum.
        multiplicity: questions that share the profile; positive integers, shape (k,). Default: 1 each.
        level: confidence level.

    Returns:
        The rate, in 0 to 1, with n and count as plain sums. Without cases the estimate is None. If weights or
        repeats matter and one question alone has cases, the limits are 0 and 1 with a reason.

    Raises:
        ValueError: shapes differ, successes are not within 0 to cases, a weight is not above 0, a multiplicity
            is below 1, or the level is not a level.

    References:
        Kish (1965); Korn & Graubard (1998); Rao & Scott (1992).

    >>> rate([1, 0], [1, 1], multiplicity=[6, 14]).method
    'wilson'
    >>> weighted = rate(
    ...     [1, 0, 1, 0], [1, 1, 1, 1], weight=[2, 2, 1, 1], stratum=[0, 0, 1, 1], multiplicity=[8, 2, 5, 5]
    ... )
    >>> weighted.method, round(weighted.estimate, 4), round(weighted.n_effective, 2)
    ('wilson-effective', 0.7, 19.11)
    >>> rate([2], [3]).reason.value
    'a single question: its spread cannot be measured'
    """
    critical_value(level)
    rows = _profiles(successes, cases, weight, stratum, multiplicity)
    count, n = int(rows.multiplicity @ rows.successes), int(rows.multiplicity @ rows.cases)
    inside = rows.cases > 0
    equal_weights = n == 0 or float(np.ptp(rows.weight)) <= 1e-12 * float(rows.weight.max())
    if n == 0 or (equal_weights and int(rows.cases.max()) <= 1):
        return wilson(count, n, level=level)
    if equal_weights:
        rows = rows.where(inside)
        rows = Profiles(
            rows.successes, rows.cases, np.ones_like(rows.weight), np.zeros_like(rows.stratum), rows.multiplicity
        )
    estimate = weighted_share(rows)
    if int(rows.multiplicity[rows.cases > 0].sum()) == 1:
        return Interval(
            n=n,
            count=count,
            estimate=estimate,
            lower=0.0,
            upper=1.0,
            level=level,
            method="wilson-effective",
            reason=Undefined.one_question,
        )
    return wilson_effective(estimate, effective_size(rows), n=n, count=count, level=level)


def weighted_share(rows: Profiles) -> float:
    """Weighted successes over weighted cases; equal to the plain ratio where all weights are equal.

    Args:
        rows: profiles with at least one case.

    Returns:
        The share, 0 to 1.

    References:
        Cochran (1977), the ratio estimator.

    >>> rows = Profiles(np.array([3, 0]), np.array([3, 3]), np.ones(2), np.zeros(2, dtype=int), np.array([6, 4]))
    >>> weighted_share(rows)
    0.6
    """
    scale = rows.multiplicity * rows.weight
    return min(1.0, float(scale @ rows.successes) / float(scale @ rows.cases))


def linearised_variance(rows: Profiles) -> float:
    """Variance of the weighted ratio between questions, by Taylor linearisation within strata.

    Args:
        rows: profiles with at least one case and two questions.

    Returns:
        The variance, on the scale of a squared proportion.

    References:
        Cochran (1977).

    >>> rows = Profiles(np.array([3, 0]), np.array([3, 3]), np.ones(2), np.zeros(2, dtype=int), np.array([6, 4]))
    >>> round(linearised_variance(rows), 6)
    0.026667
    """
    share = weighted_share(rows)
    residual = rows.weight * (rows.successes - share * rows.cases)
    codes, where = np.unique(rows.stratum, return_inverse=True)
    size = np.bincount(where, weights=rows.multiplicity, minlength=len(codes))
    # Questions alone in their stratum form a stratum of their own, which takes the number after the last.
    where = np.where(size[where] == 1, len(codes), where)
    size = np.bincount(where, weights=rows.multiplicity, minlength=len(codes) + 1)
    total = np.bincount(where, weights=rows.multiplicity * residual, minlength=len(codes) + 1)
    filled = size > 1
    # Residuals sum to 0 over all questions, so a centre of 0 is the overall rate: used where one question is left.
    centre = np.where(filled, total / np.maximum(size, 1.0), 0.0)
    spread = np.bincount(where, weights=rows.multiplicity * (residual - centre[where]) ** 2, minlength=len(codes) + 1)
    factor = np.where(filled, size / np.maximum(size - 1.0, 1.0), 1.0)
    cases = float((rows.multiplicity * rows.weight) @ rows.cases)
    return float(factor @ spread) / cases**2


def effective_size(rows: Profiles) -> float:
    """Cases of a simple random sample that would be as precise as these questions.

    Capped at 1.5 times what the weights alone allow. Where the variance is 0 (all pass, all fail), it is the
    number of questions that the weights leave: repeats that all agree are no evidence of being independent.

    Args:
        rows: profiles with at least one case and two questions.

    Returns:
        The size in cases, above 0.

    References:
        Korn & Graubard (1998); Kish (1965).

    >>> rows = Profiles(np.array([3, 0]), np.array([3, 3]), np.ones(2), np.zeros(2, dtype=int), np.array([6, 4]))
    >>> round(effective_size(rows), 6)
    9.0
    """
    share, variance = weighted_share(rows), linearised_variance(rows)
    scale = rows.multiplicity * rows.weight
    kish = kish_size(rows.weight, rows.multiplicity) / float(scale.sum())
    questions = kish * float(scale[rows.cases > 0].sum())
    ceiling = CAP * kish * float(scale @ rows.cases)
    information = share * (1.0 - share)
    # Rounding leaves a variance of 1e-33 where it is 0 on paper, which must not read as perfect precision.
    if variance * ceiling <= 1e-12 * information or information == 0.0:
        return questions
    return min(information / variance, ceiling)


def kish_size(weight: ArrayLike, multiplicity: ArrayLike) -> float:
    """Questions of equal weight that would be as precise as these weighted ones, where rates do not vary by stratum.

    Args:
        weight: weight of one question of each profile, above 0; shape (k,).
        multiplicity: questions of each profile; shape (k,).

    Returns:
        Effective number of questions, at most their number.

    References:
        Kish (1965).

    >>> round(kish_size([0.5 / 100, 0.3 / 50, 0.2 / 30], [100, 50, 30]), 2)
    177.51
    """
    weights, questions = np.asarray(weight, dtype=np.float64), np.asarray(multiplicity, dtype=np.float64)
    return float((questions @ weights) ** 2 / (questions @ weights**2))


def _profiles(
    successes: ArrayLike,
    cases: ArrayLike,
    weight: ArrayLike | None,
    stratum: ArrayLike | None,
    multiplicity: ArrayLike | None,
) -> Profiles:
    """Check the arrays and give those that were left out their defaults."""
    done, asked = _integers(successes, "successes"), _integers(cases, "cases")
    rows = Profiles(
        done,
        asked,
        np.ones(len(asked)) if weight is None else np.asarray(weight, dtype=np.float64),
        np.zeros(len(asked), dtype=np.int64) if stratum is None else _integers(stratum, "stratum"),
        np.ones(len(asked), dtype=np.int64) if multiplicity is None else _integers(multiplicity, "multiplicity"),
    )
    if {rows.weight.shape, done.shape, rows.stratum.shape, rows.multiplicity.shape} != {asked.shape}:
        raise ValueError("successes, cases, weight, stratum and multiplicity must have one entry a profile each")
    if bool(np.any((done < 0) | (done > asked))):
        raise ValueError("the successes of a profile lie between 0 and its cases")
    if not bool(np.all((rows.weight > 0.0) & np.isfinite(rows.weight))):
        raise ValueError("weights must be finite and above 0")
    if bool(np.any(rows.multiplicity < 1)):
        raise ValueError("a profile stands for at least one question")
    if (
        asked.size and not 1e-100 < float(rows.weight.max()) < 1e100
    ):  # squares of these would leave the range of a double
        return replace(rows, weight=rows.weight / rows.weight.max())
    return rows


def _integers(values: ArrayLike, name: str) -> Integers:
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        msg = f"{name} must be a list of whole numbers"
        raise ValueError(msg)
    return array.astype(np.int64)
