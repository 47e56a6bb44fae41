"""Results in a notebook: the tables and words of the terminal and the pictures of the reports, as inert HTML.

``%load_ext foundlost`` shows every result this way from then on; ``show(result)`` shows one anywhere. Results do not
know how they are shown, since what comes before the reports must not depend on them, so showing is switched on here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from attribution.forecasts.sealed import seal_of
from attribution.results import (
    Attribution,
    Comparison,
    Forecast,
    ForecastRecord,
    Gate,
    MetricCurve,
    Metrics,
    Projection,
    Result,
    Sealed,
    VerdictFound,
)
from reports.notebook_pictures import picture_of
from reports.safe_text import show as shown
from reports.text.attribution import print_attribution
from reports.text.comparison import print_comparison
from reports.text.forecast import print_forecast, print_record, print_verdict
from reports.text.gate import print_gate
from reports.text.metrics import print_curve, print_metrics
from reports.text.projection import print_projection
from reports.text.table import CELL_LENGTH, LINE_LENGTH, Printed, recorded
from traces.errors import UsageError

PRINTERS: dict[type[Result], Callable[[Any], None]] = {
    Attribution: print_attribution,
    Projection: print_projection,
    Comparison: print_comparison,
    Metrics: print_metrics,
    MetricCurve: print_curve,
    Sealed: print_forecast,
    Forecast: lambda forecast: print_forecast(seal_of(forecast)),
    VerdictFound: print_verdict,
    ForecastRecord: print_record,
    Gate: print_gate,
}


class Shown:
    """A result as a notebook shows it; a host that shows no HTML gets the result's own text."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self._html = html_of(result)

    def _repr_html_(self) -> str:
        return self._html

    def __repr__(self) -> str:
        return repr(self.result)


def show(result: Result) -> Shown:
    """Return a result so that a notebook shows it as tables.

    Raises:
        UsageError: it is none of the results that are printed.
    """
    return Shown(result)


def html_of(result: Result) -> str:
    """Return a result as HTML: its picture, if it has one, paragraphs and tables, without script, style or link.

    Raises:
        UsageError: it is none of the results that are printed.
    """
    printer = PRINTERS.get(type(result))
    if printer is None:
        known = ", ".join(kind.__name__ for kind in PRINTERS)
        raise UsageError("not-shown", f"a {type(result).__name__} has no tables", hint=f"there are {known}")
    with recorded() as kept:
        printer(result)
    told = Markup("").join(_html(each) for each in kept)
    return str(Markup("<div>{}{}</div>").format(picture_of(result), told))


def _html(printed: Printed) -> Markup:
    if printed.head:
        return _table(printed)
    if not printed.text:
        return Markup("")
    text = shown(printed.text, LINE_LENGTH)
    return Markup("<p><small>note: {}</small></p>").format(text) if printed.note else Markup("<p>{}</p>").format(text)


def _table(printed: Printed) -> Markup:
    head = Markup("").join(Markup('<th scope="col">{}</th>').format(shown(name)) for name in printed.head)
    rows = [
        Markup("<tr>{}</tr>").format(
            Markup("").join(Markup("<td>{}</td>").format(shown(cell, CELL_LENGTH)) for cell in row)
        )
        for row in printed.rows
    ]
    body = Markup("").join(rows)
    return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(head, body)


def enable(ipython: Any = None) -> None:
    """Show every result as tables in this notebook.

    Args:
        ipython: the interactive shell; None for the one that is running.

    Raises:
        UsageError: none is running.
    """
    for kind in PRINTERS:
        _formatter(ipython).for_type(kind, html_of)


def disable(ipython: Any = None) -> None:
    """Show results as any other object again."""
    for kind in PRINTERS:
        _formatter(ipython).pop(kind, None)


def _formatter(ipython: Any) -> Any:
    if ipython is None:
        # A shell that runs has been imported; where none has, importing it would not start one.
        running = sys.modules.get("IPython")
        ipython = running.get_ipython() if running is not None else None
    if ipython is None:
        raise UsageError("no-notebook", "no interactive shell is running", hint="use this in Jupyter or IPython")
    return ipython.display_formatter.formatters["text/html"]
