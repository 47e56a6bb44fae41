"""A change between different questions, and stages that moved against each other: exact, in any order."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attribution.statistics.cancellation import cancellation, contribution_limits, stage_contributions
from attribution.statistics.composition import funnel_pass, kitagawa, shapley, three_fold
from attribution.statistics.differences import newcombe_paired
from attribution.statistics.interval import Undefined
from attribution.statistics.part_limits import funnel_split, split_limits
from attribution.statistics.proportions import wilson
from tests.attribution.statistics.change_tables import shares


def rates(k: int) -> st.SearchStrategy[list[Fraction]]:
    return st.lists(shares(), min_size=k, max_size=k)


def mixes(k: int) -> st.SearchStrategy[list[Fraction]]:
    counts = st.lists(st.integers(0, 30), min_size=k, max_size=k).filter(any)
    return counts.map(lambda row: [Fraction(count, sum(row)) for count in row])


SIDES = st.integers(1, 5).flatmap(lambda k: st.tuples(mixes(k), rates(k), mixes(k), rates(k)))


@settings(deadline=None)
@given(SIDES)
def test_kitagawa_and_three_fold_sum_exactly(sides: tuple[list[Fraction], ...]) -> None:
    w0, p0, w1, p1 = sides
    change = sum(w * p for w, p in zip(w1, p1, strict=True)) - sum(w * p for w, p in zip(w0, p0, strict=True))
    two, three = kitagawa(*sides), three_fold(*sides)
    assert two.composition + two.rate == two.total == change
    assert sum(two.composition_by_kind) == two.composition
    assert sum(two.rate_by_kind) == two.rate
    assert three.composition + three.rate + three.interaction == three.total == change
    assert two.composition == three.composition + three.interaction / 2
    back = kitagawa(w1, p1, w0, p0)
    assert (back.composition, back.rate) == (-two.composition, -two.rate)


@settings(deadline=None)
@given(SIDES, shares())
def test_a_kinds_composition_does_not_hang_on_where_rates_begin(
    sides: tuple[list[Fraction], ...], by: Fraction
) -> None:
    w0, p0, w1, p1 = sides
    moved = kitagawa(w0, [p + by for p in p0], w1, [p + by for p in p1])
    assert moved.composition_by_kind == kitagawa(*sides).composition_by_kind


@settings(deadline=None)
@given(st.lists(shares(), min_size=3, max_size=3), st.lists(shares(), min_size=3, max_size=3))
def test_shapley_of_the_pass_rate_is_kitagawa(before: list[Fraction], after: list[Fraction]) -> None:
    (r0, *p0), (r1, *p1) = before, after
    split = kitagawa([r0, 1 - r0], p0, [r1, 1 - r1], p1)
    assert shapley(funnel_pass, before, after) == (split.composition, *split.rate_by_kind)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 5).flatmap(lambda k: st.tuples(rates(k), rates(k), st.permutations(range(k)))))
def test_shapley_sums_exactly_and_is_the_mean_over_orders(given_: tuple[list[Fraction], list[Fraction], Any]) -> None:
    before, after, order = given_
    k = len(before)

    # Which factor is which must be told by value alone, so that the factors can be renamed.
    def value(factors: Any) -> Fraction:
        return Fraction(funnel_pass([factors[order.index(at)] for at in range(k)]))

    found = shapley(value, before, after)
    assert sum(found) == value(after) - value(before)
    loop = [Fraction(0)] * k
    orders = list(itertools.permutations(range(k)))
    for sequence in orders:
        now = list(before)
        for at in sequence:
            earlier = value(now)
            now[at] = after[at]
            loop[at] += value(now) - earlier
    assert list(found) == [total / len(orders) for total in loop]
    renamed = shapley(
        funnel_pass, [before[order.index(at)] for at in range(k)], [after[order.index(at)] for at in range(k)]
    )
    assert [renamed[at] for at in order] == list(found)


def test_a_factor_that_did_not_change_adds_nothing() -> None:
    parts = shapley(
        funnel_pass, [Fraction(4, 5), Fraction(9, 10), Fraction(1, 2)], [Fraction(3, 5), Fraction(9, 10), 1]
    )
    assert parts[1] == 0


RATES = [wilson(232, 400), wilson(204, 232), wilson(79, 168)]
LATER = [wilson(280, 400), wilson(238, 280), wilson(60, 120)]


def test_funnel_intervals_agree_with_the_delta_method() -> None:
    found = funnel_split(RATES, LATER)
    values = np.array([rate.estimate for rate in (*RATES, *LATER)], dtype=float)
    sizes = np.array([rate.n for rate in (*RATES, *LATER)])

    def parts_at(rates: list[float]) -> tuple[float, ...]:
        return shapley(funnel_pass, rates[:3], rates[3:])

    moved = [parts_at([float(rate) for rate in values + step]) for step in 1e-6 * np.eye(6)]
    gradient = np.array(moved) - np.array(parts_at([float(rate) for rate in values]))
    errors = np.sqrt(((gradient / 1e-6) ** 2 * (values * (1 - values) / sizes)[:, None]).sum(axis=0))
    for part, error in zip(found, errors, strict=False):
        lower, upper = part.bounds
        assert (upper - lower) / 2 == pytest.approx(1.959964 * error, rel=0.04)
    assert found[-1].estimate == pytest.approx(298 / 400 - 283 / 400)
    assert funnel_split(RATES, LATER) == found


def test_a_rate_without_cases_leaves_every_part_open() -> None:
    found = funnel_split(RATES, [wilson(400, 400), wilson(300, 400), wilson(0, 0)])
    assert len(found) == 4
    assert {(part.estimate, part.bounds, part.reason) for part in found} == {(None, (-1.0, 1.0), Undefined.no_cases)}


@pytest.mark.parametrize(
    "call",
    [
        lambda: shapley(sum, [0.5] * 9, [0.5] * 9),
        lambda: shapley(sum, [0.5], [0.5, 0.5]),
        lambda: kitagawa([1.0], [0.5, 0.5], [1.0], [0.5]),
        lambda: three_fold([], [], [], []),
        lambda: funnel_pass([0.5]),
        lambda: split_limits(lambda first, second: [*first, *second], [wilson(1, 2, level=0.9)], [wilson(1, 2)]),
        lambda: stage_contributions([[1, 2], [3]]),
        lambda: stage_contributions([]),
        lambda: contribution_limits([[1, 2], [3, -4]]),
        lambda: cancellation([], margin=-0.1),
    ],
)
def test_contradictions_are_refused(call: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()


MOVES = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 40), min_size=k, max_size=k), min_size=k, max_size=k)
)


@settings(deadline=None)
@given(MOVES, st.randoms(use_true_random=False))
def test_contributions_sum_to_the_change_and_follow_their_stage(moves: list[list[int]], random: Any) -> None:
    n = sum(map(sum, moves))
    found = stage_contributions(moves)
    if n == 0:
        assert found is Undefined.no_cases
        return
    assert isinstance(found, tuple)
    assert sum(found) == Fraction(sum(row[0] for row in moves) - sum(moves[0]), n)
    order = [0, *random.sample(range(1, len(moves)), len(moves) - 1)]
    shuffled = [[moves[row][column] for column in order] for row in order]
    limits, moved = contribution_limits(moves), contribution_limits(shuffled)
    assert moved == tuple(limits[at - 1] for at in order[1:])
    assert [each.estimate for each in limits] == pytest.approx([float(part) for part in found])
    one, other = cancellation(limits), cancellation(moved)
    assert one.flag == other.flag
    assert [one.gross, one.net] == pytest.approx([other.gross, other.net], abs=1e-12)


def test_the_index_never_raises_the_flag() -> None:
    # Every stage moved by one question: all of it cancels, and none of it means anything.
    quiet = cancellation(contribution_limits([[60, 1, 0], [0, 20, 1], [1, 0, 17]]))
    assert quiet.index is None
    noisy = cancellation(contribution_limits([[60, 0, 2], [2, 20, 0], [0, 0, 16]]))
    assert (noisy.flag, noisy.index) == (False, 1.0)
    assert cancellation(()).index is None


def test_a_margin_above_one_side_takes_the_flag_away() -> None:
    contributions = contribution_limits([[240, 8, 62], [70, 12, 0], [3, 1, 4]])
    assert cancellation(contributions).flag
    assert not cancellation(contributions, margin=0.2).flag


def test_simultaneous_limits_are_paired_limits_at_a_stricter_level() -> None:
    first, second = contribution_limits([[240, 8, 62], [70, 12, 0], [3, 1, 4]], level=0.9)
    assert first.bounds == newcombe_paired(12, 70, 9, 309, level=0.95).bounds
    assert (first.level, second.level) == (0.9, 0.9)
    assert contribution_limits([[5]]) == ()
    assert contribution_limits([[0, 0], [0, 0]])[0].reason is Undefined.no_cases
