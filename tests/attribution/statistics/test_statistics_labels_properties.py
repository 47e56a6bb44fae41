"""What must hold for any counts of audited labels and unjudged documents."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from attribution.statistics.audit import audited_projection, audited_rates
from attribution.statistics.audit_cells import AuditCell, Estimand, Label, Truth, exact_rates
from attribution.statistics.audit_plan import next_checks
from attribution.statistics.gains import Gain, discounted_gain, ndcg_bounds
from attribution.statistics.two_phase import Stratum, two_phase
from attribution.statistics.unjudged import recall_bounds
from tests.attribution.statistics.plain_results import check_plain

EITHER = frozenset({Truth.reached, Truth.missed})
MISSED = frozenset({Truth.missed})


@st.composite
def strata(draw: st.DrawFn, most: int = 200) -> Stratum:
    cases = draw(st.integers(0, most))
    checked = draw(st.integers(0, cases))
    return Stratum(cases=cases, checked=checked, true=draw(st.integers(0, checked)))


@st.composite
def audited(draw: st.DrawFn, *, promotions: bool = True) -> list[AuditCell]:
    """Cells of an audit for `all_required`, in a random order."""
    cells = []
    for label in (Label.hit, Label.miss):
        for passed in (True, False):
            questions = draw(st.integers(0, 120))
            audits = draw(st.integers(0, min(questions, 40)))
            open_cell = label is Label.hit or promotions
            reached = draw(st.integers(0, audits)) if open_cell else 0
            cells.append(
                AuditCell(
                    label=label,
                    passed=passed,
                    questions=questions,
                    possible=EITHER if open_cell else MISSED,
                    reached=reached,
                    missed=audits - reached,
                )
            )
    return draw(st.permutations(cells))


@settings(deadline=None)
@given(audited())
def test_the_identity_survives_the_audit_exactly(cells: list[AuditCell]) -> None:
    rates = exact_rates(cells)
    n = sum(cell.questions for cell in cells)
    if rates.recall is None:
        assert n == 0
        return
    mixture = rates.recall * (rates.with_gold or 0) + (1 - rates.recall) * (rates.without_gold or 0)
    assert mixture == rates.passed
    # Relabelling moves questions between the two rates, and nobody's outcome.
    assert rates.passed == Fraction(sum(cell.questions for cell in cells if cell.passed), n)


@settings(max_examples=25, deadline=None)
@given(audited())
def test_audited_rates_are_plain_repeatable_and_blind_to_the_order_of_cells(cells: list[AuditCell]) -> None:
    found = audited_rates(cells, estimand=Estimand.all_required)
    check_plain(found)
    np.random.default_rng().random()
    again = audited_rates(list(reversed(cells)), estimand=Estimand.all_required)
    for field in ("recall", "with_gold", "without_gold", "passed"):
        assert getattr(found, field) == getattr(again, field)
    known = [getattr(found, name).estimate for name in ("recall", "with_gold", "without_gold", "passed")]
    if None not in known:
        recall, with_gold, without_gold, passed = known
        assert math.isclose(recall * with_gold + (1 - recall) * without_gold, passed, abs_tol=1e-12)
        projected = audited_projection(recall, cells, estimand=Estimand.all_required)
        assert projected.estimate is not None
        assert math.isclose(projected.estimate, passed, abs_tol=1e-12)


@settings(max_examples=40, deadline=None)
@given(audited(promotions=False))
def test_an_audit_that_demotes_nothing_leaves_every_point_as_it_was(cells: list[AuditCell]) -> None:
    """And only the points: that nothing was found in so many audits is not certainty."""
    kept = [dataclasses.replace(cell, reached=cell.audited, missed=0) for cell in cells if cell.label is Label.hit]
    kept += [cell for cell in cells if cell.label is Label.miss]
    if any(cell.open and cell.audited == 0 for cell in kept):
        return
    rates = exact_rates(kept)
    hits = [cell for cell in kept if cell.label is Label.hit]
    whole, hit = sum(cell.questions for cell in kept), sum(cell.questions for cell in hits)
    if whole:
        assert rates.recall == Fraction(hit, whole)
    if hit:
        assert rates.with_gold == Fraction(sum(cell.questions for cell in hits if cell.passed), hit)


@settings(deadline=None)
@given(strata(), strata(), st.sampled_from([0.8, 0.95, 0.99]))
def test_two_strata_are_plain_and_may_be_named_either_way_round(first: Stratum, second: Stratum, level: float) -> None:
    found, other = two_phase(first, second, level=level), two_phase(second, first, level=level)
    check_plain(found)
    assert found == two_phase(first, second, level=level)
    assert found.estimate == other.estimate
    # The two integrals differ by their nodes: most where a stratum has a check or two, or no case.
    assert np.allclose(found.bounds, other.bounds, atol=0.01)


@settings(max_examples=40, deadline=None)
@given(strata(), strata())
def test_certain_strata_narrow_the_rate(first: Stratum, second: Stratum) -> None:
    if first.checked < 5 or second.checked < 5:
        return
    nothing = dataclasses.replace(second, true=0)
    declared = dataclasses.replace(nothing, certain=False)
    loose, tight = two_phase(first, nothing), two_phase(first, declared)
    assert tight.estimate == loose.estimate
    assert tight.bounds[1] <= loose.bounds[1] + 1e-6


@settings(max_examples=60, deadline=None)
@given(st.lists(strata(most=40), min_size=1, max_size=4), st.integers(0, 60))
def test_checks_handed_out_fit_and_lower_the_error(parts: list[Stratum], n: int) -> None:
    plan = next_checks(n, parts)
    room = [stratum.cases - stratum.checked if stratum.open else 0 for stratum in parts]
    assert all(0 <= given_out <= most for given_out, most in zip(plan.counts, room, strict=True))
    assert sum(plan.counts) == min(n, sum(room))
    if plan.error_now is not None and plan.error_after is not None:
        assert plan.error_after <= plan.error_now


@settings(deadline=None)
@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_recall_is_within_its_bounds_whatever_the_unjudged_are(hits: int, more: int, listed: int, rest: int) -> None:
    found = recall_bounds(hits, hits + more, listed, rest)
    values = [
        (hits + u) / (hits + more + u + v)
        for u in range(listed + 1)
        for v in range(rest + 1)
        if hits + more + u + v > 0
    ]
    assert (found.lower, found.upper) == ((min(values), max(values)) if values else (None, None))
    free = recall_bounds(hits, hits + more, listed, None)
    assert free.unbounded
    assert free.lower == 0.0


GRADES = st.lists(st.one_of(st.none(), st.integers(0, 3)), max_size=30)


@settings(max_examples=60, deadline=None)
@given(GRADES, st.lists(st.integers(0, 3), max_size=5), st.integers(0, 10), st.integers(1, 20), st.data())
def test_any_grading_of_the_unjudged_is_within_the_bounds(
    grades: list[int | None], elsewhere: list[int], unknown: int, k: int, data: st.DataObject
) -> None:
    gain = data.draw(st.sampled_from(list(Gain)))
    found = ndcg_bounds(grades, elsewhere=elsewhere, unjudged_elsewhere=unknown, scale=range(4), k=k, gain=gain)
    listed = [data.draw(st.integers(0, 3)) if grade is None else grade for grade in grades]
    others = elsewhere + data.draw(st.lists(st.integers(0, 3), min_size=unknown, max_size=unknown))
    value = discounted_gain(listed, elsewhere=others, k=k, gain=gain).ndcg
    if value is not None:
        assert found.lower is not None
        assert found.upper is not None
        assert found.lower - 1e-12 <= value <= found.upper + 1e-12
