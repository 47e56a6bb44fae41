"""The oracle commands: export a sample of misses with their gold, import what was answered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from attribution.choices import Choices
from attribution.oracle.answerer import Command, Unanswered, answer_exported
from attribution.oracle.answers_file import answers_path
from attribution.oracle.export import export_oracle
from attribution.oracle.exported import read_exported
from reports.cli.common import DB, DEFAULT_DB, JSON, JUDGE, LABELS, MIN_GRADE, REQUIRE, TRUNCATED
from reports.cli.imports import STRICT
from reports.cli.progress import counts
from reports.cli.runs import RUN
from reports.publish import write_text
from reports.text.loading import print_load
from reports.text.oracle import print_sample, print_unanswered
from reports.text.table import say
from traces.errors import InputError, UsageError
from traces.imports import import_oracle
from traces.oracle import samples_of
from traces.runs import require_run
from traces.sources import STDIN
from traces.store import TraceStore

group = typer.Typer(
    help="Answer a sample of misses with the gold in the prompt: how would recovered questions pass?",
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    group.command("export")(export)
    group.command("import")(import_answers)
    app.add_typer(group, name="oracle", no_args_is_help=True)


def export(
    run: RUN,
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write: JSON Lines.")],
    n: Annotated[int, typer.Option("--n", help="How many misses to draw.")] = 60,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the draw.")] = 0,
    labels: LABELS = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    judge: JUDGE = None,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Draw misses of a run and write their questions, each with its gold packed as the run would pack it."""
    chosen = Choices(labels=labels, min_grade=min_grade, require=require, truncated=truncated, judge=judge)
    with TraceStore.write(db) as store:
        exported = export_oracle(store, run, n=n, seed=seed, choices=chosen)
    write_text(output, "".join(f"{line}\n" for line in exported.lines()))
    print_sample(exported.sample, output, as_json=as_json)


def import_answers(
    path: Annotated[
        str, typer.Argument(help="The answers, as outcomes are read; with --command, the exported file itself.")
    ],
    run: Annotated[str, typer.Option("--run", help="The run the sample was drawn of.")],
    pass_rule: Annotated[
        str | None, typer.Option("--pass-rule", help="'score >= 3': what makes a number a pass.")
    ] = None,
    judge: Annotated[str | None, typer.Option("--judge", help="Who judged, where the records do not say.")] = None,
    command: Annotated[
        str | None,
        typer.Option("--command", help="A program that answers: a question a line in, an answer a line out."),
    ] = None,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds a question may take, with --command.")] = 120.0,
    retries: Annotated[int, typer.Option("--retries", help="Further tries after a fault, with --command.")] = 2,
    workers: Annotated[int, typer.Option("--workers", help="Programs run side by side, with --command.")] = 4,
    strict: STRICT = False,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Import the answers to the latest sample of a run, or have a program give them first."""
    source = path
    unanswered: list[Unanswered] = []
    if command is not None:
        crew = Command.parse(command, timeout=timeout, retries=retries, workers=workers)
        answers, unanswered = _answered(Path(path), run, crew, db)
        source = str(answers)
        print_unanswered(unanswered)
    with TraceStore.write(db) as store:
        report = import_oracle(store, source, run_id=run, pass_rule=pass_rule, judge=judge, strict=strict)
    print_load(report, as_json=as_json)


def _answered(path: Path, run: str, crew: Command, db: Path) -> tuple[Path, list[Unanswered]]:
    """Have a sample answered; that it is the run's latest is made sure of before anything is spent on it."""
    if str(path) == STDIN:
        raise UsageError("bad-option", "with --command, FILE is a file on disk: the answers are kept beside it")
    exported = read_exported(path)
    with TraceStore.read(db) as store:  # not kept open: answering may take hours
        require_run(store, run)
        samples = samples_of(store, run)
    if not samples or samples[0].sample_id != exported.sample:
        latest = f"the latest is {samples[0].sample_id}" if samples else "the store has none"
        raise UsageError(
            "other-sample",
            f"the file holds sample '{exported.sample}' of run '{exported.run_id}', and of run '{run}' {latest}",
            where=str(path),
            hint="export it again",
        )
    try:
        answers, unanswered = answer_exported(path, exported, crew, counts())
    except KeyboardInterrupt:
        say(f"note: the answers so far are kept in {answers_path(path)}; the same command goes on with the rest")
        raise
    if len(unanswered) == len(exported.questions):
        raise InputError(
            "no-answers",
            f"the program answered none of {len(unanswered)} questions, the first because: {unanswered[0].reason}",
            where=str(path),
        )
    return answers, unanswered
