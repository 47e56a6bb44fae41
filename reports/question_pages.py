"""A page for each failed answer, which the rows of the attribution report link to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attribution.results import QuestionTrace, RunFacts
from reports.html import render
from reports.safe_text import file_names
from reports.view.failures import is_repeated
from reports.view.question import question_view

_STYLES = ("page.css", "question.css", "print.css")


def question_files(traces: Sequence[QuestionTrace], folder: Path, report: Path) -> list[Path]:
    """Return where the page of each answer goes: named by its question and, where any was repeated, by its number.

    None takes the name of the report, which may lie in the same folder.
    """
    repeated = is_repeated(traces)
    names = [f"{trace.query_id}-{trace.repeat + 1}" if repeated else trace.query_id for trace in traces]
    _, *own = file_names([report.stem, *names])
    return [folder / f"{name}.html" for name in own]


def render_question(trace: QuestionTrace, facts: RunFacts, *, name: str, report: str) -> str:
    """Return one failed answer as a self-contained HTML page without any script. The same input gives the same bytes.

    Args:
        trace: the answer with its lists.
        facts: the run.
        name: what the answer is called in the report.
        report: link to the report.
    """
    return render("question.html", styles=_STYLES, view=question_view(trace, facts, name=name, report=report))
