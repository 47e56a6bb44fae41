"""Stores with builds and sealed forecasts for the report tests, made through the real seal and the real verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attribution.choices import Choices
from attribution.forecasts.verify import verify
from attribution.results import Setting, VerdictFound, Warn
from reports.forecast_gather import forecast_shown
from reports.forecast_report import render_forecast
from reports.planning_gather import planning_shown
from reports.planning_report import render_planning
from reports.view.forecast_shown import ForecastShown
from reports.view.planning_shown import PlanningShown
from tests.attribution.forecasts.made import EXAMPLE, Kind, after_of, headed, kinds_of, sealed, store_before
from tests.attribution.made_runs import add_run
from tests.reports.pages import Page
from traces.store import TraceStore

FORECAST_COMMAND = "foundlost report forecast f -o f.html"
PLANNING_COMMAND = "foundlost report planning -o p.html"
# As EXAMPLE, but the reached and the recovered answer far better after the fix: more than retrieval changed.
BETTER: Mapping[Kind, int] = {
    (1, 1, 1, 1): 201, (1, 1, 0, 1): 27, (1, 0, 1, 1): 2, (1, 0, 1, 0): 1, (1, 0, 0, 0): 1,
    (0, 1, 1, 1): 55, (0, 1, 0, 1): 57, (0, 0, 1, 1): 24, (0, 0, 0, 0): 32,
}  # fmt: skip


@contextmanager
def judged_store(
    folder: Path, counts: Mapping[Kind, int] = EXAMPLE, recall: float = 0.85, **terms: Any
) -> Iterator[TraceStore]:
    """Open a store in which ``f`` was sealed on ``before`` and judged by ``after``."""
    with store_before(folder, counts=counts) as store:
        sealed(store, recall=recall, **terms)
        add_run(store, folder, after_of(kinds_of(counts)), run="after")
        verify(store, "f", "after")
        yield store


def add_dated(store: TraceStore, folder: Path, run: str, day: int, counts: Mapping[Kind, int], **head: Any) -> None:
    """Add a run of one day, made from the right-hand side of the cells."""
    created = f"2026-09-{day:02d}T02:00:00Z"
    records = headed(after_of(kinds_of(counts)), created_at=created, **{"build": run, **head})
    add_run(store, folder, records, run=run)


def shown(store: TraceStore, name: str = "f", **options: Any) -> ForecastShown:
    """Gather a forecast."""
    return forecast_shown(store, name, **options)


def forecast_html(told: ForecastShown) -> str:
    """Render a forecast."""
    return render_forecast(told, command=FORECAST_COMMAND).page


def forecast_page(told: ForecastShown) -> Page:
    """Render and read a forecast."""
    return Page(forecast_html(told))


def planned(store: TraceStore, **options: Any) -> PlanningShown:
    """Gather all builds."""
    return planning_shown(store, options.pop("choices", Choices()), **options)


def planning_html(told: PlanningShown) -> str:
    """Render the plan."""
    return render_planning(told, command=PLANNING_COMMAND).page


def planning_page(told: PlanningShown) -> Page:
    """Render and read the plan."""
    return Page(planning_html(told))


def headline(page: Page) -> str:
    """Return the headline of a page."""
    html = page.html
    return Page(html[html.index("<h1>") : html.index("</h1>")]).text


def hostile(told: ForecastShown, text: str) -> ForecastShown:
    """Put a text into every field of a forecast and its verdict that holds text from outside."""
    setting = Setting(
        build=text, model=text, prompt=text, judges=[text, text + "b"], pass_rules=[text], index_size=5,
        stages=[text + "1", text + "2"],
    )  # fmt: skip
    warning = [Warn(code=text, message=text, questions=3)]
    forecast = told.forecast.model_copy(
        update={
            "name": text, "revises": text + "0", "run": text, "recall_from": text, "version": text, "setting": setting,
            "changes": [text], "warnings": warning,
            "labels": told.forecast.labels.model_copy(update={"name": text, "kinds": [text]}),
            "falsifiers": [
                each.model_copy(
                    update={"name": f"{text}{i}" if i > 5 else each.name, "statement": text, "precondition": text,
                            "consequence": text}
                )
                for i, each in enumerate(told.forecast.falsifiers)
            ],
        }
    )  # fmt: skip
    verdict = None if told.verdict is None else _hostile_verdict(told.verdict, text)
    family = [
        line.model_copy(update={"name": f"{text}{i}", "revises": text, "run": text, "first": verdict})
        for i, line in enumerate(told.family)
    ]
    return ForecastShown(
        sealed=told.sealed.model_copy(update={"forecast": forecast}),
        verdict=verdict,
        verdicts=[verdict] if verdict else [],
        builds=told.builds,
        record=told.record,
        family=family,
        synthetic=text,
        target=told.target,
    )


def _hostile_verdict(found: VerdictFound, text: str) -> VerdictFound:
    claims = [
        each.model_copy(
            update={"name": f"{text}{i}" if i > 5 else each.name, "statement": text, "reason": text, "details": [text],
                    "consequence": text}
        )
        for i, each in enumerate(found.falsifiers)
    ]  # fmt: skip
    warning = [Warn(code=text, message=text)]
    told = {"forecast": text, "run": text, "after": text, "allowed": [text], "falsifiers": claims, "warnings": warning}
    return found.model_copy(update=told)
