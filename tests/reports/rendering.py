"""Renders made-up results, for the tests to read."""

from __future__ import annotations

from attribution.results import Attribution, QuestionTrace, RunFacts
from reports.attribution_report import render_attribution
from tests.reports import made, made_traces
from tests.reports.pages import Page

COMMAND = "foundlost report attribution b127 -o b127.html"


def render(
    found: Attribution | None = None,
    failures: list[QuestionTrace] | None = None,
    facts: RunFacts | None = None,
    **options: object,
) -> str:
    found = found or made.attribution()
    failures = made_traces.traces() if failures is None else failures
    return render_attribution(found, facts or made.facts(), failures, command=COMMAND, **options).page  # type: ignore[arg-type]


def page(*args: object, **options: object) -> Page:
    return Page(render(*args, **options))  # type: ignore[arg-type]


def headline(found: Attribution, failures: list[QuestionTrace] | None = None) -> str:
    html = render(found, failures or [])
    return Page(html[html.index("<h1>") : html.index("</h1>")]).text
