"""The next run on the same questions, asked several times: what flips by chance averages out over the answers."""

from __future__ import annotations

import numpy as np
import pytest

from attribution.statistics import survey
from attribution.statistics.proportions import wilson, wilson_effective
from attribution.statistics.rerun import answers_each, next_run_same_questions

QUESTIONS, REPEATS, RUNS = 160, 3, 600


def test_an_unchanged_build_lands_in_the_range_as_often_as_it_says() -> None:
    """Wide enough and no wider: taking a question for one answer makes it 1.7 times as wide, and it covers .995."""
    draw = np.random.default_rng(3)
    inside, widths, errors = 0, [], []
    for _ in range(RUNS):
        gold = draw.random(QUESTIONS) < 0.5
        rate = np.where(gold, 0.85, 0.4)[:, None]
        now, again, later = (draw.random((QUESTIONS, REPEATS)) < rate for _ in range(3))
        churn = float(((now != again).sum() + 0.5) / (now.size + 1))
        recall = survey.rate(gold * REPEATS, np.full(QUESTIONS, REPEATS))
        found = survey.rate(now.sum(axis=1) * gold, gold * REPEATS)
        missed = survey.rate(now.sum(axis=1) * ~gold, ~gold * REPEATS)
        each = answers_each(recall, answers=now.size, questions=QUESTIONS)
        run = next_run_same_questions(recall.estimate or 0.0, recall, found, missed, churn=churn, answers_each=each)
        lower, upper = run.bounds
        inside += lower <= later.mean() <= upper
        widths.append(upper - lower)
        errors.append(later.mean() - (run.estimate or 0.0))
    assert 0.93 < inside / RUNS < 0.97
    assert np.mean(widths) == pytest.approx(2 * 1.96 * np.std(errors), rel=0.08)


def test_answers_that_recall_counts_apart_already_are_not_counted_twice() -> None:
    assert answers_each(wilson_effective(0.6, 300.0, n=300, count=180), answers=300, questions=100) == 1.0
    assert answers_each(wilson_effective(0.6, 150.0, n=300, count=180), answers=300, questions=100) == 2.0
    assert answers_each(wilson(0, 0), answers=0, questions=0) == 1.0
    with pytest.raises(ValueError, match="at least one answer"):
        next_run_same_questions(0.5, wilson(5, 10), wilson(4, 5), wilson(1, 5), churn=0.1, answers_each=0.5)
