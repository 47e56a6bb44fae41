"""The mean of a graded metric on the same questions in two runs: Student's interval and the sign-flip test."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.survey import kish_size

Floats = NDArray[np.float64]

# With fewer differences than this the mean is far from normal, and only the sign-flip test is to be trusted.
ENOUGH = 20
# Flips drawn where there are too many differences to go through all: the error of a p of .05 is .0017.
FLIPS = 16_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTests:
    """Whether a mean difference is 0.

    Attributes:
        p_t: two-sided p-value of the t test; None where the differences have no spread.
        p_flip: two-sided p-value of the sign-flip test, 1 where nothing differs.
        nonzero: questions that differ at all.
        flip_only: so few questions differ that neither p_t nor Student's limits are to be trusted.
    """

    p_t: float | None
    p_flip: float
    nonzero: int
    flip_only: bool


def paired_mean(differences: ArrayLike, *, weight: ArrayLike | None = None, level: float = 0.95) -> Interval:
    """Mean difference of a metric between two runs over the same questions, with Student's limits.

    One draw is one question: the mean over its repeats in one run less that in the other. Rows of repeats as
    questions of their own would make the limits too narrow. Do not trust it where fewer than 20 questions differ
    at all: `paired_tests` says so.

    Args:
        differences: one a question, after less before, in the metric's unit; shape (n,).
        weight: weight of each question, above 0, any scale; shape (n,). Default: all alike.
        level: confidence level.

    Returns:
        The mean in the metric's unit. Without questions it is None; a single one has no limits.

    Raises:
        ValueError: a difference is not finite, a weight is not above 0, shapes differ, or the level is not a
            level.

    References:
        Student (1908).

    >>> found = paired_mean([0.5, 0, 0, -0.25, 0.5, 0, 1 / 3, 0, 0, 0.1])
    >>> round(found.estimate, 4), round(found.lower, 4), round(found.upper, 4)
    (0.1183, -0.0575, 0.2941)
    """
    critical_value(level)
    values, weights = _checked(differences, weight)
    n = len(values)
    uneven = n > 0 and float(np.ptp(weights)) > 1e-12 * float(weights.max())
    found = Interval(
        n=n,
        count=None,
        estimate=_mean(values, weights) if n else None,
        lower=None,
        upper=None,
        level=level,
        method="t-paired",
        n_effective=kish_size(weights, np.ones(n)) if uneven else None,
        reason=Undefined.no_cases if n == 0 else Undefined.one_question if n == 1 else None,
    )
    error = standard_error(values, weights)
    if found.estimate is None or error is None:
        return found
    half = t_quantile(level, n - 1.0) * error
    return replace(found, lower=found.estimate - half, upper=found.estimate + half)


def paired_tests(differences: ArrayLike, *, weight: ArrayLike | None = None) -> PairedTests:
    """Whether the mean difference of a metric is 0, by Student's test and by flipping signs.

    One draw is one question. The sign-flip test takes a difference to be as likely as its opposite if there is
    no effect. With fewer than 20 questions that differ all ways to sign them are gone through; with more, 16,000
    are drawn with a seed from the differences.

    Args:
        differences: as in `paired_mean`.
        weight: as in `paired_mean`.

    Returns:
        Both p-values. Without a question that differs p_flip is 1.

    Raises:
        ValueError: as `paired_mean`, but for the level.

    References:
        Fisher (1935), for the sign-flip test; Student (1908).

    >>> found = paired_tests([0.5, 0, 0, -0.25, 0.5, 0, 1 / 3, 0, 0, 0.1])
    >>> round(found.p_t, 4), found.p_flip, found.nonzero, found.flip_only
    (0.1622, 0.1875, 5, True)
    """
    values, weights = _checked(differences, weight)
    nonzero = int(np.count_nonzero(values))
    observed, error = abs(_mean(values, weights)), standard_error(values, weights)
    return PairedTests(
        p_t=_t_test(observed / error, len(values) - 1.0) if error else None,
        p_flip=_sign_flip(np.sort(np.abs(weights * values)[values != 0.0]), observed),
        nonzero=nonzero,
        flip_only=nonzero < ENOUGH,
    )


def standard_error(differences: ArrayLike, weight: ArrayLike | None = None) -> float | None:
    """Standard error of a weighted mean, between questions.

    Args:
        differences: one a question, shape (n,).
        weight: weight of each question, shape (n,). Default: all alike.

    Returns:
        The error in the unit of the differences; None with fewer than two questions.

    Raises:
        ValueError: as `paired_mean`, but for the level.

    References:
        Cochran (1977).

    >>> standard_error([1.0, 0.0, 1.0, 0.0]) ** 2 * 12
    1.0
    """
    values, weights = _checked(differences, weight)
    n = len(values)
    if n < 2:
        return None
    residual = weights * (values - _mean(values, weights))
    return math.sqrt(n / (n - 1.0) * float(residual @ residual))


def _mean(values: Floats, weights: Floats) -> float:
    """The weighted mean, around the first value: of equal values it is that value, without rounding."""
    return float(values[0] + weights @ (values - values[0])) if len(values) else 0.0


def t_quantile(level: float, freedom: float) -> float:
    """Two-sided quantile of Student's distribution.

    Args:
        level: confidence level.
        freedom: degrees of freedom, above 0.

    Returns:
        t with P(-t < T < t) = level.

    References:
        Student (1908).

    >>> round(t_quantile(0.95, 9.0), 4)
    2.2622
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1.0 + level) / 2.0))


def _t_test(distance: float, freedom: float) -> float:
    from scipy.special import stdtr

    return 2.0 * float(stdtr(freedom, -distance))


def _sign_flip(sizes: Floats, observed: float) -> float:
    """Share of the ways to sign the differences, sorted by size, that move their sum at least as far as it is."""
    if sizes.size == 0:
        return 1.0
    # A sum that equals the observed one but for rounding counts as equal to it.
    threshold = observed - 1e-12 * sizes.sum()
    if sizes.size < ENOUGH:
        sums = np.zeros(1)
        for size in sizes:
            sums = np.concatenate([sums + size, sums - size])
        return float(np.mean(np.abs(sums) >= threshold))
    random = np.random.default_rng([sizes.size, *np.round(1e6 * sizes / sizes.max()).astype(np.int64)])
    beyond, rows = 0, FLIPS // 40
    for _ in range(40):
        bits = np.unpackbits(np.frombuffer(random.bytes(rows * sizes.size // 8), dtype=np.uint8))
        sums = sizes.sum() - 2.0 * (bits.reshape(rows, sizes.size).astype(np.float64) @ sizes)
        beyond += int(np.count_nonzero(np.abs(sums) >= threshold))
    # The observed signs are one of the ways.
    return (beyond + 1.0) / (FLIPS + 1.0)


def _checked(differences: ArrayLike, weight: ArrayLike | None) -> tuple[Floats, Floats]:
    """Both as arrays, the weights summing to 1."""
    values = np.asarray(differences, dtype=np.float64)
    weights = np.ones(values.shape) if weight is None else np.asarray(weight, dtype=np.float64)
    if values.ndim != 1 or weights.shape != values.shape:
        msg = f"one difference and one weight a question: shapes {values.shape} and {weights.shape}"
        raise ValueError(msg)
    if not (np.isfinite(values).all() and np.isfinite(weights).all() and (weights > 0.0).all()):
        raise ValueError("differences must be finite numbers, and weights finite and above 0")
    return values, weights / weights.sum() if len(weights) else weights
