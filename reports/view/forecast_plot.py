"""The picture of a forecast: pass rate against recall, what was seen in ink, what is projected in teal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attribution.statistics.interval import Interval
from reports.numbers import rate, rate_range
from reports.view.forecast_claims import place_of
from reports.view.forecast_frame import HEIGHT, Frame, frame_of, levels, ticks
from reports.view.forecast_marks import dots, goal, target
from reports.view.forecast_parts import Plot
from reports.view.forecast_shown import ForecastShown

_STEPS = 40


def plot(shown: ForecastShown) -> Plot | None:
    """Return the picture; None where a rate that it hangs on has no cases."""
    forecast = shown.forecast
    rates = (forecast.with_gold, forecast.without_gold, forecast.recall, forecast.projection, forecast.passed)
    if any(each.estimate is None for each in rates):
        return None
    frame = frame_of(shown)
    here = [frame.left + (1.0 - frame.left) * i / _STEPS for i in range(_STEPS + 1)]
    solid = (max(frame.left, shown.lowest), shown.highest)
    return Plot(
        height=HEIGHT,
        title=f"Projected pass rate against recall at {place_of(shown.forecast)}",
        description=_description(shown),
        levels=levels(frame),
        ticks=ticks(frame),
        next_run=_band(frame, here, shown.next_run),
        true_rate=_band(frame, here, shown.true_rate),
        solid=_line(frame, shown, *solid),
        dashed=tuple(
            path for path in (_line(frame, shown, frame.left, solid[0]), _line(frame, shown, solid[1], 1.0)) if path
        ),
        wrong=_wrong(frame, shown),
        dots=dots(frame, shown),
        target=target(frame, shown),
        goal=goal(frame, shown),
        axis=f"Recall at {place_of(shown.forecast)}",
    )


def _band(frame: Frame, here: Sequence[float], rate_at: Callable[[float], Interval]) -> str:
    limits = [rate_at(recall).bounds for recall in here]
    upper = [(recall, high) for recall, (_, high) in zip(here, limits, strict=True)]
    lower = [(recall, low) for recall, (low, _) in zip(here, limits, strict=True)]
    return frame.path([*upper, *reversed(lower)], closed=True)


def _line(frame: Frame, shown: ForecastShown, start: float, end: float) -> str:
    """Return the projection between two recalls: straight, but for a bend at today's where the recovered differ."""
    if end - start < 1e-9:
        return ""
    now = shown.forecast.recall.estimate or 0.0
    bends = [start, *([now] if start < now < end else []), end]
    return frame.path([(recall, shown.true_rate(recall).estimate or 0.0) for recall in bends])


def _wrong(frame: Frame, shown: ForecastShown) -> tuple[str, ...]:
    """Return where a run with the recall delivered ends the claim: beyond the next run's band and the budget both."""
    if shown.delivered is None:
        return ()
    start = max(frame.left, shown.delivered)
    here = [start + (1.0 - start) * i / _STEPS for i in range(_STEPS + 1)]
    centre, budget = shown.forecast.projection.estimate or 0.0, shown.forecast.budget
    limits = [shown.next_run(recall).bounds for recall in here]
    under = [(recall, min(low, centre - budget)) for recall, (low, _) in zip(here, limits, strict=True)]
    over = [(recall, max(high, centre + budget)) for recall, (_, high) in zip(here, limits, strict=True)]
    return tuple(
        frame.path([*edge, (1.0, outside), (start, outside)], closed=True)
        for edge, outside in ((under, frame.bottom), (over, frame.top))
        if any(frame.bottom < passed < frame.top for _, passed in edge)
    )


def _description(shown: ForecastShown) -> str:
    forecast = shown.forecast
    said = (
        f"A line from {rate(forecast.passed.estimate or 0.0, 3)} at today’s recall of "
        f"{rate(forecast.recall.estimate or 0.0)} to {rate(forecast.projection.estimate or 0.0, 3)} "
        f"({rate_range(*forecast.projection.bounds)}) at recall {rate(shown.aim)} and "
        f"{rate(shown.true_rate(1.0).estimate or 0.0, 3)} at full recall. The band for the next run is wider. "
        "The arithmetic below has the same numbers."
    )
    if shown.verdict is None:
        return said
    came = shown.verdict
    return (
        f"{said} The run that came after shows {rate(came.observed_pass.estimate or 0.0, 3)} at recall "
        f"{rate(came.recall_observed)}."
    )
