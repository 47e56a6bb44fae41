"""Misses are drawn by seed and stratum, whatever order they come in."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from attribution.oracle.draw import Answer, Miss, draw, one_repeat_each


def misses(sizes: dict[str, int]) -> list[Miss]:
    return [Miss(f"{name}{i:03d}", 0, name, 1.0) for name, size in sizes.items() for i in range(size)]


def all_of_them(batch: Sequence[Miss]) -> set[str]:
    return {miss.query_id for miss in batch}


def drawn_ids(strata: Sequence[object]) -> list[str]:
    return sorted(miss.query_id for stratum in strata for miss in stratum.drawn)  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", [0, 7, 2**40])
def test_the_order_of_storage_does_not_matter(seed: int) -> None:
    known = misses({"a": 30, "b": 20, "c": 10})
    shuffled = random.Random(1).sample(known, len(known))
    assert draw(known, 12, seed, all_of_them) == draw(shuffled, 12, seed, all_of_them)
    answers = [Answer(f"q{i}", repeat, "a", 1.0) for i in range(20) for repeat in range(4)]
    assert one_repeat_each(answers, seed) == one_repeat_each(answers[::-1], seed)


def test_another_seed_draws_others() -> None:
    known = misses({"a": 60})
    assert drawn_ids(draw(known, 12, 0, all_of_them)) != drawn_ids(draw(known, 12, 1, all_of_them))


def test_each_stratum_gets_its_share_by_the_largest_remainder() -> None:
    strata = draw(misses({"a": 55, "b": 34, "c": 32, "d": 28, "e": 19}), 60, 0, all_of_them)
    assert [(stratum.name, stratum.size, len(stratum.drawn)) for stratum in strata] == [
        ("a", 55, 20), ("b", 34, 12), ("c", 32, 11), ("d", 28, 10), ("e", 19, 7),
    ]  # fmt: skip


def test_fewer_misses_than_asked_for_are_all_taken() -> None:
    strata = draw(misses({"a": 3, "b": 1}), 60, 0, all_of_them)
    assert drawn_ids(strata) == ["a000", "a001", "a002", "b000"]


def test_a_question_that_cannot_be_used_gives_way_to_the_next() -> None:
    known = misses({"a": 40})
    first = [miss.query_id for miss in draw(known, 40, 0, all_of_them)[0].drawn]
    without = set(first[:3])
    (stratum,) = draw(known, 10, 0, lambda batch: all_of_them(batch) - without)
    assert [miss.query_id for miss in stratum.drawn] == first[3:13]
    assert {miss.query_id for miss in stratum.passed_over} == without
    (none,) = draw(known, 10, 0, lambda batch: all_of_them(batch[:0]))
    assert (len(none.drawn), len(none.passed_over)) == (0, 40)


def test_every_question_and_every_repeat_is_as_likely_as_another() -> None:
    answers = [Answer(f"q{i}", repeat, "a", 1.0) for i in range(5) for repeat in (1, 3, 4)]
    repeats: Counter[tuple[str, int]] = Counter()
    questions: Counter[str] = Counter()
    for seed in range(1500):
        found = one_repeat_each(answers, seed)
        assert {miss.weight for miss in found} == {3.0}
        repeats.update((miss.query_id, miss.repeat) for miss in found)
        questions.update(drawn_ids(draw(found, 2, seed, all_of_them)))
    assert min(repeats.values()) > 430
    assert max(repeats.values()) < 570
    assert min(questions.values()) > 530
    assert max(questions.values()) < 670
