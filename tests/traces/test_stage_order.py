"""The order of stages: merged from records as long as they agree, or declared."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traces.errors import RecordError
from traces.stage_order import StageOrder


def merged(*orders: str, known: str = "") -> str:
    order = StageOrder(list(known))
    for stages in orders:
        order.admit(tuple(stages))
    return "".join(order.order())


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        (["abc"], "abc"),
        (["ac", "abc"], "abc"),
        (["bc", "ab"], "abc"),
        (["a", "b"], "ab"),
        (["ac", "ab", "cb"], "acb"),
        (["ad", "bd", "cd"], "abcd"),
        (["", "ab"], "ab"),
    ],
)
def test_orders_are_merged(orders: list[str], expected: str) -> None:
    assert merged(*orders) == expected


def test_the_stored_order_stands() -> None:
    assert merged("xz", known="xyz") == "xyz"
    with pytest.raises(RecordError):
        merged("zx", known="xyz")


@pytest.mark.parametrize("orders", [["ab", "ba"], ["ab", "bc", "ca"], ["abc", "cxa"]])
def test_a_record_that_contradicts_is_refused_and_teaches_nothing(orders: list[str]) -> None:
    order = StageOrder()
    *good, bad = orders
    for stages in good:
        order.admit(tuple(stages))
    before = order.order()
    with pytest.raises(RecordError) as caught:
        order.admit(tuple(bad))
    assert caught.value.slug == "stage-order"
    assert order.order() == before


@given(st.permutations("abcde"), st.lists(st.sets(st.sampled_from("abcde")), max_size=8))
def test_records_that_follow_one_order_are_all_admitted_and_it_is_kept(
    hidden: list[str], parts: list[set[str]]
) -> None:
    order = StageOrder()
    given_orders = [tuple(stage for stage in hidden if stage in part) for part in parts]
    for stages in given_orders:
        order.admit(stages)
    found = order.order()
    assert sorted(found) == sorted(set().union(*parts))
    for stages in given_orders:
        for earlier, later in itertools.pairwise(stages):
            assert found.index(earlier) < found.index(later)


def test_a_declared_order_stands_whatever_order_records_have() -> None:
    order = StageOrder((), ["candidates", "reranked", "packed"])
    order.admit(("candidates", "packed", "reranked"))
    assert order.order() == ["candidates", "reranked", "packed"]


def test_a_stage_that_is_not_declared_is_refused_with_those_that_are() -> None:
    order = StageOrder((), ["candidates", "packed"])
    with pytest.raises(RecordError, match="'rerankd' is not declared") as caught:
        order.admit(("candidates", "rerankd"))
    assert caught.value.hint == "declared are candidates, packed"


def test_a_declared_order_must_agree_with_the_stored_one() -> None:
    with pytest.raises(RecordError):
        StageOrder(["candidates", "packed"], ["packed", "candidates"])
    with pytest.raises(RecordError, match="named twice"):
        StageOrder((), ["packed", "packed"])
