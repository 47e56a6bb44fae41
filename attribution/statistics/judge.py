"""Pass rates that hold for the truth where a judge gave the verdicts, by how the judge was validated.

A judge does not only shift the level. It shrinks the difference between questions with gold and without, the more so
if it is laxer without, and with it every projected gain; so each of the two cells is corrected by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attribution.statistics.confusion import Confusion
from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.judge_cells import (
    Assumption,
    Design,
    JudgedCell,
    cell_draws,
    cell_point,
    check_design,
)
from attribution.statistics.posterior import summary, unknown
from attribution.statistics.projection import check_share
from attribution.statistics.proportions import wilson
from attribution.statistics.rogan_gladen import rogan_gladen
from attribution.statistics.two_phase import strata_point, two_phase


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRates:
    """Pass rates as judged and as they are in truth.

    Attributes:
        design: where the validated items came from.
        assumptions: what is taken for granted.
        recall: share of questions with gold; a judge of answers does not touch it.
        with_gold: true pass rate where gold was there.
        without_gold: true pass rate where it was not.
        passed: true pass rate of all.
        judge_with_gold: what the judge says of with_gold.
        judge_without_gold: what the judge says of without_gold.
        judge_passed: what the judge says of passed.
    """

    design: Design
    assumptions: tuple[Assumption, ...]
    recall: Interval
    with_gold: Interval
    without_gold: Interval
    passed: Interval
    judge_with_gold: Interval
    judge_without_gold: Interval
    judge_passed: Interval


def judged_rates(
    with_gold: JudgedCell,
    without_gold: JudgedCell,
    *,
    design: Design,
    shared: Confusion | None = None,
    level: float = 0.95,
) -> JudgedRates:
    """True pass rates behind a judge's verdicts, by the method that the validation allows.

    One draw is one question, and one validated item. With human labels on a random subset of these questions each
    gold cell is a two-phase sample over the verdicts. With labels on other items each cell is taken back through the
    judge's error rates. Without labels only the judge's own rates are given, under that name. Do not trust it
    where the validated items were used to write the judge's prompt, or where questions have weights or repeats.

    Args:
        with_gold: questions whose gold was there.
        without_gold: questions whose gold was not.
        design: where the validated items come from.
        shared: for `external` only, one validation for both cells, where gold is not known for its items.
        level: level of every interval.

    Returns:
        The rates, in 0 to 1; None with a reason where they cannot be told: fewer than five labels in a cell, a judge
        no better than chance, or no validation.

    Raises:
        ValueError: the validation given is not that of the design, or the level is not a level.

    References:
        Tenenbein (1970); Rogan & Gladen (1978); Lang & Reiczigel (2014).

    >>> from attribution.statistics.judge_cells import Design, JudgedCell
    >>> found = JudgedCell(
    ...     judged_pass=200, judged_fail=32, validation=Confusion(true_pass=46, false_fail=4, false_pass=2, true_fail=6)
    ... )
    >>> missing = JudgedCell(
    ...     judged_pass=90, judged_fail=78, validation=Confusion(true_pass=15, false_fail=3, false_pass=7, true_fail=17)
    ... )
    >>> rates = judged_rates(found, missing, design=Design.subset)
    >>> [round(rate.estimate, 4) for rate in (rates.with_gold, rates.without_gold, rates.passed)]
    [0.8813, 0.4349, 0.6938]
    >>> [round(rate.estimate, 4) for rate in (rates.judge_with_gold, rates.judge_without_gold, rates.judge_passed)]
    [0.8621, 0.5357, 0.725]
    """
    critical_value(level)
    check_design((with_gold, without_gold), design, shared)
    n = with_gold.questions + without_gold.questions
    cells = (with_gold, without_gold)
    with_rate, without_rate = (_cell_rate(cell, design, shared, level) for cell in cells)
    clipped = any(rate.reason is Undefined.clipped for rate in (with_rate, without_rate))
    if design is Design.external and shared is not None and not clipped:
        passed = rogan_gladen(sum(cell.judged_pass for cell in cells), n, shared, level=level).rate
    else:
        passed = _mixture(None, cells, design, shared, level)
    return JudgedRates(
        design=design,
        assumptions=_assumptions(design, shared),
        recall=wilson(with_gold.questions, n, level=level),
        with_gold=with_rate,
        without_gold=without_rate,
        passed=passed,
        judge_with_gold=wilson(with_gold.judged_pass, with_gold.questions, level=level),
        judge_without_gold=wilson(without_gold.judged_pass, without_gold.questions, level=level),
        judge_passed=wilson(sum(cell.judged_pass for cell in cells), n, level=level),
    )


def judged_projection(
    recall_target: float,
    with_gold: JudgedCell,
    without_gold: JudgedCell,
    *,
    design: Design,
    shared: Confusion | None = None,
    level: float = 0.95,
) -> Interval:
    """Projected true pass rate at a recall, from verdicts of a judge.

    One draw is one question, and one validated item. Both rates are drawn and projected together. Pooling the
    validation over the gold cells would not do: a judge that is laxer without gold makes the two cells look alike.
    Do not trust it where `judged_rates` is not to be trusted.

    Args:
        recall_target: share of the questions whose gold reaches the model, 0 to 1.
        with_gold: questions whose gold was there.
        without_gold: questions whose gold was not.
        design: where the validated items come from.
        shared: as in `judged_rates`.
        level: probability inside the limits.

    Returns:
        The projected pass rate, in 0 to 1; None with a reason where a rate that matters cannot be told.

    Raises:
        ValueError: recall_target lies outside 0 to 1, the validation given is not that of the design, or the level is
            not a level.

    References:
        Tenenbein (1970); Rogan & Gladen (1978).

    >>> from attribution.statistics.judge_cells import Design, JudgedCell
    >>> found = JudgedCell(judged_pass=200, judged_fail=32)
    >>> missing = JudgedCell(judged_pass=90, judged_fail=78)
    >>> items = Confusion(true_pass=180, false_fail=10, false_pass=12, true_fail=98)
    >>> forecast = judged_projection(0.85, found, missing, design=Design.external, shared=items)
    >>> round(forecast.estimate, 3), round(forecast.lower, 2), round(forecast.upper, 2)
    (0.84, 0.78, 0.9)
    """
    check_share(recall_target, "recall_target")
    critical_value(level)
    check_design((with_gold, without_gold), design, shared)
    return _mixture(recall_target, (with_gold, without_gold), design, shared, level)


def _cell_rate(cell: JudgedCell, design: Design, shared: Confusion | None, level: float) -> Interval:
    if design is Design.none:
        return unknown(cell.questions, level=level, reason=Undefined.judge_unvalidated)
    if design is Design.subset:
        return two_phase(*cell.strata, level=level)
    items = shared or cell.validation
    if items is None:
        raise ValueError("a cell has no validated items")
    return rogan_gladen(cell.judged_pass, cell.questions, items, level=level).rate


def _mixture(
    recall: float | None,
    cells: tuple[JudgedCell, JudgedCell],
    design: Design,
    shared: Confusion | None,
    level: float,
) -> Interval:
    """Rate over both cells at a recall, or at the one observed, which is then uncertain too."""
    n = sum(cell.questions for cell in cells)
    if design is Design.none or n == 0:
        nothing = Undefined.judge_unvalidated if design is Design.none else Undefined.no_cases
        return unknown(n, level=level, reason=nothing)
    share = cells[0].questions / n if recall is None else recall
    if recall is None and design is Design.subset:
        # One sample over all strata: a cell with few labels does not keep the whole from being told.
        parts = [(1.0, strata_point([stratum for cell in cells for stratum in cell.strata]))]
    else:
        parts = [
            (weight, cell_point(cell, design, shared)) for weight, cell in ((share, cells[0]), (1 - share, cells[1]))
        ]
    point, cares = 0.0, []
    for weight, (rate, reason) in parts:
        if weight == 0.0:
            continue
        if rate is None:
            return unknown(n, level=level, reason=reason or Undefined.no_cases)
        point += weight * rate
        cares.append(reason)
    shares, rates = cell_draws(cells, design, shared)
    if rates.shape[1] == 0:
        return unknown(n, level=level, reason=Undefined.judge_uninformative)
    weights = shares if recall is None else np.array([[recall], [1.0 - recall]])
    care = next((reason for reason in cares if reason is not None), None)
    return summary(point, (weights * rates).sum(axis=0), n=n, level=level, reason=care)


def _assumptions(design: Design, shared: Confusion | None) -> tuple[Assumption, ...]:
    if design is Design.none:
        return (Assumption.trusted,)
    if design is Design.subset:
        return ()
    return (Assumption.transport,) if shared is None else (Assumption.transport, Assumption.alike)
