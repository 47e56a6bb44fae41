"""A second way to the fates: plain loops, written from the definitions and sharing nothing with the SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Place:
    """One document in one list."""

    doc_id: str
    whole: bool = True


@dataclass(frozen=True)
class Answer:
    """One repeat of one question: per stage, the lists of its searches; None where a stage has no list."""

    query_id: str
    repeat: int
    stages: Sequence[Sequence[Sequence[Place]] | None]
    passed: bool | None
    answerable: bool | None = None
    incomplete: bool = False


@dataclass(frozen=True)
class Setting:
    """Gold as (document, grade, group) per question, and the conventions."""

    gold: Mapping[str, Sequence[tuple[str, float, str | None]]]
    min_grade: float = 1.0
    require: str = "groups"
    truncated: str = "lost"
    cutoffs: Mapping[int, int] = field(default_factory=dict)


def needs_of(setting: Setting, query_id: str) -> list[set[str]]:
    """Return, for each need, the documents that meet it."""
    needs: dict[str, set[str]] = {}
    for doc_id, grade, group in setting.gold.get(query_id, ()):
        if grade < setting.min_grade:
            continue
        if setting.require == "any":
            key = "any"
        elif group is not None:
            key = f"g{group}"
        else:
            key = f"d{doc_id}" if setting.require == "all" else "rest"
        needs.setdefault(key, set()).add(doc_id)
    return list(needs.values())


def is_met(need: set[str], lists: Sequence[Sequence[Place]], cutoff: int | None, truncated: str) -> bool:
    """Say whether any list holds a document that meets the need, within the cutoff."""
    for places in lists:
        first: dict[str, int] = {}
        for rank, place in enumerate(places, start=1):
            first.setdefault(place.doc_id, rank)
        for doc_id in need & first.keys():
            within = cutoff is None or first[doc_id] <= cutoff
            whole = any(place.whole for place in places if place.doc_id == doc_id)
            if within and (whole or truncated == "kept"):
                return True
    return False


def reach(answer: Answer, setting: Setting) -> int | None:
    """Return the last stage (from 1) that still has the need lost earliest, 0 for none, None without gold."""
    needs = needs_of(setting, answer.query_id)
    if not needs:
        return None
    furthest = []
    for need in needs:
        last = 0
        for position, lists in enumerate(answer.stages, start=1):
            if is_met(need, lists or (), setting.cutoffs.get(position), setting.truncated):
                last = position
        furthest.append(last)
    return min(furthest)


def covered(answer: Answer, setting: Setting, position: int) -> bool:
    """Say whether every need is met at one stage."""
    lists = answer.stages[position - 1] or ()
    needs = needs_of(setting, answer.query_id)
    return all(is_met(need, lists, setting.cutoffs.get(position), setting.truncated) for need in needs)


def status(answer: Answer, setting: Setting, *, outcomes_exist: bool) -> str:
    """Return ``attributable``, or why it is not."""
    if answer.answerable is False:
        return "no_answer"
    if not needs_of(setting, answer.query_id):
        return "unlabelled"
    if answer.incomplete or any(lists is None for lists in answer.stages):
        return "incomplete_lists"
    return "no_outcome" if answer.passed is None and outcomes_exist else "attributable"
