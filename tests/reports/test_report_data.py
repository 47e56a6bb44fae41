"""What a page holds for programs: whole, equal to --json, and inert whatever text is in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reports.data import AttributionData, ForecastData, Input, PlanningData, ReportData
from reports.html import render
from reports.safe_text import island
from tests.reports import made, made_traces
from tests.reports.pages import Page
from tests.reports.rendering import COMMAND
from tests.reports.rendering import render as render_page
from tests.reports.test_forecast_commands import folder, ran, seal
from tests.reports.test_hostile_text import PAYLOADS

__all__ = ["folder"]
ENDINGS = ["</script", "</ScRiPt >", "<!--", "<!--<script>", "]]>", "\u2028\u2029", "&lt;/script&gt;", "\x00\x1b[31m"]
KINDS: dict[str, type[ReportData]] = {
    "attribution": AttributionData,
    "forecast": ForecastData,
    "planning": PlanningData,
}


@pytest.fixture
def judged(folder: Path) -> Path:
    """Return a folder with a store of two runs, and a forecast that the second judged."""
    seal(folder)
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    ran(folder, "forecast", "verify", "f", "after")
    return folder


def words_of(kind: str) -> tuple[str, ...]:
    return ("report", kind, *{"attribution": ("before",), "forecast": ("f",), "planning": ()}[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_holds_what_json_prints_and_it_parses_back(judged: Path, kind: str) -> None:
    done = ran(judged, *words_of(kind), "-o", "r.html", "--json")
    printed = json.loads(done.stdout)
    page = Page((judged / "r.html").read_text(encoding="utf-8"))
    assert page.data == printed
    found = KINDS[kind].model_validate(page.data)
    assert found.to_dict() == printed
    assert (printed["schema"], printed["kind"]) == ("foundlost.report/1", kind)
    assert printed["command"].startswith(f"foundlost {' '.join(words_of(kind))} -o r.html")
    assert {each["name"] for each in printed["inputs"]} >= {"before.jsonl"}
    assert all(len(each["sha256"]) == 64 for each in printed["inputs"])


def test_results_are_those_of_the_other_commands(judged: Path) -> None:
    def printed(*words: str) -> object:
        return json.loads(ran(judged, *words, "--json").stdout)

    def results(kind: str, *more: str) -> dict[str, object]:
        return dict(json.loads(ran(judged, *words_of(kind), *more, "-o", "r.html", "--json").stdout)["results"])

    attribution = results("attribution", "--recall", "0.8")
    assert attribution["attribution"] == printed("attribute", "before")
    assert attribution["projection"] == printed("project", "before", "--recall", "0.8")
    forecast = results("forecast")
    assert forecast["forecast"] == printed("forecast", "show", "f")
    assert forecast["record"] == printed("forecast", "list")
    planning = results("planning")
    assert planning["forecasts"] == printed("forecast", "list")
    assert planning["builds"][1]["attribution"] == printed("attribute", "after")  # type: ignore[index]
    assert planning["labels"][0]["name"] == "inline"  # type: ignore[index]


def test_equal_objects_come_back_at_full_precision() -> None:
    found = made.attribution()
    data = Page(render_page(found, projection=made.projection(found))).data
    back = AttributionData.model_validate(data)
    assert back.results.attribution == found
    assert back.results.projection == made.projection(found)
    assert back.command == COMMAND


@pytest.mark.parametrize("text", [*PAYLOADS, *ENDINGS], ids=range(len(PAYLOADS) + len(ENDINGS)))
def test_no_name_ends_the_island(text: str) -> None:
    found = made.attribution(run=text, labels=made.labels(name=text))
    page = Page(render_page(found, made_traces.traces()))
    assert page.tags["island"] == 1
    (written,) = page.raw["island"]
    assert written.isascii()
    assert not set("<>&") & set(written)
    assert AttributionData.model_validate(page.data).results.attribution.run == text


def test_a_lone_surrogate_is_written_as_an_escape() -> None:
    data = {"a\ud800": "</script\udfff"}
    found = Page(render("broken.html", data=data, title="", error_line="", command=""))
    assert found.data == data
    found.html.encode("utf-8")


def test_a_number_that_is_none_is_refused() -> None:
    data = AttributionData(
        command="x",
        inputs=[Input(name=None, sha256="0")],
        results={"attribution": made.attribution(), "projection": None},
    ).to_dict()
    data["results"]["attribution"]["passed"]["estimate"] = float("nan")
    with pytest.raises(ValueError, match="Out of range"):
        island(data)


def test_a_page_of_a_fault_holds_no_data(folder: Path) -> None:
    done = ran(folder, "report", "attribution", "nowhere", "-o", "r.html", "--json", code=2)
    assert done.stdout == ""
    assert Page((folder / "r.html").read_text(encoding="utf-8")).tags["island"] == 0


def test_inputs_are_named_without_their_folders_and_each_once(judged: Path) -> None:
    (judged / "sub").mkdir()
    (judged / "sub" / "more.jsonl").write_bytes((judged / "after.jsonl").read_bytes() + b"\n")
    ran(judged, "ingest", "sub/more.jsonl", "--run", "more")
    inputs = json.loads(ran(judged, "report", "planning", "-o", "p.html", "--json").stdout)["inputs"]
    assert [each["name"] for each in inputs] == ["before.jsonl", "after.jsonl", "more.jsonl"]
    assert len({each["sha256"] for each in inputs}) == 3
