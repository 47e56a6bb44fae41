"""What unjudged documents could make of recall and nDCG: the mean if all were the worst they can be, and the best.

Each answer is bounded by itself, so no single truth need reach all the bounds at once; the bounds of the mean hold all
the same. They need the grades place by place, in Python: on request only.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from attribution.metrics.asked import Asked
from attribution.metrics.names import Metric
from attribution.metrics.values import MetricValues
from attribution.results import MetricBounds
from attribution.statistics.gains import Gain, ndcg_bounds
from attribution.statistics.unjudged import Possible, recall_bounds

Grades = Mapping[int, Sequence[float]]  # question -> the grades of all its judgments
Places = Mapping[int, Mapping[int, float]]  # answer -> place -> grade


def bounds(values: MetricValues, index_size: int | None) -> list[MetricBounds | None]:
    """Return the bounds of every metric asked for, None where it has none.

    Recall has bounds, and nDCG with a cutoff: without one its ideal grows with every document that might be relevant.

    Args:
        values: the metrics of one run, by documents, unjudged ones taking their places.
        index_size: documents that can be retrieved at all; None where nobody knows, which leaves the lower bound of
            recall at 0.
    """
    grades: Grades = _grouped(values.rows("metric_bound_grades"), "question", "grade")
    found: list[MetricBounds | None] = []
    places: dict[int, Places] = {}
    for number, asked in enumerate(values.asked):
        if not _has_bounds(asked.metric):
            found.append(None)
            continue
        position = asked.stage.position
        if asked.metric.measure == "nDCG" and position not in places:
            places[position] = _by_place(values.rows("metric_bound_places", position=position))
        lists = values.bound_lists(number)
        possible = [_of_answer(asked, row, grades, places.get(position, {}), index_size) for row in lists]
        found.append(_mean(lists, possible) if lists else None)
    return found


def _of_answer(
    asked: Asked, row: Mapping[str, Any], grades: Grades, places: Places, index_size: int | None
) -> Possible:
    unjudged = int(row["width"] - row["seen"])
    elsewhere = None if index_size is None else max(0, index_size - int(row["known"]) - unjudged)
    if asked.metric.measure == "R":
        return recall_bounds(int(row["hit_count"]), int(row["relevant"]), unjudged, elsewhere)
    known = _earning(asked.metric, grades[row["question"]])
    here = places.get(row["answer"], {})
    width = int(row["width"])
    listed = [None if place not in here else _earning(asked.metric, [here[place]])[0] for place in range(1, width + 1)]
    rest = list(known)
    for grade in listed:
        if grade:
            rest.remove(grade)
    return ndcg_bounds(
        listed,
        elsewhere=rest,
        unjudged_elsewhere=elsewhere,
        scale=sorted({0.0, *(grade for each in grades.values() for grade in _earning(asked.metric, each))}),
        k=row["depth"] or max(width, 1),
        gain=Gain.exponential if asked.metric.gain == "exp" else Gain.linear,
    )


def _has_bounds(metric: Metric) -> bool:
    return metric.measure == "R" or (metric.measure == "nDCG" and metric.cutoff is not None)


def _earning(metric: Metric, grades: Sequence[float]) -> list[float]:
    """Return grades with those that earn nothing as 0."""
    least = metric.rel or 0.0
    return [grade if grade > 0 and grade >= least else 0.0 for grade in grades]


def _mean(lists: Sequence[Mapping[str, Any]], possible: Sequence[Possible]) -> MetricBounds:
    """Average over the answers of a question, then over questions by weight."""
    sums: dict[int, list[tuple[float, float]]] = defaultdict(list)
    weights = {}
    for row, each in zip(lists, possible, strict=True):
        sums[row["question"]].append((each.lower or 0.0, 1.0 if each.upper is None else each.upper))
        weights[row["question"]] = float(row["weight"])
    total = math.fsum(weights.values())
    lower, upper = (
        math.fsum(
            weights[question] * math.fsum(pair[side] for pair in pairs) / len(pairs) for question, pairs in sums.items()
        )
        / total
        for side in (0, 1)
    )
    return MetricBounds(lower=lower, upper=upper, unbounded=any(each.unbounded for each in possible))


def _grouped(rows: Sequence[Mapping[str, Any]], key: str, value: str) -> dict[int, list[float]]:
    found: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        found[row[key]].append(row[value])
    return found


def _by_place(rows: Sequence[Mapping[str, Any]]) -> dict[int, dict[int, float]]:
    found: dict[int, dict[int, float]] = defaultdict(dict)
    for row in rows:
        found[row["answer"]][row["place"]] = row["grade"]
    return found
