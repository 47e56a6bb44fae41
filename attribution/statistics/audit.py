"""Recall and both pass rates after an audit of the gold labels, corrected together.

Correcting recall alone breaks the identity that the projection rests on: the pass rate observed is recall x with +
(1 - recall) x without, and relabelling a question changes all three. Questions that fail in spite of a hit are also
likelier to have lost a piece of evidence that nobody labelled, so the audit is counted by label and by outcome.

Two readings of "gold reached the model" are here; share of passages found is a third, in `passages`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from attribution.statistics.audit_cells import (
    AuditCell,
    Estimand,
    check_cells,
    drawn_rates,
    exact_rates,
    refusal,
)
from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.posterior import Floats, summary, unknown
from attribution.statistics.projection import check_share
from attribution.statistics.proportions import wilson
from attribution.statistics.two_phase import LEAST_CHECKS


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedRates:
    """Recall and pass rates after the audit: recall x with_gold + (1 - recall) x without_gold is passed.

    Attributes:
        estimand: which recall it is.
        recall: share of the questions whose gold reached the model.
        with_gold: pass rate of those.
        without_gold: pass rate of the others.
        passed: pass rate of all questions of the denominator.
        unaudited: open cells without any audit: what is said about them is the prior.
        thin: open cells with fewer than five audits that all found the same; their spread is a guess.
    """

    estimand: Estimand
    recall: Interval
    with_gold: Interval
    without_gold: Interval
    passed: Interval
    unaudited: tuple[AuditCell, ...]
    thin: tuple[AuditCell, ...]


def audited_rates(cells: Sequence[AuditCell], *, estimand: Estimand, level: float = 0.95) -> AuditedRates:
    """Recall and both pass rates after an audit, moved together so that the pass rate is still their mixture.

    One draw is one question; within a cell each is as likely to be audited as any other. Limits are equal-tailed
    over posterior draws seeded from the counts. Do not trust it where questions were audited because they looked
    wrong, where questions have weights or repeats, or where the audit itself misses gold: recall is then still
    too high.

    Args:
        cells: the questions by label and outcome.
        estimand: which recall is meant. `all_required` counts all questions; `any_gold` leaves out the
            unanswerable, takes hits as certain, and lets questions without labelled gold turn out to be misses.
        level: probability inside the limits.

    Returns:
        The rates, in 0 to 1. With fewer than five audits where audits are needed, all that depend on them have
        no estimate; a rate without cases has none either. If an open cell was never audited its questions are
        split evenly over what is possible, and the reason says so.

    Raises:
        ValueError: a cell does not fit the estimand, or the level is not a level.

    References:
        Neyman (1938); Tenenbein (1970); Cochran (1977, chapter 12).

    >>> from attribution.statistics.audit_cells import Label, Truth
    >>> either, miss = frozenset({Truth.reached, Truth.missed}), frozenset({Truth.missed})
    >>> table = [
    ...     AuditCell(label=Label.hit, passed=True, questions=204, possible=either, reached=28, missed=1),
    ...     AuditCell(label=Label.hit, passed=False, questions=28, possible=either, reached=4, missed=2),
    ...     AuditCell(label=Label.miss, passed=True, questions=79, possible=miss),
    ...     AuditCell(label=Label.miss, passed=False, questions=89, possible=miss),
    ... ]
    >>> rates = audited_rates(table, estimand=Estimand.all_required)
    >>> [round(rate.estimate, 4) for rate in (rates.recall, rates.with_gold, rates.without_gold, rates.passed)]
    [0.5391, 0.9134, 0.4666, 0.7075]
    >>> round(rates.recall.lower, 3), round(rates.recall.upper, 3)
    (0.461, 0.589)
    """
    critical_value(level)
    check_cells(cells, estimand)
    n = sum(cell.questions for cell in cells)
    names = ("recall", "with_gold", "without_gold", "passed")
    if (refused := refusal(cells)) is not None:
        rates = dict.fromkeys(names, unknown(n, level=level, reason=refused))
    else:
        exact, drawn, reason = exact_rates(cells), drawn_rates(cells), _unaudited_reason(cells)
        rates = {
            name: _interval(getattr(exact, name), getattr(drawn, name), n=n, level=level, reason=reason)
            for name in names
        }
    if estimand is Estimand.all_required:
        # Relabelling does not change who passed: where every question counts, the audit adds no noise.
        rates["passed"] = wilson(sum(cell.questions for cell in cells if cell.passed), n, level=level)
    thin = (cell for cell in cells if cell.open and 0 < cell.audited < LEAST_CHECKS)
    return AuditedRates(
        estimand=estimand,
        **rates,
        unaudited=tuple(cell for cell in cells if cell.open and cell.audited == 0),
        thin=tuple(cell for cell in thin if cell.audited in cell.found.values()),
    )


def audited_projection(
    recall_target: float, cells: Sequence[AuditCell], *, estimand: Estimand, level: float = 0.95
) -> Interval:
    """Projected pass rate at a recall, from the pass rates after an audit of the labels.

    One draw is one question. The projection is taken draw by draw, because the audit moves both pass rates at once.
    Do not trust it at a recall that was itself counted by the labels: the target is a recall in truth.

    Args:
        recall_target: share of the questions whose gold reaches the model, in truth, 0 to 1.
        cells: the questions by label and outcome.
        estimand: as in `audited_rates`.
        level: probability inside the limits.

    Returns:
        The projected pass rate, in 0 to 1; no estimate where a rate that matters has none.

    Raises:
        ValueError: recall_target lies outside 0 to 1, a cell does not fit the estimand, or the level is not a level.

    References:
        Tenenbein (1970).

    >>> from attribution.statistics.audit_cells import Label, Truth
    >>> either, miss = frozenset({Truth.reached, Truth.missed}), frozenset({Truth.missed})
    >>> table = [
    ...     AuditCell(label=Label.hit, passed=True, questions=204, possible=either, reached=28, missed=1),
    ...     AuditCell(label=Label.hit, passed=False, questions=28, possible=either, reached=4, missed=2),
    ...     AuditCell(label=Label.miss, passed=True, questions=79, possible=miss),
    ...     AuditCell(label=Label.miss, passed=False, questions=89, possible=miss),
    ... ]
    >>> round(audited_projection(0.85, table, estimand=Estimand.all_required).estimate, 4)
    0.8464
    """
    check_share(recall_target, "recall_target")
    critical_value(level)
    check_cells(cells, estimand)
    n = sum(cell.questions for cell in cells)
    if (refused := refusal(cells)) is not None:
        return unknown(n, level=level, reason=refused)
    exact, drawn, target = exact_rates(cells), drawn_rates(cells), Fraction(recall_target)
    sides = (
        (target, exact.with_gold, drawn.with_gold),
        (1 - target, exact.without_gold, drawn.without_gold),
    )
    point, values = Fraction(0), np.zeros_like(drawn.recall)
    for weight, rate, rates in sides:
        if weight == 0:
            continue
        if rate is None:
            return unknown(n, level=level, reason=Undefined.no_cases)
        point, values = point + weight * rate, values + float(weight) * rates
    return _interval(point, values, n=n, level=level, reason=_unaudited_reason(cells))


def _unaudited_reason(cells: Sequence[AuditCell]) -> Undefined | None:
    return Undefined.unchecked_stratum if any(cell.open and cell.audited == 0 for cell in cells) else None


def _interval(point: Fraction | None, drawn: Floats, *, n: int, level: float, reason: Undefined | None) -> Interval:
    if point is None:
        return unknown(n, level=level, reason=Undefined.no_cases)
    return summary(float(point), drawn, n=n, level=level, reason=reason)
