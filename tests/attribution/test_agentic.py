"""Agents: what their harness did is counted apart, and never with what retrieval did."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from attribution.attribute import attribute
from attribution.results import Attribution, Harness
from attribution.statistics.proportions import wilson
from attribution.statistics.survey import rate
from tests.attribution.made_runs import RUN, Record, made_store, write_lines
from tests.test_command import foundlost


def search(number: int, text: str | None, documents: list[str], *, stage: str = "candidates") -> dict[str, Any]:
    sent = {} if text is None else {"query": text}
    return {"stage": stage, "search": number, "items": documents, **sent}


def agent(query_id: str, *searches: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return one answer of an agent, whose last stage is handed on once."""
    packed = [search(0, None, [], stage="packed") | {"items": searches[-1]["items"]}] if searches else []
    return {"query_id": query_id, "stages": [*searches, *packed], "passed": True, "gold": ["g"], **more}


def attributed(folder: Path, *records: Record) -> Attribution:
    with made_store(folder, records) as store:
        return attribute(store, RUN)


def harness_of(folder: Path, *records: Record) -> Harness:
    found = attributed(folder, *records).harness
    assert found is not None
    return found


def test_one_search_each_has_no_harness_to_report(tmp_path: Path) -> None:
    found = attributed(tmp_path, agent("q1", search(0, "a", ["g"])), agent("q2", search(3, "b", ["x"])))
    assert found.harness is None
    assert "several_searches" not in {warning.code for warning in found.warnings}
    assert json.loads(found.to_json())["harness"] is None


def test_what_the_harness_did_is_counted(tmp_path: Path) -> None:
    found = attributed(
        tmp_path,
        agent("none", answer="I know this"),
        agent("one", search(0, "refund", ["g"]), answer="yes"),
        agent("two", search(0, "refund", ["x"]), search(1, "refund window", ["g"]), answer=""),
        agent("again", search(0, "refund", ["x"]), search(1, "refund", ["x"])),
        agent("blank", search(0, "  ", ["x"]), search(1, "", ["x"]), answer="no"),
    )
    harness = found.harness
    assert harness is not None
    assert [(each.searches, each.answers) for each in harness.searches] == [(0, 1), (1, 1), (2, 3)]
    assert harness.searched.rate == wilson(4, 5)
    assert harness.ended.rate == wilson(3, 5)
    texts = harness.well_formed
    assert (texts.recorded, texts.unrecorded, texts.blank, texts.repeated) == (7, 0, 2, 1)
    assert texts.rate == rate([1, 2, 1, 0], [1, 2, 2, 2])
    (said,) = [warning.message for warning in found.warnings if warning.code == "several_searches"]
    assert said.startswith(
        "3 answers made several searches, 1 answer made no search and cannot be attributed: there is "
    )
    # Recall is of all searches together: the second of 'two' brought the gold.
    assert found.stages[0].covered == 2
    assert (found.questions.attributable, found.questions.incomplete_lists) == (4, 1)


def test_what_is_not_recorded_is_not_counted(tmp_path: Path) -> None:
    harness = harness_of(tmp_path, agent("q1", search(0, None, ["g"]), search(1, None, ["g"])), agent("q2"))
    for unknown in (harness.well_formed, harness.ended):
        assert (unknown.rate, unknown.reason) == (None, "not recorded")
    assert (harness.well_formed.recorded, harness.well_formed.unrecorded) == (0, 2)
    assert json.loads(harness.to_json())["ended"] == {"rate": None, "reason": "not recorded"}


def test_searches_without_a_text_are_left_out_of_the_texts(tmp_path: Path) -> None:
    harness = harness_of(tmp_path, agent("q1", search(0, "a", ["g"]), search(1, None, ["g"])), agent("q2"))
    assert harness.well_formed.rate == wilson(1, 1)
    assert harness.well_formed.unrecorded == 1


def test_the_same_text_in_another_repeat_is_no_repetition(tmp_path: Path) -> None:
    twice = (search(0, "a", ["g"]), search(1, "b", ["g"]))
    harness = harness_of(tmp_path, agent("q", *twice), agent("q", *twice, repeat=1), agent("other", *twice))
    assert harness.well_formed.repeated == 0


def test_repeats_are_clusters(tmp_path: Path) -> None:
    records = []
    for question in range(30):
        searches = [search(n, f"text {n}", ["g"]) for n in range(question % 3)]
        records += [agent(f"q{question}", *searches, repeat=n) for n in range(4)]
    found = harness_of(tmp_path, *records).searched.rate
    assert found is not None
    assert (found.count, found.n) == (80, 120)
    assert found.n_effective is not None
    assert found.n_effective < 31  # four equal answers say no more than one


def test_counts_agree_with_plain_loops(tmp_path: Path) -> None:
    chance = random.Random(3)
    records, texts, ended = [], [], 0
    for question in range(60):
        sent = [chance.choice(["a", "b", "c", "", None]) for _ in range(chance.randrange(4))]
        answer = chance.choice(["yes", "", None])
        ended += answer == "yes"
        texts.append(sent)
        more = {} if answer is None else {"answer": answer}
        records.append(agent(f"q{question}", *(search(n, text, ["g"]) for n, text in enumerate(sent)), **more))
    harness = harness_of(tmp_path, *records)
    good = sum(bool(text) and text not in sent[:n] for sent in texts for n, text in enumerate(sent))
    assert harness.well_formed.rate is not None
    assert harness.well_formed.rate.count == good
    assert harness.well_formed.recorded == sum(text is not None for sent in texts for text in sent)
    assert harness.well_formed.blank == sum(text == "" for sent in texts for text in sent)
    assert harness.ended.rate is not None
    assert harness.ended.rate.count == ended
    assert harness.searched.rate == wilson(sum(bool(sent) for sent in texts), 60)
    assert {each.searches: each.answers for each in harness.searches} == {
        n: sum(len(sent) == n for sent in texts) for n in {len(sent) for sent in texts}
    }


@pytest.mark.parametrize("text", ["\x1b[31mred\u202e", "'; DROP TABLE runs; --", "<script>alert(1)</script>"])
def test_the_terminal_keeps_the_harness_apart_from_the_fates(tmp_path: Path, text: str) -> None:
    records = [agent("q1", search(0, text, ["g"]), search(1, text, ["g"]), answer=text), agent("q2", answer="b")]
    write_lines(tmp_path / "agent.jsonl", records)
    foundlost("ingest", "agent.jsonl", "--run", "agent", cwd=tmp_path)
    done = foundlost("attribute", "agent", cwd=tmp_path)
    head, _, harness = done.stdout.partition(
        "Searches an answer: 1 made 0, 1 made 2. What follows is about the harness"
    )
    assert "Never found" in head
    assert "1 of 2  1 sent before" in " ".join(harness.split()).replace("1 of 2 1", "1 of 2  1")
    assert "\x1b" not in done.stdout + done.stderr
    assert "not about the system's retrieval" in done.stderr
    found = json.loads(foundlost("attribute", "agent", "--json", cwd=tmp_path).stdout)["harness"]
    assert (found["searched"]["rate"]["count"], found["well_formed"]["repeated"]) == (1, 1)


def test_a_run_without_a_single_search_is_still_reported(tmp_path: Path) -> None:
    head = {"run": {"stages": ["candidates", "packed"]}}
    found = attributed(tmp_path, head, agent("q1", answer="a"), agent("q2"))
    assert found.questions.attributable == 0
    assert found.harness is not None
    assert found.harness.searched.rate == wilson(0, 2)
