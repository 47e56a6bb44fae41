"""Commands that write reports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from attribution.choices import Choices
from reports.cli.attribution import BY
from reports.cli.common import DB, DEFAULT_DB, JSON, JUDGE, LABELS, LEVEL, MIN_GRADE, REQUIRE, TRUNCATED
from reports.cli.runs import RUN
from reports.data import ReportData
from reports.publish import (
    failures_file,
    publish_attribution,
    publish_broken,
    publish_fault,
    publish_forecast,
    publish_planning,
)
from reports.report_commands import forecast_command, planning_command
from reports.text.table import print_line, write
from traces.errors import FoundlostError
from traces.store import TraceStore

OUTPUT = Annotated[Path, typer.Option("-o", "--output", help="The HTML file to write.")]
TARGET = Annotated[float | None, typer.Option("--target", help="Pass rate that is asked for, 0 to 1.")]
MARKDOWN = Annotated[Path | None, typer.Option("--markdown", help="Write it in short as Markdown to this file.")]
MAIL = Annotated[Path | None, typer.Option("--mail", help="Write it in short as HTML for a mail to this file.")]


def register(app: typer.Typer) -> None:
    """Add the group to the app."""
    group = typer.Typer(help="Self-contained HTML reports.", no_args_is_help=True, rich_markup_mode=None)
    group.command("attribution")(attribution)
    group.command("forecast")(forecast)
    group.command("planning")(planning)
    app.add_typer(group, name="report")


def attribution(
    run: RUN,
    output: OUTPUT,
    recall: Annotated[
        float | None,
        typer.Option("--recall", help="Recall of the fix to price. Default: the best a stored run has shown."),
    ] = None,
    labels: LABELS = None,
    by: BY = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    judge: JUDGE = None,
    level: LEVEL = 0.95,
    markdown: MARKDOWN = None,
    mail: MAIL = None,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Write the attribution report of a run, with every failure beside it as CSV."""
    chosen = Choices(
        labels=labels,
        min_grade=min_grade,
        require=require,
        truncated=truncated,
        judge=judge,
        level=level,
        by=tuple(by or ()),
    )
    try:
        with TraceStore.read(db) as store:
            data = publish_attribution(store, run, output, chosen, recall=recall, markdown=markdown, mail=mail)
    except FoundlostError as fault:
        if fault.slug != "cannot-write":
            publish_fault(run, output, fault, chosen, recall=recall, store=db)
        raise
    failures = failures_file(output) if data.results.attribution.failed else None
    _tell(data, output, failures, markdown, mail, as_json=as_json)


def forecast(
    name: Annotated[str, typer.Argument(help="The forecast.")],
    output: OUTPUT,
    after: Annotated[
        str | None, typer.Option("--after", help="Show the verdict by this run. Default: the first verdict.")
    ] = None,
    target: TARGET = None,
    markdown: MARKDOWN = None,
    mail: MAIL = None,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Write the report of a sealed forecast, before the run that decides or with what came of it."""
    try:
        with TraceStore.read(db) as store:
            data = publish_forecast(store, name, output, after=after, target=target, markdown=markdown, mail=mail)
    except FoundlostError as fault:
        if fault.slug != "cannot-write":
            command = forecast_command(name, output, after=after, target=target, store=db)
            publish_broken(f"Forecast {name}", output, fault, command)
        raise
    _tell(data, output, markdown, mail, as_json=as_json)


def planning(
    output: OUTPUT,
    target: TARGET = None,
    labels: LABELS = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    judge: JUDGE = None,
    level: LEVEL = 0.95,
    markdown: MARKDOWN = None,
    mail: MAIL = None,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Write the planning report: all builds, all forecasts with their verdicts, and the label sets."""
    chosen = Choices(labels=labels, min_grade=min_grade, require=require, truncated=truncated, judge=judge, level=level)
    try:
        with TraceStore.read(db) as store:
            data = publish_planning(store, output, chosen, target=target, markdown=markdown, mail=mail)
    except FoundlostError as fault:
        if fault.slug != "cannot-write":
            command = planning_command(output, chosen, target=target, store=db)
            publish_broken("Planning", output, fault, command)
        raise
    _tell(data, output, markdown, mail, as_json=as_json)


def _tell(data: ReportData, *files: Path | None, as_json: bool) -> None:
    """Print the report as data, or else the files that were written."""
    if as_json:
        write(data.to_json())
        return
    for file in files:
        if file is not None:
            print_line(f"wrote {file}")
