"""Intervals of the terms of a split over the transition cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from attribution.statistics.decomposition import (
    change_of_shares,
    coarse,
    error_of_shares,
    fine_forecast_error,
    observed_change,
)
from attribution.statistics.differences import newcombe_paired
from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.multinomial import AnyTerms, term_intervals
from attribution.statistics.terms import ChangeTerms, ErrorTerms, FineErrorTerms, Shares
from attribution.statistics.transitions import Cell, Number, Transitions


def change_limits(
    table: Transitions, *, questions: int | None = None, n_effective: float | None = None, level: float = 0.95
) -> ChangeTerms[Interval]:
    """The observed change by transition cell, with intervals.

    One draw is one question. Do not trust it for repeats counted as questions. On counts: Newcombe's paired interval
    within the cell times its share of the questions, the share taken as it is. On weights: the limits of
    `error_limits`. Each interval holds by itself.

    Args:
        table: the same questions in both runs.
        questions: number of questions, where the table holds weights.
        n_effective: effective number of questions, where the table holds weights.
        level: confidence level.

    Returns:
        Terms on the scale of a pass rate. An empty cell's is 0 without width; an empty table's are None.

    Raises:
        ValueError: the table holds weights and the two numbers are not given, or the level is not a level.

    References:
        Newcombe (1998, paired differences, method 10).

    >>> table = Transitions(
    ...     retained=Cell(both=190, before_only=11, after_only=6, neither=21),
    ...     recovered=Cell(both=50, before_only=5, after_only=40, neither=17),
    ...     lost=Cell(both=2, before_only=1, neither=1),
    ...     still_missing=Cell(both=20, before_only=4, after_only=2, neither=30),
    ... )
    >>> term = change_limits(table).recovered
    >>> round(term.estimate, 4), round(term.lower, 4), round(term.upper, 4)
    (0.0875, 0.0573, 0.1148)
    """
    split = observed_change(table)
    if isinstance(split, Undefined):
        return ChangeTerms(**_undefined(ChangeTerms, level))
    if not table.counted:
        n, size = _sizes(table, questions, n_effective)
        return ChangeTerms(**term_intervals(split, change_of_shares, table, n, size, level))
    n = int(table.whole.size)
    return ChangeTerms(
        total=_contribution(table.whole, n, level),
        retained=_contribution(table.retained, n, level),
        recovered=_contribution(table.recovered, n, level),
        lost=_contribution(table.lost, n, level),
        still_missing=_contribution(table.still_missing, n, level),
    )


def error_limits(
    table: Transitions,
    recall_forecast: Number,
    *,
    with_gold: Number | None = None,
    without_gold: Number | None = None,
    recovered: Number | None = None,
    forecast: Number | None = None,
    questions: int | None = None,
    n_effective: float | None = None,
    level: float = 0.95,
) -> ErrorTerms[Interval]:
    """The five terms of a forecast's error, with intervals.

    One draw is one question with gold and outcome in both runs: all sixteen entries vary together, see
    `multinomial.term_intervals`. Rates that are given are taken as known; the table's own vary with it. Each
    interval holds by itself. Do not trust the term of the retained below 300 questions of which hardly any flip.

    Args:
        table: the same questions in both runs.
        recall_forecast: recall that was forecast.
        with_gold: pass rate that was assumed with gold; by default the one of the table before.
        without_gold: pass rate that was assumed without gold; likewise.
        recovered: pass rate that was assumed of recovered questions; by default the one with gold.
        forecast: pass rate that was forecast; by default the one that recall and both rates give.
        questions: number of questions, where the table holds weights.
        n_effective: effective number of questions, where the table holds weights.
        level: confidence level.

    Returns:
        Terms on the scale of a pass rate; None with limits -1 and 1 where the split is undefined.

    Raises:
        ValueError: the table holds weights and the two numbers are not given, or the level is not a level.

    References:
        Agresti (2013), the delta method for multinomial counts.

    >>> table = Transitions(
    ...     retained=Cell(both=190, before_only=11, after_only=6, neither=21),
    ...     recovered=Cell(both=50, before_only=5, after_only=40, neither=17),
    ...     lost=Cell(both=2, before_only=1, neither=1),
    ...     still_missing=Cell(both=20, before_only=4, after_only=2, neither=30),
    ... )
    >>> term = error_limits(table, 0.85).recovered
    >>> round(term.estimate, 4), round(term.lower, 4), round(term.upper, 4), term.method
    (-0.0212, -0.0452, 0.0027, 'multinomial-delta')
    """
    split = fine_forecast_error(
        table,
        recall_forecast,
        with_gold=with_gold,
        without_gold=without_gold,
        recovered=recovered,
        forecast=forecast,
    )
    if isinstance(split, Undefined):
        return ErrorTerms(**_undefined(ErrorTerms, level))
    n, size = _sizes(table, questions, n_effective)
    terms = _error_function(float(recall_forecast), with_gold, without_gold, recovered, forecast)
    return ErrorTerms(**term_intervals(coarse(split), lambda shares: coarse(terms(shares)), table, n, size, level))


def fine_error_limits(
    table: Transitions,
    recall_forecast: Number,
    *,
    with_gold: Number | None = None,
    without_gold: Number | None = None,
    recovered: Number | None = None,
    forecast: Number | None = None,
    questions: int | None = None,
    n_effective: float | None = None,
    level: float = 0.95,
) -> FineErrorTerms[Interval]:
    """The eight terms of a forecast's error, with intervals.

    One draw is one question with gold and outcome in both runs; see `error_limits`, which has the same conditions. Do
    not trust the terms of cells of which hardly any question flips below 300 questions.

    Args:
        table: the same questions in both runs.
        recall_forecast: recall that was forecast.
        with_gold: pass rate that was assumed with gold; by default the one of the table before.
        without_gold: pass rate that was assumed without gold; likewise.
        recovered: pass rate that was assumed of recovered questions; by default the one with gold.
        forecast: pass rate that was forecast; by default the one that recall and both rates give.
        questions: number of questions, where the table holds weights.
        n_effective: effective number of questions, where the table holds weights.
        level: confidence level.

    Returns:
        Terms on the scale of a pass rate; None with limits -1 and 1 where the split is undefined.

    Raises:
        ValueError: the table holds weights and the two numbers are not given, or the level is not a level.

    References:
        Agresti (2013), the delta method for multinomial counts.

    >>> table = Transitions(
    ...     retained=Cell(both=190, before_only=11, after_only=6, neither=21),
    ...     recovered=Cell(both=50, before_only=5, after_only=40, neither=17),
    ...     lost=Cell(both=2, before_only=1, neither=1),
    ...     still_missing=Cell(both=20, before_only=4, after_only=2, neither=30),
    ... )
    >>> term = fine_error_limits(table, 0.85).still_missing_selection
    >>> round(term.estimate, 4), round(term.lower, 4), round(term.upper, 4)
    (-0.0058, -0.0207, 0.0091)
    """
    split = fine_forecast_error(
        table,
        recall_forecast,
        with_gold=with_gold,
        without_gold=without_gold,
        recovered=recovered,
        forecast=forecast,
    )
    if isinstance(split, Undefined):
        return FineErrorTerms(**_undefined(FineErrorTerms, level))
    n, size = _sizes(table, questions, n_effective)
    terms = _error_function(float(recall_forecast), with_gold, without_gold, recovered, forecast)
    return FineErrorTerms(**term_intervals(split, terms, table, n, size, level))


def _contribution(cell: Cell, n: int, level: float) -> Interval:
    """After less before within a cell, times the cell's share."""
    both, before_only, after_only, neither = cell.counts()
    size = both + before_only + after_only + neither
    change = newcombe_paired(both, after_only, before_only, neither, level=level)
    low, high = change.bounds
    return Interval(
        n=size,
        count=None,
        estimate=(after_only - before_only) / n,
        lower=low * size / n,
        upper=high * size / n,
        level=level,
        method="newcombe-paired-share",
        reason=change.reason,
    )


def _sizes(table: Transitions, questions: int | None, n_effective: float | None) -> tuple[int, float]:
    """Questions as counted, and as many as they are worth."""
    if table.counted and questions is None and n_effective is None:
        return int(table.whole.size), float(table.whole.size)
    if questions is None or n_effective is None or not n_effective > 0.0:
        raise ValueError("a table of weights needs the number of questions and their effective number, above 0")
    return questions, float(n_effective)


def _error_function(
    recall: float,
    with_gold: Number | None,
    without_gold: Number | None,
    side: Number | None,
    forecast: Number | None,
) -> Callable[[Shares], FineErrorTerms[Any]]:
    """The split as a function of shares alone: rates that are not given come from the shares."""

    def terms(shares: Shares) -> FineErrorTerms[Any]:
        retained, recovered, lost, still_missing = shares.sizes
        found, missed = with_gold, without_gold
        return error_of_shares(
            shares,
            recall,
            (shares.before[0] + shares.before[2]) / (retained + lost) if found is None else float(found),
            (shares.before[1] + shares.before[3]) / (recovered + still_missing) if missed is None else float(missed),
            recovered_rate=None if side is None else float(side),
            forecast=None if forecast is None else float(forecast),
        )

    return terms


def _undefined(kind: type[AnyTerms], level: float) -> dict[str, Interval]:
    """Every term without an estimate, within what a difference of rates can be."""
    critical_value(level)
    unknown = Interval(
        n=0,
        count=None,
        estimate=None,
        lower=-1.0,
        upper=1.0,
        level=level,
        method="undefined",
        reason=Undefined.no_cases,
    )
    return {field.name: unknown for field in fields(kind)}
