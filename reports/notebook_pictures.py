"""The pictures of the reports in a notebook, which has no style sheet of ours: each mark carries its own colour."""

from __future__ import annotations

import hashlib
from typing import Any

from markupsafe import Markup

from attribution.forecasts.record import calibration
from attribution.forecasts.sealed import seal_of
from attribution.results import Attribution, Forecast, ForecastRecord, Result, Sealed
from reports.builds import Builds
from reports.html import environment
from reports.view.cascade import cascade
from reports.view.forecast import picture
from reports.view.forecast_shown import ForecastShown
from reports.view.headline import state_of
from reports.view.shares import unit_of


def picture_of(result: Result) -> Markup:
    """Return the picture of a result as HTML; nothing for a result that has none in the reports either."""
    if isinstance(result, Attribution):
        return _cascade(result)
    if isinstance(result, Forecast):
        return _plot(seal_of(result))
    return _plot(result) if isinstance(result, Sealed) else Markup("")


def _macros(template: str) -> Any:
    return environment().get_template(template).module


def _cascade(found: Attribution) -> Markup:
    view = cascade(found, state_of(found), unit_of(found))
    # Two attributions on one page have grid lines at other places: each refers to its own.
    lines = f"grid-{hashlib.sha256(found.to_json().encode()).hexdigest()[:8]}"
    hatch = _macros("marks.html").hatch()
    return Markup("{}{}").format(hatch, _macros("cascade.html").cascade(view, lines))


def _plot(sealed: Sealed) -> Markup:
    """Return the picture of a forecast from what is sealed alone: a notebook shows a result, not a store."""
    shown = picture(
        ForecastShown(
            sealed=sealed,
            verdict=None,
            verdicts=[],
            builds=Builds(shown=(), apart={}, dated=False),
            family=[],
            record=ForecastRecord(forecasts=[], calibration=calibration([]), warnings=[]),
            synthetic=None,
            target=None,
        )
    )
    if shown.plot is None:
        return Markup("")
    draw = _macros("plot.html")
    title = Markup("<p><b>{}</b><br>{}</p>").format(shown.title, shown.intro)
    return Markup("{}{}{}{}").format(draw.hatch_wrong(), title, draw.plot_keys(shown.keys), draw.plot(shown.plot))
