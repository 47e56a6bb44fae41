"""Curves: what coverage, recall and nDCG would be at every depth of a stage's list, or at every token budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from attribution.fates import Stage, run_stages
from attribution.metrics.asked import Asked
from attribution.metrics.conventions import PACKAGES, MetricChoices, Settled, settle_metrics
from attribution.metrics.evaluate import chosen_stages, conventions_of
from attribution.metrics.names import Metric
from attribution.metrics.tokens import stages_with_tokens, tokens_used
from attribution.metrics.values import MetricValues
from attribution.results import CurvePoint, MetricCurve, OperatingPoint, Warn
from traces.errors import UsageError
from traces.runs import require_run
from traces.store import TraceStore

MEASURES = ("Coverage", "R", "nDCG")
STEPS = 16  # of a token curve, about
_MANTISSAS = (1, 2, 3, 4, 5, 6, 8)


def curve(
    store: TraceStore,
    run_id: str,
    choices: MetricChoices | None = None,
    *,
    by: Literal["depth", "tokens"] = "depth",
    stages: Sequence[str] | None = None,
) -> MetricCurve:
    """Compute coverage, recall and nDCG of every stage against depth or token budget.

    Lists are read as far as they were recorded, so that a curve goes on beyond where a stage cuts off. By tokens a list
    is walked in its order, every document taking the tokens it was given; nDCG is then held against the best order of
    all known judgments, without a cutoff.

    Args:
        store: an open store; reading is enough.
        run_id: the run.
        choices: conventions; None for the defaults.
        by: ``depth`` in places, or ``tokens``.
        stages: the stages to draw; None for all that can be.

    Returns:
        The points, and how much of its list each stage hands on.

    Raises:
        UsageError: as `evaluate`; or no stage has tokens.
    """
    require_run(store, run_id)
    handed_on = settle_metrics(store, run_id, choices or MetricChoices())
    recorded = replace(handed_on, choices=replace(handed_on.choices, lists="recorded"))
    drawn = chosen_stages(run_stages(store, run_id), stages, run_id)
    operating, longest = (
        _tokens(store, run_id, drawn) if by == "tokens" else _places(store, run_id, drawn, handed_on, recorded)
    )
    asked = [
        Asked(Metric(measure, cutoff=at), stage)
        for stage in drawn
        if stage.name in longest
        for measure in MEASURES
        for at in (budgets if by == "tokens" else depths)(longest[stage.name], operating[stage.name].cutoff)
    ]
    values = MetricValues(store, run_id, recorded, asked, by_tokens=by == "tokens")
    points = [
        CurvePoint(metric=each.metric.measure, stage=each.stage.name, at=each.metric.depth or 0, mean=summary.mean)
        for each, summary in zip(asked, values.summaries(), strict=True)
    ]
    return MetricCurve(
        run=run_id,
        by=by,
        labels=recorded.labels,
        conventions=conventions_of(recorded, weighted=values.weighted),
        points=points,
        operating=list(operating.values()),
        warnings=_without_tokens([stage.name for stage in drawn if stage.name not in longest]),
    )


def depths(longest: int, cutoff: int | None = None) -> list[int]:
    """Return the depths at which a curve is computed: seven a power of ten, the cutoff, and the longest list.

    >>> depths(24, 7)
    [1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 24]
    """
    grid = {m * 10**power for power in range(len(str(longest))) for m in _MANTISSAS if m * 10**power < longest}
    return sorted(grid | {max(longest, 1)} | ({cutoff} if cutoff is not None and cutoff <= longest else set()))


def budgets(longest: int, _cutoff: int | None = None) -> list[int]:
    """Return the token budgets at which a curve is computed: round numbers, evenly apart, up to the longest list.

    >>> budgets(3100)
    [200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800, 3000, 3100]
    """
    power = 10 ** max(0, len(str(longest // STEPS)) - 1)
    step = next(m * power for m in (1, 2, 5, 10) if m * power * STEPS >= longest)
    return [*range(step, longest, step), max(longest, 1)]


def _places(
    store: TraceStore, run_id: str, drawn: Sequence[Stage], handed_on: Settled, recorded: Settled
) -> tuple[dict[str, OperatingPoint], dict[str, int]]:
    """Return where each stage operates, and how long its longest recorded list is."""
    used, whole = (_list_places(store, run_id, settled) for settled in (handed_on, recorded))
    operating = {
        stage.name: OperatingPoint(
            stage=stage.name,
            cutoff=stage.cutoff,
            shortest=used[stage.position]["shortest"],
            average=float(used[stage.position]["total"]) / used[stage.position]["lists"],
            longest=used[stage.position]["longest"],
        )
        for stage in drawn
        if stage.position in used
    }
    return operating, {stage.name: int(whole[stage.position]["longest"]) for stage in drawn if stage.position in whole}


def _list_places(store: TraceStore, run_id: str, settled: Settled) -> dict[int, dict[str, Any]]:
    values = settled.step_values(run_id) | {"weighted": False, "repeated": True}
    return {row["position"]: row for row in store.step(PACKAGES, "metric_operating", values)}


def _tokens(store: TraceStore, run_id: str, drawn: Sequence[Stage]) -> tuple[dict[str, OperatingPoint], dict[str, int]]:
    """Return how many tokens each stage that has them hands on, and those of its longest list."""
    known = stages_with_tokens(store, run_id)
    used = tokens_used(store, run_id, [stage.name for stage in drawn if stage.name in known])
    if not used:
        raise UsageError(
            "no-tokens",
            "no stage asked about has the tokens of every item",
            where=f"run {run_id}",
            hint="draw the curve by depth, or record tokens with the items",
        )
    operating = {
        stage.name: OperatingPoint(
            stage=stage.name,
            cutoff=stage.cutoff,
            shortest=int(used[stage.name]["shortest"]),
            average=float(used[stage.name]["average"]),
            longest=int(used[stage.name]["longest"]),
        )
        for stage in drawn
        if stage.name in used
    }
    return operating, {name: point.longest for name, point in operating.items()}


def _without_tokens(stages: Sequence[str]) -> list[Warn]:
    return [
        Warn(code="stage_without_tokens", message=f"{stage} is left out: not every item of its lists has its tokens")
        for stage in stages
    ]
