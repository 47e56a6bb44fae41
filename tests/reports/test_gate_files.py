"""What a gate writes for other programs: each keeps its own shape whatever text the data brings along."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from attribution.results import Gate
from reports import gate_files
from reports.safe_text import markdown, plain
from tests.reports import made_gate

PAYLOADS: list[str] = json.loads((Path(__file__).parents[1] / "data" / "payloads.json").read_text("utf-8"))["payloads"]
MORE = [
    "a|b", "a\\|b", "a\\\\|b\\", "`code`", "``` fence ```", "| --- |", "@someone and @org/team", "#12 GH-12 org/repo#3",
    "[text](http://evil)", "![x](http://evil/p.png)", "<http://evil>", "http://evil www.evil.com me@evil.com",
    "**bold** _em_ ~~no~~ $x$", "line\nbreak\r\n\r\n# heading", "::error::owned", "a::set-output name=x::y",
    "##[error]owned", "100%0A::error::x", "a,b:c=d", "", " ", "&#124;&vert;", "]]>", "<!-- ", "\x7f\x85", "\ufffe",
    "\\", "`", "|",
]  # fmt: skip
HOSTILE = [*PAYLOADS, *MORE]
WORDS = st.text(max_size=40)
MARKDOWN = MarkdownIt("gfm-like", {"html": True, "linkify": False})

# What the schema junit-10 of the Jenkins xUnit plugin allows: required attributes, others, and children.
SCHEMA = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": ({"name"}, {"time", "classname", "group"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    "failure": (set(), {"type", "message"}, set()),
    "skipped": (set(), {"type", "message"}, set()),
    "system-out": (set(), set(), set()),
}


def check_against_schema(element: ET.Element) -> None:
    required, others, children = SCHEMA[element.tag]
    assert required <= set(element.attrib) <= required | others, element.tag
    assert {child.tag for child in element} <= children
    for child in element:
        check_against_schema(child)


def junit(found: Gate) -> ET.Element:
    text = gate_files.junit(found)
    return ET.fromstring(text.encode("utf-8"))  # noqa: S314 - our own


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_junit_is_valid_and_holds_the_text_as_text(text: str) -> None:
    root = junit(made_gate.gate(text))
    check_against_schema(root)
    cases = list(root.iter("testcase"))
    assert len(cases) == 4 + 3
    assert cases[0].get("classname") == plain(f"foundlost.gate.{text}", 1000)
    written = gate_files.junit(made_gate.gate(text))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202e]", written)
    assert "<script" not in written
    assert "<!--" not in written


@pytest.mark.parametrize(("when_unsure", "failures", "skipped"), [("fail", 4, 1), ("pass", 2, 3)])
def test_junit_counts_as_the_policy_says(when_unsure: str, failures: int, skipped: int) -> None:
    root = junit(made_gate.gate("x").model_copy(update={"when_unsure": when_unsure}))
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("7", str(failures), str(skipped))
    assert len(list(root.iter("failure"))) == failures
    assert len(list(root.iter("skipped"))) == skipped
    told = root.findall(".//testcase")[1].find("failure")
    assert told is not None
    assert "seen .580 (.539–.620) 232 of 400" in (told.get("message") or "")
    assert "Ranges are 90% intervals" in (told.text or "")


def spans(tokens: Sequence[Any]) -> list[Any]:
    return [child for token in tokens for child in (token.children or ())]


def shape(text: str) -> list[str]:
    """Return the blocks of a page of Markdown, in order."""
    return [token.type for token in MARKDOWN.parse(text)]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_markdown_keeps_its_shape_and_shows_the_text_as_code(text: str) -> None:
    page = gate_files.markdown(made_gate.gate(text))
    assert shape(page) == shape(gate_files.markdown(made_gate.gate("harmless")))
    found = spans(MARKDOWN.parse(page))
    assert {span.type for span in found} <= {"text", "code_inline", "softbreak"}
    own = "".join(span.content for span in found if span.type == "text")
    assert not re.search(r"[@#<>\[\]`|\\]|://|www", own)


@given(st.text(max_size=60))
def test_a_code_span_in_a_cell_gives_the_text_back(text: str) -> None:
    tokens = MARKDOWN.parse(f"| a | b |\n|---|---|\n| {markdown(text)} | end |\n")
    (code,) = [span for span in spans(tokens) if span.type == "code_inline"]
    shown = plain(text) or "(empty)"
    assert code.content.strip(" ") in {shown, shown.replace("\\|", "\u2216|")}
    assert [token.type for token in tokens].count("td_open") == 2


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_an_annotation_is_one_command_and_its_text_is_data(text: str) -> None:
    lines = gate_files.github_annotations(made_gate.gate(text))
    assert len(lines) == 3
    for line in lines:
        assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029]", line)
        command = re.fullmatch(r"::(error|warning) ((?:\w+=[^:,]*,)*title=[^:,]*)::(.*)", line)
        assert command, line
        assert not re.search(r"%(?!25|3A|2C|0A|0D)", command[2])
        assert not re.search(r"%(?!25)", command[3])
    assert lines[0].startswith("::error file=")
    assert ",line=2,title=foundlost gate%3A fail::" in lines[0]


def test_what_cannot_be_told_is_a_warning_where_it_does_not_fail() -> None:
    lines = gate_files.github_annotations(made_gate.gate("x", when_unsure="pass"))
    assert [line.split(" ")[0] for line in lines] == ["::error", "::warning", "::warning"]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_code_quality_report_has_what_gitlab_asks_for(text: str) -> None:
    found = json.loads(gate_files.code_quality(made_gate.gate(text)))
    assert len(found) == 3
    for finding in found:
        assert set(finding) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert finding["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert finding["location"]["lines"]["begin"] >= 1
        assert re.fullmatch("[0-9a-f]{64}", finding["fingerprint"])
        assert not re.search("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202e]", finding["description"])
    assert found[1]["location"]["path"] == ".gitlab-ci.yml"
    assert len({finding["fingerprint"] for finding in found}) == 3


@given(WORDS)
def test_no_text_at_all_breaks_a_file(text: str) -> None:
    found = made_gate.gate(text)
    check_against_schema(junit(found))
    assert shape(gate_files.markdown(found)) == shape(gate_files.markdown(made_gate.gate("harmless")))
    assert json.loads(gate_files.code_quality(found))


def test_what_is_written_can_be_read_by_people() -> None:
    page = gate_files.markdown(made_gate.gate("nightly"))
    assert page.splitlines()[0] == "### Gate on `nightly` against `nightly`: fail"
    assert (
        "| fail | `recall(nightlystage) >= .7` | .580 (.539–.620) 232 of 400 | by slice 1 pass, 1 fail, 1 cannot"
        in page
    )
    assert "| cannot tell | `drop(pass) <= .02` | +3.0 points (−1.0 to +7.0), 400 questions | the range; about" in page
    assert "| `nightly = nightlyfail` | `recall(nightlystage) >= .7` |" in page
