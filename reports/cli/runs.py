"""Commands over what is stored: runs, show, drop."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from attribution.choices import Choices
from attribution.question_traces import question_traces
from attribution.run_facts import run_facts
from reports.cli.common import DB, DEFAULT_DB, JSON, JUDGE, LABELS, MIN_GRADE, REQUIRE, TRUNCATED
from reports.text.runs import print_facts, print_question, print_runs
from reports.text.table import say, write
from traces.errors import UsageError, near
from traces.runs import drop_run, list_runs
from traces.store import TraceStore

RUN = Annotated[str, typer.Argument(help="Name of the run.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command("runs")(runs)
    app.command("show")(show)
    app.command("drop")(drop)


def runs(db: DB = DEFAULT_DB, as_json: JSON = False) -> None:
    """List the stored runs."""
    with TraceStore.read(db) as store:
        found = list_runs(store)
    if as_json:
        write(json.dumps({"schema": "foundlost.runs/1", "runs": found}, default=str))
    else:
        print_runs(found)


def show(
    run: RUN,
    question: Annotated[str | None, typer.Argument(help="A question: its lists side by side, gold marked.")] = None,
    labels: LABELS = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    judge: JUDGE = None,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Show what is recorded of a run, or of one question in it."""
    with TraceStore.read(db) as store:
        if question is None:
            facts = run_facts(store, run)
            write(facts.to_json()) if as_json else print_facts(facts)
            return
        chosen = Choices(labels=labels, min_grade=min_grade, require=require, truncated=truncated, judge=judge)
        traces = question_traces(store, run, question, chosen)
        if not traces:
            known = [
                row["query_id"]
                for row in store.rows("SELECT DISTINCT query_id FROM repeats WHERE run_id = $r", {"r": run})
            ]
            raise UsageError(
                "unknown-question", f"no question {question!r}", where=f"run {run}", hint=near(question, known)
            )
        if as_json:
            answers = [trace.to_dict() for trace in traces]
            write(json.dumps({"schema": "foundlost.question/1", "run": run, "answers": answers}))
        else:
            for trace in traces:
                print_question(trace)


def drop(run: RUN, db: DB = DEFAULT_DB) -> None:
    """Remove a run and everything recorded for it; label sets stay."""
    with TraceStore.write(db) as store:
        drop_run(store, run)
    say(f"dropped run {run}")
