"""The ceiling check: a stage that only chooses and reorders cannot have what the stage before did not have."""

from __future__ import annotations

import itertools
from typing import Any

from attribution.fates import run_stages
from attribution.metrics.conventions import PACKAGES, Settled
from attribution.results import CeilingCheck
from traces.store import TraceStore


def check_ceiling(store: TraceStore, run_id: str, settled: Settled) -> list[CeilingCheck]:
    """Return, for every stage after the first, how much gold it has that the stage before did not have.

    Query expansion, a further search or a look-up by id bring such gold, and so does a trace that lacks places of the
    earlier list. Recall of the earlier stage is then no upper bound for what a later one can have.
    """
    pairs = list(itertools.pairwise(run_stages(store, run_id)))
    if not pairs:
        return []
    values = _gold_values(run_id, settled)
    late = {row["position"]: row for row in store.step(PACKAGES, "metric_late", values)}
    checks = []
    for before, stage in pairs:
        row = late.get(stage.position, {"late_answers": 0, "late_documents": 0})
        checks.append(
            CeilingCheck(
                before=before.name,
                stage=stage.name,
                answers=int(row["late_answers"]),
                documents=int(row["late_documents"]),
                is_ceiling=row["late_answers"] == 0,
            )
        )
    return checks


def truncated_pieces(store: TraceStore, run_id: str, settled: Settled) -> int:
    """Return how many times gold is in a list only as a truncated piece."""
    (row,) = store.step(PACKAGES, "metric_pieces", _gold_values(run_id, settled))
    return int(row["pieces"])


def _gold_values(run_id: str, settled: Settled) -> dict[str, Any]:
    return settled.step_values(run_id) | {"min_grade": settled.choices.min_grade}
