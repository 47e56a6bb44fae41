"""Retrieval run again alone: no outcomes are needed, and what a partial replay can and cannot show is said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.doubts import projection_caveats
from attribution.project import project
from attribution.replayed import replayed_cells
from attribution.results import Replayed
from attribution.statistics.proportions import wilson
from tests.attribution.made_runs import Record, add_run, made_store, write_lines
from tests.test_command import foundlost, one_line
from traces.errors import UsageError

STAGES = ("candidates", "packed")


def answered(number: int, gold: bool, **more: Any) -> dict[str, Any]:
    listed = ["g"] if gold else ["x"]
    return {"query_id": f"q{number}", "stages": dict.fromkeys(STAGES, listed), "gold": ["g"], **more}


# of 40 questions 20 have gold, and pass three times in four; of the others one in five passes
BEFORE = [answered(i, i < 20, passed=i % 4 != 0 if i < 20 else i % 5 == 0) for i in range(40)]
THRICE = [{**record, "repeat": n} for record in BEFORE for n in range(3)]
REPLAY = [answered(i, i < 30 and i != 0) for i in range(40)]  # q20 to q29 are recovered, q0 is lost


def shown(folder: Path, before: Sequence[Record], replay: Sequence[Record], choices: Choices | None = None) -> Replayed:
    with made_store(folder, before, run="before") as store:
        add_run(store, folder, replay, run="replay")
        return replayed_cells(store, "before", "replay", choices or Choices())


def sizes(found: Replayed) -> tuple[int, int, int, int]:
    return found.retained, found.recovered, found.lost, found.still_missing


def test_a_replay_shows_the_cells_and_their_pass_rates_before(tmp_path: Path) -> None:
    found = shown(tmp_path, BEFORE, REPLAY)
    assert (found.questions, found.missing, found.extra) == (40, 0, 0)
    assert sizes(found) == (19, 10, 1, 10)
    assert found.recovered_before == wilson(2, 10)  # q20, q25
    assert found.still_missing_before == wilson(2, 10)  # q30, q35


def test_one_answer_of_a_replay_stands_for_all_repeats(tmp_path: Path) -> None:
    found = shown(tmp_path, THRICE, REPLAY)
    assert (found.questions, found.missing) == (40, 0)
    assert sizes(found) == (57, 30, 3, 30)
    assert (found.recovered_before.count, found.recovered_before.n) == (6, 30)
    assert found.recovered_before.n_effective is not None
    assert found.recovered_before.n_effective <= 10  # questions, not answers


def test_repeats_of_a_replay_go_with_those_of_the_run(tmp_path: Path) -> None:
    thrice = [answered(i, i < 20 or (i < 30 and n == 1), repeat=n) for i in range(40) for n in range(3)]
    assert sizes(shown(tmp_path, THRICE, thrice)) == (60, 10, 0, 50)


def test_a_partial_replay_counts_what_it_leaves_out(tmp_path: Path) -> None:
    cut = [*REPLAY[10:35], answered(90, True), {**answered(36, True), "stages": {"candidates": ["g"]}}]
    found = shown(tmp_path, BEFORE, cut)
    assert (found.questions, found.missing, found.extra) == (25, 15, 1)
    assert sizes(found) == (10, 10, 0, 5)


def test_caveats_say_what_a_partial_replay_rests_on(tmp_path: Path) -> None:
    with made_store(tmp_path, BEFORE, run="before") as store:
        add_run(store, tmp_path, [*REPLAY[10:], answered(90, True)], run="part")
        add_run(store, tmp_path, REPLAY, run="whole")
        for name, codes in (("part", {"not_in_replay": 10, "other_replay": 1}), ("whole", {})):
            found = project(store, "before", recall_from=name)
            cells = replayed_cells(store, "before", name, Choices())
            said = projection_caveats(attribute(store, "before"), found, cells)
            assert {w.code: w.questions for w in said if "replay" in w.code} == codes
            if codes:
                (left_out,) = [w.message for w in said if w.code == "not_in_replay"]
                assert left_out.endswith("stay as they are")


def test_a_replay_of_other_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        shown(tmp_path, BEFORE, [answered(i, True) for i in range(50, 60)])
    assert refused.value.slug == "different-questions"
    assert "none of the questions that run before has an outcome for" in refused.value.what


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a store of a run with repeats, two judges and inline gold, and of its replays."""
    judged = [{**record, "judge": "a"} for record in THRICE]
    runs = {
        "before": judged,
        "once": REPLAY,
        "half": REPLAY[20:],
        "candidates": [{**record, "stages": {"candidates": record["stages"]["candidates"]}} for record in REPLAY],
        "bare": [{name: record[name] for name in ("query_id", "stages")} for record in REPLAY],
    }
    for name, records in runs.items():
        write_lines(tmp_path / f"{name}.jsonl", records)
        foundlost("ingest", f"{name}.jsonl", "--run", name, cwd=tmp_path)
    verdicts = [{"query_id": f"q{i}", "repeat": n, "passed": True, "judge": "b"} for i in range(40) for n in range(3)]
    write_lines(tmp_path / "verdicts.jsonl", verdicts)
    foundlost("outcomes", "import", "verdicts.jsonl", "--run", "before", cwd=tmp_path)
    return tmp_path


def test_lists_alone_are_enough_for_a_projection(folder: Path) -> None:
    words = ("project", "before", "--judge", "a", "--json")
    found = json.loads(foundlost(*words, "--recall-from", "once", cwd=folder).stdout)
    stated = json.loads(foundlost(*words, "--recall", 29 / 40, cwd=folder).stdout)
    assert (found["recall_target"]["count"], found["recall_target"]["n"]) == (29, 40)
    assert found["projection"]["estimate"] == pytest.approx(stated["projection"]["estimate"], abs=1e-12)
    assert found["projection"]["lower"] < stated["projection"]["lower"]
    half = json.loads(foundlost(*words, "--recall-from", "half", cwd=folder).stdout)
    # only the questions without gold were replayed: 10 of 20 are recovered, the others stay as they are
    assert half["recall_target"]["estimate"] == pytest.approx(30 / 40)
    assert half["gain"]["estimate"] > 0
    assert half["recall_target"]["lower"] < 30 / 40 < half["recall_target"]["upper"]


@pytest.mark.parametrize(
    ("replay", "slug"), [("candidates", "other-last-stage"), ("bare", "no-recall"), ("nobody", "unknown-run")]
)
def test_a_replay_that_shows_nothing_is_refused_in_one_line(folder: Path, replay: str, slug: str) -> None:
    done = foundlost("project", "before", "--judge", "a", "--recall-from", replay, cwd=folder, code=2)
    assert one_line(done).startswith(f"foundlost: {slug}: ")


def test_gold_that_comes_apart_from_the_traces_counts_for_a_bare_replay(folder: Path) -> None:
    write_lines(folder / "gold.jsonl", [{"query_id": f"q{i}", "doc_id": "g"} for i in range(40)])
    foundlost("labels", "import", "gold.jsonl", "--name", "gold", cwd=folder)
    words = ("project", "before", "--judge", "a", "--labels", "gold", "--recall-from", "bare", "--json")
    found = json.loads(foundlost(*words, cwd=folder).stdout)
    assert (found["recall_target"]["count"], found["recall_target"]["n"]) == (29, 40)
