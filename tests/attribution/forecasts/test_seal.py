"""Sealing: what is written down, what is refused, and that what is written down stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from attribution.forecasts.seal import Terms, seal
from attribution.forecasts.sealed import canonical
from attribution.forecasts.stored import find_forecast, stored_forecasts
from tests.attribution.forecasts.made import EXAMPLE, answered, before_of, headed, kinds_of, sealed, store_before
from tests.attribution.made_runs import add_run
from traces.chain import digest
from traces.errors import InputError, UsageError
from traces.store import TraceStore


def test_the_worked_example_is_sealed_with_its_counts_margins_and_powers(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        forecast = sealed(store, margin=0.04).forecast
    assert (forecast.with_gold.count, forecast.with_gold.n) == (204, 232)
    assert (forecast.without_gold.count, forecast.without_gold.n) == (79, 168)
    assert forecast.projection.estimate == pytest.approx(0.8179495073891626)
    assert forecast.expected.recovered == pytest.approx(108)
    margins = {each.name: each.margin for each in forecast.falsifiers}
    # the budget over the share of each cell: .27 and .58 of 400 questions
    assert margins["recovered"] == pytest.approx(0.04 / 0.27)
    assert margins["retained"] == pytest.approx(0.04 / 0.58)
    assert margins["audit"] == pytest.approx(0.04 / (204 / 232 - 79 / 168))
    assert margins["recall"] == pytest.approx(0.27 / 5)  # less than that: a fifth of the promised rise
    powers = {each.name: each.power for each in forecast.falsifiers}
    assert powers["recovered"] == pytest.approx(0.975, abs=0.005)  # the sheet's table: .98 at .15
    # 232 questions of which one in twenty flips, within .069; a normal approximation gives .999
    assert powers["retained"] == pytest.approx(0.996, abs=0.001)
    assert powers["aggregate"] is None
    assert [each.name for each in forecast.falsifiers if each.gates] == ["recovered", "retained"]
    assert all(each.statement and each.precondition and each.check and each.consequence for each in forecast.falsifiers)


def test_without_a_budget_half_of_the_gain_is_taken_and_widened_where_nothing_could_hold(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        plain = sealed(store).forecast
        assert plain.budget_source == "half of the gain"
        assert plain.budget == pytest.approx(0.27 * (204 / 232 - 79 / 168) / 2)
        worth = sealed(store, "g", min_gain=0.05).forecast
        assert worth.budget_source == "gain less the least worth having"
        little = sealed(store, "h", min_gain=0.5).forecast
        assert (little.budget_source, little.warnings[0].code) == ("half of the gain", "below_min_gain")
        assert worth.budget == pytest.approx(0.27 * (204 / 232 - 79 / 168) - 0.05)
    few = {kind: max(1, n // 8) for kind, n in EXAMPLE.items()}
    with store_before(tmp_path, counts=few) as store:
        widened = sealed(store, recall=0.7).forecast
    assert widened.budget_source == "least with power"
    gating = [each.power for each in widened.falsifiers if each.gates]
    assert min(power for power in gating if power is not None) >= 0.5
    assert {"budget_above_gain", "budget_widened"} & {warning.code for warning in widened.warnings}


def test_a_stated_budget_without_power_is_refused_with_one_that_has(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        with pytest.raises(UsageError) as refused:
            sealed(store, margin=0.005)
        assert refused.value.slug == "no-power"
        assert refused.value.hint is not None
        advised = float(refused.value.hint.split()[2])
        assert sealed(store, margin=advised).forecast.budget == advised
        with pytest.raises(UsageError, match="no-power"):
            sealed(store, "g", margin=advised - 0.001)
        assert [each.row.name for each in stored_forecasts(store)] == ["f"]  # what was refused left nothing behind


@pytest.mark.parametrize(
    ("terms", "slug"),
    [
        ({"margin": 0.0}, "bad-margin"),
        ({"margin": 1.0}, "bad-margin"),
        ({"margin": float("nan")}, "bad-margin"),
        ({"unjudged_limit": -0.1}, "bad-margin"),
        ({"changes": ("judge",)}, "bad-option"),
        ({"changes": ("everything",)}, "bad-option"),
        ({"revises": "nothing"}, "unknown-forecast"),
        ({"baseline_repeat": "before"}, "not-a-repeat"),
        ({"baseline_repeat": "nowhere"}, "unknown-run"),
    ],
)
def test_terms_that_cannot_be_sealed(tmp_path: Path, terms: dict[str, Any], slug: str) -> None:
    with store_before(tmp_path) as store, pytest.raises(UsageError) as refused:
        sealed(store, **terms)
    assert refused.value.slug == slug


def test_a_run_without_outcomes_or_a_fix_without_a_gain_cannot_be_sealed(tmp_path: Path) -> None:
    silent = [{**record, "passed": None} for record in before_of(kinds_of(EXAMPLE))]
    with store_before(tmp_path, silent) as store, pytest.raises(UsageError) as refused:
        sealed(store)
    assert refused.value.slug == "no-outcomes"
    with store_before(tmp_path) as store, pytest.raises(UsageError) as refused:
        sealed(store, recall=232 / 400)
    assert refused.value.slug == "no-budget"


def test_a_name_is_sealed_once_and_a_revision_names_the_old_one(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        first = sealed(store)
        with pytest.raises(UsageError, match="--revises f") as refused:
            sealed(store, recall=0.9)
        assert refused.value.slug == "forecast-sealed"
        second = sealed(store, "f2", recall=0.9, revises="f")
        stored = stored_forecasts(store)
        assert (second.forecast.revises, second.forecast.previous) == ("f", first.sha256)
        assert [each.content and each.content.forecast.recall_target[0] for each in stored] == [0.85, 0.9]


def test_a_clock_behind_the_store_is_refused(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        store.connection.execute("UPDATE sources SET loaded_at = loaded_at + INTERVAL 2 DAY")
        with pytest.raises(InputError, match="the clock says") as refused:
            sealed(store)
    assert refused.value.slug == "clock-back"


def test_churn_is_measured_by_a_second_run_of_the_same_build(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    again = [
        answered(f"q{i}", gold, 1 - passed if i % 20 == 0 else passed) for i, (gold, _, passed, _) in enumerate(kinds)
    ]
    with store_before(tmp_path, headed(before_of(kinds))) as store:
        add_run(store, tmp_path, headed(again), run="again")
        add_run(store, tmp_path, headed(again, prompt="p2"), run="other")
        forecast = sealed(store, margin=0.04, baseline_repeat="again").forecast
        with pytest.raises(UsageError, match="another prompt") as refused:
            sealed(store, "g", baseline_repeat="other")
    assert forecast.churn is not None
    assert (forecast.churn.flips, forecast.churn.answers, forecast.churn.rate) == (20, 400, 20.5 / 401)
    assert forecast.next_run.churn == 20.5 / 401
    assert forecast.assumed_flips is None
    (power,) = [each.power for each in forecast.falsifiers if each.name == "aggregate"]
    assert power is not None
    assert 0 < power < 1
    assert "flips_assumed" not in {warning.code for warning in forecast.warnings}
    assert refused.value.slug == "not-a-repeat"


def test_a_replay_gives_the_cells_and_how_their_questions_passed_before(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    replayed = [answered(f"q{i}", gold, None) for i, (_, gold, _, _) in enumerate(kinds)]
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, replayed, run="replay")
        forecast = seal(store, "before", "f", recall_from="replay").forecast
    cells = forecast.expected
    assert cells.source == "replay"
    assert (cells.retained, cells.recovered, cells.lost, cells.still_missing) == (228, 112, 4, 56)
    assert cells.recovered_before is not None
    assert cells.still_missing_before is not None
    assert (cells.recovered_before.count, cells.recovered_before.n) == (55, 112)
    assert (cells.still_missing_before.count, cells.still_missing_before.n) == (24, 56)


def test_a_replay_with_one_answer_a_question_stands_for_every_repeat(tmp_path: Path) -> None:
    kinds = kinds_of({kind: n // 4 for kind, n in EXAMPLE.items()})
    repeated = [record for repeat in range(3) for record in before_of(kinds, repeat=repeat)]
    replayed = [answered(f"q{i}", gold, None) for i, (_, gold, _, _) in enumerate(kinds)]
    with store_before(tmp_path, repeated) as store:
        add_run(store, tmp_path, replayed[:-1], run="replay")
        forecast = seal(store, "before", "f", recall_from="replay").forecast
    cells = forecast.expected
    assert cells.retained + cells.recovered + cells.lost + cells.still_missing == 3 * (len(kinds) - 1)
    assert ("not_in_replay", 1) in [(warning.code, warning.questions) for warning in forecast.warnings]


def test_a_sealed_forecast_survives_the_store_being_closed_and_copied(tmp_path: Path) -> None:
    file = tmp_path / "s.duckdb"
    with TraceStore.write(file) as store:
        add_run(store, tmp_path, before_of(kinds_of(EXAMPLE)), run="before")
        made = seal(store, "before", "f", recall=0.85, terms=Terms(margin=0.04))
    with TraceStore.read(file) as store:
        assert find_forecast(store, "f") == made
        assert digest(canonical(made.forecast.to_dict())) == made.sha256
        with pytest.raises(duckdb.Error):
            store.connection.execute("DELETE FROM forecasts")
