"""Reports at the ends of what data can be: words without a blank, other scripts, many slices, many stages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.reports import made, made_traces
from tests.reports import made_forecasts as plans
from tests.reports.hostile import TEXTS
from tests.reports.made_states import one_of_each, planned_builds
from tests.reports.rendering import render
from tests.reports.test_hostile_text import hostile_page
from tests.reports.test_planning_report import hostile as hostile_plan

NAMES = {
    "long words": "Donaudampfschifffahrt" * 24,
    "right to left": "لماذا توقف تسجيل الدخول الموحد عن العمل بعد الترحيل الأخير؟ (v2) ",
    "wide": "为什么在最后一次迁移之后单点登录停止工作？ワークスペースの削除について教えてください。",
    "emoji": "👩🏽‍💻👨‍👩‍👧‍👦🏳️‍🌈 flags 🇩🇪🇫🇷 keycap 1️⃣ ",
    "hostile": "".join(text[:30] for text in TEXTS)[:700],
}


def extreme_pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield every report with names of every script, and the attribution report of every size."""
    with plans.judged_store(folder, margin=0.04, min_gain=0.05) as store:
        judged = plans.shown(store, target=0.78)
    with planned_builds(folder) as store:
        plan = plans.planned(store, target=0.8)
    for name, text in NAMES.items():
        yield f"{name} attribution", hostile_page(text)
        yield f"{name} forecast", plans.forecast_html(plans.hostile(judged, text))
        yield f"{name} planning", plans.planning_html(hostile_plan(plan, text))
    yield from sizes()


def sizes() -> Iterator[tuple[str, str]]:
    """Yield the attribution report of many intents, of many stages, and with long questions."""
    intents = {
        f"intent {at} of the many that a help desk knows": [(at % 5, 3), (2, 1), (1, 1), (at % 7, 20)]
        for at in range(60)
    }
    yield "60 intents", render(made.attribution(intents), made_traces.traces(intents))
    stages, by = made.many_stages(12)
    yield (
        "12 stages",
        render(made.attribution(by, stages), made_traces.traces(by, stages), made.facts(stages=list(stages))),
    )
    asked = ("Why does the export of my workspace stop after the third page? " * 40)[:2000]
    failures = [each.model_copy(update={"query": asked, "answer": asked}) for each in made_traces.traces()]
    yield "long questions", render(failures=failures)
    two = made.attribution({None: [(1, 0), (0, 0)]}, ("candidates",), slices=False, left_out={})
    yield "one stage", render(two, one_of_each(two), made.facts(stages=["candidates"]))
    huge = made.attribution({None: [(50_000, 400_000), (20_000, 9_000), (1, 1), (1_200_000, 8_000_000)]}, slices=False)
    quarters = made.attribution({None: [(12_500, 100)] * 3 + [(12_500, 30_000)]}, slices=False)
    yield "50,000 failures", render(quarters, list(made_traces.many(50_000)))
    yield "millions", render(huge, one_of_each(huge))
