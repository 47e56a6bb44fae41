"""Stages that are not the same from run to run: what two runs cannot compare, and labels that will not keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attribution import fates
from attribution.results import Attribution, StageRecall, Warn
from traces.store import TraceStore
from traces.values import counted

LAST_RUNS = 5
UNSTABLE = 3
"""Different lists of stages among the last runs; two may be the two arms of an experiment."""


def stages_differ(before: Attribution, after: Attribution) -> list[Warn]:
    """Return a warning that says what differs between the stages of two runs, or nothing."""
    parts = [*_names_differ(before, after), *_cutoffs_differ(before.stages, after.stages)]
    if not parts:
        return []
    message = (
        f"the stages of the runs differ: {'; '.join(parts)}; what is said of a stage is of what it was in each run"
    )
    return [Warn(code="stages_differ", message=message)]


def _names_differ(before: Attribution, after: Attribution) -> Iterator[str]:
    one, two = _names(before.stages), _names(after.stages)
    for run, own, other in ((before.run, one, two), (after.run, two, one)):
        apart = [stage for stage in own if stage not in other]
        if apart:
            yield f"only {run} has {', '.join(apart)}"
    if [stage for stage in one if stage in two] != [stage for stage in two if stage in one]:
        yield f"their order is {', '.join(one)} in {before.run} and {', '.join(two)} in {after.run}"


def _cutoffs_differ(before: Sequence[StageRecall], after: Sequence[StageRecall]) -> Iterator[str]:
    later = {stage.stage: stage.cutoff for stage in after}
    for stage in before:
        if stage.stage in later and stage.cutoff != later[stage.stage]:
            yield f"{stage.stage} hands on {_places(stage.cutoff)} before and {_places(later[stage.stage])} after"


def _names(stages: Sequence[StageRecall]) -> list[str]:
    return [stage.stage for stage in stages]


def _places(cutoff: int | None) -> str:
    return "all" if cutoff is None else f"at most {cutoff}"


def stages_unstable(store: TraceStore, run_id: str) -> list[Warn]:
    """Return a warning if the last few runs on a run's questions had too many different lists of stages, or nothing.

    Only runs with outcomes count: a replay of retrieval may well end earlier. Runs go by the time they were made where
    all have one, else by the order they came in.
    """
    rows = store.rows("SELECT run_id, stage FROM run_stages ORDER BY run_id, position")
    stages: dict[str, tuple[str, ...]] = {}
    for row in rows:
        stages[row["run_id"]] = (*stages.get(row["run_id"], ()), row["stage"])
    if len(set(stages.values())) < UNSTABLE:
        return []
    alike = {row["run_id"] for row in store.step(fates.PACKAGES, "builds_on_questions", {"run_id": run_id})}
    runs = store.rows("SELECT run_id, created_at, source_id FROM runs ORDER BY source_id, run_id")
    builds = [row for row in runs if row["run_id"] in alike]
    if all(row["created_at"] for row in builds):
        builds.sort(key=lambda row: row["created_at"])
    last = [stages.get(row["run_id"], ()) for row in builds[-LAST_RUNS:]]
    if len(set(last)) < UNSTABLE:
        return []
    message = (
        f"the last {counted(len(last), 'run', 'runs')} on these questions had {len(set(last))} different lists of "
        "stages: while stages change so often, labels are out of date faster than they are made, and a small set of "
        "questions read one by one serves better"
    )
    return [Warn(code="stages_unstable", message=message)]
