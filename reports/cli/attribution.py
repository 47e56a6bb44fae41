"""Commands that infer: attribute, project, compare."""

from __future__ import annotations

from typing import Annotated

import typer

from attribution.attribute import attribute as attribute_run
from attribution.choices import Choices
from attribution.compare import compare as compare_runs
from attribution.project import project as project_run
from reports.cli.common import (
    DB,
    DEFAULT_DB,
    JSON,
    JUDGE,
    LABELS,
    LEVEL,
    MIN_GRADE,
    REQUIRE,
    TRUNCATED,
)
from reports.cli.runs import RUN
from reports.text.attribution import print_attribution
from reports.text.comparison import print_comparison
from reports.text.projection import print_projection
from reports.text.table import write
from traces.store import TraceStore

BY = Annotated[list[str] | None, typer.Option("--by", help="Field to split by: intent or a tag. May be repeated.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command("attribute")(attribute)
    app.command("project")(project)
    app.command("compare")(compare)


def attribute(
    run: RUN,
    labels: LABELS = None,
    by: BY = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    judge: JUDGE = None,
    level: LEVEL = 0.95,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Say where each failed question lost its evidence: fates, shares, recall per stage, conditional pass rates."""
    chosen = Choices(
        labels=labels,
        min_grade=min_grade,
        require=require,
        truncated=truncated,
        judge=judge,
        level=level,
        by=tuple(by or ()),
    )
    with TraceStore.read(db) as store:
        found = attribute_run(store, run, chosen)
    write(found.to_json()) if as_json else print_attribution(found)


def project(
    run: RUN,
    recall: Annotated[float | None, typer.Option("--recall", help="Recall the fix is to reach, 0 to 1.")] = None,
    recall_from: Annotated[
        str | None, typer.Option("--recall-from", help="A run, outcomes or not, whose recall the fix has shown.")
    ] = None,
    recall_range: Annotated[
        tuple[float, float] | None, typer.Option("--recall-range", help="Lowest and highest recall the fix may reach.")
    ] = None,
    target: Annotated[
        float | None, typer.Option("--target", help="Pass rate wanted: which recall does it ask for?")
    ] = None,
    recovered_pass: Annotated[
        float | None,
        typer.Option("--recovered-pass", help="Pass rate of recovered questions, if it is known to differ."),
    ] = None,
    min_gain: Annotated[float | None, typer.Option("--min-gain", help="Smallest gain worth the fix, e.g. .05.")] = None,
    labels: LABELS = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    judge: JUDGE = None,
    level: LEVEL = 0.95,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Project what a retrieval fix is worth in end-to-end pass rate, and what would overturn that."""
    chosen = Choices(labels=labels, min_grade=min_grade, require=require, truncated=truncated, judge=judge, level=level)
    with TraceStore.read(db) as store:
        found = project_run(
            store,
            run,
            recall=recall,
            recall_range=recall_range,
            recall_from=recall_from,
            choices=chosen,
            target=target,
            recovered_pass=recovered_pass,
            min_gain=min_gain,
        )
    write(found.to_json()) if as_json else print_projection(found)


def compare(
    before: Annotated[str, typer.Argument(help="The run to compare with.")],
    after: Annotated[str, typer.Argument(help="The run that is compared.")],
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", help="A difference to put up with: labels, judge or rule. May be repeated."),
    ] = None,
    labels: LABELS = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    judge: JUDGE = None,
    level: LEVEL = 0.95,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Compare two runs question by question: who gained, who lost, and which stage it came from."""
    chosen = Choices(labels=labels, min_grade=min_grade, require=require, truncated=truncated, judge=judge, level=level)
    with TraceStore.read(db) as store:
        found = compare_runs(store, before, after, chosen, allow=tuple(allow or ()))
    write(found.to_json()) if as_json else print_comparison(found)
