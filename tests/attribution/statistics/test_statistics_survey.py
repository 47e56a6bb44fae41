"""Weights, strata and repeats: what they do to the effective size, and the degenerate samples."""

from __future__ import annotations

import numpy as np
import pytest

from attribution.statistics.interval import Undefined
from attribution.statistics.proportions import wilson
from attribution.statistics.survey import effective_size, kish_size, rate
from tests.attribution.statistics.survey_rows import profiles, strata_rows


def test_equal_weights_and_single_cases_are_plain_counts() -> None:
    found = rate([1, 0, 0], [1, 1, 0], weight=[0.2, 0.2, 0.2], stratum=[1, 2, 2], multiplicity=[6, 14, 5])
    assert found == wilson(6, 20)


def test_one_question_with_repeats_cannot_show_its_spread() -> None:
    for found in (rate([2], [3]), rate([1, 0], [1, 0], weight=[1.0, 2.0])):
        assert found.reason is Undefined.one_question
        assert found.estimate is not None
        assert found.bounds == (0.0, 1.0)


def test_repeats_that_all_agree_count_as_one_case_a_question() -> None:
    found = rate([3], [3], multiplicity=[10])
    assert (found.n, found.count, found.n_effective) == (30, 30, 10.0)
    assert found.bounds == wilson(10, 10).bounds


def test_repeats_that_differ_by_chance_are_capped() -> None:
    # Each question passes half its cases: less spread than chance leaves, which is luck and not precision.
    found = rate([1, 2], [2, 3], multiplicity=[5, 5])
    assert found.n_effective is not None
    assert found.n_effective <= 1.5 * 25


def test_zero_variance_leaves_what_the_weights_allow() -> None:
    rows = strata_rows([0.5, 0.3, 0.2], [100, 50, 30], [100, 50, 30])
    found = rate(**rows.keywords)
    assert found.estimate == 1.0
    assert found.n_effective == pytest.approx(kish_size(rows.profiles.weight, rows.profiles.multiplicity))


def test_questions_outside_the_denominator_add_their_chance() -> None:
    # p1 of two strata by hand: e = 1(gold)(y - p1)/r, variance within strata with divisor n - 1.
    shares, sizes, gold, passed = (0.7, 0.3), (20, 10), (10, 8), (9, 4)
    rows, values = [], []
    recall = sum(w * g / n for w, g, n in zip(shares, gold, sizes, strict=True))
    p1 = sum(w * x / n for w, x, n in zip(shares, passed, sizes, strict=True)) / recall
    for at, (w, n, g, x) in enumerate(zip(shares, sizes, gold, passed, strict=True)):
        rows += [(1, 1, w / n, at, x), (0, 1, w / n, at, g - x), (0, 0, w / n, at, n - g)]
        values.append([(1 - p1) / recall] * x + [-p1 / recall] * (g - x) + [0.0] * (n - g))
    variance = sum(w**2 * np.var(e, ddof=1) / len(e) for w, e in zip(shares, values, strict=True))
    found = rate(**profiles(rows).keywords)
    assert found.estimate == pytest.approx(p1)
    assert found.n_effective == pytest.approx(p1 * (1 - p1) / variance)


def test_strata_of_one_question_are_taken_together() -> None:
    pairs = [(1, 1, 2.0, 0, 6), (0, 1, 2.0, 0, 4), (1, 1, 1.0, 1, 1), (0, 1, 1.0, 2, 1), (1, 1, 1.0, 3, 1)]
    together = [(*row[:3], min(row[3], 1), row[4]) for row in pairs]
    assert rate(**profiles(pairs).keywords) == rate(**profiles(together).keywords)


def test_a_last_single_stratum_is_measured_from_the_overall_rate() -> None:
    pairs = [(1, 1, 2.0, 0, 6), (0, 1, 2.0, 0, 4), (0, 1, 1.0, 1, 1)]
    share = 12 / 21
    mean = (6 * 2 * (1 - share) - 4 * 2 * share) / 10
    within = 10 / 9 * (6 * (2 * (1 - share) - mean) ** 2 + 4 * (-2 * share - mean) ** 2)
    variance = (within + share**2) / 21**2
    assert effective_size(profiles(pairs).profiles) == pytest.approx(share * (1 - share) / variance)


def test_with_equal_weights_questions_outside_the_denominator_do_not_matter() -> None:
    assert rate([2, 1, 3, 0], [3, 3, 3, 0], multiplicity=[2, 2, 2, 9]) == rate(
        [2, 1, 3], [3, 3, 3], multiplicity=[2, 2, 2]
    )


@pytest.mark.parametrize("scale", [1e-300, 1e-120, 1e120, 1e300])
def test_the_scale_of_weights_does_not_matter_however_large(scale: float) -> None:
    def weighed(by: float) -> tuple[float | None, float, float]:
        weights = [1.0 * by, 2.0 * by, 3.0 * by, 4.0 * by]
        found = rate([3, 0, 1, 1], [3, 2, 3, 1], multiplicity=[6, 4, 9, 2], weight=weights)
        return found.estimate, *found.bounds

    assert weighed(scale) == pytest.approx(weighed(1.0), rel=1e-12)
