"""The estimates as calls on 12 strata and 4 stages; a case takes a factor for its counts and returns the call."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attribution.statistics.audit import audited_projection, audited_rates
from attribution.statistics.audit_cells import AuditCell, Estimand, Label, Truth
from attribution.statistics.audit_plan import audit_variance
from attribution.statistics.bounds import bounds
from attribution.statistics.cancellation import cancellation, contribution_limits
from attribution.statistics.composition import funnel_pass, kitagawa, shapley, three_fold
from attribution.statistics.confusion import Confusion
from attribution.statistics.decomposition import fine_forecast_error, forecast_error, observed_change
from attribution.statistics.design import paired_detectable, unpaired_detectable
from attribution.statistics.differences import difference, mcnemar, newcombe_paired
from attribution.statistics.falsifiers import aggregate_as_forecast, missing_as_recovered, recovered_as_found
from attribution.statistics.gain import gain, gain_measured
from attribution.statistics.interval import Interval
from attribution.statistics.judge import judged_projection, judged_rates
from attribution.statistics.judge_cells import Design, JudgedCell
from attribution.statistics.judge_pair import judge_pair
from attribution.statistics.judge_quality import judge_quality
from attribution.statistics.margins import margins_from_budget
from attribution.statistics.part_limits import funnel_split
from attribution.statistics.passes import passes_among_recovered
from attribution.statistics.prediction_powered import prediction_powered
from attribution.statistics.projection import project, project_measured, project_range
from attribution.statistics.proportions import goodman, leader_test, newcombe, wilson
from attribution.statistics.removable import located_share, removable_share
from attribution.statistics.rerun import next_run_fresh_questions, next_run_same_questions
from attribution.statistics.retained import retained_undisturbed
from attribution.statistics.rogan_gladen import rogan_gladen
from attribution.statistics.sensitivity import discounts, tipping_discount, tipping_recovered_pass
from attribution.statistics.standardised import IntentCounts, standardised
from attribution.statistics.survey import rate
from attribution.statistics.targets import required_recall
from attribution.statistics.term_limits import change_limits, error_limits, fine_error_limits
from attribution.statistics.transitions import Cell, Transitions
from attribution.statistics.two_phase import Stratum, two_phase
from attribution.statistics.verification import verify

Call = Callable[[], object]
Case = Callable[[int], Call]

STRATA = 12
EITHER, MISS = frozenset({Truth.reached, Truth.missed}), frozenset({Truth.missed})


def rates(k: int) -> tuple[Interval, Interval, Interval]:
    """Recall, pass rate with gold, pass rate without."""
    return wilson(232 * k, 400 * k), wilson(204 * k, 232 * k), wilson(79 * k, 168 * k)


def funnel(k: int) -> list[Interval]:
    """Survival of four stages and both pass rates."""
    counts = ((330, 400), (300, 330), (260, 300), (232, 260), (204, 232), (79, 168))
    return [wilson(part * k, whole * k) for part, whole in counts]


def transitions(k: int) -> Transitions:
    """Two runs of the same 400 questions."""
    return Transitions(
        retained=Cell(both=190 * k, before_only=11 * k, after_only=6 * k, neither=21 * k),
        recovered=Cell(both=50 * k, before_only=5 * k, after_only=40 * k, neither=17 * k),
        lost=Cell(both=2 * k, before_only=k, neither=k),
        still_missing=Cell(both=20 * k, before_only=4 * k, after_only=2 * k, neither=30 * k),
    )


def audit(k: int) -> list[AuditCell]:
    """Questions by label and outcome, 35 of the hits audited."""
    return [
        AuditCell(label=Label.hit, passed=True, questions=204 * k, possible=EITHER, reached=28 * k, missed=k),
        AuditCell(label=Label.hit, passed=False, questions=28 * k, possible=EITHER, reached=4 * k, missed=2 * k),
        AuditCell(label=Label.miss, passed=True, questions=79 * k, possible=MISS),
        AuditCell(label=Label.miss, passed=False, questions=89 * k, possible=MISS),
    ]


def judged(k: int) -> tuple[JudgedCell, JudgedCell]:
    """Both gold cells by verdict, 100 questions labelled."""
    first = Confusion(true_pass=46 * k, false_fail=4 * k, false_pass=2 * k, true_fail=6 * k)
    second = Confusion(true_pass=15 * k, false_fail=3 * k, false_pass=7 * k, true_fail=17 * k)
    return (
        JudgedCell(judged_pass=200 * k, judged_fail=32 * k, validation=first),
        JudgedCell(judged_pass=90 * k, judged_fail=78 * k, validation=second),
    )


def profiles(k: int) -> tuple[list[int], list[int], list[float], list[int], list[int]]:
    """Successes, cases, weight, stratum, questions: twelve strata, three answers a question."""
    rows = [(s, 3, 1.0 / (at + 1), at, (7 + at * (s + 1)) * k) for at in range(STRATA) for s in range(4)]
    successes, cases, weight, stratum, questions = (list(column) for column in zip(*rows, strict=True))
    return successes, cases, weight, stratum, questions


def survey_case(k: int) -> Call:
    """A weighted rate over strata with repeats."""
    successes, cases, weight, stratum, questions = profiles(k)
    return lambda: rate(successes, cases, weight=weight, stratum=stratum, multiplicity=questions)


def strata_case(k: int) -> Call:
    """A projection standardised over twelve intents."""
    intents = [
        IntentCounts(weight=1.0 / (at + 1), n=40 * k, gold=(30 - at) * k, gold_pass=(24 - at) * k, nogold_pass=4 * k)
        for at in range(STRATA)
    ]
    return lambda: standardised(0.8, intents)


def kinds_case(k: int) -> Call:
    """Kitagawa's and the three-fold split over twelve kinds."""
    before = [(20.0 + at) * k for at in range(STRATA)]
    after = [(30.0 - at) * k for at in range(STRATA)]
    shares = [[each / sum(side) for each in side] for side in (before, after)]
    first, second = [0.5 + at / 40 for at in range(STRATA)], [0.8 - at / 60 for at in range(STRATA)]
    return lambda: (kitagawa(shares[0], first, shares[1], second), three_fold(shares[0], first, shares[1], second))


def moves(k: int) -> list[list[int]]:
    """Questions by place before and after: passed, or failed at one of four stages or in the answer."""
    steady, drift = [220, 30, 20, 15, 20, 28], 3
    return [[(steady[a] if a == b else drift) * k for b in range(6)] for a in range(6)]


def claims_case(k: int) -> Call:
    """A forecast's claims made and judged, Holm's adjustment and what would have decided included."""
    recall, with_gold, without_gold = rates(k)

    def call() -> object:
        return verify(
            [
                recovered_as_found(wilson(90 * k, 112 * k), with_gold, margin=0.148),
                retained_undisturbed(190 * k, 11 * k, 6 * k, 21 * k, margin=0.069),
                missing_as_recovered(wilson(24 * k, 56 * k), wilson(55 * k, 112 * k), margin=0.415),
                aggregate_as_forecast(
                    0.775,
                    recall_target=0.85,
                    recall=recall,
                    with_gold=with_gold,
                    without_gold=without_gold,
                    churn=0.03,
                    margin=0.04,
                ),
            ]
        )

    return call


def judges_case(k: int) -> Call:
    """Two judges on the same items."""
    table = np.array([[[150, 12], [10, 8]], [[9, 2], [1, 8]]]) * k
    return lambda: judge_pair(table)


CLOSED: dict[str, Case] = {
    "a rate (Wilson)": lambda k: lambda: wilson(204 * k, 232 * k),
    "shares of 5 places, each": lambda k: lambda: located_share([60 * k, 20 * k, 9 * k, 28 * k, 5 * k]),
    "shares of 5 places, jointly": lambda k: lambda: goodman([60 * k, 20 * k, 9 * k, 28 * k, 5 * k]),
    "which place leads": lambda k: lambda: leader_test(60 * k, 28 * k),
    "a rate, weights and repeats": survey_case,
    "projection, stated": lambda k: lambda: project(0.85, *rates(k)[1:]),
    "projection, measured": lambda k: lambda: project_measured(wilson(340 * k, 400 * k), *rates(k)[1:]),
    "projection, range": lambda k: lambda: project_range(0.8, 0.9, *rates(k)[1:]),
    "projection, by 12 intents": strata_case,
    "bounds": lambda k: lambda: bounds(0.85, *rates(k)),
    "recall needed": lambda k: lambda: required_recall(0.8, *rates(k)[1:]),
    "tipping points": lambda k: (
        lambda: (
            tipping_recovered_pass(0.05, 0.85, rates(k)[0], rates(k)[2]),
            tipping_discount(0.05, 0.85, *rates(k)),
        )
    ),
    "gain, measured recall": lambda k: lambda: gain_measured(wilson(340 * k, 400 * k), *rates(k)),
    "next run, same questions": lambda k: lambda: next_run_same_questions(0.85, *rates(k), churn=0.03),
    "next run, fresh questions": lambda k: lambda: next_run_fresh_questions(0.85, *rates(k)[1:], questions=400 * k),
    "two rates, unpaired": lambda k: lambda: newcombe(204 * k, 232 * k, 79 * k, 168 * k),
    "two rates, paired": lambda k: lambda: newcombe_paired(242 * k, 48 * k, 21 * k, 89 * k),
    "two weighted rates": lambda k: lambda: difference(*rates(k)[1:]),
    "McNemar": lambda k: lambda: mcnemar(48 * k, 21 * k),
    "change by cell, exact": lambda k: lambda: observed_change(transitions(k)),
    "change by cell, intervals": lambda k: lambda: change_limits(transitions(k)),
    "error in 5 terms, exact": lambda k: lambda: forecast_error(transitions(k), 0.85),
    "error in 8 terms, exact": lambda k: lambda: fine_forecast_error(transitions(k), 0.85),
    "error in 5 terms, intervals": lambda k: lambda: error_limits(transitions(k), 0.85),
    "error in 8 terms, intervals": lambda k: lambda: fine_error_limits(transitions(k), 0.85),
    "stages, simultaneous, and the flag": lambda k: lambda: cancellation(contribution_limits(moves(k))),
    "Kitagawa and three-fold, 12 kinds": kinds_case,
    "Shapley, 8 factors": lambda _: (
        lambda: shapley(funnel_pass, [0.8, 0.9, 0.9, 0.95, 0.9, 0.9, 0.88, 0.47], [0.9] * 7 + [0.5])
    ),
    "margins from a budget": lambda _: (
        lambda: margins_from_budget(0.04, recovered=0.27, retained=0.58, still_missing=0.15)
    ),
    "smallest change shown": lambda k: lambda: (paired_detectable(400 * k, 0.1), unpaired_detectable(400 * k, 0.75)),
    "variance of an audit": lambda k: lambda: audit_variance(audit(k)[:2], estimand=Estimand.all_required),
    "judge elsewhere (Rogan-Gladen)": lambda k: (
        lambda: rogan_gladen(271 * k, 400 * k, Confusion(true_pass=60, false_fail=10, false_pass=6, true_fail=24))
    ),
    "prediction-powered": lambda k: (
        lambda: prediction_powered(
            Confusion(true_pass=60 * k, false_fail=10 * k, false_pass=6 * k, true_fail=24 * k), 205 * k, 300 * k
        )
    ),
    "a judge's agreement": lambda k: lambda: judge_quality([[171 * k, 19 * k], [14 * k, 16 * k]], ["pass", "fail"]),
    "verdicts on 4 claims": claims_case,
}

DRAWN: dict[str, Case] = {
    "passes among the recovered": lambda k: lambda: passes_among_recovered(108 * k, rates(k)[1]),
    "gain": lambda k: lambda: gain(0.85, *rates(k)),
    "discounts, 11 and both limits": lambda k: lambda: discounts(0.05, 0.85, *rates(k)),
    "removable, 4 stages": lambda k: lambda: removable_share(funnel(k)[:-2], *funnel(k)[-2:]),
    "split between sets, 4 stages": lambda k: lambda: funnel_split(funnel(k), funnel(k)[::-1]),
    "split between sets, 8 factors": lambda k: (
        lambda: funnel_split([*funnel(k)[:4], *funnel(k)[:2], *funnel(k)[-2:]], [*funnel(k)[2:4] * 3, *funnel(k)[-2:]])
    ),
    "error in 5 terms, few questions": lambda k: (
        lambda: error_limits(transitions(k), 0.85, questions=100, n_effective=100.0)
    ),
    "two-phase rate": lambda k: (
        lambda: two_phase(
            Stratum(cases=271 * k, checked=66 * k, true=60 * k), Stratum(cases=129 * k, checked=34 * k, true=10 * k)
        )
    ),
    "rates after an audit": lambda k: lambda: audited_rates(audit(k), estimand=Estimand.all_required),
    "projection after an audit": lambda k: lambda: audited_projection(0.85, audit(k), estimand=Estimand.all_required),
    "rates behind a judge": lambda k: lambda: judged_rates(*judged(k), design=Design.subset),
    "projection behind a judge": lambda k: lambda: judged_projection(0.85, *judged(k), design=Design.subset),
    "a judge's agreement, few errors": lambda k: lambda: judge_quality([[171 * k, 9], [0, 6 * k]], ["pass", "fail"]),
    "two judges": judges_case,
}
