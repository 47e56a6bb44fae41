"""Made-up results for the report tests: any number of stages, intents and failures, from a table of counts.

The default is a run of 400 questions: 232 have their evidence in the prompt and pass 204 times, 168 do not and pass 79
times; 67 failures were never found, 14 were lost in rerank, 8 in packing, and 28 had their evidence and failed.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from attribution.results import (
    Attribution,
    BySlice,
    Conditional,
    Fate,
    FateName,
    Identity,
    Labels,
    Leading,
    NextRun,
    Policy,
    Projection,
    Questions,
    RecoveredRate,
    RunFacts,
    Sensitivity,
    Source,
    StageOrigin,
    StageRecall,
)
from attribution.statistics.gain import gain
from attribution.statistics.interval import Interval
from attribution.statistics.projection import project
from attribution.statistics.proportions import leader_test, wilson

STAGES = ("candidates", "reranked", "packed")
CUTOFFS = {"candidates": 50, "reranked": 20, "packed": 8}
Pairs = Sequence[tuple[int, int]]
"""(failed, passed) for each fate in pipeline order, the reached last."""

INTENTS: dict[str | None, Pairs] = {
    "How-to": [(9, 17), (5, 5), (2, 2), (8, 80)],
    "Troubleshooting": [(25, 11), (4, 4), (3, 3), (6, 40)],
    "Policy & limits": [(10, 8), (2, 2), (1, 1), (8, 40)],
    "Comparison": [(18, 12), (2, 2), (1, 1), (2, 18)],
    "Billing": [(5, 9), (1, 1), (1, 1), (4, 26)],
}
DAY = datetime(2026, 9, 26, 2, 14, tzinfo=UTC)


def pooled(parts: Mapping[Any, Pairs]) -> list[tuple[int, int]]:
    """Add the counts of all slices."""
    return [(sum(f for f, _ in fates), sum(p for _, p in fates)) for fates in zip(*parts.values(), strict=True)]


def fate_of(position: int, stages: Sequence[str]) -> tuple[FateName, str | None]:
    """Name the fate at a place in pipeline order."""
    if position == len(stages):
        return "reached", None
    return ("lost", stages[position]) if position else ("never_found", None)


def slice_parts(pairs: Pairs, stages: Sequence[str], *, outcomes: bool = True, size: float = 1.0) -> dict[str, Any]:
    """Return the fields of a slice. ``size`` below 1 shrinks the effective sample, as repeats do."""

    def rate(count: int, n: int) -> Interval:
        plain = wilson(count, n)
        if size == 1.0 or n == 0:
            return plain
        tighter = wilson(round(count * size), round(n * size))
        return Interval(n=n, count=count, estimate=plain.estimate, lower=tighter.lower, upper=tighter.upper, level=0.95,
                        method="wilson-effective", n_effective=n * size)  # fmt: skip

    n = sum(f + p for f, p in pairs)
    failed = sum(f for f, _ in pairs)
    reached = pairs[-1]
    remaining = list(itertools.accumulate([n, *(-(f + p) for f, p in pairs[:-1])]))[1:]
    fates = []
    for position, (f, p) in enumerate(pairs):
        fate, stage = fate_of(position, stages)
        fates.append(
            Fate(
                fate=fate,
                stage=stage,
                questions=f + p,
                failed=f if outcomes else 0,
                passed=p if outcomes else 0,
                share_of_failures=rate(f, failed) if outcomes else wilson(0, 0),
                share_of_questions=rate(f + p, n),
                reasons={"not_indexed": 3, "not_retrieved": f + p - 3} if fate == "never_found" and f + p > 3 else {},
            )
        )
    without = (failed - reached[0], n - failed - reached[1])
    passes = n - failed
    conditional = Conditional(
        with_gold=rate(reached[1], sum(reached)) if outcomes else wilson(0, 0),
        without_gold=rate(without[1], sum(without)) if outcomes else wilson(0, 0),
    )
    return {
        "passed": rate(passes, n) if outcomes else wilson(0, 0),
        "failed": failed if outcomes else 0,
        "stages": [
            StageRecall(stage=stage, covered=left, recall=rate(left, n), appeared_late=0, duplicates=0, truncated=0,
                        cutoff=CUTOFFS.get(stage))
            for stage, left in zip(stages, remaining, strict=True)
        ],
        "fates": fates,
        "conditional": conditional,
        "identity": Identity(reproduced=passes / n, observed=passes / n, difference=0.0)
        if outcomes and n
        else Identity(reproduced=None, observed=None, difference=None),
    }  # fmt: skip


def leading(fates: Sequence[Fate]) -> Leading | None:
    """Compare the two largest causes of failure."""
    order = sorted(range(len(fates)), key=lambda i: -fates[i].failed)
    if len(order) < 2 or not fates[order[0]].failed:
        return None
    p = leader_test(fates[order[0]].failed, fates[order[1]].failed)
    return Leading(first=order[0], second=order[1], p=p, separable=p < 0.05)


def labels(**changes: Any) -> Labels:
    """Return a label set."""
    base = {
        "name": "gold", "version": 3, "kinds": ["human"], "questions": 400, "judgments": 1250, "annotators": 3,
        "conflicts": 0, "oldest": datetime(2026, 8, 3, tzinfo=UTC), "newest": datetime(2026, 8, 29, tzinfo=UTC),
    }  # fmt: skip
    return Labels(**(base | changes))


def attribution(
    by: Mapping[Any, Pairs] | None = None,
    stages: Sequence[str] = STAGES,
    *,
    field: str = "intent",
    outcomes: bool = True,
    slices: bool = True,
    asked_twice: int = 1,
    left_out: Mapping[str, int] | None = None,
    **changes: Any,
) -> Attribution:
    """Return an attribution from counts by slice. ``asked_twice`` is how many answers each question has."""
    by = dict(INTENTS) if by is None else dict(by)
    whole = pooled(by)
    n = sum(f + p for f, p in whole)
    left_out = {"no_answer": 7, "unlabelled": 5} if left_out is None else left_out
    size = 1.0 if asked_twice == 1 else 1.3 / asked_twice
    parts = slice_parts(whole, stages, outcomes=outcomes, size=size)
    counted = {
        r: left_out.get(r, 0) for r in ("unlabelled", "no_answer", "no_outcome", "unknown_gold", "incomplete_lists")
    }
    questions = n // asked_twice
    if not outcomes:
        counted["no_outcome"] = questions
    fields: dict[str, Any] = {
        "run": "b127",
        "labels": labels(),
        "policy": Policy(min_grade=1, require="any", truncated="lost", level=0.95, weighted=False, judge=None),
        "questions": Questions(total=questions + sum(left_out.values()), attributable=questions, repeats=n, **counted),
        "groups_present": [],
        "leading": leading(parts["fates"]),
        "by": [
            BySlice(field=field, value=value, questions=sum(f + p for f, p in pairs) // asked_twice,
                    **slice_parts(pairs, stages, outcomes=outcomes, size=size))
            for value, pairs in by.items()
        ] if slices else [],
        "warnings": [],
        **parts,
    }  # fmt: skip
    return Attribution(**(fields | changes))


def facts(**changes: Any) -> RunFacts:
    """Return the facts of the run."""
    base: dict[str, Any] = {
        "run": "b127", "build": "2026.09.26", "created_at": DAY, "model": "answerer-2", "prompt": "p14",
        "index_size": 48200, "synthetic": None, "stages": list(STAGES), "judges": ["judge-v3"],
        "pass_rules": ["score >= 3"],
        "origins": [StageOrigin(stage=s, inferred_by=None, lists=400) for s in STAGES],
        "sources": [Source(name="b127.jsonl", kind="trace", sha256="9f3c2a" + "0" * 54 + "04e1", records=412,
                           quarantined=0, loaded_at=DAY)],
    }  # fmt: skip
    return RunFacts(**(base | changes))


def many_stages(n: int) -> tuple[tuple[str, ...], dict[str | None, Pairs]]:
    """Return ``n`` stage names of no meaning and counts that lose some at each."""
    stages = tuple(f"step {i + 1}" for i in range(n))
    return stages, {None: [(30, 20), *[(3, 2)] * (n - 1), (25, 150)]}


def projection(found: Attribution, target: float = 0.85, **changes: Any) -> Projection:
    """Return what raising recall to ``target`` is worth, from the attribution's own rates."""
    recall, rates = found.stages[-1].recall, found.conditional
    projected = project(target, rates.with_gold, rates.without_gold)
    lacking = found.failed - found.fates[-1].failed
    fields: dict[str, Any] = {
        "run": found.run,
        "labels": found.labels,
        "policy": found.policy,
        "recall": recall,
        "recall_target": target,
        "recall_from": None,
        "recovered_pass": None,
        "recovered": RecoveredRate(source="with_gold", rate=rates.with_gold),
        "with_gold": rates.with_gold,
        "without_gold": rates.without_gold,
        "passed": found.passed,
        "projection": projected,
        "gain": gain(target, recall, rates.with_gold, rates.without_gold),
        "ceiling": rates.with_gold,
        "required_recall": None,
        "sensitivity": Sensitivity(bounds=None, discounts=[]),
        "located_share": wilson(lacking, found.failed),
        "removable_share": wilson(69, found.failed),
        "removable": [],
        "standardised": None,
        "next_run": NextRun(same_questions=projected, fresh_questions=projected, churn=None),
        "detectable": None,
        "highest_recall": None,
        "warnings": [],
    }
    return Projection(**(fields | changes))
