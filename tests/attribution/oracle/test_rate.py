"""The answers of an oracle experiment give the pass rate of recovered questions, and the projection takes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attribution.choices import Choices, settle
from attribution.oracle.export import export_oracle
from attribution.oracle.rate import recovered_rate
from attribution.project import project
from attribution.results import Projection, RecoveredRate
from attribution.statistics.proportions import wilson
from attribution.statistics.recovered import project_recovered
from attribution.statistics.survey import rate
from tests.attribution.made_runs import RUN, trace, write_lines
from tests.attribution.oracle.made_misses import answer, records, store_with_misses, texts
from traces.imports import import_labels, import_outcomes, import_questions
from traces.store import TraceStore

MISSES = [f"q{i:02d}" for i in range(6, 14)]


def measured(store: TraceStore, choices: Choices | None = None) -> RecoveredRate | None:
    labels, policy = settle(store, RUN, choices or Choices())
    return recovered_rate(store, RUN, labels, policy)


def known(found: RecoveredRate | None) -> RecoveredRate:
    assert found is not None
    return found


def codes(found: Projection) -> list[str]:
    return [warning.code for warning in found.warnings]


def message(found: Projection, code: str) -> str:
    (text,) = [warning.message for warning in found.warnings if warning.code == code]
    return text


def test_all_misses_answered_give_wilsons_interval(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        sample = export_oracle(store, RUN).sample
        assert measured(store) is None
        answer(store, tmp_path, {query: query != "q06" for query in MISSES}, judge="reader")
        found = known(measured(store))
    assert found.rate == wilson(7, 8)
    assert (found.source, found.sample, found.seed, found.drawn, found.unanswered) == ("oracle", sample.sample, 0, 8, 0)
    assert (found.judge, found.run_judge, found.bounds, found.samples) == ("reader", "reader", None, 1)


def test_uneven_strata_are_weighed_by_how_far_they_were_thinned_out(tmp_path: Path) -> None:
    made = records(0, 14)
    for i, record in enumerate(made):
        record["intent"] = "A" if i < 11 else "B"
    with store_with_misses(tmp_path, made) as store:
        drawn = export_oracle(store, RUN, n=5)
        verdicts = {question.query_id: int(question.query_id[1:]) < 11 for question in drawn.questions}
        answer(store, tmp_path, verdicts)
        found = known(measured(store))
    assert [(stratum.missing, stratum.drawn) for stratum in drawn.sample.strata] == [(11, 4), (3, 1)]
    assert found.rate.estimate == pytest.approx(11 / 14)
    expected = rate([1, 0], [1, 1], weight=[11 / 4, 3], stratum=[0, 1], multiplicity=[4, 1])
    assert found.rate.bounds == pytest.approx(expected.bounds)


def test_traffic_and_missing_repeats_weigh_too(tmp_path: Path) -> None:
    packed = {"q1": [["x0"], ["x0"], ["x0"]], "q2": [["x1"], ["g0"], ["g0"]], "q3": [["g0"]]}
    made = [
        trace(query, docs, docs, docs, False, gold=["g0"], query="Q?", repeat=repeat)
        for query, repeats in packed.items()
        for repeat, docs in enumerate(repeats)
    ]
    with store_with_misses(tmp_path, made) as store:
        export_oracle(store, RUN)
        answer(store, tmp_path, {"q1": True, "q2": False})
        assert known(measured(store)).rate.estimate == pytest.approx(3 / 4)
    with store_with_misses(tmp_path, made) as store:
        weighed = [{"query_id": query, "weight": weight} for query, weight in (("q1", 1), ("q2", 5), ("q3", 1))]
        import_questions(store, write_lines(tmp_path / "weights.jsonl", weighed))
        export_oracle(store, RUN)
        answer(store, tmp_path, {"q1": True, "q2": False})
        assert known(measured(store)).rate.estimate == pytest.approx(3 / 8)


def test_the_projection_takes_the_measured_rate_and_says_so(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        before = project(store, RUN, recall=0.8)
        export_oracle(store, RUN)
        answer(store, tmp_path, {query: query != "q06" for query in MISSES}, judge="reader")
        found, without = project(store, RUN, recall=0.8), project(store, RUN, recall=0.8, use_oracle=False)
        stated = project(store, RUN, recall=0.8, recovered_pass=0.5)
    assert found.recovered.rate == wilson(7, 8)
    assert found.recovered_pass is None
    expected = project_recovered(0.8, found.recall, found.with_gold, wilson(7, 8), found.without_gold)
    assert found.projection == expected
    assert found.gain.estimate == pytest.approx((0.8 - 6 / 14) * (7 / 8 - (found.without_gold.estimate or 0)))
    assert found.ceiling.estimate == pytest.approx(6 / 14 * (found.with_gold.estimate or 0) + 8 / 14 * 7 / 8)
    assert found.standardised is None
    assert codes(found)[0] == "recovered_measured"
    assert "0.8750" in message(found, "recovered_measured")
    assert "upper end" in message(found, "recovered_measured")
    assert without == before
    assert without.recovered.source == "with_gold"
    assert (stated.recovered.source, stated.recovered_pass) == ("stated", 0.5)
    assert "recovered_measured" not in codes(stated) + codes(without)


def test_every_figure_that_hangs_on_the_recovered_moves_with_it(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        export_oracle(store, RUN)
        answer(store, tmp_path, dict.fromkeys(MISSES, True))
        found = project(store, RUN, recall=0.8, target=0.7, min_gain=0.05)
    point = found.projection.estimate
    assert found.required_recall is not None
    assert found.required_recall.estimate is not None
    reached = 6 / 14 * 2 / 6 + (found.required_recall.estimate - 6 / 14) + (1 - found.required_recall.estimate) * 3 / 8
    assert reached == pytest.approx(0.7)
    assert found.next_run.fresh_questions.estimate == pytest.approx(point)
    assert found.sensitivity.discounts[0].projection == pytest.approx(point)
    failures = 1 - 5 / 14
    assert found.removable_share.estimate == pytest.approx((8 / 14) * (1 - 3 / 8) / failures)


def test_a_range_takes_it_at_both_ends_and_a_loss_not_at_all(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        export_oracle(store, RUN)
        answer(store, tmp_path, dict.fromkeys(MISSES, True))
        low, high = (project(store, RUN, recall=recall).projection for recall in (0.7, 0.9))
        span = project(store, RUN, recall_range=(0.7, 0.9))
        loss = project(store, RUN, recall=0.3)
        plain = project(store, RUN, recall=0.3, use_oracle=False)
    assert span.projection.bounds == (min(low.bounds[0], high.bounds[0]), max(low.bounds[1], high.bounds[1]))
    assert span.recovered.source == "oracle"
    assert loss == plain


def test_questions_without_a_verdict_bound_the_rate_in_a_warning(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        export_oracle(store, RUN)
        report = answer(store, tmp_path, dict.fromkeys(MISSES[:6], True) | {"q06": False}, judge="reader")
        found = project(store, RUN, recall=0.8)
    assert report.notes == ("2 answers have no verdict yet, of 8 drawn",)
    assert found.recovered.rate.estimate == pytest.approx(5 / 6)
    assert found.recovered.unanswered == 2
    assert found.recovered.bounds == pytest.approx((5 / 8, 7 / 8))
    assert "0.6250 if all of these fail, and 0.8750 if all pass" in message(found, "oracle_unanswered")


def test_another_judge_is_a_warning_and_the_runs_own_goes_first(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        export_oracle(store, RUN)
        answer(store, tmp_path, dict.fromkeys(MISSES, True), judge="grader")
        found = project(store, RUN, recall=0.8)
        assert "judged by grader, those of the run by reader" in message(found, "oracle_judge")
        answer(store, tmp_path, dict.fromkeys(MISSES, False), judge="reader")
        own = project(store, RUN, recall=0.8)
    assert (own.recovered.judge, own.recovered.rate.estimate) == ("reader", 0.0)
    assert "oracle_judge" not in codes(own)


def test_other_labels_or_another_policy_leave_it_unused_and_say_so(tmp_path: Path) -> None:
    labels = [{"query_id": f"q{i:02d}", "doc_id": f"g{i}"} for i in range(14)]
    with store_with_misses(tmp_path) as store:
        import_labels(store, write_lines(tmp_path / "l.jsonl", labels), name="set")
        export_oracle(store, RUN, choices=Choices(labels="set"))
        answer(store, tmp_path, dict.fromkeys(MISSES, True))
        assert project(store, RUN, recall=0.8, choices=Choices(labels="set")).recovered.source == "oracle"
        others: list[dict[str, Any]] = [{"labels": "inline"}, {"labels": "set", "truncated": "kept"}]
        for other in others:
            found = project(store, RUN, recall=0.8, choices=Choices(**other))
            assert (found.recovered.source, codes(found)[0]) == ("with_gold", "oracle_not_used")
            silent = project(store, RUN, recall=0.8, choices=Choices(**other), use_oracle=False)
            assert "oracle_not_used" not in codes(silent)
        import_labels(store, write_lines(tmp_path / "l2.jsonl", [{**labels[0], "grade": 2}]), name="set")
        newer = project(store, RUN, recall=0.8, choices=Choices(labels="set"))
    assert (newer.recovered.source, codes(newer)[0]) == ("with_gold", "oracle_not_used")


def test_the_latest_answered_sample_counts_and_how_many_were_drawn_is_told(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        export_oracle(store, RUN, n=4)
        first = export_oracle(store, RUN, n=4)
        answer(store, tmp_path, {question.query_id: False for question in first.questions})
        second = export_oracle(store, RUN, n=4, seed=1)
        assert known(measured(store)).sample == first.sample.sample
        answer(store, tmp_path, {question.query_id: True for question in second.questions})
        found = project(store, RUN, recall=0.8)
    assert (found.recovered.sample, found.recovered.samples) == (second.sample.sample, 2)
    assert "number 2 drawn of this run" in message(found, "recovered_measured")


def test_prompts_without_room_for_their_gold_are_told(tmp_path: Path) -> None:
    made = [trace("q0", ["g0"], ["g0"], ["g0"], True, gold=["g0"], query="Q?")]
    made += [trace(f"q{i}", ["x0"], ["x0"], ["x0"], False, gold=[["g0"], ["g1"]], query="Q?") for i in range(1, 4)]
    with store_with_misses(tmp_path, made, texts(2)) as store:
        export_oracle(store, RUN)
        answer(store, tmp_path, {"q1": True, "q2": True, "q3": False})
        found = project(store, RUN, recall=0.8)
    assert found.recovered.gold_cut == 3
    assert "3 had no room" in message(found, "recovered_measured")


def test_a_second_judge_of_the_run_is_asked_for_by_name(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        export_oracle(store, RUN)
        answer(store, tmp_path, dict.fromkeys(MISSES, True), judge="reader")
        seen = [{"query_id": f"q{i:02d}", "passed": i % 2 == 0} for i in range(14)]
        import_outcomes(store, write_lines(tmp_path / "o.jsonl", seen), run_id=RUN, judge="other")
        found = project(store, RUN, recall=0.8, choices=Choices(judge="other"))
    assert (found.recovered.judge, found.recovered.run_judge) == ("reader", "other")
    assert "oracle_judge" in codes(found)
