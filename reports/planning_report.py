"""The planning report: one HTML file about all builds, forecasts and label sets of a store."""

from __future__ import annotations

from collections.abc import Sequence

from reports.data import PlanningData, planning_data
from reports.html import render
from reports.links import Related
from reports.rendered import Rendered
from reports.view.planning import planning_view
from reports.view.planning_shown import PlanningShown
from reports.view.summary import planning_summary

_STYLES = ("palette.css", "page.css", "attribution.css", "print.css", "forecast.css", "planning.css")


def render_planning(shown: PlanningShown, *, command: str, related: Sequence[Related] = ()) -> Rendered[PlanningData]:
    """Return the planning report: one self-contained HTML page, its data, and what it says in short.

    The same input gives the same bytes.

    Args:
        shown: builds, forecasts and labels.
        command: the command that makes the report again.
        related: the reports beside it.
    """
    data = planning_data(shown, command)
    view = planning_view(shown, command=command)
    page = render("planning.html", styles=_STYLES, data=data.to_dict(), view=view, related=related)
    return Rendered(page, data, planning_summary(view))
