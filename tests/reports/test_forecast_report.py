"""The forecast report: what it says in every state, and that it says nothing the data does not carry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from attribution.forecasts.verify import verify
from attribution.statistics.projection import project
from reports.forecast_report import render_forecast
from reports.view.forecast_claims import rail_lines
from reports.view.forecast_doubts import sensitivity
from reports.view.forecast_frame import HEIGHT
from reports.view.forecast_parts import ForecastState
from reports.view.forecast_plot import plot
from reports.view.forecast_shown import ForecastShown
from tests.attribution.forecasts.made import EXAMPLE, after_of, before_of, kinds_of, sealed, store_before
from tests.attribution.made_runs import add_run
from tests.reports import made_forecasts as made
from tests.reports.pages import Page, sha256
from tests.reports.test_hostile_text import ATTRIBUTES, ELEMENTS, FREE_ATTRIBUTES, PAYLOADS, own_tags
from traces.errors import InputError, UsageError

QUESTIONS = ["Where the failures are", "What a fix is worth", "How sure we are", "What would prove it wrong"]
# What a picture adds to a page of tables.
FIGURE = {"figure", "title", "desc"}
FIGURE_ATTRIBUTES = {
    "role", "aria-labelledby", "viewbox", "preserveaspectratio", "stroke-width", "stroke-dasharray", "vector-effect",
}  # fmt: skip


@pytest.fixture(scope="module")
def pending(tmp_path_factory: pytest.TempPathFactory) -> ForecastShown:
    with store_before(tmp_path_factory.mktemp("pending")) as store:
        sealed(store, margin=0.04, min_gain=0.05)
        return made.shown(store)


@pytest.fixture(scope="module")
def undecided(tmp_path_factory: pytest.TempPathFactory) -> ForecastShown:
    with made.judged_store(tmp_path_factory.mktemp("undecided"), margin=0.04, min_gain=0.05) as store:
        return made.shown(store)


def judged(folder: Path, *args: object, **options: object) -> ForecastShown:
    with made.judged_store(folder, *args, **options) as store:  # type: ignore[arg-type]
        return made.shown(store)


def test_before_the_run_the_headline_says_from_where_to_where(pending: ForecastShown) -> None:
    page = made.forecast_page(pending)
    assert pending.state is ForecastState.pending
    assert made.headline(page) == "Recall of .85 should lift the pass rate from .71 to .82"
    assert (
        "If the fix raises recall at the prompt from .58 to .85, we expect .818 (.78–.85) of questions to pass. "
        "That is about 44 more right answers in 400." in page.text
    )
    assert "should land between .79 and .84, if no answer flips by itself." in page.text
    assert "Off by more than 4.0 points, outside .778–.858, it does not hold." in page.text


def test_a_forecast_may_go_down_or_nowhere(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        sealed(store, "down", recall=0.4)
        sealed(store, "same", recall=0.58, margin=0.3)
        said = [made.headline(made.forecast_page(made.shown(store, name))) for name in ("down", "same")]
    assert said == [
        "Recall of .40 should lower the pass rate from .71 to .63",
        "Recall of .58 should leave the pass rate at .708",
    ]


def test_the_four_questions_are_those_of_every_report(pending: ForecastShown) -> None:
    html = made.forecast_html(pending)
    rail = html[html.index('<div class="rail') :]
    assert re.findall(r"<h3>(.*?)</h3>", rail) == QUESTIONS
    text = Page(rail).text
    assert "Of 117 failures in the run before, 89 had no evidence in the prompt." in text
    assert "+11.0 points (8.1 to 14.2)" in text
    assert "No build has been above .58, so the step to .85 is extrapolation." in text
    assert "Recovered questions pass 14.8 points less often than the .879 claimed." in text


def test_extrapolation_is_not_claimed_where_a_build_has_been(tmp_path: Path) -> None:
    higher = {(1, 1, 1, 1): 350, (1, 0, 0, 0): 20, (1, 1, 0, 0): 30}
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, after_of(kinds_of(higher)), run="earlier")
        sealed(store)
        told = made.shown(store)
    assert [build.run for build in told.past] == ["before", "earlier"]
    text = made.forecast_page(told).text
    assert "Builds have been at recalls up to .95, so .85 is within what was seen." in text
    assert "extrapolation" not in text
    picture = plot(told)
    assert picture is not None
    assert picture.solid
    assert len(picture.dashed) == 2
    assert [dot.kind for dot in picture.dots] == ["past", "now"]


def test_a_run_that_came_after_the_seal_is_no_past_build(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        sealed(store)
        add_run(store, tmp_path, after_of(kinds_of(EXAMPLE)), run="unjudged")
        told = made.shown(store)
    assert [build.run for build in told.past] == ["before"]
    assert "Not on the picture: 1 later or unanswered run." in made.forecast_page(told).text


def test_every_falsifier_is_there_with_margin_power_and_verdict(
    pending: ForecastShown, undecided: ForecastShown
) -> None:
    text = made.forecast_page(pending).text
    assert "Eight ways this forecast can fail, written before the run that decides" in text
    assert text.count("Pending") == 8
    assert "Recall at the prompt comes to less than .796" in text
    assert "about 108 recovered" in text
    assert (
        "The forecast is refuted if any of these is refuted. It holds only if “recovered” and “retained” hold" in text
    )
    after = made.forecast_page(undecided).text
    assert "Pending" not in after
    assert "112 recovered" in after
    assert "about 1" not in after[after.index("Eight ways") : after.index("What this leaves open")]
    assert "Seen −7.6 (−15.1 to −0.9), line −14.8." in after
    assert "431 questions would have decided it." in after
    assert "No audit was imported for these questions." in after


def test_cannot_tell_is_said_with_what_it_was_off_by(undecided: ForecastShown) -> None:
    page = made.forecast_page(undecided)
    assert undecided.state is ForecastState.cannot_tell
    assert made.headline(page) == "Cannot tell: the pass rate came to .78, forecast .82"
    assert "Of 8 falsifiers, 4 held, 1 cannot tell and 3 not tested." in page.text
    assert "It was off by −4.3 points (−8.4 to −0.2); the largest part, −2.1, is" in page.text
    assert (
        "Cannot tell whether it was worth it: the gain is +6.8 points (+2.7 to +10.8), at least 5.0 points" in page.text
    )


def test_held_is_not_called_proved(tmp_path: Path) -> None:
    told = judged(tmp_path)
    page = made.forecast_page(told)
    assert told.state is ForecastState.held
    assert made.headline(page) == "Held: the pass rate came to .78, forecast .82"
    assert "Held is not proved: a claim off by less than its line holds as well. This one was off by −4.3." in page.text
    assert "No least gain was sealed, so whether it was worth it is not judged." in page.text


def test_refuted_names_what_and_what_follows(tmp_path: Path) -> None:
    told = judged(tmp_path, recall=0.99)
    page = made.forecast_page(told)
    assert told.state is ForecastState.refuted
    assert made.headline(page).startswith("Refuted: the pass rate came to .78, forecast .88")
    assert "1 refuted (recall)" in page.text
    assert "What we learn from 1 refuted claim" in page.text
    assert "Recall: The gain did not reach the prompt" in page.text
    assert "before that .850 in the candidates and .850 in the reranked list" in page.text


def test_better_than_claimed_is_refuted_and_said_to_be_better(tmp_path: Path) -> None:
    told = judged(tmp_path, made.BETTER)
    page = made.forecast_page(told)
    assert told.state is ForecastState.refuted
    assert made.headline(page).startswith("Refuted, better than claimed: the pass rate came to .92")
    assert page.text.count("Refuted, better") == 2
    assert "More than retrieval changed" in page.text


def test_the_error_adds_up_and_has_its_picture(undecided: ForecastShown) -> None:
    html = made.forecast_html(undecided)
    table = html[html.index('<table class="deltas error">') :]
    table = table[: table.index("</table>")]
    assert table.count("<tr") == 1 + 6
    assert table.count('class="kept"') == 6
    assert undecided.verdict is not None
    terms = undecided.verdict.error.terms.to_dict()
    assert sum(terms.values()) == pytest.approx(undecided.verdict.error.total)
    for number in ("−2.1", "−1.1"):
        assert number in Page(table).text


def test_sealed_after_the_fact_is_on_the_page_and_its_top(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, after_of(kinds_of(EXAMPLE)), run="after")
        sealed(store)
        verify(store, "f", "after")
        told = made.shown(store)
    page = made.forecast_page(told)
    assert '<span class="chip">Sealed after the fact</span>' in page.html
    assert "Outcomes of run after were in the store before" in page.text
    assert 'class="chip"' not in made.forecast_html(judged(tmp_path))


def test_revisions_stand_beside_the_original(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        sealed(store)
        sealed(store, "g", recall=0.8, revises="f")
        sealed(store, "h", recall=0.8)
        original, revision, alone = (made.shown(store, name) for name in ("f", "g", "h"))
    assert [line.name for line in original.family] == [line.name for line in revision.family] == ["f", "g"]
    assert alone.family == []
    text = made.forecast_page(original).text
    assert "Revised by “g”. This page shows the original as it was sealed." in text
    assert "One of 2 forecasts of this fix" in text
    assert "revises “f”" in text
    assert "Revises “f”. The original stands as it was sealed" in made.forecast_page(revision).text
    assert "forecasts of this fix" not in made.forecast_page(alone).text


def test_a_later_verdict_has_its_own_page_and_the_first_one_counts(tmp_path: Path) -> None:
    with made.judged_store(tmp_path) as store:
        add_run(store, tmp_path, after_of(kinds_of(made.BETTER)), run="third")
        verify(store, "f", "third")
        first, later = made.shown(store), made.shown(store, after="third")
        with pytest.raises(UsageError, match="no-verdict"):
            made.shown(store, after="before")
    assert (first.state, later.state) == (ForecastState.held, ForecastState.refuted)
    assert "Also judged by 1 other run" in made.forecast_page(first).text
    picture = plot(later)
    assert picture is not None
    assert [dot.label for dot in picture.dots if dot.kind == "after"] == ["Came out .915"]


def test_a_target_is_drawn_with_the_recall_it_takes(pending: ForecastShown, tmp_path: Path) -> None:
    assert "Worth it from .758" in made.forecast_html(pending)
    with store_before(tmp_path) as store:
        sealed(store)
        assert plot(made.shown(store)).goal is None  # type: ignore[union-attr]
        told = made.shown(store, target=0.78)
        out = made.shown(store, target=0.99)
        with pytest.raises(UsageError, match="bad-share"):
            made.shown(store, target=1.2)
    html = made.forecast_html(told)
    assert "Goal .78" in html
    assert "takes recall .76 (.67–.86)" in html
    assert "takes recall" not in made.forecast_html(out)


def heights(path: str) -> list[float]:
    return [float(y) for y in re.findall(r" (-?[\d.]+)(?=[LZ]|$)", path)]


def test_the_bands_are_those_of_the_method_and_the_next_run_is_wider(pending: ForecastShown) -> None:
    picture = plot(pending)
    assert picture is not None
    true, wide = heights(picture.true_rate), heights(picture.next_run)
    assert len(true) == len(wide) == 82
    upper, lower = (true[:41], true[41:][::-1]), (wide[:41], wide[41:][::-1])
    assert all(w <= t for t, w in zip(upper[0], lower[0], strict=True))
    assert all(w >= t for t, w in zip(upper[1], lower[1], strict=True))
    assert upper[0][20] - lower[0][20] > 5.0
    assert lower[1][20] - upper[1][20] > 5.0
    forecast = pending.forecast
    same = project(0.85, forecast.with_gold, forecast.without_gold)
    assert pending.true_rate(0.85).bounds == same.bounds == forecast.projection.bounds


def test_where_it_would_be_wrong_lies_outside_the_budget_and_the_band(pending: ForecastShown) -> None:
    picture = plot(pending)
    assert picture is not None
    assert len(picture.wrong) == 2
    assert pending.delivered == pytest.approx(0.796)
    centre, budget = pending.forecast.projection.estimate, pending.forecast.budget
    assert centre is not None
    unit = (float(picture.levels[0].y) - float(picture.levels[1].y)) / 0.1
    budget_line = float(picture.target.y) + budget * unit
    edge = heights(picture.wrong[0])[:-2]
    assert min(edge) >= budget_line - 0.1
    band = heights(picture.next_run)[41:]
    assert max(edge) <= max(band)
    assert max(heights(picture.wrong[0])) == HEIGHT
    assert "Lands here: it does not hold" in made.forecast_page(pending).text


def test_a_measured_churn_lets_the_picture_speak_plainly(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        records = before_of(kinds_of(EXAMPLE))
        for record in records[:9]:
            record["passed"] = not record["passed"]
        add_run(store, tmp_path, records, run="again")
        sealed(store, baseline_repeat="again")
        told = made.shown(store)
    text = made.forecast_page(told).text
    assert "Lands here: the forecast was wrong" in text
    assert "These very questions pass 5.5 points less often than the" in str(rail_lines(told)[0])
    assert "9 of 400 answers flipped when run again repeated the unchanged build." in text


def test_sensitivity_is_worked_out_from_what_is_sealed(pending: ForecastShown) -> None:
    table = sensitivity(pending)
    assert table is not None
    told = {row.name: (row.figure, row.range) for row in table.rows}
    assert told["Recovered questions gain half as much"] == (".763", "−5.5")
    assert told["Recall lands short"] == (".796", "−2.2")
    assert told["The change disturbs what it was not for"] == (".806", "−1.2")
    assert [row.range for row in table.rows] == ["−5.5", "−2.2", "−1.2", "−0.3"]
    assert table.title == "If recovered questions gain half as much, expect .76"


def test_a_rate_of_its_own_for_the_recovered_is_in_the_sum(tmp_path: Path) -> None:
    from attribution.forecasts.seal import seal

    with store_before(tmp_path) as store:
        seal(store, "before", "f", recall=0.85, recovered_pass=0.7)
        told = made.shown(store)
    text = made.forecast_page(told).text
    assert "pass rate = .58 × .879 + (recall − .58) × .700 + (1 − recall) × .470" in text
    assert ".27 × .700 = .189" in text
    assert "which somebody stated" in text
    assert "Recovered questions are like those reached" in text


def test_the_seal_is_at_the_top_and_at_the_foot(pending: ForecastShown) -> None:
    page = made.forecast_page(pending)
    seal = pending.sealed.sha256
    assert f"<code>{seal}</code>" in page.html
    assert page.html.count(f"{seal[:6]}…{seal[-4:]}") == 2
    assert made.FORECAST_COMMAND in page.text


def test_the_same_forecast_gives_the_same_bytes_and_loads_nothing(undecided: ForecastShown) -> None:
    html = made.forecast_html(undecided)
    assert html == render_forecast(undecided, command=made.FORECAST_COMMAND)
    page = Page(html)
    assert len(html.encode()) < 100_000
    assert page.raw["script"] == []
    assert sha256(page.raw["style"][0]) in page.policy
    assert "script-src 'none'" in page.policy
    assert not re.search(r"\s(?:style|on\w+)=", html)
    assert not [attrs for _, attrs in page.elements if "src" in attrs or attrs.get("href", "#")[:1] != "#"]


def test_every_mark_keeps_its_colour_without_a_style_sheet(undecided: ForecastShown) -> None:
    page = made.forecast_page(undecided)
    marks = [attrs for tag, attrs in page.elements if tag in {"rect", "path", "circle"}]
    assert len(marks) > 20
    assert [attrs for attrs in marks if "fill" not in attrs] == []


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> ForecastShown:
    with made.judged_store(tmp_path_factory.mktemp("family"), margin=0.04, min_gain=0.05) as store:
        sealed(store, "g", recall=0.8, revises="f")
        return made.shown(store)


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(24))
def test_text_from_outside_stays_text(payload: str, family: ForecastShown) -> None:
    page, plain = (made.forecast_page(made.hostile(family, text)) for text in (payload, "harmless"))
    assert own_tags(page) == own_tags(plain)
    assert set(page.tags) <= ELEMENTS | FIGURE
    assert {name for _, attrs in page.elements for name in attrs} <= ATTRIBUTES | FIGURE_ATTRIBUTES
    assert page.raw["script"] == []
    values = [value for _, attrs in page.elements for name, value in attrs.items() if name not in FREE_ATTRIBUTES]
    assert max(map(len, values)) < 40
    page.html.encode("utf-8")
    assert "\x1b" not in page.html


def test_a_tampered_forecast_is_not_shown(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        sealed(store)
        store.connection.execute("UPDATE forecasts SET body = replace(body, '0.85', '0.84')")
        with pytest.raises(InputError, match="forecast-tampered"):
            made.shown(store)


def test_the_page_outlives_the_run_it_was_made_from(tmp_path: Path) -> None:
    from traces.runs import drop_run

    with store_before(tmp_path) as store:
        sealed(store)
        drop_run(store, "before")
        told = made.shown(store)
    assert told.builds.shown == ()
    assert made.headline(made.forecast_page(told)) == "Recall of .85 should lift the pass rate from .71 to .82"
