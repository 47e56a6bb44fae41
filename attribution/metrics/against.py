"""Two runs on the same questions and judgments: what a metric changed by, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attribution.metrics.conventions import PACKAGES, MetricChoices, Settled
from attribution.metrics.evaluate import measure
from attribution.metrics.names import Metric, parse_metric
from attribution.metrics.values import Summary
from attribution.results import MetricChange, MetricComparison, Unjudged, Warn
from attribution.statistics.differences import newcombe_paired
from attribution.statistics.interval import Interval
from attribution.statistics.paired_means import paired_mean, paired_tests
from traces.errors import UsageError
from traces.steps import compose
from traces.store import TraceStore

Floats = NDArray[np.float64]
Key = tuple[str, str]  # metric, stage
_KEPT = frozenset(f"metric_{what}_{when}" for what in ("values", "judged") for when in ("before", "after"))


@dataclass(frozen=True, slots=True)
class _Side:
    """One run, its conventions, and the summary of every metric; the values themselves stay in the store."""

    run: str
    settled: Settled
    weighted: bool
    summaries: dict[Key, Summary]


def compare_metrics(
    store: TraceStore,
    before: str,
    after: str,
    metrics: str | Sequence[Metric],
    choices: MetricChoices | None = None,
    *,
    stages: Sequence[str] | None = None,
) -> MetricComparison:
    """Compare the metrics of two runs, question by question.

    Args:
        store: an open store; reading is enough.
        before: the run to compare with.
        after: the run that is compared.
        metrics: as in `evaluate`.
        choices: conventions, the same for both runs.
        stages: the stages to measure, which both runs must have; None for all.

    Returns:
        For every metric and stage the mean difference over the questions that both runs asked and that have a value
        in both, with its interval and p-value.

    Raises:
        UsageError: as `evaluate`; or the runs' judgments, requirements or stages differ.
    """
    sides = []
    for name, run in (("before", before), ("after", after)):
        values = measure(store, run, metrics, choices, stages=stages)
        keys = [(str(asked.metric), asked.stage.name) for asked in values.asked]
        sides.append(_Side(run, values.settled, values.weighted, dict(zip(keys, values.summaries(), strict=True))))
        values.keep("metric_scored", f"metric_values_{name}")
        values.keep("metric_judged", f"metric_judged_{name}")
    one, two = sides
    _check_comparable(store, one, two)
    changes = [_change(store, key, one, two) for key in two.summaries]
    return MetricComparison(before=before, after=after, changes=changes, warnings=list(_pool_bias(changes)))


def _check_comparable(store: TraceStore, before: _Side, after: _Side) -> None:
    """Refuse to compare what was not measured alike, and say what differs."""
    one, two = before.settled, after.settled
    differing = store.step(
        PACKAGES,
        "metric_judgment_differences",
        {"before": before.run, "after": after.run},
        given=_KEPT,
    )[0]["questions"]
    clause = None
    if (one.labels.name, one.labels.version) != (two.labels.name, two.labels.version):
        clause = f"labels differ: {one.labels.name} v{one.labels.version} and {two.labels.name} v{two.labels.version}"
    elif differing:
        clause = f"the judgments of {differing} shared questions differ"
    elif one.require != two.require:
        clause = f"what gold is needed differs: {one.require} and {two.require}"
    elif before.summaries.keys() != after.summaries.keys():
        apart = sorted({stage for _, stage in before.summaries.keys() ^ after.summaries.keys()})
        clause = f"only one of the runs has {', '.join(apart)}"
    if clause is not None:
        raise UsageError(
            "not-comparable",
            f"{clause}, so a difference between the runs may be no difference of the runs",
            where=f"runs {before.run} and {after.run}",
            hint="name one label set for both with --labels, and shared stages with --stages",
        )


def _change(store: TraceStore, key: Key, before: _Side, after: _Side) -> MetricChange:
    query = compose(PACKAGES, "metric_paired", given=_KEPT)
    pairs = store.connection.execute(query.sql, {"metric": key[0], "stage": key[1]}).fetchnumpy()
    new, old = np.asarray(pairs["new"], dtype=np.float64), np.asarray(pairs["old"], dtype=np.float64)
    differences = new - old
    weight = np.asarray(pairs["weight"], dtype=np.float64) if after.weighted and before.weighted else None
    tests = paired_tests(differences, weight=weight)
    level = after.settled.choices.level
    met_or_not = parse_metric(key[0]).kind.binary and weight is None and set(np.unique([old, new])) <= {0.0, 1.0}
    return MetricChange(
        metric=key[0],
        stage=key[1],
        difference=_newcombe(new, old, level) if met_or_not else paired_mean(differences, weight=weight, level=level),
        p_sign_flip=tests.p_flip,
        p_t=tests.p_t,
        better=int((differences > 0).sum()),
        worse=int((differences < 0).sum()),
        unpaired=before.summaries[key].eligible + after.summaries[key].eligible - 2 * len(new),
        unjudged_before=_unjudged(before.summaries[key]),
        unjudged_after=_unjudged(after.summaries[key]),
    )


def _newcombe(new: Floats, old: Floats, level: float) -> Interval:
    cells = [int(((new == met) & (old == met_before)).sum()) for met in (1, 0) for met_before in (1, 0)]
    return newcombe_paired(*cells, level=level)


def _unjudged(summary: Summary) -> Unjudged:
    return Unjudged(documents=summary.width - summary.seen, places=summary.width)


def _pool_bias(changes: Sequence[MetricChange]) -> Iterator[Warn]:
    """Warn, once a stage, where the newer run's lists hold more documents that nobody judged."""
    worst: dict[str, MetricChange] = {}
    for change in changes:
        rise = change.unjudged_after.documents - change.unjudged_before.documents
        known = worst.get(change.stage)
        if rise > 0 and (known is None or rise > known.unjudged_after.documents - known.unjudged_before.documents):
            worst[change.stage] = change
    for stage, change in worst.items():
        old, new = change.unjudged_before, change.unjudged_after
        yield Warn(
            code="pool_bias",
            message=(
                f"at {stage}, {change.metric} looks at {new.documents} of {new.places} places that nobody judged, "
                f"before at {old.documents} of {old.places}: what is new may be relevant and counts as if it were not"
            ),
        )
