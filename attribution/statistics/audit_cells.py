"""Questions by label and outcome, what an audit found in them, and what that makes of the masses behind the rates."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np

from attribution.statistics.interval import Undefined
from attribution.statistics.posterior import Floats, draws
from attribution.statistics.two_phase import LEAST_CHECKS


class Estimand(StrEnum):
    """Which share of the questions recall is. Unlabelled gold pushes the two in different ways."""

    all_required = "all required evidence reached"
    any_gold = "any gold reached, of the questions that can be answered"


class Label(StrEnum):
    """What the labels say of a question."""

    hit = "hit"
    miss = "miss"
    no_gold = "no gold labelled"


class Truth(StrEnum):
    """What an audit finds for a question."""

    reached = "reached"
    missed = "missed"
    unanswerable = "unanswerable"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditCell:
    """Questions with the same label and outcome, and what auditing some of them found.

    Attributes:
        label: what the labels say.
        passed: whether they passed.
        questions: questions in the cell.
        possible: what an audit of the cell can find at all. With one entry the truth is certain and needs no
            audit; an audit that can only take hits away makes the misses certain.
        reached: audited questions whose gold did reach the model.
        missed: audited questions whose gold did not.
        unanswerable: audited questions that turn out to have no gold anywhere.
    """

    label: Label
    passed: bool
    questions: int
    possible: frozenset[Truth]
    reached: int = 0
    missed: int = 0
    unanswerable: int = 0

    def __post_init__(self) -> None:
        """Refuse counts that contradict one another.

        Raises:
            ValueError: a count is negative, more were audited than there are, nothing is possible, or the audit
                found what is said to be impossible.
        """
        if min(map(operator.index, self.found.values())) < 0 or self.audited > operator.index(self.questions):
            msg = f"{self.audited} audits do not fit into {self.questions} questions"
            raise ValueError(msg)
        if not self.possible or any(count > 0 and truth not in self.possible for truth, count in self.found.items()):
            msg = f"the audit of the {self.label} cell found what it declares impossible, or declares nothing possible"
            raise ValueError(msg)

    @property
    def found(self) -> dict[Truth, int]:
        """Audited questions by truth."""
        return {Truth.reached: self.reached, Truth.missed: self.missed, Truth.unanswerable: self.unanswerable}

    @property
    def audited(self) -> int:
        """Audited questions."""
        return self.reached + self.missed + self.unanswerable

    @property
    def open(self) -> bool:
        """Whether only an audit tells what the questions are."""
        return len(self.possible) > 1 and self.questions > 0

    def share(self, truth: Truth) -> Fraction:
        """Share of the cell with this truth: as audited, or evenly over what is possible where nobody audited."""
        if truth not in self.possible:
            return Fraction(0)
        return Fraction(self.found[truth], self.audited) if self.audited else Fraction(1, len(self.possible))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactRates:
    """The corrected rates as fractions; None where a denominator is empty.

    Attributes:
        recall: share of the denominator whose gold reached the model.
        with_gold: pass rate of those.
        without_gold: pass rate of the others.
        passed: pass rate of the denominator, recall x with_gold + (1 - recall) x without_gold without rounding.
    """

    recall: Fraction | None
    with_gold: Fraction | None
    without_gold: Fraction | None
    passed: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRates:
    """Posterior draws of the corrected rates, each of shape (draws,); the identity holds in every draw.

    Attributes:
        recall: as in `ExactRates`.
        with_gold: likewise.
        without_gold: likewise.
        passed: likewise.
    """

    recall: Floats
    with_gold: Floats
    without_gold: Floats
    passed: Floats


def exact_rates(cells: Sequence[AuditCell]) -> ExactRates:
    """Point estimates without rounding, so that identities between them can be checked for equality.

    Args:
        cells: the questions by label and outcome.

    Returns:
        The rates; an open cell that was never audited is split evenly over what is possible.

    References:
        Cochran (1977, chapter 12).

    >>> either = frozenset({Truth.reached, Truth.missed})
    >>> hits = AuditCell(label=Label.hit, passed=True, questions=10, possible=either, reached=3, missed=1)
    >>> misses = AuditCell(label=Label.miss, passed=False, questions=10, possible=frozenset({Truth.missed}))
    >>> exact_rates([hits, misses]).recall
    Fraction(3, 8)
    """
    reached, missed, reached_passed, missed_passed = (
        sum((cell.questions * cell.share(truth) for cell in cells if cell.passed or not passing), Fraction(0))
        for passing in (False, True)
        for truth in (Truth.reached, Truth.missed)
    )

    def ratio(part: Fraction, whole: Fraction) -> Fraction | None:
        return part / whole if whole else None

    return ExactRates(
        recall=ratio(reached, reached + missed),
        with_gold=ratio(reached_passed, reached),
        without_gold=ratio(missed_passed, missed),
        passed=ratio(reached_passed + missed_passed, reached + missed),
    )


def drawn_rates(cells: Sequence[AuditCell]) -> DrawnRates:
    """Posterior draws of the rates.

    Args:
        cells: the questions by label and outcome, at least one.

    Returns:
        The draws, the same for the same cells; a rate whose denominator can hold nothing is 0 in all.

    References:
        Tenenbein (1970).

    >>> either = frozenset({Truth.reached, Truth.missed})
    >>> hits = AuditCell(label=Label.hit, passed=True, questions=10, possible=either, reached=3, missed=1)
    >>> misses = AuditCell(label=Label.miss, passed=False, questions=10, possible=frozenset({Truth.missed}))
    >>> drawn_rates([hits, misses]).recall.shape
    (20000,)
    """
    # In one order, so that naming the cells in another gives the same draws.
    cells = sorted(cells, key=lambda cell: (cell.label, cell.passed, cell.questions, *cell.found.values()))
    sizes, truths = draws(
        np.array([cell.questions for cell in cells]),
        np.array([[cell.found[truth] for truth in Truth] for cell in cells]),
        np.array([[truth in cell.possible for truth in Truth] for cell in cells]),
    )
    passing = np.array([cell.passed for cell in cells])
    masses = sizes[:, None] * truths
    reached, missed, _ = masses.sum(axis=0)
    reached_passed, missed_passed, _ = masses[passing].sum(axis=0)

    def ratio(part: Floats, whole: Floats) -> Floats:
        return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0.0)

    return DrawnRates(
        recall=ratio(reached, reached + missed),
        with_gold=ratio(reached_passed, reached),
        without_gold=ratio(missed_passed, missed),
        passed=ratio(reached_passed + missed_passed, reached + missed),
    )


def check_cells(cells: Sequence[AuditCell], estimand: Estimand) -> None:
    """Refuse cells that have no meaning under an estimand.

    Args:
        cells: the questions by label and outcome.
        estimand: which recall is meant.

    Raises:
        ValueError: for `all_required`, a question can be unanswerable or has no gold labelled; for `any_gold`,
            a hit can be anything but a hit.

    >>> miss = AuditCell(label=Label.miss, passed=True, questions=3, possible=frozenset({Truth.unanswerable}))
    >>> check_cells([miss], Estimand.any_gold)
    >>> check_cells([miss], Estimand.all_required)
    Traceback (most recent call last):
        ...
    ValueError: a cell labelled miss cannot turn out unanswerable where recall is all required evidence reached
    """
    for cell in cells:
        if estimand is Estimand.all_required:
            fits = cell.label is not Label.no_gold and Truth.unanswerable not in cell.possible
        else:
            fits = cell.label is not Label.hit or cell.possible == {Truth.reached}
        if not fits:
            truths = ", ".join(sorted(cell.possible))
            msg = f"a cell labelled {cell.label} cannot turn out {truths} where recall is {estimand}"
            raise ValueError(msg)


def refusal(cells: Sequence[AuditCell]) -> Undefined | None:
    """Why nothing can be estimated from these cells.

    Args:
        cells: the questions by label and outcome.

    Returns:
        The reason: no questions, or fewer than five audits in cells that need them; None where nothing stands in
        the way.

    >>> either = frozenset({Truth.reached, Truth.missed})
    >>> refusal([AuditCell(label=Label.hit, passed=True, questions=40, possible=either, reached=4)]).name
    'too_few_checks'
    """
    if sum(cell.questions for cell in cells) == 0:
        return Undefined.no_cases
    needed = [cell for cell in cells if cell.open]
    if needed and sum(cell.audited for cell in needed) < LEAST_CHECKS:
        return Undefined.too_few_checks
    return None
