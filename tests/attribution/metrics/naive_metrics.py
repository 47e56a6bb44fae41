"""A second way to every metric: plain loops, written from the definitions and sharing nothing with the SQL."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from attribution.metrics.conventions import MetricChoices
from attribution.metrics.names import Metric

Judged = Sequence[tuple[str, float, str | None]]  # document, grade, evidence group


@dataclass(frozen=True)
class Place:
    """One document in one list."""

    doc_id: str
    whole: bool = True


@dataclass(frozen=True)
class Answer:
    """One repeat of one question: per stage, the lists of its searches; None where none is recorded."""

    stages: Sequence[Sequence[Sequence[Place]] | None]
    incomplete: bool = False


@dataclass(frozen=True)
class Question:
    """A question, its judgments, and its answers; without answers the run did not ask it."""

    judged: Judged
    answers: Sequence[Answer] = ()
    answerable: bool | None = None
    weight: float | None = None
    intent: str | None = None


@dataclass(frozen=True)
class Setting:
    """The conventions, and where each stage is cut off."""

    choices: MetricChoices
    require: str
    cutoffs: Mapping[int, int] = field(default_factory=dict)


@dataclass
class Scored:
    """A metric as a fraction, or the reason why there is none."""

    numerator: float = 0.0
    denominator: float = 1.0
    reason: str | None = None


def value(metric: Metric, question: Question, stage: int, setting: Setting) -> float | str:
    """Return the metric of one question at one stage, or why it has none."""
    scores = [score(metric, question, answer, stage, setting) for answer in (question.answers or (None,))]
    scored = [s for s in scores if s.reason is None]
    if not scored:
        return min(s.reason or "" for s in scores)
    return sum(0.0 if s.denominator == 0 else s.numerator / s.denominator for s in scored) / len(scored)


def score(metric: Metric, question: Question, answer: Answer | None, stage: int, setting: Setting) -> Scored:
    """Return the metric of one answer."""
    choices = setting.choices
    known = unit_grades(question.judged, choices.unit)
    walk = walked(answer, stage, setting)
    rel = metric.rel if metric.rel is not None and "gain" not in metric.kind.takes else choices.min_grade
    relevant = sum(grade >= rel for grade in known.values())
    best = ideal(metric, known, None)
    reason = why_not(metric, question, answer, stage, known, relevant, best, walk, setting)
    if reason is not None:
        return Scored(reason=reason)
    ranks = ranked(walk, question.judged, setting)
    depth = metric.depth
    length = len(walk) if choices.unjudged == "no_gain" else len(ranks)
    within = {unit: (rank, grade) for unit, (rank, grade) in ranks.items() if depth is None or rank <= depth}
    hits = sorted(rank for rank, grade in within.values() if grade >= rel)
    taken = length if depth is None else min(depth, length)
    over = taken if depth is None or choices.short_lists == "returned" else depth
    match metric.measure:
        case "P":
            return Scored(len(hits), over)
        case "R":
            return Scored(len(hits), relevant)
        case "F1":
            return Scored(2 * len(hits), over + relevant)
        case "Success":
            return Scored(bool(hits))
        case "RR":
            return Scored(1 / hits[0] if hits else 0.0)
        case "AP":
            return Scored(sum((n + 1) / rank for n, rank in enumerate(hits)), relevant)
        case "Rprec":
            return Scored(sum(rank <= relevant for rank in hits), relevant)
        case "RBP":
            assert metric.p is not None
            return Scored((1 - metric.p) * sum(metric.p ** (rank - 1) for rank in hits))
        case "CG":
            return Scored(sum(gain(metric, grade) for _, grade in within.values()))
        case "DCG" | "nDCG":
            dcg = sum(gain(metric, grade) / math.log2(rank + 1) for rank, grade in within.values())
            if metric.measure == "DCG":
                return Scored(dcg)
            return Scored(dcg, ideal(metric, known, max(length, 1) if metric.cutoff == "packed" else depth))
        case "judged":
            places = walk[:depth]
            judged = {doc_id for doc_id, _, _ in question.judged}
            return Scored(len({place.doc_id for place in places} & judged), len(places))
        case "Coverage" | "Groups":
            wanted = needs(question.judged, rel, metric.require or setting.require)
            here = {p.doc_id for n, p in enumerate(walk, start=1) if (depth is None or first(walk, p) <= depth) and n}
            met = sum(any(credited(walk, doc, choices) for doc in need & here) for need in wanted)
            return Scored(met == len(wanted) > 0) if metric.measure == "Coverage" else Scored(met, len(wanted))
    raise AssertionError(metric.measure)


def why_not(
    metric: Metric,
    question: Question,
    answer: Answer | None,
    stage: int,
    known: Mapping[str, float],
    relevant: int,
    best: float,
    walk: Sequence[Place],
    setting: Setting,
) -> str | None:
    """Return why an answer has no value."""
    choices, rests_on = setting.choices, metric.kind.rests_on
    if answer is None and choices.missing == "excluded":
        return "missing"
    if rests_on != "list" and question.answerable is False and choices.no_gold == "excluded":
        return "no_answer"
    if answer is not None and (answer.stages[stage - 1] is None or answer.incomplete):
        return "incomplete_lists"
    if rests_on == "list":
        return "empty_list" if not walk else None
    if not known and choices.no_gold == "excluded":
        return "unlabelled"
    if rests_on == "gold" and not relevant and choices.no_gold == "excluded":
        return "no_gold"
    if rests_on == "ideal" and best == 0 and choices.zero_ideal == "excluded":
        return "zero_ideal"
    over = metric.depth is None or choices.short_lists == "returned"
    taken = len(walk) if choices.unjudged == "no_gain" else len(ranked(walk, question.judged, setting))
    return "empty_list" if metric.measure == "P" and over and not taken else None


def walked(answer: Answer | None, stage: int, setting: Setting) -> list[Place]:
    """Return the places of all searches in turn, each list up to the stage's cutoff.

    A document counts as whole if any copy in the list is, be it beyond the cutoff.
    """
    lists = (answer.stages[stage - 1] or ()) if answer is not None else ()
    cutoff = setting.cutoffs.get(stage) if setting.choices.lists == "handed_on" else None
    walk = []
    for listed in lists:
        whole = {place.doc_id for place in listed if place.whole}
        walk += [Place(place.doc_id, place.doc_id in whole) for place in listed[:cutoff]]
    return walk


def first(walk: Sequence[Place], place: Place) -> int:
    return next(n for n, other in enumerate(walk, start=1) if other.doc_id == place.doc_id)


def credited(walk: Sequence[Place], doc_id: str, choices: MetricChoices) -> bool:
    return choices.truncated == "kept" or any(place.whole for place in walk if place.doc_id == doc_id)


def unit_of(doc_id: str, group: str | None, unit: str) -> str:
    return f"d {doc_id}" if unit == "document" or group is None else f"g {group}"


def unit_grades(judged: Judged, unit: str) -> dict[str, float]:
    """Return the grade of every judged unit."""
    grades: dict[str, float] = {}
    for doc_id, grade, group in judged:
        name = unit_of(doc_id, group, unit)
        grades[name] = max(grades.get(name, -math.inf), grade)
    return grades


def ranked(walk: Sequence[Place], judged: Judged, setting: Setting) -> dict[str, tuple[int, float]]:
    """Return rank and credited grade of every judged unit in the list."""
    choices = setting.choices
    found: dict[str, list[tuple[float, int]]] = {}
    for doc_id, grade, group in judged:
        places = [n for n, place in enumerate(walk, start=1) if place.doc_id == doc_id]
        if places:
            worth = grade if credited(walk, doc_id, choices) else 0.0
            found.setdefault(unit_of(doc_id, group, choices.unit), []).append((-worth, places[0]))
    ranks = {unit: (min(entries)[1], -min(entries)[0]) for unit, entries in found.items()}
    if choices.unit == "group" or choices.unjudged == "condensed":
        order = sorted(ranks, key=lambda unit: (ranks[unit][0], -ranks[unit][1], unit))
        last = 0
        for unit in order:
            last = last + 1 if choices.unjudged == "condensed" else max(last + 1, ranks[unit][0])
            ranks[unit] = (last, ranks[unit][1])
    return ranks


def gain(metric: Metric, grade: float) -> float:
    if grade <= 0 or (metric.rel is not None and grade < metric.rel):
        return 0.0
    return 2.0**grade - 1 if metric.gain == "exp" else grade


def ideal(metric: Metric, known: Mapping[str, float], depth: int | None) -> float:
    gains = sorted((gain(metric, grade) for grade in known.values()), reverse=True)
    return sum(worth / math.log2(rank + 1) for rank, worth in enumerate(gains[:depth], start=1))


def needs(judged: Judged, rel: float, require: str) -> list[set[str]]:
    """Return, for each need, the documents that meet it."""
    found: dict[str, set[str]] = {}
    for doc_id, grade, group in judged:
        if grade >= rel:
            key = (
                "any" if require == "any" else f"g {group}" if group else f"d {doc_id}" if require == "all" else "rest"
            )
            found.setdefault(key, set()).add(doc_id)
    return list(found.values())
