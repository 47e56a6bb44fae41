"""From the store to files: works out what a report shows, renders it, and writes it whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from attribution.attribute import attribute, fields_of
from attribution.choices import Choices
from attribution.project import project, shown_recall
from attribution.question_traces import AnswerKey, failed_traces
from attribution.results import Attribution, Projection, QuestionTrace, RunFacts, VerdictFound
from attribution.run_facts import run_facts
from reports import html
from reports.attribution_report import failures_csv, render_attribution, render_broken
from reports.forecast_gather import forecast_shown
from reports.forecast_report import render_forecast
from reports.links import Related, href
from reports.make_again import attribution_command, forecast_command, planning_command
from reports.planning_gather import planning_shown
from reports.planning_report import render_planning
from reports.question_pages import question_files, render_question
from reports.view.failures import is_repeated, name_of
from traces.errors import FoundlostError, UsageError
from traces.store import TraceStore

INTENT = "intent"


def publish_attribution(
    store: TraceStore,
    run_id: str,
    path: Path,
    choices: Choices | None = None,
    *,
    recall: float | None = None,
    questions: Path | None = None,
    command: str | None = None,
    related: Sequence[Related] = (),
) -> Attribution:
    """Write the attribution report of a run, and ``failures.csv`` beside it.

    Args:
        store: an open store; reading is enough.
        run_id: the run.
        path: the HTML file.
        choices: conventions; split by intent where nothing else is asked and the run has intents.
        recall: recall of the fix to price. Default: the highest recall a stored run has shown, if above this run's.
        questions: a folder for a page of each failure; it is made where there is none. Nothing in it is deleted.
        command: what makes the report again, where more is written than this report.
        related: the reports beside it.

    Returns:
        The attribution the report shows.

    Raises:
        UsageError: as ``attribute``, or the files cannot be written.
    """
    command = command or attribution_command(run_id, path, choices or Choices(), recall, store.path, questions)
    choices = _split_by_intent(store, run_id, choices or Choices())
    found = attribute(store, run_id, choices)
    projection = _worth(store, found, choices, recall)
    failures = failed_traces(store, run_id, choices)
    facts = run_facts(store, run_id, found.labels.name)
    pages = {} if questions is None else _publish_questions(failures, facts, questions, path)
    page = render_attribution(
        found,
        facts,
        failures,
        projection=projection,
        command=command,
        failures_file=failures_file(path).name,
        pages=pages,
        related=related,
    )
    write_text(path, page)
    if failures:
        write_text(failures_file(path), failures_csv(failures))
    return found


def _publish_questions(
    failures: Sequence[QuestionTrace], facts: RunFacts, folder: Path, report: Path
) -> dict[AnswerKey, str]:
    """Write a page for each failure, and return the links to them from the report."""
    make_folder(folder)
    files, repeated = question_files(failures, folder, report), is_repeated(failures)
    for trace, file in zip(failures, files, strict=True):
        name = name_of(trace, repeated=repeated)
        write_text(file, render_question(trace, facts, name=name, report=href(report, file)))
    keys = [(trace.query_id, trace.repeat) for trace in failures]
    return {key: href(file, report) for key, file in zip(keys, files, strict=True)}


def publish_forecast(
    store: TraceStore,
    name: str,
    path: Path,
    *,
    after: str | None = None,
    target: float | None = None,
    command: str | None = None,
    related: Sequence[Related] = (),
) -> VerdictFound | None:
    """Write the report of a sealed forecast: as it stands before the run that decides, or with what came of it.

    Args:
        store: an open store; reading is enough.
        name: the forecast.
        path: the HTML file.
        after: the run whose verdict to show. Default: the first verdict, which is the one that counts.
        target: a pass rate that is asked for, drawn with the recall it takes.
        command: what makes the report again, where more is written than this report.
        related: the reports beside it.

    Returns:
        The verdict the report shows, None where there is none yet.

    Raises:
        UsageError: no such forecast, no verdict by that run, a target out of range, or the file cannot be written.
        InputError: the forecast is not what was sealed.
    """
    shown = forecast_shown(store, name, after=after, target=target)
    command = command or forecast_command(name, path, after=after, target=target, store=store.path)
    write_text(path, render_forecast(shown, command=command, related=related))
    return shown.verdict


def publish_planning(
    store: TraceStore,
    path: Path,
    choices: Choices | None = None,
    *,
    target: float | None = None,
    command: str | None = None,
    related: Sequence[Related] = (),
) -> None:
    """Write the planning report: builds side by side, forecasts with their verdicts, and where the labels come from.

    Args:
        store: an open store; reading is enough.
        path: the HTML file.
        choices: conventions; where no label set is named, the one that most runs share.
        target: a pass rate that is asked for, drawn beside the builds.
        command: what makes the report again, where more is written than this report.
        related: the reports beside it.

    Raises:
        UsageError: no such label set, a target out of range, or the file cannot be written.
    """
    choices = choices or Choices()
    shown = planning_shown(store, choices, target=target)
    command = command or planning_command(path, choices, target=target, store=store.path)
    write_text(path, render_planning(shown, command=command, related=related))


def publish_broken(
    title: str, path: Path, fault: FoundlostError, command: str, *, related: Sequence[Related] = ()
) -> None:
    """Write, where a report was to be, a page that says why there is none."""
    write_text(path, render_broken(title, fault.line(), command, related=related))


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        html.write(path, text)
    except OSError as error:
        raise UsageError("cannot-write", error.strerror or type(error).__name__, where=str(path)) from error


def make_folder(folder: Path) -> None:
    """Make a folder where there is none.

    Raises:
        UsageError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError("cannot-write", error.strerror or type(error).__name__, where=str(folder)) from error


def failures_file(path: Path) -> Path:
    """Return the file beside a report that lists every failure."""
    return path.with_name(f"{path.stem}.failures.csv")


def _split_by_intent(store: TraceStore, run_id: str, choices: Choices) -> Choices:
    return choices if choices.by or INTENT not in fields_of(store, run_id) else replace(choices, by=(INTENT,))


def _worth(store: TraceStore, found: Attribution, choices: Choices, recall: float | None) -> Projection | None:
    """Project the fix to price; None where there is nothing to price or no recall to price it at."""
    if found.passed.n == 0 or found.failed == 0:
        return None
    goal = recall if recall is not None else shown_recall(store, found)
    return None if goal is None else project(store, found.run, recall=goal, choices=replace(choices, by=()))
