"""What must hold for any counts."""

from __future__ import annotations

import dataclasses
import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from attribution.statistics.bounds import bounds
from attribution.statistics.differences import newcombe_paired
from attribution.statistics.gain import gain
from attribution.statistics.interval import Interval
from attribution.statistics.projection import project, project_measured
from attribution.statistics.proportions import goodman, newcombe, wilson, wilson_effective
from attribution.statistics.removable import removable_share
from attribution.statistics.rerun import next_run_fresh_questions, next_run_same_questions
from attribution.statistics.standardised import IntentCounts, standardised
from attribution.statistics.survey import effective_size, rate
from attribution.statistics.targets import required_recall
from tests.attribution.statistics.survey_rows import profiles, strata_rows

RECALLS = st.floats(0.0, 1.0, allow_nan=False)


def cell(least: int = 0, most: int = 300) -> st.SearchStrategy[tuple[int, int]]:
    """A cell as (passes, cases) with at least so many cases."""
    return st.integers(least, most).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def full_cell() -> st.SearchStrategy[tuple[int, int]]:
    """A cell with at least ten passes and ten failures."""
    return st.tuples(st.integers(10, 200), st.integers(10, 200)).map(lambda each: (each[0], sum(each)))


def posterior_projection(recall: float, first: tuple[int, int], second: tuple[int, int]) -> list[float]:
    """Equal-tailed limits of the projection under Jeffreys' prior, by averaging over quantiles of the second rate."""
    from scipy.optimize import brentq
    from scipy.special import betainc, betaincinv

    (x1, n1), (x0, n0) = first, second
    nodes, weights = np.polynomial.legendre.leggauss(200)
    without = betaincinv(x0 + 0.5, n0 - x0 + 0.5, (nodes + 1) / 2)

    def below(value: float) -> float:
        needed = np.clip((value - (1 - recall) * without) / recall, 0.0, 1.0)
        return float(weights @ betainc(x1 + 0.5, n1 - x1 + 0.5, needed) / 2)

    return [float(brentq(lambda value, tail=tail: below(value) - tail, 0.0, 1.0)) for tail in (0.025, 0.975)]


@settings(deadline=None)
@given(cell(1), cell(1))
def test_the_projection_at_the_observed_recall_is_the_pass_rate(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    (x1, n1), (x0, n0) = first, second
    n = n1 + n0
    exact = Fraction(n1, n) * Fraction(x1, n1) + Fraction(n0, n) * Fraction(x0, n0)
    assert exact == Fraction(x1 + x0, n)
    found = project(n1 / n, wilson(x1, n1), wilson(x0, n0)).estimate
    assert found is not None
    assert abs(Fraction(found) - exact) <= Fraction(4, 2**53)


@settings(deadline=None)
@given(RECALLS, cell(), cell())
def test_the_projection_stays_within_the_weighted_limits(
    recall: float, first: tuple[int, int], second: tuple[int, int]
) -> None:
    rates = wilson(*first), wilson(*second)
    result = project(recall, *rates)
    lowest, highest = (
        sum(weight * rate.bounds[at] for weight, rate in zip((recall, 1 - recall), rates, strict=True)) for at in (0, 1)
    )
    lower, upper = result.bounds
    assert -1e-15 <= lowest <= lower <= upper <= highest <= 1 + 1e-15
    if result.estimate is not None:
        assert lower <= result.estimate + 1e-15
        assert upper >= result.estimate - 1e-15


@settings(deadline=None)
@given(st.floats(0.05, 0.95), full_cell(), full_cell())
def test_four_times_the_questions_halve_the_width(
    recall: float, first: tuple[int, int], second: tuple[int, int]
) -> None:
    narrow = project(recall, *(wilson(4 * x, 4 * n) for x, n in (first, second))).bounds
    wide = project(recall, *(wilson(x, n) for x, n in (first, second))).bounds
    # Wilson still shrinks at these sizes: most at ten of twenty, sqrt((20 + z^2) / (80 + z^2)) = .5333, and the
    # other way at ten of 210, .4765.
    assert 0.476 <= (narrow[1] - narrow[0]) / (wide[1] - wide[0]) <= 0.534


@settings(max_examples=60, deadline=None)
@given(st.floats(0.05, 1.0), full_cell(), full_cell())
def test_both_engines_agree_on_full_cells(recall: float, first: tuple[int, int], second: tuple[int, int]) -> None:
    mover = project(recall, wilson(*first), wilson(*second)).bounds
    posterior = posterior_projection(recall, first, second)
    assert max(abs(a - b) for a, b in zip(mover, posterior, strict=True)) <= 0.008


@settings(deadline=None)
@given(RECALLS, cell(), cell())
def test_naming_the_sides_the_other_way_round_changes_nothing(
    recall: float, first: tuple[int, int], second: tuple[int, int]
) -> None:
    # 1 - (1 - r) is r only for recalls that survive the round trip.
    recall = 1 - (1 - recall)
    one, other = (
        project(recall, wilson(*first), wilson(*second)),
        project(1 - recall, wilson(*second), wilson(*first)),
    )
    assert np.allclose(one.bounds, other.bounds, atol=1e-15)
    assert (one.estimate is None) == (other.estimate is None)


@settings(deadline=None)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_shares_follow_their_category_through_a_permutation(counts: list[int], random: Any) -> None:
    order = list(range(len(counts)))
    random.shuffle(order)
    shares = goodman(counts)
    assert goodman([counts[at] for at in order]) == tuple(shares[at] for at in order)


STRATA = st.lists(
    st.integers(1, 30).flatmap(lambda n: st.tuples(st.floats(0.01, 1.0), st.just(n), st.integers(0, n))),
    min_size=2,
    max_size=6,
)


@settings(deadline=None)
@given(STRATA, st.randoms(use_true_random=False))
def test_strata_may_come_in_any_order_and_under_any_code(strata: list[tuple[float, int, int]], random: Any) -> None:
    rows = strata_rows(*zip(*strata, strict=True))
    order = list(range(len(rows.profiles.cases)))
    random.shuffle(order)
    shuffled = {name: array[order] for name, array in rows.keywords.items()}
    shuffled["stratum"] = 7 - 3 * shuffled["stratum"]
    one, other = rate(**rows.keywords), rate(**shuffled)
    assert one.estimate is not None
    assert other.estimate is not None
    assert math.isclose(one.estimate, other.estimate, abs_tol=1e-12)
    assert np.allclose(one.bounds, other.bounds, atol=1e-9)


@settings(deadline=None)
@given(STRATA, st.randoms(use_true_random=False))
def test_intents_may_come_in_any_order(strata: list[tuple[float, int, int]], random: Any) -> None:
    intents = [IntentCounts(weight=w, n=2 * n, gold=n, gold_pass=x, nogold_pass=n - x) for w, n, x in strata]
    one = standardised(0.7, intents)
    random.shuffle(intents)
    other = standardised(0.7, intents)
    assert np.allclose(one.projection.bounds, other.projection.bounds, atol=1e-9)


@settings(deadline=None)
@given(st.integers(2, 500).flatmap(lambda n: st.tuples(st.integers(1, n - 1), st.just(n))))
def test_one_stratum_without_repeats_is_worth_one_case_less(counts: tuple[int, int]) -> None:
    x, n = counts
    rows = profiles([(1, 1, 1.0, 0, x), (0, 1, 1.0, 0, n - x)])
    assert math.isclose(effective_size(rows.profiles), n - 1, rel_tol=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=8))
def test_repeats_follow_the_formula_for_clusters(rows: list[tuple[int, int]]) -> None:
    """V = Q/(Q-1) sum (y - p n)^2 / (sum n)^2 over questions, here with three cases each."""
    y = np.array([passed for passed, times in rows for _ in range(times)], dtype=float)
    q, p = len(y), y.sum() / (3 * len(y))
    assume(q > 1)
    variance = q / (q - 1) * ((y - 3 * p) ** 2).sum() / (3 * q) ** 2
    found = rate([row[0] for row in rows], [3] * len(rows), multiplicity=[row[1] for row in rows])
    assert (found.n, found.count) == (3 * q, int(y.sum()))
    expected = q if variance < 1e-15 else min(p * (1 - p) / variance, 1.5 * 3 * q)
    assert found.n_effective is not None
    assert math.isclose(found.n_effective, expected, rel_tol=1e-9)


@settings(deadline=None)
@given(cell(), cell(), st.integers(0, 30), st.integers(0, 30))
def test_differences_hold_their_estimate_and_stay_in_range(
    first: tuple[int, int], second: tuple[int, int], b: int, c: int
) -> None:
    for found in (newcombe(*first, *second), newcombe_paired(first[0], b, c, second[0])):
        lower, upper = found.bounds
        assert -1 <= lower <= upper <= 1
        if found.estimate is not None:
            assert lower <= found.estimate <= upper


@settings(max_examples=60, deadline=None)
@given(RECALLS, cell(most=60), cell(most=60), st.floats(0.0, 0.2))
def test_every_result_is_plain_json_with_its_estimate_inside(
    target: float, first: tuple[int, int], second: tuple[int, int], churn: float
) -> None:
    with_gold, without_gold = wilson(*first), wilson(*second)
    recall = wilson(first[1], first[1] + second[1])
    worth = gain(target, recall, with_gold, without_gold)
    removed = removable_share([recall], with_gold, without_gold).jointly
    found = [
        project(target, with_gold, without_gold),
        project_measured(recall, with_gold, without_gold),
        worth,
        removed.gain,
        removed.share_of_failures,
        next_run_same_questions(target, recall, with_gold, without_gold, churn=churn),
        next_run_fresh_questions(target, with_gold, without_gold, questions=50),
    ]
    for each in found:
        check_plain(each)
    json.dumps(dataclasses.asdict(required_recall(target, with_gold, without_gold)), allow_nan=False)
    json.dumps(dataclasses.asdict(bounds(target, recall, with_gold, without_gold)), allow_nan=False)
    again = gain(target, recall, with_gold, without_gold)
    np.random.default_rng().random()
    assert dataclasses.asdict(again) == dataclasses.asdict(worth)
    assert removable_share([recall], with_gold, without_gold).jointly == removed


def check_plain(found: Interval) -> None:
    json.dumps(dataclasses.asdict(found), allow_nan=False)
    for value in (found.estimate, found.lower, found.upper, found.n_effective):
        assert value is None or type(value) is float
    assert type(found.n) is int
    if found.estimate is None:
        assert found.reason is not None
    else:
        lower, upper = found.bounds
        assert lower - 1e-12 <= found.estimate <= upper + 1e-12


@settings(deadline=None)
@given(st.floats(0.0, 1.0), st.floats(0.5, 1e6), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_wilson_on_effective_counts_holds_its_estimate(share: float, size: float, level: float) -> None:
    found = wilson_effective(share, size, n=10, level=level)
    lower, upper = found.bounds
    assert 0 <= lower <= share <= upper <= 1
    # Below 1e-150 the square of a share is 0 to the machine; next to 1, 1 - share is.
    assert (lower == 0) == (share == 0) or share < 1e-150
    assert (upper == 1) == (share == 1) or share > 1 - 1e-7
