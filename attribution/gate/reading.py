"""One range read against a bound: pass where all of it keeps the bound, fail where none does, else cannot tell.

Several slices of the same rule are read together: a fail of one of them must survive Holm's adjustment, since among
twelve intents one will fall short by chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from attribution.gate.rules import Relation
from attribution.results.gate import RuleWord
from attribution.statistics.claims import FEW
from attribution.statistics.interval import Interval, critical_value
from attribution.statistics.verdicts import holm

# Levels between which the one that touches a bound is looked for.
LEAST_LEVEL, MOST_LEVEL = 1e-9, 1.0 - 1e-12
LARGEST_NEED = 10_000_000


class Why(StrEnum):
    """Why a rule cannot be judged, or passes without a case."""

    wide = "the range lies on both sides of the bound"
    few = "fewer than ten questions"
    chance = "short of the bound by itself, but not among all the slices read"
    no_labels = "no label set judges these questions"
    nothing_attributable = "no question can be attributed with these labels"
    no_outcomes = "no pass or fail is recorded"
    no_cases = "no question is a case of it"
    no_failures = "there are no failures to share out"
    no_shared = "the runs share no question"
    no_limits = "its range cannot be worked out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What was measured.

    Attributes:
        interval: the estimate with its limits.
        at: the same at another level.
        questions: questions it rests on, for saying how many would decide.
    """

    interval: Interval
    at: Callable[[float], Interval]
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a range says of a bound.

    Attributes:
        verdict: pass, fail or cannot tell.
        reason: why it cannot be told, or passes without a case.
        needed: questions that would decide it at the rates seen, None where it is decided or none would do.
        p: how often a build right at the bound would come out so far short, None outside a family of slices.
        p_holm: the same among all slices of the rule.
    """

    verdict: RuleWord
    reason: Why | None = None
    needed: int | None = None
    p: float | None = None
    p_holm: float | None = None


def read_one(found: Estimate, relation: Relation, bound: float) -> Reading:
    """Read one range against a bound.

    The range's level decides how sure: with limits at .9, a build right at the bound passes or fails once in
    twenty.

    >>> from attribution.statistics.proportions import wilson
    >>> found = Estimate(interval=wilson(232, 400, level=0.9), at=lambda level: wilson(232, 400, level=level),
    ...                  questions=400)
    >>> read_one(found, ">=", 0.5).verdict, read_one(found, ">=", 0.65).verdict
    ('pass', 'fail')
    >>> read_one(found, ">=", 0.55)
    Reading(verdict='cannot tell', reason=<Why.wide: 'the range lies on both sides of the bound'>, needed=745, \
p=None, p_holm=None)
    """
    interval = found.interval
    undefined = _undefined(interval)
    if undefined is not None:
        return Reading(verdict="cannot tell", reason=undefined, needed=_at_least_few(found, undefined))
    keeps, breaks = _sides(interval, relation, bound)
    if keeps:
        return Reading(verdict="pass")
    if breaks:
        return Reading(verdict="fail")
    return Reading(verdict="cannot tell", reason=Why.wide, needed=needed(found, bound))


def read_all(found: Sequence[Estimate], relation: Relation, bound: float) -> list[Reading]:
    """Read the slices of one rule: each passes by itself, and fails only if that survives Holm's adjustment."""
    alone = [read_one(each, relation, bound) for each in found]
    tested = [at for at, reading in enumerate(alone) if reading.reason in (None, Why.wide)]
    p_values = [p_short(found[at], relation, bound) for at in tested]
    adjusted = dict(zip(tested, zip(p_values, holm(p_values), strict=True), strict=True))
    readings = []
    for at, reading in enumerate(alone):
        if at not in adjusted:
            readings.append(reading)
            continue
        p, p_holm = adjusted[at]
        verdict, reason, more = reading.verdict, reading.reason, reading.needed
        if verdict == "fail" and p_holm > (1.0 - found[at].interval.level) / 2.0:
            verdict, reason, more = "cannot tell", Why.chance, needed(found[at], bound, tests=len(tested))
        readings.append(Reading(verdict=verdict, reason=reason, needed=more, p=p, p_holm=p_holm))
    return readings


def p_short(found: Estimate, relation: Relation, bound: float) -> float:
    """Return how often a build right at the bound would come out at least as far on the wrong side.

    It is the level at which the limit touches the bound, so that it and the range cannot disagree.
    """
    from scipy.optimize import brentq

    estimate = found.interval.estimate or 0.0
    short = bound - estimate if relation == ">=" else estimate - bound
    if short <= 0.0:
        return 1.0

    def beyond(level: float) -> float:
        lower, upper = found.at(level).bounds
        return upper - bound if relation == ">=" else bound - lower

    if beyond(MOST_LEVEL) < 0.0:
        return (1.0 - MOST_LEVEL) / 2.0
    if beyond(LEAST_LEVEL) > 0.0:
        return 0.5
    return (1.0 - float(brentq(beyond, LEAST_LEVEL, MOST_LEVEL, xtol=1e-14))) / 2.0


def needed(found: Estimate, bound: float, *, tests: int = 1) -> int | None:
    """Return the questions with which the limit would just reach the bound, if the estimate stayed what it is.

    Limits draw in with the root of the number. For Wilson's this is exact: his limit reaches the bound where the
    score test of the bound does. None where the estimate is the bound itself, or the number is beyond all reason.

    Args:
        found: what was measured, with a defined estimate.
        bound: the bound.
        tests: slices read together; a fail must then hold at a stricter level.
    """
    interval = found.interval
    estimate, size = interval.estimate or 0.0, interval.size
    distance = abs(estimate - bound)
    if distance <= 1e-12 or not size:
        return None
    level = 1.0 - (1.0 - interval.level) / tests
    if interval.method.startswith("wilson"):
        growth = bound * (1.0 - bound) * (critical_value(level) / distance) ** 2 / size
    else:
        lower, upper = found.at(level).bounds
        growth = ((upper - estimate if bound > estimate else estimate - lower) / distance) ** 2
    wanted = math.ceil(max(growth, FEW / size) * found.questions)
    return wanted if found.questions < wanted <= LARGEST_NEED else None


def _undefined(interval: Interval) -> Why | None:
    if interval.estimate is None:
        return Why.no_cases
    if interval.size < FEW:
        return Why.few
    return Why.no_limits if interval.lower is None or interval.upper is None else None


def _at_least_few(found: Estimate, reason: Why) -> int | None:
    """With fewer than ten cases all that can be said is how many questions would hold ten."""
    if reason is not Why.few or not found.interval.size:
        return None
    return math.ceil(found.questions * FEW / found.interval.size)


def _sides(interval: Interval, relation: Relation, bound: float) -> tuple[bool, bool]:
    """Whether all of the range keeps the bound, and whether none of it does."""
    lower, upper = interval.bounds
    return (lower >= bound, upper < bound) if relation == ">=" else (upper <= bound, lower > bound)
