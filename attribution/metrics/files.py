"""Metrics of a run and its judgments straight from files, without storing them: for runs of many millions of places.

The files are read by DuckDB in place; what comes of them goes through the same SQL steps as a stored run.

A run is Parquet with ``query_id``, ``doc_id`` and ``rank`` or ``score``, a row a place; or ``query_id`` and ``docs``, a
row a list in rank order; or a TREC run. Judgments are Parquet with ``query_id``, ``doc_id`` and ``grade``, or TREC qrels.
Without ranks, documents rank as in trec_eval: by score, ties by document, both descending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from attribution.metrics.conventions import DEFAULT_METRICS, MetricChoices, Settled
from attribution.metrics.cuts import at_stages
from attribution.metrics.evaluate import describe
from attribution.metrics.names import Metric
from attribution.metrics.values import MetricValues
from attribution.fates import Stage
from attribution.results import Labels, Metrics
from traces.errors import InputError
from traces.store import TraceStore

STAGE = Stage("candidates", 1, None)
RUN = "file"
_PARQUET = b"PAR1"
_TREC_RUN = {"query_id": "VARCHAR", "iteration": "VARCHAR", "doc_id": "VARCHAR", "place": "VARCHAR", "score": "DOUBLE", "tag": "VARCHAR"}
_TREC_QRELS = {"query_id": "VARCHAR", "iteration": "VARCHAR", "doc_id": "VARCHAR", "grade": "DOUBLE"}


@dataclass(frozen=True, slots=True)
class _Table:
    """A file as a table: the SQL that reads it, its parameters, and its columns."""

    sql: str
    parameters: dict[str, str]
    columns: frozenset[str]


def evaluate_files(
    run: Path,
    judgments: Path,
    metrics: str | Sequence[Metric] = DEFAULT_METRICS,
    choices: MetricChoices | None = None,
    *,
    memory_limit: str | None = None,
    spill: Path | None = None,
) -> Metrics:
    """Compute metrics of a run that lies in a file, against judgments that lie in another.

    Args:
        run: Parquet or TREC, see the module.
        judgments: Parquet or TREC qrels.
        metrics: as in `evaluate`.
        choices: conventions; None for the defaults.
        memory_limit: such as ``1GB``; None for four fifths of what the machine has.
        spill: a folder for what does not fit into it; None for nowhere.

    Returns:
        As `evaluate`, of the one stage ``candidates``.

    Raises:
        UsageError: as `evaluate`.
        InputError: a file cannot be read, lacks columns, or holds what would have to be decided: a score that is no
            number, a rank below 1, a document judged twice.
    """
    with TraceStore.over_files([run, judgments], memory_limit=memory_limit, spill=spill) as store:
        try:
            settled = _take_judgments(store, judgments, choices or MetricChoices())
            _take_run(store, run)
        except duckdb.Error as error:
            told = str(error).splitlines()[0][:200]
            raise InputError("unreadable", f"the files cannot be read: {told}", where=f"{run}, {judgments}") from error
        asked = at_stages(settled.metrics(metrics), [STAGE], STAGE)
        values = MetricValues(store, RUN, settled, asked, ready=frozenset({"metric_judged"}))
        return describe(store, values)
