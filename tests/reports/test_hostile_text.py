"""Hostile text in every field at once: the page keeps its own elements and gains none."""

from __future__ import annotations

import csv
import functools
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from attribution.results import QuestionTrace, RunFacts, Source, StageOrigin, Warn
from reports import html
from reports.attribution_report import failures_csv, render_attribution, render_broken
from tests.reports import made, made_traces
from tests.reports.pages import Page

PAYLOADS: list[str] = json.loads((Path(__file__).parents[1] / "data" / "payloads.json").read_text("utf-8"))["payloads"]
ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "script", "island", "header", "main", "section", "footer",
    "div", "p", "span", "b", "i", "q", "code", "small", "br", "h1", "h2", "h3", "ul", "ol", "li", "dl", "dt", "dd",
    "details", "summary", "table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td",
    "bdi", "svg", "defs", "pattern", "g", "rect", "line", "circle", "path", "text", "use",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "id", "type", "aria-label", "aria-hidden", "scope",
    "colspan", "dir", "hidden", "value", "fill", "stroke", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "d",
    "width", "height", "href", "text-anchor", "overflow", "patternunits", "patterntransform", "fill-opacity",
    "font-size",
}  # fmt: skip
FREE_ATTRIBUTES = {"content", "d"}


def hostile_facts(text: str) -> RunFacts:
    sha = "0" * 64
    return RunFacts(
        run=text, build=text, created_at=made.DAY, model=text, prompt=text, index_size=5,
        synthetic=text, stages=[text + "1", text + "2", text + "absent"], judges=[text, text + "b"], pass_rules=[text],
        origins=[StageOrigin(stage=text, inferred_by=text, lists=4)],
        sources=[Source(name=text, kind=text, sha256=sha, records=1, quarantined=0, loaded_at=made.DAY)],
    )  # fmt: skip


def hostile_traces(text: str, stages: tuple[str, ...]) -> list[QuestionTrace]:
    """Return failures with the text in every field and every document."""
    traces = []
    for number, trace in enumerate(made_traces.traces({text: [(9, 1), (8, 1), (7, 1)]}, stages)):
        lists = [
            entry.model_copy(
                update={
                    "inferred_by": text,
                    "complete": False,
                    "documents": [
                        doc.model_copy(
                            update={"doc_id": f"{text}{doc.rank}", "title": text if number % 2 else None, "text": text}
                        )
                        for doc in entry.documents
                    ],
                }
            )
            for entry in trace.stages
        ]
        told = {
            "query_id": f"{text}{number}",
            "query": text,
            "intent": text,
            "answer": text,
            "judge": text,
            "reason": text,
        }
        traces.append(trace.model_copy(update=told | {"gold": [f"{text}gold"], "stages": lists}))
    return traces


def hostile_page(text: str) -> str:
    stages = (f"{text}1", f"{text}2")
    found = made.attribution(
        {text: [(40, 10), (30, 10), (9, 90)], None: [(4, 1), (3, 1), (9, 20)]},
        stages,
        field=text,
        run=text,
        labels=made.labels(name=text, kinds=[text]),
        warnings=[Warn(code=text, message=text, questions=3)],
    )
    return render_attribution(
        found, hostile_facts(text), hostile_traces(text, stages), command=text, failures_file=text
    ).page


@functools.cache
def plain_tags(length: int) -> Counter[str]:
    """Return the elements of the page with harmless text, which has fewer where texts of such length leave no room."""
    return own_tags(Page(hostile_page("x" * length)))


def own_tags(page: Page) -> Counter[str]:
    own = [(tag, attrs) for tag, attrs in page.elements if attrs.get("class") not in {"ctl", "more"}]
    return Counter(tag for tag, _ in own)


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(24))
def test_the_page_has_the_elements_it_would_have_anyway(payload: str) -> None:
    text = hostile_page(payload)
    page = Page(text)
    assert own_tags(page) == plain_tags(8 if len(payload) < 1000 else len(payload))
    assert set(page.tags) <= ELEMENTS
    assert {name for _, attrs in page.elements for name in attrs} <= ATTRIBUTES
    assert page.raw["script"] == [html.asset("rows.js") + "\n" + html.asset("failures.js")]
    assert len(page.raw["style"]) == 1
    values = [value for _, attrs in page.elements for name, value in attrs.items() if name not in FREE_ATTRIBUTES]
    assert max(map(len, values)) < 40
    assert not [value for value in values if "document" in value or "javascript" in value]
    text.encode("utf-8")
    assert "\x1b" not in text
    assert "\x00" not in text


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(24))
def test_the_page_of_a_fault_is_as_safe(payload: str) -> None:
    page = Page(render_broken(payload, payload, payload))
    assert own_tags(page) == own_tags(Page(render_broken("a", "b", "c")))
    assert page.tags["script"] == 0


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(24))
def test_no_cell_of_the_csv_starts_a_formula(payload: str) -> None:
    text = failures_csv(hostile_traces(payload, (f"{payload}1", f"{payload}2")))
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) == 25
    assert {len(row) for row in rows} == {10}
    assert not [cell for row in rows for cell in row if cell.lstrip()[:1] in set("=+-@|%\uff1d")]
    text.encode("utf-8")


def test_a_control_character_is_seen_not_obeyed() -> None:
    page = Page(hostile_page("user\u202egnp.exe"))
    assert "userU+202Egnp.exe" in page.text
    assert "\u202e" not in page.html
