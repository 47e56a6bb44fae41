"""The forecast commands: seal, verify, list, show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from attribution.choices import Choices
from attribution.forecasts.record import record
from attribution.forecasts.seal import UNJUDGED_LIMIT, Terms
from attribution.forecasts.seal import seal as seal_forecast
from attribution.forecasts.sealed import exported
from attribution.forecasts.stored import find_forecast
from attribution.forecasts.verify import verify as verify_forecast
from attribution.results import Sealed
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
from reports.publish import write_text
from reports.text.forecast import print_forecast, print_record, print_verdict
from reports.text.table import print_line, write
from traces.store import TraceStore

REFUTED = 1
NAME = Annotated[str, typer.Argument(help="The forecast.")]
FILE = Annotated[Path | None, typer.Option("-o", "--output", help="Write the sealed forecast to this file as well.")]

group = typer.Typer(help="Write down what a fix should do before it is made, and judge that afterwards.")


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    group.command("seal")(seal)
    group.command("verify")(verify)
    group.command("list")(list_forecasts)
    group.command("show")(show)
    app.add_typer(group, name="forecast", no_args_is_help=True)


def seal(
    run: RUN,
    name: Annotated[str, typer.Option("--name", help="What the forecast is called; names are used once.")],
    recall: RECALL = None,
    recall_from: RECALL_FROM = None,
    recall_range: RECALL_RANGE = None,
    margin: Annotated[
        float | None,
        typer.Option("--margin", help="Error budget: how far the pass rate may be off. Default: half of the gain."),
    ] = None,
    min_gain: MIN_GAIN = None,
    recovered_pass: RECOVERED_PASS = None,
    no_oracle: NO_ORACLE = False,
    baseline_repeat: BASELINE_REPEAT = None,
    unjudged_limit: Annotated[
        float,
        typer.Option(
            "--unjudged-limit", help="How much more frequent unjudged documents may become at the last stage."
        ),
    ] = UNJUDGED_LIMIT,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--changes", help="What the fix changes on purpose: model, prompt, index or stages. May be repeated."
        ),
    ] = None,
    revises: Annotated[str | None, typer.Option("--revises", help="The forecast that this one revises.")] = None,
    output: FILE = None,
    labels: LABELS = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    judge: JUDGE = None,
    level: LEVEL = 0.95,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Seal what a retrieval fix should do, and what would prove that wrong, before it is made."""
    chosen = Choices(labels=labels, min_grade=min_grade, require=require, truncated=truncated, judge=judge, level=level)
    terms = Terms(
        margin=margin,
        min_gain=min_gain,
        baseline_repeat=baseline_repeat,
        unjudged_limit=unjudged_limit,
        changes=tuple(changes or ()),
        revises=revises,
    )
    with TraceStore.write(db) as store:
        sealed = seal_forecast(
            store,
            run,
            name,
            recall=recall,
            recall_range=recall_range,
            recall_from=recall_from,
            recovered_pass=recovered_pass,
            use_oracle=not no_oracle,
            choices=chosen,
            terms=terms,
        )
    _tell(sealed, output, as_json=as_json)


def verify(
    name: NAME,
    after: Annotated[str, typer.Argument(help="The run that came after the fix.")],
    file: Annotated[
        Path | None, typer.Option("--file", help="Take the forecast from this exported file, not from the store.")
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", help="A difference to put up with: labels, judge, rule or questions. May be repeated."),
    ] = None,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Judge a forecast by the run that came after; exit code 1 if it is refuted."""
    with TraceStore.write(db) as store:
        found = verify_forecast(store, name, after, file=file, allow=tuple(allow or ()))
    write(found.to_json()) if as_json else print_verdict(found)
    if found.verdict == "refuted":
        raise typer.Exit(REFUTED)


def list_forecasts(db: DB = DEFAULT_DB, as_json: JSON = False) -> None:
    """List all forecasts with what became of them, and how they have done so far."""
    with TraceStore.read(db) as store:
        found = record(store)
    write(found.to_json()) if as_json else print_record(found)


def show(name: NAME, output: FILE = None, db: DB = DEFAULT_DB, as_json: JSON = False) -> None:
    """Show one forecast as it was sealed; with -o, write it to a file for a repository."""
    with TraceStore.read(db) as store:
        sealed = find_forecast(store, name)
    _tell(sealed, output, as_json=as_json)


def _tell(sealed: Sealed, output: Path | None, *, as_json: bool) -> None:
    """Print a sealed forecast, and write the file that is asked for."""
    try:  # the file first, for a reader of the output may leave early; what is sealed is told even if that fails
        if output is not None:
            write_text(output, exported(sealed))
    finally:
        write(sealed.to_json()) if as_json else print_forecast(sealed)
    if output is not None and not as_json:
        print_line(f"wrote {output}")
