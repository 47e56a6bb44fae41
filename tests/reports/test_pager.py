"""A list too long for the page: its data, and how it is paged through and filtered in a real browser."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser  # noqa: TC002 - as the fixture beside it is

from reports import html
from reports.attribution_report import render_attribution
from reports.view.failures import BLOCK_ROWS
from tests.reports import made, made_traces
from tests.reports.pages import Page, sha256
from tests.reports.rendering import render
from tests.reports.test_browser import A4, Visit, browser
from tests.reports.test_hostile_text import ELEMENTS, PAYLOADS, hostile_facts, hostile_traces, own_tags

__all__ = ["browser"]
pytestmark = pytest.mark.browser


def long_list(n: int, stages: tuple[str, ...] = made.STAGES) -> str:
    """Render a report with ``n`` failures, of which 60 were lost in rerank and 40 in packing."""
    by: dict[str | None, made.Pairs] = {
        "How-to": [(n // 2 - 60, 40), (40, 9), (10, 3), (10, 90)],
        "Billing": [(n - n // 2 - 60, 20), (20, 9), (30, 3), (10, 90)],
    }
    return render(made.attribution(by, stages), made_traces.traces(by, stages), failures_file="long.failures.csv")


def hostile_list(text: str) -> str:
    stages = (f"{text}1", f"{text}2")
    traces = hostile_traces(text, stages) * 25
    found = made.attribution({text: [(225, 1), (200, 1), (175, 1)]}, stages, slices=False, run=text)
    return render_attribution(found, hostile_facts(text), traces, command=text, failures_file=text).page


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("long")
    texts = {str(n): long_list(n) for n in (500, 501, 1234, BLOCK_ROWS)}
    texts["hostile"] = hostile_list("".join(PAYLOADS[:22]))
    for name, text in texts.items():
        html.write(folder / f"{name}.html", text)
    return {name: folder / f"{name}.html" for name in texts}


def test_500_failures_are_all_rows_and_501_are_200_and_the_data(pages: dict[str, Path]) -> None:
    few, many = (Page(pages[name].read_text("utf-8")) for name in ("500", "501"))
    assert (few.tags["details"], many.tags["details"]) == (500, 200)
    assert few.raw["script"] == [html.asset("rows.js") + "\n" + html.asset("failures.js")]
    assert "can be paged through" not in few.text
    assert len(many.block["rows"]) == 501
    assert many.raw["script"] == [html.asset("pager.js") + "\n" + html.asset("failures.js")]
    assert f"script-src {sha256(many.raw['script'][0])};" in many.policy
    assert "200 of 501 failures shown, the first of each kind. All in long.failures.csv." in many.text
    assert len(html.asset("pager.js").encode()) < 3000


def test_10000_failures_fit_into_6_megabytes_whatever_their_script(pages: dict[str, Path]) -> None:
    assert pages["10000"].stat().st_size < 6_000_000
    by: dict[str | None, made.Pairs] = {"意图": [(1900, 1), (40, 1), (40, 1), (20, 1)]}
    wide = [trace.model_copy(update={"query": "证据在哪里丢失" * 40, "answer": "问" * 300})
            for trace in made_traces.traces(by)]  # fmt: skip
    assert len(render(made.attribution(by), wide).encode()) < 100_000 + 600 * 2000


def test_past_10000_every_kind_is_in_the_data_and_the_page_says_what_is_not() -> None:
    page = Page(long_list(BLOCK_ROWS + 5))
    found = page.block
    assert len(found["rows"]) == BLOCK_ROWS
    assert len({row[2] for row in found["rows"]}) == 4
    assert (
        "10,000 of 10,005 failures can be paged through, the first of each kind. All in long.failures.csv." in page.text
    )


@pytest.fixture(scope="module")
def plain_tags() -> Counter[str]:
    return own_tags(Page(hostile_list("harmless")))


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_hostile_text_stays_within_the_data(payload: str, plain_tags: Counter[str]) -> None:
    text = hostile_list(payload)
    page = Page(text)
    in_rows = {"ol", "li", "q"}  # rows of longer names hold less beside them
    assert {tag: n for tag, n in own_tags(page).items() if tag not in in_rows} == {
        tag: n for tag, n in plain_tags.items() if tag not in in_rows
    }
    assert set(page.tags) <= ELEMENTS
    raw = page.raw["island"][0]
    assert raw.isascii()
    assert not set(raw) & set("<>&")
    hidden = {
        *range(0x80, 0xA0),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
        0x2028,
        0x2029,
        *range(0xD800, 0xE000),
    }
    assert not {ord(c) for c in json.dumps(json.loads(raw), ensure_ascii=False)} & hidden
    assert len(page.block["rows"]) == 600


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["501", "1234", "hostile"])
def test_a_long_list_is_quiet_and_axe_finds_nothing(
    browser: Browser, pages: dict[str, Path], name: str, scheme: str
) -> None:
    with Visit(browser, pages[name], color_scheme=scheme) as visit:
        visit.page.locator("details").first.evaluate_all("all => all.slice(0, 5).forEach(d => { d.open = true })")
        assert visit.shown() == 100
        assert visit.page.title().startswith("Made-up data: " if name == "hostile" else "Failure attribution")
        assert visit.noise == []
        assert visit.requests == [visit.url]
        found = Axe().run(visit.page)
        assert found.response["violations"] == [], found.generate_report()


def test_a_row_from_the_data_is_the_row_on_the_page(browser: Browser, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["501"], java_script_enabled=False) as visit:
        assert visit.shown() == 200
        assert visit.page.locator("#cut").is_visible()
        assert not visit.page.locator("#paged").is_visible()
        assert visit.page.get_by_role("button").count() == 0
        static = visit.page.locator("#fails>details").first.inner_html()
    with Visit(browser, pages["501"]) as visit:
        assert visit.page.locator("#paged").inner_text() == (
            "All 501 failures can be paged through. They are in long.failures.csv too."
        )
        assert not visit.page.locator("#cut").is_visible()
        row = visit.page.locator("#fails>details").first
        shown = row.inner_html()
    assert outline(shown) == outline(static)
    assert "<li" in shown
    assert "Has the answer, not in the list:" in shown


def outline(markup: str) -> list[tuple[str, dict[str, str]]]:
    return Page(markup).elements


def test_all_pages_are_reached_by_keyboard_and_the_focus_stays(browser: Browser, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["1234"]) as visit:
        page = visit.page
        nav = page.get_by_role("navigation", name="Pages of failures")
        place, on = nav.get_by_role("status"), nav.get_by_role("button", name="Next")
        page.get_by_role("searchbox").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        seen = []
        for _ in range(13):
            seen += page.locator("#fails>details>p:first-of-type").all_text_contents()
            assert on.evaluate("e => e === document.activeElement")
            page.keyboard.press("Enter")
        assert len(set(seen)) == 1234
        assert place.inner_text() == "1,201 to 1,234 of 1,234"
        assert on.get_attribute("aria-disabled") == "true"
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        assert place.inner_text() == "1,101 to 1,200 of 1,234"
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.locator("#fails>details[open]").count() == 1
        assert visit.noise == []


def test_buttons_and_filter_work_over_all_of_them(browser: Browser, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["1234"]) as visit:
        page = visit.page
        status = page.get_by_role("group").get_by_role("status")
        nav = page.get_by_role("navigation", name="Pages of failures")
        page.get_by_role("button", name="Next").click()
        page.get_by_role("button", name="Lost in packing").click()
        assert status.inner_text() == "40 of 1,234"
        assert visit.shown() == 40
        assert not nav.is_visible()
        page.get_by_role("button", name="Never found").click()
        assert status.inner_text() == "1,114 of 1,234"
        assert nav.get_by_role("status").inner_text() == "1 to 100 of 1,114"
        page.get_by_role("searchbox").fill("  REFUNDED ")
        rows = page.locator("#fails>details summary").all_inner_texts()
        assert 0 < len(rows) <= 100
        assert all("refunded" in row and "Never found" in row for row in rows)
        page.get_by_role("searchbox").fill("nowhere to be seen")
        assert status.inner_text() == "0 of 1,234"
        assert visit.shown() == 0


def test_10000_failures_are_filtered_and_never_more_than_a_page_of_them_is_set(
    browser: Browser, pages: dict[str, Path]
) -> None:
    with Visit(browser, pages["10000"]) as visit:
        assert visit.page.evaluate("document.querySelectorAll('*').length") < 3500
        visit.page.get_by_role("button", name="Lost in rerank").click()
        assert visit.page.get_by_role("group").get_by_role("status").inner_text() == "60 of 10,000"
        assert visit.shown() == 60
        visit.page.get_by_role("button", name="All").click()
        visit.page.get_by_role("searchbox").fill("q30014")
        assert "q30014, " in visit.page.locator("#fails").inner_html()
        assert visit.noise == []


def test_a_page_turned_from_below_starts_at_its_top_and_25_of_it_print(
    browser: Browser, pages: dict[str, Path]
) -> None:
    with Visit(browser, pages["1234"], viewport={"width": 1280, "height": 800}) as visit:
        page = visit.page
        page.locator("#fails>details").nth(90).scroll_into_view_if_needed()
        page.get_by_role("button", name="Next").click()
        box, nav = (page.locator(each).bounding_box() for each in ("#fails>details >> nth=0", ".pages"))
        assert box is not None
        assert nav is not None
        assert nav["y"] + nav["height"] <= box["y"] < 150
    with Visit(browser, pages["1234"], viewport=A4) as visit:
        visit.page.get_by_role("button", name="Next").click()
        visit.page.emulate_media(media="print")
        assert visit.shown() == 25
        assert visit.page.get_by_text("Printed: 101 to 125 of 1,234.").is_visible()
        assert not visit.page.locator(".pages").is_visible()


@pytest.mark.parametrize("width", [390, 700, 1280])
def test_a_long_list_never_scrolls_sideways(browser: Browser, pages: dict[str, Path], width: int) -> None:
    for name in ("501", "hostile"):
        with Visit(browser, pages[name], viewport={"width": width, "height": 844}) as visit:
            visit.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
