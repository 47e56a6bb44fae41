"""What must not change a metric, whatever the metric: a new measure inherits these tests by being in the registry."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from attribution.metrics.evaluate import measure
from attribution.metrics.names import MEASURES, Measure, parse_metric
from tests.attribution.made_runs import made_store, write_lines
from traces.imports import import_questions
from traces.store import TraceStore

Records = list[dict[str, Any]]
Change = Callable[[Records, random.Random], Records]
DEPTH = 5
TOLERANCE = 1e-12


def names_of(kind: Measure) -> list[str]:
    """Return the metrics by which a measure is tested: whole lists, cut off, packed, and with every parameter."""
    cutoffs = ["", f"@{DEPTH}", "@packed"] if kind.cuts else [""]
    values = {"rel": "2", "gain": "exp", "p": ".6", "require": "all"}
    given = f"({', '.join(f'{name}={values[name]}' for name in kind.takes)})" if kind.takes else ""
    return [str(parse_metric(f"{kind.name}{brackets}{cutoff}")) for cutoff in cutoffs for brackets in {"", given}]


NAMES = [name for kind in MEASURES.values() for name in names_of(kind)]
FIXED_DEPTH = [name for name in NAMES if name.endswith(f"@{DEPTH}")]


def some_records(draw: random.Random) -> Records:
    """Return questions with graded gold, some in groups, lists longer than the cutoff, and oddities."""
    documents = [f"d{number}" for number in range(20)]
    records = []
    for number in range(12):
        gold = [
            {"doc_id": doc_id, "grade": draw.choice([0, 1, 2, 3]), "group": draw.choice(["a", "b"])}
            for doc_id in draw.sample(documents, draw.choice([0, 2, 6]))
        ]
        stages = {"candidates": draw.sample(documents, draw.choice([2, 15])), "packed": draw.sample(documents, 4)}
        records.append({"query_id": f"q{number:02d}", "repeat": 0, "stages": stages, "gold": gold})
        if draw.random() < 0.3:
            again = {"candidates": draw.sample(documents, 9), "packed": draw.sample(documents, 3)}
            records.append({"query_id": f"q{number:02d}", "repeat": 1, "stages": again, "gold": gold})
    return records


def values_of(folder: Path, records: Records, names: list[str]) -> dict[tuple[str, str, str], float | str]:
    """Return every value, or why there is none, by metric, stage and question."""
    folder.mkdir(exist_ok=True)
    with made_store(folder, records) as store:
        rows = measure(store, "run", " ".join(names)).per_question().to_pylist()
    return {(r["metric"], r["stage"], r["query_id"]): r["reason"] if r["value"] is None else r["value"] for r in rows}


def assert_same(one: Mapping[Any, float | str], other: Mapping[Any, float | str]) -> None:
    assert one.keys() == other.keys()
    for key, value in one.items():
        assert other[key] == (value if isinstance(value, str) else pytest.approx(value, rel=TOLERANCE, abs=0)), key


def each_item(records: Records, change: Callable[[str], str]) -> Records:
    copied: Records = json.loads(json.dumps(records))
    for record in copied:
        record["stages"] = {stage: [change(name) for name in listed] for stage, listed in record["stages"].items()}
        for judged in record["gold"]:
            judged["doc_id"] = change(judged["doc_id"])
    return copied


def shuffled(records: Records, draw: random.Random) -> Records:
    copied: Records = json.loads(json.dumps(records))
    for record in copied:
        draw.shuffle(record["gold"])
    draw.shuffle(copied)
    return copied


def other_documents(records: Records, draw: random.Random) -> Records:
    names = [f"d{number}" for number in range(20)]
    renamed = dict(zip(names, draw.sample([f"'{n}\u00e9" for n in range(99)], 20), strict=True))
    return each_item(records, renamed.__getitem__)


def other_groups(records: Records, draw: random.Random) -> Records:
    copied: Records = json.loads(json.dumps(records))
    for record in copied:
        for judged in record["gold"]:
            judged["group"] = {"a": "z", "b": "k"}[judged["group"]]
    return copied


SAME: dict[str, Change] = {
    "the order of records and judgments": shuffled,
    "the names of documents": other_documents,
    "the names of groups": other_groups,
}


@pytest.mark.parametrize("change", SAME, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_it_does_not_depend_on(change: str, seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    records = some_records(draw)
    assert_same(
        values_of(tmp_path / "one", records, NAMES), values_of(tmp_path / "two", SAME[change](records, draw), NAMES)
    )


@pytest.mark.parametrize("seed", range(3))
def test_it_does_not_depend_on_what_comes_after_the_cutoff(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    records = some_records(draw)
    longer: Records = json.loads(json.dumps(records))
    for record in longer:
        for stage, listed in record["stages"].items():
            tail = listed[DEPTH:]
            draw.shuffle(tail)
            new = [f"new{number}" for number in range(5)] if len(listed) >= DEPTH else []
            record["stages"][stage] = listed[:DEPTH] + new + tail
    assert_same(values_of(tmp_path / "one", records, FIXED_DEPTH), values_of(tmp_path / "two", longer, FIXED_DEPTH))


@pytest.mark.parametrize("seed", range(3))
def test_the_names_of_questions_only_name_them(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    records = some_records(draw)
    renamed: Records = json.loads(json.dumps(records))
    for record in renamed:
        record["query_id"] = f"{99 - int(record['query_id'][1:])}?"
    one, two = values_of(tmp_path / "one", records, NAMES), values_of(tmp_path / "two", renamed, NAMES)
    assert_same({(m, s, f"{99 - int(q[1:])}?"): value for (m, s, q), value in one.items()}, two)


def means_weighted(store: TraceStore, folder: Path, weights: Mapping[str, float]) -> dict[tuple[str, str], Any]:
    path = write_lines(folder / "questions.jsonl", [{"query_id": q, "weight": w} for q, w in weights.items()])
    import_questions(store, path)
    values = measure(store, "run", " ".join(NAMES))
    assert values.weighted
    return {
        (str(asked.metric), asked.stage.name): summary.mean
        for asked, summary in zip(values.asked, values.summaries(), strict=True)
    }


def test_the_scale_of_weights_means_nothing_but_the_weights_do(tmp_path: Path) -> None:
    draw = random.Random(5)
    with made_store(tmp_path, some_records(draw)) as store:
        weights = {f"q{number:02d}": draw.choice([1.0, 2.0, 5.0]) for number in range(12)}
        one = means_weighted(store, tmp_path, weights)
        scaled = means_weighted(store, tmp_path, {query: 1000 * weight for query, weight in weights.items()})
        other = means_weighted(store, tmp_path, {query: 7 - weight for query, weight in weights.items()})
    changed = 0
    for key, mean in one.items():
        parts = [pytest.approx(part, rel=1e-9, abs=1e-12) for part in (mean.estimate, mean.lower, mean.upper)]
        assert [scaled[key].estimate, scaled[key].lower, scaled[key].upper] == parts, key
        changed += other[key].estimate != mean.estimate
    assert changed > len(one) / 2


@pytest.mark.parametrize("kind", MEASURES.values(), ids=lambda kind: kind.name)
def test_every_measure_is_tested_and_not_constant(kind: Measure, tmp_path: Path) -> None:
    names = names_of(kind)
    assert set(names) <= set(NAMES)
    found = values_of(tmp_path, some_records(random.Random(1)), names)
    numbers = [value for value in found.values() if isinstance(value, float)]
    assert len(set(numbers)) > 1
    assert all(value >= 0 for value in numbers)
    assert not kind.bounded or max(numbers) <= 1
    assert not kind.binary or all(value in (0, 0.5, 1) for value in numbers)
