"""From the store to files: works out what a report shows, renders it, and writes it whole or not at all."""

from __future__ import annotations

import shlex
from dataclasses import fields, replace
from pathlib import Path

from attribution.attribute import attribute, fields_of
from attribution.choices import Choices
from attribution.project import project, shown_recall
from attribution.question_traces import failed_traces
from attribution.results import Attribution, Projection
from attribution.run_facts import run_facts
from reports import html
from reports.attribution_report import failures_csv, render_attribution, render_broken
from reports.safe_text import file_name
from traces.errors import FoundlostError, UsageError
from traces.store import TraceStore

INTENT = "intent"
DEFAULT_STORE = "foundlost.duckdb"


def publish_attribution(
    store: TraceStore, run_id: str, path: Path, choices: Choices | None = None, *, recall: float | None = None
) -> Attribution:
    """Write the attribution report of a run, and ``failures.csv`` beside it.

    Args:
        store: an open store; reading is enough.
        run_id: the run.
        path: the HTML file.
        choices: conventions; split by intent where nothing else is asked and the run has intents.
        recall: recall of the fix to price. Default: the highest recall a stored run has shown, if above this run's.

    Returns:
        The attribution the report shows.

    Raises:
        UsageError: as ``attribute``, or the files cannot be written.
    """
    command = _command(run_id, path, choices or Choices(), recall, store.path)
    choices = _split_by_intent(store, run_id, choices or Choices())
    found = attribute(store, run_id, choices)
    projection = _worth(store, found, choices, recall)
    failures = failed_traces(store, run_id, choices)
    facts = run_facts(store, run_id, found.labels.name)
    page = render_attribution(
        found,
        facts,
        failures,
        projection=projection,
        command=command,
        failures_file=failures_file(path).name,
    )
    _write(path, page)
    if failures:
        _write(failures_file(path), failures_csv(failures))
    return found


def publish_fault(
    run_id: str, path: Path, fault: FoundlostError, choices: Choices, *, recall: float | None, store: Path
) -> None:
    """Write, where the attribution report of a run was to be, a page that says why there is none."""
    command = _command(run_id, path, choices, recall, store)
    _write(path, render_broken(f"Failure attribution, {run_id}", fault.line(), command))


def _write(path: Path, text: str) -> None:
    try:
        html.write(path, text)
    except OSError as error:
        raise UsageError("cannot-write", error.strerror or type(error).__name__, where=str(path)) from error


def failures_file(path: Path) -> Path:
    """Return the file beside a report that lists every failure."""
    return path.with_name(f"{path.stem}.failures.csv")


def _command(run_id: str, path: Path, choices: Choices, recall: float | None, store: Path | None) -> str:
    """Return the command that makes the report again; files by their names, wherever they lie."""
    words = ["foundlost", "report", "attribution", run_id, "-o", file_name(path.name)]
    default = Choices()
    for field in fields(Choices):
        value = getattr(choices, field.name)
        if value == getattr(default, field.name):
            continue
        option = f"--{field.name.replace('_', '-')}"
        for one in value if isinstance(value, tuple) else (value,):
            words += [option, str(one)]
    if recall is not None:
        words += ["--recall", str(recall)]
    if store is not None and store.name != DEFAULT_STORE:
        words += ["--db", file_name(store.name)]
    return shlex.join(words)


def _split_by_intent(store: TraceStore, run_id: str, choices: Choices) -> Choices:
    return choices if choices.by or INTENT not in fields_of(store, run_id) else replace(choices, by=(INTENT,))


def _worth(store: TraceStore, found: Attribution, choices: Choices, recall: float | None) -> Projection | None:
    """Project the fix to price; None where there is nothing to price or no recall to price it at."""
    if found.passed.n == 0 or found.failed == 0:
        return None
    goal = recall if recall is not None else shown_recall(store, found)
    return None if goal is None else project(store, found.run, recall=goal, choices=replace(choices, by=()))
