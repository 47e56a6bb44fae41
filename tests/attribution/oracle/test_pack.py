"""A prompt holds the gold first and then what the run had packed, within the run's limits."""

from __future__ import annotations

from attribution.oracle.pack import Document, Limits, Pack, needed_gold, pack


def doc(name: str, tokens: int | None = 100) -> Document:
    return Document(name, None, f"text of {name}", tokens)


def names(packed: Pack) -> list[tuple[str, bool]]:
    return [(place.document.doc_id, place.gold) for place in packed.places]


OTHERS = [(doc("a"), False), (doc("b"), False), (doc("c"), False)]


def test_gold_comes_first_then_the_others_in_order() -> None:
    assert names(pack([doc("g")], OTHERS, Limits(10, None))) == [("g", True), ("a", False), ("b", False), ("c", False)]


def test_as_many_documents_as_the_run_packs_and_no_more() -> None:
    assert names(pack([doc("g")], OTHERS, Limits(2, None))) == [("g", True), ("a", False)]


def test_as_many_tokens_as_the_fullest_prompt_and_no_more() -> None:
    assert names(pack([doc("g")], OTHERS, Limits(10, 300))) == [("g", True), ("a", False), ("b", False)]
    assert names(pack([doc("g")], OTHERS, Limits(10, 299))) == [("g", True), ("a", False)]


def test_the_first_that_does_not_fit_ends_the_prompt_as_it_would_in_a_packer() -> None:
    others = [(doc("a"), False), (doc("big", 900), False), (doc("small", 1), False)]
    assert names(pack([doc("g")], others, Limits(10, 400))) == [("g", True), ("a", False)]


def test_gold_without_room_is_counted() -> None:
    packed = pack([doc("g1"), doc("g2", 900), doc("g3")], OTHERS, Limits(3, 500))
    assert (names(packed), packed.left_out) == ([("g1", True), ("g3", True), ("a", False)], 1)
    assert pack([doc("g1"), doc("g2")], [], Limits(1, None)).left_out == 1


def test_tokens_nobody_recorded_count_as_those_of_a_usual_document() -> None:
    assert names(pack([doc("g", None)], OTHERS, Limits(10, 400, usual_tokens=250))) == [("g", True), ("a", False)]


def test_gold_that_was_packed_already_stands_once() -> None:
    others = [(doc("g"), True), (doc("h"), True), (doc("a"), False)]
    assert names(pack([doc("g")], others, Limits(10, None))) == [("g", True), ("h", True), ("a", False)]


def test_every_need_is_met_with_as_few_documents_as_come_to_hand() -> None:
    known = {name: doc(name) for name in ("g1", "g2", "g3")}
    assert needed_gold({"any": ["g0", "g2", "g1"]}, known) == ["g2"]
    assert needed_gold({"group 1": ["g1"], "group 2": ["g1", "g3"]}, known) == ["g1"]
    assert needed_gold({"group 1": ["g1"], "group 2": ["g3"]}, known) == ["g1", "g3"]
    assert needed_gold({"group 1": ["g1"], "group 2": ["g0"]}, known) is None
