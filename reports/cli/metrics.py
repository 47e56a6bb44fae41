"""Commands that measure retrieval: metrics, curve."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from attribution.metrics.against import compare_metrics
from attribution.metrics.conventions import DEFAULT_METRICS, MetricChoices
from attribution.metrics.curves import curve as curve_of
from attribution.metrics.evaluate import describe, measure
from attribution.metrics.files import measure_files
from attribution.metrics.values import MetricValues
from reports.cli.common import DB, DEFAULT_DB, JSON, LABELS, LEVEL, MIN_GRADE, REQUIRE, TRUNCATED
from reports.cli.runs import RUN
from reports.metric_file import check_name, write_values
from reports.text.metrics import print_curve, print_metrics
from reports.text.table import say, write
from traces.errors import UsageError
from traces.store import TraceStore

RUN_OR_FILE = Annotated[str, typer.Argument(help="Name of the run; with --labels-file, the file it lies in.")]
METRICS = Annotated[
    str, typer.Option("--metrics", help="Names such as 'nDCG@10 R(rel=2)@100 RR Coverage@packed', set apart by blanks.")
]
STAGES = Annotated[
    list[str] | None, typer.Option("--stages", help="A stage to measure; repeat it for more. Default: all.")
]
UNIT = Annotated[
    Literal["document", "group"], typer.Option("--unit", help="What counts once: a 'document', or an evidence 'group'.")
]
MISSING = Annotated[
    Literal["zero", "excluded"],
    typer.Option("--missing", help="Judged questions the run did not ask: they score 'zero', or are 'excluded'."),
]
NO_GOLD = Annotated[
    Literal["excluded", "zero"],
    typer.Option("--no-gold", help="Questions without a relevant document: 'excluded', or they score 'zero'."),
]
ZERO_IDEAL = Annotated[
    Literal["excluded", "zero"],
    typer.Option("--zero-ideal", help="Questions no judgment of which gains anything, in nDCG: 'excluded' or 'zero'."),
]
UNJUDGED = Annotated[
    Literal["no_gain", "condensed"],
    typer.Option("--unjudged", help="Unjudged documents gain nothing in their places, or lists are 'condensed'."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command("metrics")(metrics)
    app.command("curve")(curve)


def metrics(
    run: RUN_OR_FILE,
    names: METRICS = DEFAULT_METRICS,
    stages: STAGES = None,
    per_question: Annotated[
        Path | None, typer.Option("--per-question", help="Also write every question's values to this .parquet or .csv.")
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="A run to compare with, question by question.")
    ] = None,
    bounds: Annotated[
        bool, typer.Option("--bounds", help="What unjudged documents could make of recall and nDCG.")
    ] = False,
    labels: LABELS = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    unit: UNIT = "document",
    short_lists: Annotated[
        Literal["fixed", "returned"],
        typer.Option("--short-lists", help="Precision of a list shorter than k: over k, or over what was 'returned'."),
    ] = "fixed",
    missing: MISSING = "zero",
    no_gold: NO_GOLD = "excluded",
    zero_ideal: ZERO_IDEAL = "excluded",
    unjudged: UNJUDGED = "no_gain",
    lists: Annotated[
        Literal["handed_on", "recorded"],
        typer.Option("--lists", help="Lists end at the stage's cutoff, or go on as far as they were 'recorded'."),
    ] = "handed_on",
    labels_file: Annotated[
        Path | None,
        typer.Option("--labels-file", help="Judgments in a file: RUN is a file too, and nothing is stored."),
    ] = None,
    memory_limit: Annotated[
        str | None, typer.Option("--memory-limit", help="With --labels-file: memory to use at most, such as 1GB.")
    ] = None,
    level: LEVEL = 0.95,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Measure what every stage returned: recall, precision, rank metrics, coverage; with conventions and intervals."""
    chosen = MetricChoices(
        labels=labels,
        min_grade=min_grade,
        require=require,
        truncated=truncated,
        level=level,
        unit=unit,
        short_lists=short_lists,
        missing=missing,
        no_gold=no_gold,
        zero_ideal=zero_ideal,
        unjudged=unjudged,
        lists=lists,
    )
    if per_question is not None:
        check_name(per_question)
    if labels_file is not None:
        _check_alone(stages=stages, against=against, labels=labels)
        opened = measure_files(Path(run), labels_file, names, chosen, memory_limit=memory_limit)
    elif memory_limit is not None:
        raise UsageError("not-together", "a memory limit is for files only", where="--memory-limit")
    else:
        opened = _measured(db, run, names, chosen, stages)
    with opened as (store, values):
        found = describe(store, values, with_bounds=bounds)
        if per_question is not None:
            write_values(per_question, values.per_question())
        if against is not None:
            changes = compare_metrics(store, against, run, names, chosen, stages=stages)
            found = found.model_copy(update={"against": changes})
    write(found.to_json()) if as_json else print_metrics(found)
    if per_question is not None:
        say(f"wrote {per_question}")


@contextlib.contextmanager
def _measured(
    db: Path, run: str, names: str, chosen: MetricChoices, stages: list[str] | None
) -> Iterator[tuple[TraceStore, MetricValues]]:
    with TraceStore.read(db) as store:
        yield store, measure(store, run, names, chosen, stages=stages)


def _check_alone(**given: object) -> None:
    """Refuse options that mean something in a store only."""
    for name, value in given.items():
        if value:
            raise UsageError(
                "not-together",
                "a run in a file has one stage, one set of labels, and no other run beside it",
                where=f"--labels-file, --{name}",
                hint="ingest it for that",
            )


def curve(
    run: RUN,
    by: Annotated[
        Literal["depth", "tokens"], typer.Option("--by", help="What the list is cut by: places, or tokens.")
    ] = "depth",
    stages: STAGES = None,
    labels: LABELS = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    unit: UNIT = "document",
    missing: MISSING = "zero",
    no_gold: NO_GOLD = "excluded",
    zero_ideal: ZERO_IDEAL = "excluded",
    level: LEVEL = 0.95,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Draw coverage, recall and nDCG of every stage against depth or token budget, and where the stage operates."""
    chosen = MetricChoices(
        labels=labels,
        min_grade=min_grade,
        require=require,
        truncated=truncated,
        level=level,
        unit=unit,
        missing=missing,
        no_gold=no_gold,
        zero_ideal=zero_ideal,
    )
    with TraceStore.read(db) as store:
        found = curve_of(store, run, chosen, by=by, stages=stages)
    write(found.to_json()) if as_json else print_curve(found)
