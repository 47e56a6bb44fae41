"""The attribution report: one HTML file, its list of failures as CSV, and the page for input that could not be used."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from attribution.question_traces import AnswerKey
from attribution.results import Attribution, Projection, QuestionTrace, RunFacts
from reports.data import AttributionData, attribution_data
from reports.html import render
from reports.links import Related
from reports.rendered import Rendered
from reports.safe_text import cell, island
from reports.view.attribution import attribution_view
from reports.view.failures import in_order
from reports.view.summary import attribution_summary
from reports.wording import fate_words

_STYLES = ("palette.css", "page.css", "attribution.css", "print.css")
_COLUMNS = ("query_id", "repeat", "query", "intent", "lost_at", "reason", "gold_ranks", "gold", "answer", "judge")


def render_attribution(
    attribution: Attribution,
    facts: RunFacts,
    failures: Sequence[QuestionTrace],
    *,
    projection: Projection | None = None,
    command: str,
    failures_file: str = "failures.csv",
    pages: Mapping[AnswerKey, str] | None = None,
    related: Sequence[Related] = (),
) -> Rendered[AttributionData]:
    """Return the attribution report: one self-contained HTML page, its data, and what it says in short.

    The same input gives the same bytes.

    Args:
        attribution: the result to show.
        facts: the run it is about.
        failures: the failed answers with their lists, in any order; lists may be missing.
        projection: what a fix of recall is worth, if one was worked out.
        command: the command that makes the report again.
        failures_file: name of the CSV file with every failure, which the report points to when it lists only some.
        pages: links to the pages of failed answers, by question and repeat.
        related: the reports beside it.
    """
    data = attribution_data(attribution, facts, projection, command)
    carried = data.to_dict()
    view = attribution_view(
        attribution,
        facts,
        failures,
        projection=projection,
        command=command,
        failures_file=failures_file,
        pages=pages,
        data_bytes=len(island(carried)),
    )
    styles: tuple[str, ...] = _STYLES
    scripts: tuple[str, ...] = ("rows.js", "failures.js")
    if view.failures is None or len(view.failures.rows) == 1:
        scripts = ()
    elif view.failures.paged is not None:
        styles, scripts = (*_STYLES, "pager.css"), ("pager.js", "failures.js")
    page = render("attribution.html", styles=styles, scripts=scripts, data=carried, view=view, related=related)
    return Rendered(page, data, attribution_summary(view))


def render_broken(title: str, error_line: str, command: str, *, related: Sequence[Related] = ()) -> str:
    """Return the page that stands where a report should, when its input could not be used.

    Args:
        title: what the report would have been.
        error_line: what failed, where, and what to do about it.
        command: the command to run again after that.
        related: the reports beside it.
    """
    styles = ("palette.css", "page.css", "print.css")
    return render("broken.html", styles=styles, title=title, error_line=error_line, command=command, related=related)


def failures_csv(failures: Sequence[QuestionTrace]) -> str:
    """Return every failure as CSV, in the order of the report; no cell can start a formula.

    ``gold_ranks`` has one entry a stage, ``none`` where no document with the answer was there.
    """
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for trace in in_order(failures, _stage_order(failures)):
        writer.writerow([cell(value) for value in _cells(trace)])
    return out.getvalue()


def _cells(trace: QuestionTrace) -> tuple[object, ...]:
    lost_at = fate_words(trace.fate, trace.stage)
    ranks = " > ".join("none" if rank is None else str(rank) for rank in trace.gold_ranks)
    asked = (trace.query_id, trace.repeat, trace.query, trace.intent)
    return (*asked, lost_at, trace.reason, ranks, " ".join(trace.gold), trace.answer, trace.judge)


def _stage_order(failures: Sequence[QuestionTrace]) -> list[str]:
    """Return the stage names in pipeline order, from the traces' own lists."""
    return list(dict.fromkeys(entry.stage for trace in failures for entry in trace.stages))
