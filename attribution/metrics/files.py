"""Metrics of a run and its judgments straight from files, without storing them.

The files are read by DuckDB in place; what comes of them goes through the same SQL steps as a stored run. A run is one
of

* Parquet, a row a place: ``query_id``, ``doc_id`` and ``rank`` (1, 2, 3 … within a question) or ``score``;
* Parquet, a row a list: ``query_id`` and ``docs``, in rank order;
* a TREC run: question, Q0, document, rank, score, tag, set apart by one blank or tab; plain, gzip or zstandard.

Judgments are Parquet with ``query_id``, ``doc_id`` and ``grade``, or TREC qrels. By score, documents rank as in
trec_eval: the highest first, ties by document id, descending too.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb

from attribution.fates import Stage
from attribution.metrics.asked import at_stages
from attribution.metrics.conventions import DEFAULT_METRICS, MetricChoices, Settled
from attribution.metrics.evaluate import describe
from attribution.metrics.file_lines import TREC_QRELS, TREC_RUN, keep_lines, open_lines
from attribution.metrics.file_sql import (
    ABOUT_JUDGMENTS,
    FOUND,
    JUDGED_LINES,
    JUDGED_TWICE,
    NUMBERED,
    READY,
    RUN_QUESTIONS,
    SHAPES,
)
from attribution.metrics.names import Metric
from attribution.metrics.values import MetricValues
from attribution.results import Labels, Metrics
from traces.errors import InputError, StoreError, UsageError
from traces.store import TraceStore

STAGE = Stage("candidates", 1, None)


@contextlib.contextmanager
def measure_files(
    run: Path,
    judgments: Path,
    metrics: str | Sequence[Metric] = DEFAULT_METRICS,
    choices: MetricChoices | None = None,
    *,
    memory_limit: str | None = None,
) -> Iterator[tuple[TraceStore, MetricValues]]:
    """Compute metrics of a run that lies in a file, against judgments that lie in another.

    Args:
        run: Parquet or TREC, see the module.
        judgments: Parquet or TREC qrels.
        metrics: as in `evaluate`.
        choices: conventions; None for the defaults.
        memory_limit: such as ``1GB``, what goes beyond it is put into a temporary folder; None for DuckDB's own limit,
            most of what the machine has.

    Returns:
        What `describe` takes, for the one stage ``candidates``, as long as the context lasts.

    Raises:
        UsageError: as `evaluate`; or what cannot be a memory limit.
        InputError: a file cannot be read, lacks a column, or needs a decision that is not made here: a score that is no
            number, ranks with ties or gaps, a document judged twice.
        StoreError: memory ran out.
    """
    with (
        tempfile.TemporaryDirectory(prefix="foundlost-") as spill,
        TraceStore.over_files([run, judgments], memory_limit=memory_limit, spill=Path(spill)) as store,
    ):
        try:
            _take(store, run, judgments)
        except duckdb.OutOfMemoryException as error:
            raise StoreError("out-of-memory", "there is not memory enough", hint="raise the limit") from error
        except duckdb.Error as error:
            told = str(error).splitlines()[0][:200]
            raise InputError("unreadable", f"cannot be read: {told}", where=f"{run.name}, {judgments.name}") from error
        settled = _settled(store, run, judgments, choices or MetricChoices())
        asked = at_stages(settled.metrics(metrics), [STAGE], STAGE)
        yield store, MetricValues(store, run.name, settled, asked, ready=READY)


def evaluate_files(
    run: Path,
    judgments: Path,
    metrics: str | Sequence[Metric] = DEFAULT_METRICS,
    choices: MetricChoices | None = None,
    *,
    memory_limit: str | None = None,
) -> Metrics:
    """Return the result of `evaluate` for what lies in files; arguments and errors are those of `measure_files`."""
    with measure_files(run, judgments, metrics, choices, memory_limit=memory_limit) as (store, values):
        return describe(store, values)


def _take(store: TraceStore, run: Path, judgments: Path) -> None:
    """Put the questions, list lengths, judgments and hits where the steps look for them."""
    execute = store.connection.execute
    judged = open_lines(
        store, judgments, view="judgments_file", text=TREC_QRELS, needs=({"query_id", "doc_id", "grade"},)
    )
    keep_lines(store, judged, name="judged_lines", rest=JUDGED_LINES)
    listed = open_lines(
        store, run, view="run_file", text=TREC_RUN,
        needs=({"query_id", "docs"}, {"query_id", "doc_id", "rank"}, {"query_id", "doc_id", "score"}),
    )  # fmt: skip
    shape = next(shape for column, shape in SHAPES.items() if column in listed.columns)
    keep_lines(store, listed, name="run_lines", rest=shape.place)
    execute(RUN_QUESTIONS.format(facts=shape.facts))
    (unsound,) = store.rows(f"SELECT min(query_id) AS query_id, count(*) AS n FROM ({shape.unsound})")  # noqa: S608 - ours
    if unsound["n"]:
        told = f"question '{unsound['query_id']}' {shape.fault}"
        raise InputError("unusable-file", told, where=run.name, hint="ingest the run instead")
    execute(NUMBERED)
    execute(FOUND.format(listed=shape.listed))
    execute("INSERT INTO run_stages VALUES ($run, $stage, 1, NULL)", {"run": run.name, "stage": STAGE.name})


def _settled(store: TraceStore, run: Path, judgments: Path, choices: MetricChoices) -> Settled:
    (facts,) = store.rows(ABOUT_JUDGMENTS)
    if facts["broken"]:
        told = f"{facts['broken']} judgments lack an id or a grade that is a number"
        raise InputError("unusable-file", told, where=judgments.name)
    if facts["maybe_twice"] and (twice := store.value(JUDGED_TWICE)):
        told = f"{twice} documents are judged more than once"
        hint = "import it with 'foundlost labels import', where the latest counts"
        raise InputError("twice", told, where=judgments.name, hint=hint)
    if not facts["on_run"]:
        raise UsageError("no-judgments", "no question of the run is judged", where=f"{run.name}, {judgments.name}")
    labels = Labels(
        name=judgments.name,
        version=1,
        kinds=[],
        questions=facts["questions"],
        judgments=facts["judgments"],
        annotators=0,
        conflicts=0,
        oldest=None,
        newest=None,
    )
    return Settled(
        labels=labels,
        choices=choices,
        require=choices.require or "any",
        top_grade=facts["top_grade"],
        grouped=False,
        text_only=False,
    )
