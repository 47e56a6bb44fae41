"""The plane a forecast is drawn on: recall across, pass rate down.

Across, places are per cent of the width, or thousandths in the paths; down, they are pixels. So text keeps its size
at any width, and only curves stretch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from attribution.statistics.interval import Interval
from reports.numbers import FEW_BELOW, place, rate
from reports.view.forecast_parts import Level
from reports.view.forecast_shown import ForecastShown
from reports.view.parts import Tick

HEIGHT = 344
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of the plane that is shown: recall from ``left`` to 1, pass rate from ``bottom`` to ``top``."""

    left: float
    bottom: float
    top: float

    def across(self, recall: float) -> float:
        """Return where a recall stands, 0 to 1."""
        return min(1.0, max(0.0, (recall - self.left) / (1.0 - self.left)))

    def down(self, passed: float) -> float:
        """Return where a pass rate stands, in pixels from the top."""
        return HEIGHT * min(1.0, max(0.0, (self.top - passed) / (self.top - self.bottom)))

    def x(self, recall: float) -> str:
        """Return where a recall stands, in per cent."""
        return place(self.across(recall))

    def y(self, passed: float) -> str:
        """Return where a pass rate stands, as an attribute takes it."""
        return pixels(self.down(passed))

    def path(self, points: Iterable[Point], *, closed: bool = False) -> str:
        """Return the path through points of recall and pass rate; of a single one, none."""
        places = [f"{pixels(1000 * self.across(x))} {pixels(self.down(y))}" for x, y in points]
        return f"M{'L'.join(places)}{'Z' if closed else ''}" if len(places) > 1 else ""


def pixels(y: float) -> str:
    """Return a height with at most one decimal."""
    return f"{y:.1f}".removesuffix(".0")


def _seen(shown: ForecastShown) -> list[tuple[float, Interval]]:
    """Return recall and pass rate of every run on the picture."""
    before = [(build.recall, build.attribution.passed) for build in shown.past]
    after = [(verdict.recall_observed, verdict.observed_pass) for verdict in shown.verdicts]
    return [(recall, passed) for recall, passed in (*before, *after) if recall is not None]


def frame_of(shown: ForecastShown) -> Frame:
    """Leave room for every run, both bands and the goal; recall always reaches 1, where the ceiling shows."""
    recalls = [recall for recall, _ in _seen(shown)] + [shown.lowest, *shown.forecast.recall_target]
    left = max(0.0, min(0.7, math.floor(10.0 * (min(recalls) - 0.03)) / 10.0))
    ends = [*shown.next_run(left).bounds, *shown.next_run(1.0).bounds]
    ends += [limit for _, passed in _seen(shown) for limit in limits_of(passed)]
    ends += [] if shown.goal is None else [shown.goal]
    bottom = max(0.0, math.floor(20.0 * (min(ends) - 0.01)) / 20.0)
    top = min(1.0, math.ceil(20.0 * (max(ends) + 0.01)) / 20.0)
    return Frame(left, bottom, top)


def limits_of(found: Interval) -> tuple[float, float]:
    """Return the range of a rate; of a few cases, the rate alone."""
    point = found.estimate or 0.0
    if found.n < FEW_BELOW or found.lower is None or found.upper is None:
        return point, point
    return found.lower, found.upper


def levels(frame: Frame) -> tuple[Level, ...]:
    """Return the ticks of the pass rate."""
    step = 0.05 if frame.top - frame.bottom <= 0.25 else 0.1 if frame.top - frame.bottom <= 0.5 else 0.2
    first, last = math.ceil(frame.bottom / step - 1e-9), math.floor(frame.top / step + 1e-9)
    return tuple(Level(frame.y(i * step), _tick(i * step)) for i in range(first, last + 1))


def _tick(value: float) -> str:
    return "1" if value > 0.999 else "0" if value < 0.001 else rate(value)


def ticks(frame: Frame) -> tuple[Tick, ...]:
    """Return the ticks of recall."""
    step = 0.1 if frame.left > 0.35 else 0.2
    count = round((1.0 - frame.left) / step)
    places = [1.0 - i * step for i in range(count + 1) if 1.0 - i * step >= frame.left - 1e-9]
    return tuple(Tick(frame.x(r), _tick(r), "middle") for r in reversed(places))
