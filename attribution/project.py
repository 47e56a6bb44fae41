"""Projection: what a retrieval fix is worth in end-to-end pass rate, and everything that bears on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from attribution import fates
from attribution.attribute import attribute, fields_of
from attribution.choices import Choices
from attribution.doubts import projection_caveats
from attribution.fix import Fix
from attribution.removal import removable_stages
from attribution.results import (
    Attribution,
    BySlice,
    Discount,
    NextRun,
    Projection,
    RequiredRecall,
    Sensitivity,
    Standardised,
    StandardisedIntent,
)
from attribution.statistics import sensitivity, targets
from attribution.statistics.bounds import bounds
from attribution.statistics.design import paired_detectable
from attribution.statistics.interval import Interval
from attribution.statistics.projection import project as project_rates
from attribution.statistics.rerun import next_run_fresh_questions, next_run_same_questions
from attribution.statistics.standardised import IntentCounts, standardised
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

    Raises:
        UsageError: as ``attribute``; not exactly one recall; the run has no outcomes; or a share out of range.
    """
    choices = choices or Choices()
    _check_shares(target=target, recovered_pass=recovered_pass, min_gain=min_gain)
    require_run(store, run_id)
    if sum(given is not None for given in (recall, recall_range, recall_from)) != 1:
        raise UsageError(
            "no-recall", "state the recall of the fix once", hint="--recall, --recall-range or --recall-from"
        )
    if recall_from is not None:
        fix = Fix.shown_by(store, recall_from, before=run_id, choices=replace(choices, by=()))
    else:
        fix = Fix.stated(*(recall_range or (recall or 0.0,)))
    fix = replace(fix, recovered_pass=recovered_pass)
    by = ("intent",) if "intent" in fields_of(store, run_id) else ()
    before = attribute(store, run_id, replace(choices, by=by))
    if before.passed.n == 0:
        raise UsageError("no-outcomes", "without outcomes there is no pass rate to project", where=f"run {run_id}")
    _check_within_index(before, fix)
    found = _Projector(store, before, fix).projection(target, min_gain)
    return found.model_copy(update={"warnings": projection_caveats(before, found)})


class _Projector:
    """Holds the rates of the run before the fix, from which every part of the projection is made."""

    def __init__(self, store: TraceStore, before: Attribution, fix: Fix) -> None:
        self.store = store
        self.before = before
        self.fix = fix
        self.level = before.policy.level
        self.recall = before.stages[-1].recall
        self.with_gold = before.conditional.with_gold
        self.without_gold = before.conditional.without_gold
        self.recovered = fix.recovered_rate(self.with_gold)
        self.with_gold_after = fix.rate_after(self.recall, self.with_gold)
        self.rates = (self.recall, self.recovered, self.without_gold)

    def projection(self, target: float | None, min_gain: float | None) -> Projection:
        values = fates.step_values(self.before.run, self.before.labels.name, self.before.policy)
        jointly, stages = removable_stages(self.before)
        return Projection(
            run=self.before.run,
            labels=self.before.labels,
            policy=self.before.policy,
            recall=self.recall,
            recall_target=self.fix.target,
            recall_from=self.fix.run,
            recovered_pass=self.fix.recovered_pass,
            with_gold=self.with_gold,
            without_gold=self.without_gold,
            passed=self.before.passed,
            projection=self.fix.project(self.with_gold_after, self.without_gold),
            gain=self._over_range(lambda fix: fix.gain(*self.rates)),
            ceiling=project_rates(1.0, self.with_gold, self.without_gold, level=self.level),
            required_recall=None if target is None else self._required(target),
            sensitivity=self._sensitivity(min_gain),
            located_share=complement(self.before.fates[-1].share_of_failures),
            removable_share=jointly,
            removable=stages,
            standardised=self._standardised(values),
            next_run=self._next_run(),
            detectable=self._detectable(),
            highest_recall=highest_recall(self.store, self.before),
            warnings=[],
        )

    def _required(self, target: float) -> RequiredRecall:
        found = targets.required_recall(target, self.with_gold, self.without_gold, level=self.level)
        return RequiredRecall(
            target=target,
            estimate=found.estimate,
            lower=found.lower,
            upper=found.upper,
            upper_open=found.upper_open,
            attainable=found.attainable,
            reason=found.reason,
        )

    def _sensitivity(self, min_gain: float | None) -> Sensitivity:
        ends = [bounds(end, self.recall, self.with_gold, self.without_gold) for end in (self.fix.low, self.fix.high)]
        lowest, highest = (
            [end.lower for end in ends if end.lower is not None],
            [end.upper for end in ends if end.upper is not None],
        )
        both = (min(lowest), max(highest)) if lowest and highest else None
        if min_gain is None:
            return Sensitivity(bounds=both, discounts=self._discounts())
        grid = sensitivity.discounts(min_gain, self.fix.recall, *self.rates)
        pass_at = sensitivity.tipping_recovered_pass(min_gain, self.fix.recall, self.recall, self.without_gold)
        return Sensitivity(
            min_gain=min_gain,
            tipping_recovered_pass=pass_at.estimate,
            tipping_discount=sensitivity.tipping_discount(min_gain, self.fix.recall, *self.rates).estimate,
            bounds=both,
            discounts=[
                Discount(kappa=r.kappa, projection=r.projection, gain=r.gain, probability=r.probability)
                for r in grid.rows
            ],
            safe_discount=grid.safe,
        )

    def _discounts(self) -> list[Discount]:
        """Return what each discount leaves; without a smallest gain worth having there is no probability to give."""
        worth, now = self.fix.gain(*self.rates).estimate, self.before.passed.estimate
        if worth is None or now is None:
            return []
        return [
            Discount(kappa=kappa, projection=now + (1 - kappa) * worth, gain=(1 - kappa) * worth)
            for kappa in sensitivity.KAPPAS
        ]

    def _standardised(self, values: dict[str, Any]) -> Standardised | None:
        """Standardise on intent; None where intents, or one weight an intent and one answer a question, are missing."""
        weights = {
            row["intent"]: row for row in self.store.step(fates.PACKAGES, "intent_weights", values, given=fates.KEPT)
        }
        if self.fix.recovered_pass is not None:
            return None
        slices = [by for by in self.before.by if by.questions]
        if len(slices) < 2 or self.before.questions.repeats != self.before.questions.attributable:
            return None
        if not all(row["even"] for row in weights.values()):
            return None
        counts = [intent_counts(by, float(weights[by.value]["weight"])) for by in slices]
        found = standardised(self.fix.recall, counts, level=self.level)
        total = sum(each.weight for each in counts)
        missing = [each.weight * (each.n - each.gold) / each.n for each in counts]
        return Standardised(
            projection=found.projection,
            composition_gap=found.composition_gap,
            by=[
                StandardisedIntent(
                    value=by.value,
                    weight=each.weight / total,
                    share_of_missing=share / sum(missing) if sum(missing) else 0.0,
                    with_gold=by.conditional.with_gold.estimate,
                    without_gold=by.conditional.without_gold.estimate,
                    borrowed=at in found.borrowed,
                    thin=at in found.thin,
                )
                for at, (by, each, share) in enumerate(zip(slices, counts, missing, strict=True))
            ],
        )

    def _over_range(self, figure: Callable[[Fix], Interval]) -> Interval:
        """Return a figure at the fix's recall; over a range, the middle with the hull of the limits at both ends."""
        middle = figure(self.fix)
        if self.fix.low == self.fix.high:
            return middle
        ends = [figure(replace(self.fix, low=end, high=end)).bounds for end in (self.fix.low, self.fix.high)]
        lower, upper = min(low for low, _ in ends), max(high for _, high in ends)
        return replace(middle, lower=lower, upper=upper, method=f"{middle.method}-hull")

    def _next_run(self) -> NextRun:
        return NextRun(
            same_questions=self._over_range(self._same_questions),
            fresh_questions=self._over_range(self._fresh_questions),
            churn=None,
        )

    def _same_questions(self, fix: Fix) -> Interval:
        return next_run_same_questions(
            fix.recall,
            self.recall,
            self.with_gold,
            self.without_gold,
            churn=0.0,
            recovered=self.recovered,
            level=self.level,
        )

    def _fresh_questions(self, fix: Fix) -> Interval:
        return next_run_fresh_questions(
            fix.measured or fix.recall,
            self.with_gold_after,
            self.without_gold,
            questions=max(1, round(self.before.passed.size)),
            level=self.level,
        )

    def _detectable(self) -> float | None:
        """Return the smallest change a paired rerun shows, if only the questions that change side answer anew."""
        p1, p0, recall = self.recovered.estimate, self.without_gold.estimate, self.recall.estimate
        if p1 is None or p0 is None or recall is None:
            return None
        discordance = abs(self.fix.recall - recall) * (p1 * (1 - p0) + p0 * (1 - p1))
        if discordance == 0:
            return None
        return paired_detectable(self.before.passed.size, discordance, level=self.level).estimate


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


def intent_counts(by: BySlice, weight: float) -> IntentCounts:
    """Return the counts of one intent as the standardised projection takes them."""
    with_gold, without_gold = by.conditional.with_gold, by.conditional.without_gold
    return IntentCounts(
        weight=weight,
        n=with_gold.n + without_gold.n,
        gold=with_gold.n,
        gold_pass=with_gold.count or 0,
        nogold_pass=without_gold.count or 0,
    )


def complement(share: Interval) -> Interval:
    """Return the interval of ``1 - share``."""
    if share.estimate is None:
        return share
    low, high = share.bounds
    return replace(
        share,
        count=None if share.count is None else share.n - share.count,
        estimate=1.0 - share.estimate,
        lower=1.0 - high,
        upper=1.0 - low,
    )


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
