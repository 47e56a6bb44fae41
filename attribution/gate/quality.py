"""Rules about retrieval metrics: the mean of one run, or how far it dropped from the baseline on the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from attribution.choices import Choices
from attribution.fates import run_stages
from attribution.gate.drops import unspread
from attribution.gate.reading import Estimate, Why
from attribution.gate.rules import BoundRule
from attribution.metrics.against import compare_metrics
from attribution.metrics.conventions import MetricChoices
from attribution.metrics.evaluate import evaluate
from attribution.metrics.names import PACKED, Metric
from attribution.results import MetricComparison, Metrics, Warn
from attribution.statistics.interval import Interval
from traces.errors import UsageError, near
from traces.store import TraceStore

Found = dict[str, Estimate | Why]


def metric_estimates(
    store: TraceStore, run_id: str, baseline: str | None, rules: Sequence[BoundRule], choices: Choices
) -> tuple[Found, list[Warn]]:
    """Return, by rule, what a metric came to or by how much it dropped; or why there is nothing to measure.

    Raises:
        UsageError: as `evaluate` and `compare_metrics`.
    """
    found: Found = {}
    warnings: list[Warn] = []
    conventions = MetricChoices(
        labels=choices.labels,
        min_grade=choices.min_grade,
        require=choices.require,
        truncated=choices.truncated,
        level=choices.level,
    )
    last = run_stages(store, run_id)[-1].name
    for drop in (False, True):
        asked = [rule for rule in rules if rule.drop == drop]
        if not asked:
            continue
        metrics = [_metric(rule) for rule in asked]
        stages = sorted({_stage(rule, run_id, last) for rule in asked})
        try:
            told: Metrics | MetricComparison
            if drop:
                told = compare_metrics(store, baseline or "", run_id, metrics, conventions, stages=stages)
                values = {(each.metric, each.stage): each.difference for each in told.changes}
            else:
                told = evaluate(store, run_id, metrics, conventions, stages=stages)
                values = {(each.metric, each.stage): each.mean for each in told.metrics}
        except UsageError as fault:
            if fault.slug != "no-judgments":
                raise
            found |= {str(rule): Why.no_labels for rule in asked}
            continue
        warnings += told.warnings
        for rule in asked:
            metric = _metric(rule).with_threshold(choices.min_grade)
            interval = values[str(metric), _stage(rule, run_id, last)]
            found[str(rule)] = _dropped(interval) if drop else _estimate(interval)
    return found, warnings


def _metric(rule: BoundRule) -> Metric:
    if rule.quantity.metric is None:
        msg = f"{rule} is about no metric"
        raise ValueError(msg)
    return rule.quantity.metric


def _stage(rule: BoundRule, run_id: str, last: str) -> str:
    """Return the stage a rule is about; the packed slice is that of the last stage."""
    stage = rule.quantity.stage or last
    if _metric(rule).cutoff == PACKED and stage != last:
        told = f"@packed is what the last stage hands on, not {stage!r}"
        raise UsageError("unknown-stage", told, where=f"run {run_id}", hint=near(last, [last]))
    return stage


def _dropped(change: Interval) -> Estimate | Why:
    """Turn after less before round: a drop is before less after."""
    if change.estimate is None or change.lower is None or change.upper is None:
        return Why.no_shared if not change.n else Why.few
    return _estimate(unspread(replace(change, estimate=-change.estimate, lower=-change.upper, upper=-change.lower)))


def _estimate(interval: Interval) -> Estimate:
    return Estimate(interval=interval, at=lambda _: interval, questions=interval.n)
