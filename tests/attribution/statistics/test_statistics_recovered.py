"""The projection with a rate of its own for recovered questions: exact properties, and how often its interval holds."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from attribution.statistics.interval import Interval
from attribution.statistics.projection import project, project_measured
from attribution.statistics.proportions import wilson
from attribution.statistics.recovered import project_recovered
from attribution.statistics.rerun import fresh_questions_around, next_run_fresh_questions
from attribution.statistics.targets import required_recall

wilson_of = cache(wilson)
RECALL, FOUND, MISSED = wilson(232, 400), wilson(204, 232), wilson(79, 168)


def known(value: float) -> Interval:
    return Interval(n=0, count=None, estimate=value, lower=value, upper=value, level=0.95, method="stated")


def drawn(
    random: np.random.Generator, n: int, recall: float, p1: float, rec: float, p0: float, m: int
) -> list[Interval]:
    """One eval set, and an oracle experiment on some of its misses: recall, with gold, recovered, without."""
    found = int(random.binomial(n, recall))
    asked = min(m, n - found)
    return [
        wilson_of(found, n),
        wilson_of(int(random.binomial(found, p1)), found),
        wilson_of(int(random.binomial(asked, rec)), asked),
        wilson_of(int(random.binomial(n - found, p0)), n - found),
    ]


# n, recall, target, pass rates with gold, recovered and without, answers of the experiment, accepted coverage
SCENARIOS = [
    (400, 0.58, 0.85, 0.88, 0.70, 0.47, 60, 0.938, 0.965),
    (400, 0.58, 0.85, 0.88, 0.40, 0.35, 60, 0.938, 0.965),
    (400, 0.58, 0.95, 0.70, 0.90, 0.20, 30, 0.938, 0.970),
    (100, 0.30, 0.85, 0.88, 0.60, 0.47, 40, 0.938, 0.970),
    (100, 0.60, 0.70, 0.98, 0.30, 0.02, 20, 0.938, 0.985),
]


@pytest.mark.parametrize(("n", "recall", "target", "p1", "rec", "p0", "m", "least", "most"), SCENARIOS)
def test_it_holds_the_truth_about_as_often_as_it_says(
    n: int, recall: float, target: float, p1: float, rec: float, p0: float, m: int, least: float, most: float
) -> None:
    random = np.random.default_rng(101)
    truth, hits = recall * p1 + (target - recall) * rec + (1 - target) * p0, 0
    for _ in range(3000):
        low, high = project_recovered(target, *drawn(random, n, recall, p1, rec, p0, m)).bounds
        hits += low <= truth <= high
    assert least <= hits / 3000 <= most


def test_taking_the_measured_rate_as_known_holds_the_truth_far_less_often() -> None:
    random = np.random.default_rng(103)
    recall, target, p1, rec, p0 = 0.3, 0.9, 0.88, 0.6, 0.47
    truth, hits, blind = recall * p1 + (target - recall) * rec + (1 - target) * p0, 0, 0
    for _ in range(2000):
        cells = drawn(random, 400, recall, p1, rec, p0, 40)
        low, high = project_recovered(target, *cells).bounds
        hits += low <= truth <= high
        low, high = project_recovered(target, cells[0], cells[1], known(cells[2].estimate or 0.0), cells[3]).bounds
        blind += low <= truth <= high
    assert 0.938 <= hits / 2000 <= 0.97
    assert blind / 2000 < 0.75


def test_a_replay_of_the_same_questions_brings_the_noise_of_both_recalls() -> None:
    random = np.random.default_rng(107)
    n, recall, after, p1, rec, p0 = 150, 0.4, 0.7, 0.95, 0.55, 0.10
    truth, hits, stated = recall * p1 + (after - recall) * rec + (1 - after) * p0, 0, 0
    for _ in range(3000):
        cells = drawn(random, n, recall, p1, rec, p0, 200)
        found = cells[0].count or 0
        replayed = wilson_of(found + int(random.binomial(n - found, (after - recall) / (1 - recall))), n)
        low, high = project_recovered(replayed, *cells).bounds
        hits += low <= truth <= high
        low, high = project_recovered(replayed.estimate or 0.0, *cells).bounds
        stated += low <= truth <= high
    assert 0.935 <= hits / 3000 <= 0.97
    assert stated < hits - 60


def test_recovered_like_the_found_leave_the_projection_where_it_was() -> None:
    same = project_recovered(0.85, RECALL, FOUND, FOUND, MISSED)
    assert same.estimate == pytest.approx(project(0.85, FOUND, MISSED).estimate, abs=1e-15)
    # two samples of the rate with gold say more than one
    assert same.bounds[0] > project(0.85, FOUND, MISSED).bounds[0]


@pytest.mark.parametrize("target", [0.0, 0.4, 0.58])
def test_a_fix_that_recovers_nothing_has_no_use_for_the_rate(target: float) -> None:
    assert project_recovered(target, RECALL, FOUND, wilson(1, 60), MISSED) == project(target, FOUND, MISSED)
    replay = wilson(round(400 * target), 400)
    measured = project_recovered(replay, RECALL, FOUND, wilson(1, 60), MISSED)
    assert measured == project_measured(replay, FOUND, MISSED)


def test_where_no_gold_is_found_today_the_rate_with_gold_is_not_missed() -> None:
    forecast = project_recovered(0.5, wilson(0, 100), wilson(0, 0), wilson(45, 60), wilson(20, 100))
    assert forecast.estimate == pytest.approx(0.5 * 0.75 + 0.5 * 0.2)
    assert project_recovered(0.85, RECALL, FOUND, wilson(0, 0), MISSED).estimate is None
    assert project_recovered(0.85, wilson(0, 0), FOUND, wilson(3, 4), MISSED).reason is not None


def test_levels_must_agree() -> None:
    with pytest.raises(ValueError, match="level"):
        project_recovered(0.85, RECALL, FOUND, wilson(42, 60, level=0.9), MISSED)


def test_the_recall_a_target_needs_follows_the_measured_rate() -> None:
    rate = wilson(42, 60)
    need = required_recall(0.73, FOUND, MISSED, recall=RECALL, recovered=rate)
    assert need.estimate is not None
    assert project_recovered(need.estimate, RECALL, FOUND, rate, MISSED).estimate == pytest.approx(0.73)
    assert need.estimate > (required_recall(0.73, FOUND, MISSED).estimate or 0.0)
    for limit, end in ((need.lower, 1), (need.upper, 0)):
        assert limit is not None
        assert project_recovered(limit, RECALL, FOUND, rate, MISSED).bounds[end] == pytest.approx(0.73, abs=1e-9)
    below = required_recall(0.6, FOUND, MISSED, recall=RECALL, recovered=rate)
    assert below.estimate == pytest.approx(required_recall(0.6, FOUND, MISSED).estimate)
    beyond = required_recall(0.85, FOUND, MISSED, recall=RECALL, recovered=rate)
    assert (beyond.attainable, beyond.estimate is not None and beyond.estimate > 1) == (False, True)
    open_ended = required_recall(0.76, FOUND, MISSED, recall=RECALL, recovered=rate)
    assert (open_ended.upper_open, open_ended.upper) == (True, 1.0)
    unclear = required_recall(0.73, FOUND, MISSED, recall=RECALL, recovered=wilson(28, 60))
    assert (unclear.estimate, unclear.attainable) == (None, None)


def test_fresh_questions_add_their_own_chance() -> None:
    around = fresh_questions_around(project(0.85, FOUND, MISSED), questions=400)
    assert around == next_run_fresh_questions(0.85, FOUND, MISSED, questions=400)
    with pytest.raises(ValueError, match="at least one"):
        fresh_questions_around(project(0.85, FOUND, MISSED), questions=0)
