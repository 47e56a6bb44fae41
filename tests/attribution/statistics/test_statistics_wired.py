"""The numbers of the commands are those of this package, and weights and repeats change them as they should."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attribution.statistics.differences import mcnemar, newcombe_paired
from attribution.statistics.gain import gain
from attribution.statistics.interval import Interval
from attribution.statistics.paired_means import paired_mean
from attribution.statistics.projection import project
from attribution.statistics.proportions import wilson
from attribution.statistics.rerun import next_run_fresh_questions
from attribution.statistics.survey import rate
from attribution.statistics.targets import required_recall
from tests.attribution.made_runs import trace, write_lines
from tests.test_command import foundlost

QUESTIONS = 120


def gold_there(question: int, build: str) -> bool:
    return question % 5 < (3 if build == "before" else 4)


def passes(question: int, build: str, repeat: int) -> bool:
    """More often with gold than without, in the tail less often, and now and then otherwise in another repeat."""
    chance = (question * 7919 + (0 if build == "before" else 13) + (repeat * 31 if question % 4 == 0 else 0)) % 100
    return chance < (85 if gold_there(question, build) else 45) - (20 if question >= QUESTIONS // 2 else 0)


def records(build: str, repeats: int) -> list[dict[str, Any]]:
    return [
        trace(
            f"q{at}",
            listed := ["g"] if gold_there(at, build) else ["x"],
            listed,
            listed,
            passes(at, build, repeat),
            gold=["g"],
            intent="head" if at < QUESTIONS // 2 else "tail",
            repeat=repeat,
        )
        for at in range(QUESTIONS)
        for repeat in range(repeats)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with three stores: plain, weighted to the head's traffic, and with three answers a question."""
    made = tmp_path_factory.mktemp("wired")
    weights = [{"query_id": f"q{at}", "weight": 9.0 if at < QUESTIONS // 2 else 1.0} for at in range(QUESTIONS)]
    for name, repeats in (("plain", 1), ("weighted", 1), ("repeats", 3)):
        for build in ("before", "after"):
            lines = write_lines(made / f"{name}-{build}.jsonl", records(build, repeats))
            foundlost("ingest", lines, "--run", build, "--db", f"{name}.duckdb", cwd=made)
        if name == "weighted":
            lines = write_lines(made / "weights.jsonl", weights)
            foundlost("questions", "import", lines, "--db", f"{name}.duckdb", cwd=made)
    return made


def printed(folder: Path, store: str, *arguments: object) -> dict[str, Any]:
    done = foundlost(*arguments, "--json", "--db", f"{store}.duckdb", cwd=folder)
    return dict(json.loads(done.stdout))


def same(found: dict[str, Any], expected: Interval) -> bool:
    got = [found["estimate"], found["lower"], found["upper"]]
    return got == pytest.approx([expected.estimate, *expected.bounds], abs=1e-12)


def sides(build: str = "before") -> list[Interval]:
    """Recall and both pass rates of a build with one answer a question."""
    found = [at for at in range(QUESTIONS) if gold_there(at, build)]
    missed = [at for at in range(QUESTIONS) if not gold_there(at, build)]
    return [
        wilson(len(found), QUESTIONS),
        *(wilson(sum(passes(at, build, 0) for at in side), len(side)) for side in (found, missed)),
    ]


def test_plain_counts(folder: Path) -> None:
    recall, first, second = sides()
    found = printed(folder, "plain", "attribute", "before")
    assert same(found["stages"][-1]["recall"], recall)
    assert same(found["conditional"]["with_gold"], first)
    assert same(found["conditional"]["without_gold"], second)
    forecast = printed(folder, "plain", "project", "before", "--recall", 0.9, "--target", 0.75)
    assert same(forecast["projection"], project(0.9, first, second))
    assert same(forecast["gain"], gain(0.9, recall, first, second))
    fresh = next_run_fresh_questions(0.9, first, second, questions=QUESTIONS)
    assert same(forecast["next_run"]["fresh_questions"], fresh)
    needed = required_recall(0.75, first, second)
    assert forecast["required_recall"]["lower"] == pytest.approx(needed.lower, abs=1e-9)
    table = [
        sum((passes(at, "before", 0), passes(at, "after", 0)) == kind for at in range(QUESTIONS))
        for kind in ((True, True), (False, True), (True, False), (False, False))
    ]
    both = printed(folder, "plain", "compare", "before", "after")["pass"]
    assert same(both["difference"], newcombe_paired(*table))
    assert both["p_mcnemar_midp"] == pytest.approx(mcnemar(table[1], table[2]).midp)


def test_weights_move_the_estimates_and_the_sizes(folder: Path) -> None:
    weights = [9.0 if at < QUESTIONS // 2 else 1.0 for at in range(QUESTIONS)]
    stratum = [int(at >= QUESTIONS // 2) for at in range(QUESTIONS)]
    passed = [int(passes(at, "before", 0)) for at in range(QUESTIONS)]
    gold = [int(gold_there(at, "before")) for at in range(QUESTIONS)]
    by_hand = [
        rate([x * y for x, y in zip(passed, side, strict=True)], side, weight=weights, stratum=stratum)
        for side in (gold, [1 - each for each in gold])
    ]
    plain, found = (printed(folder, store, "attribute", "before") for store in ("plain", "weighted"))
    assert same(found["conditional"]["with_gold"], by_hand[0])
    assert same(found["conditional"]["without_gold"], by_hand[1])
    assert found["passed"]["estimate"] > plain["passed"]["estimate"] + 0.03
    assert found["passed"]["n_effective"] < QUESTIONS
    assert width(found["passed"]) > width(plain["passed"])
    forecasts = [printed(folder, store, "project", "before", "--recall", 0.9) for store in ("plain", "weighted")]
    assert same(forecasts[1]["projection"], project(0.9, *by_hand))
    assert abs(forecasts[1]["projection"]["estimate"] - forecasts[0]["projection"]["estimate"]) > 0.01
    assert width(forecasts[1]["projection"]) > width(forecasts[0]["projection"])
    gaps = [passes(at, "after", 0) - passes(at, "before", 0) for at in range(QUESTIONS)]
    change = printed(folder, "weighted", "compare", "before", "after")["pass"]["difference"]
    assert same(change, paired_mean(gaps, weight=weights))


def test_repeats_are_no_questions(folder: Path) -> None:
    passed = [sum(passes(at, "before", repeat) for repeat in range(3)) for at in range(QUESTIONS)]
    gold = [3 * gold_there(at, "before") for at in range(QUESTIONS)]
    by_hand = [
        rate([x if n else 0 for x, n in zip(passed, side, strict=True)], side)
        for side in (gold, [3 - each for each in gold])
    ]
    plain, found = (printed(folder, store, "attribute", "before") for store in ("plain", "repeats"))
    assert same(found["conditional"]["with_gold"], by_hand[0])
    assert found["passed"]["n"] == 3 * QUESTIONS
    assert found["passed"]["n_effective"] < 1.5 * QUESTIONS
    # The same lists three times tell of recall what they tell once.
    assert width(found["stages"][-1]["recall"]) == pytest.approx(width(plain["stages"][-1]["recall"]), abs=0.002)
    forecast = printed(folder, "repeats", "project", "before", "--recall", 0.9)
    assert same(forecast["projection"], project(0.9, *by_hand))
    independent = project(0.9, *(wilson(int(each.count or 0), each.n) for each in by_hand))
    lower, upper = independent.bounds
    assert width(forecast["projection"]) > 1.3 * (upper - lower)


@pytest.mark.parametrize("store", ["plain", "weighted", "repeats"])
def test_metrics_show_the_same_rates(folder: Path, store: str) -> None:
    """Coverage at the last stage is recall there: two commands, one number."""
    recall = printed(folder, store, "attribute", "before")["stages"][-1]["recall"]
    table = printed(folder, store, "metrics", "before", "--metrics", "Coverage", "--stages", "packed")
    (metric,) = table["metrics"]
    assert [metric["mean"][name] for name in ("estimate", "lower", "upper")] == pytest.approx(
        [recall[name] for name in ("estimate", "lower", "upper")], abs=1e-9
    )


def width(found: dict[str, Any]) -> float:
    return float(found["upper"] - found["lower"])
