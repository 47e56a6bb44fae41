"""Pass rate by build, with what was forecast of it beside what came."""

from __future__ import annotations

import math

from attribution.results import ForecastLine, Sealed
from attribution.statistics.interval import Interval
from reports.builds import Build
from reports.numbers import count, date, many, place, rate
from reports.view.forecast_ledger import told
from reports.view.parts import Tick, Whisker
from reports.view.planning_parts import Trend, TrendRow
from reports.view.planning_shown import PlanningShown, PlanningState
from reports.view.planning_words import build_name
from reports.view.rates import rate_words, two_rates
from reports.view.shares import has_range
from reports.wording import Words, cut_name, quoted, stage_words, strong, words

ROWS = 24
"""Builds on the picture, the newest; how many older ones there are is said."""


def trend(shown: PlanningShown) -> Trend | None:
    """Return the main picture; None where no build has labels or outcomes."""
    if shown.state in (PlanningState.no_runs, PlanningState.no_labels):
        return None
    builds = shown.builds.shown[-ROWS:]
    low, high, step = _scale(shown, list(builds))
    rows = [_row(shown, build, low, high) for build in builds]
    rows += [_waiting(sealed, low, high) for sealed in shown.pending]
    return Trend(
        title=_title(shown),
        intro=_intro(shown),
        heads=("Build", many(shown.noun).capitalize(), "Pass rate; forecast"),
        ticks=_ticks(low, high, step),
        goal=None if shown.target is None else place((shown.target - low) / (high - low)),
        rows=tuple(rows),
    )


def _title(shown: PlanningShown) -> str:
    """Return the heading of the picture: how far the pass rates lie apart."""
    rates = sorted(build.attribution.passed.estimate or 0.0 for build in shown.answered)
    if len(rates) < 2:
        return "Pass rate by build"
    low, high = two_rates(rates[0], rates[-1])
    return f"Pass rates of {count(len(rates))} builds lie between {low} and {high}"


def _intro(shown: PlanningShown) -> str:
    order = "by date" if shown.builds.dated else "in the order they were read"
    hidden = len(shown.builds.shown) - ROWS
    older = f" {count(hidden)} older {'is' if hidden == 1 else 'are'} not shown." if hidden > 0 else ""
    goal = f" The line is the goal, {rate(shown.target)}." if shown.target is not None else ""
    return f"Builds {order}. Ink is what came, teal what was forecast, each with its range.{goal}{older}"


def _scale(shown: PlanningShown, builds: list[Build]) -> tuple[float, float, float]:
    ends: list[float] = [] if shown.target is None else [shown.target]
    seen = [build.attribution.passed for build in builds if build.attribution.passed.n]
    seen += _forecasts(shown, builds)
    seen += [sealed.forecast.projection for sealed in shown.pending]
    for each in seen:
        ends += [end for end in (each.lower, each.upper, each.estimate) if end is not None]
    if not ends:
        return 0.0, 1.0, 0.5
    step = next((step for step in (0.05, 0.1, 0.2, 0.25) if max(ends) - min(ends) <= 4 * step), 0.25)
    low = max(0.0, math.floor(min(ends) / step + 1e-9) * step)
    high = min(1.0, math.ceil(max(ends) / step - 1e-9) * step)
    return low, max(high, low + step), step


def _forecasts(shown: PlanningShown, builds: list[Build]) -> list[Interval]:
    """Return the pass rates that were forecast of some builds."""
    lines = [line for build in builds for line in shown.judged_by(build.run)]
    return [line.forecast_pass for line in lines if line.forecast_pass is not None]


def _ticks(low: float, high: float, step: float) -> tuple[Tick, ...]:
    n = max(1, round((high - low) / step))
    return tuple(
        Tick(place(i / n), _text(low + i * (high - low) / n), "start" if i == 0 else "end" if i == n else "middle")
        for i in range(n + 1)
    )


def _text(value: float) -> str:
    return "0" if value < 0.001 else "1" if value > 0.999 else rate(value)


def _whisker(found: Interval, low: float, high: float) -> Whisker | None:
    if found.estimate is None:
        return None
    lower, upper = found.bounds if has_range(found) or found.count is None else (found.estimate, found.estimate)
    return Whisker(*(place((each - low) / (high - low)) for each in (lower, found.estimate, upper)))


def _row(shown: PlanningShown, build: Build, low: float, high: float) -> TrendRow:
    passed, lines = build.attribution.passed, shown.judged_by(build.run)
    drawn = [_whisker(each, low, high) for each in _forecasts(shown, [build])]
    return TrendRow(
        name=build_name(build),
        note=_note(build),
        total=count(passed.n) if passed.n else "–",
        seen=_whisker(passed, low, high) if passed.n else None,
        projected=tuple(each for each in drawn if each is not None),
        passed=rate_words(passed, stress=True) if passed.n else _only_recall(build),
        forecast=tuple(_forecast(line) for line in lines),
    )


def _note(build: Build) -> str:
    when = build.facts.created_at
    parts = [
        f"run {cut_name(build.run)}" if build.facts.build not in (None, build.run) else "",
        date(when) if when else "",
    ]
    return ", ".join(filter(None, parts))


def _only_recall(build: Build) -> Words:
    stages = build.attribution.stages
    if not stages or stages[-1].recall.estimate is None:
        return words("no outcomes")
    return words("no outcomes; recall at {} {}", stage_words(stages[-1].stage).place, rate_words(stages[-1].recall, 2))


def _forecast(line: ForecastLine) -> Words:
    said = told(line, line.first)
    if line.first is not None and not line.first.before_the_fact:
        said += ", sealed after the fact"
    forecast = words("–") if line.forecast_pass is None else rate_words(line.forecast_pass)
    return words("{} {}: {}", forecast, quoted(cut_name(line.name)), strong(said))


def _waiting(sealed: Sealed, low: float, high: float) -> TrendRow:
    forecast = sealed.forecast
    drawn = _whisker(forecast.projection, low, high)
    return TrendRow(
        name="Forecast, pending",
        note=f"from {cut_name(forecast.run)}, sealed {date(forecast.sealed_at)}",
        total="–",
        seen=None,
        projected=() if drawn is None else (drawn,),
        passed=words("not run yet"),
        forecast=(
            words("{} {}: {}", rate_words(forecast.projection), quoted(cut_name(forecast.name)), strong("Pending")),
        ),
    )
