"""The planning report: trend, attribution by build, the forecasts' record, labels, and what waits to be tested."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import pytest

from attribution.choices import Choices
from attribution.forecasts.verify import verify
from reports.planning_report import render_planning
from reports.view.forecast_ledger import calibration_words, held_words
from reports.view.forecast_parts import ForecastState
from reports.view.planning_labels import assumptions
from reports.view.planning_shown import PlanningShown, PlanningState
from reports.view.planning_trend import trend
from tests.attribution.forecasts.made import EXAMPLE, after_of, before_of, headed, kinds_of, sealed, store_before
from tests.attribution.made_runs import add_run, trace, write_lines
from tests.reports import made_forecasts as made
from tests.reports.pages import Page, sha256
from tests.reports.test_forecast_report import QUESTIONS
from tests.reports.test_hostile_text import ATTRIBUTES, ELEMENTS, PAYLOADS, own_tags
from traces.errors import UsageError
from traces.imports.labels import import_labels
from traces.store import TraceStore

MARKS = {"stroke-width", "stroke-dasharray"}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> PlanningShown:
    """Three dated builds, a forecast judged by the second, and one that waits."""
    folder = tmp_path_factory.mktemp("plan")
    with TraceStore.in_memory() as store:
        head = {"created_at": "2026-09-01T02:00:00Z", "build": "b1"}
        add_run(store, folder, headed(before_of(kinds_of(EXAMPLE)), **head), run="b1")
        sealed_on(store, "b1", "f", 0.85)
        made.add_dated(store, folder, "b2", 8, EXAMPLE)
        verify(store, "f", "b2")
        sealed_on(store, "b2", "next", 0.95)
        made.add_dated(store, folder, "b3", 15, EXAMPLE)
        return made.planned(store, target=0.8)


def sealed_on(store: TraceStore, run: str, name: str, recall: float) -> None:
    from attribution.forecasts.seal import Terms, seal

    seal(store, run, name, recall=recall, terms=Terms())


def test_the_headline_has_the_trend_and_the_record(told: PlanningShown) -> None:
    page = made.planning_page(told)
    assert told.state is PlanningState.trend
    assert made.headline(page) == "Pass rate rose from .71 to .78 over 3 builds; 1 forecast judged: held"
    assert "Since b1 that is +6.8 points (+2.7 to +10.8), on 400 questions both were asked." in page.text
    assert "Whether the goal of .80 is met cannot be told." in page.text
    assert re.findall(r"<h3>(.*?)</h3>", page.html) == QUESTIONS


def test_a_change_that_chance_explains_is_too_close_to_call(tmp_path: Path) -> None:
    few = {(1, 1, 1, 1): 60, (0, 0, 0, 0): 30, (1, 1, 0, 1): 4, (1, 1, 1, 0): 2}
    with store_before(tmp_path, counts=few) as store:
        add_run(store, tmp_path, after_of(kinds_of(few)), run="after")
        found = made.planned(store)
    page = made.planning_page(found)
    assert not found.clear
    assert made.headline(page) == "Pass rate from .65 to .67 over 2 builds, too close to call"
    assert "it may be no change at all." in page.text


def test_builds_stand_in_the_order_of_their_dates_whatever_order_they_came_in(tmp_path: Path) -> None:
    with TraceStore.in_memory() as store:
        made.add_dated(store, tmp_path, "late", 20, EXAMPLE)
        made.add_dated(store, tmp_path, "early", 3, EXAMPLE)
        dated = made.planned(store)
        add_run(store, tmp_path, before_of(kinds_of(EXAMPLE)), run="undated")
        mixed = made.planned(store)
    assert [build.run for build in dated.builds.shown] == ["early", "late"]
    assert [build.run for build in mixed.builds.shown] == ["late", "early", "undated"]
    assert "in the order they were read" in made.planning_page(mixed).text


def test_a_build_has_its_forecast_beside_what_came_and_a_pending_one_its_own_row(told: PlanningShown) -> None:
    picture = trend(told)
    assert picture is not None
    rows = {row.name: row for row in picture.rows}
    assert list(rows) == ["b1", "b2", "b3", "Forecast, pending"]
    assert [len(row.projected) for row in picture.rows] == [0, 1, 0, 1]
    forecast, came = rows["b2"].projected[0], rows["b2"].seen
    assert came is not None
    assert float(forecast.middle[:-1]) > float(came.middle[:-1])
    assert [row.seen is None for row in picture.rows] == [False, False, False, True]
    assert [str(each) for each in rows["b2"].forecast] == [".818 (.78–.85) “f”: Held"]
    assert picture.goal is not None
    assert "The line is the goal, .80." in picture.intro
    html = made.planning_html(told)
    assert html.count('class="goal"') == 4
    assert html.count('class="tg"') == 2


def test_builds_have_the_rows_of_the_attribution_report(told: PlanningShown) -> None:
    html = made.planning_html(told)
    table = html[html.index('<table class="slices">') :]
    text = Page(table[: table.index("</table>")]).text
    assert table[: table.index("</table>")].count("<tr") == 1 + 3
    for words in ("b1", "204 of 232", "79 of 168", "286 of 340", "24 of 60"):
        assert words in text
    assert "In b3, “reached but failed” and “never found” are too close to call" in html


def test_the_ledger_counts_the_first_verdict_before_the_fact(told: PlanningShown, tmp_path: Path) -> None:
    text = made.planning_page(told).text
    assert "1 forecast judged: held. Off by −4.3 points, outside the range for the next run." in text
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, after_of(kinds_of(EXAMPLE)), run="after")
        sealed(store)
        verify(store, "f", "after")
        late = made.planned(store)
    assert late.record.calibration.judged == 0
    text = made.planning_page(late).text
    assert "1 forecast sealed, none judged before the fact" in text
    assert "1 was sealed when the outcomes were known already and is not counted." in text
    assert "Held, sealed after the fact" in text


def test_a_record_of_several_is_counted_in_words(told: PlanningShown) -> None:
    done = told.record.calibration.model_copy(update={"judged": 3, "held": 2, "refuted": 1, "covered": 2})
    assert held_words(done) == "2 of 3 forecasts held"
    assert str(calibration_words(done)) == (
        "2 of 3 forecasts held, 1 refuted, 0 cannot tell. Off by −4.3 points on average, 4.3 either way; 2 of 3 landed "
        "in the range for the next run."
    )


def test_labels_have_their_source_age_conflicts_and_audits(tmp_path: Path) -> None:
    rows = [
        {"query_id": f"q{i}", "doc_id": "g", "grade": 1, "at": f"2026-08-{1 + i % 9:02d}T00:00:00Z", "annotator": "ann"}
        for i in range(40)
    ]
    clash = {"query_id": "q0", "doc_id": "g", "grade": 0, "at": "2026-08-20T00:00:00Z", "annotator": "bob"}
    audit = [
        {"query_id": f"q{i}", "doc_id": "x" if i in {3, 4} else None, "grade": int(i in {3, 4})} for i in range(30)
    ]
    with TraceStore.in_memory() as store:
        for run, day in (("r1", 10), ("r2", 17)):
            records = [trace(f"q{i}", ["g"], ["g"], ["g"], i % 2 == 0) for i in range(42)]
            head = {"run": {"created_at": f"2026-{9 if day == 17 else 8:02d}-{day:02d}T00:00:00Z", "build": run}}
            add_run(store, tmp_path, [head, *records], run=run)
        import_labels(store, write_lines(tmp_path / "l", [*rows, clash]), name="gold")
        fresh = made.planned(store)
        import_labels(store, write_lines(tmp_path / "a", audit), name="search", kind="audit")
        found = made.planned(store)
    assert {each.name: (each.conflicts, each.audited) for each in found.sets} == {"gold": (1, 0), "search": (0, 30)}
    text = made.planning_page(found).text
    assert "1 of 2 builds is newer than the labels" in text
    assert "41 on 40 questions" in text
    assert "1 August 2026 to 20 August 2026" in text
    assert "human, 2 annotators" in text
    assert "2 of 29 had gold it lacks" in text
    assert "30 questions searched" in text
    assert "Labels are missing. 3 of 42 questions of r2 have no gold label" in text
    heading, waiting = assumptions(found)
    assert heading == "One assumption waits to be tested"
    assert "still labels what builds find now: 1 build came after" in str(waiting[0].text)
    assert [each.since for each in waiting] == ["20 August 2026"]
    _, before_the_audit = assumptions(fresh)
    assert [each.since for each in before_the_audit] == ["1 August 2026", "20 August 2026"]
    assert "no open search has checked it" in str(before_the_audit[0].text)


def test_what_waits_is_listed_the_oldest_first(told: PlanningShown) -> None:
    heading, waiting = assumptions(told)
    texts = [str(each.text) for each in waiting]
    assert heading == f"{len(texts)} assumptions wait to be tested, the oldest first"
    assert "“next” waits for a verdict, though 1 run with outcomes came since: foundlost forecast verify." in texts
    assert any("“next” takes recovered questions to pass like those reached today" in text for text in texts)
    assert any("A second run of b2 would measure it." in text for text in texts)


def test_the_rail_prices_the_forecast_that_waits(told: PlanningShown) -> None:
    text = made.planning_page(told).text
    assert "If recall goes from .85 to .95, by the forecast “next”, which waits for its run." in text
    assert "“next”: recall under .930, or a pass rate off .819 by more than" in text
    assert (
        "Of 90 failures in b3, 36 had no evidence in the prompt. Causes “reached but failed” and “never found” are"
        in text
    )


def states(folder: Path) -> Iterator[tuple[PlanningState, PlanningShown, str]]:
    with TraceStore.in_memory() as store:
        yield PlanningState.no_runs, made.planned(store), "Nothing to plan with: no run is stored"
        unlabelled = [trace(f"q{i}", ["d"], ["d"], ["d"], True) for i in range(5)]
        add_run(store, folder, unlabelled, run="bare")
        yield (
            PlanningState.no_labels,
            made.planned(store),
            "No failure can be placed in 1 run: no label set judges their questions",
        )
    with TraceStore.in_memory() as store:
        silent = [trace(f"q{i}", ["g"], ["g"], ["g"], None, gold=["g"]) for i in range(30)]
        add_run(store, folder, silent, run="silent")
        yield PlanningState.no_outcomes, made.planned(store), "No pass rate yet: none of 1 run has outcomes"
    with store_before(folder) as store:
        yield PlanningState.one_build, made.planned(store), "One build so far, at a pass rate of .71"
        sealed(store)
        yield (
            PlanningState.one_build,
            made.planned(store),
            "One build so far, at a pass rate of .71; 1 forecast is pending",
        )


def test_every_state_has_its_words_and_no_zero_stands_for_unknown(tmp_path: Path) -> None:
    seen = set()
    for state, found, words in states(tmp_path):
        page = made.planning_page(found)
        assert found.state is state
        assert made.headline(page) == words
        assert not re.search(r"(?<!\d)(?:0%|\.00\b)", page.text)
        assert "nan" not in page.text.lower()
        if not found.record.forecasts:
            assert "No forecast is sealed yet" in page.text
        seen.add(state)
    assert seen == set(PlanningState) - {PlanningState.trend}


def test_a_run_without_outcomes_shows_its_recall(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        silent = [trace(f"q{i}", ["g"], ["g"], ["g"], None, gold=["g"]) for i in range(30)]
        add_run(store, tmp_path, silent, run="replay")
        picture = trend(made.planned(store))
    assert picture is not None
    assert str(picture.rows[-1].passed) == "no outcomes; recall at the prompt 1.00 (.89–1.00)"
    assert picture.rows[-1].seen is None


def test_runs_on_other_questions_or_labels_are_said(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, after_of(kinds_of(EXAMPLE))[:200], run="half")
        half = made.planned(store)
        foreign = [trace(f"z{i}", ["d"], ["d"], ["d"], True) for i in range(9)]
        add_run(store, tmp_path, foreign, run="foreign")
        apart = made.planned(store)
        with pytest.raises(UsageError, match="unknown-labels"):
            made.planned(store, choices=Choices(labels="gold"))
    assert "Not all questions of half" not in made.planning_page(half).text
    assert "1 run cannot stand beside the others. foreign." in made.planning_page(apart).text
    assert "there is no label set" in made.planning_page(apart).text


def test_a_trend_on_the_questions_that_are_shared_is_said_to_be_on_them(tmp_path: Path) -> None:
    # The last build was asked only what mostly passed before: its own rate is higher, and it lost some of these.
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, after_of(kinds_of(EXAMPLE))[:200], run="half")
        page = made.planning_page(made.planned(store))
    assert made.headline(page) == (
        "Pass rate fell 5.0 points over 2 builds, on the questions that the first and the last share"
    )
    assert "In half, .950 (.91–.97) of questions pass; recall at the prompt is 1.00 (.98–1.00)." in page.text


def test_few_cases_are_counted(tmp_path: Path) -> None:
    few = {(1, 1, 1, 1): 2, (0, 0, 0, 0): 1}
    with store_before(tmp_path, counts=few) as store:
        text = made.planning_page(made.planned(store)).text
    assert "2 of 3, few" in text
    assert "In before, 2 of 3 questions pass; recall at the prompt is 2 of 3, few." in text


def test_the_same_plan_gives_the_same_bytes_and_loads_nothing(told: PlanningShown) -> None:
    html = made.planning_html(told)
    assert html == render_planning(told, command=made.PLANNING_COMMAND).page
    page = Page(html)
    assert len(html.encode()) < 100_000
    assert page.raw["script"] == []
    assert sha256(page.raw["style"][0]) in page.policy
    assert not re.search(r"\s(?:style|on\w+)=", html)


def hostile(told: PlanningShown, text: str) -> PlanningShown:
    """Put a text into every field that holds text from outside."""
    builds = tuple(
        replace(
            build,
            facts=build.facts.model_copy(update={"run": text, "build": text, "synthetic": text}),
            attribution=build.attribution.model_copy(
                update={
                    "run": text,
                    "stages": [
                        s.model_copy(update={"stage": f"{text}{i}"}) for i, s in enumerate(build.attribution.stages)
                    ],
                    "fates": [
                        f.model_copy(update={"stage": f"{text}{i}" if f.stage else None})
                        for i, f in enumerate(build.attribution.fates)
                    ],
                }
            ),
        )
        for build in told.builds.shown
    )
    first = next(line.first for line in told.record.forecasts if line.first is not None)
    lines = [
        line.model_copy(
            update={"name": text, "run": text, "revises": text,
                    "first": first.model_copy(update={"after": text}) if line.first is not None else None}
        )
        for line in told.record.forecasts
    ]  # fmt: skip
    return replace(
        told,
        builds=replace(told.builds, shown=builds, apart={text: text}),
        labels=text,
        record=told.record.model_copy(update={"forecasts": lines}),
        pending=[
            each.model_copy(update={"forecast": each.forecast.model_copy(update={"name": text, "run": text})})
            for each in told.pending
        ],
        sets=[each.model_copy(update={"name": text, "kinds": (text,)}) for each in told.sets],
    )


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(24))
def test_text_from_outside_stays_text(payload: str, told: PlanningShown) -> None:
    page, plain = (made.planning_page(hostile(told, text)) for text in (payload, "harmless"))
    assert own_tags(page) == own_tags(plain)
    assert set(page.tags) <= ELEMENTS
    assert {name for _, attrs in page.elements for name in attrs} <= ATTRIBUTES | MARKS
    assert page.raw["script"] == []
    page.html.encode("utf-8")
    assert "\x1b" not in page.html


def test_a_trend_that_goes_nowhere_has_its_own_words(tmp_path: Path) -> None:
    with TraceStore.in_memory() as store:
        for day in (3, 10):
            made.add_dated(store, tmp_path, f"r{day}", day, EXAMPLE)
        found = made.planned(store)
    assert made.headline(made.planning_page(found)) == "Pass rate at .775 in the first and the last of 2 builds"


@pytest.mark.parametrize(
    ("heading", "states"), [("The forecast report", ForecastState), ("The planning report", PlanningState)]
)
def test_every_state_is_described(heading: str, states: type[StrEnum]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "reports.md").read_text("utf-8")
    table = text[text.index(f"## {heading}\n") :]
    table = table[table.index("| state |") :]
    named = re.findall(r"^\| ([a-z ]+) \|", table[: table.index("\n\n")], re.MULTILINE)
    assert list(dict.fromkeys(named)) == ["state", *(state.value for state in states)]
