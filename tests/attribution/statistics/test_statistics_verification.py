"""Verdicts on claims and forecasts: p-values that agree with them, what refutes and what cannot be told."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep

from attribution.statistics.claims import Arithmetic, Claim, Reason, Untested
from attribution.statistics.falsifiers import (
    aggregate_as_forecast,
    missing_as_recovered,
    recovered_as_found,
)
from attribution.statistics.proportions import newcombe, wilson, wilson_effective
from attribution.statistics.retained import retained_undisturbed, retained_undisturbed_means
from attribution.statistics.verdicts import Direction, Resolved, Verdict, four_way
from attribution.statistics.verification import Ruling, verify

FOUND = wilson(204, 232)


def aggregate(observed: float, churn: float | None = 0.03, recall_target: float = 0.85) -> Claim | Untested:
    return aggregate_as_forecast(
        observed,
        recall_target=recall_target,
        recall=wilson(232, 400),
        with_gold=FOUND,
        without_gold=wilson(79, 168),
        churn=churn,
        margin=0.04,
    )


def alone(claim: Claim | Arithmetic | Untested) -> Ruling:
    return verify([claim]).rulings[0]


def cell(least: int = 1, most: int = 120) -> st.SearchStrategy[tuple[int, int]]:
    return st.integers(least, most).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=60, deadline=None)
@given(cell(20), cell(), st.floats(0.01, 0.5))
def test_p_and_verdict_cannot_disagree(first: tuple[int, int], second: tuple[int, int], margin: float) -> None:
    ruling = alone(recovered_as_found(wilson(*first), wilson(*second), margin=margin))
    assert ruling.observed is not None
    assert ruling.p is not None
    lower, upper = ruling.observed.bounds
    assert (ruling.p <= 0.05) == (upper < 0 or lower > 0)
    assert ruling.p_holm == min(1.0, 2 * ruling.p)
    if ruling.verdict is Verdict.refuted:
        assert ruling.p_holm <= 0.05
    json.dumps(dataclasses.asdict(ruling), allow_nan=False)


@pytest.mark.parametrize("counts", [(90, 112, 204, 232), (60, 112, 204, 232), (40, 41, 30, 60)])
def test_p_is_where_statsmodels_limit_touches_zero(counts: tuple[int, int, int, int]) -> None:
    from scipy.optimize import brentq

    at = 1 if counts[0] / counts[1] < counts[2] / counts[3] else 0

    def limit(p: float) -> float:
        return float(confint_proportions_2indep(*counts, method="newcomb", alpha=2 * p)[at])

    ruling = alone(recovered_as_found(wilson(*counts[:2]), wilson(*counts[2:]), margin=0.1))
    assert ruling.p == pytest.approx(brentq(limit, 1e-12, 0.4999, xtol=1e-14), rel=1e-6)


def claims(x: int = 96, observed: float = 0.81) -> list[Claim | Arithmetic | Untested]:
    return [
        recovered_as_found(wilson(x, 108), FOUND, margin=0.148),
        retained_undisturbed(195, 8, 7, 22, margin=0.069),
        missing_as_recovered(wilson(28, 60), wilson(51, 108), margin=0.1),
        aggregate(observed),
        Arithmetic(name="recall", claimed=0.85, realised=0.85, tolerance=0.01, questions=400),
    ]


def test_a_forecast_that_came_true_is_held() -> None:
    found = verify(claims())
    verdicts = {ruling.name: ruling.verdict.value for ruling in found.rulings}
    # Selection explains: it cannot be told at this size, and the forecast holds all the same.
    assert verdicts == {
        "recovered": "held",
        "retained": "held",
        "selection": "cannot tell",
        "aggregate": "held",
        "recall": "held",
    }
    assert (found.verdict, found.hypotheses) == (Verdict.held, 8)


def test_a_slice_that_failed_refutes_and_one_that_surprised_does_too() -> None:
    worse, better = verify(claims(x=60)), verify([recovered_as_found(wilson(60, 60), wilson(20, 60), margin=0.1)])
    for found, direction in ((worse, Direction.worse), (better, Direction.better)):
        assert found.verdict is Verdict.refuted
        assert (found.rulings[0].direction, found.rulings[0].resolved) == (direction, Resolved.material)


def test_what_one_claim_shows_need_not_count_among_four() -> None:
    one, four = (verify(claims(x=86)[:number]).rulings[0] for number in (1, 4))
    assert one.p == four.p
    assert one.p_holm is not None
    assert four.p_holm is not None
    assert one.p_holm <= 0.05 < four.p_holm
    assert (one.verdict, four.verdict, four.reason) == (Verdict.refuted, Verdict.cannot_tell, Reason.together)


def test_a_surplus_that_does_not_count_leaves_a_one_sided_claim_held() -> None:
    lucky = recovered_as_found(wilson(58, 60), wilson(204, 232), margin=0.07)
    assert four_way(lucky.gap(0.9, 1.0), 0.07).direction is Direction.better  # type: ignore[union-attr]
    ruling = verify([lucky, *claims()[1:]]).rulings[0]
    assert (ruling.verdict, ruling.direction) == (Verdict.held, None)


def test_a_small_slice_speaks_only_beyond_the_margin() -> None:
    for x, m in ((15, 17), (9, 17)):
        ruling = alone(recovered_as_found(wilson(x, m), FOUND, margin=0.4))
        assert (ruling.verdict, ruling.reason) == (Verdict.cannot_tell, Reason.few)
        assert ruling.growth is not None
        assert ruling.growth >= 20 / m
    assert alone(recovered_as_found(wilson(5, 17), FOUND, margin=0.1)).resolved is Resolved.material
    few = alone(retained_undisturbed(9, 0, 0, 0, margin=0.5))
    assert (few.verdict, few.reason) == (Verdict.cannot_tell, Reason.few)


NOTHING_TO_TEST = [
    (recovered_as_found(wilson(0, 0), FOUND, margin=0.1), Reason.no_questions),
    (recovered_as_found(wilson(5, 9), wilson(0, 0), margin=0.1), Reason.no_questions),
    (retained_undisturbed(0, 0, 0, 0, margin=0.1), Reason.no_questions),
    (retained_undisturbed_means([0.5], margin=0.1), Reason.no_questions),
    (missing_as_recovered(wilson(0, 0), wilson(5, 9), margin=0.1), Reason.no_questions),
    (aggregate(0.8, churn=None), Reason.no_churn),
]


@pytest.mark.parametrize(("claim", "reason"), NOTHING_TO_TEST)
def test_what_cannot_be_tested_says_why(claim: Untested, reason: Reason) -> None:
    found = verify([claim])
    assert (found.verdict, found.hypotheses) == (Verdict.not_tested, 0)
    assert (found.rulings[0].verdict, found.rulings[0].reason) == (Verdict.not_tested, reason)
    # A gate that was not tested keeps the forecast from being held, and takes no part in the adjustment.
    others = [each for each in claims() if each.name != claim.name]
    assert verify([claim, *others]).verdict is (Verdict.cannot_tell if claim.gates else Verdict.held)
    assert verify([]).verdict is Verdict.not_tested


@pytest.mark.parametrize(
    ("realised", "lower_is_better", "verdict", "direction"),
    [
        (0.84, False, Verdict.held, None),
        (0.85 - 0.01, False, Verdict.held, None),
        (0.83, False, Verdict.refuted, Direction.worse),
        (0.87, False, Verdict.refuted, Direction.better),
        (0.87, True, Verdict.refuted, Direction.worse),
    ],
)
def test_arithmetic_is_compared(
    realised: float, lower_is_better: bool, verdict: Verdict, direction: Direction | None
) -> None:
    ruling = alone(
        Arithmetic(
            name="recall",
            claimed=0.85,
            realised=realised,
            tolerance=0.01,
            questions=400,
            lower_is_better=lower_is_better,
        )
    )
    assert (ruling.verdict, ruling.direction, ruling.p) == (verdict, direction, None)


def test_claims_may_come_in_any_order_and_give_the_same_bytes() -> None:
    forwards, backwards = verify(claims(x=80, observed=0.76)), verify(claims(x=80, observed=0.76)[::-1])
    assert forwards.rulings == backwards.rulings[::-1]
    assert forwards.verdict is backwards.verdict


@settings(max_examples=40, deadline=None)
@given(cell(20, 80), cell(20, 120), st.floats(0.03, 0.3))
def test_so_many_more_questions_would_have_decided(
    first: tuple[int, int], second: tuple[int, int], margin: float
) -> None:
    claim = recovered_as_found(wilson(*first), wilson(*second), margin=margin)
    ruling = alone(claim)
    if ruling.growth is None:
        return
    assert ruling.verdict is Verdict.cannot_tell
    (x1, n1), (x2, n2), k = first, second, ruling.growth
    larger = (wilson_effective(x / n, k * n, n=n) for x, n in ((x1, n1), (x2, n2)))
    assert alone(recovered_as_found(*larger, margin=margin)).verdict in {Verdict.held, Verdict.refuted}


def test_a_margin_that_no_set_would_resolve_has_no_growth() -> None:
    assert alone(recovered_as_found(wilson(40, 50), wilson(40, 50), margin=1e-5)).growth is None


def test_repeats_within_questions_widen_the_retained_claim() -> None:
    differences = [0.0] * 40 + [-1.0] * 6 + [1.0] * 4
    means = retained_undisturbed_means(differences, margin=0.1)
    counts = retained_undisturbed(20, 6, 4, 20, margin=0.1)
    assert isinstance(means, Claim)
    assert isinstance(counts, Claim)
    ours, theirs = means.gap(0.9, 1.0), counts.gap(0.9, 1.0)
    assert [ours.estimate, theirs.estimate] == pytest.approx([-0.04, -0.04])
    assert ours.bounds == pytest.approx(theirs.bounds, abs=0.02)
    weighted = retained_undisturbed_means(differences, weight=[3.0] * 50, margin=0.1)
    assert weighted.gap(0.9, 1.0).bounds == pytest.approx(ours.bounds)  # type: ignore[union-attr]
    quiet = retained_undisturbed_means([0.0] * 12, margin=0.05)
    assert alone(quiet).verdict is Verdict.cannot_tell


def test_a_limit_that_stays_at_zero_still_has_its_p() -> None:
    """Nobody passes: the predicted range is cut off at 0, where the limit then rests."""
    claim = aggregate_as_forecast(
        0.0,
        recall_target=0.6,
        recall=wilson(20, 40),
        with_gold=wilson(1, 20),
        without_gold=wilson(0, 20),
        churn=0.05,
        margin=0.04,
    )
    ruling = alone(claim)
    assert ruling.observed is not None
    assert ruling.p is not None
    assert ruling.observed.upper == 0.0
    assert 0.05 < ruling.p < 0.2


@pytest.mark.parametrize(
    "call",
    [
        lambda: verify([], alpha=0.5),
        lambda: recovered_as_found(wilson(5, 9), FOUND, margin=0.0),
        lambda: retained_undisturbed(1, -1, 0, 0, margin=0.1),
        lambda: aggregate(1.2),
        lambda: aggregate(0.8, recall_target=1.2),
        lambda: Arithmetic(name="recall", claimed=1.0, realised=1.0, tolerance=-1.0, questions=1),
    ],
)
def test_contradictions_are_refused(call: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()


def test_a_claim_reads_rates_sealed_at_another_level() -> None:
    at_95 = recovered_as_found(wilson(90, 112), FOUND, margin=0.1)
    at_80 = recovered_as_found(wilson(90, 112, level=0.8), wilson(204, 232, level=0.8), margin=0.1)
    assert alone(at_95) == alone(at_80)
    assert alone(at_95).observed.bounds == pytest.approx(newcombe(90, 112, 204, 232, level=0.9).bounds)  # type: ignore[union-attr]
