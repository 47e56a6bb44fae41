"""Projection: what a retrieval fix is worth in end-to-end pass rate, and everything that bears on it."""

from __future__ import annotations

from dataclasses import replace

from attribution import fates
from attribution.attribute import attribute, fields_of
from attribution.by_intent import standardised_by_intent
from attribution.choices import Choices
from attribution.churn import measure_churn
from attribution.doubts import projection_caveats
from attribution.fix import Fix, stated_rate
from attribution.oracle.doubts import oracle_caveats
from attribution.oracle.rate import recovered_rate
from attribution.projector import Projector
from attribution.replayed import replayed_cells
from attribution.results import Attribution, Projection, RecoveredRate, Replayed
from traces.errors import UsageError
from traces.runs import require_run
from traces.store import TraceStore


def project(
    store: TraceStore,
    run_id: str,
    *,
    recall: float | None = None,
    recall_range: tuple[float, float] | None = None,
    recall_from: str | None = None,
    choices: Choices | None = None,
    target: float | None = None,
    recovered_pass: float | None = None,
    min_gain: float | None = None,
    baseline_repeat: str | None = None,
    use_oracle: bool = True,
) -> Projection:
    """Project the pass rate of a run after a retrieval fix that changes recall and nothing else.

    Args:
        store: an open store; reading is enough.
        run_id: the run before the fix, with outcomes.
        recall: recall the fix reaches, 0 to 1; or else
        recall_range: the lowest and highest it may reach; or else
        recall_from: a run that has shown it, by replaying retrieval alone.
        choices: conventions, as in ``attribute``.
        target: pass rate wanted, for the recall it asks for.
        recovered_pass: pass rate of recovered questions, where it is known to differ from that with gold.
        min_gain: smallest gain worth having, as a share of all questions.
        baseline_repeat: a second run of the unchanged build, which measures how many answers flip by themselves.
        use_oracle: whether the answers of an oracle experiment on this run, with these labels and this policy, give
            the pass rate of recovered questions; a stated ``recovered_pass`` goes before them.

    Raises:
        UsageError: as ``attribute``; not exactly one recall; the run has no outcomes; or a share out of range.
    """
    choices = choices or Choices()
    _check_shares(target=target, recovered_pass=recovered_pass, min_gain=min_gain)
    require_run(store, run_id)
    fix, shown = _fix(store, run_id, recall, recall_range, recall_from, choices)
    churn = None if baseline_repeat is None else measure_churn(store, run_id, baseline_repeat, choices)
    by = ("intent",) if "intent" in fields_of(store, run_id) else ()
    before = attribute(store, run_id, replace(choices, by=by))
    if before.passed.n == 0:
        raise UsageError("no-outcomes", "without outcomes there is no pass rate to project", where=f"run {run_id}")
    _check_within_index(before, fix)
    recovered = _recovered(store, before, fix, recovered_pass, use_oracle=use_oracle)
    fix = replace(fix, recovered=None if recovered.source == "with_gold" else recovered.rate)
    found = Projector(before, fix, churn).projection(
        recovered,
        target=target,
        min_gain=min_gain,
        standardised=standardised_by_intent(store, before, fix),
        highest_recall=highest_recall(store, before),
    )
    asked = use_oracle and recovered_pass is None
    experiment = oracle_caveats(store, before, recovered) if asked else []
    warnings = [*experiment, *projection_caveats(before, found, shown)]
    return found.model_copy(update={"replayed": shown, "warnings": warnings})


def _fix(
    store: TraceStore,
    run_id: str,
    recall: float | None,
    recall_range: tuple[float, float] | None,
    recall_from: str | None,
    choices: Choices,
) -> tuple[Fix, Replayed | None]:
    """Return the fix by the one recall that is given, with what a replay shows if it is that."""
    if sum(given is not None for given in (recall, recall_range, recall_from)) != 1:
        raise UsageError(
            "no-recall", "state the recall of the fix once", hint="--recall, --recall-range or --recall-from"
        )
    if recall_from is not None:
        shown = replayed_cells(store, run_id, recall_from, choices)
        return Fix.shown_by(recall_from, shown.recall), shown
    return Fix.stated(*(recall_range or (recall or 0.0,))), None


def _recovered(
    store: TraceStore, before: Attribution, fix: Fix, stated: float | None, *, use_oracle: bool
) -> RecoveredRate:
    """Return the pass rate to take for recovered questions: the stated, the measured, or that with gold."""
    recovers = fix.recovers(before.stages[-1].recall)
    if stated is not None:
        if not recovers:
            raise UsageError(
                "nothing-recovered",
                f"recall is {fix.recall}, which recovers no question",
                hint="leave --recovered-pass out",
            )
        return RecoveredRate(source="stated", rate=stated_rate(stated, before.policy.level))
    if use_oracle and recovers:
        measured = recovered_rate(store, before.run, before.labels, before.policy)
        if measured is not None:
            return measured
    return RecoveredRate(source="with_gold", rate=before.conditional.with_gold)


def highest_recall(store: TraceStore, found: Attribution) -> float | None:
    """Return the highest recall shown on a run's questions with these labels, by itself or a run with its last stage.

    The answers of ``found`` must be the ones kept last, as they are right after ``attribute``.
    """
    values = fates.step_values(found.run, found.labels.name, found.policy)
    rows = store.step(
        fates.PACKAGES, "recall_by_run", {**values, "last_stage": found.stages[-1].stage}, given=fates.KEPT
    )
    own = found.stages[-1].recall.estimate
    return max([row["recall"] for row in rows] + ([] if own is None else [own]), default=None)


def shown_recall(store: TraceStore, found: Attribution) -> float | None:
    """Return the highest recall another run has shown, None where that is no more than this run's own."""
    best, own = highest_recall(store, found), found.stages[-1].recall.estimate
    return best if best is not None and own is not None and best > own else None


def _check_shares(*, target: float | None, recovered_pass: float | None, min_gain: float | None) -> None:
    for name, value in (("target", target), ("recovered-pass", recovered_pass), ("min-gain", min_gain)):
        if value is not None and not 0 <= value <= 1:
            raise UsageError("bad-share", f"--{name} lies between 0 and 1, not {value}")
    if min_gain == 0:
        raise UsageError("bad-share", "--min-gain is above 0: any gain at all is worth 0", hint="leave it out")


def _check_within_index(before: Attribution, fix: Fix) -> None:
    """Refuse a recall that no retriever can reach, because too much gold is not in the index."""
    outside = before.fates[0].reasons.get("not_indexed", 0)
    ceiling = 1 - outside / before.questions.repeats
    if outside and fix.high > ceiling:
        raise UsageError(
            "beyond-index",
            f"recall {fix.high} is out of reach: the gold of {outside} answers is not in the index",
            where=f"run {before.run}",
            hint=f"ask for at most {ceiling:.4f}, or index these documents",
        )
