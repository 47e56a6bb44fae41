"""The forecast report: one HTML file about one sealed forecast, before the run that decides and after it."""

from __future__ import annotations

from collections.abc import Sequence

from reports.html import render
from reports.links import Related
from reports.view.forecast import forecast_view
from reports.view.forecast_shown import ForecastShown

_STYLES = ("palette.css", "page.css", "print.css", "forecast.css")


def render_forecast(shown: ForecastShown, *, command: str, related: Sequence[Related] = ()) -> str:
    """Return the forecast report as one self-contained HTML page. The same input gives the same bytes.

    Args:
        shown: the forecast, its verdicts, and what the store says of it.
        command: the command that makes the report again.
        related: the reports beside it.
    """
    return render("forecast.html", styles=_STYLES, view=forecast_view(shown, command=command), related=related)
