"""A change of the pass rate between different sets of questions, split over what it is made of.

On the same questions `decomposition` answers the same with far less chance in it: never use these there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, Generic, TypeVar

import numpy as np

T = TypeVar("T")

# Splits by order need 2^k evaluations.
MOST_FACTORS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoFold(Generic[T]):
    """A change of pass rate in two parts, by kind of question; every tuple is in the order of the kinds.

    Attributes:
        total: pass rate after less before, the sum of the two parts.
        composition: part that comes from the shares of the kinds.
        rate: part that comes from their pass rates.
        composition_by_kind: composition of each kind, measured from the overall pass rate.
        rate_by_kind: rate part of each kind.
    """

    total: T
    composition: T
    rate: T
    composition_by_kind: tuple[T, ...]
    rate_by_kind: tuple[T, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeFold(Generic[T]):
    """A change of pass rate in three parts, seen from before.

    Attributes:
        total: pass rate after less before, the sum of the three.
        composition: what the new shares alone would have changed.
        rate: what the new rates alone would have changed.
        interaction: what only both together change; it belongs to neither.
    """

    total: T
    composition: T
    rate: T
    interaction: T


def kitagawa(
    shares_before: Sequence[Any], rates_before: Sequence[Any], shares_after: Sequence[Any], rates_after: Sequence[Any]
) -> TwoFold[Any]:
    """Change of a pass rate as composition and rate, each weighted by the mean of before and after.

    No draw: an identity, exact in fractions, the same whichever run is called before but for the sign. Do not
    use it for the same questions in both runs. With kinds `gold reached` and `did not`, the composition is what
    recall changed.

    Args:
        shares_before: share of each kind of question, summing to 1; numbers or arrays of draws.
        rates_before: pass rate of each kind.
        shares_after: as shares_before.
        rates_after: as rates_before.

    Returns:
        The parts, in the arithmetic of what was given.

    Raises:
        ValueError: the four do not have one entry for each kind, or one is not finite.

    References:
        Kitagawa (1955).

    >>> from fractions import Fraction as F
    >>> shares, rates = [F(58, 100), F(42, 100)], [F(88, 100), F(47, 100)]
    >>> split = kitagawa(shares, rates, [F(7, 10), F(3, 10)], [F(85, 100), F(1, 2)])
    >>> float(split.composition), [float(part) for part in split.rate_by_kind]
    (0.0456, [-0.0192, 0.0108])
    """
    _check_kinds(shares_before, rates_before, shares_after, rates_after)
    middle = [(before + after) / 2 for before, after in zip(rates_before, rates_after, strict=True)]
    moved = [after - before for before, after in zip(shares_before, shares_after, strict=True)]
    # The moves sum to 0, so the centre drops out of the sum; without it each kind's part would hang on where the
    # scale of the rates happens to begin.
    centre = (_mean(shares_before, rates_before) + _mean(shares_after, rates_after)) / 2
    composition = tuple(move * (rate - centre) for move, rate in zip(moved, middle, strict=True))
    rate = tuple(
        (after - before) * (share_before + share_after) / 2
        for before, after, share_before, share_after in zip(
            rates_before, rates_after, shares_before, shares_after, strict=True
        )
    )
    return TwoFold(
        total=_mean(shares_after, rates_after) - _mean(shares_before, rates_before),
        composition=_mean(moved, middle),
        rate=sum(rate),
        composition_by_kind=composition,
        rate_by_kind=rate,
    )


def three_fold(
    shares_before: Sequence[Any], rates_before: Sequence[Any], shares_after: Sequence[Any], rates_after: Sequence[Any]
) -> ThreeFold[Any]:
    """Change of a pass rate as composition, rate and their interaction, with before as the reference.

    No draw: an identity, exact in fractions. Do not use it for the same questions in both runs, nor where before
    and after could as well be called the other way round: that changes every part.

    Args:
        shares_before: share of each kind of question, summing to 1; numbers or arrays of draws.
        rates_before: pass rate of each kind.
        shares_after: as shares_before.
        rates_after: as rates_before.

    Returns:
        The parts, in the arithmetic of what was given.

    Raises:
        ValueError: the four do not have one entry for each kind, or one is not finite.

    References:
        Oaxaca (1973); Blinder (1973).

    >>> split = three_fold([0.58, 0.42], [0.88, 0.47], [0.7, 0.3], [0.85, 0.5])
    >>> round(split.composition, 4), round(split.rate, 4), round(split.interaction, 4)
    (0.0492, -0.0048, -0.0072)
    """
    _check_kinds(shares_before, rates_before, shares_after, rates_after)
    moved = [after - before for before, after in zip(shares_before, shares_after, strict=True)]
    changed = [after - before for before, after in zip(rates_before, rates_after, strict=True)]
    return ThreeFold(
        total=_mean(shares_after, rates_after) - _mean(shares_before, rates_before),
        composition=_mean(moved, rates_before),
        rate=_mean(shares_before, changed),
        interaction=_mean(moved, changed),
    )


def shapley(value: Callable[[Sequence[Any]], Any], before: Sequence[Any], after: Sequence[Any]) -> tuple[Any, ...]:
    """What each factor adds to a change of a figure: its effect averaged over every order of changing them.

    No draw: the parts add up to value(after) - value(before), exactly in fractions. Changing the factors in one
    order would give parts that depend on it. For the pass rate r·p1 + (1 - r)·p0 it is `kitagawa`.

    Args:
        value: the figure as a function of the factors, such as `funnel_pass`.
        before: the factors before, at most 8; numbers or arrays of draws.
        after: the factors after.

    Returns:
        One part a factor, in the arithmetic of what was given.

    Raises:
        ValueError: before and after differ in length, there are more than 8 factors, or one is not finite.

    References:
        Shapley (1953); Shorrocks (2013); Das Gupta (1993).

    >>> [round(part, 4) for part in shapley(funnel_pass, [0.58, 0.88, 0.47], [0.7, 0.85, 0.5])]
    [0.0456, -0.0192, 0.0108]
    """
    k = len(before)
    if len(after) != k or k > MOST_FACTORS:
        msg = f"as many factors before as after, and no more than {MOST_FACTORS}: {k} and {len(after)}"
        raise ValueError(msg)
    _check_finite(before, after)
    known = {
        changed: value([after[at] if at in changed else before[at] for at in range(k)])
        for size in range(k + 1)
        for changed in combinations(range(k), size)
    }
    total, having = [0] * (k + 1), [[0] * (k + 1) for _ in range(k)]
    for changed, figure in known.items():
        total[len(changed)] += figure
        for factor in changed:
            having[factor][len(changed)] += figure
    # A set of the other factors stands for all the orders in which exactly they come first: one in k times the
    # number of such sets of its size.
    return tuple(
        sum((sums[size + 1] - (total[size] - sums[size])) / comb(k - 1, size) for size in range(k)) / k
        for sums in having
    )


def funnel_pass(factors: Sequence[Any]) -> Any:
    """Pass rate of a funnel: the share that survives every stage passes at one rate, the rest at another.

    Args:
        factors: survival of each stage among those that survived the one before, then the pass rate with gold,
            then without; numbers or arrays of draws.

    Returns:
        The pass rate.

    Raises:
        ValueError: there are fewer than two factors.

    >>> round(funnel_pass([0.8, 0.9, 0.88, 0.47]), 4)
    0.7652
    """
    *survival, with_gold, without_gold = factors
    recall: Any = 1
    for share in survival:
        recall = recall * share
    return recall * with_gold + (1 - recall) * without_gold


def _mean(weights: Sequence[Any], values: Sequence[Any]) -> Any:
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def _check_kinds(*sides: Sequence[Any]) -> None:
    if len({len(side) for side in sides}) != 1 or not sides[0]:
        msg = f"one share and one rate for each kind, before and after: {[len(side) for side in sides]}"
        raise ValueError(msg)
    _check_finite(*sides)


def _check_finite(*sides: Sequence[Any]) -> None:
    if not all(np.isfinite(np.asarray(number, dtype=np.float64)).all() for side in sides for number in side):
        raise ValueError("shares and rates must be finite numbers")
