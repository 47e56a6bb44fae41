"""Every report in every state and at the ends of what data can be, at every width, light, dark, printed and bare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Route  # noqa: TC002 - as the fixture is

from reports.html import write
from tests.reports.made_extremes import extreme_pages
from tests.reports.made_states import all_pages
from tests.reports.test_browser import A4, Visit, browser

pytestmark = pytest.mark.browser

__all__ = ["browser"]
WIDTHS = (390, 768, 1280, 2560)
OPENED = "document.querySelectorAll('details').forEach(d => { d.open = true })"
MEETING = """() => [...document.querySelectorAll("svg")].filter(svg => !svg.parentElement.closest("svg"))
.flatMap(svg => {
  const texts = [...svg.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()]);
  return texts.flatMap(([one, a], i) => texts.slice(i + 1).filter(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5
  ).map(([other]) => [one, other]));
})"""
"""Pairs of texts in one picture that overlap by more than the room around their letters."""
HIDDEN = """() => [...document.querySelectorAll("td.num")].filter(td => {
  const range = document.createRange(); range.selectNodeContents(td);
  return range.getBoundingClientRect().right > td.getBoundingClientRect().right + 1;
}).map(td => td.textContent)"""
"""Numbers that are wider than their column, so that the next one covers them."""
STRICT = {
    "strict": "default-src 'none'; style-src 'none'; script-src 'none'",
    "jenkins": "sandbox; default-src 'none'; img-src 'self'; style-src 'self'",
}
MAIN = ("attribution attributed", "forecast cannot tell", "planning trend")


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a file for each state of each report."""
    folder = tmp_path_factory.mktemp("states")
    return written(folder, all_pages(folder))


@pytest.fixture(scope="module")
def extremes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a file for each end of what data can be."""
    folder = tmp_path_factory.mktemp("extremes")
    return written(folder, dict(extreme_pages(folder)))


def written(folder: Path, texts: dict[str, str]) -> dict[str, Path]:
    for name, text in texts.items():
        write(folder / f"{name}.html", text)
    return {name: folder / f"{name}.html" for name in texts}


def faults(visit: Visit, widths: tuple[int, ...] = WIDTHS) -> list[Any]:
    """Return what runs over the page, over its column or over another text, at each width."""
    found: list[Any] = []
    for width in widths:
        visit.page.set_viewport_size({"width": width, "height": 900})
        over = visit.page.evaluate("document.documentElement.scrollWidth")
        found += [(width, "page", over)] if over > width else []
        found += [(width, text, meets) for text, meets in visit.page.evaluate(MEETING)]
        found += [(width, "column", text) for text in visit.page.evaluate(HIDDEN)]
    return found


@pytest.fixture(scope="module")
def seen(browser: Browser, states: dict[str, Path], extremes: dict[str, Path]) -> dict[str, dict[str, list[Any]]]:
    """Return what is wrong with each page, by kind; every page is opened once."""
    found: dict[str, dict[str, list[Any]]] = {"fit": {}, "axe": {}, "print": {}}
    for name, path in {**states, **extremes}.items():
        with Visit(browser, path) as visit:
            page = visit.page
            violations = Axe().run(page).response["violations"] if name in states else []
            found["axe"][name] = [one["id"] for one in violations]
            page.evaluate(OPENED)
            found["fit"][name] = [*faults(visit), *visit.noise, *visit.requests[1:]]
            page.emulate_media(media="print")
            printed = faults(visit, (A4["width"],))
            rail = page.locator(".rail").bounding_box() if name in states and name != "broken" else None
            if rail is not None and rail["y"] + rail["height"] >= A4["height"]:
                printed.append(("rail", rail["y"] + rail["height"]))
            found["print"][name] = printed
    return found


@pytest.mark.parametrize("kind", ["fit", "axe", "print"])
def test_every_page_fits_is_accessible_and_prints(kind: str, seen: dict[str, dict[str, list[Any]]]) -> None:
    assert {name: wrong for name, wrong in seen[kind].items() if wrong} == {}
    assert len(seen[kind]) > 40


@pytest.mark.parametrize("policy", STRICT)
def test_a_host_that_forbids_styles_and_scripts_still_shows_all(
    browser: Browser, states: dict[str, Path], policy: str
) -> None:
    def serve(route: Route) -> None:
        headers = {"Content-Security-Policy": STRICT[policy], "Content-Type": "text/html; charset=utf-8"}
        name = route.request.url.rpartition("/")[2]
        route.fulfill(body=states[name.replace("%20", " ")].read_text("utf-8"), headers=headers)

    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.route("**/*", serve)
        for name in MAIN:
            page.goto(f"http://report.invalid/{name}")
            assert page.evaluate("getComputedStyle(document.querySelector('h1')).maxWidth") == "none"
            assert page.locator("#tools").count() == 0 or not page.locator("#tools").is_visible()
            assert page.locator("h3").all_inner_texts()[-1] == "What would prove it wrong"
            fills = page.locator("main svg circle").evaluate_all("all => all.map(e => getComputedStyle(e).fill)")
            assert set(fills) <= {"rgb(20, 32, 43)", "rgb(255, 255, 255)"}
            assert page.evaluate(MEETING) == []
