"""Two runs brought together question by question: the pairs that a comparison and a verdict are made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attribution import fates
from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.comparable import check_comparable
from attribution.pairs import ClusteredPairs, CountedPairs, Pair, Pairs
from attribution.results import Attribution, Warn
from traces.errors import UsageError
from traces.store import TraceStore

Row = Mapping[str, Any]
PAIRED = fates.KEPT | {"places_before", "places_after", "paired_answers"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedRuns:
    """Two runs and the answers they share.

    Attributes:
        before: the attribution of the earlier run.
        after: that of the later one.
        pairs: answers to the same question; None where the runs share no question.
        questions: questions with an outcome in both.
        answers: answers with an outcome before, to the questions of both.
        only_before: questions with an outcome in the earlier run only.
        only_after: questions with an outcome in the later run only.
        allowed: differences between the runs that were named and put up with.
        warnings: what to know before using the pairs.
    """

    before: Attribution
    after: Attribution
    pairs: Pairs | None
    questions: int
    answers: int
    only_before: int
    only_after: int
    allowed: list[str]
    warnings: list[Warn]


def pair_runs(
    store: TraceStore,
    before: str,
    after: str,
    choices: Choices,
    *,
    choices_after: Choices | None = None,
    allow: Sequence[str] = (),
) -> PairedRuns:
    """Bring two runs together.

    Args:
        store: an open store; reading is enough.
        before: the earlier run.
        after: the later run.
        choices: conventions, the same for both.
        choices_after: those of the later run, where another judge's outcomes count there.
        allow: differences to put up with: ``labels``, ``judge``, ``rule``.

    Raises:
        UsageError: as ``attribute``; a run has no outcomes or no question to attribute; or labels, judge or pass rule
            differ and are not allowed.
    """
    runs = {}
    for side, run_id, chosen in (("before", before, choices), ("after", after, choices_after or choices)):
        runs[side] = attribute(store, run_id, chosen)
        if runs[side].questions.attributable == 0:
            raise UsageError(
                "nothing-attributable",
                f"no question can be attributed with the labels {runs[side].labels.name or '(none)'}",
                where=f"run {run_id}",
                hint=f"see the reasons: foundlost attribute {run_id}",
            )
        if runs[side].passed.n == 0:
            raise UsageError("no-outcomes", "without outcomes there is nothing to compare", where=f"run {run_id}")
        keep_places(store, side, runs[side])
    allowed, warnings = check_comparable(store, runs["before"], runs["after"], allow)
    (pairing,) = store.step(fates.PACKAGES, "pairing", {}, given=PAIRED - {"paired_answers"})
    shared = pairing["questions_both"]
    only_before, only_after = pairing["questions_before"] - shared, pairing["questions_after"] - shared
    pairs = None
    if shared:
        store.keep_step(fates.PACKAGES, "paired_answers", {}, given=PAIRED - {"paired_answers"})
        clustered = runs["before"].policy.weighted or pairing["answers_both"] > shared or pairing["uneven"] > 0
        pairs = kept_pairs(store, clustered=clustered, level=choices.level)
    return PairedRuns(
        before=runs["before"],
        after=runs["after"],
        pairs=pairs,
        questions=shared,
        answers=int(pairing["answers_both"]),
        only_before=only_before,
        only_after=only_after,
        allowed=allowed,
        warnings=[*warnings, *_about_pairing(pairs, only_before + only_after, pairing["uneven"])],
    )


def keep_places(store: TraceStore, side: str, run: Attribution) -> None:
    """Keep where a run's answers ended and the gold they needed, as ``places_`` and ``gold_`` with the side's name.

    The answers of ``run`` must be the ones kept last: the next run overwrites the tables of the steps.
    """
    values = fates.step_values(run.run, run.labels.name, run.policy)
    for table, step in ((f"places_{side}", "outcome_places"), (f"gold_{side}", "gold_for_comparison")):
        store.keep_step(fates.PACKAGES, step, values, given=fates.KEPT)
        store.connection.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT * FROM {step}")  # noqa: S608 - names are ours


def kept_pairs(store: TraceStore, *, clustered: bool, level: float) -> Pairs:
    """Return the pairs of the kept table ``paired_answers``."""
    rows = store.step(fates.PACKAGES, "transition_counts", {"clustered": clustered}, given=PAIRED)
    return (ClusteredPairs if clustered else CountedPairs)([Pair(**row) for row in rows], level=level)


def _about_pairing(pairs: Pairs | None, left_out: int, uneven: int) -> Iterator[Warn]:
    if pairs is None:
        message = "the runs share no question: their change is split by recall and by rates, without pairing"
        yield Warn(code="different_questions", message=message, questions=left_out)
    elif left_out:
        message = "questions with an outcome in one run only are left out"
        yield Warn(code="not_in_both", message=message, questions=left_out)
    if uneven:
        message = "questions have more answers in one run than in the other: each is held against each of the other run"
        yield Warn(code="uneven_repeats", message=message, questions=uneven)
