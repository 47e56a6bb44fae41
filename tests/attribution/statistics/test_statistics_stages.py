"""Removable shares and the standardised projection."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from attribution.statistics.interval import Undefined
from attribution.statistics.projection import project
from attribution.statistics.proportions import wilson
from attribution.statistics.removable import removable_share
from attribution.statistics.standardised import IntentCounts, standardised

WITH, WITHOUT = wilson(204, 232), wilson(79, 168)


def test_ignoring_later_stages_overstates_the_first() -> None:
    funnel = [wilson(300, 400), wilson(260, 300), wilson(232, 260)]
    first = removable_share(funnel, WITH, WITHOUT).stages[0].gain.estimate
    alone = removable_share(funnel[:1], WITH, WITHOUT).stages[0].gain.estimate
    assert first is not None
    assert alone is not None
    assert alone / first == pytest.approx(300 / 232)


def test_a_stage_that_loses_everything_can_still_be_repaired() -> None:
    found = removable_share([wilson(30, 40), wilson(0, 30)], WITH, WITHOUT)
    slope = 204 / 232 - 79 / 168
    assert found.stages[1].gain.estimate == pytest.approx(0.75 * slope)
    assert found.stages[0].gain.estimate == 0.0


def test_without_failures_there_is_no_share_of_them() -> None:
    found = removable_share([wilson(30, 40)], wilson(30, 30), wilson(10, 10)).jointly
    assert found.share_of_failures.reason is Undefined.no_failures
    assert found.gain.estimate == 0.0
    json.dumps(dataclasses.asdict(found), allow_nan=False)


def test_limits_hold_the_truth_as_often_as_said() -> None:
    random = np.random.default_rng(17)
    rates, p1, p0, hits = (0.75, 0.87, 0.89), 0.88, 0.47, 0
    truth = (1 - rates[0]) * rates[1] * rates[2] * (p1 - p0)
    for _ in range(400):
        reached, funnel = 200, []
        for survival in rates:
            kept = int(random.binomial(reached, survival))
            funnel.append(wilson(kept, reached))
            reached = kept
        cells = (
            wilson(int(random.binomial(reached, p1)), reached),
            wilson(int(random.binomial(200 - reached, p0)), 200 - reached),
        )
        lower, upper = removable_share(funnel, *cells).stages[0].gain.bounds
        hits += lower <= truth <= upper
    assert 0.92 <= hits / 400 <= 0.98


def test_one_intent_is_the_pooled_projection() -> None:
    found = standardised(0.85, [IntentCounts(weight=3.0, n=400, gold=232, gold_pass=204, nogold_pass=79)])
    assert found.projection.estimate == pytest.approx(project(0.85, WITH, WITHOUT).estimate)
    assert found.composition_gap == pytest.approx(0.0, abs=1e-15)


def test_intents_with_an_empty_cell_borrow_and_are_named() -> None:
    intents = [
        IntentCounts(weight=0.6, n=60, gold=40, gold_pass=36, nogold_pass=8),
        IntentCounts(weight=0.3, n=20, gold=0, gold_pass=0, nogold_pass=6),
        IntentCounts(weight=0.1, n=15, gold=15, gold_pass=12, nogold_pass=0),
    ]
    found = standardised(0.8, intents)
    assert (found.borrowed, found.thin) == ((1, 2), (1,))
    assert found.projection.estimate is not None
    # The second intent has the rate that the first and third make up: (.6 * 36/60 + .1 * 12/15) / (.4 + .1).
    p1, recall = (0.36 + 0.08) / 0.5, 0.5
    passed = 0.6 * 44 / 60 + 0.3 * 6 / 20 + 0.1 * 12 / 15
    slope = (0.2 * (0.9 - 0.4) + 0.3 * (p1 - 0.3)) / 0.5
    assert found.projection.estimate == pytest.approx(passed + (0.8 - recall) * slope)


def test_losses_come_from_the_found_mix() -> None:
    intents = [
        IntentCounts(weight=0.5, n=40, gold=30, gold_pass=27, nogold_pass=4),
        IntentCounts(weight=0.5, n=40, gold=10, gold_pass=6, nogold_pass=12),
    ]
    found = standardised(0.4, intents)
    slope = (0.375 * (0.9 - 0.4) + 0.125 * (0.6 - 0.4)) / 0.5
    assert found.projection.estimate == pytest.approx((31 + 18) / 80 - 0.1 * slope)


def test_a_side_that_no_intent_has_is_undefined_unless_it_does_not_matter() -> None:
    full = [IntentCounts(weight=1.0, n=40, gold=40, gold_pass=30, nogold_pass=0)]
    assert standardised(0.9, full).projection.reason is Undefined.no_cases
    assert standardised(1.0, full).projection.estimate == 0.75
    # Weights that miss 1 by a rounding error must not bring the empty side in.
    several = [IntentCounts(weight=w, n=4, gold=4, gold_pass=3, nogold_pass=0) for w in (0.1, 0.2, 0.7)]
    assert standardised(1.0, several).projection.estimate == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("recall", "p1"),
    [((0.7, 0.5, 0.4), (0.9, 0.8, 0.6)), ((0.3, 0.3, 0.0), (0.95, 0.1, 0.5))],
    ids=["full", "one intent borrows"],
)
def test_the_variance_is_that_of_the_counts(recall: tuple[float, ...], p1: tuple[float, ...]) -> None:
    """Against the spread of the estimate over redrawn counts."""
    random = np.random.default_rng(23)
    weight, n, p0 = (0.4, 0.3, 0.3), (100, 100, 200), (0.6, 0.4, 0.5)
    estimates, variances = [], []
    for _ in range(1500):
        intents = []
        for w, size, r, a, b in zip(weight, n, recall, p1, p0, strict=True):
            gold = int(random.binomial(size, r))
            passed = int(random.binomial(gold, a)), int(random.binomial(size - gold, b))
            intents.append(IntentCounts(weight=w, n=size, gold=gold, gold_pass=passed[0], nogold_pass=passed[1]))
        found = standardised(0.8, intents).projection
        assert found.estimate is not None
        assert found.n_effective is not None
        estimates.append(found.estimate)
        variances.append(found.estimate * (1 - found.estimate) / found.n_effective)
    assert np.mean(variances) == pytest.approx(np.var(estimates), rel=0.08)


def test_a_small_variance_of_few_failures_is_capped() -> None:
    intents = [
        IntentCounts(weight=0.5, n=60, gold=40, gold_pass=39, nogold_pass=0),
        IntentCounts(weight=0.5, n=30, gold=20, gold_pass=20, nogold_pass=0),
    ]
    assert standardised(0.8, intents).projection.n_effective == pytest.approx(1.5 / (0.25 / 60 + 0.25 / 30))


def test_removable_limits_hold_their_estimate_where_counts_are_all_or_nothing() -> None:
    recall, all_pass, all_fail = wilson(500_000, 1_000_000), wilson(3, 3), wilson(0, 3)
    assert removable_share([recall], all_pass, all_fail).jointly.gain.upper == 0.5
    assert removable_share([recall], all_fail, all_pass).jointly.gain.lower == -0.5
