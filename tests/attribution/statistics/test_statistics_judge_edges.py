"""Judges at the ends: useless, never wrong, validated where they should not be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from attribution.statistics.confusion import Confusion
from attribution.statistics.gains import ndcg_bounds
from attribution.statistics.interval import Undefined
from attribution.statistics.judge import judged_projection, judged_rates
from attribution.statistics.judge_cells import Assumption, Design, JudgedCell
from attribution.statistics.judge_pair import judge_pair, judge_pair_by_question
from attribution.statistics.judge_quality import cohen_kappa, judge_quality, kappa_error
from attribution.statistics.macro_f1 import macro_f1, macro_f1_error
from attribution.statistics.prediction_powered import prediction_powered
from attribution.statistics.rogan_gladen import apparent_rate, rogan_gladen, true_rate

ITEMS = Confusion(true_pass=60, false_fail=10, false_pass=6, true_fail=24)
EMPTY = Confusion(true_pass=0, false_fail=0, false_pass=0, true_fail=0)
CELL = JudgedCell(judged_pass=200, judged_fail=100, validation=ITEMS)
BARE = JudgedCell(judged_pass=200, judged_fail=100)


def test_a_judge_no_better_than_chance_is_refused() -> None:
    useless = Confusion(true_pass=10, false_fail=10, false_pass=10, true_fail=10)
    found = rogan_gladen(30, 60, useless)
    assert found.rate.reason is Undefined.judge_uninformative
    assert (found.raw, found.standard_error) == (None, None)
    assert found.rate.bounds == (0.0, 1.0)
    # Barely better on paper, but not once an item is added to either side.
    lucky = Confusion(true_pass=380, false_fail=620, false_pass=1, true_fail=2)
    assert rogan_gladen(30, 60, lucky).rate.reason is Undefined.judge_uninformative
    projected = judged_projection(0.8, BARE, BARE, design=Design.external, shared=useless)
    assert projected.reason is Undefined.judge_uninformative


def test_a_rate_outside_the_range_is_clipped_and_says_so() -> None:
    items = Confusion(true_pass=95, false_fail=5, false_pass=10, true_fail=90)
    found = rogan_gladen(2, 60, items)
    assert found.rate.estimate == 0.0
    assert found.rate.reason is Undefined.clipped
    assert found.raw is not None
    assert found.raw < 0.0
    assert found.rate.bounds[0] == 0.0
    with_gold = JudgedCell(judged_pass=59, judged_fail=1)
    without = JudgedCell(judged_pass=2, judged_fail=58)
    projected = judged_projection(0.5, with_gold, without, design=Design.external, shared=items)
    assert projected.reason is Undefined.clipped
    assert projected.estimate == 0.5


def test_a_validation_of_one_kind_of_item_says_nothing_of_the_other() -> None:
    only_passes = Confusion(true_pass=30, false_fail=4, false_pass=0, true_fail=0)
    assert rogan_gladen(30, 60, only_passes).rate.reason is Undefined.no_cases
    assert rogan_gladen(0, 0, ITEMS).rate.reason is Undefined.no_cases


def test_the_identity_holds_where_a_corrected_rate_falls_outside_0_to_1() -> None:
    """The whole corrected by itself would be .5786, which no recall makes of rates of 1 and 0."""
    items = Confusion(true_pass=80, false_fail=20, false_pass=10, true_fail=90)
    cells = JudgedCell(judged_pass=98, judged_fail=2), JudgedCell(judged_pass=3, judged_fail=97)
    rates = judged_rates(*cells, design=Design.external, shared=items)
    assert [rate.estimate for rate in (rates.with_gold, rates.without_gold, rates.passed)] == [1.0, 0.0, 0.5]
    assert rates.passed.reason is Undefined.clipped
    assert rates.passed.estimate == judged_projection(0.5, *cells, design=Design.external, shared=items).estimate


def test_what_each_design_takes_for_granted_is_named() -> None:
    subset = judged_rates(CELL, CELL, design=Design.subset)
    own = judged_rates(CELL, CELL, design=Design.external)
    shared = judged_rates(BARE, BARE, design=Design.external, shared=ITEMS)
    none = judged_rates(BARE, BARE, design=Design.none)
    assert subset.assumptions == ()
    assert own.assumptions == (Assumption.transport,)
    assert shared.assumptions == (Assumption.transport, Assumption.alike)
    assert none.assumptions == (Assumption.trusted,)
    assert none.passed.reason is Undefined.judge_unvalidated
    assert none.judge_passed.estimate == pytest.approx(2 / 3)
    # Two cells with one confusion each are two samples: their draws must not move together.
    assert own.with_gold.estimate == shared.with_gold.estimate
    widths = [rates.passed.bounds[1] - rates.passed.bounds[0] for rates in (own, shared)]
    assert widths[0] < 0.85 * widths[1]


def test_labels_in_one_gold_cell_only_tell_of_that_one() -> None:
    few = JudgedCell(
        judged_pass=20, judged_fail=10, validation=Confusion(true_pass=1, false_fail=1, false_pass=1, true_fail=1)
    )
    found = judged_rates(CELL, few, design=Design.subset)
    assert found.with_gold.estimate is not None
    assert found.without_gold.reason is Undefined.too_few_checks
    assert found.passed.estimate is not None
    assert judged_projection(0.9, CELL, few, design=Design.subset).reason is Undefined.too_few_checks
    assert judged_projection(1.0, CELL, few, design=Design.subset).estimate is not None


def test_without_an_error_a_judge_still_has_limits() -> None:
    table = [[40, 0], [0, 12]]
    for found in (macro_f1(table), cohen_kappa(table)):
        assert found.estimate == 1.0
        assert 0.6 < found.bounds[0] < 0.99
        assert found.bounds[1] == 1.0
    same = judge_pair([[[40, 0], [0, 0]], [[0, 0], [0, 12]]])
    assert same.macro_f1.estimate == 0.0
    assert same.macro_f1.bounds[0] < 0.0 < same.macro_f1.bounds[1]
    assert same.test.midp == 1.0
    question = [at for at in range(26) for _ in range(2)]
    truth = [0] * 40 + [1] * 12
    grouped = judge_pair_by_question(question, truth, truth, truth, classes=2)
    assert grouped.macro_f1.bounds[0] < 0.0 < grouped.macro_f1.bounds[1]


def test_a_class_that_is_not_there() -> None:
    never_said = judge_quality([[30, 0], [10, 0]], ["pass", "fail"])
    assert never_said.classes[1].unpredicted
    assert never_said.classes[1].f1 == 0.0
    assert never_said.classes[1].precision.reason is Undefined.no_cases
    assert never_said.macro_f1.estimate == never_said.majority_macro_f1
    assert never_said.kappa.estimate == 0.0
    absent = judge_quality([[30, 2, 0], [4, 10, 0], [0, 0, 0]], ["pass", "fail", "refused"])
    assert absent.classes[2].f1 is None
    assert absent.macro_f1.reason is Undefined.no_cases
    assert judge_quality([[30, 2, 0], [4, 10, 0], [0, 0, 0]], ["a", "b", "c"], declared=["a", "b"]).macro_f1.estimate
    assert judge_pair([[[9, 0], [0, 0]], [[0, 0], [0, 0]]]).macro_f1.bounds == (-1.0, 1.0)
    assert cohen_kappa([[9, 0], [0, 0]]).reason is Undefined.one_class
    empty = judge_quality([[0, 0], [0, 0]], ["pass", "fail"])
    assert (empty.accuracy.estimate, empty.kappa.estimate, empty.pabak.estimate, empty.majority_macro_f1) == (None,) * 4
    assert judge_pair_by_question([], [], [], [], classes=2).accuracy.reason is Undefined.no_cases


def test_a_prediction_powered_check_needs_labels_and_others() -> None:
    assert prediction_powered(EMPTY, 5, 9).reason is Undefined.no_cases
    assert prediction_powered(ITEMS, 0, 0).reason is Undefined.no_cases
    always = Confusion(true_pass=20, false_fail=0, false_pass=0, true_fail=0)
    assert prediction_powered(always, 30, 30).estimate == 1.0


REFUSED: list[Callable[[], object]] = [
    lambda: Confusion(true_pass=-1, false_fail=0, false_pass=0, true_fail=0),
    lambda: true_rate(1.2, 0.9, 0.9),
    lambda: apparent_rate(0.5, 0.9, -0.1),
    lambda: rogan_gladen(5, 4, ITEMS),
    lambda: JudgedCell(judged_pass=-1, judged_fail=0),
    lambda: judged_rates(BARE, BARE, design=Design.subset),
    lambda: judged_rates(CELL, CELL, design=Design.none),
    lambda: judged_rates(BARE, BARE, design=Design.external),
    lambda: judged_rates(CELL, CELL, design=Design.external, shared=ITEMS),
    lambda: judged_rates(CELL, CELL, design=Design.subset, shared=ITEMS),
    lambda: judged_rates(JudgedCell(judged_pass=5, judged_fail=5, validation=ITEMS), CELL, design=Design.subset),
    lambda: judged_projection(-0.1, CELL, CELL, design=Design.subset),
    lambda: judge_quality([[1, 2, 3], [4, 5, 6]], ["a", "b"]),
    lambda: judge_quality([[1]], ["a"]),
    lambda: judge_quality([[1, 2], [3, 4]], ["a", "a"]),
    lambda: judge_quality([[1, 2], [3, 4]], ["a", "b"], declared=["c"]),
    lambda: judge_quality([[1, 2], [3, 4]], ["a", "b"], declared=[]),
    lambda: judge_quality([[1, -2], [3, 4]], ["a", "b"]),
    lambda: judge_quality([[1.5, 2.0], [3.0, 4.0]], ["a", "b"]),
    lambda: macro_f1([[1, 2], [3, 4]], classes=[2]),
    lambda: macro_f1_error([[0, 0], [0, 0]]),
    lambda: kappa_error([[4, 0], [0, 0]]),
    lambda: judge_pair([[1, 2], [3, 4]]),
    lambda: judge_pair_by_question([0, 1], [0], [0], [0], classes=2),
    lambda: judge_pair_by_question([0], [0], [2], [0], classes=2),
    lambda: judge_pair_by_question([0], [0.5], [0], [0], classes=2),
    lambda: prediction_powered(ITEMS, 5, 4),
    lambda: prediction_powered(ITEMS, 4, 5, weight=2.0),
    lambda: ndcg_bounds([1], unjudged_elsewhere=-1),
]


@pytest.mark.parametrize("call", REFUSED)
def test_contradictions_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()
