"""One range read against a bound, and many at once: what passes, what fails, and what would decide the rest."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attribution.gate.drops import unspread
from attribution.gate.measured import estimate_of
from attribution.gate.reading import Estimate, Why, needed, p_short, read_all, read_one
from attribution.statistics.claims import FEW
from attribution.statistics.differences import newcombe_paired
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.paired_means import paired_mean
from attribution.statistics.proportions import wilson, wilson_effective

COUNTS = st.integers(10, 2_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
BOUNDS = st.floats(0.02, 0.98)


def of(count: int, n: int, level: float = 0.9) -> Estimate:
    return estimate_of(wilson(count, n, level=level), n)


def paired(a: int, b: int, c: int, d: int) -> Estimate:
    return Estimate(
        interval=newcombe_paired(a, b, c, d, level=0.9),
        at=lambda level: newcombe_paired(a, b, c, d, level=level),
        questions=a + b + c + d,
    )


@given(COUNTS, BOUNDS)
def test_only_a_range_wholly_on_one_side_decides(counts: tuple[int, int], bound: float) -> None:
    found = of(*counts)
    lower, upper = found.interval.bounds
    least, most = read_one(found, ">=", bound), read_one(found, "<=", bound)
    assert least.verdict == ("pass" if lower >= bound else "fail" if upper < bound else "cannot tell")
    assert most.verdict == ("pass" if upper <= bound else "fail" if lower > bound else "cannot tell")
    assert (least.reason is Why.wide) == (least.verdict == "cannot tell")


@given(COUNTS, BOUNDS)
def test_so_many_questions_would_just_decide(counts: tuple[int, int], bound: float) -> None:
    found = of(*counts)
    reading = read_one(found, ">=", bound)
    if reading.needed is None:
        return
    share = counts[0] / counts[1]
    at_need, below = (
        wilson_effective(share, n, n=counts[1], level=0.9).bounds for n in (reading.needed, reading.needed - 1)
    )
    assert not at_need[0] < bound <= at_need[1] or math.isclose(reading.needed, FEW)
    assert reading.needed <= FEW or below[0] < bound <= below[1]


def test_with_repeats_the_need_is_in_questions() -> None:
    rate = wilson_effective(0.58, 200.0, n=1_200, count=696, level=0.9)
    found = estimate_of(rate, 400)
    exact = 0.55 * 0.45 * (1.6448536269514722 / 0.03) ** 2
    assert needed(found, 0.55) == math.ceil(exact / 200.0 * 400)


@settings(deadline=None)  # the first call loads scipy.optimize
@given(st.tuples(*[st.integers(0, 200)] * 4).filter(lambda cells: sum(cells) >= 20), st.floats(0.0, 0.3))
def test_p_and_range_of_a_drop_cannot_disagree(cells: tuple[int, int, int, int], bound: float) -> None:
    found = paired(*cells)
    p = p_short(found, "<=", bound)
    assert 0.0 < p <= 1.0
    assert (read_one(found, "<=", bound).verdict == "fail") == (p < 0.05)


@settings(deadline=None)
@given(COUNTS, BOUNDS)
def test_p_is_that_of_the_score_test(counts: tuple[int, int], bound: float) -> None:
    count, n = counts
    p = p_short(of(count, n), ">=", bound)
    score = (count / n - bound) / math.sqrt(bound * (1 - bound) / n)
    expected = NormalDist().cdf(score) if score < 0 else 1.0
    assert p == pytest.approx(max(expected, 5e-13), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize(("count", "n", "bound"), [(208, 400, 0.55), (66, 100, 0.7), (12, 30, 0.5)])
def test_a_build_right_at_the_bound_fails_about_once_in_twenty(count: int, n: int, bound: float) -> None:
    from scipy.stats import binom

    verdicts = [read_one(of(hits, n), ">=", bound).verdict for hits in range(n + 1)]
    chances = binom.pmf(np.arange(n + 1), n, bound)
    for word in ("fail", "pass"):
        assert sum(p for p, verdict in zip(chances, verdicts, strict=True) if verdict == word) < 0.065
    assert verdicts[count] == "cannot tell"


def test_of_twelve_intents_at_the_bound_hardly_any_gate_fails() -> None:
    random = np.random.default_rng(127)
    trials, alone, together = 400, 0, 0
    for hits in random.binomial(60, 0.6, size=(trials, 12)):
        slices = [of(int(count), 60) for count in hits]
        alone += any(read_one(each, ">=", 0.6).verdict == "fail" for each in slices)
        together += any(reading.verdict == "fail" for reading in read_all(slices, ">=", 0.6))
    assert together / trials < 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)
    assert alone / trials > 0.3


def test_a_fail_among_slices_carries_both_p_values() -> None:
    slices = [of(20, 60), of(40, 60), of(29, 60), of(3, 5)]
    bad, good, short, thin = read_all(slices, ">=", 0.6)
    assert (bad.verdict, good.verdict, short.verdict, thin.verdict) == (
        "fail",
        "cannot tell",
        "cannot tell",
        "cannot tell",
    )
    assert bad.p is not None
    assert bad.p_holm == pytest.approx(3 * bad.p)
    assert short.reason is Why.chance
    assert short.p_holm is not None
    assert short.p is not None
    assert short.p < 0.05 < short.p_holm
    assert short.needed is not None
    assert short.needed > 60
    assert (thin.reason, thin.p, thin.needed) == (Why.few, None, 10)


def test_nothing_undefined_is_ever_read() -> None:
    assert read_one(of(0, 0), ">=", 0.5).reason is Why.no_cases
    assert read_one(of(9, 9), ">=", 0.5).reason is Why.few
    open_ended = replace(wilson(30, 40, level=0.9), upper=None, reason=Undefined.one_question)
    assert (
        read_one(Estimate(interval=open_ended, at=lambda _: open_ended, questions=40), ">=", 0.5).reason
        is Why.no_limits
    )
    at_the_bound = read_one(of(50, 100), ">=", 0.5)
    assert (at_the_bound.verdict, at_the_bound.needed) == ("cannot tell", None)


def test_differences_that_are_all_alike_are_not_taken_for_certain() -> None:
    found = unspread(paired_mean([0.0] * 12, level=0.9))
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower < -0.2
    assert found.upper > 0.2
    spread: Interval = paired_mean([0.0, 0.5, 0.25] * 10, level=0.9)
    assert unspread(spread) == spread
