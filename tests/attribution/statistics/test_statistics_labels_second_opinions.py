"""The same quantities from statsmodels, from drawing at length, and from loops that follow the definition."""

from __future__ import annotations

import itertools
import math
import random as plain_random

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from attribution.statistics.audit import audited_rates
from attribution.statistics.audit_cells import AuditCell, Estimand, Label, Truth
from attribution.statistics.audit_plan import audit_variance, next_checks
from attribution.statistics.confusion import Confusion
from attribution.statistics.gains import Gain, discounted_gain, ndcg_bounds
from attribution.statistics.judge_pair import judge_pair, judge_pair_by_question
from attribution.statistics.judge_quality import cohen_kappa, judge_quality, kappa_error
from attribution.statistics.macro_f1 import macro_f1, macro_f1_error
from attribution.statistics.prediction_powered import prediction_powered
from attribution.statistics.rogan_gladen import apparent_rate, rogan_gladen, true_rate
from attribution.statistics.two_phase import Stratum, two_phase, variance_parts
from attribution.statistics.unjudged import Judged, inferred_ap

TABLES = [
    [[171, 9], [14, 16]],
    [[40, 11], [12, 37]],
    [[60, 5, 7], [4, 30, 6], [2, 3, 12]],
    np.random.default_rng(1).multinomial(500, np.full(25, 0.04)).reshape(5, 5),
]


@pytest.mark.parametrize("table", TABLES)
def test_kappa(table: list[list[int]]) -> None:
    theirs, ours = cohens_kappa(np.asarray(table)), cohen_kappa(table)
    assert ours.estimate == pytest.approx(theirs.kappa, abs=1e-12)
    assert kappa_error(table) == pytest.approx(theirs.std_kappa, abs=1e-12)
    assert ours.bounds == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=1e-9)


def one_by_one(table: list[list[int]]) -> list[tuple[int, int]]:
    """Every item as (truth, verdict)."""
    return [(t, v) for t, row in enumerate(table) for v, count in enumerate(row) for _ in range(count)]


def f1_of(items: list[tuple[int, int]], classes: int) -> float:
    """Mean F1 by counting items one by one."""
    total = 0.0
    for each in range(classes):
        right = sum(truth == verdict == each for truth, verdict in items)
        false = sum(verdict == each != truth for truth, verdict in items)
        missed = sum(truth == each != verdict for truth, verdict in items)
        total += 2 * right / (2 * right + false + missed)
    return total / classes


@pytest.mark.parametrize("table", TABLES)
def test_macro_f1_by_counting_and_its_error_by_resampling_items(table: list[list[int]]) -> None:
    items = one_by_one(table)
    assert macro_f1(table).estimate == pytest.approx(f1_of(items, len(table)), abs=1e-12)
    draw = plain_random.Random(2)
    resampled = [f1_of(draw.choices(items, k=len(items)), len(table)) for _ in range(400)]
    assert macro_f1_error(table) == pytest.approx(float(np.std(resampled)), rel=0.12)


def test_a_class_left_out_of_the_mean_still_takes_verdicts() -> None:
    table, names = [[20, 3, 2], [4, 30, 1], [5, 5, 0]], ["a", "b", "odd"]
    found = judge_quality(table, names, declared=["a", "b"])
    by_class = [each.f1 for each in judge_quality(table, names).classes]
    assert by_class == [pytest.approx(2 * 20 / (25 + 29)), pytest.approx(2 * 30 / (35 + 38)), 0.0]
    assert found.macro_f1.estimate == pytest.approx((2 * 20 / (25 + 29) + 2 * 30 / (35 + 38)) / 2)


def test_a_pair_of_judges_is_two_judges() -> None:
    draw = np.random.default_rng(3)
    truth, first, second = (draw.integers(0, 3, 240) for _ in range(3))
    cube = np.zeros((3, 3, 3), dtype=int)
    np.add.at(cube, (truth, first, second), 1)
    alone = [macro_f1(cube.sum(axis=axis)).estimate for axis in (2, 1)]
    found = judge_pair(cube)
    assert alone[0] is not None
    assert alone[1] is not None
    assert found.macro_f1.estimate == pytest.approx(alone[0] - alone[1], abs=1e-12)
    assert found.only_first_right == int(((first == truth) & (second != truth)).sum())
    single = judge_pair_by_question(np.arange(240), truth, first, second, classes=3)
    assert single.macro_f1.estimate == found.macro_f1.estimate
    # One item a question: the bootstrap of questions is that of items.
    assert single.macro_f1.bounds == pytest.approx(found.macro_f1.bounds, abs=0.015)
    assert single.accuracy.estimate == pytest.approx(found.accuracy.estimate)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Stratum(cases=232, checked=35, true=32), Stratum(cases=168, checked=25, true=1)),
        (Stratum(cases=30, checked=6, true=6), Stratum(cases=10, checked=3, true=0)),
        (Stratum(cases=90, checked=12, true=5), Stratum(cases=40, certain=True)),
    ],
)
def test_two_phase_limits_by_drawing_the_posterior(first: Stratum, second: Stratum) -> None:
    draw = np.random.default_rng(7)
    size = draw.beta(first.cases + 0.5, second.cases + 0.5, 1_000_000)
    shares = [
        np.full(1_000_000, float(each.share))
        if each.certain is not None
        else draw.beta(each.true + 0.5, each.checked - each.true + 0.5, 1_000_000)
        for each in (first, second)
    ]
    expected = np.quantile(size * shares[0] + (1 - size) * shares[1], [0.025, 0.975])
    assert two_phase(first, second).bounds == pytest.approx(expected, abs=0.001)


def test_two_phase_variance_by_drawing_samples() -> None:
    """Counts drawn at the estimated rates spread as the formula says."""
    strata = Stratum(cases=271, checked=66, true=60), Stratum(cases=129, checked=34, true=10)
    draw = np.random.default_rng(8)
    sizes = draw.binomial(400, 271 / 400, 200_000) / 400
    rates = sizes * draw.binomial(66, 60 / 66, 200_000) / 66 + (1 - sizes) * draw.binomial(34, 10 / 34, 200_000) / 34
    assert variance_parts(strata).standard_error == pytest.approx(float(rates.std()), rel=0.01)


def test_the_variance_of_an_audit_is_cochrans_where_every_question_counts() -> None:
    either, miss = frozenset({Truth.reached, Truth.missed}), frozenset({Truth.missed})
    cells = [
        AuditCell(label=Label.hit, passed=True, questions=232, possible=either, reached=32, missed=3),
        AuditCell(label=Label.miss, passed=False, questions=168, possible=miss),
    ]
    strata = Stratum(cases=232, checked=35, true=32), Stratum(cases=168, certain=False)
    assert audit_variance(cells, estimand=Estimand.all_required).shares == pytest.approx(variance_parts(strata).shares)


def test_the_linearised_variance_of_any_gold_is_the_spread_of_its_posterior() -> None:
    reached, missed, out = Truth.reached, Truth.missed, Truth.unanswerable
    cells = [
        AuditCell(label=Label.hit, passed=True, questions=900, possible=frozenset({reached})),
        AuditCell(
            label=Label.miss, passed=False, questions=500, possible=frozenset({reached, missed}), reached=20, missed=130
        ),
        AuditCell(
            label=Label.no_gold,
            passed=False,
            questions=400,
            possible=frozenset({reached, missed, out}),
            reached=30,
            missed=50,
            unanswerable=70,
        ),
    ]
    lower, upper = audited_rates(cells, estimand=Estimand.any_gold).recall.bounds
    error = audit_variance(cells, estimand=Estimand.any_gold).standard_error
    assert (upper - lower) / (2 * 1.96) == pytest.approx(error, rel=0.03)


def test_an_allocation_is_the_best_there_is() -> None:
    strata = [
        Stratum(cases=40, checked=4, true=3),
        Stratum(cases=15, checked=2, true=1),
        Stratum(cases=60, checked=9, true=0),
    ]

    def variance(counts: tuple[int, ...]) -> float:
        total = 0.0
        for each, more in zip(strata, counts, strict=True):
            share = (each.true + 0.5) / (each.checked + 1)
            total += each.cases**2 * share * (1 - share) / (each.checked + more)
        return total

    ways = [way for way in itertools.product(range(13), repeat=3) if sum(way) == 12]
    best = min(ways, key=variance)
    assert variance(next_checks(12, strata).counts) == pytest.approx(variance(best))


@pytest.mark.parametrize("p", [0.2, 0.708, 0.9])
def test_the_way_through_a_judge_and_back(p: float) -> None:
    found = true_rate(apparent_rate(p, 0.93, 0.81), 0.93, 0.81)
    assert found.estimate == pytest.approx(p, abs=1e-12)
    assert found.reason is None


def test_lang_reiczigel_closes_on_the_known_errors_of_a_large_validation() -> None:
    """With error rates all but known the limits are Wilson's, taken back through the judge."""
    items = Confusion(true_pass=9_500_000, false_fail=500_000, false_pass=1_000_000, true_fail=9_000_000)
    found = rogan_gladen(271, 400, items).rate.bounds
    share, z2 = 271 / 400, 1.959964**2
    centre, size = (271 + z2 / 2) / (400 + z2), 400 + z2
    half = 1.959964 * math.sqrt(centre * (1 - centre) / size)
    assert found == pytest.approx([(each + 0.9 - 1) / 0.85 for each in (centre - half, centre + half)], abs=1e-3)
    assert rogan_gladen(271, 400, items).raw == pytest.approx((share - 0.1) / 0.85, abs=1e-6)


def test_prediction_powered_from_arrays() -> None:
    human = np.repeat([1, 1, 0, 0], [60, 10, 6, 24])
    judge = np.repeat([1, 0, 1, 0], [60, 10, 6, 24])
    elsewhere = np.repeat([1, 0], [205, 95])
    pooled = np.var(np.concatenate([judge, elsewhere]), ddof=1)
    weight = np.cov(human, judge, ddof=0)[0, 1] / ((1 + 100 / 300) * pooled)
    point = weight * elsewhere.mean() + (human - weight * judge).mean()
    error = math.sqrt(weight**2 * elsewhere.var() / 300 + (human - weight * judge).var() / 100)
    found = prediction_powered(Confusion(true_pass=60, false_fail=10, false_pass=6, true_fail=24), 205, 300)
    assert found.estimate == pytest.approx(point, abs=1e-12)
    assert found.bounds == pytest.approx((point - 1.959964 * error, point + 1.959964 * error), abs=1e-6)


def trec_eval_inferred_ap(ranking: list[str], relevant: int) -> float:
    """As its C source has it, with its special case for the first place."""
    hits = misses = unsampled = 0
    total = 0.0
    for j, mark in enumerate(ranking):
        if mark == "-":
            continue
        if mark == "U":
            unsampled += 1
        elif mark == "N":
            misses += 1
        else:
            hits += 1
            if j == 0:
                total += 1.0
            else:
                share = (hits - 1 + 1e-5) / (hits - 1 + misses + 2e-5)
                total += 1 / (j + 1) + j / (j + 1) * ((hits - 1 + misses + unsampled) / j) * share
    return total / relevant


def test_inferred_ap() -> None:
    marks = {"R": Judged.relevant, "U": Judged.unsampled, "N": Judged.irrelevant, "-": Judged.outside}
    draw = plain_random.Random(4)
    for _ in range(200):
        ranking = draw.choices(list(marks), k=draw.randint(0, 30))
        relevant = ranking.count("R") + draw.randint(1, 4)
        found = inferred_ap([marks[mark] for mark in ranking], relevant).estimate
        assert found == pytest.approx(trec_eval_inferred_ap(ranking, relevant), abs=1e-12)


def test_ndcg_bounds_by_trying_every_grading() -> None:
    draw = plain_random.Random(5)
    tried = 0
    while tried < 150:
        top, k = draw.choice([1, 2, 3]), draw.randint(1, 6)
        grades = [draw.choice([None, None, *range(top + 1)]) for _ in range(draw.randint(0, 5))]
        elsewhere = [draw.randint(0, top) for _ in range(draw.randint(0, 3))]
        unknown, gain = draw.randint(0, 3), draw.choice(list(Gain))
        free = sum(grade is None for grade in grades) + unknown
        if free > 5:
            continue
        tried += 1
        values = []
        for way in itertools.product(range(top + 1), repeat=free):
            rest = iter(way)
            listed = [next(rest) if grade is None else grade for grade in grades]
            value = discounted_gain(listed, elsewhere=[*elsewhere, *rest], k=k, gain=gain).ndcg
            if value is not None:
                values.append(value)
        found = ndcg_bounds(
            grades, elsewhere=elsewhere, unjudged_elsewhere=unknown, scale=range(top + 1), k=k, gain=gain
        )
        if not values:
            assert (found.lower, found.upper) == (None, None)
            continue
        assert found.lower == pytest.approx(min(values), abs=1e-12)
        assert found.upper == pytest.approx(max(values), abs=1e-12)
