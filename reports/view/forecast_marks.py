"""The marks on the picture of a forecast: runs, the forecast itself, and the goal."""

from __future__ import annotations

from attribution.statistics.interval import Interval
from reports.numbers import rate, rate_range
from reports.view.forecast_frame import Frame, limits_of, pixels
from reports.view.forecast_parts import PlotDot, PlotGoal, PlotTarget
from reports.view.forecast_shown import ForecastShown
from reports.wording import cut_name

_APART = 0.07
_SIDE = 0.4
_LINE = 18
_TOP = 12


def dots(frame: Frame, shown: ForecastShown) -> tuple[PlotDot, ...]:
    """Return the runs: builds of the past, today's, and what came after; past ones that crowd go without a label."""
    forecast = shown.forecast
    now = forecast.recall.estimate or 0.0
    taken = [frame.across(now), *(frame.across(verdict.recall_observed) for verdict in shown.verdicts)]
    found = []
    for build in shown.past:
        if build.run == forecast.run or build.recall is None:
            continue
        at = frame.across(build.recall)
        label = cut_name(build.facts.build or build.run) if all(abs(at - each) > _APART for each in taken) else None
        taken.append(at)
        found.append(_dot(frame, "past", build.recall, build.attribution.passed, label, above=False))
    found.append(
        _dot(frame, "now", now, forecast.passed, f"Now {rate(forecast.passed.estimate or 0.0, 3)}", above=True)
    )
    for verdict in shown.verdicts:
        main = verdict == shown.verdict
        label = f"Came out {rate(verdict.observed_pass.estimate or 0.0, 3)}" if main else None
        kind = "after" if main else "past"
        above = main and _came_out_above(frame, shown)
        found.append(_dot(frame, kind, verdict.recall_observed, verdict.observed_pass, label, above=above))
    return tuple(found)


def _came_out_above(frame: Frame, shown: ForecastShown) -> bool:
    """Return whether what came out stands above the forecast and near it: their names then go to the outer sides."""
    if shown.verdict is None:
        return False
    came, expected = shown.verdict.observed_pass.estimate or 0.0, shown.forecast.projection.estimate or 0.0
    return came > expected and abs(frame.across(shown.verdict.recall_observed) - frame.across(shown.aim)) < _SIDE


def _dot(frame: Frame, kind: str, recall: float, passed: Interval, label: str | None, *, above: bool) -> PlotDot:
    lower, upper = limits_of(passed)
    return PlotDot(
        kind=kind,
        x=frame.x(recall),
        y=frame.y(passed.estimate or 0.0),
        top=frame.y(upper),
        bottom=frame.y(lower),
        label=label,
        label_y=pixels(max(frame.down(upper) - 9, _TOP) if above else frame.down(lower) + 17),
        anchor=_anchor(frame.across(recall)),
    )


def _anchor(at: float) -> str:
    return "start" if at < 0.06 else "end" if at > 0.9 else "middle"


def target(frame: Frame, shown: ForecastShown) -> PlotTarget:
    """Return the forecast with its range; named above it, or under it where there is no room."""
    forecast = shown.forecast
    lower, upper = forecast.projection.bounds
    top = frame.down(upper)
    lines = (f"Forecast {rate(forecast.projection.estimate or 0.0, 3)}", f"({rate_range(lower, upper)})")
    above = top > 42 and not _came_out_above(frame, shown)
    heights = (top - 27, top - 11) if above else (frame.down(lower) + 17, frame.down(lower) + 33)
    return PlotTarget(
        x=frame.x(shown.aim),
        y=frame.y(forecast.projection.estimate or 0.0),
        top=pixels(top),
        bottom=frame.y(lower),
        labels=tuple((text, pixels(y)) for text, y in zip(lines, heights, strict=True)),
        anchor=_anchor(frame.across(shown.aim)),
    )


def goal(frame: Frame, shown: ForecastShown) -> PlotGoal | None:
    """Return the goal and the recall it takes; None where nothing is asked for."""
    if shown.goal is None:
        return None
    y = frame.down(shown.goal)
    x_label, y_label, anchor = _goal_label(frame, shown, y)
    label = f"Goal {rate(shown.goal)}" if shown.target is not None else f"Worth it from {rate(shown.goal, 3)}"
    need = shown.needed
    known = need is not None and need.attainable and need.estimate is not None and need.estimate >= frame.left
    if not known or need is None or need.estimate is None or need.lower is None or need.upper is None:
        return PlotGoal(pixels(y), label, y_label, x_label, anchor, None, None, None, None)
    ends = f"{rate(need.lower)}{'–1 or never' if need.upper_open else '–' + rate(need.upper)}"
    return PlotGoal(
        y=pixels(y),
        label=label,
        label_y=y_label,
        label_x=x_label,
        anchor=anchor,
        x=frame.x(need.estimate),
        left=frame.x(need.lower),
        right=frame.x(need.upper),
        need=f"takes recall {rate(need.estimate)} ({ends})",
    )


def _goal_label(frame: Frame, shown: ForecastShown, y: float) -> tuple[str, str, str]:
    """Return where the goal is named: over its line or under it, left or right, wherever no other label stands."""
    runs, aim = dots(frame, shown), target(frame, shown)
    marks = [(dot.x, height) for dot in runs if dot.label is not None for height in (dot.y, dot.label_y)]
    marks += [(aim.x, height) for height in (aim.y, *(height for _, height in aim.labels))]
    for height in (y - 7.0, y + 15.0):
        for anchor, x, left, right in (("start", "6", 0.0, _SIDE), ("end", "100%", 1.0 - _SIDE, 1.0)):
            taken = [mark for at, mark in marks if left <= float(at.removesuffix("%")) / 100.0 <= right]
            if all(abs(float(mark) - height) >= _LINE for mark in taken):
                return x, pixels(height), anchor
    return "6", pixels(y - 7.0), "start"
