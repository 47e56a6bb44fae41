"""Markdown for comments and job summaries: tables, and a report in short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reports.safe_text import markdown as code
from reports.safe_text import markdown_prose
from reports.view.parts import Answer
from reports.view.summary import Summary, Table, full_report
from reports.wording import Piece, Words

_COMMAND = 1_000


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; every cell is Markdown already."""
    return [_row(heads), f"|{'---|' * len(heads)}", *(_row(row) for row in rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def say(words: Words) -> str:
    """Return a sentence as Markdown; whatever text from the data is in it stays text."""
    return "".join(_piece(piece) for piece in words)


def _piece(piece: Piece) -> str:
    if piece.kind == "code":
        return code(piece.text, _COMMAND)
    text = _spaced(piece.text)
    return f"**{text}**" if piece.kind == "strong" and text.strip() else text


def _spaced(text: str) -> str:
    """Return text made safe, with the blanks at its ends that part it from its neighbours."""
    before, after = (" " if found else "" for found in (text[:1].isspace(), text[-1:].isspace()))
    safe = markdown_prose(text)
    return f"{before}{safe}{after}" if safe else before


def summary(report: Summary, *, file: str) -> str:
    """Return a report in short as Markdown, for a comment on a pull request.

    Args:
        report: what it says.
        file: name of the file with all of it.
    """
    top = [f"**{report.kind}**", *report.chips, *(say(part) for part in report.run), markdown_prose(report.level)]
    lines = [f"### {markdown_prose(report.headline)}", "", " · ".join(top), "", say(report.lede)]
    for each in report.tables:
        lines += ["", *_table(each)]
    for aside in report.asides:
        lines += ["", f"**{markdown_prose(aside.first)}** {say(aside.rest)}"]
    for answer in report.answers:
        lines += ["", *_answer(answer)]
    foot = " · ".join(say(part) for part in report.footer)
    return "\n".join([*lines, "", "---", "", say(full_report(file)), "", foot]) + "\n"


def _table(found: Table) -> list[str]:
    rows = [[say(cell) for cell in row] for row in found.rows]
    lines = [f"#### {markdown_prose(found.title)}", ""]
    lines += [] if found.intro is None else [markdown_prose(found.intro), ""]
    lines += table([markdown_prose(head) for head in found.heads], rows)
    return lines if found.more is None else [*lines, "", found.more]


def _answer(answer: Answer) -> list[str]:
    lines = [f"#### {markdown_prose(answer.question)}"]
    if answer.figure:
        note = f" {markdown_prose(answer.figure_note)}" if answer.figure_note else ""
        lines += ["", f"**{markdown_prose(answer.figure)}**{note}"]
    for paragraph in answer.paragraphs:
        lines += ["", say(paragraph)]
    if answer.items:
        lines += ["", *(f"- {say(item)}" for item in answer.items)]
    return lines
