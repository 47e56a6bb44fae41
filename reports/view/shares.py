"""From an interval to what is shown of it: words, and a dot with a whisker where there are cases enough."""

from __future__ import annotations

from collections.abc import Sequence

from attribution.results import Attribution
from attribution.statistics.interval import Interval
from reports.numbers import COUNTS_BELOW, FEW_BELOW, axis, count, percent, percent_range, place
from reports.view.parts import Share, Tick, Unit, Whisker
from reports.wording import Piece, Words, bracketed, strong, words


def unit_of(attribution: Attribution) -> Unit:
    """Return what one count of this attribution is: an answer where questions were answered more than once."""
    questions = attribution.questions
    noun = "answer" if questions.repeats > questions.attributable else "question"
    return Unit(noun, attribution.policy.level)


def answers_of(attribution: Attribution) -> int:
    """Return how many answers (or questions, where each has one) the cascade starts with."""
    return sum(fate.questions for fate in attribution.fates)


def cases(interval: Interval) -> int:
    """Return the number of cases that count."""
    return interval.count if interval.count is not None else round((interval.estimate or 0.0) * interval.n)


def of(interval: Interval) -> str:
    """Return ``24 of 40``."""
    return f"{count(cases(interval))} of {count(interval.n)}"


def has_range(interval: Interval) -> bool:
    """Return whether there are cases enough for a range, and limits that mean something."""
    return interval.n >= FEW_BELOW and interval.estimate is not None and interval.reason is None


def range_words(interval: Interval) -> Piece | Words:
    """Return the range of a share as ``(48–66)``; nothing where there is none to give."""
    if interval.n < COUNTS_BELOW or not has_range(interval):
        return words("")
    return bracketed(percent_range(*interval.bounds))


def share_words(interval: Interval) -> Words:
    """Return a share in words: a percentage with its range, or counts where cases are few."""
    if interval.n == 0 or interval.estimate is None:
        return words("none")
    if interval.n < FEW_BELOW:
        return words("{}, few", strong(of(interval)))
    if interval.n < COUNTS_BELOW:
        return words("{}", strong(of(interval)))
    ranged = range_words(interval)
    return (
        words("{} {}", strong(percent(interval.estimate)), ranged)
        if ranged
        else words("{}", strong(percent(interval.estimate)))
    )


def whisker(interval: Interval, top: float) -> Whisker | None:
    """Return the estimate and its range as places on an axis from 0 to ``top``."""
    if not has_range(interval) or interval.estimate is None:
        return None
    lower, upper = interval.bounds
    return Whisker(place(lower / top), place(interval.estimate / top), place(upper / top))


def share(interval: Interval, top: float) -> Share:
    """Return a share with its picture."""
    return Share(share_words(interval), whisker(interval, top))


def shared_axis(intervals: Sequence[Interval]) -> list[float]:
    """Return the ticks of one axis for all of these shares."""
    tops = [interval.upper for interval in intervals if has_range(interval) and interval.upper is not None]
    return axis(max(tops, default=1.0))


def tick_labels(ticks: Sequence[float]) -> tuple[Tick, ...]:
    """Return the labels of an axis; only the outer ones of many ticks carry the sign."""
    last = len(ticks) - 1
    return tuple(
        Tick(
            place(tick / ticks[-1]),
            f"{100 * tick:.0f}{'%' if i else ''}",
            ("start", "middle", "end")[(i > 0) + (i == last)],
        )
        for i, tick in enumerate(ticks)
    )


def share_or_counts(interval: Interval) -> str:
    """Return a share for the middle of a sentence: ``58%`` or ``8 of 12``."""
    return percent(interval.estimate) if interval.n >= COUNTS_BELOW and interval.estimate is not None else of(interval)
