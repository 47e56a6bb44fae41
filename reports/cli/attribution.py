"""Commands that infer: attribute, project, compare."""

from __future__ import annotations

from typing import Annotated

import typer

from attribution.attribute import attribute as attribute_run
from attribution.choices import Choices
from attribution.compare import compare as compare_runs
from attribution.compared_metrics import USUAL_METRICS
from attribution.project import project as project_run
from reports.cli.common import (
    BASELINE_REPEAT,
    DB,
    DEFAULT_DB,
    JSON,
    JUDGE,
    LABELS,
    LEVEL,
    MIN_GAIN,
    MIN_GRADE,
    NO_ORACLE,
    RECALL,
    RECALL_FROM,
    RECALL_RANGE,
    RECOVERED_PASS,
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
    recall: RECALL = None,
    recall_from: RECALL_FROM = None,
    recall_range: RECALL_RANGE = None,
    target: Annotated[
        float | None, typer.Option("--target", help="Pass rate wanted: which recall does it ask for?")
    ] = None,
    recovered_pass: RECOVERED_PASS = None,
    no_oracle: NO_ORACLE = False,
    min_gain: MIN_GAIN = None,
    baseline_repeat: BASELINE_REPEAT = None,
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
            baseline_repeat=baseline_repeat,
            use_oracle=not no_oracle,
        )
    write(found.to_json()) if as_json else print_projection(found)


def compare(
    before: Annotated[str, typer.Argument(help="The run to compare with.")],
    after: Annotated[str, typer.Argument(help="The run that is compared.")],
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", help="A difference to put up with: labels, judge or rule. May be repeated."),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option("--metrics", help=f"Retrieval metrics to compare at every stage. Default: '{USUAL_METRICS}'."),
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
        found = compare_runs(store, before, after, chosen, allow=tuple(allow or ()), metrics=metrics)
    write(found.to_json()) if as_json else print_comparison(found)
