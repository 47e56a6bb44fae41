"""Hostile numbers: whatever goes in, what comes out is finite, ordered and typed, or refused in words."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from attribution.statistics.claim_power import likeness_chances
from attribution.statistics.composition import funnel_pass, kitagawa, shapley
from attribution.statistics.confusion import Confusion
from attribution.statistics.decomposition import forecast_error
from attribution.statistics.design import paired_detectable, paired_size, standard_error
from attribution.statistics.differences import newcombe_paired
from attribution.statistics.gain import gain_measured
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.judge import judged_rates
from attribution.statistics.judge_cells import Design, JudgedCell
from attribution.statistics.paired_means import paired_mean
from attribution.statistics.passes import passes_among_recovered
from attribution.statistics.power import smallest_confirmable_slice
from attribution.statistics.prediction_powered import prediction_powered
from attribution.statistics.projection import project, project_measured
from attribution.statistics.proportions import jeffreys, wilson, wilson_effective
from attribution.statistics.recovered import project_recovered
from attribution.statistics.rerun import next_run_fresh_questions, next_run_same_questions
from attribution.statistics.standardised import IntentCounts, standardised
from attribution.statistics.survey import rate
from attribution.statistics.targets import required_recall
from attribution.statistics.two_phase import Stratum, two_phase
from tests.attribution.statistics.change_tables import EXAMPLE

NAN, INF = math.nan, math.inf


class Hostile:
    """Numbers that are likely to break something, from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def share(self) -> float:
        """A share, or what is none."""
        return self.random.choice([0.0, 1.0, 0.5, 1e-300, 1e-9, 1 - 1e-12, self.random.random(), NAN, -0.1, 1.1, INF])

    def weight(self) -> float:
        """A weight, or what is none."""
        return self.random.choice([1.0, 1.0, 1e-12, 1e12, self.random.random() + 0.01, 0.0, -1.0, NAN, INF])

    def size(self) -> int:
        """A number of cases."""
        return self.random.choice([0, 0, 1, 2, 10, 400, 10**6, 10**12, -1])

    def level(self) -> float:
        """A confidence level, or what is none."""
        return self.random.choice([0.95] * 6 + [1e-6, 0.5, 1 - 1e-9, 0.0, 1.0, NAN])

    def rate(self, level: float) -> Interval:
        """A rate with its limits."""
        if self.random.random() < 0.25:
            return wilson_effective(self.share(), self.random.choice([1e-3, 3.7, 1e8]), n=5, level=level)
        n = self.size()
        return wilson(self.random.choice([0, n, n // 2, n + 1]), n, level=level)

    def questions(self) -> Interval:
        """A rate over weighted questions with repeats."""
        cases = [self.random.choice([0, 1, 1, 3]) for _ in range(self.random.randint(0, 5))]
        passed = [self.random.randint(0, case) for case in cases]
        return rate(passed, cases, weight=[self.weight() for _ in cases], level=self.level())

    def intents(self) -> Any:
        """A standardised projection."""
        sizes = [self.random.choice([0, 1, 2, 40]) for _ in range(self.random.randint(0, 4))]
        return standardised(
            self.share(),
            [
                IntentCounts(
                    weight=self.weight(),
                    n=n,
                    gold=(gold := self.random.randint(0, n)),
                    gold_pass=self.random.randint(0, gold),
                    nogold_pass=self.random.randint(0, n - gold),
                )
                for n in sizes
            ],
        )

    def calls(self) -> list[Callable[[], Any]]:
        """One call of each kind."""
        level = self.level()

        def some() -> Interval:
            return self.rate(level)

        return [
            lambda: jeffreys(self.random.choice([0, 1, 9]), self.size(), level=level),
            lambda: newcombe_paired(*(self.size() for _ in range(4)), level=level),
            lambda: project(self.share(), some(), some(), level=level),
            lambda: project_measured(some(), some(), some(), level=level),
            lambda: project_recovered(self.share(), some(), some(), some(), some(), level=level),
            lambda: gain_measured(some(), some(), some(), some()),
            lambda: required_recall(self.share(), some(), some(), recall=some(), recovered=some(), level=level),
            lambda: next_run_same_questions(self.share(), some(), some(), some(), churn=self.share(), level=level),
            lambda: next_run_fresh_questions(self.share(), some(), some(), questions=self.size(), level=level),
            lambda: paired_mean([self.share() for _ in range(3)], weight=[self.weight() for _ in range(3)]),
            self.questions,
            self.intents,
        ]


def numbers(found: Any) -> list[float]:
    if dataclasses.is_dataclass(found):
        return [each for field in dataclasses.fields(found) for each in numbers(getattr(found, field.name))]
    return [found] if isinstance(found, float) else []


@pytest.mark.parametrize("seed", range(4))
def test_nothing_but_finite_ordered_numbers_comes_out(seed: int) -> None:
    hostile, answered = Hostile(seed), 0
    for _ in range(1500):
        for call in hostile.calls():
            try:
                found = call()
            except ValueError:
                continue
            answered += 1
            assert all(map(math.isfinite, numbers(found))), found
            if isinstance(found, Interval) and found.lower is not None and found.upper is not None:
                assert found.lower <= found.upper, found
                assert found.estimate is not None or found.reason is not None, found
    assert answered > 3000


REFUSED: list[Callable[[], object]] = [
    lambda: forecast_error(EXAMPLE, NAN),
    lambda: forecast_error(EXAMPLE, 0.85, with_gold=INF),
    lambda: kitagawa([0.5, 0.5], [0.9, NAN], [0.4, 0.6], [0.9, 0.5]),
    lambda: shapley(funnel_pass, [0.5, 0.9, INF], [0.6, 0.9, 0.5]),
    lambda: paired_size(0.1, NAN),
    lambda: standard_error(0.5, INF),
    lambda: standard_error(0.5, NAN),
]


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_not_a_number_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w \w"):
        call()


def test_limits_stay_in_order_next_to_the_ends() -> None:
    for found in (
        wilson_effective(1e-18, 1e6, n=1, level=1e-6),
        jeffreys(3, 10, level=1e-6),
        two_phase(Stratum(cases=0), Stratum(cases=1, certain=True), level=1 - 1e-9),
        prediction_powered(Confusion(true_pass=3, false_fail=0, false_pass=0, true_fail=0), 3, 3, weight=0.0),
        prediction_powered(Confusion(true_pass=0, false_fail=0, false_pass=3, true_fail=1), 0, 40, weight=1.0),
    ):
        lower, upper = found.bounds
        assert found.estimate is not None
        assert 0.0 <= lower <= found.estimate <= upper <= 1.0, found


def test_a_judge_that_no_draw_finds_informative_tells_nothing() -> None:
    useless = JudgedCell(
        judged_pass=0, judged_fail=0, validation=Confusion(true_pass=0, false_fail=8, false_pass=30, true_fail=0)
    )
    good = JudgedCell(
        judged_pass=0, judged_fail=2, validation=Confusion(true_pass=1, false_fail=0, false_pass=0, true_fail=1)
    )
    assert judged_rates(good, useless, design=Design.external).passed.reason is Undefined.judge_uninformative


def test_full_recall_leaves_nothing_to_ask_for() -> None:
    found = required_recall(0.5, wilson(0, 40), wilson(20, 40), recall=wilson(400, 400), recovered=wilson(38, 40))
    assert (found.estimate, found.reason) == (None, Undefined.slope_negative)


def test_a_change_far_below_the_usual_is_found_as_well() -> None:
    found = paired_detectable(1e9, 0.999999999999, power=0.5).estimate
    assert found == pytest.approx(1.96 / math.sqrt(1e9), rel=1e-3)


def test_exact_numbers_stay_exact() -> None:
    parts = shapley(funnel_pass, [Fraction(1, 2), Fraction(9, 10), Fraction(1, 2)], [Fraction(3, 4), 1, Fraction(1, 3)])
    assert sum(parts) == funnel_pass([Fraction(3, 4), 1, Fraction(1, 3)]) - funnel_pass(
        [Fraction(1, 2), Fraction(9, 10), Fraction(1, 2)]
    )


@pytest.mark.parametrize(("recovered", "passed", "n"), [(0, 3, 4), (1, 0, 0), (108, 204, 232), (37, 0, 9), (500, 9, 9)])
def test_passes_are_those_of_scipy(recovered: int, passed: int, n: int) -> None:
    from scipy.stats import betabinom

    for level in (0.5, 0.95, 0.999):
        found = passes_among_recovered(recovered, wilson(passed, n), level=level)
        law = betabinom(recovered, passed + 0.5, n - passed + 0.5)
        tail = (1 - level) / 2
        assert (found.lower, found.upper) == (int(law.ppf(tail)), int(law.ppf(1 - tail)))
        assert (found.mean, found.sd) == pytest.approx((law.mean(), law.std()), abs=1e-9)


@pytest.mark.parametrize(
    ("n1", "rate", "margin"), [(120, 0.88, 0.12), (232, 0.88, 0.1), (200, 0.6, 0.12), (60, 0.7, 0.19)]
)
def test_the_smallest_slice_is_the_first_of_all(n1: int, rate: float, margin: float) -> None:
    found = smallest_confirmable_slice(n1, rate, margin, largest=250)
    held = [likeness_chances(m, rate, n1, rate, margin).held >= 0.8 for m in range(1, 253)]
    first = next((m for m in range(1, 251) if all(held[m - 1 : m + 2])), None)
    assert found == first
