"""From what was judged to a verdict: every falsifier, the forecast, the exact split of its error, and its worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction

from attribution.forecasts.falsifiers import FALSIFIERS
from attribution.forecasts.judging import Evidence, Finding, Judged
from attribution.pairs import Pairs
from attribution.results import (
    ErrorTermsFound,
    FalsifierVerdict,
    Forecast,
    ForecastError,
    SealedFalsifier,
    VerdictWord,
    Warn,
    WorthIt,
)
from attribution.statistics import verification
from attribution.statistics.claims import Claim
from attribution.statistics.decomposition import forecast_error
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.term_limits import error_limits
from attribution.statistics.verdicts import Direction
from attribution.statistics.verification import Ruling
from traces.errors import UsageError

BETTER = "more than retrieval changed: find out what helped before crediting it to recall"
TERMS = ("recall", "recovered", "retained", "lost", "still_missing")


def falsifier_verdicts(shown: Evidence) -> list[FalsifierVerdict]:
    """Judge every falsifier that was sealed: the claims together, for Holm, and the others each by itself."""
    known = {falsifier.name: falsifier for falsifier in FALSIFIERS}
    sealed = shown.forecast.falsifiers
    judged: list[Judged] = [known[each.name].judge(shown, each) for each in sealed]
    tested = verification.verify([each for each in judged if not isinstance(each, Finding)])
    rulings = iter(tested.rulings)
    answers = round(shown.pairs.questions)
    return [
        _of_finding(each, found) if isinstance(found, Finding) else _of_ruling(each, found, next(rulings), answers)
        for each, found in zip(sealed, judged, strict=True)
    ]


def _of_ruling(sealed: SealedFalsifier, claim: Judged, ruling: Ruling, questions: int) -> FalsifierVerdict:
    tested = isinstance(claim, Claim)
    return FalsifierVerdict(
        name=sealed.name,
        statement=sealed.statement,
        margin=ruling.margin if tested else sealed.margin,
        observed=ruling.observed,
        realised=None,
        details=[],
        verdict=ruling.verdict.value,
        direction=None if ruling.direction is None or ruling.verdict.value != "refuted" else ruling.direction.value,
        p=ruling.p,
        p_holm=ruling.p_holm,
        power=sealed.power,
        gates=sealed.gates,
        reason=None if ruling.reason is None else ruling.reason.value,
        questions_needed=None if ruling.growth is None else math.ceil(ruling.growth * questions),
        consequence=BETTER if ruling.direction is Direction.better else sealed.consequence,
    )


def _of_finding(sealed: SealedFalsifier, found: Finding) -> FalsifierVerdict:
    return FalsifierVerdict(
        name=sealed.name,
        statement=sealed.statement,
        margin=sealed.margin,
        observed=None,
        realised=found.realised,
        details=found.details,
        verdict=found.verdict.value,
        direction=None if found.direction is None else found.direction.value,
        p=None,
        p_holm=None,
        power=sealed.power,
        gates=sealed.gates,
        reason=found.reason,
        questions_needed=None,
        consequence=sealed.consequence,
    )


def overall(verdicts: Sequence[FalsifierVerdict], *, beyond: bool) -> VerdictWord:
    """Return the verdict: refuted by any falsifier; held where all that gate are and the pass rate is in the budget.

    It is not tested where none that gates could be.
    """
    if any(each.verdict == "refuted" for each in verdicts):
        return "refuted"
    gating = {each.verdict for each in verdicts if each.gates}
    if gating == {"not tested"}:
        return "not tested"
    return "held" if gating == {"held"} and not beyond else "cannot tell"


def error_of(forecast: Forecast, pairs: Pairs) -> ForecastError:
    """Split what the forecast was off by over the cells, exactly, with an interval for every part."""
    table = pairs.table()
    low, high = forecast.recall_target
    recall = (_exact(low) + _exact(high)) / 2
    found, missed = _of(forecast.with_gold), _of(forecast.without_gold)
    side = None if forecast.recovered_source == "with_gold" else _of(forecast.recovered_rate)
    said = None if side is None or forecast.projection.estimate is None else _exact(forecast.projection.estimate)
    rates = {"with_gold": found, "without_gold": missed, "recovered": side, "forecast": said}
    split = forecast_error(table, recall, **rates)
    if isinstance(split, Undefined):
        raise UsageError("no-outcomes", "no pass rate was sealed with or without gold, so there is no error to split")
    limits = error_limits(
        table,
        recall,
        **rates,
        questions=pairs.questions,
        n_effective=pairs.passed().after.size,
        level=forecast.policy.level,
    )
    terms = {name: float(getattr(split, name)) for name in TERMS}
    largest = max(terms, key=lambda name: abs(terms[name]))
    return ForecastError(
        total=float(split.total),
        terms=ErrorTermsFound(**terms),
        intervals={each.name: getattr(limits, each.name) for each in fields(limits)},
        largest=largest if terms[largest] else None,
    )


def _of(rate: Interval) -> Fraction | None:
    """A sealed rate as an exact number: the fraction of its counts where every question counts the same."""
    if rate.estimate is None:
        return None
    plain = rate.n_effective is None and rate.count is not None and rate.n
    return Fraction(rate.count or 0, rate.n) if plain else _exact(rate.estimate)


def _exact(number: float) -> Fraction:
    return Fraction(number)


def worth_of(forecast: Forecast, gain: Interval) -> WorthIt:
    """Read the realised gain against the least worth having, on one side only."""
    if forecast.min_gain is None or gain.estimate is None:
        return WorthIt(gain=gain, min_gain=forecast.min_gain, verdict=None)
    lower, upper = gain.bounds
    verdict: VerdictWord | str = (
        "yes" if lower > forecast.min_gain else "no" if upper < forecast.min_gain else "cannot tell"
    )
    return WorthIt.model_validate({"gain": gain, "min_gain": forecast.min_gain, "verdict": verdict})


def about_error(
    forecast: Forecast, error: ForecastError, verdicts: Sequence[FalsifierVerdict], *, beyond: bool
) -> list[Warn]:
    """Return what to say of a pass rate that is off by more than the budget though no claim is refuted."""
    if not beyond or any(each.verdict == "refuted" for each in verdicts):
        return []
    message = (
        f"the pass rate is off by {error.total:.4f}, more than the budget {forecast.budget:.4f}, and no single claim "
        "says why: it does not hold, and to tell whether chance did this takes a repeat of the unchanged build"
    )
    return [Warn(code="beyond_budget", message=message)]
