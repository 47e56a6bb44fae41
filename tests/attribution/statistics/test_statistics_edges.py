"""Empty counts, contradictions, impossible designs: a typed answer or a clear refusal, never a crash."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from attribution.statistics.allocation import allocate, largest_unseen_share, miss_probability, miss_probability_finite
from attribution.statistics.claim_power import likeness_chances
from attribution.statistics.design import (
    paired_detectable,
    paired_size,
    standard_error,
    unpaired_detectable,
    unpaired_size,
)
from attribution.statistics.differences import difference, mcnemar, newcombe_paired
from attribution.statistics.gain import gain
from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.passes import passes_among_recovered
from attribution.statistics.power import mcnemar_power, smallest_confirmable_slice
from attribution.statistics.projection import project, project_range
from attribution.statistics.proportions import goodman, jeffreys, newcombe, wilson, wilson_effective
from attribution.statistics.removable import removable_share
from attribution.statistics.rerun import next_run_fresh_questions, next_run_same_questions
from attribution.statistics.sensitivity import discounts
from attribution.statistics.standardised import IntentCounts, standardised
from attribution.statistics.survey import rate
from attribution.statistics.targets import required_recall

EMPTY = wilson(0, 0)
RECALL, WITH, WITHOUT = wilson(232, 400), wilson(204, 232), wilson(79, 168)


def width(found: Interval) -> float:
    lower, upper = found.bounds
    return upper - lower


def test_ends_are_exact() -> None:
    for n in (1, 3, 20, 1_000_000):
        assert wilson(0, n).lower == 0.0
        assert wilson(n, n).upper == 1.0
        assert jeffreys(0, n).lower == 0.0
        assert jeffreys(n, n).upper == 1.0


def test_no_cases_have_no_estimate() -> None:
    for found in (EMPTY, jeffreys(0, 0), goodman([0, 0])[1], rate([], []), rate([0], [0])):
        assert (found.n, found.count, found.estimate, found.bounds) == (0, 0, None, (0.0, 1.0))
        assert found.reason is Undefined.no_cases
    assert newcombe(0, 0, 5, 10).bounds == (-wilson(5, 10).bounds[1], 1 - wilson(5, 10).bounds[0])
    assert newcombe_paired(0, 0, 0, 0).bounds == (-1.0, 1.0)
    assert goodman([]) == ()


def test_a_paired_difference_without_discordant_pairs_still_has_width() -> None:
    lower, upper = newcombe_paired(40, 0, 0, 10).bounds
    assert lower < 0.0 < upper
    assert mcnemar(0, 0).exact == 1.0


REFUSED: list[Callable[[], object]] = [
    lambda: wilson(5, 4),
    lambda: wilson(-1, 4),
    lambda: wilson(1, 4, level=1.0),
    lambda: critical_value(0.0),
    lambda: wilson_effective(1.2, 10.0, n=10),
    lambda: wilson_effective(0.5, 0.0, n=10),
    lambda: goodman([3, -1]),
    lambda: mcnemar(-1, 2),
    lambda: newcombe_paired(1, -1, 0, 0),
    lambda: difference(wilson(1, 2), wilson(1, 2, level=0.9)),
    lambda: rate([2], [1]),
    lambda: rate([1, 0], [1, 1], weight=[1.0, 0.0]),
    lambda: rate([1, 0], [1, 1], weight=[1.0, math.nan]),
    lambda: rate([1, 0], [1]),
    lambda: rate([0.5], [1]),
    lambda: rate([1], [1], multiplicity=[0]),
    lambda: project(1.1, WITH, WITHOUT),
    lambda: project(math.nan, WITH, WITHOUT),
    lambda: project(0.9, WITH, WITHOUT, level=0.9),
    lambda: project_range(0.9, 0.8, WITH, WITHOUT),
    lambda: gain(-0.1, RECALL, WITH, WITHOUT),
    lambda: discounts(0.0, 0.85, RECALL, WITH, WITHOUT),
    lambda: discounts(0.05, 0.85, RECALL, WITH, WITHOUT, kappas=[1.5]),
    lambda: required_recall(1.2, WITH, WITHOUT),
    lambda: next_run_same_questions(0.85, RECALL, WITH, WITHOUT, churn=-0.1),
    lambda: next_run_fresh_questions(0.85, WITH, WITHOUT, questions=0),
    lambda: passes_among_recovered(-1, WITH),
    lambda: removable_share([], WITH, WITHOUT),
    lambda: standardised(0.8, []),
    lambda: standardised(0.8, [IntentCounts(weight=1.0, n=3, gold=4, gold_pass=1, nogold_pass=0)]),
    lambda: standard_error(0.5, 0),
    lambda: unpaired_size(0.9, 0.2),
    lambda: unpaired_size(0.5, 0.0),
    lambda: paired_size(0.1, 0.2),
    lambda: paired_size(0.1, 0.05, power=1.0),
    lambda: allocate([1, 2], 10, floor=6),
    lambda: allocate([0, 0], 10, floor=1),
    lambda: allocate([], 10, floor=1),
    lambda: miss_probability(0.1, -1),
    lambda: miss_probability_finite(10, 11, 1),
    lambda: largest_unseen_share(0),
    lambda: mcnemar_power(100, 0.1, 0.2),
    lambda: likeness_chances(0, 0.5, 10, 0.5, 0.1),
]


@pytest.mark.parametrize("call", REFUSED)
def test_contradictions_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()


def test_counts_must_be_whole() -> None:
    with pytest.raises(TypeError):
        wilson(1.5, 4)  # type: ignore[arg-type]
    assert type(wilson(np.int64(1), np.int64(4)).n) is int  # type: ignore[arg-type]


def test_a_run_that_moves_nothing_still_flips() -> None:
    found = next_run_same_questions(0.58, RECALL, WITH, WITHOUT, churn=0.04)
    assert found.estimate == pytest.approx(283 / 400)
    assert width(found) == pytest.approx(2 * 1.959964 * math.sqrt(0.04 / 400), rel=1e-6)


def test_what_cannot_be_detected_is_said() -> None:
    assert unpaired_detectable(15, 0.95).reason is Undefined.undetectable
    assert paired_detectable(15, 0.2).reason is Undefined.undetectable
    assert unpaired_detectable(400, 1.0).estimate is None
    assert paired_detectable(400, 0.0).estimate is None


def test_no_slice_confirms_a_margin_the_baseline_uses_up() -> None:
    assert smallest_confirmable_slice(232, 0.88, 0.05) is None
    assert smallest_confirmable_slice(232, 0.88, 0.1, largest=50) is None


def test_power_is_what_drawing_the_tables_gives() -> None:
    random = np.random.default_rng(29)
    pairs = random.binomial(200, 0.2, 3000)
    b = random.binomial(pairs, (0.2 + 0.08) / 0.4)
    shown = np.mean([mcnemar(int(x), int(m - x)).midp <= 0.05 for x, m in zip(b, pairs, strict=True)])
    assert mcnemar_power(200, 0.2, 0.08) == pytest.approx(shown, abs=0.03)
