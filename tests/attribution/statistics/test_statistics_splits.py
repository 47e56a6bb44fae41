"""Splits over the transition cells: exact for any table, and what a loop over questions gives."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from attribution.statistics.decomposition import fine_forecast_error, forecast_error, observed_change
from attribution.statistics.differences import newcombe_paired
from attribution.statistics.interval import Undefined
from attribution.statistics.term_limits import change_limits, error_limits, fine_error_limits
from attribution.statistics.terms import ChangeTerms, ErrorTerms, FineErrorTerms
from attribution.statistics.transitions import Cell, Transitions, exact
from tests.attribution.statistics.change_tables import EXAMPLE, every_question, shares, table_of, tables

NOTHING = table_of([0] * 16)


def parts(terms: Any) -> list[Any]:
    return [getattr(terms, field.name) for field in dataclasses.fields(terms) if field.name != "total"]


def mean(questions: list[tuple[bool, bool, bool, bool]], at: int) -> Fraction:
    return Fraction(sum(question[at] for question in questions), len(questions))


@settings(deadline=None)
@given(tables())
def test_the_change_is_the_sum_of_the_cells(table: Transitions) -> None:
    split = observed_change(table)
    questions = every_question(table)
    if not questions:
        assert split is Undefined.no_cases
        return
    assert isinstance(split, ChangeTerms)
    assert sum(parts(split)) == split.total == mean(questions, 3) - mean(questions, 2)


@settings(deadline=None)
@given(tables(), shares(), shares(), shares())
def test_the_error_of_any_forecast_is_the_sum_of_its_terms(
    table: Transitions, recall: Fraction, with_gold: Fraction, without_gold: Fraction
) -> None:
    questions = every_question(table)
    assume(questions)
    five = forecast_error(table, recall, with_gold=with_gold, without_gold=without_gold)
    eight = fine_forecast_error(table, recall, with_gold=with_gold, without_gold=without_gold)
    assert isinstance(five, ErrorTerms)
    assert isinstance(eight, FineErrorTerms)
    error = mean(questions, 3) - (recall * with_gold + (1 - recall) * without_gold)
    assert sum(parts(five)) == five.total == error
    assert sum(parts(eight)) == eight.total == error
    assert eight.retained_change + eight.retained_composition == five.retained
    change = observed_change(table)
    assert isinstance(change, ChangeTerms)
    assert (eight.retained_change, eight.lost_change) == (change.retained, change.lost)


@settings(deadline=None)
@given(tables(), shares())
def test_with_the_tables_own_rates_selection_is_one_number_seen_twice(table: Transitions, recall: Fraction) -> None:
    p1, p0 = table.with_gold, table.without_gold
    fine = fine_forecast_error(table, recall)
    if p1 is None or p0 is None:
        assert fine is Undefined.no_cases
        return
    assert isinstance(fine, FineErrorTerms)
    n = table.whole.size
    assert fine.still_missing_selection == -(table.recovered.passed_before - table.recovered.size * p0) / n
    assert fine.retained_composition == -(table.lost.passed_before - table.lost.size * p1) / n
    if table.lost.size == 0:
        assert fine.retained_composition == 0


@settings(deadline=None)
@given(tables(), shares())
def test_weights_that_are_all_alike_are_counts(table: Transitions, recall: Fraction) -> None:
    """In fractions to the last digit; in floats to rounding."""
    thirds, floats = (
        table_of([entry * scale for cell in table for entry in cell.entries]) for scale in (Fraction(1, 3), 0.1)
    )
    assert forecast_error(thirds, recall) == forecast_error(table, recall)
    assert observed_change(thirds) == observed_change(table)
    ours, theirs = observed_change(table), observed_change(floats)
    if isinstance(ours, ChangeTerms) and isinstance(theirs, ChangeTerms):
        assert [float(part) for part in parts(ours)] == pytest.approx(parts(theirs), abs=1e-12)


def test_an_empty_cell_contributes_nothing_and_has_no_rate() -> None:
    table = dataclasses.replace(EXAMPLE, lost=Cell())
    split, error = observed_change(table), forecast_error(table, Fraction(17, 20))
    assert isinstance(split, ChangeTerms)
    assert isinstance(error, ErrorTerms)
    assert (split.lost, error.lost, table.lost.rate_before, table.lost.rate_after) == (0, 0, None, None)
    term = change_limits(table).lost
    assert (term.estimate, term.bounds, term.reason) == (0.0, (0.0, 0.0), Undefined.no_cases)
    # The delta method would give it no width: nothing was lost, which is not to say that nothing can be.
    limits = error_limits(table, 0.85).lost
    assert limits.method == "dirichlet-draws"
    assert limits.bounds[1] > 0.001


def test_without_questions_everything_is_undefined() -> None:
    assert observed_change(NOTHING) is Undefined.no_cases
    assert forecast_error(NOTHING, 0.5) is Undefined.no_cases
    only_gold = table_of([5, 1, 1, 3] + [0] * 12)
    assert forecast_error(only_gold, 0.9) is Undefined.no_cases
    assert isinstance(forecast_error(only_gold, 0.9, without_gold=0.4), ErrorTerms)
    for terms in (change_limits(NOTHING), error_limits(NOTHING, 0.5), fine_error_limits(only_gold, 0.5)):
        for term in parts(terms):
            assert (term.estimate, term.bounds, term.reason) == (None, (-1.0, 1.0), Undefined.no_cases)


@settings(max_examples=25, deadline=None)
@given(tables(), st.floats(0.0, 1.0))
def test_intervals_hold_the_exact_terms_and_repeat_to_the_byte(table: Transitions, recall: float) -> None:
    pairs: list[tuple[Any, Any, Any]] = [
        (observed_change(table), change_limits(table), change_limits(table)),
        (forecast_error(table, recall), error_limits(table, recall), error_limits(table, recall)),
        (fine_forecast_error(table, recall), fine_error_limits(table, recall), fine_error_limits(table, recall)),
    ]
    for split, limits, again in pairs:
        assert limits == again
        json.dumps(dataclasses.asdict(limits), allow_nan=False)
        if isinstance(split, Undefined):
            continue
        for point, term in zip(parts(split), parts(limits), strict=True):
            lower, upper = term.bounds
            assert term.estimate == pytest.approx(float(point), abs=1e-12)
            assert lower - 1e-12 <= term.estimate <= upper + 1e-12


def test_the_gradient_is_that_of_small_steps() -> None:
    """The delta method's standard errors against small steps, as a loop."""
    entries = np.array([float(entry) for cell in EXAMPLE for entry in cell.entries])
    p, step = entries / entries.sum(), 1e-6

    def recovered(at: int, by: float) -> float:
        moved = p.copy()
        moved[at] += by
        split = forecast_error(table_of([float(value) for value in moved / moved.sum()]), 0.85)
        assert isinstance(split, ErrorTerms)
        return float(split.recovered)

    gradient = np.array([(recovered(at, step) - recovered(at, 0.0)) / step for at in range(16)])
    error = float(np.sqrt((p @ gradient**2 - (p @ gradient) ** 2) / 400))
    lower, upper = error_limits(EXAMPLE, 0.85).recovered.bounds
    assert (upper - lower) / 2 == pytest.approx(1.959964 * error, rel=1e-4)


def test_two_real_runs_over_eight_hundred_questions() -> None:
    """Cells as (questions, passed before, passed after); how outcomes pair up within a cell does not matter here."""
    counted = {"retained": (586, 226, 221), "recovered": (119, 1, 49), "lost": (15, 3, 0), "still_missing": (80, 3, 4)}
    table = Transitions(
        **{
            name: Cell(both=min(u, v), before_only=max(0, u - v), after_only=max(0, v - u), neither=n - max(u, v))
            for name, (n, u, v) in counted.items()
        }
    )
    assert (table.recall_before, table.recall_after) == (Fraction(601, 800), Fraction(705, 800))
    error = forecast_error(table, Fraction(705, 800))
    assert isinstance(error, ErrorTerms)
    assert float(800 * (table.whole.passed_after / 800 - error.total)) == pytest.approx(270.5, abs=0.05)
    assert error.recall == 0
    assert sum(parts(error)) == error.total


def test_weights_need_their_effective_number() -> None:
    weighted = table_of([float(entry) / 400 for cell in EXAMPLE for entry in cell.entries])
    with pytest.raises(ValueError, match="effective number"):
        error_limits(weighted, 0.85)
    found = error_limits(weighted, 0.85, questions=400, n_effective=400.0).recovered
    assert found.bounds == pytest.approx(error_limits(EXAMPLE, 0.85).recovered.bounds, abs=1e-12)
    wide = change_limits(weighted, questions=400, n_effective=100.0).recovered.bounds
    narrow = change_limits(weighted, questions=400, n_effective=400.0).recovered.bounds
    assert wide[1] - wide[0] == pytest.approx(2 * (narrow[1] - narrow[0]), rel=0.1)


def test_the_whole_change_is_the_paired_difference() -> None:
    whole = EXAMPLE.whole
    both, before_only, after_only, neither = whole.counts()
    assert change_limits(EXAMPLE).total.bounds == newcombe_paired(both, after_only, before_only, neither).bounds


@pytest.mark.parametrize("entry", [-1, float("nan"), float("inf")])
def test_cells_refuse_what_is_no_number_of_questions(entry: float) -> None:
    with pytest.raises(ValueError, match="cell"):
        Cell(both=entry)


def test_counts_are_exact_in_every_kind_of_integer() -> None:
    many = np.int64(2**40)
    assert exact(many) * exact(many) == Fraction(2**80)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="weights"):
        Cell(both=0.5).counts()
