"""The planning report: one HTML file about all builds, forecasts and label sets of a store."""

from __future__ import annotations

from reports.html import render
from reports.view.planning import planning_view
from reports.view.planning_shown import PlanningShown

_STYLES = ("palette.css", "page.css", "attribution.css", "print.css", "forecast.css", "planning.css")


def render_planning(shown: PlanningShown, *, command: str) -> str:
    """Return the planning report as one self-contained HTML page. The same input gives the same bytes.

    Args:
        shown: builds, forecasts and labels.
        command: the command that makes the report again.
    """
    return render("planning.html", styles=_STYLES, view=planning_view(shown, command=command))
