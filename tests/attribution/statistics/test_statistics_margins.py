"""Margins, power before the run, and means of graded metrics, against loops and second opinions."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attribution.statistics.claim_power import aggregate_power, likeness_chances, retained_power
from attribution.statistics.falsifiers import aggregate_as_forecast, recovered_as_found
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.margins import Refusal, check_power, check_recovered, margins_from_budget
from attribution.statistics.paired_means import paired_mean, paired_tests, standard_error
from attribution.statistics.proportions import wilson
from attribution.statistics.rerun import next_run_same_questions
from attribution.statistics.retained import retained_undisturbed
from attribution.statistics.verdicts import Direction, Resolved, Verdict, four_way


def test_each_margin_at_its_worst_costs_the_budget() -> None:
    margins = margins_from_budget(0.04, recovered=0.27, retained=0.58, still_missing=0.15)
    assert margins.recovered == pytest.approx(0.04 / 0.27)
    assert margins.retained == pytest.approx(0.04 / 0.58)
    # The rate without gold lies between both slices: the gap moves the still missing away from it by this much.
    assert margins.selection == pytest.approx(0.04 / 0.15 * (0.27 + 0.15) / 0.27)
    none = margins_from_budget(0.04, recovered=0.0, retained=1.0, still_missing=0.0)
    assert (none.recovered, none.selection) == (None, None)


@pytest.mark.parametrize("rates", [(0.8, 0.8), (0.6, 0.9), (0.95, 0.7)])
def test_chances_are_those_of_the_rule_itself(rates: tuple[float, float]) -> None:
    from scipy.stats import binom

    m, n, margin = 22, 30, 0.15
    tally = dict.fromkeys(("held", "shown", "material", "within"), 0.0)
    for x, y in itertools.product(range(m + 1), range(n + 1)):
        weight = float(binom.pmf(x, m, rates[0]) * binom.pmf(y, n, rates[1]))
        claim = recovered_as_found(wilson(x, m), wilson(y, n), margin=margin)
        observed = claim.gap(0.9, 1.0)  # type: ignore[union-attr]
        one, both = four_way(observed, margin), four_way(observed, margin, two_sided=True)
        worse = one.direction is Direction.worse
        tally["shown"] += weight * worse
        tally["material"] += weight * (worse and one.resolved is Resolved.material)
        # A surplus refutes upwards what is held downwards; the chances count the side of harm alone.
        tally["held"] += weight * (one.verdict is Verdict.held or one.direction is Direction.better)
        tally["within"] += weight * (both.verdict is Verdict.held)
    found = likeness_chances(m, rates[0], n, rates[1], margin)
    for name, value in tally.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-12), name


def test_what_is_worth_sealing() -> None:
    assert check_recovered(108, 232, 0.88, 0.1).refusal is None
    narrow = check_recovered(40, 232, 0.88, 0.1)
    assert narrow.refusal is Refusal.underpowered
    assert narrow.needed is not None
    assert check_recovered(narrow.needed, 232, 0.88, 0.1).refusal is None
    assert check_recovered(narrow.needed - 1, 232, 0.88, 0.1).power < 0.5
    never = check_recovered(5000, 232, 0.88, 0.03)
    assert (never.refusal, never.needed) == (Refusal.never, None)
    assert (check_power(0.1, 0.5).refusal, check_power(0.1, 0.49).refusal) == (None, Refusal.underpowered)


@pytest.mark.parametrize(("flips", "margin", "shortfall"), [(0.06, 0.05, 0.0), (0.12, 0.08, 0.04)])
def test_the_power_to_hold_the_retained(flips: float, margin: float, shortfall: float) -> None:
    random = np.random.default_rng(41)
    falls, rises = (flips + shortfall) / 2, (flips - shortfall) / 2
    masses = [0.8 - falls, falls, rises, 0.2 - rises]
    held = []
    for counts in random.multinomial(150, masses, 2000).tolist():
        claim = retained_undisturbed(*counts, margin=margin)
        held.append(claim.gap(0.9, 1.0).bounds[0] > -margin)  # type: ignore[union-attr]
    assert retained_power(150, 0.8, flips, margin, shortfall=shortfall) == pytest.approx(np.mean(held), abs=0.035)


def test_the_power_to_hold_the_aggregate() -> None:
    sealed = {"recall": wilson(232, 400), "with_gold": wilson(204, 232), "without_gold": wilson(79, 168)}
    predicted = next_run_same_questions(0.85, *sealed.values(), churn=0.03)
    assert predicted.estimate is not None
    spread = (predicted.bounds[1] - predicted.bounds[0]) / (2 * 1.959964)
    outcomes = np.random.default_rng(43).normal(predicted.estimate, spread, 2000)
    held = [
        aggregate_as_forecast(float(seen), recall_target=0.85, churn=0.03, margin=0.03, **sealed)  # type: ignore[arg-type, union-attr]
        .gap(0.9, 1.0)
        .bounds[0]
        > -0.03
        for seen in outcomes
    ]
    assert aggregate_power(predicted, 0.03) == pytest.approx(np.mean(held), abs=0.03)


def test_edges_of_power() -> None:
    assert retained_power(10, 0.5, 0.0, 0.9) == 1.0
    assert retained_power(10, 0.5, 0.0, 0.01) == 0.0


# Means of graded metrics


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.375]), min_size=2, max_size=11))
def test_means_and_tests_are_those_of_scipy(differences: list[float]) -> None:
    from scipy.stats import permutation_test, ttest_1samp

    found, tests = paired_mean(differences), paired_tests(differences)
    if standard_error(differences):
        expected = ttest_1samp(differences, 0.0)
        assert found.bounds == pytest.approx(tuple(expected.confidence_interval()), abs=1e-9)
        assert tests.p_t == pytest.approx(expected.pvalue, abs=1e-9)
    else:
        assert tests.p_t is None
        assert found.bounds == (found.estimate, found.estimate)
    exact = permutation_test((differences,), np.sum, permutation_type="samples", n_resamples=np.inf)
    # Scipy doubles the smaller tail, which for signs is both tails.
    assert tests.p_flip == pytest.approx(exact.pvalue, abs=1e-9)
    assert paired_tests(differences[::-1]).p_flip == tests.p_flip


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 11, 49])
@pytest.mark.parametrize("value", [0.375, 0.1, -1 / 3, 1.0])
def test_equal_differences_have_no_spread_whatever_rounding_makes_of_their_sum(n: int, value: float) -> None:
    for weight in (None, [1.0 + i / 7 for i in range(n)]):
        found, tests = paired_mean([value] * n, weight=weight), paired_tests([value] * n, weight=weight)
        assert (found.estimate, *found.bounds, tests.p_t) == (value, value, value, None)


def test_sums_that_differ_by_rounding_alone_count_as_equal() -> None:
    """Thirds do not add up to 1 in floating point; scipy's sums of 0 differ by that, and its p-value is .984."""
    assert paired_tests([-1.0, -0.5, 0.25, 1 / 3, 1 / 3, 0.25, 1 / 3]).p_flip == 1.0


def test_drawn_flips_come_close_to_all_of_them() -> None:
    """Halves and quarters: the sum of all signs is a sum of two binomials, so every way can be counted."""
    from scipy.stats import binom

    differences = [0.5] * 14 + [-0.5] * 5 + [0.25] * 6
    observed = sum(differences)
    p = sum(
        float(binom.pmf(x, 19, 0.5) * binom.pmf(y, 6, 0.5))
        for x, y in itertools.product(range(20), range(7))
        if abs(0.5 * (2 * x - 19) + 0.25 * (2 * y - 6)) >= observed
    )
    found = paired_tests(differences).p_flip
    assert found == pytest.approx(p, abs=4 * np.sqrt(p / 16_000))
    assert found == paired_tests(differences[::-1]).p_flip


def test_few_differences_leave_the_flips_alone() -> None:
    few, many = [0.5] * 3 + [-0.1] * 16 + [0.0] * 300, [0.5] * 3 + [-0.1] * 17
    assert (paired_tests(few).flip_only, paired_tests(few).nonzero) == (True, 19)
    assert not paired_tests(many).flip_only


def test_degenerate_means() -> None:
    none, one = paired_mean([]), paired_mean([0.3])
    assert (none.n, none.estimate, none.reason) == (0, None, Undefined.no_cases)
    assert (one.estimate, one.lower, one.upper, one.reason) == (0.3, None, None, Undefined.one_question)
    assert paired_tests([]).p_flip == paired_tests([0.0, 0.0]).p_flip == 1.0
    assert paired_tests([0.5]).p_t is None
    # Three tenths are not quite the sum of one and two to the machine: every way still moves the sum as far as 0.
    assert paired_tests([0.1, 0.2, -0.3]).p_flip == 1.0


def test_weights_scale_and_count() -> None:
    differences = [0.2, -0.1, 0.4, 0.0, 0.3]
    plain, same = paired_mean(differences), paired_mean(differences, weight=[7.0] * 5)
    assert plain.bounds == pytest.approx(same.bounds)
    assert same.n_effective is None
    uneven = paired_mean(differences, weight=[2.0, 1.0, 1.0, 1.0, 1.0])
    assert uneven.estimate == pytest.approx((0.4 - 0.1 + 0.4 + 0.3) / 6)
    assert uneven.n_effective == pytest.approx(36 / 8)
    residual = np.array([2, 1, 1, 1, 1]) / 6 * (np.array(differences) - uneven.estimate)
    assert standard_error(differences, [2.0, 1.0, 1.0, 1.0, 1.0]) == pytest.approx(np.sqrt(5 / 4 * residual @ residual))


@pytest.mark.parametrize(
    "call",
    [
        lambda: margins_from_budget(0.0, recovered=0.2, retained=0.5, still_missing=0.3),
        lambda: margins_from_budget(0.04, recovered=1.2, retained=0.5, still_missing=0.3),
        lambda: likeness_chances(0, 0.5, 10, 0.5, 0.1),
        lambda: likeness_chances(10, 1.5, 10, 0.5, 0.1),
        lambda: retained_power(100, 0.98, 0.1, 0.05),
        lambda: retained_power(100, 0.5, 0.1, 0.05, shortfall=0.2),
        lambda: check_power(0.1, 1.1),
        lambda: aggregate_power(
            Interval(n=0, count=None, estimate=None, lower=0.0, upper=1.0, level=0.95, method="given"), 0.1
        ),
        lambda: paired_mean([1.0, float("nan")]),
        lambda: paired_mean([1.0], weight=[0.0]),
        lambda: paired_mean([[1.0]]),
        lambda: paired_tests([1.0], weight=[1.0, 2.0]),
    ],
)
def test_contradictions_are_refused(call: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()
