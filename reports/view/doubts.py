"""What would prove the report wrong: thresholds worked out from its own counts, written down before anyone looks.

A threshold is the smallest finding that would turn the claim over. It is arithmetic, not a forecast.
"""

from __future__ import annotations

import bisect
import math

from attribution.results import Attribution, Fate, Projection
from attribution.statistics.proportions import leader_test
from reports.numbers import COUNTS_BELOW, count, many, percent, percent_range, plural, rate
from reports.view.headline import Leader, leader_of
from reports.view.parts import State, Unit
from reports.view.shares import cases, has_range
from reports.wording import Words, bracketed, inside, name_of, stage_words, strong, words

_MOST = 4


def doubts(attribution: Attribution, projection: Projection | None, state: State, unit: Unit) -> tuple[Words, ...]:
    """Return the findings that would overturn the report's claim, the most direct first."""
    match state:
        case State.nothing_attributable:
            return ()
        case State.no_outcomes:
            return _of_recall(attribution, unit)
        case State.no_failures:
            return _of_no_failures(attribution, unit)
        case State.few_failures:
            found = _of_evidence(attribution)
        case State.attributed:
            leader = leader_of(attribution)
            found = (*_of_leader(attribution, leader), *_of_evidence(attribution))
    return (*found, *_of_projection(projection))[:_MOST]


def _of_recall(attribution: Attribution, unit: Unit) -> tuple[Words, ...]:
    recall = attribution.stages[-1].recall
    if not has_range(recall) or recall.estimate is None:
        return ()
    missing = recall.n - cases(recall)
    needed = math.floor((recall.bounds[1] - recall.estimate) * recall.n) + 1
    if needed > missing:
        return ()
    return (
        words(
            "An open search finds an unlabelled answer in {} for {} of the {} without: recall is then off its range.",
            stage_words(attribution.stages[-1].stage).place,
            strong(f"{count(needed)} or more"),
            plural(missing, unit.noun) if missing > 1 else f"one {unit.noun}",
        ),
    )


def _of_no_failures(attribution: Attribution, unit: Unit) -> tuple[Words, ...]:
    passed = attribution.passed
    if passed.n == 1:
        return (words("A second reading calls this pass {}.", strong("wrong")),)
    least = math.floor(passed.n * (1.0 - passed.bounds[0]) + 1e-9) + 1
    return (
        words(
            "{} in the next {} such {}.",
            strong(f"{plural(least, 'failure')} or more"),
            count(passed.n),
            many(unit.noun),
        ),
        words("A second reading calls {} of these passes wrong.", strong(f"{count(least)} or more")),
    )


def _of_leader(attribution: Attribution, leader: Leader) -> tuple[Words, ...]:
    first, second = leader.first, leader.second
    if second is None:
        return _of_sole_cause(attribution, first)
    if not leader.clear:
        return _of_tie(attribution, first, second)
    if first.fate == "reached":
        return _of_reached(attribution, first, second)
    return _of_labels(attribution, first, second), _of_depth(attribution, first)


def _of_sole_cause(attribution: Attribution, sole: Fate) -> tuple[Words, ...]:
    """What moves over half of the failures to another fate: unlabelled answers, or labels that are wrong."""
    if sole.fate != "reached":
        (reached,) = (fate for fate in attribution.fates if fate.fate == "reached")
        return _of_labels(attribution, sole, reached), _of_depth(attribution, sole)
    most = sole.failed // 2 + 1
    return (
        words(
            "Reading finds in {}{} that the labelled document does not hold the answer: most then lacked the evidence.",
            strong(f"{count(most)} or more of the {count(sole.failed)}"),
            _portion(most, sole),
        ),
    )


def _of_labels(attribution: Attribution, first: Fate, second: Fate) -> Words:
    """An answer nobody labelled moves a failure to a later fate: to the second, where that is later, else past it."""
    gap = first.failed - second.failed
    order = [(fate.fate, fate.stage) for fate in attribution.fates]
    place = order.index((second.fate, second.stage))
    to_second = place > order.index((first.fate, first.stage))
    turn = gap // 2 + 1 if to_second else gap + 1
    stage = attribution.stages[place - 1 if to_second else -1].stage
    return words(
        "An open search finds an unlabelled answer in {} for {}{}: {} could then lead.",
        stage_words(stage).place,
        strong(f"{count(turn)} or more of the {count(first.failed)}"),
        _portion(turn, first),
        inside(name_of(second)),
    )


def _of_reached(attribution: Attribution, first: Fate, second: Fate) -> tuple[Words, ...]:
    gap = first.failed - second.failed
    read, rejudged = gap // 2 + 1, gap + 1
    last = attribution.stages[-1].stage
    what = "prompts" if last == "packed" else f"lists of {stage_words(last).place}"
    return (
        words(
            "Reading the {} finds no answer in {}{}: {} could then lead.",
            what,
            strong(f"{count(read)} or more of the {count(first.failed)}"),
            _portion(read, first),
            inside(name_of(second)),
        ),
        words(
            "A second reading calls {} of them right after all: {} then leads.",
            strong(f"{count(rejudged)} or more"),
            inside(name_of(second)),
        ),
    )


def _portion(n: int, fate: Fate) -> str:
    return f" ({percent(n / fate.failed)})" if fate.failed >= COUNTS_BELOW else ""


def _of_tie(attribution: Attribution, first: Fate, second: Fate) -> tuple[Words, ...]:
    """A tie is refuted by a gap that the test of the two counts, which called it a tie, finds too large for chance."""
    gap = clear_gap(first.failed + second.failed, level=attribution.policy.level)
    if gap is None:
        return ()
    return (
        words(
            "A run with as many failures of these two kinds puts them {} apart; now {}.",
            strong(f"{count(gap)} or more"),
            count(first.failed - second.failed),
        ),
    )


def clear_gap(both: int, *, level: float) -> int | None:
    """Return the least gap between two counts of this sum that stands clear; None where not even all to none does."""
    gaps = range(both % 2, both + 1, 2)
    place = bisect.bisect_left(
        gaps, True, key=lambda gap: leader_test((both + gap) // 2, (both - gap) // 2) < 1 - level
    )
    return gaps[place] if place < len(gaps) else None


def _of_depth(attribution: Attribution, fate: Fate) -> Words:
    """A loss is one of depth only if a longer list brings most of it back."""
    most = fate.failed // 2 + 1
    stage = next(s for s in attribution.stages if s.stage == (fate.stage or attribution.stages[0].stage))
    absent = fate.reasons.get("not_indexed", 0)
    are = "is" if absent == 1 else "are"
    outside = f" {count(absent)} of the {plural(fate.questions, 'case')} {are} not in the index." if absent else ""
    return words(
        "Going {} in {} brings back fewer than {}: depth is then not the fix.{}",
        f"past {count(stage.cutoff)}" if stage.cutoff else "deeper",
        stage_words(stage.stage).place,
        strong(f"{count(most)} of the {count(fate.failed)}"),
        outside,
    )


def _of_evidence(attribution: Attribution) -> tuple[Words, ...]:
    """Passing without the evidence more often than not says that labels or judge miss something."""
    without = attribution.conditional.without_gold
    if without.n < COUNTS_BELOW or without.estimate is None:
        return ()
    now = (percent(without.estimate), bracketed(percent_range(*without.bounds)))
    if without.bounds[0] > 0.5:
        text = words(
            "Most of those without the evidence pass already, {} {}: read some before trusting the labels.", *now
        )
    else:
        line = "Of those without the evidence, {} pass: labels or judging then miss something. Now {} {}."
        text = words(line, strong("over half"), *now)
    return (text,)


def _of_projection(projection: Projection | None) -> tuple[Words, ...]:
    if projection is None:
        return ()
    tipping, least = projection.sensitivity.tipping_recovered_pass, projection.sensitivity.min_gain
    if tipping is None or least is None or not 0.0 <= tipping <= 1.0:
        return ()
    return (
        words(
            "Those recovered pass at less than {}: the fix then brings under {} points.",
            strong(rate(tipping)),
            f"{100 * least:.0f}",
        ),
    )
