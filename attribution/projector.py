"""The parts of a projection, each made from the rates of the run before the fix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from attribution.fix import Fix
from attribution.removal import removable_stages
from attribution.results import (
    Attribution,
    ChurnMeasured,
    Discount,
    NextRun,
    Projection,
    RecoveredRate,
    RequiredRecall,
    Sensitivity,
    Standardised,
)
from attribution.statistics import sensitivity, targets
from attribution.statistics.bounds import bounds
from attribution.statistics.design import paired_detectable
from attribution.statistics.interval import Interval
from attribution.statistics.rerun import answers_each, fresh_questions_around, next_run_same_questions


class Projector:
    """Holds the rates of the run before the fix, from which every part of the projection is made."""

    def __init__(self, before: Attribution, fix: Fix, churn: ChurnMeasured | None) -> None:
        self.before = before
        self.fix = fix
        self.churn = churn
        self.level = before.policy.level
        self.recall = before.stages[-1].recall
        self.with_gold = before.conditional.with_gold
        self.without_gold = before.conditional.without_gold
        self.rates = (self.recall, self.with_gold, self.without_gold)
        # A gain hangs on the rate of the recovered alone, so that stands for the one with gold here.
        self.side_rates = (self.recall, fix.own_rate(self.recall) or self.with_gold, self.without_gold)

    def projection(
        self,
        recovered: RecoveredRate,
        *,
        target: float | None,
        min_gain: float | None,
        standardised: Standardised | None,
        highest_recall: float | None,
    ) -> Projection:
        """Return the projection without its warnings.

        Args:
            recovered: the rate taken for recovered questions, as it is reported.
            target: pass rate wanted, for the recall it asks for.
            min_gain: smallest gain worth having.
            standardised: the projection by intent.
            highest_recall: the highest recall shown by any run.
        """
        jointly, stages = removable_stages(self.before, self.fix.recovered)
        return Projection(
            run=self.before.run,
            labels=self.before.labels,
            policy=self.before.policy,
            recall=self.recall,
            recall_target=self.fix.target,
            recall_from=self.fix.run,
            recovered_pass=recovered.rate.estimate if recovered.source == "stated" else None,
            recovered=recovered,
            with_gold=self.with_gold,
            without_gold=self.without_gold,
            passed=self.before.passed,
            projection=self.fix.project(*self.rates),
            gain=self._over_range(lambda fix: fix.gain(*self.rates)),
            ceiling=self.fix.project_at(1.0, *self.rates),
            required_recall=None if target is None else self._required(target),
            sensitivity=self._sensitivity(min_gain),
            located_share=complement(self.before.fates[-1].share_of_failures),
            removable_share=jointly,
            removable=stages,
            standardised=standardised,
            next_run=self._next_run(),
            detectable=self._detectable(),
            highest_recall=highest_recall,
            warnings=[],
        )

    def _required(self, target: float) -> RequiredRecall:
        found = targets.required_recall(
            target,
            self.with_gold,
            self.without_gold,
            recall=self.recall,
            recovered=self.fix.recovered,
            level=self.level,
        )
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
        grid = sensitivity.discounts(min_gain, self.fix.recall, *self.side_rates)
        now = self.before.passed.estimate or 0.0
        pass_at = sensitivity.tipping_recovered_pass(min_gain, self.fix.recall, self.recall, self.without_gold)
        return Sensitivity(
            min_gain=min_gain,
            tipping_recovered_pass=pass_at.estimate,
            tipping_discount=sensitivity.tipping_discount(min_gain, self.fix.recall, *self.side_rates).estimate,
            bounds=both,
            discounts=[
                Discount(kappa=r.kappa, projection=now + r.gain, gain=r.gain, probability=r.probability)
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
            churn=None if self.churn is None else self.churn.rate,
            churn_measured=self.churn,
        )

    def _same_questions(self, fix: Fix) -> Interval:
        return next_run_same_questions(
            fix.recall,
            *self.rates,
            churn=0.0 if self.churn is None else self.churn.rate,
            answers_each=answers_each(
                self.recall, answers=self.before.passed.n, questions=self.before.questions.attributable
            ),
            recovered=fix.own_rate(self.recall),
            level=self.level,
        )

    def _fresh_questions(self, fix: Fix) -> Interval:
        return fresh_questions_around(fix.project(*self.rates), questions=max(1, round(self.before.passed.size)))

    def _detectable(self) -> float | None:
        """Return the smallest change a paired rerun shows, if only the questions that change side answer anew."""
        recall, p1, p0 = (rate.estimate for rate in self.side_rates)
        if p1 is None or p0 is None or recall is None:
            return None
        discordance = abs(self.fix.recall - recall) * (p1 * (1 - p0) + p0 * (1 - p1))
        if discordance == 0:
            return None
        return paired_detectable(self.before.passed.size, discordance, level=self.level).estimate


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
