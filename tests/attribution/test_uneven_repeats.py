"""Two runs with other numbers of answers to a question: nothing is dropped, and rates are those of each run alone."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.compare import compare
from attribution.forecasts.seal import Terms, seal
from attribution.forecasts.verify import verify
from attribution.gate.drops import drops
from attribution.gate.rules import Quantity
from attribution.replayed import replayed_cells
from attribution.results import Comparison
from attribution.statistics.interval import Interval
from tests.attribution.forecasts.made import answered
from tests.attribution.made_runs import Record, add_run, write_lines
from traces.imports import import_questions
from traces.store import TraceStore

Answers = Sequence[tuple[int, int]]  # (gold, passed) of each answer to a question


def questions(seed: int, counts: Iterable[int]) -> list[Answers]:
    """Return questions with so many answers each; gold and passes differ between the answers to one."""
    draw = random.Random(seed)
    return [[(int(draw.random() < 0.6), int(draw.random() < 0.7)) for _ in range(n)] for n in counts]


def records(asked: Sequence[Answers], first: int = 0, **more: Any) -> list[Record]:
    """Return a run of them, repeats numbered from ``first``."""
    return [
        answered(f"q{number}", gold, passed, repeat=first + repeat, **more)
        for number, answers in enumerate(asked)
        for repeat, (gold, passed) in enumerate(answers)
    ]


def two(folder: Path, before: Iterable[Record], after: Iterable[Record]) -> tuple[Comparison, list[Interval]]:
    """Return how two runs compare, and the pass rate and recall of each alone."""
    with TraceStore.in_memory() as store:
        add_run(store, folder, before, run="before")
        add_run(store, folder, after, run="after")
        alone = [attribute(store, run, Choices()) for run in ("before", "after")]
        return compare(store, "before", "after"), [run.passed for run in alone]


def counted(interval: Interval) -> tuple[int, int | None, float | None]:
    return interval.n, interval.count, interval.estimate


def test_a_run_against_itself_has_not_changed_though_repeats_are_uneven(tmp_path: Path) -> None:
    run = questions(1, (1 + number % 4 for number in range(60)))
    with TraceStore.in_memory() as store:
        for name in ("a", "b"):
            add_run(store, tmp_path, records(run), run=name)
        today = attribute(store, "a", Choices())
        assert today.stages[-1].recall.estimate is not None
        seal(store, "a", "same", recall=today.stages[-1].recall.estimate, terms=Terms(margin=0.2))
        found = compare(store, "a", "b")
        verdict = verify(store, "same", "b")
    assert counted(found.passed.before) == counted(found.passed.after) == counted(today.passed)
    assert (found.change, found.answers) == (0.0, 150)
    assert verdict.error.total == pytest.approx(0.0, abs=1e-12)
    assert list(verdict.error.terms.to_dict().values()) == pytest.approx([0.0] * 5, abs=1e-12)
    assert verdict.recall_observed == pytest.approx(today.stages[-1].recall.estimate)


def test_repeats_that_are_numbered_otherwise_are_the_same_answers(tmp_path: Path) -> None:
    run = questions(2, [3] * 40)
    found, (alone, _) = two(tmp_path, records(run), records(run, first=10))
    assert (found.questions, found.answers, found.change) == (40, 120, 0.0)
    assert counted(found.passed.before) == counted(found.passed.after) == counted(alone)
    assert "uneven_repeats" not in {warning.code for warning in found.warnings}


@pytest.mark.parametrize(("before", "after"), [(3, 1), (1, 3), (2, 3)])
def test_every_answer_of_a_question_is_held_against_each_of_the_other_run(
    tmp_path: Path, before: int, after: int
) -> None:
    one, other = questions(3, [before] * 50), questions(4, [after] * 50)
    found, alone = two(tmp_path, records(one), records(other))
    assert (found.questions, found.answers) == (50, 50 * before)
    assert counted(found.passed.before) == pytest.approx(counted(alone[0]))
    assert counted(found.passed.after) == pytest.approx(counted(alone[1]))
    assert ("uneven_repeats", 50) in [(warning.code, warning.questions) for warning in found.warnings]
    contribution = {
        cell: sum(
            sum(two[1] - one[1] for one in mine for two in theirs if (one[0], two[0]) == gold) / (before * after)
            for mine, theirs in zip(one, other, strict=True)
        )
        / 50
        for cell, gold in {"retained": (1, 1), "recovered": (0, 1), "lost": (1, 0), "still_missing": (0, 0)}.items()
    }
    assert {cell.cell: cell.contribution for cell in found.cells} == pytest.approx(contribution)


def test_a_replay_with_repeats_of_other_numbers_recovers_the_same(tmp_path: Path) -> None:
    run, replay = questions(5, [2] * 30), questions(6, [2] * 30)
    cells = []
    for first in (0, 7):
        with TraceStore.in_memory() as store:
            add_run(store, tmp_path, records(run), run="before")
            silent = [{k: v for k, v in each.items() if k != "passed"} for each in records(replay, first=first)]
            add_run(store, tmp_path, silent, run="replay")
            cells.append(replayed_cells(store, "before", "replay", Choices()))
    assert cells[0] == cells[1]
    assert cells[0].questions == 30


@pytest.mark.parametrize("first", [0, 5])
def test_a_gate_reads_the_drop_that_the_runs_show_apart(tmp_path: Path, first: int) -> None:
    before, after = questions(7, (1 + number % 3 for number in range(60))), questions(8, (1 + n % 3 for n in range(60)))
    with TraceStore.in_memory() as store:
        add_run(store, tmp_path, records(before), run="before")
        add_run(store, tmp_path, records(after, first=first), run="after")
        alone = [attribute(store, run, Choices()).passed.estimate or 0.0 for run in ("before", "after")]
        found = drops(store, "before", "after", Choices(), allow=()).of(Quantity("pass"))
    assert found is not None
    assert found.questions == 60
    assert found.interval.estimate == pytest.approx(alone[0] - alone[1])


def test_weights_that_only_some_questions_have_count_nowhere(tmp_path: Path) -> None:
    before, after = questions(9, [1] * 40), questions(10, [1] * 40)
    weights = [{"query_id": f"q{number}", "weight": 50.0} for number in range(10)]
    with TraceStore.in_memory() as store:
        add_run(store, tmp_path, records(before), run="before")
        add_run(store, tmp_path, records(after), run="after")
        import_questions(store, write_lines(tmp_path / "w.jsonl", weights))
        alone = [attribute(store, run, Choices()).passed for run in ("before", "after")]
        found = compare(store, "before", "after")
        drop = drops(store, "before", "after", Choices(), allow=()).of(Quantity("pass"))
    assert [found.passed.before, found.passed.after] == alone
    assert drop is not None
    assert drop.interval.estimate == pytest.approx((alone[0].estimate or 0) - (alone[1].estimate or 0))
