"""The report in short, as Markdown and as a mail: it says what the page says, and text in it stays text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from attribution.results import Warn
from reports.attribution_report import render_attribution
from reports.forecast_report import render_forecast
from reports.mail import mail
from reports.markdown import summary as markdown
from reports.planning_report import render_planning
from reports.safe_text import markdown_prose
from reports.view.summary import MOST_ROWS, Summary
from tests.reports import made, made_traces
from tests.reports.made_forecasts import hostile, judged_store, planned, shown
from tests.reports.pages import Page
from tests.reports.test_forecast_commands import folder, ran, seal
from tests.reports.test_gate_files import HOSTILE
from tests.reports.test_hostile_text import hostile_facts, hostile_traces
from tests.test_command import one_line

__all__ = ["folder"]
MARKDOWN = MarkdownIt("gfm-like", {"html": True, "linkify": False})
LIMIT = 65_536
MORE = [
    *filter(None, HOSTILE),
    "see !12, $34, ~bug, %7, &9, ^alert#1",
    ":tada:",
    "deadbeef12",
    "www.evil.example",
    "** x **",
    "a  b ",
]
REFERENCE = re.compile(r"@\w|[#!~^$&%]\d|#\w|~\w|\bGH-\d|https?://|\bwww\.|:\w+:|\b[0-9a-f]{7,40}\b", re.IGNORECASE)


def attribution(text: str) -> Summary:
    command = text.strip() or "c"
    stages = (f"{text}1", f"{text}2")
    found = made.attribution(
        {text: [(40, 10), (30, 10), (9, 90)]}, stages, field=text, run=text, labels=made.labels(name=text),
        warnings=[Warn(code=text, message=text, questions=3)],
    )  # fmt: skip
    traces = hostile_traces(text, stages)
    return render_attribution(found, hostile_facts(text), traces, command=command, failures_file=text).summary


@pytest.fixture(scope="module")
def forecasts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Summary]]:
    with judged_store(tmp_path_factory.mktemp("forms")) as store:
        told = shown(store)
        found = {"planning": render_planning(planned(store), command="c").summary}
        for text in ("plain", *MORE):
            found[text] = render_forecast(hostile(told, text), command=text.strip() or "c").summary
        yield found


def rendered(text: str) -> list[Any]:
    return [token for block in MARKDOWN.parse(text) for token in (block, *(block.children or ()))]


def shape(text: str) -> Counter[str]:
    """Return how many elements of each kind Markdown makes, apart from runs of text, code and what stands out."""
    runs = {"text", "text_special", "code_inline", "inline", "strong_open", "strong_close"}
    return Counter(token.type for token in rendered(text) if token.type not in runs)


def prose(text: str) -> str:
    """Return what code hosts look for references in: all text outside code."""
    return "\n".join(
        "".join(child.content if child.type in {"text", "text_special"} else " " for child in token.children)
        for token in MARKDOWN.parse(text)
        if token.children
    )


def check(text: str, plain: str) -> None:
    assert shape(text) == shape(plain)
    assert not {"html_inline", "html_block", "link_open", "image", "s_open"} & set(shape(text))
    assert [found[0] for found in REFERENCE.finditer(prose(text))] == []
    assert len(text) < LIMIT
    text.encode("utf-8")


@pytest.mark.parametrize("text", MORE, ids=range(len(MORE)))
def test_text_stays_text_in_markdown(text: str, forecasts: dict[str, Summary]) -> None:
    check(markdown(attribution(text), file="r.html"), markdown(attribution("plain"), file="r.html"))
    check(markdown(forecasts[text], file="r.html"), markdown(forecasts["plain"], file="r.html"))


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=60))
def test_any_text_is_one_run_of_text(text: str) -> None:
    line = f"| a {markdown_prose(text)} b | c |"
    table = f"| x | y |\n|---|---|\n{line}\n"
    assert shape(table) == shape("| x | y |\n|---|---|\n| a b | c |\n")
    assert REFERENCE.search(prose(table)) is None


@pytest.mark.parametrize("text", MORE, ids=range(len(MORE)))
def test_text_stays_text_in_a_mail(text: str, forecasts: dict[str, Summary]) -> None:
    for found, plain in ((attribution(text), attribution("plain")), (forecasts[text], forecasts["plain"])):
        page = Page(mail(found, file="r.html"))
        own = Counter(tag for tag, attrs in page.elements if attrs.get("class") not in {"ctl", "more"})
        assert own == Page(mail(plain, file="r.html")).tags
        assert not {"script", "island", "style", "img", "link", "svg", "a"} & set(own)
        names = {name for _, attrs in page.elements for name in attrs}
        assert names <= {"lang", "charset", "http-equiv", "content", "name", "class", "scope", "align", "border",
                         "cellpadding", "cellspacing"}  # fmt: skip
        assert "base64" not in page.html
        assert len(page.html.encode()) < 60_000


def test_both_say_what_the_page_says(forecasts: dict[str, Summary]) -> None:
    found = made.attribution()
    told = render_attribution(found, made.facts(), made_traces.traces(), projection=made.projection(found), command="c")
    page = Page(told.page).text
    letter = Page(mail(told.summary, file="r.html")).text
    note = prose(markdown(told.summary, file="r.html"))
    for sentence in (
        told.summary.headline,
        "Start with candidate retrieval.",
        "Where the evidence is lost",
        "What a fix is worth",
        "How sure we are",
        "What would prove it wrong",
        "Lost in rerank",
        "57% (48–66)",
        "If recall at the prompt goes from",
    ):
        assert sentence in page
        assert sentence in letter
        assert sentence in re.sub(r"\s+", " ", note)
    assert "| Answered right | 204 | Reached but failed: 28 failed | **24%** (17–32) |" in markdown(
        told.summary, file="r.html"
    )
    assert "The full report is r.html." in letter
    assert "The full report is `r.html`." in markdown(told.summary, file="r.html")
    plan = markdown(forecasts["planning"], file="p.html")
    assert "| Build | Questions | Pass rate; forecast |" in plan
    assert "“f”: **Held**" in plan
    judged = markdown(forecasts["plain"], file="f.html")
    assert "| If we see | Verdict |" in judged
    assert "| All | 400 | 283 |" in judged


def test_a_long_table_is_cut_and_says_so(tmp_path: Path) -> None:
    stages, by = made.many_stages(40)
    found = made.attribution(by, stages)
    note = markdown(render_attribution(found, made.facts(), [], command="c").summary, file="r.html")
    assert len([line for line in note.splitlines() if line.startswith("| ")]) == 1 + MOST_ROWS
    assert "more rows in the full report." in note


def test_the_files_are_written_beside_the_report(folder: Path) -> None:
    seal(folder)
    for words in (("attribution", "before"), ("forecast", "f"), ("planning",)):
        done = ran(folder, "report", *words, "-o", "r.html", "--markdown", "r.md", "--mail", "m.html")
        assert done.stdout.endswith("wrote r.md\nwrote m.html\n")
        assert (folder / "r.md").read_text(encoding="utf-8").startswith("### ")
        assert "The full report is r.html." in Page((folder / "m.html").read_text(encoding="utf-8")).text
        for file in ("r.html", "r.md", "m.html"):
            (folder / file).unlink()


def test_one_file_is_not_written_twice(folder: Path) -> None:
    for more in (("--mail", "r.html"), ("--markdown", "./r.failures.csv"), ("--markdown", "x", "--mail", "x")):
        done = ran(folder, "report", "attribution", "before", "-o", "r.html", *more, code=2)
        assert one_line(done).startswith("foundlost: cannot-write: two parts of the report are to go here")
        assert not (folder / "r.html").exists()
