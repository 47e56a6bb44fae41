"""Steps that have nothing to do for what is asked: empty tables stand in for them, so that nothing is planned or run.

Every step would come out empty by itself; planning all of them took longer than computing the metrics of 10,000
questions where we measured.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from attribution.metrics.names import PACKED, Metric
from traces.store import TraceStore

_COLUMNS = {
    "metric_ideal_order": "question INTEGER, grade DOUBLE, place BIGINT",
    "metric_ideal": "question INTEGER, ideal INTEGER, best DOUBLE",
    "metric_ideal_to_length": "answer INTEGER, cut INTEGER, best DOUBLE",
    "metric_precisions": "answer INTEGER, cut INTEGER, precisions DOUBLE",
    "metric_top_relevant": "answer INTEGER, cut INTEGER, top_hits BIGINT",
    "metric_met": "answer INTEGER, cut INTEGER, met BIGINT",
    "metric_needed": "question INTEGER, rel DOUBLE, demand VARCHAR, needed BIGINT",
    "metric_seen": "answer INTEGER, cut INTEGER, seen BIGINT",
    "metric_text_only": "question INTEGER, rel DOUBLE, text_only BIGINT",
    "metric_list_starts": "query_id VARCHAR, repeat INTEGER, position INTEGER, search INTEGER, places_before INTEGER",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What steps may be needed for.

    Attributes:
        metrics: the metrics asked for.
        groups: whether evidence groups are the unit.
        text_only: whether any judgment names its document by text only.
        several_searches: whether any answer has more than one search.
    """

    metrics: Collection[Metric]
    groups: bool
    text_only: bool
    several_searches: bool

    def idle(self) -> list[str]:
        """Return the steps that have nothing to do."""
        measures = {metric.measure for metric in self.metrics}
        ideal_to_length = any(metric.measure == "nDCG" and metric.cutoff == PACKED for metric in self.metrics)
        at_work = {
            "metric_ideal_order": "nDCG" in measures,
            "metric_ideal": "nDCG" in measures,
            "metric_ideal_to_length": ideal_to_length,
            "metric_precisions": "AP" in measures,
            "metric_top_relevant": "Rprec" in measures,
            "metric_met": bool(measures & {"Coverage", "Groups"}),
            "metric_needed": bool(measures & {"Coverage", "Groups"}),
            "metric_seen": self.groups,
            "metric_text_only": self.text_only,
            "metric_list_starts": self.several_searches,
        }
        return [step for step, needed in at_work.items() if not needed]


def stand_in(store: TraceStore, needs: Needs) -> frozenset[str]:
    """Put empty tables in the place of idle steps; return their names."""
    idle = needs.idle()
    for step in idle:
        store.connection.execute(f"CREATE OR REPLACE TEMP TABLE {step} ({_COLUMNS[step]})")
    return frozenset(idle)
