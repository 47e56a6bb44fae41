"""What must hold for any counts of judged answers."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from attribution.statistics.confusion import Confusion
from attribution.statistics.judge import JudgedRates, judged_projection, judged_rates
from attribution.statistics.judge_cells import Design, JudgedCell
from attribution.statistics.judge_pair import judge_pair
from attribution.statistics.judge_quality import judge_quality
from attribution.statistics.projection import project
from attribution.statistics.proportions import wilson
from tests.attribution.statistics.plain_results import check_plain


@st.composite
def confusions(draw: st.DrawFn, most: int = 40) -> Confusion:
    counts = draw(st.tuples(*[st.integers(0, most)] * 4))
    return Confusion(true_pass=counts[0], false_fail=counts[1], false_pass=counts[2], true_fail=counts[3])


@st.composite
def judged_cells(draw: st.DrawFn) -> JudgedCell:
    """A gold cell with at least as many questions as labels, as a subset has."""
    items = draw(confusions(most=15))
    more = draw(st.tuples(st.integers(0, 60), st.integers(0, 60)))
    return JudgedCell(
        judged_pass=items.true_pass + items.false_pass + more[0],
        judged_fail=items.false_fail + items.true_fail + more[1],
        validation=items,
    )


@settings(max_examples=20, deadline=None)
@given(judged_cells(), judged_cells())
def test_a_judge_that_agrees_with_every_label_is_taken_at_its_word(first: JudgedCell, second: JudgedCell) -> None:
    perfect = [
        dataclasses.replace(
            cell,
            validation=Confusion(true_pass=cell.judged_pass, false_fail=0, false_pass=0, true_fail=cell.judged_fail),
        )
        for cell in (first, second)
    ]
    if any(cell.judged_pass < 5 or cell.judged_fail < 5 for cell in perfect):
        return
    for design in (Design.subset, Design.external):
        rates = judged_rates(*perfect, design=design)
        pairs = (
            (rates.with_gold, rates.judge_with_gold),
            (rates.without_gold, rates.judge_without_gold),
            (rates.passed, rates.judge_passed),
        )
        for found, judge in pairs:
            assert found.estimate is not None
            assert judge.estimate is not None
            assert math.isclose(found.estimate, judge.estimate, abs_tol=1e-12)
        projected = judged_projection(0.8, *perfect, design=design).estimate
        assert projected is not None
        plain = project(0.8, rates.judge_with_gold, rates.judge_without_gold).estimate
        assert plain is not None
        assert math.isclose(projected, plain, abs_tol=1e-12)


@settings(max_examples=15, deadline=None)
@given(judged_cells(), judged_cells(), st.sampled_from(list(Design)), st.booleans())
def test_judged_rates_are_plain_and_repeatable(
    first: JudgedCell, second: JudgedCell, design: Design, together: bool
) -> None:
    shared = None
    if design is Design.none or (design is Design.external and together):
        assert first.validation is not None
        assert second.validation is not None
        shared = None if design is Design.none else first.validation.plus(second.validation)
        first, second = (dataclasses.replace(cell, validation=None) for cell in (first, second))

    def computed() -> tuple[JudgedRates, Any]:
        return (
            judged_rates(first, second, design=design, shared=shared),
            judged_projection(0.8, first, second, design=design, shared=shared),
        )

    rates, projected = computed()
    check_plain(rates)
    check_plain(projected)
    np.random.default_rng().random()
    assert computed() == (rates, projected)
    if design is Design.none:
        assert (rates.passed.estimate, projected.estimate) == (None, None)
        n = first.questions + second.questions
        assert rates.judge_passed == wilson(first.judged_pass + second.judged_pass, n)


def tables(k: int, dimensions: int, most: int = 30) -> st.SearchStrategy[Any]:
    size = k**dimensions
    return st.lists(st.integers(0, most), min_size=size, max_size=size).map(
        lambda counts: np.array(counts).reshape((k,) * dimensions)
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4).flatmap(lambda k: tables(k, 2)), st.randoms(use_true_random=False))
def test_the_names_of_classes_do_not_matter(table: Any, random: Any) -> None:
    names = [str(at) for at in range(len(table))]
    order = list(range(len(table)))
    random.shuffle(order)
    one = judge_quality(table, names)
    other = judge_quality(table[np.ix_(order, order)], [names[at] for at in order])
    check_plain(one)
    assert one == judge_quality(table, names)
    assert one.accuracy == other.accuracy
    assert {each.name: each for each in one.classes} == {each.name: each for each in other.classes}
    for first, second in ((one.macro_f1, other.macro_f1), (one.kappa, other.kappa)):
        assert (first.estimate is None) == (second.estimate is None)
        if first.estimate is not None and second.estimate is not None:
            assert math.isclose(first.estimate, second.estimate, abs_tol=1e-12)
            # Bootstrapped limits of a table in another order rest on other draws.
            assert np.allclose(first.bounds, second.bounds, atol=0.05)


@settings(max_examples=20, deadline=None)
@given(tables(2, 3))
def test_two_judges_swapped_change_the_sign(table: Any) -> None:
    one, other = judge_pair(table), judge_pair(table.transpose(0, 2, 1))
    check_plain(one)
    assert one == judge_pair(table)
    assert (one.only_first_right, one.only_second_right) == (other.only_second_right, other.only_first_right)
    assert one.test == other.test
    if one.macro_f1.estimate is not None and other.macro_f1.estimate is not None:
        assert math.isclose(one.macro_f1.estimate, -other.macro_f1.estimate, abs_tol=1e-12)
        assert np.allclose(one.macro_f1.bounds, [-limit for limit in reversed(other.macro_f1.bounds)], atol=0.03)
