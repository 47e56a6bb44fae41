"""The projection with every intent keeping its own rates, because missing questions are another mix than found ones."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.projection import check_share
from attribution.statistics.proportions import wilson_effective
from attribution.statistics.survey import CAP

Floats = NDArray[np.float64]

METHOD = "wilson-standardised"
# Below this many questions with gold an intent's own rate says little: merge it with a like one.
THIN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentCounts:
    """Counts of one intent, one case a question.

    Attributes:
        weight: share of the traffic, any scale, above 0.
        n: questions, at least 1.
        gold: questions whose gold reached the model.
        gold_pass: of these, those that pass.
        nogold_pass: of the others, those that pass.
    """

    weight: float
    n: int
    gold: int
    gold_pass: int
    nogold_pass: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standardised:
    """Projection by intent, against the pooled one.

    Attributes:
        projection: standardised projection with its limits.
        pooled: projection from the pooled rates at the same recall; None where it is undefined.
        composition_gap: pooled less standardised: what mixing the intents overstates.
        borrowed: positions of intents that had to take over a pooled rate.
        thin: positions of intents with fewer than 5 questions with gold.
    """

    projection: Interval
    pooled: float | None
    composition_gap: float | None
    borrowed: tuple[int, ...]
    thin: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Rates:
    """Arrays over intents: weights summing to 1, sizes, and observed shares with their pooled counterparts."""

    weight: Floats
    n: Floats
    recall: Floats
    rate: Floats  # shape (2, intents): with gold, without; pooled where an intent has none
    cases: Floats  # shape (2, intents)
    pooled: Floats  # shape (2,), NaN where no intent has a case


def standardised(recall_target: float, intents: Sequence[IntentCounts], *, level: float = 0.95) -> Standardised:
    """Projected pass rate if recovered questions pass like those of their own intent.

    Recovered questions are taken to spread over intents as missing ones do. One draw is one question within
    its intent. The variance is linearised from the counts of every intent, and the limits are Wilson's at the
    size that would give it. Do not trust it where intents are thin: they are named, and should be merged until
    each has five questions with gold. Coverage is above the level where rates are extreme.

    Args:
        recall_target: recall after the change over all traffic, 0 to 1, taken as known.
        intents: counts of each intent.
        level: confidence level.

    Returns:
        The projection, in 0 to 1, and how far the pooled one lies above it. If a rate that matters has no case
        in any intent, the estimate is None and the limits are 0 and 1.

    Raises:
        ValueError: there is no intent, the counts of one contradict each other, or recall_target or the level
            is out of range.

    References:
        Cochran (1977), linearisation; Korn & Graubard (1998).

    >>> counts = [(0.5, 100, 60, 54, 26), (0.3, 50, 25, 20, 10), (0.2, 30, 10, 6, 9)]
    >>> intents = [
    ...     IntentCounts(weight=w, n=n, gold=g, gold_pass=gp, nogold_pass=np) for w, n, g, gp, np in counts
    ... ]
    >>> result = standardised(0.7583, intents)
    >>> round(result.projection.estimate, 3), round(result.composition_gap, 3)
    (0.745, 0.011)
    """
    check_share(recall_target, "recall_target")
    critical_value(level)
    rates = _rates(intents)
    total = sum(intent.n for intent in intents)
    empty = rates.cases == 0
    thin = tuple(int(at) for at in np.flatnonzero(rates.cases[0] < THIN))
    # A side without a single case has no rate, which hurts only if the target puts questions there.
    needed = (recall_target > 0.0, recall_target < 1.0)
    if any(need and bool(np.isnan(pool)) for need, pool in zip(needed, rates.pooled, strict=True)):
        nothing = Interval(
            n=total,
            count=None,
            estimate=None,
            lower=0.0,
            upper=1.0,
            level=level,
            method=METHOD,
            reason=Undefined.no_cases,
        )
        return Standardised(projection=nothing, pooled=None, composition_gap=None, borrowed=(), thin=thin)
    estimate, variance = _estimate(recall_target, rates)
    kish = 1.0 / float(np.sum(rates.weight**2 / rates.n))
    size = min(estimate * (1.0 - estimate) / variance, CAP * kish) if variance > 0.0 else kish
    limits = wilson_effective(estimate, size or kish, n=total, level=level)
    with_gold, without_gold = (0.0 if np.isnan(pool) else float(pool) for pool in rates.pooled)
    pooled = recall_target * with_gold + (1.0 - recall_target) * without_gold
    return Standardised(
        projection=Interval(
            n=total,
            count=None,
            estimate=estimate,
            lower=limits.lower,
            upper=limits.upper,
            level=level,
            method=METHOD,
            n_effective=limits.n_effective,
        ),
        pooled=pooled,
        composition_gap=pooled - estimate,
        borrowed=tuple(int(at) for at in np.flatnonzero(empty.any(axis=0))),
        thin=thin,
    )


def _rates(intents: Sequence[IntentCounts]) -> _Rates:
    """Arrays of the intents, checked; intents without a case on one side borrow the pooled rate of that side."""
    if not intents:
        raise ValueError("there is no intent to standardise over")
    for at, each in enumerate(intents):
        counts = [operator.index(count) for count in (each.n, each.gold, each.gold_pass, each.nogold_pass)]
        n, gold, gold_pass, nogold_pass = counts
        if not (
            0 <= gold_pass <= gold <= n and 0 <= nogold_pass <= n - gold and n >= 1 and 0.0 < each.weight < math.inf
        ):
            msg = f"the counts of intent {at} contradict each other: {each}"
            raise ValueError(msg)
    weight: Floats = np.array([each.weight for each in intents], dtype=np.float64)
    weight = weight / weight.sum()
    sizes: Floats = np.array([each.n for each in intents], dtype=np.float64)
    found: Floats = np.array([each.gold for each in intents], dtype=np.float64)
    cases: Floats = np.array([found, sizes - found])
    passes: Floats = np.array([[each.gold_pass, each.nogold_pass] for each in intents], dtype=np.float64).T
    held: Floats = (cases * weight / sizes).sum(axis=1)
    passed: Floats = (passes * weight / sizes).sum(axis=1)
    pooled = np.full(2, np.nan)
    np.divide(passed, held, out=pooled, where=held > 0.0)
    rate = np.where(cases > 0.0, passes / np.maximum(cases, 1.0), pooled[:, None])
    return _Rates(weight, sizes, found / sizes, rate, cases, pooled)


def _estimate(recall_target: float, rates: _Rates) -> tuple[float, float]:
    """Standardised projection and its linearised variance."""
    weight, recall = rates.weight, rates.recall
    # A side that no intent has keeps coefficients of 0 throughout, so any number will do for its rate.
    with_gold, without_gold = np.nan_to_num(rates.rate)
    held = np.array([weight * recall, weight * (1.0 - recall)])
    moved = recall_target - float(weight @ recall)
    # Recovered questions come from the missing mix, lost ones from the found mix.
    source = held[1] if moved >= 0.0 else held[0]
    available = float(source.sum())
    slope = with_gold - without_gold
    fraction = moved / available if available > 0.0 else 0.0
    mean_slope = float(source @ slope) / available if available > 0.0 else 0.0
    estimate = float(held[0] @ with_gold + held[1] @ without_gold) + moved * mean_slope
    by_rate = held + fraction * np.array([source, -source])
    by_recall = weight * (1.0 - abs(fraction)) * (slope - mean_slope)
    for side, sign in ((0, 1.0), (1, -1.0)):
        by_rate[side], extra = _through_pool(side, by_rate[side], rates, held[side])
        by_recall = by_recall + sign * extra
    own = rates.rate * (1.0 - rates.rate) / np.maximum(rates.cases - 1.0, 1.0)
    variance = float(np.sum(by_rate**2 * np.where(rates.cases > 0.0, own, 0.0)))
    variance += float(np.sum(by_recall**2 * recall * (1.0 - recall) / np.maximum(rates.n - 1.0, 1.0)))
    return min(1.0, max(0.0, estimate)), variance


def _through_pool(side: int, by_rate: Floats, rates: _Rates, held: Floats) -> tuple[Floats, Floats]:
    """Move the weight that rests on borrowed rates to the intents that the pooled rate is made of.

    Returns:
        Coefficients of the intents' own rates, and what the borrowing adds to those of the side's share.
    """
    borrowed = rates.cases[side] == 0.0
    if not borrowed.any() or float(held.sum()) == 0.0:
        return by_rate, np.zeros_like(by_rate)
    lent = float(by_rate[borrowed].sum()) / float(held.sum())
    own = np.where(borrowed, 0.0, by_rate + lent * held)
    return own, lent * rates.weight * np.where(borrowed, 0.0, rates.rate[side] - rates.pooled[side])
