"""What is asked of the SQL steps: metrics, each at a stage, under numbers that the steps go by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attribution.fates import Stage
from attribution.metrics.names import PACKED, Metric
from traces.store import TraceStore


@dataclass(frozen=True, slots=True)
class Asked:
    """One metric at one stage."""

    metric: Metric
    stage: Stage


def at_stages(metrics: Sequence[Metric], stages: Sequence[Stage], last: Stage) -> list[Asked]:
    """Return every metric at every stage, and those of the packed slice at the last stage only."""
    return [Asked(metric, stage) for metric in metrics for stage in ([last] if metric.cutoff == PACKED else stages)]


def hand_over(store: TraceStore, asked: Sequence[Asked]) -> None:
    """Put the names of what is asked into a temporary table for the steps, numbered from 0 in the order asked."""
    store.connection.execute("CREATE OR REPLACE TEMP TABLE metric_asked (metric INTEGER, name VARCHAR, stage VARCHAR)")
    rows = [(place, str(each.metric), each.stage.name) for place, each in enumerate(asked)]
    store.connection.executemany("INSERT INTO metric_asked VALUES (?, ?, ?)", rows)
