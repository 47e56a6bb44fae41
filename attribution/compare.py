"""Comparison of two runs: question by question where they asked the same ones, else by the split that remains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attribution import fates
from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.comparable import check_comparable
from attribution.pairs import CELLS, ClusteredPairs, CountedPairs, Pair, Pairs, gain_within
from attribution.results import (
    Attribution,
    CancellationFound,
    Churn,
    Comparison,
    Fate,
    PassChange,
    StageChange,
    TransitionCell,
    UnpairedSplit,
    Warn,
)
from attribution.statistics.cancellation import cancellation
from attribution.statistics.composition import kitagawa
from attribution.statistics.differences import difference
from traces.errors import UsageError
from traces.store import TraceStore

Row = Mapping[str, Any]
PAIRED = fates.KEPT | {"places_before", "places_after", "paired_answers"}


def compare(
    store: TraceStore, before: str, after: str, choices: Choices | None = None, *, allow: Sequence[str] = ()
) -> Comparison:
    """Compare two runs that answered the same questions.

    Args:
        store: an open store; reading is enough.
        before: the run to compare with.
        after: the run that is compared.
        choices: conventions, the same for both runs.
        allow: differences to put up with: ``labels``, ``judge``, ``rule``. Each is named in the result.

    Returns:
        Cells, change and contributions on the questions both runs have; where they share none, a Kitagawa split.

    Raises:
        UsageError: as ``attribute``; a run has no outcomes; or labels, judge or pass rule differ and are not allowed.
    """
    choices = choices or Choices()
    runs = {}
    for side, run_id in (("before", before), ("after", after)):
        runs[side] = attribute(store, run_id, choices)
        if runs[side].passed.n == 0:
            raise UsageError("no-outcomes", "without outcomes there is nothing to compare", where=f"run {run_id}")
        values = fates.step_values(run_id, runs[side].labels.name, runs[side].policy)
        _keep(store, f"places_{side}", "outcome_places", values)
        _keep(store, f"gold_{side}", "gold_for_comparison", values)
    allowed, warnings = check_comparable(store, runs["before"], runs["after"], allow)
    (pairing,) = store.step(fates.PACKAGES, "pairing", {}, given=PAIRED - {"paired_answers"})
    warnings += _about_pairing(pairing)
    if not pairing["answers_both"]:
        return _unpaired(runs["before"], runs["after"], allowed, warnings)
    store.keep_step(fates.PACKAGES, "paired_answers", {}, given=PAIRED - {"paired_answers"})
    clustered = runs["before"].policy.weighted or pairing["answers_both"] > pairing["questions_both"]
    rows = store.step(fates.PACKAGES, "transition_counts", {"clustered": clustered}, given=PAIRED)
    pairs: Pairs = (ClusteredPairs if clustered else CountedPairs)([Pair(**row) for row in rows], level=choices.level)
    stages = stage_changes(pairs, runs["before"], runs["after"])
    found = cancellation([stage.contribution for stage in stages])
    return Comparison(
        before=before,
        after=after,
        labels=runs["before"].labels,
        policy=runs["before"].policy,
        questions=pairing["questions_both"],
        answers=int(pairing["answers_both"]),
        passed=pairs.passed(),
        cells=transition_cells(pairs),
        change=float(pairs.mean(lambda pair: pair.gain)),
        stages=stages,
        cancellation=CancellationFound(flag=found.flag, gross=found.gross, net=found.net, index=found.index),
        churn=churn(pairs.rows),
        split=None,
        allowed=allowed,
        warnings=warnings,
    )


def _keep(store: TraceStore, table: str, step: str, values: Mapping[str, Any]) -> None:
    """Keep a step's rows under a name of its own, since the next run overwrites the step's tables."""
    store.keep_step(fates.PACKAGES, step, values, given=fates.KEPT)
    store.connection.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT * FROM {step}")  # noqa: S608 - names are ours


def _about_pairing(pairing: Row) -> list[Warn]:
    left_out = pairing["questions_before"] + pairing["questions_after"] - 2 * pairing["questions_both"]
    if not pairing["answers_both"]:
        message = "the runs share no question: their change is split by recall and by rates, without pairing"
        return [Warn(code="different_questions", message=message, questions=left_out)]
    if left_out:
        return [
            Warn(
                code="not_in_both", message="questions with an outcome in one run only are left out", questions=left_out
            )
        ]
    return []


def _unpaired(before: Attribution, after: Attribution, allowed: list[str], warnings: list[Warn]) -> Comparison:
    """Compare runs on different questions: less can be said, and less surely."""
    split = None
    rates = []
    for run in (before, after):
        recall = run.fates[-1].share_of_questions.estimate or 0.0
        rates.append((recall, run.conditional.with_gold.estimate or 0.0, run.conditional.without_gold.estimate or 0.0))
    (r0, with0, without0), (r1, with1, without1) = rates
    parts = kitagawa([r0, 1 - r0], [with0, without0], [r1, 1 - r1], [with1, without1])
    split = UnpairedSplit(
        composition=parts.composition, rate_with_gold=parts.rate_by_kind[0], rate_without_gold=parts.rate_by_kind[1]
    )
    gap = difference(after.passed, before.passed)
    return Comparison(
        before=before.run,
        after=after.run,
        labels=before.labels,
        policy=before.policy,
        questions=0,
        answers=0,
        passed=PassChange(
            before=before.passed, after=after.passed, difference=gap, p_mcnemar_midp=None, p_sign_flip=None
        ),
        cells=[],
        change=gap.estimate or 0.0,
        stages=[],
        cancellation=None,
        churn=None,
        split=split,
        allowed=allowed,
        warnings=warnings,
    )


def transition_cells(pairs: Pairs) -> list[TransitionCell]:
    """Return the four cells with their passes and what each contributed to the change."""
    limits = pairs.cell_limits()
    found = []
    for name in CELLS:
        inside = [pair for pair in pairs.rows if pair.cell == name]
        found.append(
            TransitionCell(
                cell=name,
                n=sum(pair.n for pair in inside),
                passed_before=sum(pair.n for pair in inside if pair.passed_before),
                passed_after=sum(pair.n for pair in inside if pair.passed_after),
                contribution=float(pairs.mean(gain_within(name))),
                interval=limits[name],
            )
        )
    return found


def stage_changes(pairs: Pairs, before: Attribution, after: Attribution) -> list[StageChange]:
    """Return what each fate contributed, in pipeline order; a stage only one run has counts as empty in the other."""
    names = {fate_key(fate): fate for run in (before, after) for fate in run.fates}
    ordered = sorted(names, key=lambda key: _place(key, before, after))
    return [
        StageChange(fate=names[key].fate, stage=names[key].stage, contribution=contribution)
        for key, contribution in zip(ordered, pairs.fate_limits(ordered), strict=True)
    ]


def fate_key(fate: Fate) -> str:
    """Return the name of a fate as the SQL steps write it."""
    return f"lost:{fate.stage}" if fate.fate == "lost" else fate.fate


def _place(key: str, before: Attribution, after: Attribution) -> tuple[int, int]:
    for at, run in enumerate((after, before)):
        keys = [fate_key(fate) for fate in run.fates]
        if key in keys:
            return (len(keys) if key == "reached" else keys.index(key)), at
    return 0, 0


def churn(rows: Sequence[Pair]) -> Churn:
    """Return how many answers changed side, each way."""
    return Churn(
        gained_gold=sum(pair.n for pair in rows if pair.gold_after and not pair.gold_before),
        lost_gold=sum(pair.n for pair in rows if pair.gold_before and not pair.gold_after),
        gained_pass=sum(pair.n for pair in rows if pair.gain > 0),
        lost_pass=sum(pair.n for pair in rows if pair.gain < 0),
    )
