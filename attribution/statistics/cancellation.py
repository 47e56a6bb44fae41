"""Stages that moved against each other between two runs of the same questions, behind a pass rate that hardly did."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from attribution.statistics.differences import newcombe_paired
from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.transitions import Exact, Number, exact, ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancellation:
    """Whether gains at one stage hide losses at another.

    Attributes:
        flag: some stage surely gained more than the margin, and another surely lost more than it.
        gained: positions of the stages that surely gained.
        lost: positions of the stages that surely lost.
        gross: sum of the sizes of all contributions.
        net: their sum, the change of the pass rate.
        index: 1 - |net|/gross, a description only: without any change, answers that flip make it large half of
            the time. None where nothing moved.
    """

    flag: bool
    gained: tuple[int, ...]
    lost: tuple[int, ...]
    gross: float
    net: float
    index: float | None


def stage_contributions(moves: Sequence[Sequence[Number]]) -> tuple[Exact, ...] | Undefined:
    """What each stage adds to the change of the pass rate: failing share there before, less after.

    No draw: the contributions add up to the change of the pass rate exactly, in fractions with `==`.

    Args:
        moves: questions by where they stood before (rows) and after (columns). Place 0 is passed, the others
            are the stages at which a question failed, in order. Shape (stages + 1, stages + 1).

    Returns:
        One contribution a stage, on the scale of a pass rate, positive where fewer fail; no_cases without
        questions.

    Raises:
        ValueError: the table is not square, or an entry is negative.

    >>> moves = [[60, 2, 8], [12, 5, 0], [3, 1, 9]]
    >>> stage_contributions(moves)
    (Fraction(9, 100), Fraction(-1, 25))
    """
    _check(moves)
    rows = [[exact(entry) for entry in row] for row in moves]
    n = sum((sum(row, Fraction(0)) for row in rows), Fraction(0))
    shares = [
        ratio(sum(rows[at], Fraction(0)) - sum((row[at] for row in rows), Fraction(0)), n) for at in range(1, len(rows))
    ]
    known = tuple(share for share in shares if share is not None)
    return known if len(known) == len(shares) else Undefined.no_cases


def contribution_limits(moves: Sequence[Sequence[int]], *, level: float = 0.95) -> tuple[Interval, ...]:
    """The contributions of the stages with intervals that hold all at once.

    One draw is one question, answered in both runs. Newcombe's paired interval a stage, at Bonferroni's level.
    Do not trust it for repeats counted as questions: put `paired_means.paired_mean` at level 1 - (1 - level)
    over the number of stages in its place.

    Args:
        moves: questions as counted, see `stage_contributions`.
        level: confidence that every interval holds.

    Returns:
        One contribution a stage, in -1 to 1; estimates None without questions.

    Raises:
        ValueError: the table is not square, an entry is negative, or the level is not a level.

    References:
        Newcombe (1998, paired differences, method 10); Dunn (1961), for Bonferroni's level.

    >>> first, second = contribution_limits([[60, 2, 8], [12, 5, 0], [3, 1, 9]])
    >>> round(first.estimate, 4), round(first.lower, 4), round(second.upper, 4)
    (0.09, 0.0006, 0.0437)
    """
    _check(moves)
    critical_value(level)
    stages = len(moves) - 1
    if not stages:
        return ()
    n = sum(map(sum, moves))
    limits = []
    for at in range(1, stages + 1):
        before, after, both = sum(moves[at]), sum(row[at] for row in moves), moves[at][at]
        gap = newcombe_paired(
            both, before - both, after - both, n - before - after + both, level=1.0 - (1.0 - level) / stages
        )
        limits.append(replace(gap, level=level, method="newcombe-paired-bonferroni"))
    return tuple(limits)


def cancellation(contributions: Sequence[Interval], *, margin: float = 0.0) -> Cancellation:
    """Whether stages moved against each other, by intervals and never by the index.

    One draw is one question. If the intervals hold all at once, a flag is false at most as often as one of them
    misses. Do not read its absence as steadiness: few questions show little.

    Args:
        contributions: contributions of the stages with simultaneous limits, positive where fewer fail.
        margin: size of a contribution that is of no interest, not negative.

    Returns:
        The flag, who moved which way, and the description.

    Raises:
        ValueError: margin is negative.

    >>> found = cancellation(contribution_limits([[240, 8, 62], [70, 12, 0], [3, 1, 4]]))
    >>> found.flag, found.gained, found.lost, round(found.net, 4), round(found.gross, 4)
    (True, (0,), (1,), 0.0075, 0.2975)
    """
    if not margin >= 0.0:
        msg = f"a margin is not negative: {margin}"
        raise ValueError(msg)
    bounds = [each.bounds for each in contributions]
    gained = tuple(at for at, (lower, _) in enumerate(bounds) if lower > margin)
    lost = tuple(at for at, (_, upper) in enumerate(bounds) if upper < -margin)
    points = [each.estimate for each in contributions if each.estimate is not None]
    gross, net = math.fsum(map(abs, points)), math.fsum(points)
    return Cancellation(
        flag=bool(gained and lost),
        gained=gained,
        lost=lost,
        gross=gross,
        net=net,
        index=1.0 - abs(net) / gross if gross > 0.0 else None,
    )


def _check(moves: Sequence[Sequence[Number]]) -> None:
    if not moves or any(len(row) != len(moves) for row in moves) or min(min(row) for row in moves) < 0:
        raise ValueError("moves are a square table of questions by place before and after, none of them negative")
