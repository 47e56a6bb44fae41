"""Pairs where questions are clusters: a question counts for its answers, in a cell for those that are there."""

from __future__ import annotations

from fractions import Fraction

import pytest

from attribution.pairs import ClusteredPairs, Pair
from attribution.statistics.claims import Claim


def answers(query_id: str, n: int, gold: tuple[int, int], passed: tuple[int, int], weight: float | None = None) -> Pair:
    before, after = gold
    return Pair(
        query_id=query_id,
        weight=weight,
        gold_before=bool(before),
        gold_after=bool(after),
        passed_before=bool(passed[0]),
        passed_after=bool(passed[1]),
        fate_before="reached" if before else "never_found",
        fate_after="reached" if after else "never_found",
        n=n,
    )


# q1 keeps gold in all three answers and loses none; q2 keeps it in one of three, and loses that pass; q3 twice.
PAIRS = ClusteredPairs(
    [
        answers("q1", 3, (1, 1), (1, 1)),
        answers("q2", 1, (1, 1), (1, 0)),
        answers("q2", 2, (0, 1), (0, 1)),
        answers("q3", 1, (1, 1), (0, 0)),
        answers("q3", 1, (1, 1), (1, 0)),
    ],
    level=0.95,
)


def test_the_table_adds_up_to_the_questions() -> None:
    table = PAIRS.table()
    assert table.whole.size == 3
    assert table.retained.size == 3 * Fraction(6, 8)
    assert table.recovered.size == 3 * Fraction(2, 8)
    assert PAIRS.recall("before").estimate == pytest.approx(6 / 8)


def test_a_question_weighs_in_a_cell_by_the_part_of_it_that_is_there() -> None:
    # passes after: q1 3 of 3, q2 0 of 1, q3 0 of 2
    assert PAIRS.rate_in("retained", "after").estimate == pytest.approx(3 / 6)
    claim = PAIRS.undisturbed(0.1, None)
    assert isinstance(claim, Claim)
    # changes: q1 0 in three answers, q2 -1 in one, q3 -1/2 in two
    assert claim.gap(0.9, 1.0).estimate == pytest.approx((-1 - 2 / 2) / 6)


def test_traffic_weights_multiply() -> None:
    pairs = ClusteredPairs([answers("q1", 1, (1, 1), (1, 1), 3.0), answers("q2", 1, (0, 1), (0, 1), 1.0)], level=0.95)
    assert pairs.table().retained.size == Fraction(3, 2)
    assert pairs.mean(lambda pair: pair.gain) == Fraction(1, 4)
