"""Seeded simulations of verdicts, terms and flags at few repetitions; `tests.simulation.change` runs them at many."""

from __future__ import annotations

import numpy as np
import pytest

from attribution.statistics.claim_power import likeness_chances
from attribution.statistics.claims import Claim
from attribution.statistics.falsifiers import recovered_as_found
from attribution.statistics.proportions import wilson
from attribution.statistics.verdicts import Verdict
from tests.simulation.change_worlds import (
    LIVELY,
    RECALL,
    RECOVERED,
    STEADY,
    STRONG,
    World,
    flags,
    protocol,
    quiet_retained,
    repeats_coverage,
    shapley_coverage,
    term_coverage,
)

BUDGET = 0.04


@pytest.mark.parametrize("n1", [58, 232, 928])
@pytest.mark.parametrize("m", [10, 40, 108, 400])
def test_likeness_errs_as_often_as_said(n1: int, m: int) -> None:
    """By enumeration: no repetitions, no seed."""
    at_margin, none = likeness_chances(m, 0.78, n1, 0.88, 0.1), likeness_chances(m, 0.88, n1, 0.88, 0.1)
    assert at_margin.held <= 0.061
    assert none.shown <= 0.085
    assert at_margin.material <= 0.066


def test_the_found_have_their_own_chance() -> None:
    """A shortfall is seen in 5% where there is none; with the rate of the found held fixed it would be 11%."""
    random = np.random.default_rng(47)
    draws = zip(random.binomial(108, 0.88, 2000).tolist(), random.binomial(232, 0.88, 2000).tolist(), strict=True)
    gaps = [recovered_as_found(wilson(x, 108), wilson(y, 232), margin=0.1) for x, y in draws]
    shown = [claim.gap(0.9, 1.0).bounds[1] < 0.0 for claim in gaps if isinstance(claim, Claim)]
    assert 0.04 <= np.mean(shown) <= 0.075


def test_a_true_forecast_is_seldom_refuted_and_mostly_held() -> None:
    overall = protocol(World(), 200)["forecast"]
    assert overall[Verdict.refuted] <= 0.08
    assert overall[Verdict.held] >= 0.85


@pytest.mark.parametrize(
    "world",
    [World(recovered_short=BUDGET / RECOVERED), World(retained_short=BUDGET / RECALL)],
    ids=["recovered", "retained"],
)
def test_a_slice_that_is_off_by_its_margin_is_seldom_held(world: World) -> None:
    found = protocol(world, 150)
    assert found["forecast"][Verdict.held] <= 0.09
    assert found["forecast"][Verdict.refuted] >= 0.65


def test_few_questions_cannot_tell() -> None:
    overall = protocol(World(n=60), 60)["forecast"]
    assert overall[Verdict.cannot_tell] >= 0.6
    assert overall[Verdict.refuted] <= 0.09


def test_terms_hold_their_truth() -> None:
    large, small = term_coverage(400, 300, LIVELY), term_coverage(100, 30, LIVELY)
    assert min(large.values()) >= 0.91, large
    # Wider than need be is wrong as well.
    assert large["recovered"] <= 0.985
    assert min(small.values()) >= 0.8, small


def test_chance_raises_the_index_and_not_the_flag() -> None:
    flag, index = flags(STEADY, 300, 200)
    assert flag <= 0.01
    assert index >= 0.3
    assert flags(STRONG, 300, 50)[0] >= 0.98


def test_parts_between_sets_hold_their_truth() -> None:
    found = shapley_coverage(200, 40)
    assert min(found) >= 0.8
    assert sum(found) / len(found) >= 0.88


def test_answers_are_no_questions() -> None:
    by_question, by_answer = repeats_coverage(40, 500)
    assert 0.925 <= by_question <= 0.975
    assert by_answer < 0.92


def test_quiet_questions_prove_little() -> None:
    guarded, plain = quiet_retained(60, 0.06, 0.05, 500)
    assert guarded < 0.08
    assert plain > guarded
