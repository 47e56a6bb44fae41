"""Bounds over unjudged documents contain whatever their judgment would give, and are reached by some."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest

from attribution.metrics.conventions import MetricChoices
from attribution.metrics.evaluate import evaluate
from attribution.results import MetricBounds
from tests.attribution.made_runs import made_store
from tests.attribution.metrics.scored_runs import per_question
from traces.errors import UsageError

Judged = dict[str, int]


def records(ranked: list[list[str]], judged: list[Judged]) -> list[dict[str, Any]]:
    return [
        {
            "query_id": f"q{n}",
            "stages": {"candidates": listed},
            "gold": [{"doc_id": doc_id, "grade": grade} for doc_id, grade in grades.items()],
        }
        for n, (listed, grades) in enumerate(zip(ranked, judged, strict=True))
    ]


def bounds_of(
    folder: Path, made: list[dict[str, Any]], metrics: str, index_size: int | None
) -> dict[str, MetricBounds | None]:
    header = [{"run": {"run_id": "run"} | ({"index_size": index_size} if index_size else {})}]
    with made_store(folder, [*header, *made]) as store:
        return {each.metric: each.bounds for each in evaluate(store, "run", metrics, with_bounds=True).metrics}


@pytest.mark.parametrize("seed", range(8))
def test_no_judgment_of_the_unjudged_leads_out_of_the_bounds(seed: int, tmp_path: Path) -> None:
    """Everything that can be retrieved is judged in every way there is, so the bounds of one question are reached."""
    draw = random.Random(seed)
    documents = ["a", "b", "c", "d", "e"]
    ranked = draw.sample(documents, draw.choice([2, 4]))
    judged = {doc_id: draw.choice([0, 1, 2]) for doc_id in draw.sample(documents, 2)}
    judged[draw.choice(sorted(judged))] = 2
    asked = "R@3 R nDCG@2 nDCG@packed nDCG(gain=exp)@3 nDCG(rel=2)@3"
    found = bounds_of(tmp_path, records([ranked], [judged]), asked, index_size=len(documents))
    unjudged = [name for name in documents if name not in judged]
    ways = list(itertools.product(sorted({0, *judged.values()}), repeat=len(unjudged)))
    completed = [judged | dict(zip(unjudged, grades, strict=True)) for grades in ways]
    reached: dict[str, set[float]] = {name: set() for name in found}
    with made_store(tmp_path, records([ranked] * len(ways), completed)) as store:
        for name, values in per_question(store, asked).items():
            reached[name] = {value for value in values.values() if value is not None}
    for name, limits in found.items():
        assert limits is not None
        assert not limits.unbounded
        assert (limits.lower, limits.upper) == pytest.approx((min(reached[name]), max(reached[name])), abs=1e-9), name


def test_an_unknown_index_leaves_recall_no_lower_bound(tmp_path: Path) -> None:
    made = records([["a", "x", "y"]], [{"a": 1, "b": 1}])
    found = bounds_of(tmp_path, made, "R@3 P@3 RR nDCG nDCG@3", index_size=None)
    assert found["R@3"] == MetricBounds(lower=0.0, upper=3 / 4, unbounded=True)
    assert found["P@3"] is found["RR"] is found["nDCG"] is None
    assert found["nDCG@3"] is not None


def test_bounds_of_the_mean_average_those_of_the_questions(tmp_path: Path) -> None:
    made = records([["a", "x"], ["x", "y"]], [{"a": 1}, {"b": 1}])
    again: dict[str, Any] = json.loads(json.dumps(made[0]))
    again |= {"repeat": 1, "stages": {"candidates": ["x"]}}
    found = bounds_of(tmp_path, [*made, again], "R", index_size=None)
    upper_of_first = (2 / 2 + 1 / 2) / 2  # both places could be relevant; in the repeat one of two
    assert found["R"] is not None
    assert (found["R"].lower, found["R"].unbounded) == (0.0, True)
    assert found["R"].upper == pytest.approx((upper_of_first + 2 / 3) / 2)


def test_all_judged_leaves_nothing_open(tmp_path: Path) -> None:
    found = bounds_of(tmp_path, records([["b", "a"]], [{"a": 2, "b": 1}]), "R nDCG@2", index_size=2)
    for limits in found.values():
        assert limits is not None
        assert limits.lower == pytest.approx(limits.upper)


@pytest.mark.parametrize("choices", [MetricChoices(unit="group"), MetricChoices(unjudged="condensed")], ids=str)
def test_there_are_no_bounds_for_what_is_not_a_document_in_its_place(choices: MetricChoices, tmp_path: Path) -> None:
    with made_store(tmp_path, records([["a"]], [{"a": 1}])) as store, pytest.raises(UsageError, match="no-bounds"):
        evaluate(store, "run", "R", choices, with_bounds=True)
