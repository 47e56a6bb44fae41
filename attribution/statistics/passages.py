"""Share of the relevant passages that were found, after an audit for passages that nobody had labelled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.posterior import unknown
from attribution.statistics.proportions import wilson_effective
from attribution.statistics.two_phase import LEAST_CHECKS

Floats = NDArray[np.float64]

METHOD = "wilson-effective"


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageRecall:
    """Recall over passages, as labelled and after the audit.

    Attributes:
        labelled: share of the labelled passages that were retrieved; None without labelled passages.
        unlabelled_per_labelled: relevant passages the audit added, per passage labelled; None without an audit.
        corrected: share of all relevant passages that were retrieved.
    """

    labelled: float | None
    unlabelled_per_labelled: float | None
    corrected: Interval


def passage_recall(
    retrieved: ArrayLike,
    labelled: ArrayLike,
    audited: ArrayLike,
    added: ArrayLike,
    added_retrieved: ArrayLike | None = None,
    *,
    level: float = 0.95,
) -> PassageRecall:
    """Share of the relevant passages that were retrieved, when an audit of some questions finds more of them.

    Recall over the labelled passages of all questions is divided by one plus what the audit adds per labelled passage.
    One draw is one question with all its passages, audited or not at random. The variance is linearised between
    questions, with the audit inside the sample; limits are Wilson's at the size that has it. Do not trust it with fewer
    than some twenty audits, or where the audit looked harder at questions that seemed wrong.

    Args:
        retrieved: labelled passages that were retrieved, per question; integers, shape (questions,).
        labelled: labelled passages, per question; same shape.
        audited: whether the question was audited; same shape.
        added: relevant passages that the audit found beyond the labels, per question, 0 where not audited.
        added_retrieved: those of them that had been retrieved. Default: none, for an audit by a search other than
            the one under test.
        level: confidence level.

    Returns:
        Recall before and after. With fewer than five audits the corrected one has no estimate and limits 0 and 1,
        as without any labelled passage.

    Raises:
        ValueError: shapes differ, counts are negative or do not nest, something was added to a question that was
            not audited, or the level is not a level.

    References:
        Cochran (1977, chapters 6 and 12); Korn & Graubard (1998).

    >>> found = passage_recall([2, 1, 0, 3] * 10, [2, 2, 1, 4] * 10, [True, False] * 20, [1, 0, 0, 0] * 10)
    >>> round(found.labelled, 4), round(found.unlabelled_per_labelled, 4), round(found.corrected.estimate, 4)
    (0.6667, 0.3333, 0.5)
    """
    critical_value(level)
    hits, size, new, new_hits, chosen = _checked(retrieved, labelled, audited, added, added_retrieved)
    n, m = len(size), int(chosen.sum())
    if size.sum() == 0.0:
        nothing = unknown(n, level=level, reason=Undefined.no_cases, method=METHOD)
        return PassageRecall(labelled=None, unlabelled_per_labelled=None, corrected=nothing)
    recall = float(hits.sum() / size.sum())
    known = float(size[chosen].sum())
    if m < LEAST_CHECKS or known == 0.0:
        nothing = unknown(n, level=level, reason=Undefined.too_few_checks, method=METHOD)
        return PassageRecall(labelled=recall, unlabelled_per_labelled=None, corrected=nothing)
    growth, growth_hits = float(new.sum()) / known, float(new_hits.sum()) / known
    corrected = (recall + growth_hits) / (1.0 + growth)
    variance = _variance(hits, size, new, new_hits, chosen, (recall, growth, growth_hits, corrected))
    # A sample without spread is as good as one draw a question.
    effective = corrected * (1.0 - corrected) / variance if variance > 0.0 else 0.0
    return PassageRecall(
        labelled=recall,
        unlabelled_per_labelled=growth,
        corrected=wilson_effective(corrected, effective or float(m), n=n, level=level),
    )


def _variance(
    hits: Floats,
    size: Floats,
    new: Floats,
    new_hits: Floats,
    chosen: NDArray[np.bool_],
    rates: tuple[float, float, float, float],
) -> float:
    """Variance of the corrected recall; the audited questions are part of all questions, hence the cross term."""
    recall, growth, growth_hits, corrected = rates
    n, m, scale = len(size), int(chosen.sum()), 1.0 + growth
    mean = size.mean()
    of_labels = (hits - recall * size) / (mean * scale)
    of_audit = (new_hits - growth_hits * size - corrected * (new - growth * size))[chosen] / (mean * scale)
    covariance = np.cov(of_labels[chosen], of_audit)
    return float(of_labels.var(ddof=1) / n + covariance[1, 1] / m + 2.0 * covariance[0, 1] / n)


def _checked(
    retrieved: ArrayLike, labelled: ArrayLike, audited: ArrayLike, added: ArrayLike, added_retrieved: ArrayLike | None
) -> tuple[Floats, Floats, Floats, Floats, NDArray[np.bool_]]:
    """Return the columns as arrays of one length, or say what is wrong with them."""
    chosen = np.asarray(audited, dtype=bool)
    new = np.asarray(added, dtype=np.float64)
    rest = np.zeros_like(new) if added_retrieved is None else np.asarray(added_retrieved, dtype=np.float64)
    hits, size = np.asarray(retrieved, dtype=np.float64), np.asarray(labelled, dtype=np.float64)
    columns = (hits, size, new, rest)
    if chosen.ndim != 1 or any(column.shape != chosen.shape for column in columns):
        raise ValueError("the columns of an audit hold one number a question, all of one length")
    if any((column < 0.0).any() or (column % 1.0 != 0.0).any() for column in columns):
        raise ValueError("passages are counted in whole numbers, not below 0")
    if (hits > size).any() or (rest > new).any() or (new[~chosen] > 0.0).any():
        raise ValueError("more passages were retrieved than there are, or some were added without an audit")
    return hits, size, new, rest, chosen
