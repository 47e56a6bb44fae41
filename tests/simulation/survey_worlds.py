"""Worlds of intents with unequal traffic and of questions with several answers, and the intervals made from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attribution.statistics.allocation import allocate
from attribution.statistics.interval import Interval
from attribution.statistics.projection import project
from attribution.statistics.proportions import wilson
from attribution.statistics.standardised import IntentCounts, standardised
from attribution.statistics.survey import rate
from tests.simulation.trials import Trial, World

Floats = NDArray[np.float64]

INTENTS = 12
TARGET = 0.85
# Share of the traffic by rank, as Zipf has it.
TRAFFIC = 1.0 / np.arange(1, INTENTS + 1)
TRAFFIC /= TRAFFIC.sum()


@dataclass(frozen=True)
class Intents:
    """Recall and both pass rates of every intent."""

    recall: Floats
    p1: Floats
    p0: Floats

    def truths(self) -> dict[str, float]:
        """What holds over all traffic, for every interval by name."""
        recall = float(TRAFFIC @ self.recall)
        p1 = float(TRAFFIC @ (self.recall * self.p1)) / recall
        p0 = float(TRAFFIC @ ((1.0 - self.recall) * self.p0)) / (1.0 - recall)
        passed = recall * p1 + (1.0 - recall) * p0
        missing = TRAFFIC * (1.0 - self.recall)
        slope = float(missing @ (self.p1 - self.p0)) / float(missing.sum())
        return {
            "recall": recall,
            "with gold": p1,
            "without gold": p0,
            "pass rate": passed,
            "projection": TARGET * p1 + (1.0 - TARGET) * p0,
            "standardised": passed + (TARGET - recall) * slope,
        }


KINDS = {
    "alike": Intents(np.full(INTENTS, 0.58), np.full(INTENTS, 0.88), np.full(INTENTS, 0.47)),
    "falling along the tail": Intents(
        np.linspace(0.75, 0.35, INTENTS), np.linspace(0.93, 0.60, INTENTS), np.linspace(0.60, 0.30, INTENTS)
    ),
    "extreme": Intents(
        np.linspace(0.90, 0.40, INTENTS), np.linspace(0.99, 0.90, INTENTS), np.linspace(0.10, 0.02, INTENTS)
    ),
}


def by_intent(n: int, kind: Intents, *, answers: int = 1, spread: float | None = None) -> World:
    """Fifteen questions an intent and the rest by traffic; each with answers whose chance varies between questions.

    A beta distribution of concentration `spread` around the intent's rate gives a question its own chance of passing;
    without one, answers are independent.
    """
    sizes = np.array(allocate([float(share) for share in TRAFFIC], n, floor=15))
    stratum = np.repeat(np.arange(INTENTS), sizes)
    weight = (TRAFFIC / sizes)[stratum]
    truths = kind.truths()

    def draw(random: np.random.Generator) -> Trial:
        gold = (random.random(n) < kind.recall[stratum]).astype(np.int64)
        chance = np.where(gold, kind.p1[stratum], kind.p0[stratum])
        if spread is not None:
            chance = random.beta(spread * chance, spread * (1.0 - chance))
        passes = random.binomial(answers, chance)
        sides = [rate(passes * side, answers * side, weight=weight, stratum=stratum) for side in (gold, 1 - gold)]
        found: dict[str, Interval] = {
            "projection": project(TARGET, *sides),
            "pass rate": rate(passes, np.full(n, answers), weight=weight, stratum=stratum),
            "recall": rate(gold, np.ones_like(gold), weight=weight, stratum=stratum),
            "with gold": sides[0],
            "without gold": sides[1],
        }
        if answers == 1:
            found["standardised"] = _standardised(sizes, stratum, gold, passes)
        plain = wilson(int(passes.sum()), answers * n)
        return {name: (interval, truths[name]) for name, interval in found.items()} | {
            "pass rate, weights and repeats ignored": (plain, truths["pass rate"])
        }

    return draw


def _standardised(
    sizes: NDArray[np.int64], stratum: NDArray[np.int64], gold: NDArray[np.int64], passes: NDArray[np.int64]
) -> Interval:
    columns = [np.bincount(stratum, weights=each, minlength=INTENTS) for each in (gold, gold * passes, passes)]
    found, first, both = (column.astype(int).tolist() for column in columns)
    intents = [
        IntentCounts(
            weight=float(TRAFFIC[at]),
            n=int(sizes[at]),
            gold=found[at],
            gold_pass=first[at],
            nogold_pass=both[at] - first[at],
        )
        for at in range(INTENTS)
    ]
    return standardised(TARGET, intents).projection


def repeated(questions: int, answers: int) -> World:
    """Questions of one weight with several answers each; most of the spread lies between questions."""
    truth = 0.58 * 0.7 + 0.42 * 0.4
    target = TARGET * 0.7 + (1.0 - TARGET) * 0.4

    def draw(random: np.random.Generator) -> Trial:
        gold = (random.random(questions) < 0.58).astype(np.int64)
        chance = np.where(gold, random.beta(1.4, 0.6, questions), random.beta(0.8, 1.2, questions))
        passes = random.binomial(answers, chance)
        first, second = (rate(passes * side, answers * side) for side in (gold, 1 - gold))
        return {
            "projection": (project(TARGET, first, second), target),
            "pass rate": (rate(passes, np.full(questions, answers)), truth),
            "with gold": (first, 0.7),
            "without gold": (second, 0.4),
            "pass rate, answers as draws": (wilson(int(passes.sum()), answers * questions), truth),
        }

    return draw
