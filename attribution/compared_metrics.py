"""Retrieval metrics within a comparison of two runs: they are an addition, and their absence never ends it."""

from __future__ import annotations

from collections.abc import Sequence

from attribution.choices import Choices
from attribution.metrics.against import compare_metrics
from attribution.metrics.conventions import MetricChoices
from attribution.metrics.names import Metric, parse_metrics
from attribution.paired_runs import PairedRuns
from attribution.results import MetricChange, Warn
from traces.errors import UsageError
from traces.store import TraceStore

USUAL_METRICS = "R@10 nDCG@10 R@packed"


def compared_metrics(
    store: TraceStore, paired: PairedRuns, asked: Sequence[Metric] | None, choices: Choices
) -> tuple[list[MetricChange], list[Warn]]:
    """Return what metrics changed by at the stages both runs have, or nothing and a warning that says why.

    Args:
        store: an open store; reading is enough.
        paired: the runs, which share questions.
        asked: the metrics; None for a few usual ones.
        choices: conventions, the same as for the rest of the comparison.
    """
    before, after = paired.before, paired.after
    shared = {stage.stage for stage in before.stages} & {stage.stage for stage in after.stages}
    stages = [stage.stage for stage in after.stages if stage.stage in shared]
    try:
        if not stages:
            raise UsageError("not-comparable", "the runs have no stage in common")
        found = compare_metrics(
            store,
            before.run,
            after.run,
            parse_metrics(USUAL_METRICS) if asked is None else asked,
            MetricChoices(
                labels=choices.labels,
                min_grade=choices.min_grade,
                require=choices.require,
                truncated=choices.truncated,
                level=choices.level,
            ),
            stages=stages,
        )
    except UsageError as refused:
        return [], [Warn(code="no_metrics", message=f"no retrieval metrics are compared: {refused.what}")]
    return found.changes, found.warnings
