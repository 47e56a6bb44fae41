"""When attribution is the wrong investment: each case is found in the data and said, and not said without it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attribution.attribute import attribute
from attribution.compare import compare
from attribution.forecasts.seal import seal
from attribution.forecasts.verify import verify
from attribution.project import project
from attribution.results import Warn
from attribution.statistics.design import paired_size
from tests.attribution.made_runs import RUN, Record, add_run, made_store
from tests.attribution.test_project import counted

THREE = ("candidates", "reranked", "packed")


def message(warnings: list[Warn], code: str) -> str | None:
    """Return what a warning says; None where it is not given."""
    said = [warning.message for warning in warnings if warning.code == code]
    assert len(said) <= 1
    return said[0] if said else None


def asked(stages: tuple[str, ...], n: int = 4, *, first: int = 0) -> list[dict[str, Any]]:
    """Return a run of questions whose gold reaches every stage."""
    return [
        {"query_id": f"q{i}", "stages": {stage: ["g"] for stage in stages}, "passed": True, "gold": ["g"]}
        for i in range(first, first + n)
    ]


def test_one_stage_has_nothing_to_attribute(tmp_path: Path) -> None:
    with made_store(tmp_path, asked(("retrieved",))) as store:
        said = message(attribute(store, RUN).warnings, "single_stage")
    assert said is not None
    assert "its end-to-end score already is the score of its one component" in said
    with made_store(tmp_path, asked(THREE)) as store:
        assert message(attribute(store, RUN).warnings, "single_stage") is None


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (THREE, ("candidates", "packed"), "only before has reranked;"),
        (("candidates", "packed"), THREE, "only after has reranked;"),
        (THREE, ("candidates", "filtered", "packed"), "only before has reranked; only after has filtered;"),
        (
            ("candidates", "reranked", "filtered", "packed"),
            ("candidates", "filtered", "reranked", "packed"),
            "their order is candidates, reranked, filtered, packed in before and candidates, filtered, reranked, ",
        ),
        (THREE, THREE, None),
    ],
)
def test_stages_that_differ_between_two_runs_are_named(
    tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...], says: str | None
) -> None:
    with made_store(tmp_path, asked(before), run="before") as store:
        add_run(store, tmp_path, asked(after), run="after")
        said = message(compare(store, "before", "after").warnings, "stages_differ")
    assert (said is None) == (says is None)
    assert says is None or says in (said or "")


def headed(records: list[dict[str, Any]], **facts: Any) -> list[Record]:
    return [{"run": facts}, *records]


def test_cutoffs_that_differ_are_named(tmp_path: Path) -> None:
    before = headed(asked(THREE), stages=THREE, cutoffs={"packed": 5})
    with made_store(tmp_path, before, run="before") as store:
        add_run(store, tmp_path, headed(asked(THREE), stages=THREE, cutoffs={"packed": 8}), run="deeper")
        add_run(store, tmp_path, asked(THREE), run="open")
        deeper = message(compare(store, "before", "deeper").warnings, "stages_differ")
        uncut = message(compare(store, "before", "open").warnings, "stages_differ")
    assert "packed hands on at most 5 before and at most 8 after;" in (deeper or "")
    assert "packed hands on at most 5 before and all after;" in (uncut or "")


def test_a_verdict_says_that_the_stages_differ(tmp_path: Path) -> None:
    with made_store(tmp_path, counted((204, 232), (79, 168)), run="before") as store:
        seal(store, "before", "f", recall=0.85)
        after = [
            {**record, "stages": {stage: record["stages"][stage] for stage in ("candidates", "packed")}}
            for record in counted((204, 232), (79, 168))
        ]
        add_run(store, tmp_path, after, run="after")
        found = verify(store, "f", "after")
    assert "only before has reranked;" in (message(found.warnings, "stages_differ") or "")


def stages_said(folder: Path, *runs: tuple[str, ...], about: str | None = None, **facts: Any) -> str | None:
    """Ingest runs of the same questions with these stages, one after the other; say what is said of the last."""
    with made_store(folder, asked(runs[0]), run="r0") as store:
        for number, stages in enumerate(runs[1:], start=1):
            add_run(store, folder, asked(stages), run=f"r{number}")
        return message(attribute(store, about or f"r{len(runs) - 1}").warnings, "stages_unstable")


def test_stages_that_change_from_run_to_run_outrun_their_labels(tmp_path: Path) -> None:
    two, other = ("candidates", "packed"), ("candidates", "filtered", "packed")
    said = stages_said(tmp_path, two, THREE, other)
    assert said is not None
    assert said.startswith("the last 3 runs on these questions had 3 different lists of stages")
    assert stages_said(tmp_path, two, THREE, other, about="r0") == said
    assert stages_said(tmp_path, two, THREE, THREE) is None
    assert stages_said(tmp_path, two, THREE, two, THREE) is None  # two arms of an experiment
    assert stages_said(tmp_path, two, other, THREE, THREE, THREE, THREE) is None  # settled since
    assert stages_said(tmp_path, two, other, THREE, THREE, THREE) is not None


def test_only_builds_on_the_same_questions_speak_of_unstable_stages(tmp_path: Path) -> None:
    two, other = asked(("candidates", "packed")), asked(("candidates", "filtered", "packed"))
    elsewhere = asked(("candidates", "filtered", "packed"), first=3)  # shares one question of four
    replay = [{**record, "passed": None} for record in other]
    for third in (elsewhere, replay):
        with made_store(tmp_path, two, run="r0") as store:
            add_run(store, tmp_path, asked(THREE), run="r1")
            add_run(store, tmp_path, third, run="r2")
            assert message(attribute(store, "r1").warnings, "stages_unstable") is None


def test_runs_go_by_the_time_they_were_made(tmp_path: Path) -> None:
    kinds = [("a", "z"), ("b", "z"), THREE, THREE, THREE, THREE, THREE]
    dated = [headed(asked(kind), created_at=f"2026-01-{day:02}T00:00:00Z") for day, kind in enumerate(kinds, start=1)]
    with made_store(tmp_path, dated[-1], run="r6") as store:
        for number in (5, 4, 3, 2, 1, 0):  # the oldest come in last
            add_run(store, tmp_path, dated[number], run=f"r{number}")
        assert message(attribute(store, "r6").warnings, "stages_unstable") is None
        add_run(store, tmp_path, asked(THREE), run="undated")  # then the order they came in counts
        assert message(attribute(store, "r6").warnings, "stages_unstable") is not None


def test_a_target_that_is_met_already_is_said(tmp_path: Path) -> None:
    with made_store(tmp_path, counted((204, 232), (79, 168))) as store:  # .7075, from .661
        met = message(project(store, RUN, recall=0.85, target=0.66).warnings, "already_there")
        assert met is not None
        assert met.startswith(
            "the pass rate is 0.7075, at least 0.6611 by its range, and meets the target 0.6600 today"
        )
        for target in (0.67, 0.8, None):  # within the range, above it, none
            assert message(project(store, RUN, recall=0.85, target=target).warnings, "already_there") is None


def test_too_few_questions_are_told_how_many_it_takes(tmp_path: Path) -> None:
    with made_store(tmp_path, counted((10, 20), (8, 20))) as store:
        found = project(store, RUN, recall=0.6)
    said = message(found.warnings, "gain_not_detectable")
    moved = 0.1 * (0.5 * 0.6 + 0.4 * 0.5)  # those whose gold arrives, and whose answer then differs
    needed = -int(-paired_size(moved, 0.1 * 0.1) // 1)
    assert said is not None
    assert "cannot be seen with 40 questions: " in said
    assert said.endswith(f"; it takes at least {needed:,} questions")


@pytest.mark.parametrize("passes", [1, 10, 19])
def test_the_number_needed_holds_where_every_recovered_question_passes(tmp_path: Path, passes: int) -> None:
    with made_store(tmp_path, counted((20, 20), (passes, 20))) as store:
        said = message(project(store, RUN, recall=0.51).warnings, "gain_not_detectable")
        same = message(project(store, RUN, recall_range=(0.4, 0.6)).warnings, "gain_not_detectable")
    assert said is not None
    assert questions_in(said) > 40
    assert same is None


def test_repeats_do_not_stand_in_for_questions(tmp_path: Path) -> None:
    records = [{**record, "repeat": n} for record in counted((10, 20), (8, 20)) for n in range(3)]
    with made_store(tmp_path, records) as store:  # each question gives the same answer three times over
        said = message(project(store, RUN, recall=0.6).warnings, "gain_not_detectable")
    with made_store(tmp_path, counted((10, 20), (8, 20))) as store:
        once = message(project(store, RUN, recall=0.6).warnings, "gain_not_detectable")
    assert said is not None
    assert once is not None
    assert "cannot be seen with 40 questions (120 answers): " in said
    assert said.endswith(" with 3 answers each")
    # 39 independent answers are what the estimator makes of 40 questions with three equal ones each.
    assert questions_in(said) == pytest.approx(questions_in(once) * 40 / 39, abs=1)


def questions_in(said: str) -> int:
    return int(said.rpartition("at least ")[2].split()[0].replace(",", ""))


def test_a_recall_that_a_replay_has_shown_is_not_called_unseen(tmp_path: Path) -> None:
    with made_store(tmp_path, counted((204, 232), (79, 168))) as store:
        add_run(store, tmp_path, [{**r, "passed": None} for r in counted((204, 340), (79, 60))], run="replay")
        shown = project(store, RUN, recall_from="replay")
        stated = project(store, RUN, recall=0.85)
    assert message(shown.warnings, "beyond_observed") is None
    assert message(stated.warnings, "beyond_observed") is not None
