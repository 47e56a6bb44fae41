"""Verdicts: the worked example exactly, each claim on its own, and the record they make."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from attribution.forecasts.record import record
from attribution.forecasts.seal import Terms, seal
from attribution.forecasts.verdict import overall
from attribution.forecasts.verify import verify
from attribution.results import FalsifierVerdict, VerdictFound
from attribution.results.forecast import VerdictWord
from tests.attribution.forecasts.made import (
    EXAMPLE,
    Kind,
    after_of,
    before_of,
    headed,
    kinds_of,
    of,
    sealed,
    store_before,
)
from tests.attribution.made_runs import add_run


def judged(folder: Path, counts: Mapping[Kind, int], recall: float | None = None, **terms: Any) -> VerdictFound:
    """Seal on a run, load the one after, and verify."""
    kinds = kinds_of(counts)
    reached = sum(gold for _, gold, _, _ in kinds) / len(kinds) if recall is None else recall
    with store_before(folder, before_of(kinds)) as store:
        sealed(store, recall=reached, **terms)
        add_run(store, folder, after_of(kinds), run="after")
        return verify(store, "f", "after")


def test_the_worked_example_to_the_last_digit(tmp_path: Path) -> None:
    found = judged(tmp_path, EXAMPLE, recall=0.85, margin=0.04)
    assert found.cells == {"retained": 228, "recovered": 112, "lost": 4, "still_missing": 56}
    assert found.observed_pass.estimate == 0.775
    assert found.error.total == pytest.approx(-0.04294950738916256, abs=1e-15)
    assert found.error.terms.to_dict() == pytest.approx(
        {
            "recall": 0.0,
            "recovered": -0.021206896551724138,
            "retained": -0.011206896551724138,
            "lost": 0.00029761904761904765,
            "still_missing": -0.010833333333333334,
        },
        abs=1e-15,
    )
    assert found.error.largest == "recovered"
    assert set(found.error.intervals) == {"total", *found.error.terms.to_dict()}
    recovered, retained = of(found, "recovered"), of(found, "retained")
    assert recovered.observed is not None
    assert recovered.observed.estimate == pytest.approx(90 / 112 - 204 / 232)
    assert (recovered.observed.lower, recovered.observed.upper) == pytest.approx((-0.15096, -0.00854), abs=1e-5)
    # shown by itself, but not among all the claims together
    assert recovered.verdict == "cannot tell"
    assert recovered.p == pytest.approx(0.031, abs=5e-4)
    assert recovered.p_holm == pytest.approx(6 * (recovered.p or 0))  # three claims, each on two sides
    assert recovered.questions_needed is not None
    assert recovered.questions_needed > 400
    assert retained.verdict == "held"
    assert of(found, "aggregate").verdict == "not tested"
    assert found.verdict == "cannot tell"
    assert found.before_the_fact


def test_a_forecast_that_comes_true_is_held(tmp_path: Path) -> None:
    counts = {(1, 1, 1, 1): 204, (1, 1, 0, 0): 28, (0, 1, 1, 1): 48, (0, 1, 0, 1): 47, (0, 1, 0, 0): 13,
              (0, 0, 1, 1): 26, (0, 0, 0, 0): 34}  # fmt: skip
    found = judged(tmp_path, counts, margin=0.04)
    assert (found.verdict, of(found, "recovered").verdict, of(found, "retained").verdict) == ("held", "held", "held")
    assert of(found, "recall").verdict == "held"


def test_a_slice_that_does_better_than_claimed_refutes_the_mechanism_too(tmp_path: Path) -> None:
    counts = {(1, 1, 1, 1): 100, (1, 1, 0, 1): 60, (1, 1, 0, 0): 40, (0, 1, 0, 1): 40, (0, 1, 0, 0): 40,
              (0, 0, 0, 0): 120}  # fmt: skip
    found = judged(tmp_path, counts, margin=0.04)
    retained = of(found, "retained")
    assert (found.verdict, retained.verdict, retained.direction) == ("refuted", "refuted", "better")
    assert "more than retrieval" in retained.consequence
    worse = judged(tmp_path, {(b, a, q, p): n for (b, a, p, q), n in counts.items() if (b, a) == (1, 1)} | {
        (0, 1, 0, 1): 60, (0, 1, 0, 0): 20, (0, 0, 0, 0): 120}, margin=0.04)  # fmt: skip
    retained = of(worse, "retained")
    assert (worse.verdict, retained.verdict, retained.direction, worse.error.largest) == (
        "refuted", "refuted", "worse", "retained",
    )  # fmt: skip


def test_a_pass_rate_beyond_the_budget_is_not_held_though_no_claim_fails(tmp_path: Path) -> None:
    found = judged(tmp_path, EXAMPLE, recall=0.9, margin=0.06)
    assert {each.verdict for each in found.falsifiers} <= {"held", "not tested", "cannot tell"}
    assert of(found, "recovered").verdict == of(found, "retained").verdict == of(found, "recall").verdict == "held"
    assert found.error.total == pytest.approx(0.775 - (0.9 * 204 / 232 + 0.1 * 79 / 168))
    assert found.verdict == "cannot tell"
    assert "beyond_budget" in {warning.code for warning in found.warnings}


def test_recall_that_stays_behind_refutes_and_leaves_the_pass_rate_untried(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    again = before_of(kinds)
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, again, run="again")
        sealed(store, recall=0.98, margin=0.04, baseline_repeat="again")
        add_run(store, tmp_path, after_of(kinds), run="after")
        found = verify(store, "f", "after")
    assert (of(found, "recall").verdict, of(found, "recall").direction) == ("refuted", "worse")
    assert of(found, "aggregate").verdict == "not tested"
    assert "recall fell short" in (of(found, "aggregate").reason or "")


def test_the_pass_rate_is_tested_once_churn_is_known(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, before_of(kinds), run="again")
        sealed(store, margin=0.04, baseline_repeat="again")
        add_run(store, tmp_path, after_of(kinds), run="after")
        found = verify(store, "f", "after")
    aggregate = of(found, "aggregate")
    assert (aggregate.verdict, aggregate.direction) == ("refuted", "worse")
    assert aggregate.observed is not None
    assert aggregate.observed.estimate == pytest.approx(-0.0425, abs=5e-4)


def test_a_recall_range_is_held_anywhere_within_it(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        seal(store, "before", "f", recall_range=(0.8, 0.9), terms=Terms(margin=0.05))
        add_run(store, tmp_path, after_of(kinds_of(EXAMPLE)), run="after")
        found = verify(store, "f", "after")
    assert of(found, "recall").verdict == "held"
    assert found.recall_forecast == (0.8, 0.9)
    assert found.error.terms.recall == pytest.approx(0.0, abs=1e-12)  # .85 is the middle


@pytest.mark.parametrize(
    ("setting", "changes", "verdict"),
    [
        ({}, (), "held"),
        ({"model": "m2"}, (), "refuted"),
        ({"model": "m2"}, ("model",), "held"),
        ({"index_size": 9}, ("index",), "held"),
    ],
)
def test_whatever_else_changed_is_found_unless_it_was_named(
    tmp_path: Path, setting: dict[str, Any], changes: tuple[str, ...], verdict: str
) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path, headed(before_of(kinds))) as store:
        sealed(store, margin=0.04, changes=changes)
        add_run(store, tmp_path, headed(after_of(kinds), **setting), run="after")
        found = verify(store, "f", "after")
    assert of(found, "unchanged").verdict == verdict
    assert (found.verdict == "refuted") == (verdict == "refuted")


def test_repeats_are_clusters_and_their_terms_still_add_up(tmp_path: Path) -> None:
    kinds = kinds_of({kind: max(1, n // 4) for kind, n in EXAMPLE.items()})
    before = [record for repeat in range(3) for record in before_of(kinds, repeat=repeat)]
    after = [record for repeat in range(3) for record in after_of(kinds, repeat=repeat)]
    with store_before(tmp_path, before) as store:
        sealed(store, margin=0.1)
        add_run(store, tmp_path, after, run="after")
        found = verify(store, "f", "after")
    terms = found.error.terms.to_dict()
    assert sum(terms.values()) == pytest.approx(found.error.total, abs=1e-12)
    assert found.questions == len(kinds)
    observed = of(found, "recovered").observed
    assert observed is not None
    single = judged(tmp_path, {kind: max(1, n // 4) for kind, n in EXAMPLE.items()}, recall=0.85, margin=0.1)
    other = of(single, "recovered").observed
    assert other is not None
    # three equal answers to a question say no more than one
    assert observed.upper is not None
    assert other.upper is not None
    assert observed.lower is not None
    assert other.lower is not None
    assert observed.upper - observed.lower == pytest.approx(other.upper - other.lower, rel=0.03)


def test_asked_twice_the_same_verdict_is_recorded_once(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds_of(EXAMPLE)), run="after")
        first, second = verify(store, "f", "after"), verify(store, "f", "after")
        assert (first.new, second.new) == (True, False)
        assert second.model_copy(update={"new": True}) == first
        assert record(store).forecasts[0].verdicts == 1


def test_a_forecast_sealed_after_the_outcomes_is_told_and_not_counted(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, after_of(kinds_of(EXAMPLE)), run="after")
        sealed(store, margin=0.04)
        found = verify(store, "f", "after")
        done = record(store).calibration
    assert not found.before_the_fact
    assert "sealed_after_the_fact" in {warning.code for warning in found.warnings}
    assert (done.judged, done.after_the_fact, done.mean_error) == (0, 1, None)


def test_the_record_says_how_forecasts_have_done(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        sealed(store, "short", recall=0.98, margin=0.04)
        sealed(store, "near", margin=0.04)
        sealed(store, "pending", recall=0.9)
        add_run(store, tmp_path, after_of(kinds), run="after")
        wrong, near = verify(store, "short", "after"), verify(store, "near", "after")
        add_run(store, tmp_path, before_of(kinds), run="later")
        verify(store, "near", "later")
        found = record(store)
    assert [(line.name, line.verdicts, line.first and line.first.after) for line in found.forecasts] == [
        ("short", 1, "after"), ("near", 2, "after"), ("pending", 0, None),
    ]  # fmt: skip
    done = found.calibration
    assert (done.judged, done.held, done.refuted, done.cannot_tell) == (2, 0, 1, 1)
    assert done.mean_error == pytest.approx((wrong.error.total + near.error.total) / 2)
    assert done.covered == sum(
        each.expected_pass.bounds[0] <= (each.observed_pass.estimate or 0) <= each.expected_pass.bounds[1]
        for each in (wrong, near)
    )


def test_worth_is_read_on_one_side_apart_from_the_verdict(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        for name, least in (("low", 0.01), ("middle", 0.06), ("high", 0.5)):
            sealed(store, name, margin=0.04, min_gain=least)
        add_run(store, tmp_path, after_of(kinds), run="after")
        found = {name: verify(store, name, "after").worth_it for name in ("low", "middle", "high")}
    assert {name: each.verdict for name, each in found.items()} == {"low": "yes", "middle": "cannot tell", "high": "no"}
    assert found["low"].gain.estimate == pytest.approx(float(Fraction(27, 400)))


def test_nothing_that_gates_tested_is_a_verdict_of_its_own() -> None:
    def verdict(name: str, gates: bool, word: VerdictWord) -> FalsifierVerdict:
        return FalsifierVerdict(
            name=name, statement="", margin=None, observed=None, realised=None, details=[], verdict=word,
            direction=None, p=None, p_holm=None, power=None, gates=gates, reason=None, questions_needed=None,
            consequence="",
        )  # fmt: skip

    untested = [verdict("recovered", True, "not tested"), verdict("retained", True, "not tested")]
    assert overall([*untested, verdict("recall", False, "held")], beyond=False) == "not tested"
    assert overall([untested[0], verdict("retained", True, "held")], beyond=False) == "cannot tell"
    assert overall([*untested, verdict("recall", False, "refuted")], beyond=False) == "refuted"
