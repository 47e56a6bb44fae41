"""Seeded simulations: intervals hold the truth about as often as they say, no less and not much more."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from attribution.statistics.allocation import allocate
from attribution.statistics.interval import Interval
from attribution.statistics.projection import project, project_measured
from attribution.statistics.proportions import wilson
from attribution.statistics.rerun import next_run_fresh_questions, next_run_same_questions
from attribution.statistics.survey import rate
from tests.attribution.statistics.survey_rows import profiles

wilson_of = cache(wilson)


@cache
def projected(target: float, x1: int, n1: int, x0: int, n0: int) -> Interval:
    return project(target, wilson_of(x1, n1), wilson_of(x0, n0))


def holds(interval: Interval, truth: float) -> bool:
    lower, upper = interval.bounds
    return lower <= truth <= upper


# n, recall, target, pass rates, and the coverage that is accepted. The last three are where methods that rest on
# the observed variance collapse to .8 or less.
SCENARIOS = [
    (300, 0.58, 0.85, 0.88, 0.47, 0.935, 0.965),
    (300, 0.58, 0.60, 0.88, 0.47, 0.935, 0.965),
    (100, 0.85, 0.95, 0.70, 0.60, 0.935, 0.970),
    (100, 0.30, 0.85, 0.88, 0.47, 0.935, 0.970),
    (40, 0.30, 0.85, 0.88, 0.47, 0.940, 0.980),
    (40, 0.58, 0.85, 0.98, 0.02, 0.935, 1.000),
    (40, 0.85, 0.95, 0.95, 0.10, 0.935, 1.000),
]


@pytest.mark.parametrize(("n", "recall", "target", "p1", "p0", "least", "most"), SCENARIOS)
def test_projection(n: int, recall: float, target: float, p1: float, p0: float, least: float, most: float) -> None:
    random = np.random.default_rng(20_240)
    found = random.binomial(n, recall, 4000)
    x1, x0 = random.binomial(found, p1), random.binomial(n - found, p0)
    truth = target * p1 + (1 - target) * p0
    hits = [holds(projected(target, *map(int, draw)), truth) for draw in zip(x1, found, x0, n - found, strict=True)]
    assert least <= np.mean(hits) <= most


def test_projection_at_a_measured_recall_carries_its_noise() -> None:
    """The replay finds gold for a share of the same questions; a stated recall would ignore that it is a sample."""
    random = np.random.default_rng(7)
    n, recall, after, p1, p0 = 200, 0.3, 0.6, 0.95, 0.10
    truth, hits, stated = after * p1 + (1 - after) * p0, 0, 0
    for _ in range(2000):
        found = int(random.binomial(n, recall))
        recovered = int(random.binomial(n - found, (after - recall) / (1 - recall)))
        cells = (
            wilson_of(int(random.binomial(found, p1)), found),
            wilson_of(int(random.binomial(n - found, p0)), n - found),
        )
        replayed = wilson_of(found + recovered, n)
        assert replayed.estimate is not None
        hits += holds(project_measured(replayed, *cells), truth)
        stated += holds(project(replayed.estimate, *cells), truth)
    assert 0.935 <= hits / 2000 <= 0.97
    assert stated / 2000 < 0.85


def test_a_run_on_fresh_questions_falls_where_it_was_said_to() -> None:
    random = np.random.default_rng(11)
    n, recall, target, p1, p0 = 400, 0.58, 0.85, 0.88, 0.47
    truth, hits, narrow = target * p1 + (1 - target) * p0, 0, 0
    for _ in range(2000):
        found = int(random.binomial(n, recall))
        cells = (
            wilson_of(int(random.binomial(found, p1)), found),
            wilson_of(int(random.binomial(n - found, p0)), n - found),
        )
        shown = float(random.binomial(400, truth)) / 400
        hits += holds(next_run_fresh_questions(target, *cells, questions=400), shown)
        narrow += holds(project(target, *cells), shown)
    assert 0.935 <= hits / 2000 <= 0.97
    assert narrow / 2000 < 0.90


@pytest.mark.parametrize(("recall", "target"), [(0.58, 0.85), (0.85, 0.58)])
@pytest.mark.parametrize("churn", [0.0, 0.05])
def test_a_run_on_the_same_questions_falls_where_it_was_said_to(recall: float, target: float, churn: float) -> None:
    """Movers are drawn from one side and answered anew at the other side's rate; the others flip now and then."""
    random = np.random.default_rng(13)
    n, p1, p0, hits = 400, 0.88, 0.47, 0
    for _ in range(2000):
        found = int(random.binomial(n, recall))
        with_gold = random.random(found) < p1
        without = random.random(n - found) < p0
        moved = round(target * n) - found
        cells = wilson_of(int(with_gold.sum()), found), wilson_of(int(without.sum()), n - found)
        expected = next_run_same_questions((found + moved) / n, wilson_of(found, n), *cells, churn=churn)
        (leaving, staying), rate = ((without, with_gold), p1) if moved > 0 else ((with_gold, without), p0)
        kept = np.concatenate([staying, random.permutation(leaving)[abs(moved) :]])
        # As many flips either way on average: an unchanged build has no trend.
        passing = kept.mean()
        chance = np.where(kept, churn / (2 * passing), churn / (2 * (1 - passing)))
        kept = kept ^ (random.random(kept.size) < chance)
        hits += holds(expected, float(kept.sum() + random.binomial(abs(moved), rate)) / n)
    assert 0.93 <= hits / 2000 <= 0.97


def test_a_weighted_rate_over_intents() -> None:
    """Twelve intents whose sampling differs from their traffic: ignoring the weights misses the truth."""
    random = np.random.default_rng(19)
    traffic = 1 / np.arange(1, 13)
    traffic /= traffic.sum()
    sizes = np.array(allocate([float(share) for share in traffic], 300, floor=15))
    recall, p1 = np.linspace(0.75, 0.35, 12), np.linspace(0.93, 0.60, 12)
    truth, hits, unweighted = float(traffic @ (recall * p1) / (traffic @ recall)), 0, 0
    for _ in range(1200):
        gold = random.binomial(sizes, recall)
        passed = random.binomial(gold, p1)
        columns = zip(traffic / sizes, range(12), passed, gold - passed, sizes - gold, strict=True)
        rows = [
            (success, case, float(weight), stratum, int(times))
            for weight, stratum, *counts in columns
            for (success, case), times in zip(((1, 1), (0, 1), (0, 0)), counts, strict=True)
            if times > 0
        ]
        arrays = profiles(rows)
        hits += holds(rate(**arrays.keywords), truth)
        unweighted += holds(wilson_of(int(passed.sum()), int(gold.sum())), truth)
    assert 0.93 <= hits / 1200 <= 0.98
    assert unweighted / 1200 < 0.90


def test_a_rate_over_repeated_questions() -> None:
    """Forty questions, three answers each, with most of the spread between questions."""
    random = np.random.default_rng(31)
    hits, independent = 0, 0
    for _ in range(2000):
        passes = random.binomial(3, random.beta(1.4, 0.6, 40))
        hits += holds(rate(passes, np.full(40, 3)), 0.7)
        independent += holds(wilson_of(int(passes.sum()), 120), 0.7)
    assert 0.935 <= hits / 2000 <= 0.965
    assert independent / 2000 < 0.90
