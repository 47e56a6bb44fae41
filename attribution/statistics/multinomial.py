"""Intervals of what is a function of the sixteen shares of two runs over the same questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attribution.statistics.interval import Interval, critical_value
from attribution.statistics.posterior import DRAWS
from attribution.statistics.terms import ChangeTerms, ErrorTerms, FineErrorTerms, Shares
from attribution.statistics.transitions import Transitions

Numbers = NDArray[Any]
AnyTerms = ChangeTerms[Any] | ErrorTerms[Any] | FineErrorTerms[Any]

# From so many questions on the normal approximation holds; below it, terms of small cells collapse.
ENOUGH = 300
# Prior questions for all sixteen entries together: more would pull every rate of a small set towards one half.
PRIOR = 4.0


def term_intervals(
    split: AnyTerms, terms: Callable[[Shares], AnyTerms], table: Transitions, n: int, size: float, level: float
) -> dict[str, Interval]:
    """An interval for every term of a split, by the delta method where there are questions enough, else by draws.

    One draw is one question with gold and outcome in both runs. The delta method is used from 300 questions on if
    no transition cell is empty; otherwise posterior draws under a flat prior worth four questions in all. Do not
    trust either for repeats counted as questions: give their effective number as size.

    Args:
        split: the terms as they are, whose fields are to get intervals.
        terms: the split as a function of shares, for arrays of shape (draws,).
        table: the two runs, as counts or weights, not empty.
        n: questions.
        size: questions that they are worth, above 0.
        level: confidence level.

    Returns:
        An interval for every field of the split.

    Raises:
        ValueError: the level is not a level.

    References:
        Agresti (2013), the delta method for multinomial counts.

    >>> from attribution.statistics.decomposition import change_of_shares, observed_change
    >>> from attribution.statistics.transitions import Cell
    >>> table = Transitions(
    ...     retained=Cell(both=40, before_only=2, neither=8),
    ...     recovered=Cell(both=5, after_only=6, neither=4),
    ...     lost=Cell(),
    ...     still_missing=Cell(both=5, neither=10),
    ... )
    >>> term = term_intervals(observed_change(table), change_of_shares, table, 80, 80.0, 0.95)["recovered"]
    >>> round(term.estimate, 3), round(term.lower, 3), round(term.upper, 3), term.method
    (0.075, 0.025, 0.136, 'dirichlet-draws')
    """
    z = critical_value(level)
    masses = np.array([float(entry) for cell in table for entry in cell.entries])
    masses /= masses.sum()
    names = [field.name for field in fields(split)]
    points = np.array([float(getattr(split, name)) for name in names])
    if size >= ENOUGH and masses.reshape(4, 4).any(axis=1).all():
        method = "multinomial-delta"
        half = z * _standard_errors(terms, masses, size)
        lower, upper = points - half, points + half
    else:
        method = "dirichlet-draws"
        tail = (1.0 - level) / 2.0
        low, high = np.quantile(_rows(terms, _draws(masses * size)), [tail, 1.0 - tail], axis=1)
        # All-or-nothing counts can put the estimate outside the central part of the posterior.
        lower, upper = np.minimum(points, low), np.maximum(points, high)
    return {
        name: Interval(
            n=n,
            count=None,
            estimate=float(points[at]),
            lower=float(lower[at]),
            upper=float(upper[at]),
            level=level,
            method=method,
            n_effective=None if size == n else size,
        )
        for at, name in enumerate(names)
    }


def _rows(terms: Callable[[Shares], AnyTerms], masses: Numbers) -> Numbers:
    """Every term, one row each, for masses of shape (16, draws)."""
    cells = masses.reshape(4, 4, -1)
    split = terms(Shares(sizes=cells.sum(axis=1), before=cells[:, 0] + cells[:, 1], after=cells[:, 0] + cells[:, 2]))
    return np.array([getattr(split, field.name) for field in fields(split)])


def _standard_errors(terms: Callable[[Shares], AnyTerms], masses: Numbers, size: float) -> Numbers:
    """Standard error of every term: sqrt of (sum p g^2 - (sum p g)^2) / n for the gradient g.

    The terms are rational in the masses, so that a step along the imaginary axis gives the gradient to the last
    bit, without the cancellation of a difference.
    """
    step = 1e-40
    gradient = _rows(terms, masses[:, None] + 1j * step * np.eye(masses.size)).imag / step
    return np.sqrt(np.maximum(0.0, gradient**2 @ masses - (gradient @ masses) ** 2) / size)


def _draws(counts: Numbers) -> Numbers:
    """Posterior draws of the sixteen masses, shape (16, DRAWS), the same for the same counts."""
    shape = counts + PRIOR / counts.size
    # Whole thousandths of a question, so that the last bit of a weight does not change the draws.
    random = np.random.default_rng([round(1000.0 * value) for value in shape])
    drawn = random.standard_gamma(shape[:, None], (counts.size, DRAWS))
    return np.asarray(drawn / drawn.sum(axis=0))
