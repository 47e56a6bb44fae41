"""Reports as mail, and as hosts show them that take style sheets away: whole, quiet, and nothing cut off."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser  # noqa: TC002 - as the fixture beside it is

from reports.attribution_report import render_attribution
from reports.forecast_report import render_forecast
from reports.html import write
from reports.mail import mail
from reports.planning_report import render_planning
from tests.reports import made, made_traces
from tests.reports.made_forecasts import judged_store, planned, shown
from tests.reports.test_browser import Visit, browser

pytestmark = pytest.mark.browser

__all__ = ["browser"]
KINDS = ("attribution", "forecast", "planning")
CUT_OFF = """() => [...document.querySelectorAll("svg text")].filter(text => {
  const own = text.getBoundingClientRect();
  let frames = [], svg = text.ownerSVGElement;
  for (; svg; svg = svg.ownerSVGElement)
    if (getComputedStyle(svg).overflow !== "visible") frames.push(svg.getBoundingClientRect());
  frames.push({left: 0, right: document.documentElement.clientWidth, top: 0, bottom: Infinity});
  return frames.some(frame =>
    own.left < frame.left - 1 || own.right > frame.right + 1 || own.bottom > frame.bottom + 3);
}).map(text => text.textContent)"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with each report as a mail and without its style and script."""
    folder = tmp_path_factory.mktemp("forms")
    found = made.attribution()
    with judged_store(folder, margin=0.04, min_gain=0.05) as store:
        one = render_attribution(found, made.facts(), made_traces.traces(), command="c")
        two = render_forecast(shown(store), command="c")
        three = render_planning(planned(store), command="c")
    told = {"attribution": (one.page, one.summary), "forecast": (two.page, two.summary)}
    told["planning"] = (three.page, three.summary)
    for kind, (page, summary) in told.items():
        write(folder / f"{kind}.mail.html", mail(summary, file="r.html"))
        write(folder / f"{kind}.bare.html", re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL))
    return folder


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_mail_is_accessible_and_asks_for_nothing(browser: Browser, reports: Path, kind: str, scheme: str) -> None:
    with Visit(browser, reports / f"{kind}.mail.html", color_scheme=scheme) as visit:
        assert visit.noise == []
        assert visit.requests == [visit.url]
        found = Axe().run(visit.page)
        assert found.response["violations"] == [], found.generate_report()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [700, 1000, 1280])
def test_nothing_is_cut_off_where_style_sheets_are_stripped(
    browser: Browser, reports: Path, kind: str, width: int
) -> None:
    with Visit(browser, reports / f"{kind}.bare.html", viewport={"width": width, "height": 900}) as visit:
        assert visit.page.locator("svg text").count() > 0
        assert visit.page.evaluate(CUT_OFF) == []
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
