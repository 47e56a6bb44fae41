"""Commands that measure retrieval: metrics, curve."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from attribution.metrics.against import compare_metrics
from attribution.metrics.conventions import DEFAULT_METRICS, MetricChoices
from attribution.metrics.curves import curve as curve_of
from attribution.metrics.evaluate import describe, measure
from reports.cli.common import DB, DEFAULT_DB, JSON, LABELS, LEVEL, MIN_GRADE, REQUIRE, TRUNCATED
from reports.cli.runs import RUN
from reports.metric_file import check_name, write_values
from reports.text.metrics import print_curve, print_metrics
from reports.text.table import say, write
from traces.store import TraceStore

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
    run: RUN,
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
    with TraceStore.read(db) as store:
        values = measure(store, run, names, chosen, stages=stages)
        found = describe(store, values, with_bounds=bounds)
        if per_question is not None:
            write_values(per_question, values.per_question())
        if against is not None:
            changes = compare_metrics(store, against, run, names, chosen, stages=stages)
            found = found.model_copy(update={"against": changes})
    write(found.to_json()) if as_json else print_metrics(found)
    if per_question is not None:
        say(f"wrote {per_question}")


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
