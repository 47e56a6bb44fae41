"""The demo: its made-up sample has the shape it promises, is the same everywhere, and is labelled wherever it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.demo.run import Demo, run_demo
from reports.demo.sample import BUILDS, ORIGIN, write_sample
from traces.store import TraceStore


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return run_demo(tmp_path_factory.mktemp("demo"))


def test_the_first_build_has_the_promised_shape(demo: Demo) -> None:
    found = demo.attribution
    assert [(f.fate, f.stage, f.failed, f.passed) for f in found.fates] == [
        ("never_found", None, 67, 58),
        ("lost", "reranked", 14, 13),
        ("lost", "packed", 8, 8),
        ("reached", None, 28, 204),
    ]
    assert (found.conditional.with_gold.count, found.conditional.with_gold.n) == (204, 232)
    assert (found.conditional.without_gold.count, found.conditional.without_gold.n) == (79, 168)
    assert found.stages[-1].recall.estimate == 0.58
    asked = found.questions
    assert (asked.total, asked.attributable, asked.no_answer, asked.unlabelled) == (412, 400, 7, 5)
    assert {by.value: by.questions for by in found.by} == {
        "How-to": 128, "Troubleshooting": 96, "Policy & limits": 72, "Comparison": 56, "Billing": 48,
    }  # fmt: skip


def test_the_second_build_moves_recall_to_85_and_passes_310(demo: Demo) -> None:
    from attribution.attribute import attribute

    with TraceStore.read(demo.store) as store:
        found = attribute(store, BUILDS[1])
    assert found.stages[-1].recall.estimate == 0.85
    assert (found.passed.count, found.passed.n) == (310, 400)


def test_the_forecast_is_the_canonical_one_and_was_sealed_before_the_fact(demo: Demo) -> None:
    assert demo.sealed.forecast.projection.estimate == pytest.approx(0.8179495073891626)
    assert demo.verdict.before_the_fact
    assert demo.verdict.verdict == "held"
    assert demo.verdict.error.total == pytest.approx(310 / 400 - 0.8179495073891626)


def test_the_reports_on_the_forecast_and_the_plan_are_there(demo: Demo) -> None:
    forecast, plan = (demo.reports[name].read_text(encoding="utf-8") for name in ("forecast", "planning"))
    assert "<h1>Held: the pass rate came to .78, forecast .82</h1>" in forecast
    assert "<h1>Pass rate rose from .71 to .78 over 2 builds; 1 forecast judged: held</h1>" in plan


def test_the_sample_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    first, second = write_sample(tmp_path / "one"), write_sample(tmp_path / "two")
    assert {k: f.read_bytes() for k, f in first.items()} == {k: f.read_bytes() for k, f in second.items()}


def test_made_up_data_says_so_wherever_it_shows(demo: Demo) -> None:
    for report in demo.reports.values():
        text = report.read_text(encoding="utf-8")
        assert "Made-up data" in text
        assert ORIGIN.split(";", maxsplit=1)[0] in text


def test_each_report_is_one_small_file(demo: Demo) -> None:
    for report in demo.reports.values():
        assert report.stat().st_size < 100_000


def test_running_it_again_changes_nothing_but_its_own_store(demo: Demo) -> None:
    folder = demo.store.parent
    mine = folder / "notes.txt"
    mine.write_text("keep me")
    before = demo.reports[BUILDS[0]].read_bytes()
    again = run_demo(folder)
    assert mine.read_text() == "keep me"
    assert again.reports[BUILDS[0]].read_bytes() == before
