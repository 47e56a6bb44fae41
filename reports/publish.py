"""From the store to files: works out what a report shows, renders it, and writes it whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from attribution.attribute import attribute, fields_of
from attribution.choices import Choices
from attribution.project import project, shown_recall
from attribution.question_traces import AnswerKey, failed_traces
from attribution.results import Attribution, Projection, QuestionTrace, RunFacts
from attribution.run_facts import run_facts
from reports import html
from reports.attribution_report import failures_csv, render_attribution, render_broken
from reports.data import AttributionData, ForecastData, PlanningData
from reports.forecast_gather import forecast_shown
from reports.forecast_report import render_forecast
from reports.links import Related, href
from reports.mail import mail as as_mail
from reports.make_again import attribution_command, forecast_command, planning_command
from reports.markdown import summary as as_markdown
from reports.planning_gather import planning_shown
from reports.planning_report import render_planning
from reports.question_pages import question_files, render_question
from reports.rendered import D, Rendered
from reports.view.failures import is_repeated, name_of
from traces.errors import FoundlostError, UsageError
from traces.store import TraceStore

INTENT = "intent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What else is written with a report, and what stands beside it.

    Attributes:
        markdown: a file for the report in short as Markdown, if it is wanted.
        mail: a file for the report in short as the body of a mail, if it is wanted.
        command: what makes the report again, where more is written than this report.
        related: the reports beside it.
    """

    markdown: Path | None = None
    mail: Path | None = None
    command: str | None = None
    related: Sequence[Related] = ()


ALONE = Beside()


def publish_attribution(
    store: TraceStore,
    run_id: str,
    path: Path,
    choices: Choices | None = None,
    *,
    recall: float | None = None,
    questions: Path | None = None,
    beside: Beside = ALONE,
) -> AttributionData:
    """Write the attribution report of a run, and ``failures.csv`` beside it.

    Args:
        store: an open store; reading is enough.
        run_id: the run.
        path: the HTML file.
        choices: conventions; split by intent where nothing else is asked and the run has intents.
        recall: recall of the fix to price. Default: the highest recall a stored run has shown, if above this run's.
        questions: a folder for a page of each failure; it is made where there is none. Nothing in it is deleted.
        beside: what else is written.

    Returns:
        The report as data.

    Raises:
        UsageError: as ``attribute``, or the files cannot be written.
    """
    choices = choices or Choices()
    command = beside.command or attribution_command(
        run_id, path, choices, recall=recall, questions=questions, store=store.path
    )
    choices = _split_by_intent(store, run_id, choices)
    found = attribute(store, run_id, choices)
    projection = _worth(store, found, choices, recall)
    failures = failed_traces(store, run_id, choices)
    facts = run_facts(store, run_id, found.labels.name)
    pages = {} if questions is None else _publish_questions(failures, facts, questions, path)
    rendered = render_attribution(
        found,
        facts,
        failures,
        projection=projection,
        command=command,
        failures_file=failures_file(path).name,
        pages=pages,
        related=beside.related,
    )
    return _write(rendered, path, beside, {failures_file(path): failures_csv(failures)} if failures else {})


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
    beside: Beside = ALONE,
) -> ForecastData:
    """Write the report of a sealed forecast: as it stands before the run that decides, or with what came of it.

    Args:
        store: an open store; reading is enough.
        name: the forecast.
        path: the HTML file.
        after: the run whose verdict to show. Default: the first verdict, which is the one that counts.
        target: a pass rate that is asked for, drawn with the recall it takes.
        beside: what else is written.

    Returns:
        The report as data.

    Raises:
        UsageError: no such forecast, no verdict by that run, a target out of range, or the file cannot be written.
        InputError: the forecast is not what was sealed.
    """
    shown = forecast_shown(store, name, after=after, target=target)
    command = beside.command or forecast_command(name, path, after=after, target=target, store=store.path)
    return _write(render_forecast(shown, command=command, related=beside.related), path, beside)


def publish_planning(
    store: TraceStore,
    path: Path,
    choices: Choices | None = None,
    *,
    target: float | None = None,
    beside: Beside = ALONE,
) -> PlanningData:
    """Write the planning report: builds side by side, forecasts with their verdicts, and where the labels come from.

    Args:
        store: an open store; reading is enough.
        path: the HTML file.
        choices: conventions; where no label set is named, the one that most runs share.
        target: a pass rate that is asked for, drawn beside the builds.
        beside: what else is written.

    Returns:
        The report as data.

    Raises:
        UsageError: no such label set, a target out of range, or the file cannot be written.
    """
    choices = choices or Choices()
    shown = planning_shown(store, choices, target=target)
    command = beside.command or planning_command(path, choices, target=target, store=store.path)
    return _write(render_planning(shown, command=command, related=beside.related), path, beside)


def _write(rendered: Rendered[D], path: Path, beside: Beside, files: Mapping[Path, str] | None = None) -> D:
    """Write a report in all the forms asked for, once all are made, and return it as data.

    Raises:
        UsageError: one file is named for two of them, or cannot be written.
    """
    texts = [(path, rendered.page), *(files or {}).items()]
    if beside.markdown is not None:
        texts.append((beside.markdown, as_markdown(rendered.summary, file=path.name)))
    if beside.mail is not None:
        texts.append((beside.mail, as_mail(rendered.summary, file=path.name)))
    taken = [file.resolve() for file, _ in texts]
    for file, _ in texts:
        if taken.count(file.resolve()) > 1:
            raise UsageError(
                "cannot-write", "two parts of the report are to go here", where=str(file), hint="name two files"
            )
    for file, text in texts:
        write_text(file, text)
    return rendered.data


@contextmanager
def told_if_broken(title: str, path: Path, command: str, related: Sequence[Related] = ()) -> Iterator[None]:
    """Where the report in hand cannot be made, write a page in its place that says why; the fault goes on."""
    try:
        yield
    except FoundlostError as fault:
        if fault.slug != "cannot-write":
            write_text(path, render_broken(title, fault.line(), command, related=related))
        raise


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
