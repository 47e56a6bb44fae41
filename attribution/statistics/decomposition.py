"""Exact splits over the transition cells: of an observed change, and of the error of a forecast.

Nothing is estimated here. The splits are identities: in fractions the terms add up to the total with `==`.
`term_limits` puts intervals to them, from the same functions of shares.
"""

from __future__ import annotations

from typing import Any

from attribution.statistics.interval import Undefined
from attribution.statistics.terms import ChangeTerms, ErrorTerms, FineErrorTerms, Shares
from attribution.statistics.transitions import Exact, Number, Transitions, exact


def observed_change(table: Transitions) -> ChangeTerms[Exact] | Undefined:
    """The change of the pass rate between two runs, split exactly over the transition cells.

    No draw: it holds for any table. Do not read a term as the effect of its cell on other questions; a cell's
    term is its size times its change of rate, so a small cell has a small term.

    Args:
        table: the same questions in both runs, as counts, fractions or weights.

    Returns:
        Terms on the scale of a pass rate, fractions where the table is exact; no_cases where it is empty. An
        empty cell contributes 0.

    >>> from attribution.statistics.transitions import Cell
    >>> table = Transitions(
    ...     retained=Cell(both=190, before_only=11, after_only=6, neither=21),
    ...     recovered=Cell(both=50, before_only=5, after_only=40, neither=17),
    ...     lost=Cell(both=2, before_only=1, neither=1),
    ...     still_missing=Cell(both=20, before_only=4, after_only=2, neither=30),
    ... )
    >>> split = observed_change(table)
    >>> split.total, split.recovered, split.total == split.retained + split.recovered + split.lost + split.still_missing
    (Fraction(27, 400), Fraction(7, 80), True)
    """
    if table.whole.size == 0:
        return Undefined.no_cases
    return change_of_shares(shares_of(table))


def forecast_error(
    table: Transitions,
    recall_forecast: Number,
    *,
    with_gold: Number | None = None,
    without_gold: Number | None = None,
    recovered: Number | None = None,
    forecast: Number | None = None,
) -> ErrorTerms[Exact] | Undefined:
    """What a forecast r'·with + (1 - r')·without was off by, split exactly into five terms.

    No draw: it holds for any numbers, also for rates from another set of questions. Do not read the terms
    `retained` and `still_missing` as change: part of them can be who is in the cell, see `fine_forecast_error`.

    Args:
        table: the same questions in both runs, as counts, fractions or weights.
        recall_forecast: recall r' that was forecast.
        with_gold: pass rate that was assumed with gold; by default the one of the table before.
        without_gold: pass rate that was assumed without gold; likewise.
        recovered: pass rate that was assumed of recovered questions; by default the one with gold.
        forecast: pass rate that was forecast; by default r'·with_gold + (1 - r')·without_gold.

    Returns:
        Terms on the scale of a pass rate, fractions where everything given is exact; no_cases where the table
        is empty or lacks the questions for a rate that is not given. An empty cell's term is 0.

    References:
        Kitagawa (1955), for splitting a rate by group.

    >>> from attribution.statistics.transitions import Cell
    >>> table = Transitions(
    ...     retained=Cell(both=190, before_only=11, after_only=6, neither=21),
    ...     recovered=Cell(both=50, before_only=5, after_only=40, neither=17),
    ...     lost=Cell(both=2, before_only=1, neither=1),
    ...     still_missing=Cell(both=20, before_only=4, after_only=2, neither=30),
    ... )
    >>> error = forecast_error(table, 0.85)
    >>> [round(float(term), 5) for term in (error.total, error.recall, error.recovered, error.retained)]
    [-0.04295, 0.0, -0.02121, -0.01121]
    """
    fine = fine_forecast_error(
        table, recall_forecast, with_gold=with_gold, without_gold=without_gold, recovered=recovered, forecast=forecast
    )
    return fine if isinstance(fine, Undefined) else coarse(fine)


def fine_forecast_error(
    table: Transitions,
    recall_forecast: Number,
    *,
    with_gold: Number | None = None,
    without_gold: Number | None = None,
    recovered: Number | None = None,
    forecast: Number | None = None,
) -> FineErrorTerms[Exact] | Undefined:
    """What a forecast was off by in eight terms: change within a cell apart from who is in it.

    No draw: it holds for any numbers. With the table's own rates, still_missing_selection is the recovered
    questions' lead over all without gold with its sign turned, and without lost questions
    retained_composition is 0.

    Args:
        table: the same questions in both runs, as counts, fractions or weights.
        recall_forecast: recall that was forecast.
        with_gold: pass rate that was assumed with gold; by default the one of the table before.
        without_gold: pass rate that was assumed without gold; likewise.
        recovered: pass rate that was assumed of recovered questions; by default the one with gold.
        forecast: pass rate that was forecast; by default r'·with_gold + (1 - r')·without_gold.

    Returns:
        Terms as in `forecast_error`.

    >>> from attribution.statistics.transitions import Cell
    >>> table = Transitions(
    ...     retained=Cell(both=8, neither=2),
    ...     recovered=Cell(both=3, after_only=1, neither=2),
    ...     lost=Cell(),
    ...     still_missing=Cell(both=1, neither=3),
    ... )
    >>> from fractions import Fraction
    >>> fine = fine_forecast_error(table, Fraction(4, 5))
    >>> fine.still_missing_selection, fine.retained_composition
    (Fraction(-3, 100), Fraction(0, 1))
    """
    found = table.with_gold if with_gold is None else exact(with_gold)
    missed = table.without_gold if without_gold is None else exact(without_gold)
    if table.whole.size == 0 or found is None or missed is None:
        return Undefined.no_cases
    return error_of_shares(
        shares_of(table),
        exact(recall_forecast),
        found,
        missed,
        recovered_rate=None if recovered is None else exact(recovered),
        forecast=None if forecast is None else exact(forecast),
    )


def shares_of(table: Transitions) -> Shares:
    """Cell sizes and passes as shares of all questions, in the order of the table.

    Args:
        table: a table that is not empty.

    Returns:
        The shares, each part a tuple of four.

    >>> from attribution.statistics.transitions import Cell
    >>> table = Transitions(
    ...     retained=Cell(both=6, neither=2),
    ...     recovered=Cell(after_only=3, neither=1),
    ...     lost=Cell(),
    ...     still_missing=Cell(neither=4),
    ... )
    >>> shares_of(table).sizes
    (Fraction(1, 2), Fraction(1, 4), Fraction(0, 1), Fraction(1, 4))
    """
    n = table.whole.size
    return Shares(
        sizes=tuple(cell.size / n for cell in table),
        before=tuple(cell.passed_before / n for cell in table),
        after=tuple(cell.passed_after / n for cell in table),
    )


def change_of_shares(shares: Shares) -> ChangeTerms[Any]:
    """The split of `observed_change`, for shares in any arithmetic.

    Args:
        shares: numbers, or arrays of one shape.

    Returns:
        Terms of the type that the shares have.

    >>> shares = Shares(sizes=(0.5, 0.25, 0.0, 0.25), before=(0.375, 0.0, 0.0, 0.0), after=(0.25, 0.1875, 0.0, 0.0))
    >>> change_of_shares(shares).total
    0.0625
    """
    retained, recovered, lost, still_missing = (
        after - before for before, after in zip(shares.before, shares.after, strict=True)
    )
    return ChangeTerms(
        total=sum(shares.after) - sum(shares.before),
        retained=retained,
        recovered=recovered,
        lost=lost,
        still_missing=still_missing,
    )


def error_of_shares(
    shares: Shares,
    recall: Any,
    with_gold: Any,
    without_gold: Any,
    *,
    recovered_rate: Any = None,
    forecast: Any = None,
) -> FineErrorTerms[Any]:
    """The split of `fine_forecast_error`, for shares in any arithmetic.

    Args:
        shares: numbers, or arrays of one shape.
        recall: recall that was forecast.
        with_gold: pass rate that was assumed with gold.
        without_gold: pass rate that was assumed without.
        recovered_rate: pass rate that was assumed of recovered questions; None for the one with gold.
        forecast: pass rate that was forecast; None for the one that recall and both rates give.

    Returns:
        Terms of the type that the shares have.

    >>> shares = Shares(sizes=(0.5, 0.25, 0.0, 0.25), before=(0.375, 0.0, 0.0, 0.0), after=(0.25, 0.1875, 0.0, 0.0))
    >>> error = error_of_shares(shares, 0.75, 0.75, 0.0)
    >>> error.total, error.recall, error.recovered, error.retained_change
    (-0.125, 0.0, 0.0, -0.125)
    """
    # Sizes and passes, never rates of a cell: an empty cell then contributes 0 and nothing is divided by it.
    retained, recovered, lost, still_missing = shares.sizes
    before, after = shares.before, shares.after
    side = with_gold if recovered_rate is None else recovered_rate
    if forecast is None:
        forecast = recall * with_gold + (1 - recall) * without_gold
    # What the forecast would have been with the cells as they came out; recall stands for all the rest.
    settled = retained * with_gold + recovered * side + (lost + still_missing) * without_gold
    return FineErrorTerms(
        total=sum(after) - forecast,
        recall=settled - forecast,
        recovered=after[1] - recovered * side,
        retained_change=after[0] - before[0],
        retained_composition=before[0] - retained * with_gold,
        lost_change=after[2] - before[2],
        lost_composition=before[2] - lost * without_gold,
        still_missing_change=after[3] - before[3],
        still_missing_selection=before[3] - still_missing * without_gold,
    )


def coarse(fine: FineErrorTerms[Any]) -> ErrorTerms[Any]:
    """The five terms that the eight make up.

    Args:
        fine: the eight terms, numbers or arrays.

    Returns:
        The five.

    >>> shares = Shares(sizes=(0.5, 0.25, 0.0, 0.25), before=(0.375, 0.0, 0.0, 0.0), after=(0.25, 0.1875, 0.0, 0.0))
    >>> coarse(error_of_shares(shares, 0.75, 0.75, 0.0)).retained
    -0.125
    """
    return ErrorTerms(
        total=fine.total,
        recall=fine.recall,
        recovered=fine.recovered,
        retained=fine.retained_change + fine.retained_composition,
        lost=fine.lost_change + fine.lost_composition,
        still_missing=fine.still_missing_change + fine.still_missing_selection,
    )
