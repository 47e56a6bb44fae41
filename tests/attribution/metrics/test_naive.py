"""The SQL gives what plain loops give, for random runs with every oddity and under every convention."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from attribution.metrics.conventions import MetricChoices, settle_metrics
from attribution.metrics.evaluate import measure
from attribution.metrics.names import parse_metrics
from tests.attribution.metrics import naive_metrics as naive
from tests.attribution.metrics.naive_metrics import Answer, Place, Question, Setting
from traces.imports.labels import import_labels
from traces.ingest import ingest_run
from traces.store import TraceStore

STAGES = ("candidates", "packed")
GROUPS: list[list[str | None]] = [[None], [None], ["a"], ["b"], ["a", "b"]]
NAMES = (
    "P@3 P@10 P P@packed R@3 R(rel=2)@10 R@packed F1@3 F1(rel=2) Success@2 RR RR@3 RR(rel=2)@10 AP AP@3 "
    "AP(rel=2)@packed Rprec Rprec(rel=2) RBP@5 RBP(rel=2, p=.35) CG@3 DCG@3 DCG(gain=exp) DCG(rel=2)@3 nDCG@3 nDCG "
    "nDCG@packed nDCG(gain=exp)@3 nDCG(gain=exp, rel=2)@10 nDCG(rel=2)@packed Coverage Coverage@3 Coverage@packed "
    "Coverage(require=all)@4 Coverage(require=any, rel=2) Groups@3 Groups(require=groups) judged judged@3 judged@packed"
)


def random_questions(draw: random.Random) -> list[Question]:
    return [random_question(draw) for _ in range(draw.randint(2, 9))]


def random_question(draw: random.Random) -> Question:
    documents = [f"d{number}" for number in range(14)]
    judged = [
        (doc_id, float(draw.choice([-1, 0, 0.5, 1, 1, 2, 3])), group)
        for doc_id in sorted(draw.sample(documents, draw.choice([0, 1, 3, 8])))
        for group in draw.choice(GROUPS)
    ]
    repeats = draw.choice([0, 1, 1, 2, 3])
    answers = [random_answer(draw, documents) for _ in range(repeats if judged else max(repeats, 1))]
    return Question(judged, answers, answerable=draw.choice([None, None, None, False]) if answers else None)


def random_answer(draw: random.Random, documents: list[str]) -> Answer:
    def listed(longest: int) -> list[Place]:
        return [
            Place(draw.choice(documents), whole=draw.random() < 0.8) for _ in range(draw.choice([0, 1, 2, longest]))
        ]

    def stage(longest: int) -> list[list[Place]] | None:
        if draw.random() < 0.07:
            return None
        return [listed(longest) for _ in range(draw.choice([1, 1, 3]))]

    return Answer([stage(12), stage(4)], incomplete=draw.random() < 0.05)


def record(number: int, repeat: int, question: Question, answer: Answer) -> dict[str, Any]:
    stages = [
        {
            "stage": STAGES[position],
            "search": search,
            "complete": not answer.incomplete,
            "items": [{"doc_id": p.doc_id, "tokens": 10, "kept_tokens": 10 if p.whole else 5} for p in listed],
        }
        for position, lists in enumerate(answer.stages)
        for search, listed in enumerate(lists or ())
    ]
    known = {} if question.answerable is None else {"answerable": question.answerable}
    return {"query_id": f"q{number}", "repeat": repeat, "stages": stages, "passed": None} | known


def load(store: TraceStore, folder: Path, questions: list[Question], cutoffs: dict[int, int]) -> None:
    header = {
        "run": {"run_id": "run", "stages": list(STAGES), "cutoffs": {STAGES[p - 1]: k for p, k in cutoffs.items()}}
    }
    records = [
        record(number, repeat, question, answer)
        for number, question in enumerate(questions)
        for repeat, answer in enumerate(question.answers)
    ]
    labels = [
        {"query_id": f"q{number}", "doc_id": doc_id, "grade": grade} | ({"group": group} if group else {})
        for number, question in enumerate(questions)
        for doc_id, grade, group in question.judged
    ]
    for name, rows in (("run.jsonl", [header, *records]), ("labels.jsonl", labels)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    ingest_run(store, [folder / "run.jsonl"], run_id="run")
    import_labels(store, folder / "labels.jsonl", name="made")


def random_choices(draw: random.Random) -> MetricChoices:
    return MetricChoices(
        labels="made",
        require=draw.choice([None, "any", "groups", "all"]),
        truncated=draw.choice(["lost", "kept"]),
        unit=draw.choice(["document", "document", "group"]),
        short_lists=draw.choice(["fixed", "returned"]),
        no_gold=draw.choice(["excluded", "zero"]),
        zero_ideal=draw.choice(["excluded", "zero"]),
        missing=draw.choice(["zero", "excluded"]),
        unjudged=draw.choice(["no_gain", "no_gain", "condensed"]),
        lists=draw.choice(["handed_on", "recorded"]),
    )


@pytest.mark.parametrize("seed", range(60))
def test_every_metric_is_what_plain_loops_make_of_it(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    questions = random_questions(draw)
    questions.append(Question([("d1", 3.0, None)], [Answer([[[Place("d1")]], [[Place("d1")]]])]))
    cutoffs = draw.choice([{}, {1: 5}, {1: 5, 2: 2}])
    choices = random_choices(draw)
    with TraceStore.in_memory() as store:
        load(store, tmp_path, questions, cutoffs)
        setting = Setting(choices, settle_metrics(store, "run", choices).require, cutoffs)
        rows = measure(store, "run", NAMES, choices).per_question().to_pylist()
    compared = 0
    for metric in parse_metrics(NAMES):
        for row in (row for row in rows if row["metric"] == str(metric)):
            question = questions[int(row["query_id"].removeprefix("q"))]
            expected = naive.value(metric, question, STAGES.index(row["stage"]) + 1, setting)
            found = row["reason"] if row["value"] is None else row["value"]
            assert found == (expected if isinstance(expected, str) else pytest.approx(expected, rel=1e-12, abs=0)), (
                str(metric),
                row,
                question,
            )
            compared += 1
    asked = sum(1 if metric.cutoff == "packed" else len(STAGES) for metric in parse_metrics(NAMES))
    assert compared == asked * len({row["query_id"] for row in rows})
