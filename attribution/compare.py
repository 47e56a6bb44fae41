"""Comparison of two runs: question by question where they asked the same ones, else by the split that remains."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from attribution.choices import Choices
from attribution.compared_metrics import compared_metrics
from attribution.metrics.names import parse_metrics
from attribution.paired_runs import PairedRuns, pair_runs
from attribution.pairs import CELLS, Pair, Pairs, gain_within
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
from attribution.statistics.differences import difference
from attribution.statistics.part_limits import funnel_split
from traces.errors import UsageError
from traces.store import TraceStore

FEW_SHARED = 20


def compare(
    store: TraceStore,
    before: str,
    after: str,
    choices: Choices | None = None,
    *,
    allow: Sequence[str] = (),
    metrics: str | None = None,
) -> Comparison:
    """Compare two runs that answered the same questions.

    Args:
        store: an open store; reading is enough.
        before: the run to compare with.
        after: the run that is compared.
        choices: conventions, the same for both runs.
        allow: differences to put up with: ``labels``, ``judge``, ``rule``. Each is named in the result.
        metrics: names of the retrieval metrics to compare as well, at every stage; None for a few usual ones.

    Returns:
        Cells, change and contributions on the questions both runs have; where they share none, a Kitagawa split.

    Raises:
        UsageError: as ``attribute``; both are one run; a run has no outcomes or nothing to attribute; labels, judge or
            pass rule differ and are not allowed; or a metric that was named cannot be read.
    """
    if before == after:
        raise UsageError("same-run", "a run cannot be compared with itself", where=f"run {after}")
    choices = choices or Choices()
    asked = None if metrics is None else parse_metrics(metrics)
    paired = pair_runs(store, before, after, choices, allow=allow)
    pairs = paired.pairs
    if pairs is None or _few_shared(paired):
        return _unpaired(paired)
    stages = stage_changes(pairs, paired.before, paired.after)
    found = cancellation([stage.contribution for stage in stages])
    changes, about_metrics = compared_metrics(store, paired, asked, choices)
    return Comparison(
        before=before,
        after=after,
        labels=paired.before.labels,
        policy=paired.before.policy,
        questions=paired.questions,
        answers=paired.answers,
        passed=pairs.passed(),
        cells=transition_cells(pairs),
        change=float(pairs.mean(lambda pair: pair.gain)),
        stages=stages,
        cancellation=CancellationFound(flag=found.flag, gross=found.gross, net=found.net, index=found.index),
        churn=churn(pairs.rows),
        split=None,
        metrics=changes,
        allowed=paired.allowed,
        warnings=[*paired.warnings, *about_metrics],
    )


def _few_shared(paired: PairedRuns) -> bool:
    """Whether the questions of both are so few, and so few of either run's, that they say little of the runs."""
    asked = paired.questions + min(paired.only_before, paired.only_after)
    return paired.questions < FEW_SHARED and 2 * paired.questions < asked


def _about_few(paired: PairedRuns) -> list[Warn]:
    if paired.pairs is None:
        return paired.warnings
    message = "the runs share hardly a question: their change is split by recall and by rates, without pairing"
    kept = [warning for warning in paired.warnings if warning.code not in ("not_in_both", "uneven_repeats")]
    return [*kept, Warn(code="different_questions", message=message, questions=paired.only_before + paired.only_after)]


def _unpaired(paired: PairedRuns) -> Comparison:
    """Compare runs on different questions: less can be said, and less surely."""
    before, after = paired.before, paired.after
    recall, with_gold, without_gold, _ = funnel_split(
        *(
            [run.fates[-1].share_of_questions, run.conditional.with_gold, run.conditional.without_gold]
            for run in (before, after)
        ),
        level=before.policy.level,
    )
    split = UnpairedSplit(composition=recall, rate_with_gold=with_gold, rate_without_gold=without_gold)
    gap = difference(after.passed, before.passed)
    return Comparison(
        before=before.run,
        after=after.run,
        labels=before.labels,
        policy=before.policy,
        questions=paired.questions,
        answers=paired.answers,
        passed=PassChange(
            before=before.passed, after=after.passed, difference=gap, p_mcnemar_midp=None, p_sign_flip=None
        ),
        cells=[],
        change=gap.estimate or 0.0,
        stages=[],
        cancellation=None,
        churn=None,
        split=split,
        metrics=[],
        allowed=paired.allowed,
        warnings=_about_few(paired),
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
    ordered = _in_order([fate_key(fate) for fate in before.fates], [fate_key(fate) for fate in after.fates])
    return [
        StageChange(fate=names[key].fate, stage=names[key].stage, contribution=contribution)
        for key, contribution in zip(ordered, pairs.fate_limits(ordered), strict=True)
    ]


def fate_key(fate: Fate) -> str:
    """Return the name of a fate as the SQL steps write it."""
    return f"lost:{fate.stage}" if fate.fate == "lost" else fate.fate


def _in_order(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return the fates of both runs in pipeline order: those of the later run, each that it lacks put where it was.

    >>> _in_order(["never_found", "lost:b", "lost:c", "reached"], ["never_found", "lost:c", "reached"])
    ['never_found', 'lost:b', 'lost:c', 'reached']
    """
    merged = list(after)
    for key, following in reversed(list(itertools.pairwise(before))):
        if key not in merged:
            merged.insert(merged.index(following), key)
    return merged


def churn(rows: Sequence[Pair]) -> Churn:
    """Return how many answers changed side, each way."""
    return Churn(
        gained_gold=sum(pair.n for pair in rows if pair.gold_after and not pair.gold_before),
        lost_gold=sum(pair.n for pair in rows if pair.gold_before and not pair.gold_after),
        gained_pass=sum(pair.n for pair in rows if pair.gain > 0),
        lost_pass=sum(pair.n for pair in rows if pair.gain < 0),
    )
