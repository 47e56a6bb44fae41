"""Worlds in which a judge errs in known ways, and the intervals made from what is seen of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attribution.statistics.confusion import Confusion
from attribution.statistics.judge import judged_projection, judged_rates
from attribution.statistics.judge_cells import Design, JudgedCell
from attribution.statistics.judge_pair import judge_pair, judge_pair_by_question
from attribution.statistics.judge_quality import judge_quality
from attribution.statistics.macro_f1 import mean_f1
from attribution.statistics.prediction_powered import prediction_powered
from attribution.statistics.projection import project
from attribution.statistics.proportions import wilson
from attribution.statistics.rogan_gladen import rogan_gladen
from attribution.statistics.two_phase import Stratum, two_phase
from tests.simulation.label_worlds import Bools, chosen, counted
from tests.simulation.trials import Trial, World


def confusion(truth: Bools, judged: Bools, keep: Bools) -> Confusion:
    """Count the kept items by truth and verdict."""
    return Confusion(
        true_pass=int((keep & truth & judged).sum()),
        false_fail=int((keep & truth & ~judged).sum()),
        false_pass=int((keep & ~truth & judged).sum()),
        true_fail=int((keep & ~truth & ~judged).sum()),
    )


def judge_on_a_subset(p: float, sensitivity: float, specificity: float, labels: int, n: int = 400) -> World:
    """One pass rate; labels drawn from the questions that were judged."""

    def draw(random: np.random.Generator) -> Trial:
        truth = random.random(n) < p
        judged = np.where(truth, random.random(n) < sensitivity, random.random(n) >= specificity)
        checked = chosen(random, n, labels)
        items = confusion(truth, judged, checked)
        rest = int((judged & ~checked).sum())
        return {
            "two-phase": (two_phase(counted(judged, checked, truth), counted(~judged, checked, truth)), p),
            "prediction-powered, cross-check": (prediction_powered(items, rest, n - labels), p),
            "judge as truth": (wilson(int(judged.sum()), n), p),
        }

    return draw


def judge_elsewhere(p: float, sensitivity: float, specificity: float, labels: int, n: int = 400) -> World:
    """One pass rate; the judge was validated on other items, half of which pass."""

    def draw(random: np.random.Generator) -> Trial:
        judged = int(random.binomial(n, p * sensitivity + (1 - p) * (1 - specificity)))
        passes = int(random.binomial(labels, 0.5))
        right, correct = int(random.binomial(passes, sensitivity)), int(random.binomial(labels - passes, specificity))
        items = Confusion(
            true_pass=right, false_fail=passes - right, false_pass=labels - passes - correct, true_fail=correct
        )
        # Taken for a subset, the verdicts' hit rates are carried over with the wrong share of passes.
        as_subset = two_phase(
            Stratum(cases=judged, checked=min(judged, right + items.false_pass), true=min(judged, right)),
            Stratum(cases=n - judged, checked=min(n - judged, items.false_fail + correct), true=items.false_fail),
        )
        return {
            "Lang-Reiczigel": (rogan_gladen(judged, n, items).rate, p),
            "taken for a subset": (as_subset, p),
        }

    return draw


def lax_judge(labels: int, design: Design, n: int = 400) -> World:
    """Rates and projection at .85, of a judge that is laxer where gold is missing."""
    p1, p0, recall, target = 0.88, 0.47, 0.58, 0.85
    sensitivity, specificity = (0.95, 0.93), (0.90, 0.75)

    def verdicts(random: np.random.Generator, truth: Bools, gold: Bools) -> Bools:
        right = np.where(truth, np.where(gold, *sensitivity), np.where(gold, *specificity))
        return np.asarray(truth == (random.random(len(truth)) < right))

    def draw(random: np.random.Generator) -> Trial:
        gold = random.random(n) < recall
        truth = random.random(n) < np.where(gold, p1, p0)
        judged = verdicts(random, truth, gold)
        if design is Design.subset:
            items = (truth, judged, chosen(random, n, labels), gold)
        else:
            other_gold, other_truth = random.random(labels) < 0.5, random.random(labels) < 0.5
            items = (other_truth, verdicts(random, other_truth, other_gold), np.ones(labels, dtype=bool), other_gold)
        cells = [
            JudgedCell(
                judged_pass=int((judged & (gold == side)).sum()),
                judged_fail=int((~judged & (gold == side)).sum()),
                validation=confusion(items[0], items[1], items[2] & (items[3] == side)),
            )
            for side in (True, False)
        ]
        found = judged_rates(*cells, design=design)
        projected = target * p1 + (1 - target) * p0
        return {
            "with gold": (found.with_gold, p1),
            "without gold": (found.without_gold, p0),
            "passed": (found.passed, recall * p1 + (1 - recall) * p0),
            "projection": (judged_projection(target, *cells, design=design), projected),
            "projection, judge as truth": (
                project(target, found.judge_with_gold, found.judge_without_gold),
                projected,
            ),
        }

    return draw


def macro_f1_of(n: int, prevalence: Sequence[float], accuracy: Sequence[float]) -> World:
    """Macro-F1 of a judge whose errors fall evenly on the other classes."""
    k = len(prevalence)
    rows = [[right if at == to else (1 - right) / (k - 1) for to in range(k)] for at, right in enumerate(accuracy)]
    cells = np.array(prevalence)[:, None] * np.array(rows)
    names = [str(at) for at in range(k)]

    def draw(random: np.random.Generator) -> Trial:
        found = judge_quality(random.multinomial(n, cells.ravel()).reshape(k, k), names)
        agreed, chance = float(np.trace(cells)), float(cells.sum(axis=1) @ cells.sum(axis=0))
        return {
            "macro-F1": (found.macro_f1, float(mean_f1(cells, range(k)))),
            "kappa": (found.kappa, (agreed - chance) / (1 - chance)),
        }

    return draw


def two_judges(questions: int, items: int) -> World:
    """Macro-F1 of one judge less that of another, each of which finds some questions easy and others hard."""
    prevalence, accuracy, sameness = 0.8, (0.92, 0.86), 1.5
    joint = np.zeros((2, 2, 2))
    for at in np.ndindex(joint.shape):
        right = [each if verdict == at[0] else 1 - each for each, verdict in zip(accuracy, at[1:], strict=True)]
        joint[at] = (1 - prevalence if at[0] else prevalence) * right[0] * right[1]
    gap = float(mean_f1(joint.sum(axis=2), range(2)) - mean_f1(joint.sum(axis=1), range(2)))

    def draw(random: np.random.Generator) -> Trial:
        truth = (random.random((questions, items)) >= prevalence).astype(int)
        first, second = (
            np.where(
                random.random((questions, items)) < random.beta(sameness * each, sameness * (1 - each), (questions, 1)),
                truth,
                1 - truth,
            )
            for each in accuracy
        )
        code = np.repeat(np.arange(questions), items)
        found = judge_pair_by_question(code, truth.ravel(), first.ravel(), second.ravel(), classes=2)
        table = np.zeros((2, 2, 2), dtype=np.int64)
        np.add.at(table, (truth.ravel(), first.ravel(), second.ravel()), 1)
        return {
            "difference in macro-F1, by question": (found.macro_f1, gap),
            "difference in accuracy, by question": (found.accuracy, accuracy[0] - accuracy[1]),
            "difference in macro-F1, by item": (judge_pair(table).macro_f1, gap),
        }

    return draw
