"""The forecast and the planning report in a real browser: accessible, quiet, never wider than the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser  # noqa: TC002 - as the fixture beside it is

from attribution.forecasts.verify import verify
from reports.html import write
from tests.attribution.forecasts.made import EXAMPLE, before_of, headed, kinds_of, sealed, store_before
from tests.attribution.made_runs import add_run
from tests.reports import made_forecasts as made
from tests.reports import test_planning_report as planning
from tests.reports.test_browser import A4, Visit, browser
from tests.reports.test_hostile_text import PAYLOADS
from traces.store import TraceStore

pytestmark = pytest.mark.browser

__all__ = ["browser"]
NAMES = ("pending", "judged", "hostile", "plan", "empty plan", "hostile plan")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return one file for each kind of page."""
    folder = tmp_path_factory.mktemp("plans")
    hostile = "".join(PAYLOADS[:22])
    with store_before(folder) as store:
        sealed(store, margin=0.04, min_gain=0.05)
        pending = made.shown(store)
    with made.judged_store(folder, margin=0.04, min_gain=0.05) as store:
        sealed(store, "g", recall=0.8, revises="f")
        judged = made.shown(store, target=0.78)
    with TraceStore.in_memory() as store:
        empty = made.planned(store)
        head = {"created_at": "2026-09-01T02:00:00Z", "build": "b1"}
        add_run(store, folder, headed(before_of(kinds_of(EXAMPLE)), **head), run="b1")
        planning.sealed_on(store, "b1", "f", 0.85)
        made.add_dated(store, folder, "b2", 8, EXAMPLE)
        verify(store, "f", "b2")
        planning.sealed_on(store, "b2", "next", 0.95)
        plan = made.planned(store, target=0.8)
    texts = {
        "pending": made.forecast_html(pending),
        "judged": made.forecast_html(judged),
        "hostile": made.forecast_html(made.hostile(judged, hostile)),
        "plan": made.planning_html(plan),
        "empty plan": made.planning_html(empty),
        "hostile plan": made.planning_html(planning.hostile(plan, hostile)),
    }
    for name, text in texts.items():
        write(folder / f"{name}.html", text)
    return {name: folder / f"{name}.html" for name in texts}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_logged_or_asked_for_and_axe_finds_nothing(
    browser: Browser, pages: dict[str, Path], name: str, scheme: str
) -> None:
    with Visit(browser, pages[name], color_scheme=scheme) as visit:
        assert visit.noise == []
        assert visit.requests == [visit.url]
        found = Axe().run(visit.page)
        assert found.response["violations"] == [], found.generate_report()
        assert found.response["passes"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [390, 700, 860, 1280, 2560])
def test_the_page_never_scrolls_sideways(browser: Browser, pages: dict[str, Path], name: str, width: int) -> None:
    with Visit(browser, pages[name], viewport={"width": width, "height": 844}) as visit:
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["pending", "judged", "plan"])
def test_the_four_questions_are_on_the_first_screen_and_the_first_printed_page(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    with Visit(browser, pages[name], viewport={"width": 1280, "height": 800}) as visit:
        headings = visit.page.locator(".rail h3").all()
        assert len(headings) == 4
        for heading in headings:
            box = heading.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < 800
    with Visit(browser, pages[name], viewport=A4, color_scheme="dark") as visit:
        visit.page.emulate_media(media="print")
        box = visit.page.locator(".rail").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < A4["height"]
        assert visit.page.evaluate("getComputedStyle(document.querySelector('.tg')).stroke") == "rgb(10, 107, 114)"


@pytest.mark.parametrize("width", [390, 1280, 2560])
def test_labels_on_the_picture_stay_on_it_and_clear_of_one_another(
    browser: Browser, pages: dict[str, Path], width: int
) -> None:
    for name in ("pending", "judged"):
        with Visit(browser, pages[name], viewport={"width": width, "height": 844}) as visit:
            boxes = [each.bounding_box() for each in visit.page.locator(".plot text.lb").all()]
            found = [box for box in boxes if box is not None]
            assert len(found) == len(boxes) >= 4
            for i, one in enumerate(found):
                assert one["x"] >= 0
                assert one["x"] + one["width"] <= width
                for other in found[i + 1 :]:
                    apart = (
                        one["x"] + one["width"] <= other["x"] + 1
                        or other["x"] + other["width"] <= one["x"] + 1
                        or one["y"] + one["height"] <= other["y"] + 6
                        or other["y"] + other["height"] <= one["y"] + 6
                    )
                    assert apart, (name, one, other)


def test_projected_is_teal_and_observed_is_ink_without_a_style_sheet(
    browser: Browser, pages: dict[str, Path], tmp_path: Path
) -> None:
    html = pages["judged"].read_text("utf-8")
    bare = tmp_path / "bare.html"
    bare.write_text(html[: html.index("<style>")] + html[html.index("</style>") + 8 :], encoding="utf-8")
    with Visit(browser, bare, java_script_enabled=False) as visit:
        fills = {
            mark: visit.page.locator(f".plot {mark}").first.evaluate("e => getComputedStyle(e).fill")
            for mark in ("path.b1", "circle.dot")
        }
        box = visit.page.locator(".plot path.b1").bounding_box()
    assert fills == {"path.b1": "rgb(10, 107, 114)", "circle.dot": "rgb(20, 32, 43)"}
    assert box is not None
    assert box["width"] > 300
