"""Every report in each of its states, from small made-up data: what golden files keep and a browser looks at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attribution.forecasts.seal import Terms, seal
from attribution.forecasts.verify import verify
from attribution.results import Attribution, QuestionTrace
from reports.attribution_report import render_broken
from tests.attribution.forecasts.made import EXAMPLE, Kind, after_of, before_of, headed, kinds_of, sealed, store_before
from tests.attribution.made_runs import add_run, trace
from tests.reports import made, made_traces
from tests.reports import made_forecasts as plans
from tests.reports.rendering import COMMAND, render
from traces.store import TraceStore

FALLEN = {(1, 1, 1, 1): 150, (1, 1, 1, 0): 52, (1, 1, 0, 0): 30, (0, 1, 1, 0): 55, (0, 1, 0, 0): 57, (0, 0, 0, 0): 56}
FEW: dict[Kind, int] = {(1, 1, 1, 1): 2, (0, 0, 0, 0): 1}


def one_of_each(found: Attribution) -> list[QuestionTrace]:
    """Return one failure of each fate that has any, with a short list."""
    stages = [each.stage for each in found.stages]
    kept = [
        made_traces.trace(position, 20 + position, "Billing", stages)
        for position, fate in enumerate(found.fates)
        if fate.failed
    ]
    return [
        each.model_copy(update={"stages": [s.model_copy(update={"documents": s.documents[:3]}) for s in each.stages]})
        for each in kept
    ]


def attributions() -> dict[str, Attribution]:
    """Return an attribution in every state."""
    unlabelled = made.labels(name="", questions=0, judgments=0, annotators=0, kinds=[], oldest=None, newest=None)
    nothing = {None: [(0, 0)] * 4}
    return {
        "attributed": made.attribution(),
        "too close": made.attribution({"a": [(40, 30), (38, 5), (1, 3), (20, 200)]}),
        "one cause": made.attribution({None: [(0, 9), (25, 9), (0, 1), (0, 90)]}, slices=False),
        "model leads": made.attribution({None: [(10, 9), (8, 9), (5, 1), (60, 90)]}, slices=False),
        "few": made.attribution({"a": [(7, 30), (1, 5), (1, 3), (2, 362)]}),
        "handful": made.attribution({None: [(2, 30), (0, 5), (0, 3), (1, 362)]}, slices=False),
        "one question": made.attribution({None: [(1, 0), (0, 0), (0, 0), (0, 0)]}, slices=False, left_out={}),
        "no failures": made.attribution({None: [(0, 30), (0, 5), (0, 3), (0, 362)]}, slices=False),
        "no outcomes": made.attribution(outcomes=False),
        "no labels": made.attribution(nothing, slices=False, left_out={"unlabelled": 400}, labels=unlabelled),
        "several reasons": made.attribution(nothing, slices=False, left_out={"no_answer": 3, "unknown_gold": 2}),
        "no rerank": made.attribution({None: [(30, 20), (8, 4), (20, 200)]}, ("candidates", "packed"), slices=False),
    }


def attribution_pages() -> Iterator[tuple[str, str]]:
    """Yield the attribution report in every state."""
    for state, found in attributions().items():
        facts = made.facts(stages=[each.stage for each in found.stages])
        projection = made.projection(found) if state == "attributed" else None
        failures = one_of_each(found) if found.passed.n else []
        yield f"attribution {state}", render(found, failures, facts, projection=projection)
    missing = [each.model_copy(update={"stages": []}) for each in one_of_each(made.attribution())]
    yield "attribution no lists", render(failures=missing)
    yield "broken", render_broken("Failure attribution, b127", "bad-json: not JSON (b127.jsonl:17)", COMMAND)


def forecast_pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the forecast report in every state."""
    with store_before(folder) as store:
        sealed(store, margin=0.04, min_gain=0.05)
        yield "forecast pending", plans.forecast_html(plans.shown(store, target=0.8))
    with plans.judged_store(folder, margin=0.04, min_gain=0.05) as store:
        yield "forecast cannot tell", plans.forecast_html(plans.shown(store))
    with plans.judged_store(folder) as store:
        sealed(store, "g", recall=0.8, revises="f")
        yield "forecast held", plans.forecast_html(plans.shown(store))
        verify(store, "g", "after")
        yield "forecast after the fact", plans.forecast_html(plans.shown(store, "g"))
    with plans.judged_store(folder, plans.BETTER) as store:
        yield "forecast better", plans.forecast_html(plans.shown(store))
    with plans.judged_store(folder, recall=0.97) as store:
        yield "forecast recall short", plans.forecast_html(plans.shown(store))
    with plans.judged_store(folder, FALLEN) as store:
        yield "forecast refuted", plans.forecast_html(plans.shown(store))


def planning_pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the planning report in every state."""
    with TraceStore.in_memory() as store:
        yield "planning no runs", plans.planning_html(plans.planned(store))
        add_run(store, folder, [trace(f"q{i}", ["d"], ["d"], ["d"], True) for i in range(5)], run="bare")
        yield "planning no labels", plans.planning_html(plans.planned(store))
    with TraceStore.in_memory() as store:
        silent = [trace(f"q{i}", ["g"], ["g"], ["g"], None, gold=["g"]) for i in range(30)]
        add_run(store, folder, silent, run="silent")
        yield "planning no outcomes", plans.planning_html(plans.planned(store))
    with store_before(folder, counts=FEW) as store:
        yield "planning few", plans.planning_html(plans.planned(store))
    with store_before(folder) as store:
        sealed(store)
        yield "planning one build", plans.planning_html(plans.planned(store))
    with planned_builds(folder) as store:
        yield "planning trend", plans.planning_html(plans.planned(store, target=0.8))
        add_run(store, folder, after_of(kinds_of(EXAMPLE))[:200], run="half")
        yield "planning apart", plans.planning_html(plans.planned(store, target=0.8))


@contextmanager
def planned_builds(folder: Path) -> Iterator[TraceStore]:
    """Open a store with three dated builds, a forecast judged by the second, and one that waits."""
    with TraceStore.in_memory() as store:
        head = {"created_at": "2026-09-01T02:00:00Z", "build": "b1"}
        add_run(store, folder, headed(before_of(kinds_of(EXAMPLE)), **head), run="b1")
        seal(store, "b1", "f", recall=0.85, terms=Terms())
        plans.add_dated(store, folder, "b2", 8, EXAMPLE)
        verify(store, "f", "b2")
        seal(store, "b2", "next", recall=0.95, terms=Terms())
        plans.add_dated(store, folder, "b3", 15, EXAMPLE)
        yield store


def all_pages(folder: Path) -> dict[str, str]:
    """Return every report in every state by its name."""
    return {**dict(attribution_pages()), **dict(forecast_pages(folder)), **dict(planning_pages(folder))}
