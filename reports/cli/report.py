"""Commands that write reports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from attribution.choices import Choices
from reports.cli.attribution import BY
from reports.cli.common import DB, DEFAULT_DB, JUDGE, LABELS, LEVEL, MIN_GRADE, REQUIRE, TRUNCATED
from reports.cli.runs import RUN
from reports.publish import failures_file, publish_attribution, publish_fault
from reports.text.table import print_line
from traces.errors import FoundlostError
from traces.store import TraceStore


def register(app: typer.Typer) -> None:
    """Add the group to the app."""
    group = typer.Typer(help="Self-contained HTML reports.", no_args_is_help=True, rich_markup_mode=None)
    group.command("attribution")(attribution)
    app.add_typer(group, name="report")


def attribution(
    run: RUN,
    output: Annotated[Path, typer.Option("-o", "--output", help="The HTML file to write.")],
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
    db: DB = DEFAULT_DB,
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
            found = publish_attribution(store, run, output, chosen, recall=recall)
    except FoundlostError as fault:
        if fault.slug != "cannot-write":
            publish_fault(run, output, fault, chosen, recall=recall, store=db)
        raise
    print_line(f"wrote {output}")
    if found.failed:
        print_line(f"wrote {failures_file(output)}")
