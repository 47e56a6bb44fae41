"""The gate on runs in a store: rates, drops, metrics and forecasts, and what there is nothing to judge by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from attribution.choices import Choices
from attribution.compare import compare
from attribution.gate.judge import gate
from attribution.gate.rules_file import gather_rules
from attribution.metrics.against import compare_metrics
from attribution.results import Gate, RuleVerdict
from attribution.results.gate import WhenUnsure
from tests.attribution.forecasts.made import EXAMPLE, after_of, answered, before_of, kinds_of, sealed
from tests.attribution.made_runs import add_run, made_store, trace
from traces.errors import UsageError
from traces.store import TraceStore

INTENTS = ("A", "B")


@contextmanager
def worked(folder: Path) -> Iterator[TraceStore]:
    """Open a store with the worked example's two runs, half of the questions of either intent."""
    kinds = kinds_of(EXAMPLE)
    before, after = (
        [record | {"intent": INTENTS[at % 2]} for at, record in enumerate(records)]
        for records in (before_of(kinds), after_of(kinds))
    )
    with made_store(folder, before, run="before") as store:
        add_run(store, folder, after, run="after")
        yield store


def judged(store: TraceStore, run: str, *rules: str, when_unsure: WhenUnsure = "fail", **options: Any) -> Gate:
    return gate(store, run, gather_rules(rules, None), when_unsure=when_unsure, **options)


def one(store: TraceStore, run: str, rule: str, **options: Any) -> RuleVerdict:
    (verdict,) = judged(store, run, rule, **options).rules
    return verdict


def test_rates_are_read_off_the_attribution(tmp_path: Path) -> None:
    with worked(tmp_path) as store:
        found = judged(
            store, "before",
            "recall(packed) >= .5", "recall >= .65", "pass >= .7", "pass_with_gold >= .8", "pass_without_gold <= .5",
            "share(never_found) <= .7", "share(reached) >= .5", "share(lost:packed) <= .1",
        )  # fmt: skip
    counts = [(each.observed.count, each.observed.n) for each in found.rules if each.observed]
    assert counts == [(232, 400), (232, 400), (283, 400), (204, 232), (79, 168), (89, 117), (28, 117), (0, 117)]
    assert [each.verdict for each in found.rules] == [
        "pass", "fail", "cannot tell", "pass", "cannot tell", "cannot tell", "fail", "pass",
    ]  # fmt: skip
    assert {each.observed.level for each in found.rules if each.observed} == {0.9}
    assert (found.verdict, found.passed) == ("fail", False)


@pytest.mark.parametrize(("when_unsure", "passed"), [("fail", False), ("pass", True)])
def test_what_cannot_be_told_counts_as_the_policy_says(when_unsure: WhenUnsure, passed: bool, tmp_path: Path) -> None:
    with worked(tmp_path) as store:
        found = judged(store, "before", "pass >= .7", "recall >= .5", when_unsure=when_unsure)
        failing = judged(store, "before", "pass >= .7", "recall >= .65", when_unsure=when_unsure)
    assert (found.verdict, found.passed, failing.passed) == ("cannot tell", passed, False)
    assert found.rules[0].questions_needed is not None
    assert found.rules[0].questions_needed > 400


def test_a_drop_is_the_paired_difference_turned_round(tmp_path: Path) -> None:
    choices = Choices(level=0.9)
    with worked(tmp_path) as store:
        found = judged(
            store, "before", "drop(pass) <= .02", "drop(recall(reranked)) <= .05", "drop(R@5(packed)) <= .02",
            baseline="after", choices=choices,
        )  # fmt: skip
        change = compare(store, "after", "before", choices).passed.difference
        (metric,) = compare_metrics(store, "after", "before", "R@5", stages=["packed"]).changes
    dropped, recall, quality = (each.observed for each in found.rules)
    assert dropped is not None
    assert dropped.estimate == pytest.approx(27 / 400)
    assert (dropped.lower, dropped.upper) == pytest.approx((-change.bounds[1], -change.bounds[0]))
    assert recall is not None
    assert recall.estimate == pytest.approx((340 - 232) / 400)
    assert quality is not None
    assert quality.estimate == pytest.approx(-(metric.difference.estimate or 0.0)) == pytest.approx(108 / 400)
    assert [each.verdict for each in found.rules] == ["fail", "fail", "fail"]
    assert found.baseline == "after"


def test_a_rise_is_a_drop_that_passes(tmp_path: Path) -> None:
    with worked(tmp_path) as store:
        assert one(store, "after", "drop(pass) <= 0", baseline="before").verdict == "pass"
        assert one(store, "after", "drop(nDCG@10(reranked)) <= .01", baseline="before").verdict == "pass"


def test_a_run_that_answers_alike_is_not_proof_from_few_questions(tmp_path: Path) -> None:
    records = [answered(f"q{at}", 1, 1) for at in range(12)]
    with made_store(tmp_path, records, run="old") as store:
        add_run(store, tmp_path, records, run="new")
        found = one(store, "new", "drop(pass) <= .02", baseline="old")
    assert (found.verdict, found.reason) == ("cannot tell", "the range lies on both sides of the bound")


def repeated(share: int) -> list[dict[str, Any]]:
    """Return sixty questions asked three times, of which so many pass each time."""
    return [answered(f"q{at}", 1, int(at < share), repeat=again) for at in range(60) for again in range(3)]


def test_repeats_of_a_question_are_no_questions_of_their_own(tmp_path: Path) -> None:
    with made_store(tmp_path, repeated(50), run="old") as store:
        add_run(store, tmp_path, repeated(44), run="new")
        found = one(store, "new", "drop(pass) <= .02", baseline="old")
        rate = one(store, "new", "pass >= .7")
    assert found.observed is not None
    assert (found.observed.n, found.observed.method) == (60, "t-paired")
    assert found.observed.estimate == pytest.approx(0.1)
    assert rate.observed is not None
    assert rate.observed.size == pytest.approx(59)
    exact = 0.7 * 0.3 * (1.6448536269514722 / (44 / 60 - 0.7)) ** 2
    assert rate.questions_needed == pytest.approx(exact * 60 / 59, abs=1.5)


def test_every_intent_is_judged_and_one_that_falls_fails_the_rule(tmp_path: Path) -> None:
    kinds = [("A", 100, 95), ("B", 100, 60), ("C", 6, 1)]
    records = [
        answered(f"{intent}{at}", int(at < good), 1, intent=intent) for intent, n, good in kinds for at in range(n)
    ]
    with made_store(tmp_path, records) as store:
        found = one(store, "run", "recall >= .7", choices=Choices(level=0.9, by=("intent",)))
    assert (found.whole, found.verdict) == ("pass", "fail")
    assert [(each.value, each.verdict) for each in found.by] == [("A", "pass"), ("B", "fail"), ("C", "cannot tell")]
    assert found.by[2].reason == "fewer than ten questions"
    failing = found.by[1]
    assert failing.p is not None
    assert failing.p_holm == pytest.approx(2 * failing.p)


def test_a_thin_intent_does_not_keep_the_gate_from_passing(tmp_path: Path) -> None:
    records = [answered(f"q{at}", 1, 1, intent="A" if at else "thin") for at in range(100)]
    with made_store(tmp_path, records) as store:
        found = judged(store, "run", "recall >= .7", choices=Choices(level=0.9, by=("intent",)))
    assert found.passed
    assert [each.verdict for each in found.rules[0].by] == ["pass", "cannot tell"]


def test_a_drop_is_judged_by_intent_too(tmp_path: Path) -> None:
    def answers(fallen: int) -> list[dict[str, Any]]:
        return [
            answered(f"{intent}{at}", 1, int(not (intent == "B" and at < fallen)), intent=intent)
            for intent in INTENTS
            for at in range(80)
        ]

    with made_store(tmp_path, answers(0), run="old") as store:
        add_run(store, tmp_path, answers(16), run="new")
        choices = Choices(level=0.9, by=("intent",))
        found = one(store, "new", "drop(pass) <= .1", baseline="old", choices=choices)
    assert found.whole == "cannot tell"
    observed = {each.value: each.observed for each in found.by}
    assert observed["A"] is not None
    assert observed["B"] is not None
    assert observed["A"].estimate == 0.0
    assert observed["B"].estimate == pytest.approx(0.2)
    assert [each.verdict for each in found.by] == ["pass", "fail"]
    assert found.verdict == "fail"


def test_metrics_and_forecasts_are_judged_on_the_whole_and_that_is_said(tmp_path: Path) -> None:
    with worked(tmp_path) as store:
        found = judged(store, "after", "R@5(packed) >= .5", choices=Choices(level=0.9, by=("intent",)))
    assert found.rules[0].by == []
    assert "whole_run_only" in {warning.code for warning in found.warnings}


@pytest.mark.parametrize(
    ("recall", "margin", "rule", "verdict"),
    [
        (0.85, 0.04, "forecast f not refuted", "pass"),
        (0.85, 0.04, "forecast f held", "cannot tell"),
        (0.85, 0.06, "forecast f held", "pass"),
        (0.99, 0.06, "forecast f not refuted", "fail"),
        (0.99, 0.06, "forecast f held", "fail"),
    ],
)
def test_a_forecast_is_judged_by_the_run_and_nothing_is_recorded(
    recall: float, margin: float, rule: str, verdict: str, tmp_path: Path
) -> None:
    kinds = kinds_of(EXAMPLE)
    with made_store(tmp_path, before_of(kinds), run="before") as store:
        sealed(store, recall=recall, margin=margin)
        add_run(store, tmp_path, after_of(kinds), run="after")
        found = one(store, "after", rule)
        assert store.value("SELECT count(*) FROM verdicts") == 0
    assert found.verdict == verdict
    assert found.observed is None
    assert ("recall is refuted" in found.details) == (recall == 0.99)
    assert (found.questions_needed is not None) == (verdict == "cannot tell")


def test_a_forecast_has_nothing_to_be_judged_by_without_outcomes(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with made_store(tmp_path, before_of(kinds), run="before") as store:
        sealed(store)
        add_run(store, tmp_path, [record | {"passed": None} for record in after_of(kinds)], run="after")
        found = one(store, "after", "forecast f not refuted")
    assert (found.verdict, found.reason) == ("cannot tell", "no pass or fail is recorded")


def unlabelled(n: int) -> list[dict[str, Any]]:
    return [trace(f"q{at}", ["x"], ["x"], ["x"], True) for at in range(n)]


@pytest.mark.parametrize(
    ("records", "rule", "reason"),
    [
        (unlabelled(30), "recall >= .5", "no label set judges these questions"),
        (unlabelled(30), "pass >= .5", "no label set judges these questions"),
        (unlabelled(30), "nDCG@10 >= .5", "no label set judges these questions"),
        ([answered(f"q{at}", 1, None) for at in range(30)], "pass >= .5", "no pass or fail is recorded"),
        ([answered(f"q{at}", 1, None) for at in range(30)], "share(reached) <= .5", "no pass or fail is recorded"),
        ([answered(f"q{at}", 1, 1) for at in range(30)], "pass_without_gold <= .5", "no question is a case of it"),
        ([answered(f"q{at}", 1, 1) for at in range(30)], "share(reached) >= .5", "there are no failures to share out"),
        ([answered(f"q{at}", 1, 0) for at in range(7)], "pass >= .5", "fewer than ten questions"),
    ],
)
def test_where_there_is_nothing_to_judge_by_the_rule_says_so(
    records: Sequence[dict[str, Any]], rule: str, reason: str, tmp_path: Path
) -> None:
    with made_store(tmp_path, records) as store:
        found = judged(store, "run", rule)
    assert (found.verdict, found.passed) == ("cannot tell", False)
    assert found.rules[0].reason == reason
    assert "NaN" not in found.to_json()


def test_no_failures_keep_an_upper_bound_on_their_shares(tmp_path: Path) -> None:
    with made_store(tmp_path, [answered(f"q{at}", 1, 1) for at in range(30)]) as store:
        found = one(store, "run", "share(never_found) <= .3")
    assert (found.verdict, found.reason) == ("pass", "there are no failures to share out")


def test_recall_needs_no_outcomes_and_its_drop_none_either(tmp_path: Path) -> None:
    records = [answered(f"q{at}", 1, None) for at in range(100)]
    with made_store(tmp_path, [answered(f"q{at}", 1, 1) for at in range(100)], run="old") as store:
        add_run(store, tmp_path, records, run="new")
        found = judged(store, "new", "recall >= .9", "drop(recall) <= .03", "drop(pass) <= .03", baseline="old")
    assert [each.verdict for each in found.rules] == ["pass", "pass", "cannot tell"]
    assert found.rules[2].reason == "no pass or fail is recorded"


def test_runs_that_share_no_question_cannot_be_told_apart(tmp_path: Path) -> None:
    with made_store(tmp_path, [answered(f"old{at}", 1, 1) for at in range(30)], run="old") as store:
        add_run(store, tmp_path, [answered(f"new{at}", 1, 1) for at in range(30)], run="new")
        rules = ("drop(pass) <= .02", "drop(recall) <= .02", "drop(R@5(packed)) <= .02")
        found = judged(store, "new", *rules, baseline="old")
    assert {each.reason for each in found.rules} == {"the runs share no question"}
    assert found.verdict == "cannot tell"


def test_questions_the_baseline_lacks_are_counted(tmp_path: Path) -> None:
    with made_store(tmp_path, [answered(f"q{at}", 1, 1) for at in range(100)], run="old") as store:
        add_run(store, tmp_path, [answered(f"q{at}", 1, 1) for at in range(110)], run="new")
        found = judged(store, "new", "drop(pass) <= .05", baseline="old")
    assert [(each.code, each.questions) for each in found.warnings if each.code == "not_in_both"] == [
        ("not_in_both", 10)
    ]


@pytest.mark.parametrize(
    ("rule", "options", "told"),
    [
        ("drop(pass) <= .02", {}, "no-baseline: 'drop(pass) <= .02' is a drop from a baseline"),
        ("drop(pass) <= .02", {"baseline": "before"}, "same-run: a run cannot be its own baseline"),
        ("drop(pass) <= .02", {"baseline": "befor"}, "unknown-run: there is no run 'befor'"),
        ("recall(paked) >= .5", {}, "unknown-stage: there is no stage 'paked' for recall(paked) (run before); did you"),
        ("share(lost:paked) <= .5", {}, "unknown-stage: "),
        ("drop(recall(paked)) <= .5", {"baseline": "after"}, "unknown-stage: "),
        ("nDCG@10(paked) >= .5", {}, "unknown-stage: there is no stage 'paked'"),
        ("R@packed(reranked) >= .5", {}, "unknown-stage: @packed is what the last stage hands on, not 'reranked'"),
        ("R(rel=9)@5(packed) >= .5", {}, "grade-above-all: "),
        ("forecast g not refuted", {}, "unknown-forecast: "),
        ("pass >= .5", {"choices": Choices(level=0.9, by=("lang",))}, "unknown-field: "),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(
    rule: str, options: dict[str, Any], told: str, tmp_path: Path
) -> None:
    with worked(tmp_path) as store, pytest.raises(UsageError) as caught:
        judged(store, "before", rule, **options)
    assert caught.value.line().startswith(told)


def test_runs_judged_otherwise_are_not_compared_unless_that_is_named(tmp_path: Path) -> None:
    before = [answered(f"q{at}", 1, 1, judge="old judge") for at in range(60)]
    after = [answered(f"q{at}", 1, 1, judge="new judge") for at in range(60)]
    with made_store(tmp_path, before, run="old") as store:
        add_run(store, tmp_path, after, run="new")
        with pytest.raises(UsageError, match="not-comparable"):
            judged(store, "new", "drop(pass) <= .1", baseline="old")
        allowed = judged(store, "new", "drop(pass) <= .1", baseline="old", allow=["judge"])
        recall = judged(store, "new", "drop(recall) <= .1", baseline="old")
    assert (allowed.allowed, allowed.passed, recall.passed) == (["judge"], True, True)


def test_an_idle_baseline_is_said(tmp_path: Path) -> None:
    with worked(tmp_path) as store:
        found = judged(store, "before", "recall >= .5", baseline="after")
    assert "baseline_unused" in {warning.code for warning in found.warnings}
