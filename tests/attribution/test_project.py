"""Projections: the canonical numbers, the conventions, and every caveat found in the data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from attribution.choices import Choices
from attribution.project import project
from attribution.results import Projection
from tests.attribution.made_runs import RUN, add_run, made_store, trace
from traces.errors import UsageError
from traces.store import TraceStore


def counted(with_gold: tuple[int, int], without_gold: tuple[int, int], **more: Any) -> list[dict[str, Any]]:
    """Return a run with (passed, asked) with gold and without it."""
    records = []
    for gold, (passed, asked) in ((True, with_gold), (False, without_gold)):
        for i in range(asked):
            listed = ["g"] if gold else ["x"]
            records.append(trace(f"{'g' if gold else 'n'}{i}", listed, listed, listed, i < passed, gold=["g"], **more))
    return records


SEED_SHAPE = counted((204, 232), (79, 168))


@pytest.fixture(scope="module")
def canonical(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TraceStore]:
    with made_store(tmp_path_factory.mktemp("canonical"), SEED_SHAPE) as store:
        yield store


def codes(found: Projection) -> set[str]:
    return {warning.code for warning in found.warnings}


def test_the_canonical_projection(canonical: TraceStore) -> None:
    found = project(canonical, RUN, recall=0.85, min_gain=0.05, target=0.8)
    assert found.projection.estimate == pytest.approx(0.8179495073891626)
    assert found.projection.bounds == pytest.approx((0.7754949073638753, 0.8504510918393827), abs=1e-6)
    assert found.gain.estimate == pytest.approx(0.11044950738916257)
    assert found.gain.bounds == pytest.approx((0.08100144077080278, 0.1419289779109398), abs=1e-5)
    assert found.ceiling.estimate == pytest.approx(204 / 232)
    assert found.located_share.estimate == pytest.approx(89 / 117)
    assert found.removable_share.estimate == pytest.approx(0.587385794282346)
    assert found.sensitivity.tipping_recovered_pass == pytest.approx(0.6554232804232805)
    assert found.sensitivity.tipping_discount == pytest.approx(0.5473044544795673)
    assert found.sensitivity.bounds == pytest.approx((0.5805357142857143, 0.8505357142857143))
    assert found.required_recall is not None
    assert found.required_recall.estimate == pytest.approx(0.8061214249874562)
    assert (found.required_recall.lower, found.required_recall.upper) == pytest.approx(
        (0.7248757867116852, 0.9150527347468375), abs=1e-6
    )
    assert found.highest_recall == pytest.approx(0.58)


def test_at_todays_recall_the_projection_is_the_pass_rate(canonical: TraceStore) -> None:
    found = project(canonical, RUN, recall=0.58)
    assert found.projection.estimate == pytest.approx(283 / 400, abs=1e-15)
    assert found.gain.estimate == pytest.approx(0, abs=1e-15)


def test_a_range_has_the_hull_of_its_ends(canonical: TraceStore) -> None:
    found = project(canonical, RUN, recall_range=(0.8, 0.9))
    assert found.recall_target == [0.8, 0.9]
    assert found.projection.bounds == pytest.approx((0.7561876508104783, 0.8715388130690698), abs=1e-6)


def test_discounts_fall_from_the_projection_to_no_gain(canonical: TraceStore) -> None:
    discounts = project(canonical, RUN, recall=0.85).sensitivity.discounts
    assert (discounts[0].kappa, discounts[-1].kappa) == (0, 1)
    assert discounts[0].gain == pytest.approx(0.11044950738916257)
    assert discounts[-1].gain == 0
    assert discounts[0].probability is None


def test_a_stated_pass_rate_of_the_recovered_replaces_that_with_gold(canonical: TraceStore) -> None:
    found = project(canonical, RUN, recall=0.85, recovered_pass=0.7)
    assert found.gain.estimate == pytest.approx(0.27 * (0.7 - 79 / 168))
    assert found.projection.estimate == pytest.approx(283 / 400 + 0.27 * (0.7 - 79 / 168))
    low, high = found.gain.bounds
    assert low < 0.27 * (0.7 - 79 / 168) < high
    same = project(canonical, RUN, recall=0.85, recovered_pass=204 / 232)
    assert same.projection.estimate == pytest.approx(0.8179495073891626)


def test_recall_shown_by_a_replay_without_outcomes(tmp_path: Path) -> None:
    replay = [{**r, "passed": None, "stages": {stage: ["g"] for stage in r["stages"]}} for r in SEED_SHAPE[:340]]
    replay += [{**r, "passed": None, "stages": {stage: ["x"] for stage in r["stages"]}} for r in SEED_SHAPE[340:]]
    with made_store(tmp_path, SEED_SHAPE) as store:
        add_run(store, tmp_path, replay, run="replay")
        shown = project(store, RUN, recall_from="replay")
        stated = project(store, RUN, recall=0.85)
    assert shown.recall_from == "replay"
    assert shown.projection.estimate == pytest.approx(stated.projection.estimate)
    assert shown.projection.bounds[0] < stated.projection.bounds[0]


def test_a_replay_that_ends_earlier_is_refused(tmp_path: Path) -> None:
    with made_store(tmp_path, SEED_SHAPE) as store:
        add_run(store, tmp_path, [{"query_id": "g1", "stages": {"candidates": ["g"]}, "gold": ["g"]}], run="short")
        with pytest.raises(UsageError, match="candidates") as refused:
            project(store, RUN, recall_from="short")
    assert refused.value.slug == "other-last-stage"


def test_passes_without_gold_above_half_ask_for_an_audit(tmp_path: Path) -> None:
    with made_store(tmp_path, counted((20, 30), (16, 30))) as store:
        assert "passes_without_gold" in codes(project(store, RUN, recall=0.8))
    with made_store(tmp_path, counted((20, 30), (14, 30))) as store:
        assert "passes_without_gold" not in codes(project(store, RUN, recall=0.8))


def test_an_effect_too_small_for_the_set_is_said_beforehand(tmp_path: Path, canonical: TraceStore) -> None:
    assert "gain_not_detectable" not in codes(project(canonical, RUN, recall=0.85))
    with made_store(tmp_path, counted((10, 20), (8, 20))) as store:
        assert "gain_not_detectable" in codes(project(store, RUN, recall=0.6))


def test_a_recall_nobody_has_shown_is_named(tmp_path: Path, canonical: TraceStore) -> None:
    assert "beyond_observed" in codes(project(canonical, RUN, recall=0.85))
    assert "beyond_observed" not in codes(project(canonical, RUN, recall=0.58))
    with made_store(tmp_path, SEED_SHAPE) as store:
        add_run(store, tmp_path, counted((1, 9), (0, 1)), run="better")
        # inline gold belongs to its own run, so another run's does not count as shown with these labels
        assert "beyond_observed" in codes(project(store, RUN, recall=0.85))


def test_a_lower_recall_is_a_loss_and_said_so(canonical: TraceStore) -> None:
    found = project(canonical, RUN, recall=0.4)
    assert "regression" in codes(found)
    assert found.gain.estimate is not None
    assert found.gain.estimate < 0


def test_gold_that_does_not_help_is_said_and_required_recall_undefined(tmp_path: Path) -> None:
    with made_store(tmp_path, counted((50, 100), (50, 100))) as store:
        found = project(store, RUN, recall=0.8, target=0.8)
    assert "gold_does_not_help" in codes(found)
    assert found.required_recall is not None
    assert (found.required_recall.estimate, found.required_recall.attainable) == (None, None)


def test_without_a_question_without_gold_the_point_is_undefined_with_a_reason(tmp_path: Path) -> None:
    with made_store(tmp_path, counted((36, 40), (0, 0))) as store:
        found = project(store, RUN, recall=0.9)
    assert found.projection.estimate is None
    assert found.projection.reason is not None
    assert found.projection.bounds == pytest.approx((0.6925340229522994, 0.9643784241856541))
    assert '"projection": {"n": 40, "count": null, "estimate": null' in found.to_json()


def test_gold_outside_the_index_limits_the_recall_to_ask_for(tmp_path: Path) -> None:
    from tests.attribution.made_runs import write_lines
    from traces.imports import import_documents

    records = [trace(f"q{i}", ["x"], ["x"], ["x"], i % 2 == 0, gold=[f"d{i}"]) for i in range(10)]
    with made_store(tmp_path, records) as store:
        outside = [{"doc_id": f"d{i}", "indexed": i > 2} for i in range(10)]
        import_documents(store, write_lines(tmp_path / "d.jsonl", outside))
        with pytest.raises(UsageError, match=r"0\.7") as refused:
            project(store, RUN, recall=0.8)
        assert refused.value.slug == "beyond-index"
        assert project(store, RUN, recall=0.7).projection.method


def test_intents_standardise_the_projection(tmp_path: Path) -> None:
    records = []
    for intent, (gold, passed, lucky, asked) in {
        "a": (60, 54, 26, 100),
        "b": (25, 20, 10, 50),
        "c": (10, 6, 9, 30),
    }.items():
        for i in range(asked):
            has = i < gold
            ok = i < passed if has else i - gold < lucky
            listed = ["g"] if has else ["x"]
            records.append(trace(f"{intent}{i}", listed, listed, listed, ok, gold=["g"], intent=intent))
    with made_store(tmp_path, records) as store:
        found = project(store, RUN, recall=0.75)
    assert found.standardised is not None
    assert [each.value for each in found.standardised.by] == ["a", "b", "c"]
    assert sum(each.share_of_missing for each in found.standardised.by) == pytest.approx(1)
    slopes = {"a": 54 / 60 - 26 / 40, "b": 20 / 25 - 10 / 25, "c": 6 / 10 - 9 / 20}
    missing = {"a": 40 / 85, "b": 25 / 85, "c": 20 / 85}
    gain = (0.75 - 95 / 180) * sum(missing[k] * slopes[k] for k in slopes)
    assert found.standardised.projection.estimate == pytest.approx(125 / 180 + gain)


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({}, "no-recall"),
        ({"recall": 0.8, "recall_range": (0.7, 0.9)}, "no-recall"),
        ({"recall": 1.2}, "bad-recall"),
        ({"recall_range": (0.9, 0.7)}, "bad-recall"),
        ({"recall": 0.8, "target": 70.0}, "bad-share"),
        ({"recall": 0.5, "recovered_pass": 0.7}, "nothing-recovered"),
        ({"recall_from": "nobody"}, "unknown-run"),
    ],
)
def test_what_cannot_be_asked_is_one_clear_fault(canonical: TraceStore, asked: dict[str, Any], slug: str) -> None:
    with pytest.raises(UsageError) as refused:
        project(canonical, RUN, **asked)
    assert refused.value.slug == slug


def test_without_outcomes_there_is_nothing_to_project(tmp_path: Path) -> None:
    records = [trace("q1", ["g"], ["g"], ["g"], None, gold=["g"])]
    with made_store(tmp_path, records) as store, pytest.raises(UsageError) as refused:
        project(store, RUN, recall=0.8)
    assert refused.value.slug == "no-outcomes"


def test_a_level_out_of_range_is_refused() -> None:
    with pytest.raises(UsageError, match="level"):
        Choices(level=95)


def test_a_measured_recall_brings_its_noise_into_the_gain_and_the_fresh_run(tmp_path: Path) -> None:
    replay = [
        {**r, "passed": None, "stages": {s: ["g" if i < 340 else "x"] for s in r["stages"]}}
        for i, r in enumerate(SEED_SHAPE)
    ]
    with made_store(tmp_path, SEED_SHAPE) as store:
        add_run(store, tmp_path, replay, run="replay")
        shown, stated = project(store, RUN, recall_from="replay"), project(store, RUN, recall=0.85)
    for wide, narrow in ((shown.gain, stated.gain), (shown.next_run.fresh_questions, stated.next_run.fresh_questions)):
        assert wide.estimate == pytest.approx(narrow.estimate)
        assert wide.bounds[1] - wide.bounds[0] > narrow.bounds[1] - narrow.bounds[0]


def test_a_stated_rate_of_the_recovered_moves_everything_that_rests_on_it(canonical: TraceStore) -> None:
    found = project(canonical, RUN, recall=0.85, recovered_pass=0.7, min_gain=0.05)
    after = 283 / 400 + 0.27 * (0.7 - 79 / 168)
    assert found.projection.estimate == pytest.approx(after)
    assert found.next_run.fresh_questions.estimate == pytest.approx(after)
    assert found.next_run.same_questions.estimate == pytest.approx(after, abs=0.002)
    assert found.sensitivity.discounts[0].gain == pytest.approx(0.27 * (0.7 - 79 / 168))
    assert found.standardised is None


def test_a_stated_rate_needs_a_recall_that_recovers(canonical: TraceStore) -> None:
    for asked in ({"recall": 0.5}, {"recall_range": (0.3, 0.58)}):
        with pytest.raises(UsageError) as refused:
            project(canonical, RUN, recovered_pass=0.7, **asked)
        assert refused.value.slug == "nothing-recovered"


def test_a_stated_rate_over_a_range_holds_at_both_ends(canonical: TraceStore) -> None:
    span = project(canonical, RUN, recall_range=(0.8, 0.9), recovered_pass=0.7)
    low, high = (project(canonical, RUN, recall=end, recovered_pass=0.7).projection.bounds for end in (0.8, 0.9))
    assert span.projection.bounds == (min(low[0], high[0]), max(low[1], high[1]))
    assert span.projection.estimate == pytest.approx(283 / 400 + 0.27 * (0.7 - 79 / 168))


def test_discounts_start_from_the_stated_rate(canonical: TraceStore) -> None:
    found = project(canonical, RUN, recall=0.85, recovered_pass=0.7, min_gain=0.05)
    assert found.sensitivity.discounts[0].projection == pytest.approx(found.projection.estimate)
    assert found.sensitivity.discounts[-1].projection == pytest.approx(283 / 400)


def test_a_loss_of_recall_lowers_the_next_run_on_the_same_questions(canonical: TraceStore) -> None:
    found = project(canonical, RUN, recall=0.4)
    assert found.next_run.same_questions.estimate == pytest.approx(found.projection.estimate, abs=0.002)


def test_the_ceiling_and_the_required_recall_follow_the_stated_rate(canonical: TraceStore) -> None:
    found = project(canonical, RUN, recall=0.85, recovered_pass=0.7, target=0.77)
    assert found.ceiling.estimate == pytest.approx(0.58 * 204 / 232 + 0.42 * 0.7)
    assert found.required_recall is not None
    need = found.required_recall.estimate
    assert need is not None
    assert project(canonical, RUN, recall=need, recovered_pass=0.7).projection.estimate == pytest.approx(0.77)


def test_no_gain_at_all_is_not_worth_asking_for(canonical: TraceStore) -> None:
    with pytest.raises(UsageError, match="min-gain"):
        project(canonical, RUN, recall=0.85, min_gain=0.0)
