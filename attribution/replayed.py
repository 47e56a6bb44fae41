"""What retrieval run alone shows of a run's questions: which it recovers, and how these passed before it."""

from __future__ import annotations

from dataclasses import replace

from attribution import fates
from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.fates import run_stages
from attribution.paired_runs import PAIRED, keep_places, kept_pairs
from attribution.pairs import CELLS, Pairs
from attribution.results import Attribution, Replayed
from attribution.statistics.interval import Interval
from traces.errors import UsageError
from traces.store import TraceStore

# Of the tables that a replay leaves behind.
_COUNTS = """SELECT (SELECT count(*) FROM paired_answers) AS answers,
       (SELECT count(DISTINCT query_id) FROM paired_answers) AS questions,
       (SELECT count(DISTINCT query_id) FROM places_before) AS asked,
       (SELECT count(DISTINCT query_id) FROM answers WHERE status = 'attributable'
        AND query_id NOT IN (SELECT query_id FROM places_before)) AS extra,
       (SELECT sum(weight) FROM (
            SELECT max(coalesce(weight, 1.0)) AS weight FROM paired_answers GROUP BY query_id) AS shared)
       / (SELECT sum(weight) FROM (
            SELECT max(coalesce(weight, 1.0)) AS weight FROM places_before GROUP BY query_id) AS all_asked) AS share"""


def replayed_cells(store: TraceStore, run_id: str, replay_run: str, choices: Choices) -> Replayed:
    """Follow the questions of a run through a replay, which needs no outcomes.

    The kept tables of the steps are those of the replay afterwards.

    Args:
        store: an open store; reading is enough.
        run_id: the run before the fix, with outcomes.
        replay_run: the replay.
        choices: conventions, as in ``attribute``.

    Raises:
        UsageError: as ``attribute``; the replay ends at another stage, has no recall, or shares no question.
    """
    choices = replace(choices, by=())
    before = attribute(store, run_id, choices)
    if before.passed.n == 0:
        raise UsageError("no-outcomes", "without outcomes there is no pass rate to project", where=f"run {run_id}")
    keep_places(store, "before", before)
    after = attribute(store, replay_run, replace(choices, judge=None))
    _check_replay(store, run_id, after)
    store.keep_step(fates.PACKAGES, "replayed_answers", {"run_id": replay_run}, given=PAIRED - {"paired_answers"})
    store.connection.execute("CREATE OR REPLACE TEMP TABLE paired_answers AS SELECT * FROM replayed_answers")
    (counts,) = store.rows(_COUNTS)
    if not counts["answers"]:
        raise UsageError(
            "different-questions",
            f"it has a whole list for none of the questions that run {run_id} has an outcome for",
            where=f"run {replay_run}",
            hint="replay the same questions",
        )
    clustered = before.policy.weighted or counts["answers"] > counts["questions"]
    pairs = kept_pairs(store, clustered=clustered, level=choices.level)
    missing, extra = counts["asked"] - counts["questions"], counts["extra"]
    freed, stuck = (pairs.rate_in(cell, "before") for cell in ("recovered", "still_missing"))
    return Replayed(
        questions=counts["questions"],
        missing=missing,
        extra=extra,
        recall=after.stages[-1].recall if not missing and not extra else _recall(pairs, before, float(counts["share"])),
        **{cell: sum(pair.n for pair in pairs.rows if pair.cell == cell) for cell in CELLS},
        recovered_before=freed,
        still_missing_before=stuck,
    )


def _check_replay(store: TraceStore, run_id: str, after: Attribution) -> None:
    there, here = after.stages[-1].stage, run_stages(store, run_id)[-1].name
    if there != here:
        raise UsageError(
            "other-last-stage",
            f"recall at {there!r} says nothing yet of recall at {here!r}, where the model reads",
            where=f"run {after.run}",
            hint=f"replay the pipeline up to {here!r}",
        )
    if after.stages[-1].recall.estimate is None:
        raise UsageError(
            "no-recall",
            "no question of this run can be attributed",
            where=f"run {after.run}",
            hint="put the gold into its records, or judge both runs by one label set: 'foundlost labels import'",
        )


def _recall(pairs: Pairs, before: Attribution, share: float) -> Interval:
    """Return the recall to reckon with where a replay asked a share of the questions: the rest stay as they are."""
    there = pairs.recall("after")
    today, then = before.stages[-1].recall, pairs.recall("before")
    if there.estimate is None or today.estimate is None or then.estimate is None:
        return there
    if share == 1.0:
        return there
    lower, upper = there.bounds
    point = today.estimate + share * (there.estimate - then.estimate)
    return replace(
        there,
        n=today.n,
        count=None,
        estimate=min(1.0, max(0.0, point)),
        lower=max(0.0, point - share * (there.estimate - lower)),
        upper=min(1.0, point + share * (upper - there.estimate)),
        method="wilson-part-replayed",
        n_effective=today.size,
    )
