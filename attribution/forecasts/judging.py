"""How each falsifier is judged by what two runs show."""

from __future__ import annotations

from dataclasses import dataclass, field

from attribution.paired_runs import PairedRuns
from attribution.pairs import Pairs
from attribution.results import Forecast, SealedFalsifier, Setting
from attribution.statistics.claims import Claim, Untested
from attribution.statistics.falsifiers import aggregate_as_forecast, missing_as_recovered, recovered_as_found
from attribution.statistics.interval import Interval
from attribution.statistics.rerun import answers_each
from attribution.statistics.verdicts import Direction, Verdict

UNDELIVERED = 0.2
"""Share of the promised rise in recall that may stay out: below that, the fix is not the one that was forecast."""

ROUNDING = 1.0 + 1e-9
"""A distance equal to the margin but for this is within it."""

WATCHED = {
    "model": "model",
    "prompt": "prompt",
    "judge": "judges",
    "rule": "pass_rules",
    "index": "index_size",
    "stages": "stages",
}
"""What must not change, by the name it is declared by, and where a setting holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The verdict on a falsifier that no chance is part of, or that is judged by itself.

    Attributes:
        verdict: what became of it.
        direction: on which side it failed.
        reason: why it was not tested or cannot be told.
        realised: what was seen.
        details: what to name beside it.
    """

    verdict: Verdict
    direction: Direction | None = None
    reason: str | None = None
    realised: Interval | None = None
    details: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What two runs show of a forecast.

    Attributes:
        forecast: what was sealed.
        paired: both runs.
        pairs: the answers they share.
        setting: what the after-run was made with.
        unjudged: share of unjudged documents at its last stage.
        audited: share of audited questions with gold that the labels lack.
    """

    forecast: Forecast
    paired: PairedRuns
    pairs: Pairs
    setting: Setting
    unjudged: Interval
    audited: Interval

    @property
    def recall(self) -> float:
        """Recall after, on the shared questions."""
        return float(self.pairs.mean(lambda pair: int(pair.gold_after)))

    @property
    def recall_short(self) -> bool:
        """Whether recall came out below what was forecast by more than its margin."""
        margin = recall_margin(self.forecast)
        return margin is not None and self.recall < self.forecast.recall_target[0] - margin * ROUNDING


Judged = Claim | Untested | Finding


def recall_margin(forecast: Forecast) -> float | None:
    """Return the recall that may be missing: what costs the budget, or a fifth of the rise; None if gold is no help."""
    costs = label_margin(forecast)
    rise = forecast.recall_target[0] - (forecast.recall.estimate or 0.0)
    return costs if costs is None or rise <= 0.0 else min(costs, UNDELIVERED * rise)


def label_margin(forecast: Forecast) -> float | None:
    """Return the share of questions that may be labelled wrong before that costs the budget, if it can."""
    found, missed = forecast.with_gold.estimate, forecast.without_gold.estimate
    if found is None or missed is None or found <= missed:
        return None
    return min(1.0, forecast.budget / (found - missed))


def recovered(evidence: Evidence, sealed: SealedFalsifier) -> Judged:
    """Recovered questions pass at the rate claimed for them."""
    rate = evidence.pairs.rate_in("recovered", "after")
    margin = sealed.margin if sealed.margin is not None else _realised_margin(evidence, "recovered")
    return recovered_as_found(rate, evidence.forecast.recovered_rate, margin=margin, power=sealed.power)


def retained(evidence: Evidence, sealed: SealedFalsifier) -> Judged:
    """Questions that keep their gold pass as before."""
    margin = sealed.margin if sealed.margin is not None else _realised_margin(evidence, "retained")
    return evidence.pairs.undisturbed(margin, sealed.power)


def selection(evidence: Evidence, sealed: SealedFalsifier) -> Judged:
    """Before the fix, questions still missing passed like those it recovers."""
    stuck, freed = (evidence.pairs.rate_in(cell, "before") for cell in ("still_missing", "recovered"))
    margin = sealed.margin if sealed.margin is not None else 1.0
    return missing_as_recovered(stuck, freed, margin=margin, power=sealed.power)


def aggregate(evidence: Evidence, sealed: SealedFalsifier) -> Judged:
    """The pass rate is the one expected of the same questions."""
    if evidence.recall_short:
        return Finding(verdict=Verdict.not_tested, reason="recall fell short, so the forecast pass rate was not tried")
    forecast = evidence.forecast
    low, high = forecast.recall_target
    return aggregate_as_forecast(
        float(evidence.pairs.mean(lambda pair: int(pair.passed_after))),
        recall_target=min(max(evidence.recall, low), high),
        recall=forecast.recall,
        with_gold=forecast.with_gold,
        without_gold=forecast.without_gold,
        churn=None if forecast.churn is None else forecast.churn.rate,
        margin=sealed.margin or forecast.budget,
        answers_each=answers_each(forecast.recall, answers=forecast.answers, questions=forecast.questions),
        power=sealed.power,
        recovered=forecast.recovered_rate,
    )


def recall(evidence: Evidence, sealed: SealedFalsifier) -> Judged:
    """The recall forecast is reached where the model reads; more than that is not this claim's to refute."""
    after = evidence.paired.after
    realised = after.stages[-1].recall
    if sealed.margin is None:
        return Finding(
            verdict=Verdict.not_tested, reason="gold does not help here, so recall has no margin", realised=realised
        )
    details = [f"{stage.stage}: {stage.recall.estimate:.4f}" for stage in after.stages if stage.recall.estimate]
    short = evidence.recall_short
    return Finding(
        verdict=Verdict.refuted if short else Verdict.held,
        direction=Direction.worse if short else None,
        realised=realised,
        details=details,
    )


def audit(evidence: Evidence, sealed: SealedFalsifier) -> Judged:
    """An open search finds little gold that the labels lack."""
    found = evidence.audited
    if not found.n:
        return Finding(verdict=Verdict.not_tested, reason="no audit was imported for these questions")
    if sealed.margin is None:
        return Finding(verdict=Verdict.not_tested, reason="gold does not help here, so labels have no margin")
    lower, upper = found.bounds
    if upper < sealed.margin:
        return Finding(verdict=Verdict.held, realised=found)
    if lower > sealed.margin:
        return Finding(verdict=Verdict.refuted, direction=Direction.worse, realised=found)
    return Finding(
        verdict=Verdict.cannot_tell, reason="the limits hold shares on both sides of the margin", realised=found
    )


def unjudged(evidence: Evidence, sealed: SealedFalsifier) -> Judged:
    """Unjudged documents are hardly more frequent than before."""
    before, after = evidence.forecast.unjudged.estimate, evidence.unjudged.estimate
    if before is None or after is None:
        return Finding(verdict=Verdict.not_tested, reason="no documents are recorded at the last stage")
    worse = after > before + (sealed.margin or 0.0) * (1.0 + 1e-9)
    return Finding(
        verdict=Verdict.refuted if worse else Verdict.held,
        direction=Direction.worse if worse else None,
        realised=evidence.unjudged,
    )


def unchanged(evidence: Evidence, sealed: SealedFalsifier) -> Judged:  # noqa: ARG001 - it has no margin
    """Nothing but retrieval changed, so far as both runs record it."""
    before, after = evidence.forecast.setting, evidence.setting
    changed, silent, same = [], [], 0
    for name, where in WATCHED.items():
        one, two = getattr(before, where), getattr(after, where)
        if name in evidence.forecast.changes:
            continue
        if not one or not two:
            silent.append(name)
        elif one != two:
            changed.append(f"{name}: {_shown(one)} to {_shown(two)}")
        elif name != "stages":  # the same stages are what makes the runs comparable, and speak for nothing else
            same += 1
    if changed:
        return Finding(verdict=Verdict.refuted, details=changed)
    if not same:
        return Finding(verdict=Verdict.not_tested, reason="neither model, prompt, judge, rule nor index is recorded")
    details = [f"not recorded in both runs: {', '.join(silent)}"] if silent else []
    return Finding(verdict=Verdict.held, details=details)


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _realised_margin(evidence: Evidence, cell: str) -> float:
    """The margin of a slice that was not expected: the budget over the share it turned out to have."""
    share = float(evidence.pairs.mean(lambda pair: int(pair.cell == cell)))
    return evidence.forecast.budget / share if share else 1.0
