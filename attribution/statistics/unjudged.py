"""What documents that nobody judged could make of recall; and average precision from a random part of the judgments.

An unjudged document is unknown, not irrelevant. The bounds here are arithmetic, not confidence limits: they hold for
any truth about those documents.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from attribution.statistics.interval import Point, Undefined

# Keeps the share of relevant documents defined where none above was judged.
EPSILON = 1e-5


class Judged(StrEnum):
    """What is known of a retrieved document."""

    relevant = "judged relevant"
    irrelevant = "judged not relevant"
    unsampled = "in the pool, not drawn for judging"
    outside = "not in the pool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """Extremes of a measure over everything that unjudged documents could be.

    Attributes:
        lower: least value; None where no assignment defines the measure.
        upper: greatest value; None likewise.
        judged: value with unjudged documents left out as irrelevant; None where that is undefined.
        unbounded: whether the number of unjudged documents elsewhere is not known, so that the lower bound assumes
            there is no end of relevant ones.
        reason: why lower and upper are None.
    """

    lower: float | None
    upper: float | None
    judged: float | None
    unbounded: bool
    reason: Undefined | None = None


def recall_bounds(hits: int, relevant: int, unjudged_listed: int, unjudged_elsewhere: int | None) -> Possible:
    """Lowest and highest recall at a cutoff, whatever the unjudged documents are.

    At worst no unjudged document of the list is relevant and all others are; at best the other way round.

    Args:
        hits: relevant documents in the list.
        relevant: documents judged relevant anywhere.
        unjudged_listed: unjudged documents in the list.
        unjudged_elsewhere: unjudged documents outside the list; None where nobody knows how many.

    Returns:
        The bounds, in 0 to 1, over all cases in which any document is relevant. With an unknown number
        elsewhere the lower bound is 0 and marked so.

    Raises:
        ValueError: a count is negative, or there are more hits than relevant documents.

    References:
        Manski (1990), for bounds that assume nothing.

    >>> found = recall_bounds(6, 8, 3, 4)
    >>> found.lower, round(found.upper, 4), found.judged
    (0.5, 0.8182, 0.75)
    """
    elsewhere = 0 if unjudged_elsewhere is None else operator.index(unjudged_elsewhere)
    hits, relevant, listed = operator.index(hits), operator.index(relevant), operator.index(unjudged_listed)
    if not 0 <= hits <= relevant or listed < 0 or elsewhere < 0:
        msg = f"no such list: {hits} hits of {relevant} relevant, {listed} and {elsewhere} unjudged"
        raise ValueError(msg)
    unbounded = unjudged_elsewhere is None
    if relevant + listed + elsewhere == 0 and not unbounded:
        return Possible(lower=None, upper=None, judged=None, unbounded=False, reason=Undefined.nothing_relevant)
    if unbounded:
        lower = 0.0
    elif relevant + elsewhere == 0:
        # The only relevant documents there can be are in the list.
        lower = 1.0
    else:
        lower = hits / (relevant + elsewhere)
    return Possible(
        lower=lower,
        upper=(hits + listed) / (relevant + listed) if relevant + listed else 0.0,
        judged=hits / relevant if relevant else None,
        unbounded=unbounded,
    )


def inferred_ap(ranking: Sequence[Judged], relevant: int) -> Point:
    """Average precision inferred from judgments of a random part of the pool.

    Precision at a relevant document is its own place, plus the documents above it: the share of them that is in the
    pool, times the share of relevant ones among those judged. One draw is one pooled document, judged at random.
    Do not trust it where the judged documents were the top of some list: that is cutting off, not
    sampling.

    Args:
        ranking: what is known of every retrieved document, best first.
        relevant: documents judged relevant, retrieved or not.

    Returns:
        Inferred average precision, in 0 to 1; None where no document was judged relevant.

    Raises:
        ValueError: more relevant documents are retrieved than there are.

    References:
        Yilmaz & Aslam (2006), as trec_eval computes it.

    >>> r, n, u, out = Judged.relevant, Judged.irrelevant, Judged.unsampled, Judged.outside
    >>> round(inferred_ap([r, u, n, r, out, r], 4).estimate, 6)
    0.559028
    """
    if sum(each is Judged.relevant for each in ranking) > operator.index(relevant):
        msg = f"more than {relevant} relevant documents are retrieved"
        raise ValueError(msg)
    if relevant == 0:
        return Point(estimate=None, reason=Undefined.nothing_relevant)
    total, above = 0.0, dict.fromkeys(Judged, 0)
    for rank, each in enumerate(ranking):
        if each is Judged.relevant:
            hits, misses = above[Judged.relevant], above[Judged.irrelevant]
            pooled = hits + misses + above[Judged.unsampled]
            # (rank / (rank + 1)) (pooled / rank) (share): the rank cancels, so the first place is no special case.
            total += (1.0 + pooled * (hits + EPSILON) / (hits + misses + 2.0 * EPSILON)) / (rank + 1.0)
        above[each] += 1
    return Point(estimate=total / relevant)
