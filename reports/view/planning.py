"""Results to view model: everything the planning report shows, in the order it shows it."""

from __future__ import annotations

from reports.numbers import date, percent, plural
from reports.view.forecast_ledger import calibration_words, held_words, ledger_row
from reports.view.forecast_parts import Ledger
from reports.view.planning_builds import by_build
from reports.view.planning_labels import assumptions, label_table
from reports.view.planning_parts import PlanningView
from reports.view.planning_rail import answers
from reports.view.planning_rest import asides, footer, grounds
from reports.view.planning_shown import PlanningShown
from reports.view.planning_trend import trend
from reports.view.planning_words import build_name, headline, lede
from reports.wording import MADE_UP, Words, cut_name, strong, words

KIND = "Planning"
LEDGER_ROWS = 40
"""Forecasts listed, the newest; how many older ones there are is said."""


def planning_view(shown: PlanningShown, *, command: str) -> PlanningView:
    """Return the report as it will be read.

    Args:
        shown: builds, forecasts and labels.
        command: the command that makes the report again.
    """
    heading, waiting = assumptions(shown)
    made_up = f"{MADE_UP}: " if shown.synthetic else ""
    return PlanningView(
        kind=KIND,
        title=f"{made_up}{KIND}, {plural(len(shown.builds.shown), 'build')}",
        state=shown.state,
        run=_run_line(shown),
        chips=(MADE_UP,) if shown.synthetic else (),
        level=_level(shown),
        headline=headline(shown),
        lede=lede(shown),
        trend=trend(shown),
        asides=asides(shown),
        answers=answers(shown),
        builds=by_build(shown),
        ledger=ledger(shown),
        labels=label_table(shown),
        assumptions_title=heading,
        assumptions=waiting,
        grounds=grounds(shown),
        footer=footer(shown, command),
    )


def _run_line(shown: PlanningShown) -> tuple[Words, ...]:
    n = len(shown.builds.shown)
    parts = [words("{}", plural(n, "build"))]
    if n > 1:
        first, last = shown.builds.shown[0], shown.builds.shown[-1]
        parts.append(words("{} to {}", build_name(first), strong(build_name(last))))
    parts.append(words("labels {}", cut_name(shown.labels)) if shown.labels is not None else words("no labels"))
    return tuple(parts)


def _level(shown: PlanningShown) -> str:
    days = [build.facts.created_at for build in shown.builds.shown if build.facts.created_at is not None]
    when = f"{date(max(days))}. " if days else ""
    return f"{when}Ranges are {percent(shown.level)} intervals."


def ledger(shown: PlanningShown) -> Ledger:
    """Return every forecast with its first verdict, and how they have done."""
    lines, done = shown.record.forecasts, shown.record.calibration
    if not lines:
        return Ledger(
            "No forecast is sealed yet", "What is not written down before the run cannot be held against it.", (), None
        )
    title = f"{plural(len(lines), 'forecast')} sealed, none judged yet"
    if done.judged:
        title = held_words(done)
    elif any(line.first is not None for line in lines):
        why = "none judged with nothing allowed by name" if done.allowed else "none judged before the fact"
        title = f"{plural(len(lines), 'forecast')} sealed, {why}"
    hidden = len(lines) - LEDGER_ROWS
    older = f" {plural(hidden, 'older forecast')} not shown." if hidden > 0 else ""
    return Ledger(
        title=title,
        intro=f"The first verdict with nothing allowed by name counts. A revision stands by what it revises.{older}",
        rows=tuple(ledger_row(line) for line in lines[-LEDGER_ROWS:]),
        after=calibration_words(done),
    )
