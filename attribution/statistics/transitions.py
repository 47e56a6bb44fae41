"""The same questions in two runs: four transition cells, each by pass before and pass after."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

Number = int | float | Fraction
Exact = float | Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The questions of one transition cell by outcome: counts, or weights of any kind.

    Attributes:
        both: passed before and after.
        before_only: passed before and failed after.
        after_only: failed before and passed after.
        neither: failed before and after.

    Raises:
        ValueError: an entry is negative or not a finite number.
    """

    both: Number = 0
    before_only: Number = 0
    after_only: Number = 0
    neither: Number = 0

    def __post_init__(self) -> None:
        for entry in self.entries:
            if not (math.isfinite(entry) and entry >= 0):
                msg = f"a cell holds finite numbers of questions, none below 0: {self.entries}"
                raise ValueError(msg)

    @property
    def entries(self) -> tuple[Number, Number, Number, Number]:
        """All four entries: both, before only, after only, neither."""
        return self.both, self.before_only, self.after_only, self.neither

    @property
    def size(self) -> Exact:
        """Questions in the cell."""
        return exact(self.both) + exact(self.before_only) + exact(self.after_only) + exact(self.neither)

    @property
    def passed_before(self) -> Exact:
        """Questions of the cell that passed before."""
        return exact(self.both) + exact(self.before_only)

    @property
    def passed_after(self) -> Exact:
        """Questions of the cell that pass after."""
        return exact(self.both) + exact(self.after_only)

    @property
    def rate_before(self) -> Exact | None:
        """Pass rate before; None where the cell is empty."""
        return ratio(self.passed_before, self.size)

    @property
    def rate_after(self) -> Exact | None:
        """Pass rate after; None where the cell is empty."""
        return ratio(self.passed_after, self.size)

    @property
    def counted(self) -> bool:
        """Whether every entry is a whole number of questions, so that intervals for counts apply."""
        return all(isinstance(each, Fraction) and each.denominator == 1 for each in map(exact, self.entries))

    def counts(self) -> tuple[int, int, int, int]:
        """All four entries as plain integers.

        Raises:
            TypeError: the cell is not counted.
        """
        if not self.counted:
            msg = f"weights are not counts of questions: {self.entries}"
            raise TypeError(msg)
        both, before_only, after_only, neither = map(int, self.entries)
        return both, before_only, after_only, neither


@dataclass(frozen=True, slots=True, kw_only=True)
class Transitions:
    """Every question of two runs, by whether gold was there before and after, and by its outcomes.

    Sums are exact while the entries are integers or fractions, and floating point once one of them is.

    Attributes:
        retained: gold there before and after.
        recovered: gold there after only.
        lost: gold there before only.
        still_missing: gold there in neither run.
    """

    retained: Cell
    recovered: Cell
    lost: Cell
    still_missing: Cell

    @classmethod
    def of(cls, counts: Mapping[tuple[bool, bool, bool, bool], Number]) -> Transitions:
        """The table from its entries by (gold before, gold after, pass before, pass after); what is left out is 0.

        Args:
            counts: questions, or their weights, for each of up to sixteen kinds.

        Returns:
            The table.

        >>> Transitions.of({(True, True, True, False): 3, (False, True, False, True): 5}).recovered.after_only
        5
        """

        def cell(gold_before: bool, gold_after: bool) -> Cell:
            both, before_only, after_only, neither = (
                counts.get((gold_before, gold_after, first, second), 0)
                for first in (True, False)
                for second in (True, False)
            )
            return Cell(both=both, before_only=before_only, after_only=after_only, neither=neither)

        return cls(
            retained=cell(True, True),
            recovered=cell(False, True),
            lost=cell(True, False),
            still_missing=cell(False, False),
        )

    def __iter__(self) -> Iterator[Cell]:
        return iter((self.retained, self.recovered, self.lost, self.still_missing))

    @property
    def counted(self) -> bool:
        """Whether every cell is counted."""
        return all(cell.counted for cell in self)

    @property
    def whole(self) -> Cell:
        """All four cells taken together."""
        both, before_only, after_only, neither = (
            sum(map(exact, entries), Fraction(0)) for entries in zip(*(cell.entries for cell in self), strict=True)
        )
        return Cell(both=both, before_only=before_only, after_only=after_only, neither=neither)

    @property
    def recall_before(self) -> Exact | None:
        """Share of questions with gold before; None where there are none."""
        return ratio(self.retained.size + self.lost.size, self.whole.size)

    @property
    def recall_after(self) -> Exact | None:
        """Share of questions with gold after; None where there are none."""
        return ratio(self.retained.size + self.recovered.size, self.whole.size)

    @property
    def with_gold(self) -> Exact | None:
        """Pass rate before where gold was there; None where there are no such questions."""
        return ratio(self.retained.passed_before + self.lost.passed_before, self.retained.size + self.lost.size)

    @property
    def without_gold(self) -> Exact | None:
        """Pass rate before where gold was not there; None where there are no such questions."""
        return ratio(
            self.recovered.passed_before + self.still_missing.passed_before,
            self.recovered.size + self.still_missing.size,
        )


def exact(number: Number) -> Exact:
    """A number in the arithmetic it came in: whole numbers and fractions exactly, floats as they are.

    Args:
        number: any of the three, numpy's kinds included.

    Returns:
        A Fraction or a float.

    Raises:
        ValueError: the number is not finite.

    >>> exact(3) / 4, exact(3.0) / 4
    (Fraction(3, 4), 0.75)
    """
    if isinstance(number, Fraction):
        return number
    if not isinstance(number, float):
        return Fraction(operator.index(number))
    if not math.isfinite(number):
        msg = f"a number must be finite, not {number}"
        raise ValueError(msg)
    return float(number)


def ratio(part: Exact, whole: Exact) -> Exact | None:
    """A share, or None of nothing.

    Args:
        part: numerator.
        whole: denominator, not negative.

    Returns:
        part/whole, None where whole is 0.

    >>> ratio(Fraction(1), Fraction(0)) is None
    True
    """
    return None if whole == 0 else part / whole
