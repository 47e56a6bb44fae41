"""Verdicts: the worked example exactly, each falsifier on its own, and what cannot be judged."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from attribution.forecasts.record import record
from attribution.forecasts.seal import Terms, seal
from attribution.forecasts.sealed import exported
from attribution.forecasts.verdict import overall
from attribution.forecasts.verify import verify
from attribution.results import FalsifierVerdict, VerdictFound
from attribution.results.forecast import VerdictWord
from tests.attribution.forecasts.made import (
    EXAMPLE,
    Kind,
    after_of,
    answered,
    before_of,
    headed,
    kinds_of,
    of,
    sealed,
    store_before,
)
from tests.attribution.made_runs import add_run, write_lines
from traces.errors import InputError, UsageError
from traces.imports import import_labels, import_outcomes, import_questions


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
    ("searched", "surprises", "verdict"),
    [(0, 0, "not tested"), (60, 0, "held"), (60, 30, "refuted"), (10, 1, "cannot tell")],
)
def test_an_audit_bounds_what_the_labels_miss(tmp_path: Path, searched: int, surprises: int, verdict: str) -> None:
    kinds = kinds_of(EXAMPLE)
    audit: list[dict[str, Any]] = [{"query_id": f"q{i}", "doc_id": "new"} for i in range(surprises)]
    audit += [{"query_id": f"q{i}", "grade": 0} for i in range(surprises, searched)]
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds), run="after")
        if audit:
            import_labels(store, write_lines(tmp_path / "audit.jsonl", audit), name="audit", kind="audit")
        found = verify(store, "f", "after")
    assert of(found, "audit").verdict == verdict
    if searched:
        realised = of(found, "audit").realised
        assert realised is not None
        assert (realised.count, realised.n) == (surprises, searched)


def test_an_audit_that_finds_what_the_labels_have_is_no_surprise(tmp_path: Path) -> None:
    audit = [{"query_id": f"q{i}", "doc_id": "g"} for i in range(50)]
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds_of(EXAMPLE)), run="after")
        import_labels(store, write_lines(tmp_path / "audit.jsonl", audit), name="audit", kind="audit")
        found = verify(store, "f", "after")
    assert of(found, "audit").verdict == "held"


def test_unjudged_documents_that_become_frequent_refute(tmp_path: Path) -> None:
    """Labels made from the earlier run's lists file what a new retriever finds as still missing."""
    kinds = kinds_of(EXAMPLE)
    judgments = [
        {"query_id": f"q{i}", "doc_id": doc, "grade": int(doc == "g")} for i in range(len(kinds)) for doc in "gx"
    ]
    bare = [{k: v for k, v in each.items() if k != "gold"} for each in before_of(kinds)]
    later = [{k: v for k, v in each.items() if k != "gold"} for each in after_of(kinds)]
    for each in later[:60]:
        each["stages"] = {name: [*docs, "new"] for name, docs in each["stages"].items()}
    with store_before(tmp_path, bare) as store:
        import_labels(store, write_lines(tmp_path / "l.jsonl", judgments), name="pool")
        assert sealed(store, margin=0.04).forecast.unjudged.count == 0
        sealed(store, "wide", margin=0.04, unjudged_limit=0.2)
        add_run(store, tmp_path, later, run="after")
        found, wide = verify(store, "f", "after"), verify(store, "wide", "after")
    assert of(found, "unjudged").realised is not None
    assert (of(found, "unjudged").realised.count, of(found, "unjudged").realised.n) == (60, 460)  # type: ignore[union-attr]
    assert (of(found, "unjudged").verdict, of(wide, "unjudged").verdict) == ("refuted", "held")


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


def test_what_cannot_be_judged_is_refused_in_one_line(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        made = sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds)[:-5], run="short")
        add_run(store, tmp_path, [{**each, "passed": None} for each in after_of(kinds)], run="silent")
        add_run(store, tmp_path, [answered(f"z{i}", 1, 1) for i in range(9)], run="other")
        add_run(store, tmp_path, [{**each, "judge": "strict"} for each in after_of(kinds)], run="judged")
        for name, after, slug in (
            ("f", "before", "same-run"),
            ("f", "nowhere", "unknown-run"),
            ("f", "short", "different-questions"),
            ("f", "other", "different-questions"),
            ("f", "silent", "no-outcomes"),
            ("f", "judged", "not-comparable"),
            ("g", "short", "unknown-forecast"),
        ):
            with pytest.raises(UsageError) as refused:
                verify(store, name, after)
            assert refused.value.slug == slug, after
        with pytest.raises(UsageError, match="bad-option"):
            verify(store, "f", "short", allow=("anything",))
        found = verify(store, "f", "short", allow=("questions",))
        assert (found.allowed, found.questions) == (["questions"], 395)
        assert verify(store, "f", "judged", allow=("judge",)).allowed == ["judge"]
        file = tmp_path / "f.json"
        file.write_text(exported(made).replace("0.85", "0.95"), encoding="utf-8")
        with pytest.raises(InputError, match="forecast-tampered"):
            verify(store, "f", "short", file=file, allow=("questions",))


def test_a_run_that_is_no_longer_what_was_sealed_is_refused(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    bare = [{k: v for k, v in each.items() if k != "gold"} for each in before_of(kinds)]
    later = [{k: v for k, v in each.items() if k != "gold"} for each in after_of(kinds)]
    labels = [{"query_id": f"q{i}", "doc_id": "g"} for i in range(len(kinds))]
    with store_before(tmp_path, bare) as store:
        import_labels(store, write_lines(tmp_path / "l.jsonl", labels), name="made")
        sealed(store, margin=0.04)
        add_run(store, tmp_path, later, run="after")
        assert verify(store, "f", "after").verdict == "cannot tell"
        more = [{"query_id": "q399", "doc_id": "x"}]
        import_labels(store, write_lines(tmp_path / "m.jsonl", more), name="made")
        with pytest.raises(InputError, match="--allow labels") as refused:
            verify(store, "f", "after")
        assert refused.value.slug == "run-changed"
        assert verify(store, "f", "after", allow=("labels",)).allowed == ["labels"]


def test_weights_that_come_after_the_seal_do_not_change_the_verdict(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds), run="after")
        before = verify(store, "f", "after")
        heavy = [{"query_id": f"q{i}", "weight": 1.35 if after else 1.0} for i, (*_, after) in enumerate(kinds)]
        import_questions(store, write_lines(tmp_path / "w.jsonl", heavy))
        with pytest.raises(InputError, match="weights of its questions are not what was sealed") as refused:
            verify(store, "f", "after")
        assert refused.value.slug == "run-changed"
        even = [{"query_id": f"q{i}", "weight": 1.0} for i in range(len(kinds))]
        import_questions(store, write_lines(tmp_path / "v.jsonl", even))
        with pytest.raises(InputError, match="run-changed"):  # the same rates, but no longer what was sealed
            verify(store, "f", "after", allow=("labels",))
        assert before.verdict == "cannot tell"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE outcomes SET passed = NOT passed WHERE query_id IN ('q0', 'q201')", "its answers, their outcomes"),
        ("UPDATE hits SET query_id = 'q232' WHERE query_id = 'q0'", "where it was found"),
    ],
)
def test_answers_that_trade_places_show_though_the_counts_stay(tmp_path: Path, change: str, told: str) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds), run="after")
        store.connection.execute(f"{change} AND run_id = 'before'")
        with pytest.raises(InputError, match=told) as refused:
            verify(store, "f", "after")
    assert refused.value.slug == "run-changed"
    assert "then" not in str(refused.value)  # the counts are the same, so they tell nothing


@pytest.mark.parametrize("after", ["two", None])
def test_another_judge_is_refused_by_name_and_can_be_allowed(tmp_path: Path, after: str | None) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path, before_of(kinds, judge="one")) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds, judge=after), run="after")
        with pytest.raises(UsageError, match=r"judges differ.*--allow judge"):
            verify(store, "f", "after")
        found = verify(store, "f", "after", allow=("judge",))
    assert (found.allowed, found.observed_pass.count) == (["judge"], 310)


@pytest.mark.parametrize("run", ["before", "after"])
def test_one_more_judge_does_not_keep_a_forecast_from_being_judged(tmp_path: Path, run: str) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds), run="after")
        alone = verify(store, "f", "after")
        second = [{"query_id": "q0", "passed": False, "judge": "second"}]
        import_outcomes(store, write_lines(tmp_path / "o.jsonl", second), run_id=run)
        again = verify(store, "f", "after")
    assert (again.verdict, again.error.total) == (alone.verdict, alone.error.total)


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


def test_an_exported_forecast_is_enough_where_the_store_lacks_it(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    file = tmp_path / "f.json"
    with store_before(tmp_path) as store:
        file.write_text(exported(sealed(store, margin=0.04)), encoding="utf-8")
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, after_of(kinds), run="after")
        found = verify(store, "f", "after", file=file)
        assert found.verdict == "cannot tell"
        assert found.warnings[0].code == "forecast_not_stored"
        assert [warn.code for warn in record(store).warnings] == ["forecast_not_stored"]
        assert not verify(store, "f", "after", file=file).new
        with pytest.raises(InputError, match="holds the forecast 'f'"):
            verify(store, "g", "after", file=file)
        sealed(store, recall=0.9)
        with pytest.raises(InputError, match="another forecast"):
            verify(store, "f", "after", file=file)


def test_another_judge_whose_outcomes_do_not_count_is_no_change(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path, headed(before_of(kinds, judge="one"))) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, headed(after_of(kinds, judge="one")), run="after")
        second = [{"query_id": "q0", "passed": False, "judge": "two"}]
        import_outcomes(store, write_lines(tmp_path / "o.jsonl", second), run_id="after")
        found = verify(store, "f", "after")
    assert of(found, "unchanged").verdict == "held"
