"""Discounted cumulative gain of a ranking, and what unjudged documents could make of it.

Calling every unjudged document relevant is not the upper bound of nDCG: it raises the ideal as well, and can lower the
ratio.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from attribution.statistics.interval import Undefined
from attribution.statistics.unjudged import Possible

Floats = NDArray[np.float64]


class Gain(StrEnum):
    """What a grade is worth. The two rank systems differently, so the name belongs to the number."""

    linear = "linear"
    exponential = "exponential"


@dataclass(frozen=True, slots=True, kw_only=True)
class Discounted:
    """Gain of a ranking, discounted by the binary logarithm of rank + 1.

    Attributes:
        dcg: discounted gain of the ranking.
        ideal: discounted gain of the best ranking of all judged documents.
        ndcg: their ratio; None where no document has a gain.
    """

    dcg: float
    ideal: float
    ndcg: float | None


def discounted_gain(
    grades: Sequence[float], *, elsewhere: Sequence[float] = (), k: int | None = None, gain: Gain = Gain.linear
) -> Discounted:
    """Discounted gain of one ranking, against the best ranking of all its judged documents.

    Args:
        grades: grades in ranked order, 0 for not relevant; negative grades gain 0.
        elsewhere: grades of judged documents that are not in the ranking.
        k: cutoff. Default: the length of the ranking.
        gain: what a grade is worth.

    Returns:
        The gains, and their ratio in 0 to 1.

    Raises:
        ValueError: k is below 1, missing for an empty ranking, or a grade is not a number.

    References:
        Järvelin & Kekäläinen (2002); Burges et al. (2005), for the exponential gain.

    >>> found = discounted_gain([1, 0, 0, 3])
    >>> round(found.dcg, 6), round(found.ndcg, 6)
    (2.29203, 0.631251)
    >>> round(discounted_gain([1, 0, 0, 3], gain=Gain.exponential).ndcg, 6)
    0.526114
    """
    depth = _depth(k, grades)
    listed, others = _gains(grades[:depth], gain), _gains([*grades[depth:], *elsewhere], gain)
    dcg = float(listed @ _discounts(depth)[: len(listed)])
    ideal = _ideal(np.concatenate([listed, others]), depth)
    return Discounted(dcg=dcg, ideal=ideal, ndcg=min(1.0, dcg / ideal) if ideal > 0.0 else None)


def ndcg_bounds(
    grades: Sequence[float | None],
    *,
    elsewhere: Sequence[float] = (),
    unjudged_elsewhere: int | None = 0,
    scale: Sequence[float] = (0, 1),
    k: int | None = None,
    gain: Gain = Gain.linear,
) -> Possible:
    """Lowest and highest nDCG at a cutoff, whatever grades of the scale the unjudged documents deserve.

    Exact. The lower bound is where every unjudged document has either end of the scale, outside the list first, then
    from the bottom of the list: the ratio is quasi-concave in each grade. The upper bound leaves those outside without
    gain and grades the list downwards; how many get which grade is found by Dinkelbach's iteration, whose inner
    problem is solved level by level.

    Args:
        grades: grades in ranked order; None for unjudged.
        elsewhere: grades of judged documents that are not in the ranking.
        unjudged_elsewhere: unjudged documents outside the ranking; None where nobody knows how many. More than k
            change nothing.
        scale: the grades a document can have; at least one is 0 or below and one above.
        k: cutoff. Default: the length of the ranking.
        gain: what a grade is worth.

    Returns:
        The bounds, in 0 to 1, over all cases in which any document has a gain.

    Raises:
        ValueError: k is below 1 or missing for an empty ranking, a count is negative, or the scale lacks an end.

    References:
        Järvelin & Kekäläinen (2002), for nDCG; Dinkelbach (1967); Manski (1990), for bounds that assume nothing.

    >>> found = ndcg_bounds([1, 0, 0, 0, None])
    >>> round(found.lower, 4), found.upper
    (0.8503, 1.0)
    """
    depth = _depth(k, grades)
    levels = sorted({float(value) for value in _gains(scale, gain)}, reverse=True)
    if levels[-1] != 0.0 or levels[0] == 0.0:
        msg = f"a scale of grades needs one without gain and one with, not {list(scale)}"
        raise ValueError(msg)
    rest = [*grades[depth:], *elsewhere]
    unknown = sum(grade is None for grade in rest) + (depth if unjudged_elsewhere is None else unjudged_elsewhere)
    if unknown < 0:
        raise ValueError("unjudged documents cannot be fewer than none")
    listed = _gains([0.0 if grade is None else grade for grade in grades[:depth]], gain)
    known = np.sort(np.concatenate([listed, _gains([grade for grade in rest if grade is not None], gain)]))[::-1]
    discounts = _discounts(depth)
    free = discounts[: len(listed)][[grade is None for grade in grades[:depth]]]
    base = float(listed @ discounts[: len(listed)])
    judged = base / ideal if (ideal := _ideal(known, depth)) > 0.0 else None
    unbounded = unjudged_elsewhere is None
    if judged is None and len(free) + unknown == 0:
        return Possible(lower=None, upper=None, judged=None, unbounded=unbounded, reason=Undefined.nothing_relevant)
    lower = _lowest(base, known, free, min(unknown, depth), levels[0], depth)
    upper = 0.0 if judged is None and len(free) == 0 else _highest(base, known, free, levels[:-1], depth)
    return Possible(lower=min(1.0, lower), upper=min(1.0, upper), judged=judged, unbounded=unbounded)


def _lowest(base: float, known: Floats, free: Floats, unknown: int, top: float, depth: int) -> float:
    """Least ratio over the number of unjudged documents that have the top grade: outside first, then from below."""
    least = math.inf
    added = np.concatenate([[0.0], np.cumsum(free[::-1])])
    for count in range(unknown + len(free) + 1):
        ideal = _ideal(np.concatenate([known, np.full(count, top)]), depth)
        if ideal > 0.0:
            least = min(least, (base + top * float(added[max(0, count - unknown)])) / ideal)
    return least


def _highest(base: float, known: Floats, free: Floats, levels: Sequence[float], depth: int) -> float:
    """Greatest ratio over how many of the list's unjudged documents get each level with gain, best places first."""
    whole = np.concatenate([[0.0], np.cumsum(_discounts(depth))])
    places = np.concatenate([[0.0], np.cumsum(free)])
    ratio = 0.0
    while True:
        gained, ideal = _best_grades(ratio, base, known, places, whole, levels)
        better = gained / ideal
        # Each step is the exact ratio of some grading, so the climb ends; rounding must not keep it going.
        if better <= ratio * (1.0 + 1e-12):
            return ratio
        ratio = better


def _best_grades(
    ratio: float, base: float, known: Floats, places: Floats, whole: Floats, levels: Sequence[float]
) -> tuple[float, float]:
    """Gain and ideal of the grading that maximises gain - ratio x ideal.

    Walks down the levels of gain, known and possible. With i documents placed above a level and j once it is done, the
    level takes the places i to j of the list, and in the ideal those after all known documents of a higher gain.

    Args:
        ratio: price of the ideal.
        base: gain of the judged documents in the list.
        known: gains of all judged documents, falling.
        places: cumulative discounts of the unjudged places in the list, from 0.
        whole: cumulative discounts of all places, from 0.
        levels: gains an unjudged document can have, above 0, falling.
    """
    size = len(places)
    best = np.full(size, -np.inf)
    best[0] = base
    gained, ideal = np.full(size, base), np.zeros(size)
    before, after = np.indices((size, size))
    for value in sorted({*levels, *(float(each) for each in known if each > 0.0)}, reverse=True):
        higher, same = int((known > value).sum()), int((known == value).sum())
        ends = np.minimum(np.stack([higher + before, higher + same + after]), len(whole) - 1)
        more_ideal = value * (whole[ends[1]] - whole[ends[0]])
        more_gain = value * (places[after] - places[before])
        allowed = (after >= before) if value in levels else (after == before)
        worth = np.where(allowed, best[:, None] + more_gain - ratio * more_ideal, -np.inf)
        chosen = worth.argmax(axis=0)
        at = (chosen, np.arange(size))
        best, gained, ideal = worth[at], gained[chosen] + more_gain[at], ideal[chosen] + more_ideal[at]
    best[ideal == 0.0] = -np.inf
    winner = int(best.argmax())
    return float(gained[winner]), float(ideal[winner])


def _depth(k: int | None, grades: Sequence[float | None]) -> int:
    depth = len(grades) if k is None else k
    if depth < 1:
        raise ValueError("a cutoff is at least 1; an empty ranking needs one to be named")
    return depth


def _gains(grades: Sequence[float], gain: Gain) -> Floats:
    values = np.maximum(np.asarray(grades, dtype=np.float64), 0.0)
    if not np.isfinite(values).all():
        raise ValueError("a grade is a finite number")
    return values if gain is Gain.linear else np.exp2(values) - 1.0


def _discounts(depth: int) -> Floats:
    return np.asarray(1.0 / np.log2(np.arange(depth) + 2.0))


def _ideal(gains: Floats, depth: int) -> float:
    best = np.sort(gains)[::-1][:depth]
    return float(best @ _discounts(depth)[: len(best)])
