"""Metrics of a run at every stage, with their intervals, their conventions, and what to know before using them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attribution import fates
from attribution.attribute import groups_present
from attribution.fates import Stage, run_stages
from attribution.metrics.asked import at_stages
from attribution.metrics.bounds import bounds
from attribution.metrics.ceiling import check_ceiling, truncated_pieces
from attribution.metrics.conventions import DEFAULT_METRICS, MetricChoices, Settled, settle_metrics
from attribution.metrics.names import Metric
from attribution.metrics.values import MetricValues
from attribution.results import (
    GroupsPresent,
    MetricAtStage,
    MetricBounds,
    MetricConventions,
    MetricQuestions,
    Metrics,
    Policy,
    Warn,
)
from traces.errors import UsageError, near
from traces.runs import require_run
from traces.store import TraceStore

FEW_QUESTIONS = 20
_JUDGES = "SELECT count(DISTINCT coalesce(judge, '')) FROM outcomes WHERE run_id = $run_id AND passed IS NOT NULL"


def evaluate(
    store: TraceStore,
    run_id: str,
    metrics: str | Sequence[Metric] = DEFAULT_METRICS,
    choices: MetricChoices | None = None,
    *,
    stages: Sequence[str] | None = None,
    with_bounds: bool = False,
) -> Metrics:
    """Compute retrieval metrics of a run at its stages.

    Args:
        store: an open store; reading is enough.
        run_id: the run.
        metrics: names, set apart by blanks or commas, or metrics.
        choices: conventions; None for the defaults.
        stages: the stages to measure; None for all.
        with_bounds: also bound recall and nDCG over everything that unjudged documents could be.

    Returns:
        Every metric at every stage with mean and interval, pooled figure, and the questions left out by reason.

    Raises:
        UsageError: unknown run, stage, metric or label set; no judgments; a threshold above all grades; or bounds of
            what has none.
    """
    return describe(store, measure(store, run_id, metrics, choices, stages=stages), with_bounds=with_bounds)


def measure(
    store: TraceStore,
    run_id: str,
    metrics: str | Sequence[Metric] = DEFAULT_METRICS,
    choices: MetricChoices | None = None,
    *,
    stages: Sequence[str] | None = None,
) -> MetricValues:
    """Compute the values behind `evaluate` and leave them in the store, for callers that want them one a question."""
    require_run(store, run_id)
    settled = settle_metrics(store, run_id, choices or MetricChoices())
    known = run_stages(store, run_id)
    asked = at_stages(settled.metrics(metrics), chosen_stages(known, stages, run_id), known[-1])
    return MetricValues(store, run_id, settled, asked)


def describe(store: TraceStore, values: MetricValues, *, with_bounds: bool = False) -> Metrics:
    """Return the result of `evaluate` for values that were computed last."""
    run_id, settled = values.run_id, values.settled
    summaries = values.summaries()
    asked, missing = values.questions()
    bounded = _bounds(store, values) if with_bounds else [None] * len(summaries)
    found = Metrics(
        run=run_id,
        labels=settled.labels,
        conventions=conventions_of(settled, weighted=values.weighted),
        questions=MetricQuestions(total=asked + missing, asked=asked, missing=missing),
        metrics=[
            MetricAtStage(
                metric=str(each.metric),
                stage=each.stage.name,
                mean=summary.mean,
                pooled=summary.pooled,
                eligible=summary.eligible,
                excluded=summary.excluded,
                judged_share=summary.seen / summary.width if summary.width else None,
                bounds=possible,
            )
            for each, summary, possible in zip(values.asked, summaries, bounded, strict=True)
        ],
        ceiling=check_ceiling(store, run_id, settled),
        groups_present=_passes_by_groups(store, run_id, settled, weighted=values.weighted),
        warnings=[],
    )
    return found.model_copy(
        update={"warnings": list(_caveats(found, values, truncated_pieces(store, run_id, settled)))}
    )


def _bounds(store: TraceStore, values: MetricValues) -> list[MetricBounds | None]:
    choices = values.settled.choices
    if choices.unit != "document" or choices.unjudged != "no_gain":
        raise UsageError(
            "no-bounds", "bounds are for single documents, with the unjudged ones in their places", where="--bounds"
        )
    index_size = store.value("SELECT max(index_size) FROM runs WHERE run_id = $run_id", {"run_id": values.run_id})
    return bounds(values, index_size)


def chosen_stages(known: Sequence[Stage], wanted: Sequence[str] | None, run_id: str) -> list[Stage]:
    """Return the stages that are named, in the order of the pipeline; all where none is.

    Raises:
        UsageError: the run has no such stage.
    """
    names = [stage.name for stage in known]
    for name in wanted or ():
        if name not in names:
            raise UsageError(
                "unknown-stage", f"there is no stage {name!r}", where=f"run {run_id}", hint=near(name, names)
            )
    return [stage for stage in known if not wanted or stage.name in wanted]


def conventions_of(settled: Settled, *, weighted: bool) -> MetricConventions:
    """Return the conventions as they are stored with a result."""
    choices = settled.choices
    return MetricConventions(
        unit=choices.unit,
        min_grade=choices.min_grade,
        require=settled.require,
        truncated=choices.truncated,
        lists=choices.lists,
        short_lists=choices.short_lists,
        no_gold=choices.no_gold,
        zero_ideal=choices.zero_ideal,
        missing=choices.missing,
        unjudged=choices.unjudged,
        weighted=weighted,
        level=choices.level,
    )


def _passes_by_groups(store: TraceStore, run_id: str, settled: Settled, *, weighted: bool) -> list[GroupsPresent]:
    """Return pass rates by how much of the needed evidence was packed; nothing where one piece is enough."""
    judges = store.value(_JUDGES, {"run_id": run_id})
    if settled.require == "any" or judges != 1:
        return []
    choices = settled.choices
    policy = Policy(
        min_grade=choices.min_grade,
        require=settled.require,
        truncated=choices.truncated,
        level=choices.level,
        weighted=weighted,
        judge=None,
    )
    values = fates.step_values(run_id, settled.labels.name, policy)
    fates.follow_evidence(store, values)
    return groups_present(store, values, level=choices.level)


def _caveats(found: Metrics, values: MetricValues, pieces: int) -> Iterator[Warn]:
    if found.questions.missing and found.conventions.missing == "zero":
        yield Warn(
            code="missing_questions",
            message="judged questions that this run did not ask score 0; --missing excluded leaves them out",
            questions=found.questions.missing,
        )
    for check in found.ceiling:
        if not check.is_ceiling:
            yield Warn(
                code="appeared_late",
                message=(
                    f"{check.stage} has {check.documents} gold documents that {check.before} did not have, in "
                    f"{check.answers} answers: recall of {check.before} is no ceiling for {check.stage}"
                ),
            )
    if pieces and found.conventions.truncated == "lost":
        yield Warn(
            code="truncated_pieces",
            message=f"{pieces} times gold is there only as a truncated piece and earns nothing; see --truncated",
        )
    if found.labels.conflicts:
        yield Warn(
            code="conflicting_judgments",
            message=f"{found.labels.conflicts} documents were judged with different grades; the latest judgment counts",
        )
    if values.without_weight and not values.weighted and values.some_weights:
        yield Warn(
            code="weights_incomplete",
            message="some questions have no weight, so every question counts the same",
            questions=values.without_weight,
        )
    few = [each.eligible for each in found.metrics if 0 < each.eligible < FEW_QUESTIONS]
    if few:
        yield Warn(
            code="few_questions",
            message=f"means over fewer than {FEW_QUESTIONS} questions: their ranges lean on every single one",
            questions=min(few),
        )
