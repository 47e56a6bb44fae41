"""Random tables of two runs, for properties that must hold for any of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from attribution.statistics.transitions import Cell, Number, Transitions

ENTRIES = ("both", "before_only", "after_only", "neither")
CELLS = ("retained", "recovered", "lost", "still_missing")


def table_of(entries: Sequence[Number]) -> Transitions:
    """The table from its sixteen entries: cell by cell, each as both, before only, after only, neither."""
    rows = [entries[at : at + 4] for at in range(0, 16, 4)]
    return Transitions(
        **{name: Cell(**dict(zip(ENTRIES, row, strict=True))) for name, row in zip(CELLS, rows, strict=True)}
    )


def tables(most: int = 60) -> st.SearchStrategy[Transitions]:
    """Tables of counts, in which any entry and any cell may be empty."""
    cell = st.one_of(st.just((0, 0, 0, 0)), st.tuples(*[st.integers(0, most)] * 4))
    return st.tuples(cell, cell, cell, cell).map(lambda rows: table_of([entry for row in rows for entry in row]))


def shares(most: int = 40) -> st.SearchStrategy[Fraction]:
    """Exact shares between 0 and 1."""
    return st.integers(1, most).flatmap(lambda n: st.integers(0, n).map(lambda x: Fraction(x, n)))


# Canonical example of two runs over 400 questions.
EXAMPLE = table_of([190, 11, 6, 21, 50, 5, 40, 17, 2, 1, 0, 1, 20, 4, 2, 30])


def masses(
    shares: Sequence[float], before: Sequence[float], after: Sequence[float], steady: float = 0.9
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Probabilities of the sixteen entries, from cell shares and pass rates, with outcomes that mostly repeat.

    In each cell a `steady` share of what both rates allow passes in both runs.
    """
    entries = []
    for share, u, v in zip(shares, before, after, strict=True):
        both = max(0.0, u + v - 1.0) + steady * (min(u, v) - max(0.0, u + v - 1.0))
        entries += [share * both, share * (u - both), share * (v - both), share * (1.0 - u - v + both)]
    return np.array(entries)


def every_question(table: Transitions) -> list[tuple[bool, bool, bool, bool]]:
    """The questions of a table of counts one by one: gold before, gold after, pass before, pass after."""
    kinds = ((True, True), (False, True), (True, False), (False, False))
    outcomes = ((True, True), (True, False), (False, True), (False, False))
    return [
        (*kind, *outcome)
        for kind, cell in zip(kinds, table, strict=True)
        for outcome, count in zip(outcomes, cell.counts(), strict=True)
        for _ in range(count)
    ]
