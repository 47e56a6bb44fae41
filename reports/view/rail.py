"""The three questions beside the picture. Every threshold is worked out from the counts it is about."""

from __future__ import annotations

import math

from attribution.results import Attribution, BySlice, Projection
from attribution.statistics.interval import Interval
from reports.numbers import COUNTS_BELOW, count, many, percent, percent_range, plural, points, rate, rate_range
from reports.view.doubts import doubts
from reports.view.headline import Leader, leader_of
from reports.view.left_out import obstacle
from reports.view.parts import Answer, State, Unit
from reports.view.shares import has_range
from reports.wording import (
    Words,
    argument,
    bracketed,
    code,
    cut_name,
    inside,
    listed,
    name_of,
    quoted,
    sentences,
    stage_words,
    strong,
    words,
)

WORTH = "What a fix is worth"
SURE = "How sure we are"
WRONG = "What would prove it wrong"


def answers(
    attribution: Attribution, projection: Projection | None, state: State, unit: Unit
) -> tuple[Answer, Answer, Answer]:
    """Return the three questions with their answers."""
    return (
        _worth(attribution, projection, state, unit),
        _sure(attribution, state, unit),
        Answer(WRONG, None, None, *_doubts(attribution, projection, state, unit)),
    )


def _doubts(
    attribution: Attribution, projection: Projection | None, state: State, unit: Unit
) -> tuple[tuple[Words, ...], tuple[Words, ...]]:
    items = doubts(attribution, projection, state, unit)
    return ((), items) if items else ((words("Nothing is claimed yet, so there is nothing to refute."),), ())


def _worth(attribution: Attribution, projection: Projection | None, state: State, unit: Unit) -> Answer:
    if state is State.nothing_attributable:
        return Answer(WORTH, None, None, (words("Not known: {}", obstacle(attribution).worth),), ())
    if state is State.no_outcomes:
        return Answer(WORTH, None, None, (words("Not known: it needs to be recorded which answers passed."),), ())
    if state is State.no_failures:
        return Answer(WORTH, None, None, (_nothing_to_fix(attribution.passed),), ())
    if projection is not None and projection.gain.estimate is not None:
        return _projected(attribution, projection)
    return _ceiling(attribution, unit)


def _nothing_to_fix(passed: Interval) -> Words:
    lower, _ = passed.bounds
    return words(
        "Nothing to fix here; {} in {} would still be unsurprising {}.",
        plural(unsurprising(passed), "failure"),
        count(passed.n),
        bracketed(f"{percent_range(0.0, 1.0 - lower)}%"),
    )


def unsurprising(passed: Interval) -> int:
    """Return how many failures in as many cases the range of the pass rate still allows."""
    return math.floor(passed.n * (1.0 - passed.bounds[0]) + 1e-9)


def _projected(attribution: Attribution, projection: Projection) -> Answer:
    gain, target = projection.gain, _target(projection)
    place = stage_words(attribution.stages[-1].stage).place
    assert gain.estimate is not None  # noqa: S101 - the caller asked
    lines = [
        words(
            "If recall at {} goes from {} to {}, the pass rate goes from {} to {}{}.",
            place,
            _rate(projection.recall),
            target,
            _rate(projection.passed),
            strong(_rate(projection.projection, 3)),
            _ranged(projection.projection),
        ),
        _perfect(projection),
    ]
    lower, upper = (points(limit).removeprefix("+") for limit in gain.bounds)
    text = sentences(*lines, _recovered(projection), _beyond(projection))
    return Answer(WORTH, f"{points(gain.estimate)} points", f"({lower} to {upper})", (text,), ())


def _perfect(projection: Projection) -> Words:
    stop = words("Perfect recall would stop at {}", _rate(projection.ceiling))
    located, removable = projection.located_share.estimate, projection.removable_share.estimate
    if located is None or removable is None:
        return words("{}: the rest is not retrieval’s.", stop)
    if removable < 0.0:
        return words(
            "{} and add failures, {} to every 100 of today’s: those with the evidence pass less often.",
            stop,
            percent(-removable).removesuffix("%"),
        )
    return words(
        "{} and end {} of failures, not the {} that lack evidence.", stop, percent(removable), percent(located)
    )


def _recovered(projection: Projection) -> Words | None:
    taken = projection.recovered
    if taken.source == "with_gold" or taken.rate.estimate is None:
        return None
    if taken.source == "oracle":
        how = "Recovered questions are taken to pass at {}{}, as a sample did with the gold first in the prompt."
        return words(how, rate(taken.rate.estimate), _ranged(taken.rate))
    return words("Recovered questions are taken to pass at {}.", rate(taken.rate.estimate))


def _beyond(projection: Projection) -> Words | None:
    """Name the extrapolation where the target lies above every recall a run has shown."""
    target, highest = projection.recall_target, projection.highest_recall
    top = target.estimate if isinstance(target, Interval) else max(target) if isinstance(target, list) else target
    if top is None or highest is None or top <= highest:
        return None
    return words("No run has been above {}.", rate(highest))


def _target(projection: Projection) -> str:
    target = projection.recall_target
    if isinstance(target, Interval):
        return _rate(target)
    return f"between {rate(min(target))} and {rate(max(target))}" if isinstance(target, list) else rate(target)


def _rate(interval: Interval, digits: int = 2) -> str:
    return "an unknown rate" if interval.estimate is None else rate(interval.estimate, digits)


def _ranged(interval: Interval) -> Words:
    return words(" {}", bracketed(rate_range(*interval.bounds))) if interval.lower is not None else words("")


def _ceiling(attribution: Attribution, unit: Unit) -> Answer:
    """Return what perfect recall would reach; nothing is said of the way there."""
    with_gold, passed = attribution.conditional.with_gold, attribution.passed
    how = words("{} prices less than that.", code(f"foundlost project {argument(attribution.run)} --recall …"))
    if with_gold.estimate is None or passed.estimate is None or with_gold.n < COUNTS_BELOW:
        had = count(with_gold.n) if with_gold.n else "none"
        few = words("Too few {} had their evidence to say: {}.", many(unit.noun), had)
        return Answer(WORTH, None, None, (few, how), ())
    text = words(
        "With the evidence always in {}, the pass rate would go from {} to {}{}, if the recovered pass like the rest.",
        stage_words(attribution.stages[-1].stage).place,
        rate(passed.estimate),
        strong(rate(with_gold.estimate)),
        _ranged(with_gold),
    )
    figure = f"{points(with_gold.estimate - passed.estimate)} points"
    return Answer(WORTH, figure, "at full recall", (sentences(text, how),), ())


def _sure(attribution: Attribution, state: State, unit: Unit) -> Answer:
    if state is State.nothing_attributable:
        return Answer(SURE, None, None, (words("Nothing is measured yet."),), ())
    lines: list[Words | None]
    if state is State.no_outcomes:
        last = attribution.stages[-1]
        lines = [_could_be(f"Recall at {stage_words(last.stage).place}", last.recall)]
    elif state is State.attributed:
        lines = [_leading(attribution, leader_of(attribution)), _standing_out(attribution, unit)]
    else:
        lines = [_could_be("The pass rate", attribution.passed)]
    return Answer(SURE, None, None, (sentences(*lines), _covers(attribution, state, unit)), ())


def _could_be(what: str, interval: Interval) -> Words:
    if not has_range(interval):
        return words("{} rests on {}: too few for a range.", what, plural(interval.n, "case"))
    return words("{} could be {}.", what, strong(_to(interval)))


def _to(interval: Interval) -> str:
    lower, upper = (percent(limit).removesuffix("%") for limit in interval.bounds)
    return f"{lower} to {upper}%"


def _leading(attribution: Attribution, leader: Leader) -> Words:
    first, second = leader.first, leader.second
    name = inside(name_of(first))
    name = name[0] + name[1].upper() + name[2:]
    range_ = words("Its share could be {}.", strong(_to(first.share_of_failures)))
    if second is None:
        return words("{} is the only cause of all {} failures.", name, count(attribution.failed))
    verb = "stands clear of" if leader.clear else "does not stand clear of"
    numbers = f"{count(first.failed)} to {count(second.failed)}"
    against = words("{} {} the next, {}: {}.", name, verb, inside(name_of(second)), numbers)
    if leader.p is None:
        return sentences(against, range_)
    return sentences(against, words("Chance alone gives such a gap in {} of runs.", strong(_chance(leader.p))), range_)


def _chance(p: float) -> str:
    return "fewer than 1 in 1,000" if p < 0.001 else percent(p)


def _standing_out(attribution: Attribution, unit: Unit) -> Words | None:
    """Name the slices whose pass rate has a range clear of the whole, unless chance alone would give as many."""
    if not attribution.by:
        return None
    field = attribution.by[0].field
    slices = [part for part in attribution.by if part.field == field and part.passed.n >= COUNTS_BELOW]
    if len(slices) < 2 or attribution.passed.estimate is None:
        return None
    whole = attribution.passed.estimate
    worse = [part for part in slices if has_range(part.passed) and part.passed.bounds[1] < whole]
    better = [part for part in slices if has_range(part.passed) and part.passed.bounds[0] > whole]
    by_chance = len(slices) * (1.0 - attribution.policy.level)
    if len(worse) + len(better) <= by_chance:
        return words("No {} stands out from the whole by more than chance would make.", cut_name(field))
    rest = f" than the rest of the {many(unit.noun)}"
    parts = [words("{} {} more often{}", *_named(worse, "fail"), rest)] if worse else []
    parts += [words("{} {} less often{}", *_named(better, "fail"), "" if worse else rest)] if better else []
    return words("{}.", words("; ".join("{}" for _ in parts), *parts))


def _named(slices: list[BySlice], verb: str) -> tuple[str, str]:
    shown = sorted(slices, key=lambda part: -part.failed)[:3]
    names = [quoted(cut_name(part.value)) for part in shown]
    if len(slices) > len(shown):
        names.append(f"{len(slices) - len(shown)} more")
    return listed(names), verb if len(names) > 1 else f"{verb}s"


def _covers(attribution: Attribution, state: State, unit: Unit) -> Words:
    beyond = "not mistakes in the labels" if state is State.no_outcomes else "not mistakes in the labels or in judging"
    allowances = allowed_for(attribution, unit)
    return words(
        "Ranges cover which {} were asked, {}.{}",
        "questions",
        beyond,
        f" They allow for {listed(allowances)}." if allowances else "",
    )


def allowed_for(attribution: Attribution, unit: Unit) -> list[str]:
    """Return what the ranges allow for beyond a simple sample."""
    repeats = ["repeats"] if unit.noun == "answer" else []
    return repeats + (["weights"] if attribution.policy.weighted else [])
