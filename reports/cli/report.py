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
from reports.make_again import attribution_command, forecast_command, planning_command
from reports.numbers import plural
from reports.publish import (
    Beside,
    failures_file,
    publish_attribution,
    publish_forecast,
    publish_planning,
    told_if_broken,
)
from reports.publish_all import publish_all
from reports.text.table import print_line, say, write
from traces.store import TraceStore

OUTPUT = Annotated[Path, typer.Option("-o", "--output", help="The HTML file to write.")]
FOLDER = Annotated[Path, typer.Option("-o", "--output", help="The folder to write the reports into.")]
TARGET = Annotated[float | None, typer.Option("--target", help="Pass rate that is asked for, 0 to 1.")]
MARKDOWN = Annotated[Path | None, typer.Option("--markdown", help="Write it in short as Markdown to this file.")]
MAIL = Annotated[Path | None, typer.Option("--mail", help="Write it in short as HTML for a mail to this file.")]


def register(app: typer.Typer) -> None:
    """Add the group to the app."""
    group = typer.Typer(help="Self-contained HTML reports.", no_args_is_help=True, rich_markup_mode=None)
    group.command("attribution")(attribution)
    group.command("forecast")(forecast)
    group.command("planning")(planning)
    group.command("all")(every)
    app.add_typer(group, name="report")


def attribution(
    run: RUN,
    output: OUTPUT,
    recall: Annotated[
        float | None,
        typer.Option("--recall", help="Recall of the fix to price. Default: the best a stored run has shown."),
    ] = None,
    labels: LABELS = None,
    questions: Annotated[
        Path | None, typer.Option("--questions", help="A folder to write a page for each failure into, with all lists.")
    ] = None,
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
    command = attribution_command(run, output, chosen, recall=recall, questions=questions, store=db)
    beside = Beside(markdown=markdown, mail=mail, command=command)
    with told_if_broken(f"Failure attribution, {run}", output, command), TraceStore.read(db) as store:
        data = publish_attribution(store, run, output, chosen, recall=recall, questions=questions, beside=beside)
    failed = data.results.attribution.failed
    _tell(data, output, failures_file(output) if failed else None, markdown, mail, as_json=as_json)
    if questions is not None and not as_json:
        print_line(f"wrote {plural(failed, 'page')} into {questions}")


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
    command = forecast_command(name, output, after=after, target=target, store=db)
    beside = Beside(markdown=markdown, mail=mail, command=command)
    with told_if_broken(f"Forecast {name}", output, command), TraceStore.read(db) as store:
        data = publish_forecast(store, name, output, after=after, target=target, beside=beside)
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
    command = planning_command(output, chosen, target=target, store=db)
    beside = Beside(markdown=markdown, mail=mail, command=command)
    with told_if_broken("Planning", output, command), TraceStore.read(db) as store:
        data = publish_planning(store, output, chosen, target=target, beside=beside)
    _tell(data, output, markdown, mail, as_json=as_json)


def every(
    output: FOLDER,
    target: TARGET = None,
    labels: LABELS = None,
    by: BY = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    judge: JUDGE = None,
    level: LEVEL = 0.95,
    db: DB = DEFAULT_DB,
) -> None:
    """Write every report of the store into a folder, with links among them; planning.html leads to all."""
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
        done = publish_all(store, output, chosen, target=target)
    for path in (done.planning, *done.runs.values(), *done.forecasts.values()):
        print_line(f"wrote {path}")
    for line in dict.fromkeys(fault.line() for fault in done.faults.values()):
        say(f"foundlost: {line}")
    if done.faults:
        raise typer.Exit(max(fault.exit_code for fault in done.faults.values()))


def _tell(data: ReportData, *files: Path | None, as_json: bool) -> None:
    """Print the report as data, or else the files that were written."""
    if as_json:
        write(data.to_json())
        return
    for file in files:
        if file is not None:
            print_line(f"wrote {file}")
