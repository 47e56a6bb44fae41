"""Results in a notebook: the words of the terminal, escaped, and nothing that runs; switched on in a real shell."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from attribution.attribute import attribute
from attribution.compare import compare
from attribution.forecasts.record import record
from attribution.forecasts.verify import judge
from attribution.metrics.curves import curve
from attribution.metrics.evaluate import evaluate
from attribution.project import project
from attribution.results import Result, Sealed
from reports import notebook
from reports.notebook_pictures import picture_of
from reports.safe_text import plain
from reports.text.attribution import print_attribution
from tests.attribution.forecasts.made import EXAMPLE, after_of, before_of, kinds_of, sealed
from tests.attribution.made_runs import add_run, made_store
from tests.reports import made, made_gate
from tests.reports.pages import Page
from tests.reports.rendering import render
from tests.reports.test_forecast_report import FIGURE_ATTRIBUTES
from tests.reports.test_hostile_text import ATTRIBUTES
from traces.errors import UsageError

PAYLOADS: list[str] = json.loads((Path(__file__).parents[1] / "data" / "payloads.json").read_text("utf-8"))["payloads"]
ELEMENTS = {"div", "p", "small", "table", "thead", "tbody", "tr", "th", "td", "span"}
PICTURE = {"svg", "defs", "pattern", "g", "rect", "line", "circle", "path", "text", "use", "title", "desc", "figure",
           "caption", "colgroup", "col", "tfoot", "br", "b"}  # fmt: skip
WITH_PICTURE = {"Attribution", "Sealed", "Forecast"}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """Return one result of every kind that is shown, from a store."""
    kinds = kinds_of(EXAMPLE)
    folder = tmp_path_factory.mktemp("notebook")
    with made_store(folder, before_of(kinds), run="before") as store:
        forecast = sealed(store)
        add_run(store, folder, after_of(kinds), run="after")
        found: list[Result] = [
            attribute(store, "before"),
            project(store, "before", recall=0.85),
            compare(store, "before", "after"),
            evaluate(store, "before"),
            curve(store, "before", by="depth"),
            forecast,
            forecast.forecast,
            judge(store, forecast, "after"),
            record(store),
            made_gate.gate("nightly"),
        ]
    return {type(each).__name__: each for each in found}


@pytest.mark.parametrize("kind", [kind.__name__ for kind in notebook.PRINTERS])
def test_every_result_is_small_inert_html(kind: str, results: dict[str, Result]) -> None:
    text = notebook.show(results[kind])._repr_html_()
    page = Page(text)
    drawn = kind in WITH_PICTURE
    assert set(page.tags) <= (ELEMENTS | PICTURE if drawn else ELEMENTS)
    assert "table" in page.tags
    attributes = {name for _, attrs in page.elements for name in attrs}
    assert attributes <= (ATTRIBUTES | FIGURE_ATTRIBUTES if drawn else {"scope", "class"})
    assert ("svg" in page.tags) == drawn
    assert 500 < len(text) < 20_000
    assert repr(notebook.show(results[kind])) == repr(results[kind])


def test_the_words_are_those_of_the_terminal(results: dict[str, Result], capsys: pytest.CaptureFixture[str]) -> None:
    html = Page(notebook.html_of(results["Attribution"])).text
    assert capsys.readouterr() == ("", "")
    print_attribution(results["Attribution"])  # type: ignore[arg-type]
    printed = capsys.readouterr()
    words = {word for line in printed.out.splitlines() for word in line.split()}
    assert len(words) > 60
    assert [word for word in words if word not in html] == []


def marks(html: str) -> list[tuple[str, dict[str, str]]]:
    """Return what is drawn, without what tells one grid from another."""
    own = {"rect", "circle", "path", "line", "text"}
    return [(tag, attrs) for tag, attrs in Page(html).elements if tag in own]


def test_the_pictures_are_those_of_the_reports_and_carry_their_colours(results: dict[str, Result]) -> None:
    found = made.attribution(slices=False)
    report = render(found, [])
    assert marks(notebook.html_of(found)) == marks(report)
    forecast = results["Sealed"]
    assert isinstance(forecast, Sealed)
    plotted = str(picture_of(forecast))
    assert "Forecast .818" in plotted
    assert plotted == str(picture_of(forecast.forecast))
    for tag, attrs in (*marks(str(picture_of(found))), *marks(plotted)):
        # A whisker's lines have the stroke of the group they stand in.
        assert tag in {"text", "line"} or {"fill", "stroke"} & set(attrs), (tag, attrs)


def test_two_attributions_on_a_page_have_their_own_grid_lines() -> None:
    one, other = (
        str(picture_of(made.attribution(by, slices=False))) for by in (None, {"a": [(90, 1), (1, 1), (1, 1), (8, 80)]})
    )
    ids = [[attrs["id"] for tag, attrs in Page(html).elements if tag == "g" and "id" in attrs] for html in (one, other)]
    assert len(ids[0]) == len(ids[1]) == 1
    assert ids[0] != ids[1]
    assert f'href="#{ids[0][0]}"' in one


def test_what_was_never_measured_has_no_picture_and_its_words() -> None:
    nothing = made.attribution({None: [(0, 0)] * 4}, slices=False, left_out={"unlabelled": 4})
    assert "Asked" in Page(notebook.html_of(nothing)).text
    assert str(picture_of(made_gate.gate("x"))) == ""


def test_notes_are_shown_as_notes() -> None:
    assert "<small>note: nightly [3 questions]</small>" in notebook.html_of(made_gate.gate("nightly"))


@pytest.mark.parametrize("payload", [*PAYLOADS, "::error::x", "a|b`c"], ids=range(26))
def test_hostile_text_is_text(payload: str) -> None:
    by = {f"{payload}intent": [(9, 17), (5, 5), (2, 2), (8, 80)]}
    stages = (f"{payload}1", f"{payload}2", f"{payload}3")
    found = made.attribution(by, stages, run=payload, labels=made.labels(name=payload))
    harmless = Page(notebook.html_of(made.attribution({"i": next(iter(by.values()))}, ("1", "2", "3"), run="r")))
    page = Page(notebook.html_of(found))
    assert [tag for tag in page.tags if tag != "span"] == [tag for tag in harmless.tags if tag != "span"]
    assert not any(ord(character) < 32 and character not in "\t\n" for character in page.html)
    assert "\u202e" not in page.html
    notebook.html_of(made_gate.gate(payload)).encode("utf-8")
    assert plain(payload, 20)[:3] in page.text or "U+" in page.text


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[InteractiveShell]:
    """Return a real interactive shell that keeps no history and nothing outside its folder."""
    settings = Config({"HistoryManager": {"enabled": False}})
    yield InteractiveShell.instance(config=settings, ipython_dir=str(tmp_path))
    InteractiveShell.clear_instance()


def shown(shell: InteractiveShell, result: Any) -> dict[str, Any]:
    formatter: Any = shell.display_formatter
    data, _ = formatter.format(result, include={"text/html"})
    return dict(data)


def test_the_extension_shows_results_and_stops_doing_so(shell: InteractiveShell, results: dict[str, Result]) -> None:
    assert shown(shell, results["Projection"]) == {}
    shell.run_line_magic("load_ext", "foundlost")
    assert shown(shell, results["Projection"])["text/html"] == notebook.html_of(results["Projection"])
    assert shown(shell, results["Gate"])["text/html"].startswith("<div><p>Gate on nightly")
    assert shown(shell, 7) == {}
    shell.run_line_magic("unload_ext", "foundlost")
    assert shown(shell, results["Projection"]) == {}


def test_it_can_be_switched_on_without_the_magic(shell: InteractiveShell, results: dict[str, Result]) -> None:
    notebook.enable()
    assert "text/html" in shown(shell, results["Metrics"])
    notebook.disable()
    assert shown(shell, results["Metrics"]) == {}


def test_outside_a_notebook_it_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from reports import notebook; notebook.enable()"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "no-notebook: no interactive shell is running; use this in Jupyter or IPython" in done.stderr


def test_what_has_no_tables_says_so() -> None:
    with pytest.raises(UsageError, match="not-shown: a Policy has no tables; there are Attribution, "):
        notebook.show(made.attribution().policy)
