"""Audits and unjudged documents at the ends: too few checks, contradictions, nothing to see."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from attribution.statistics.audit import audited_projection, audited_rates
from attribution.statistics.audit_cells import AuditCell, Estimand, Label, Truth
from attribution.statistics.audit_plan import audit_variance, next_audits, next_checks
from attribution.statistics.gains import discounted_gain, ndcg_bounds
from attribution.statistics.interval import Undefined
from attribution.statistics.passages import passage_recall
from attribution.statistics.two_phase import Stratum, two_phase, variance_parts
from attribution.statistics.unjudged import Judged, inferred_ap, recall_bounds

REACHED, MISSED = frozenset({Truth.reached}), frozenset({Truth.missed})
EITHER = REACHED | MISSED


def cell(
    label: Label,
    passed: bool,
    questions: int,
    *,
    reached: int = 0,
    missed: int = 0,
    possible: frozenset[Truth] = EITHER,
) -> AuditCell:
    return AuditCell(label=label, passed=passed, questions=questions, possible=possible, reached=reached, missed=missed)


def test_four_audits_are_too_few_and_five_are_not() -> None:
    for reached, refused in ((4, True), (5, False)):
        cells = [
            cell(Label.hit, True, 50, reached=reached),
            cell(Label.miss, False, 50, missed=9, possible=MISSED),
        ]
        found = audited_rates(cells, estimand=Estimand.all_required)
        assert (found.recall.reason is Undefined.too_few_checks) is refused
        assert (found.with_gold.estimate is None) is refused
        # Who passed is not in doubt.
        assert found.passed.estimate == 0.5
        projected = audited_projection(0.9, cells, estimand=Estimand.all_required)
        assert (projected.bounds == (0.0, 1.0)) is refused
    assert two_phase(Stratum(cases=9, checked=4), Stratum(cases=9, certain=True)).reason is Undefined.too_few_checks


def test_a_cell_nobody_audited_is_flagged_and_one_barely_audited_is_thin() -> None:
    bare, thin = cell(Label.hit, False, 20), cell(Label.miss, False, 40, missed=3)
    cells = [cell(Label.hit, True, 60, reached=20, missed=2), bare, cell(Label.miss, True, 30, missed=12), thin]
    found = audited_rates(cells, estimand=Estimand.all_required)
    assert found.unaudited == (bare,)
    assert found.thin == (thin,)
    assert found.recall.reason is Undefined.unchecked_stratum
    assert found.recall.estimate == pytest.approx((60 * 20 / 22 + 10) / 150)
    lower, upper = found.recall.bounds
    assert lower < 60 * 20 / 22 / 150
    assert upper > (60 * 20 / 22 + 20) / 150 - 0.03


def test_where_labels_are_certain_no_audit_is_asked_for() -> None:
    cells = [
        cell(Label.hit, True, 30, possible=REACHED),
        cell(Label.miss, False, 10, possible=MISSED),
    ]
    found = audited_rates(cells, estimand=Estimand.any_gold)
    assert (found.recall.estimate, found.with_gold.estimate, found.without_gold.estimate) == (0.75, 1.0, 0.0)
    assert found.recall.reason is None
    assert two_phase(Stratum(cases=30, certain=True), Stratum(cases=10, certain=False)).estimate == 0.75


def test_a_phantom_promotion_is_what_declaring_a_zero_prevents() -> None:
    hits = Stratum(cases=232, checked=35, true=32)
    loose = two_phase(hits, Stratum(cases=168, checked=25)).bounds
    tight = two_phase(hits, Stratum(cases=168, checked=25, certain=False)).bounds
    assert loose[1] - tight[1] > 0.005


def test_no_questions_no_estimate() -> None:
    found = audited_rates([cell(Label.hit, True, 0)], estimand=Estimand.all_required)
    assert found.recall.reason is Undefined.no_cases
    assert audited_rates([], estimand=Estimand.any_gold).passed.reason is Undefined.no_cases
    # No label is a hit: there is no rate with gold, and a projection to full recall needs it.
    cells = [cell(Label.miss, True, 30, possible=MISSED), cell(Label.miss, False, 30, possible=MISSED)]
    assert audited_rates(cells, estimand=Estimand.all_required).with_gold.reason is Undefined.no_cases
    assert audited_projection(1.0, cells, estimand=Estimand.all_required).estimate is None
    assert audited_projection(0.0, cells, estimand=Estimand.all_required).estimate == 0.5


def test_passages_without_enough_audits_keep_the_labelled_recall() -> None:
    found = passage_recall([1, 1, 2, 0], [2, 1, 2, 1], [True, False, True, False], [1, 0, 0, 0])
    assert found.labelled == pytest.approx(4 / 6)
    assert found.corrected.reason is Undefined.too_few_checks
    assert passage_recall([], [], [], []).corrected.reason is Undefined.no_cases
    whole = passage_recall([1] * 30, [1] * 30, [True] * 10 + [False] * 20, [0] * 30)
    assert whole.corrected.estimate == 1.0
    assert whole.corrected.bounds[0] < 0.8


def test_nothing_relevant_anywhere() -> None:
    assert recall_bounds(0, 0, 0, 0).reason is Undefined.nothing_relevant
    assert ndcg_bounds([0, 0, 0]).reason is Undefined.nothing_relevant
    assert discounted_gain([0, -1]).ndcg is None
    assert inferred_ap([Judged.irrelevant], 0).reason is Undefined.nothing_relevant
    only_elsewhere = ndcg_bounds([0, 0], unjudged_elsewhere=3)
    assert (only_elsewhere.lower, only_elsewhere.upper, only_elsewhere.judged) == (0.0, 0.0, None)
    unknown = ndcg_bounds([1, 0], unjudged_elsewhere=None)
    assert unknown.unbounded
    assert unknown.lower == pytest.approx(1 / (1 + 1 / 1.584962500721156))


REFUSED: list[Callable[[], object]] = [
    lambda: inferred_ap([Judged.relevant] * 2, 1),
    lambda: Stratum(cases=4, checked=5),
    lambda: Stratum(cases=4, checked=3, true=4),
    lambda: Stratum(cases=4, checked=3, true=1, certain=False),
    lambda: Stratum(cases=4, checked=3, true=2, certain=True),
    lambda: two_phase(Stratum(cases=9), Stratum(cases=9), level=1.0),
    lambda: variance_parts([Stratum(cases=9)]),
    lambda: variance_parts([]),
    lambda: cell(Label.hit, True, 3, reached=4),
    lambda: cell(Label.hit, True, 3, reached=-1),
    lambda: cell(Label.miss, True, 9, reached=1, possible=MISSED),
    lambda: cell(Label.miss, True, 9, possible=frozenset()),
    lambda: audited_rates([cell(Label.no_gold, True, 9)], estimand=Estimand.all_required),
    lambda: audited_rates([cell(Label.hit, True, 9)], estimand=Estimand.any_gold),
    lambda: audited_rates([cell(Label.miss, True, 9, possible=frozenset(Truth))], estimand=Estimand.all_required),
    lambda: audited_projection(1.2, [cell(Label.hit, True, 9)], estimand=Estimand.all_required),
    lambda: audit_variance([cell(Label.hit, True, 9)], estimand=Estimand.all_required),
    lambda: audit_variance([], estimand=Estimand.all_required),
    lambda: next_checks(-1, [Stratum(cases=9)]),
    lambda: next_audits(3, [cell(Label.no_gold, True, 9)], estimand=Estimand.all_required),
    lambda: passage_recall([2], [1], [True], [0]),
    lambda: passage_recall([1], [1], [False], [1]),
    lambda: passage_recall([1], [1], [True], [0.5]),
    lambda: passage_recall([1], [1, 2], [True], [0]),
    lambda: recall_bounds(2, 1, 0, 0),
    lambda: recall_bounds(0, 1, -1, 0),
    lambda: ndcg_bounds([1], scale=[1, 2]),
    lambda: ndcg_bounds([1], scale=[0]),
    lambda: ndcg_bounds([]),
    lambda: discounted_gain([1.0], k=0),
    lambda: discounted_gain([float("nan")]),
]


@pytest.mark.parametrize("call", REFUSED)
def test_contradictions_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()
