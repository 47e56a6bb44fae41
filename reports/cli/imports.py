"""Commands for the parts that come separately: labels, outcomes, questions, documents."""

from __future__ import annotations

from typing import Annotated

import typer

from reports.cli.common import DB, DEFAULT_DB, JSON
from reports.text.loading import print_load
from traces.imports import import_documents, import_labels, import_outcomes, import_questions
from traces.store import TraceStore

PATH = Annotated[str, typer.Argument(help="JSON Lines, CSV or Parquet; plain, .gz or .zst; '-' for stdin.")]
STRICT = Annotated[bool, typer.Option("--strict", help="Stop at the first bad record and store nothing.")]


def register(app: typer.Typer) -> None:
    """Add the groups to the app."""
    for name, about, command in (
        ("labels", "Label sets: judgments of documents.", labels),
        ("outcomes", "End-to-end verdicts.", outcomes),
        ("questions", "The eval set: texts, intents, weights.", questions),
        ("documents", "Texts, titles, aliases, what the index holds.", documents),
    ):
        group = typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)
        group.command("import")(command)
        app.add_typer(group, name=name)


def labels(
    path: Annotated[str, typer.Argument(help="JSON Lines, CSV, Parquet, TREC qrels or BEIR tsv; '-' for stdin.")],
    name: Annotated[str, typer.Option("--name", help="Label set to add to; a new import is a new version.")],
    kind: Annotated[
        str, typer.Option("--kind", help="Who judged: human, judge, audit, … Recorded with every judgment.")
    ] = "human",
    strict: STRICT = False,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Import judgments into a named, versioned label set."""
    with TraceStore.write(db) as store:
        report = import_labels(store, path, name=name, kind=kind, strict=strict)
    print_load(report, as_json=as_json)


def outcomes(
    path: PATH,
    run: Annotated[str, typer.Option("--run", help="The run the outcomes belong to.")],
    pass_rule: Annotated[
        str | None, typer.Option("--pass-rule", help="'score >= 3': what makes a number a pass.")
    ] = None,
    judge: Annotated[str | None, typer.Option("--judge", help="Who judged, where the records do not say.")] = None,
    strict: STRICT = False,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Import end-to-end outcomes of a run."""
    with TraceStore.write(db) as store:
        report = import_outcomes(store, path, run_id=run, pass_rule=pass_rule, judge=judge, strict=strict)
    print_load(report, as_json=as_json)


def questions(path: PATH, strict: STRICT = False, db: DB = DEFAULT_DB, as_json: JSON = False) -> None:
    """Import questions: text, intent, traffic weight, whether they can be answered."""
    with TraceStore.write(db) as store:
        report = import_questions(store, path, strict=strict)
    print_load(report, as_json=as_json)


def documents(path: PATH, strict: STRICT = False, db: DB = DEFAULT_DB, as_json: JSON = False) -> None:
    """Import documents: text, title, aliases, whether they are in the index."""
    with TraceStore.write(db) as store:
        report = import_documents(store, path, strict=strict)
    print_load(report, as_json=as_json)
