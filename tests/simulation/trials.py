"""Simulated coverage: worlds whose truth is known, drawn again and again, and how often intervals hold it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from attribution.statistics.interval import Interval

# One draw of a world: the intervals made from it, each with the truth it should hold.
Trial = Mapping[str, tuple[Interval, float]]
World = Callable[[np.random.Generator], Trial]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How an interval fared.

    Attributes:
        held: share of the draws in which it held the truth.
        width: mean width.
        bias: mean of estimate - truth over the draws with an estimate.
        refused: share of the draws without an estimate; they count as held only if their limits hold the truth.
    """

    held: float
    width: float
    bias: float
    refused: float


def simulate(world: World, repetitions: int, seed: int) -> dict[str, Coverage]:
    """Draw a world repeatedly and score its intervals.

    Args:
        world: draws once and returns every interval with its truth.
        repetitions: draws.
        seed: of the generator handed to the world.

    Returns:
        The score of every interval, by name.
    """
    random = np.random.default_rng(seed)
    rows: dict[str, list[tuple[bool, float, float | None]]] = {}
    for _ in range(repetitions):
        for name, (interval, truth) in world(random).items():
            lower, upper = interval.bounds
            gap = None if interval.estimate is None else interval.estimate - truth
            rows.setdefault(name, []).append((lower <= truth <= upper, upper - lower, gap))
    return {name: _scored(trials) for name, trials in rows.items()}


def _scored(trials: list[tuple[bool, float, float | None]]) -> Coverage:
    gaps = [gap for _, _, gap in trials if gap is not None]
    return Coverage(
        held=float(np.mean([held for held, _, _ in trials])),
        width=float(np.mean([width for _, width, _ in trials])),
        bias=float(np.mean(gaps)) if gaps else 0.0,
        refused=1.0 - len(gaps) / len(trials),
    )
