"""Hostile text in every field, through the real commands, and out by every way there is: inert in all of them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser  # noqa: TC002 - as the fixture is

from reports.safe_text import plain
from tests.attribution.made_runs import trace, write_lines
from tests.reports.hostile import STEERING, TEXTS, Hostile, file_of, names
from tests.reports.pages import Page
from tests.reports.test_browser import Visit, browser
from tests.reports.test_forecast_report import FIGURE, FIGURE_ATTRIBUTES
from tests.reports.test_gate_files import MARKDOWN, check_against_schema, spans
from tests.reports.test_hostile_text import ATTRIBUTES, ELEMENTS
from tests.test_command import foundlost

__all__ = ["browser"]
NAMES = names()
FORMULAS = set("=+-@|%\t\r\uff1d\uff0b\uff0d\uff20")


@pytest.fixture(scope="module", params=NAMES, ids=range(len(NAMES)))
def hostile(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    """Return a store for each name, after every command has been run on it."""
    world = Hostile(tmp_path_factory.mktemp("hostile"), request.param)
    write_all(world)
    return world


def write_all(world: Hostile) -> None:
    """Run what reads a store, with every file there is to write, under hostile names."""
    name, before, after = world.name, world.before, world.after
    labels, judge, file = f"--labels={name}", f"--judge={name}j", file_of(name)
    world.run("forecast", "verify", "--", name, after)
    for words in (
        ("runs",), ("runs", "--json"), ("show", "--", before), ("show", labels, judge, "--", before, "q7"),
        ("attribute", labels, judge, "--by=intent", f"--by={name}", "--", before),
        ("attribute", labels, judge, "--json", "--", before),
        ("project", labels, judge, "--recall=.9", "--", before),
        ("compare", labels, judge, "--", before, after), ("curve", labels, "--", before),
        ("metrics", labels, f"--per-question={file}.csv", f"--against={after}", "--", before),
        ("forecast", "list"), ("forecast", "show", "--", name),
        ("report", "attribution", labels, judge, f"--output={file}.a.html", "--", before),
        ("report", "forecast", f"--output={file}.f.html", "--", name),
        ("report", "planning", labels, judge, f"--output={file}.p.html"),
        ("oracle", "export", labels, judge, f"--output={file}.oracle", "--", before),
    ):  # fmt: skip
        world.run(*words)
    (world.folder / f"{file}.rules").write_text("recall >= .99\npass >= .4\ndrop(pass) <= .5\n")
    for host in ("github", "gitlab"):
        world.run(
            "gate", labels, judge, f"--rules={file}.rules", f"--baseline={before}", "--by=intent", f"--by={name}",
            f"--junit={file}.xml", f"--markdown={file}.md", f"--annotations={host}", "--", after, code=1,
        )  # fmt: skip


def written(world: Hostile, ending: str) -> Path:
    return world.folder / f"{file_of(world.name)}{ending}"


def test_nothing_steers_the_terminal_or_the_log(hostile: Hostile) -> None:
    ours = re.compile(r"::(?:error|warning) (?:file=[^:]*,line=\d+,)?title=foundlost gate%3A")
    for done in hostile.printed:
        for line in (done.stdout + done.stderr).split("\n"):
            assert not STEERING.search(line), repr(line)
            if not line.startswith("{"):
                assert not line.lstrip().startswith("::") or ours.match(line), line
                assert not re.search(r"##\w*\[", line) or ours.match(line), line


@pytest.mark.parametrize("ending", [".a.html", ".f.html", ".p.html"])
def test_a_page_has_no_element_and_no_attribute_of_the_data(hostile: Hostile, ending: str) -> None:
    text = written(hostile, ending).read_text("utf-8")
    page = Page(text)
    assert set(page.tags) <= ELEMENTS | FIGURE
    attributes = [(name, value) for _, attrs in page.elements for name, value in attrs.items()]
    assert {name for name, _ in attributes} <= ATTRIBUTES | FIGURE_ATTRIBUTES
    assert all(re.fullmatch(r"#[a-z]+\d*", value) for name, value in attributes if name == "href")
    assert page.tags["script"] == (1 if ending == ".a.html" else 0)
    assert page.tags["style"] == 1
    assert not STEERING.search(text), STEERING.search(text)


def test_no_cell_of_a_csv_file_is_a_formula(hostile: Hostile) -> None:
    for ending in (".a.failures.csv", ".csv"):
        text = written(hostile, ending).read_text("utf-8")
        rows = list(csv.reader(text.splitlines(), strict=True))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) > 10
        assert not [
            cell
            for row in rows
            for cell in row
            if cell.lstrip(" \u00a0\u3000'\ufffd")[:1] in FORMULAS and not cell.startswith("'")
        ]
        assert not STEERING.search(text)


def test_markdown_shows_the_data_as_code_and_nothing_else(hostile: Hostile) -> None:
    tokens = MARKDOWN.parse(written(hostile, ".md").read_text("utf-8"))
    blocks = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    assert blocks <= {
        "heading",
        "inline",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "paragraph",
        "bullet_list",
        "list_item",
    }
    found = spans(tokens)
    assert {span.type for span in found} <= {"text", "code_inline", "softbreak"}
    assert plain(hostile.after, 200)[:40] in "".join(span.content for span in found if span.type == "code_inline")


def test_junit_holds_the_data_as_text(hostile: Hostile) -> None:
    root = ET.parse(written(hostile, ".xml")).getroot()  # noqa: S314 - our own
    check_against_schema(root)
    assert next(root.iter("testcase")).get("classname") == plain(f"foundlost.gate.{hostile.after}", 1000)
    assert not STEERING.search(
        "".join(value for each in root.iter() for value in (each.text or "", *each.attrib.values()))
    )


def test_files_for_programs_are_json_and_hold_what_was_read(hostile: Hostile) -> None:
    findings = json.loads((hostile.folder / "gl-code-quality-report.json").read_text("utf-8"))
    assert not [each for each in findings if STEERING.search(each["description"] + each["location"]["path"])]
    drawn = [json.loads(line) for line in written(hostile, ".oracle").read_text("utf-8").splitlines()]
    assert {each["query"] for each in drawn[1:]} <= set(TEXTS)
    assert json.loads((hostile.folder / "sealed.json").read_text("utf-8"))["forecast"]["name"] == hostile.name
    assert not list(hostile.folder.glob("*.partial"))


@pytest.mark.browser
def test_a_browser_runs_loads_and_says_nothing(browser: Browser, hostile: Hostile) -> None:
    for ending in (".a.html", ".f.html", ".p.html"):
        with Visit(browser, written(hostile, ending)) as visit:
            visit.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
            found = visit.page.evaluate(
                """[...document.querySelectorAll("*")].flatMap(e => [...e.attributes].map(a => [a.name, a.value]))
                .filter(([name, value]) => /^(on|src|action|style)/.test(name) || /^\\s*javascript:/i.test(value))"""
            )
            assert found == []
            assert visit.page.title().startswith("Made-up data: ")
            assert visit.noise == []
            assert visit.requests == [visit.url]


FIELDS: dict[str, Callable[[str], dict[str, Any]]] = {
    "query_id": lambda text: trace(text, ["a"], ["a"], ["a"], True),
    "query": lambda text: trace("q", ["a"], ["a"], ["a"], True, query=text),
    "doc_id": lambda text: trace("q", [text], ["a"], ["a"], True),
    "stage": lambda text: {"query_id": "q", "stages": {text: ["a"]}, "passed": True},
    "judge": lambda text: trace("q", ["a"], ["a"], ["a"], True, judge=text),
    "tag": lambda text: trace("q", ["a"], ["a"], ["a"], True, tags={text: text}),
}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("text", ["nul\x00", "\ud800half", ""])
def test_what_cannot_be_stored_is_refused_by_its_line_or_kept(field: str, text: str, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "t.jsonl", [FIELDS[field](text), trace("fine", ["a"], ["a"], ["a"], True)])
    done = foundlost("ingest", path.name, "--run", "r", cwd=tmp_path)
    told = done.stdout + done.stderr
    assert not STEERING.search(told)
    assert "Traceback" not in told
