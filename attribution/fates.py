"""Fates: runs the SQL steps for one run and one policy, and hands back small tables of counts.

``answers``, one row a (question, repeat), is kept as a temporary table; everything else is an aggregate of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attribution.results import FateName, Policy
from attribution.statistics import survey
from attribution.statistics.interval import Interval
from traces.store import TraceStore

PACKAGES = ("traces", "attribution")
KEPT = frozenset({"answers", "coverage", "by_fields", "slices"})

SliceKey = tuple[str | None, str | None]  # (field, value)
WHOLE: SliceKey = (None, None)


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a run: its name, its place in the order (from 1), and how many places it hands on."""

    name: str
    position: int
    cutoff: int | None


def fate_name(reach: int, stages: Sequence[Stage]) -> tuple[FateName, str | None]:
    """Return the fate, and the stage of the loss, of evidence whose last stage is ``reach`` (0: none ever had it)."""
    if reach == len(stages):
        return "reached", None
    if reach == 0:
        return "never_found", None
    return "lost", stages[reach].name


def run_stages(store: TraceStore, run_id: str) -> list[Stage]:
    """Return the stages of a run in pipeline order."""
    found = store.rows(
        "SELECT stage, position, cutoff FROM run_stages WHERE run_id = $run ORDER BY position", {"run": run_id}
    )
    return [Stage(row["stage"], row["position"], row["cutoff"]) for row in found]


def step_values(run_id: str, label_set: str | None, policy: Policy) -> dict[str, Any]:
    """Return the parameters every attribution step is run with."""
    return {
        "run_id": run_id,
        "label_set": label_set or "",
        "min_grade": policy.min_grade,
        "require": policy.require,
        "truncated": policy.truncated,
        "judge": policy.judge,
        "weighted": policy.weighted,
    }


def follow_evidence(store: TraceStore, values: Mapping[str, Any], by: Sequence[str] = ()) -> None:
    """Decide the fate of every answer of the run and keep it as temporary tables for the aggregates below."""
    store.connection.execute("CREATE OR REPLACE TEMP TABLE by_fields (field VARCHAR)")
    for field in by:
        store.connection.execute("INSERT INTO by_fields VALUES ($field)", {"field": field})
    store.keep_step(PACKAGES, "answers", values)
    store.keep_step(PACKAGES, "coverage", values, given=frozenset({"answers"}))
    store.keep_step(PACKAGES, "slices", values, given=frozenset({"answers", "by_fields"}))


def weights_complete(store: TraceStore, values: Mapping[str, Any]) -> bool:
    """Say whether every attributable question carries a weight; with fewer, none is used."""
    (known,) = store.step(PACKAGES, "weights_known", values, given=KEPT)
    return bool(known["questions"]) and known["questions"] == known["with_weight"]


class Rates:
    """Every rate of every slice, estimated from profiles of questions.

    A profile is a set of questions that look alike to the estimator, so the cost does not grow with the run.
    """

    def __init__(self, store: TraceStore, values: Mapping[str, Any], *, level: float) -> None:
        self.level = level
        self._profiles: dict[tuple[SliceKey, str, int], list[dict[str, Any]]] = defaultdict(list)
        for row in store.step(PACKAGES, "profiles", values, given=KEPT):
            self._profiles[((row["field"], row["value"]), row["measure"], row["position"])].append(row)

    def of(self, slice_key: SliceKey, measure: str, position: int = 0) -> Interval:
        """Return one rate with its interval; without a case its estimate is None."""
        return rate_of(self._profiles[(slice_key, measure, position)], level=self.level)

    def slices(self) -> list[SliceKey]:
        """Return every slice that has an attributable answer, the whole first."""
        keys = {key for key, _, _ in self._profiles} | {WHOLE}
        return sorted(keys, key=lambda key: (key[0] is not None, key[0] or "", key[1] is None, key[1] or ""))


def rate_of(profiles: Sequence[Mapping[str, Any]], *, level: float) -> Interval:
    """Estimate one rate from its profiles (columns stratum, weight, successes, cases, multiplicity)."""
    codes = {stratum: code for code, stratum in enumerate(sorted({str(row["stratum"]) for row in profiles}))}
    weighted = any(row["weight"] is not None for row in profiles)
    return survey.rate(
        [int(row["successes"]) for row in profiles],
        [int(row["cases"]) for row in profiles],
        weight=[float(row["weight"]) for row in profiles] if weighted else None,
        stratum=[codes[str(row["stratum"])] for row in profiles] if weighted else None,
        multiplicity=[int(row["multiplicity"]) for row in profiles],
        level=level,
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """Answers of one slice with the same fate, reason and outcome. ``reach`` is the last stage with the evidence."""

    reach: int
    reason: str | None
    passed: bool | None
    answers: int


def cells(store: TraceStore, values: Mapping[str, Any]) -> dict[SliceKey, list[Cell]]:
    """Return the counts of fate x reason x outcome for every slice."""
    found: dict[SliceKey, list[Cell]] = defaultdict(list)
    for row in store.step(PACKAGES, "cells", values, given=KEPT):
        found[(row["field"], row["value"])].append(Cell(row["reach"], row["reason"], row["passed"], row["n"]))
    return found


def stage_counts(store: TraceStore, values: Mapping[str, Any]) -> dict[tuple[SliceKey, int], dict[str, int]]:
    """Return, per slice and stage, the counts of late arrivals, duplicates and truncated pieces."""
    return {
        ((row["field"], row["value"]), row["position"]): {
            "appeared_late": int(row["appeared_late"]),
            "duplicates": int(row["duplicates"]),
            "truncated": int(row["truncated"]),
        }
        for row in store.step(PACKAGES, "slice_stages", values, given=KEPT)
    }


def slice_questions(store: TraceStore, values: Mapping[str, Any]) -> dict[SliceKey, int]:
    """Return how many distinct attributable questions each slice has."""
    rows = store.step(PACKAGES, "slice_questions", values, given=KEPT)
    return {(row["field"], row["value"]): row["questions"] for row in rows}


def status_counts(store: TraceStore, values: Mapping[str, Any]) -> dict[str, int]:
    """Return how many questions are attributable, and how many are not, by reason."""
    rows = store.step(PACKAGES, "status_counts", values, given=KEPT)
    return {row["status"]: row["questions"] for row in rows}
