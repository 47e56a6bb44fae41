"""Every report of a store in one folder: each leads to the others that concern it, and one fault stops no other."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser  # noqa: TC002 - as the fixture beside it is

from reports.forecast_report import render_forecast
from reports.html import write
from reports.links import Related
from reports.view.forecast_shown import ForecastShown
from reports.wording import link
from tests.attribution.forecasts.made import sealed, store_before
from tests.attribution.made_runs import trace, write_lines
from tests.reports import made_forecasts as made
from tests.reports.pages import Page
from tests.reports.test_browser import A4, Visit, browser
from tests.reports.test_forecast_commands import folder, ran, seal, tamper
from tests.reports.test_hostile_text import PAYLOADS, own_tags
from tests.test_command import one_line

__all__ = ["browser", "folder"]
HOSTILE = "../</nav><script>alert(1)</script>\u202e"


@pytest.fixture
def two_builds(folder: Path) -> Path:
    """Return a folder with two runs, a forecast that one judged, and two that wait."""
    seal(folder)
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    ran(folder, "forecast", "verify", "f", "after")
    seal(folder, "F")
    seal(folder, HOSTILE)
    return folder


def read(path: Path) -> Page:
    return Page(path.read_text("utf-8"))


def linked(path: Path) -> set[str]:
    """Return the files beside a page that it links to."""
    return {unquote(each["href"]) for each in read(path).with_tag("a")}


def test_each_report_leads_to_those_that_concern_it(two_builds: Path) -> None:
    done = ran(two_builds, "report", "all", "-o", "out", "--target", "0.8")
    out = two_builds / "out"
    names = [Path(line.removeprefix("wrote ")).name for line in done.stdout.splitlines()]
    pages = {path.name for path in out.glob("*.html")}
    assert set(names) == pages
    assert len(pages) == len({name.casefold() for name in pages}) == 6
    planning, before, after, judged, *waiting = names
    assert (planning, before, after, judged) == (
        "planning.html", "attribution-before.html", "attribution-after.html", "forecast-f.html",
    )  # fmt: skip
    assert linked(out / planning) == pages - {planning}
    assert linked(out / before) == {planning, judged, *waiting}
    assert linked(out / after) == {planning, judged}
    assert linked(out / judged) == {planning, before, after}
    assert [linked(out / each) for each in waiting] == [{planning, before}] * 2
    for name in names:
        page = read(out / name)
        assert "Make it again: foundlost report all -o out --target 0.8" in page.text
        assert page.tags["nav"] == 1
        assert "\u202e" not in page.html


def test_the_same_store_gives_the_same_bytes_and_other_files_stay(two_builds: Path) -> None:
    texts = []
    for _ in range(2):
        ran(two_builds, "report", "all", "-o", ".")
        texts.append({path.name: path.read_bytes() for path in two_builds.glob("*.html")})
    assert texts[0] == texts[1]
    assert (two_builds / "before.jsonl").exists()
    assert "Make it again: foundlost report all -o ." in read(two_builds / "planning.html").text


def test_what_cannot_be_made_is_said_on_its_page_and_the_rest_is_written(two_builds: Path) -> None:
    judged = [trace(f"q{i}", ["g"], ["g"], ["g"], True, gold=["g"], judge=judge) for i, judge in enumerate("ab")]
    write_lines(two_builds / "two.jsonl", judged)
    ran(two_builds, "ingest", "two.jsonl", "--run", "two")
    tamper(two_builds, "UPDATE forecasts SET body = replace(body, '0.85', '0.84') WHERE name = 'f'")
    done = ran(two_builds, "report", "all", "-o", "out", code=2)
    told = [line.split(":")[1].strip() for line in done.stderr.splitlines()]
    assert told == ["several-judges", "forecast-tampered"]
    out = two_builds / "out"
    assert len(done.stdout.splitlines()) == len(list(out.glob("*.html"))) == 7
    for name in ("attribution-two.html", "forecast-f.html"):
        page = read(out / name)
        assert "No report: the input could not be used" in page.text
        assert "foundlost report all -o out" in page.text
        assert "planning.html" in linked(out / name)
    assert "attribution-two.html" in linked(out / "planning.html")


def test_a_folder_that_cannot_be_written_is_one_line(two_builds: Path) -> None:
    (two_builds / "taken").write_text("a file")
    done = ran(two_builds, "report", "all", "-o", "taken", code=2)
    assert one_line(done).startswith("foundlost: cannot-write: ")
    assert (two_builds / "taken").read_text() == "a file"


def test_a_store_without_anything_gets_a_planning_report(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", [trace("q", ["g"], ["g"], ["g"], True)])
    ran(tmp_path, "ingest", "a.jsonl", "--run", "a")
    ran(tmp_path, "drop", "a")
    assert ran(tmp_path, "report", "all", "-o", "out").stdout == "wrote out/planning.html\n"
    assert linked(tmp_path / "out" / "planning.html") == set()
    assert read(tmp_path / "out" / "planning.html").tags["nav"] == 0


@pytest.fixture(scope="module")
def pending(tmp_path_factory: pytest.TempPathFactory) -> ForecastShown:
    with store_before(tmp_path_factory.mktemp("pending")) as store:
        sealed(store, margin=0.04)
        return made.shown(store)


def crowded(shown: ForecastShown, name: str) -> str:
    """Return a forecast's page beside which many reports lie."""
    related = [
        Related("Attribution:", tuple(link(f"{name}{i}", f"{i}.html") for i in range(40))),
        Related("Forecasts:", (link(name, "f.html"),)),
    ]
    return render_forecast(shown, command="c", related=related).page


def test_hostile_names_of_reports_stay_text(pending: ForecastShown) -> None:
    plain = own_tags(Page(crowded(pending, "harmless")))
    for payload in PAYLOADS:
        assert own_tags(Page(crowded(pending, payload))) == plain


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_links_are_accessible_and_fit_every_window(
    browser: Browser, tmp_path: Path, pending: ForecastShown, scheme: str
) -> None:
    for name in ("build-", "".join(PAYLOADS[:22])):
        write(tmp_path / "f.html", crowded(pending, name))
        for width in (390, 1280):
            viewport = {"width": width, "height": 844}
            with Visit(browser, tmp_path / "f.html", color_scheme=scheme, viewport=viewport) as visit:
                visit.page.locator("nav summary").click()
                assert visit.page.locator("nav a").count() == 41
                assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
                found = Axe().run(visit.page)
                assert found.response["violations"] == [], found.generate_report()
                assert visit.noise == []


@pytest.mark.browser
def test_a_reader_goes_through_the_reports_by_keyboard(browser: Browser, two_builds: Path) -> None:
    ran(two_builds, "report", "all", "-o", "out")
    with Visit(browser, two_builds / "out" / "planning.html", java_script_enabled=False, viewport=A4) as visit:
        page = visit.page
        for name, file in (("after", "attribution-after"), ("f", "forecast-f"), ("before", "attribution-before")):
            page.get_by_role("navigation").get_by_role("link", name=name, exact=True).press("Enter")
            page.wait_for_url(f"**/{file}.html")
        page.get_by_role("link", name="Planning").press("Enter")
        page.wait_for_url("**/planning.html")
        page.emulate_media(media="print")
        assert not page.get_by_role("navigation").is_visible()
