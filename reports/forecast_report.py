"""The forecast report: one HTML file about one sealed forecast, before the run that decides and after it."""

from __future__ import annotations

from collections.abc import Sequence

from reports.data import ForecastData, forecast_data
from reports.html import render
from reports.links import Related
from reports.rendered import Rendered
from reports.view.forecast import forecast_view
from reports.view.forecast_shown import ForecastShown
from reports.view.summary import forecast_summary

_STYLES = ("palette.css", "page.css", "print.css", "forecast.css")


def render_forecast(shown: ForecastShown, *, command: str, related: Sequence[Related] = ()) -> Rendered[ForecastData]:
    """Return the forecast report: one self-contained HTML page, its data, and what it says in short.

    The same input gives the same bytes.

    Args:
        shown: the forecast, its verdicts, and what the store says of it.
        command: the command that makes the report again.
        related: the reports beside it.
    """
    data = forecast_data(shown, command)
    view = forecast_view(shown, command=command)
    page = render("forecast.html", styles=_STYLES, data=data.to_dict(), view=view, related=related)
    return Rendered(page, data, forecast_summary(view))
