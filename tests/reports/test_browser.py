"""The page in a real browser: no errors, no requests, accessible, usable by keyboard, whole without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from reports.attribution_report import render_broken
from reports.html import write
from tests.reports import made, made_traces
from tests.reports.rendering import COMMAND, render
from tests.reports.test_hostile_text import PAYLOADS, hostile_page

pytestmark = pytest.mark.browser

CHROMIUM = Path("/usr/bin/chromium")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync",
         "--disable-component-update", "--no-first-run"]  # fmt: skip
A4 = {"width": 695, "height": 1010}
"""Room on an A4 page inside the margins, in CSS pixels."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return one file for each kind of page."""
    folder = tmp_path_factory.mktemp("pages")
    stages, by = made.many_stages(12)
    passed = made.attribution({None: [(0, 30), (0, 5), (0, 3), (0, 362)]}, slices=False)
    texts = {
        "sample": render(facts=made.facts(synthetic="counts of a worked example")),
        "twelve": render(made.attribution(by, stages), made_traces.traces(by, stages), made.facts(stages=list(stages))),
        "no_failures": render(passed, []),
        "no_outcomes": render(made.attribution(outcomes=False), []),
        "hostile": hostile_page("".join(PAYLOADS[:22])),
        "broken": render_broken("Failure attribution, b127", "bad-json: not JSON (b127.jsonl:17)", COMMAND),
    }
    for name, text in texts.items():
        write(folder / f"{name}.html", text)
    return {name: folder / f"{name}.html" for name in texts}


class Visit:
    """A page opened in the browser, with everything it logged, asked for, or popped up."""

    def __init__(self, browser: Browser, path: Path, **context: Any) -> None:
        self.context = browser.new_context(**context)
        self.page: Page = self.context.new_page()
        self.noise: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.noise.append(message.text))
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("dialog", lambda dialog: self.noise.append(dialog.message))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.url = path.as_uri()
        self.page.goto(self.url)

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *error: object) -> None:
        self.context.close()

    def shown(self) -> int:
        """Count the failures that can be seen."""
        return self.page.locator("#fails>details:visible").count()


NAMES = ("sample", "twelve", "no_failures", "no_outcomes", "hostile", "broken")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_logged_or_asked_for_and_axe_finds_nothing(
    browser: Browser, pages: dict[str, Path], name: str, scheme: str
) -> None:
    with Visit(browser, pages[name], color_scheme=scheme) as visit:
        title = visit.page.title()
        visit.page.locator("details").first.evaluate_all("all => all.forEach(d => { d.open = true })")
        assert visit.page.title() == title
        assert visit.noise == []
        assert visit.requests == [visit.url]
        found = Axe().run(visit.page)
        assert found.response["violations"] == [], found.generate_report()
        assert found.response["passes"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [390, 700, 860, 1280])
def test_the_page_never_scrolls_sideways(browser: Browser, pages: dict[str, Path], name: str, width: int) -> None:
    with Visit(browser, pages[name], viewport={"width": width, "height": 844}) as visit:
        visit.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_three_questions_are_on_the_first_screen(browser: Browser, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["sample"], viewport={"width": 1280, "height": 800}) as visit:
        for heading in visit.page.locator(".rail h3").all():
            box = heading.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < 800


def test_filters_work_by_keyboard(browser: Browser, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["sample"]) as visit:
        page = visit.page
        assert visit.shown() == 117
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "All"
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert visit.shown() == 14
        assert page.get_by_role("status").inner_text() == "14 of 117"
        assert page.locator("[aria-pressed=true]").inner_text() == "Lost in rerank"
        for _ in range(3):
            page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.type") == "search"
        page.keyboard.type("  REFUNDED")
        rows = page.locator("#fails>details:visible summary").all_inner_texts()
        assert 0 < len(rows) < 14
        assert all("refunded" in row and "Lost in rerank" in row for row in rows)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.locator("#fails>details[open]").count() == 1
        assert visit.noise == []


def test_without_scripts_every_failure_is_there_and_no_control_is(browser: Browser, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["sample"], java_script_enabled=False) as visit:
        assert visit.shown() == 117
        assert visit.page.get_by_role("button").count() == 0
        assert not visit.page.locator("#tools").is_visible()
        visit.page.locator("summary").nth(70).click()
        assert "Has the answer" in visit.page.locator("details").nth(70).inner_text()


def test_hostile_text_does_nothing_in_a_browser(browser: Browser, tmp_path: Path) -> None:
    for number, payload in enumerate(PAYLOADS):
        path = tmp_path / f"{number}.html"
        write(path, hostile_page(payload))
        with Visit(browser, path) as visit:
            assert visit.page.title().startswith("Made-up data: Failure attribution, ")
            assert visit.noise == []
            assert visit.requests == [visit.url]


def test_the_first_printed_page_stands_alone_and_print_is_light(browser: Browser, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["sample"], viewport=A4, color_scheme="dark") as visit:
        visit.page.emulate_media(media="print")
        box = visit.page.locator(".rail").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < A4["height"]
        assert visit.page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
        assert visit.page.evaluate("getComputedStyle(document.querySelector('rect.loss0')).fill") == "rgb(124, 29, 69)"
        assert visit.page.locator("#fails>details:visible").count() == 25
        assert visit.page.get_by_text("Printed: the first 25 of 117.").is_visible()


def test_without_style_the_chart_keeps_its_colours(browser: Browser, pages: dict[str, Path], tmp_path: Path) -> None:
    html = pages["sample"].read_text("utf-8")
    bare = tmp_path / "bare.html"
    bare.write_text(html[: html.index("<style>")] + html[html.index("</style>") + 8 :], encoding="utf-8")
    with Visit(browser, bare, java_script_enabled=False) as visit:
        mark = visit.page.locator("table.cascade rect.loss0").first
        assert mark.evaluate("e => getComputedStyle(e).fill") == "rgb(124, 29, 69)"
        box = mark.bounding_box()
        assert box is not None
        assert box["width"] > 10


@pytest.mark.parametrize("width", [390, 860, 1280])
def test_a_grid_is_drawn_only_where_its_axis_is(browser: Browser, pages: dict[str, Path], width: int) -> None:
    with Visit(browser, pages["sample"], viewport={"width": width, "height": 844}) as visit:
        grids, axes = visit.page.locator("table .viz use"), visit.page.locator("table .axis text")
        assert grids.count() > 10
        shown = [any(mark.is_visible() for mark in marks.all()) for marks in (grids, axes)]
        assert shown == [width > 900] * 2


def test_each_kind_of_failure_has_its_own_button_in_a_list_without_intents(
    browser: Browser, pages: dict[str, Path]
) -> None:
    with Visit(browser, pages["twelve"]) as visit:
        buttons = visit.page.get_by_role("group").get_by_role("button")
        assert buttons.all_inner_texts() == [
            "All", "Never found", *[f"Lost in step {i}" for i in range(2, 13)], "Reached but failed",
        ]  # fmt: skip
        buttons.last.click()
        assert visit.shown() == 25
        assert visit.noise == []
