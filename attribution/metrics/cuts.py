"""What is asked of the SQL steps, as two small tables: the cuts (which sums, at which stage, how deep) and the metrics.

Metrics that look at the same places in the same way share a cut: P@10, F1@10, RR@10 and nDCG@10 of a stage are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from attribution.fates import Stage
from attribution.metrics.names import PACKED, Demand, Metric
from traces.store import TraceStore

_CODES = {"judged": "JUDGED"}  # a word of small letters in a step may be the name of another
_CUTS = """CREATE OR REPLACE TEMP TABLE metric_cuts (
    cut INTEGER, position INTEGER, depth INTEGER, ideal_depth INTEGER, to_length INTEGER, rel DOUBLE, gain VARCHAR,
    least DOUBLE, persistence DOUBLE, demand VARCHAR, ideal INTEGER, wants_order INTEGER, wants_top INTEGER)"""
_ASKED = """CREATE OR REPLACE TEMP TABLE metric_asked (
    metric INTEGER, name VARCHAR, stage VARCHAR, measure VARCHAR, rests_on VARCHAR, cut INTEGER)"""


@dataclass(frozen=True, slots=True)
class Asked:
    """One metric at one stage."""

    metric: Metric
    stage: Stage


@dataclass(frozen=True, slots=True)
class _Cut:
    position: int
    depth: int | None
    ideal_depth: int | None
    to_length: bool
    rel: float
    gain: str
    least: float
    persistence: float | None
    demand: Demand | None

    @property
    def ideal(self) -> _Cut:
        """The cut with only what its ideal depends on, which the stage is not."""
        return replace(self, position=0, depth=None, rel=0.0, persistence=None, demand=None)


def at_stages(metrics: Sequence[Metric], stages: Sequence[Stage], last: Stage) -> list[Asked]:
    """Return every metric at every stage, and those of the packed slice at the last stage only."""
    return [Asked(metric, stage) for metric in metrics for stage in ([last] if metric.cutoff == PACKED else stages)]


def hand_over(
    store: TraceStore, asked: Sequence[Asked], *, min_grade: float, require: Demand, by_tokens: bool = False
) -> None:
    """Put what is asked into temporary tables for the steps.

    Args:
        store: an open store.
        asked: the metrics, each at its stage.
        min_grade: threshold of a metric that names none.
        require: requirement of a metric that names none.
        by_tokens: whether cutoffs count tokens. The ideal is then the best order of all judgments, without a cutoff.
    """
    cuts: dict[_Cut, set[str]] = {}
    cut_of = [_cut_of(each, min_grade, require, by_tokens=by_tokens) for each in asked]
    for each, cut in zip(asked, cut_of, strict=True):
        cuts.setdefault(cut, set()).add(each.metric.measure)
    number = {cut: place for place, cut in enumerate(cuts)}
    ideals: dict[_Cut, int] = {}
    for cut, measures in cuts.items():
        if "nDCG" in measures:
            ideals.setdefault(cut.ideal, len(ideals))
    cut_rows = [
        (
            *(number[cut], cut.position, cut.depth, cut.ideal_depth, int(cut.to_length), cut.rel, cut.gain),
            *(cut.least, cut.persistence, cut.demand, ideals.get(cut.ideal) if "nDCG" in measures else None),
            *(int("AP" in measures), int("Rprec" in measures)),
        )
        for cut, measures in cuts.items()
    ]
    asked_rows = [
        (
            *(place, str(each.metric), each.stage.name, _CODES.get(each.metric.measure, each.metric.measure)),
            *(each.metric.kind.rests_on.upper(), number[cut]),
        )
        for place, (each, cut) in enumerate(zip(asked, cut_of, strict=True))
    ]
    store.connection.execute(_CUTS)
    store.connection.executemany("INSERT INTO metric_cuts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", cut_rows)
    store.connection.execute(_ASKED)
    store.connection.executemany("INSERT INTO metric_asked VALUES (?, ?, ?, ?, ?, ?)", asked_rows)


def _cut_of(asked: Asked, min_grade: float, require: Demand, *, by_tokens: bool) -> _Cut:
    metric = asked.metric
    by_gain = "gain" in metric.kind.takes
    return _Cut(
        position=asked.stage.position,
        depth=metric.depth,
        ideal_depth=None if by_tokens else metric.depth,
        to_length=metric.cutoff == PACKED,
        rel=min_grade if by_gain or metric.rel is None else metric.rel,
        gain=metric.gain,
        least=(metric.rel or 0.0) if by_gain else 0.0,
        persistence=metric.p,
        demand=(metric.require or require) if "require" in metric.kind.takes else None,
    )
