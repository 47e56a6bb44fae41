"""Questions by the judge's verdict, where humans checked it, and what that leaves of the rate and of its draws."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from attribution.statistics.confusion import Confusion
from attribution.statistics.interval import Undefined
from attribution.statistics.posterior import Floats, draws
from attribution.statistics.rogan_gladen import true_rate
from attribution.statistics.two_phase import Stratum, strata_point


class Design(StrEnum):
    """Where the items come from on which a human checked the judge. It decides the method."""

    subset = "a random subset of these questions"
    external = "other items"
    none = "nowhere"


class Assumption(StrEnum):
    """What a correction takes for granted and these counts cannot show."""

    transport = "the judge errs on these questions as it did on the validated items"
    alike = "the judge errs alike with gold and without"
    trusted = "nothing is corrected: these are the judge's rates"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCell:
    """Questions of one gold cell by the judge's verdict, and how a human saw some items.

    Attributes:
        judged_pass: questions judged pass.
        judged_fail: questions judged fail.
        validation: items that a human labelled too: of these very questions for `subset`, others for `external`.
    """

    judged_pass: int
    judged_fail: int
    validation: Confusion | None = None

    def __post_init__(self) -> None:
        """Refuse negative counts.

        Raises:
            ValueError: a count is negative.
        """
        if min(operator.index(self.judged_pass), operator.index(self.judged_fail)) < 0:
            raise ValueError("counts of judged questions cannot be negative")

    @property
    def questions(self) -> int:
        """Questions in the cell."""
        return self.judged_pass + self.judged_fail

    @property
    def strata(self) -> tuple[Stratum, Stratum]:
        """Questions judged pass and judged fail, with their human labels as checks.

        Raises:
            ValueError: more were labelled than judged.
        """
        labels = self.validation or Confusion(true_pass=0, false_fail=0, false_pass=0, true_fail=0)
        return (
            Stratum(cases=self.judged_pass, checked=labels.true_pass + labels.false_pass, true=labels.true_pass),
            Stratum(cases=self.judged_fail, checked=labels.false_fail + labels.true_fail, true=labels.false_fail),
        )


def check_design(cells: Sequence[JudgedCell], design: Design, shared: Confusion | None) -> None:
    """Refuse validation items that are not where the design says.

    Args:
        cells: the questions of each gold cell.
        design: where the validated items come from.
        shared: one validation for all cells.

    Raises:
        ValueError: for `subset`, a cell has no labels of its own, or more than questions; for `external`, neither the
            cells nor `shared` has items, or both have; for `none`, there are items.

    >>> cell = JudgedCell(judged_pass=3, judged_fail=1)
    >>> check_design([cell], Design.none, None)
    >>> check_design([cell], Design.subset, None)
    Traceback (most recent call last):
        ...
    ValueError: the validated items given are not those of a judge validated on a random subset of these questions
    """
    own = [cell.validation is not None for cell in cells]
    if design is Design.none:
        fits = not any(own) and shared is None
    elif design is Design.subset:
        fits = all(own) and shared is None
        for cell in cells:
            _ = cell.strata
    else:
        fits = all(own) if shared is None else not any(own)
    if not fits:
        msg = f"the validated items given are not those of a judge validated on {design}"
        raise ValueError(msg)


def cell_point(cell: JudgedCell, design: Design, shared: Confusion | None) -> tuple[float | None, Undefined | None]:
    """True pass rate of one gold cell, without limits.

    Args:
        cell: the questions of the cell.
        design: where the validated items come from; not `none`.
        shared: one validation for all cells.

    Returns:
        The rate or None, and the reason why it is None or to be read with care.

    References:
        Tenenbein (1970); Rogan & Gladen (1978).

    >>> items = Confusion(true_pass=60, false_fail=10, false_pass=6, true_fail=24)
    >>> point, _ = cell_point(JudgedCell(judged_pass=271, judged_fail=129, validation=items), Design.subset, None)
    >>> round(point, 4)
    0.7108
    """
    if design is Design.subset:
        return strata_point(cell.strata)
    items = shared or cell.validation
    if cell.questions == 0 or items is None or items.passes == 0 or items.fails == 0:
        return None, Undefined.no_cases
    found = true_rate(cell.judged_pass / cell.questions, items.true_pass / items.passes, items.true_fail / items.fails)
    return found.estimate, found.reason


def cell_draws(cells: Sequence[JudgedCell], design: Design, shared: Confusion | None) -> tuple[Floats, Floats]:
    """Posterior draws of the share of each gold cell, and of its true pass rate.

    Draws in which a judge would be no better than chance are left out: there the truth could be anything.

    Args:
        cells: the questions of each gold cell.
        design: where the validated items come from; not `none`.
        shared: one validation for all cells.

    Returns:
        Shares and rates, each of shape (cells, draws), the same for the same counts.

    References:
        Tenenbein (1970); Rogan & Gladen (1978).

    >>> items = Confusion(true_pass=60, false_fail=10, false_pass=6, true_fail=24)
    >>> cell = JudgedCell(judged_pass=271, judged_fail=129, validation=items)
    >>> shares, rates = cell_draws([cell], Design.subset, None)
    >>> round(float(rates.mean()), 2)
    0.71
    """
    if design is Design.subset:
        strata = [stratum for cell in cells for stratum in cell.strata]
        sizes, truths = draws(
            np.array([stratum.cases for stratum in strata]),
            np.array([[stratum.true, stratum.checked - stratum.true] for stratum in strata]),
            np.ones((len(strata), 2), dtype=bool),
        )
        passing = (sizes * truths[:, 0]).reshape(len(cells), 2, -1).sum(axis=1)
        shares = sizes.reshape(len(cells), 2, -1).sum(axis=1)
        return shares, passing / shares
    # All in one call: two calls with equal counts would be two copies of the same draws.
    items = [shared] if shared is not None else [cell.validation for cell in cells if cell.validation is not None]
    rows = [[cell.judged_pass, cell.judged_fail] for cell in cells]
    rows += [pair for each in items for pair in ([each.true_pass, each.false_fail], [each.true_fail, each.false_pass])]
    cases = np.array([cell.questions for cell in cells] + [0] * 2 * len(items))
    sizes, shares_of = draws(cases, np.array(rows), np.ones((len(rows), 2), dtype=bool))
    sizes, judged, errors = sizes[: len(cells)], shares_of[: len(cells), 0], shares_of[len(cells) :, 0]
    sensitivity, specificity = errors[0::2], errors[1::2]
    youden = sensitivity + specificity - 1.0
    keep = (youden > 0.0).all(axis=0)
    rates = np.clip((judged + specificity - 1.0)[:, keep] / youden[:, keep], 0.0, 1.0)
    return (sizes / sizes.sum(axis=0))[:, keep], rates
