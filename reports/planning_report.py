"""The planning report: one HTML file about all builds, forecasts and label sets of a store."""

from __future__ import annotations

from collections.abc import Sequence

from reports.html import render
from reports.links import Related
from reports.view.planning import planning_view
from reports.view.planning_shown import PlanningShown

_STYLES = ("palette.css", "page.css", "attribution.css", "print.css", "forecast.css", "planning.css")


def render_planning(shown: PlanningShown, *, command: str, related: Sequence[Related] = ()) -> str:
    """Return the planning report as one self-contained HTML page. The same input gives the same bytes.

    Args:
        shown: builds, forecasts and labels.
        command: the command that makes the report again.
        related: the reports beside it.
    """
    return render("planning.html", styles=_STYLES, view=planning_view(shown, command=command), related=related)
