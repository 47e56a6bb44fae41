"""Which misses are answered again: drawn by seed within strata, whatever order they are stored in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from attribution.statistics.allocation import allocate


@dataclass(frozen=True, slots=True)
class Miss:
    """One question that misses its evidence, by the repeat that was drawn for it.

    Attributes:
        query_id: the question.
        repeat: one of its repeats without the evidence.
        stratum: its intent, or the fate of that repeat.
        weight: what it counts: its traffic, times the repeats that miss the evidence.
    """

    query_id: str
    repeat: int
    stratum: str
    weight: float


@dataclass(frozen=True, slots=True)
class Answer:
    """One repeat of a question without its evidence. ``weight`` is the question's traffic."""

    query_id: str
    repeat: int
    stratum: str
    weight: float


def one_repeat_each(answers: Sequence[Answer], seed: int) -> list[Miss]:
    """Draw one repeat of every question, each as likely as any other of its repeats without the evidence.

    Args:
        answers: in any order.
        seed: of the draw; the same seed and answers give the same repeats.
    """
    of_question: dict[str, list[Answer]] = defaultdict(list)
    for answer in sorted(answers, key=lambda answer: (answer.query_id, answer.repeat)):
        of_question[answer.query_id].append(answer)
    random = np.random.default_rng([seed, 0])
    misses = []
    for query_id, repeats in of_question.items():
        chosen = repeats[int(random.integers(len(repeats)))]
        misses.append(Miss(query_id, chosen.repeat, chosen.stratum, chosen.weight * len(repeats)))
    return misses


@dataclass(frozen=True, slots=True)
class StratumDrawn:
    """One stratum: its questions that miss their evidence, those drawn, and those passed over as not usable."""

    name: str
    size: int
    drawn: tuple[Miss, ...]
    passed_over: tuple[Miss, ...]


def draw(misses: Sequence[Miss], n: int, seed: int, usable: Callable[[Sequence[Miss]], set[str]]) -> list[StratumDrawn]:
    """Draw questions without replacement, each stratum by its share; one that cannot be used gives way to the next.

    Args:
        misses: one a question, in any order.
        n: questions to draw; all are taken where there are no more.
        seed: of the draw.
        usable: says of some questions which can be used; it is asked for as few as possible.

    Returns:
        The strata by name. A stratum with too few usable questions gives all it has.
    """
    strata: dict[str, list[Miss]] = defaultdict(list)
    for miss in sorted(misses, key=lambda miss: miss.query_id):
        strata[miss.stratum].append(miss)
    names = sorted(strata)
    wanted = _shares({name: len(strata[name]) for name in names}, n)
    drawn = []
    for at, name in enumerate(names):
        order = np.random.default_rng([seed, 1, at]).permutation(len(strata[name]))
        chosen, refused = _first_usable([strata[name][place] for place in order], wanted[name], usable)
        drawn.append(StratumDrawn(name, len(strata[name]), tuple(chosen), tuple(refused)))
    return drawn


def _shares(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    if n >= sum(sizes.values()):
        return dict(sizes)
    return dict(zip(sizes, allocate(list(sizes.values()), n, floor=0), strict=True))


def _first_usable(
    order: Sequence[Miss], wanted: int, usable: Callable[[Sequence[Miss]], set[str]]
) -> tuple[list[Miss], list[Miss]]:
    """Return the first questions of an order that can be used, and those before the last of them that cannot."""
    chosen: list[Miss] = []
    refused: list[Miss] = []
    at = 0
    while len(chosen) < wanted and at < len(order):
        batch = order[at : at + wanted - len(chosen)]
        good = usable(batch)
        for miss in batch:
            (chosen if miss.query_id in good else refused).append(miss)
        at += len(batch)
    return chosen, refused
