"""Projection, gain, targets and sensitivity at their edges, and against what they are defined by."""

from __future__ import annotations

import numpy as np
import pytest

from attribution.statistics.bounds import bounds
from attribution.statistics.gain import gain
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.passes import passes_among_recovered
from attribution.statistics.projection import project, project_measured
from attribution.statistics.proportions import wilson
from attribution.statistics.proportions import wilson_effective as effective
from attribution.statistics.removable import removable_share
from attribution.statistics.rerun import next_run_fresh_questions, next_run_same_questions
from attribution.statistics.sensitivity import discounts, tipping_discount, tipping_recovered_pass
from attribution.statistics.targets import required_recall

EMPTY = wilson(0, 0)
RECALL, WITH, WITHOUT = wilson(232, 400), wilson(204, 232), wilson(79, 168)


def width(found: Interval) -> float:
    lower, upper = found.bounds
    return upper - lower


def test_a_side_of_weight_zero_may_be_empty() -> None:
    assert project(1.0, WITH, EMPTY).bounds == pytest.approx(WITH.bounds)
    assert project(0.0, EMPTY, WITHOUT).estimate == WITHOUT.estimate


def test_a_measured_recall_is_wider_than_a_stated_one() -> None:
    stated, measured = (
        project(0.85, WITH, WITHOUT).bounds,
        project_measured(wilson(340, 400), WITH, WITHOUT).bounds,
    )
    assert measured[0] < stated[0]
    assert measured[1] > stated[1]


def test_where_gold_hurts_the_noise_of_recall_changes_sides() -> None:
    low, high = project_measured(wilson(38, 40), WITHOUT, WITH).bounds
    mirrored = project_measured(wilson(2, 40), WITH, WITHOUT).bounds
    assert (low, high) == pytest.approx(mirrored)


@pytest.mark.parametrize("cells", [(EMPTY, WITHOUT), (WITH, EMPTY), (EMPTY, EMPTY)])
def test_empty_cells_leave_the_possible(cells: tuple[Interval, Interval]) -> None:
    for found in (
        project_measured(wilson(30, 40), *cells),
        gain(0.9, RECALL, *cells),
        next_run_fresh_questions(0.9, *cells, questions=50),
        next_run_same_questions(0.9, RECALL, *cells, churn=0.0),
        removable_share([RECALL], *cells).jointly.gain,
    ):
        assert found.estimate is None
        assert found.reason is Undefined.no_cases
        lower, upper = found.bounds
        assert -1.0 <= lower < upper <= 1.0
    assert project_measured(EMPTY, WITH, WITHOUT).bounds == (WITHOUT.lower, WITH.upper)
    assert required_recall(0.8, *cells).reason is Undefined.no_cases
    assert bounds(0.9, RECALL, *cells).reason is Undefined.no_cases
    assert discounts(0.05, 0.9, RECALL, *cells).rows == ()


def test_effective_counts_widen_every_engine() -> None:
    thin = [effective(each.estimate or 0.0, each.n / 4, n=each.n) for each in (RECALL, WITH, WITHOUT)]
    quarter = [wilson(58, 100), wilson(51, 58), wilson(79, 168)]
    assert width(gain(0.85, *thin)) > 1.8 * width(gain(0.85, RECALL, WITH, WITHOUT))
    assert width(gain(0.85, thin[0], thin[1], WITHOUT)) == pytest.approx(width(gain(0.85, *quarter)), rel=0.02)


def test_agrees_with_draws() -> None:
    random = np.random.default_rng(3)
    for target, (x1, n1), (x0, n0) in [
        (0.85, (204, 232), (79, 168)),
        (0.7, (6, 7), (1, 5)),
        (0.2, (20, 22), (3, 18)),
    ]:
        recall = random.beta(n1 + 0.5, n0 + 0.5, 400_000)
        slope = random.beta(x1 + 0.5, n1 - x1 + 0.5, 400_000) - random.beta(x0 + 0.5, n0 - x0 + 0.5, 400_000)
        expected = np.quantile((target - recall) * slope, [0.025, 0.975])
        found = gain(target, wilson(n1, n1 + n0), wilson(x1, n1), wilson(x0, n0))
        assert found.bounds == pytest.approx(expected, abs=0.002)


def test_holds_its_estimate_where_counts_are_all_or_nothing() -> None:
    recall, all_pass, all_fail = wilson(500_000, 1_000_000), wilson(3, 3), wilson(0, 3)
    up, down = gain(1.0, recall, all_pass, all_fail), gain(1.0, recall, all_fail, all_pass)
    assert (up.estimate, down.estimate) == (0.5, -0.5)
    assert (up.bounds[1], down.bounds[0]) == (0.5, -0.5)


def test_probability_falls_with_the_discount_and_crosses_where_it_says() -> None:
    table = discounts(0.05, 0.85, RECALL, WITH, WITHOUT)
    probabilities = [row.probability for row in table.rows]
    assert probabilities == sorted(probabilities, reverse=True)
    assert table.rows[-1].probability == 0.0
    assert table.safe is not None
    assert table.even is not None
    at_crossing = discounts(0.05, 0.85, RECALL, WITH, WITHOUT, kappas=[table.safe, table.even]).rows
    assert [row.probability for row in at_crossing] == pytest.approx([0.95, 0.5], abs=1e-6)


def test_a_gain_out_of_reach_has_no_discount_to_spare() -> None:
    table = discounts(0.3, 0.85, RECALL, WITH, WITHOUT)
    assert (table.safe, table.even) == (None, None)


def test_the_limits_are_where_the_projection_meets_the_target() -> None:
    need = required_recall(0.8, WITH, WITHOUT)
    assert need.lower is not None
    assert need.upper is not None
    assert project(need.lower, WITH, WITHOUT).upper == pytest.approx(0.8, abs=1e-9)
    assert project(need.upper, WITH, WITHOUT).lower == pytest.approx(0.8, abs=1e-9)


def test_open_above_where_full_recall_might_not_do() -> None:
    need = required_recall(0.8, wilson(51, 58), wilson(20, 42))
    assert need.upper_open
    assert need.upper == 1.0
    assert need.attainable


def test_above_the_rate_with_gold_it_is_unattainable() -> None:
    near, far = required_recall(0.9, WITH, WITHOUT), required_recall(0.99, WITH, WITHOUT)
    assert near.attainable is False
    assert near.lower is not None
    assert near.upper == 1.0
    assert (far.lower, far.upper, far.upper_open) == (None, None, True)
    assert {near.reason, far.reason} == {Undefined.unattainable}


def test_below_the_rate_without_gold_nothing_is_needed() -> None:
    need = required_recall(0.3, WITH, WITHOUT)
    assert need.reason is Undefined.not_needed
    assert (need.lower, need.upper, need.attainable) == (0.0, 0.0, True)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ((wilson(50, 100), wilson(50, 100)), Undefined.equal_rates),
        ((wilson(52, 100), wilson(50, 100)), Undefined.slope_unclear),
        ((wilson(20, 100), wilson(80, 100)), Undefined.slope_negative),
    ],
)
def test_no_recall_is_named_where_gold_does_not_clearly_help(
    cells: tuple[Interval, Interval], reason: Undefined
) -> None:
    need = required_recall(0.7, *cells)
    assert (need.estimate, need.lower, need.upper, need.attainable) == (None, None, None, None)
    assert need.reason is reason


def test_no_tipping_point_without_recovery_or_slope() -> None:
    assert tipping_recovered_pass(0.05, 0.5, RECALL, WITHOUT).reason is Undefined.no_recovery
    assert tipping_discount(0.05, 0.5, RECALL, WITH, WITHOUT).reason is Undefined.no_recovery
    assert tipping_discount(0.05, 0.9, RECALL, WITHOUT, WITH).reason is Undefined.slope_negative
    assert tipping_discount(0.05, 0.9, RECALL, wilson(1, 2), wilson(2, 4)).reason is Undefined.equal_rates
    assert tipping_recovered_pass(0.05, 0.9, EMPTY, WITHOUT).reason is Undefined.no_cases


def test_out_of_reach_is_said() -> None:
    assert tipping_recovered_pass(0.2, 0.85, RECALL, WITHOUT).reason is Undefined.unattainable
    assert tipping_discount(0.2, 0.85, RECALL, WITH, WITHOUT).reason is Undefined.unattainable


def test_the_bounds_meet_at_the_observed_recall_and_turn_round_below_it() -> None:
    here, below = bounds(0.58, RECALL, WITH, WITHOUT), bounds(0.4, RECALL, WITH, WITHOUT)
    assert here.lower == pytest.approx(283 / 400)
    assert here.upper == pytest.approx(283 / 400)
    assert below.monotone_upper == pytest.approx(283 / 400)
    assert below.lower == pytest.approx(283 / 400 - 0.18 * 204 / 232)
    assert below.upper == pytest.approx(283 / 400 + 0.18 * 28 / 232)


@pytest.mark.parametrize(("passed", "n"), [(204, 232), (0, 40), (40, 40), (19_000, 40_000)])
@pytest.mark.parametrize("recovered", [100_000, 100_001, 400_000])
def test_passes_of_many_recovered_are_those_counted_one_by_one(passed: int, n: int, recovered: int) -> None:
    from scipy.stats import betabinom

    found = passes_among_recovered(recovered, wilson(passed, n))
    law = betabinom(recovered, passed + 0.5, n - passed + 0.5)
    assert abs(found.lower - law.ppf(0.025)) <= 1
    assert abs(found.upper - law.ppf(0.975)) <= 1
