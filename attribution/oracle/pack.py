"""The prompt of one miss: its gold first, then what the run had packed, in order, within the run's own limits.

Gold that stands first is read best, so what comes out is the upper end of what a retriever could do for the question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What the run's packer allows.

    Attributes:
        documents: documents in a prompt.
        tokens: tokens in a prompt; None where the run did not record them.
        usual_tokens: what a document is taken to have whose tokens nobody recorded.
    """

    documents: int
    tokens: int | None
    usual_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """A document that could be packed. ``tokens`` is None where they were never recorded."""

    doc_id: str
    title: str | None
    text: str
    tokens: int | None


@dataclass(frozen=True, slots=True)
class Packed:
    """One place of a pack."""

    document: Document
    gold: bool


@dataclass(frozen=True, slots=True)
class Pack:
    """A prompt, and how many of the gold documents it needs found no room."""

    places: tuple[Packed, ...]
    left_out: int


def needed_gold(needs: Mapping[str, Sequence[str]], has_text: Mapping[str, Document]) -> list[str] | None:
    """Return gold documents that meet every need of a question, as few as come to hand; None where texts are lacking.

    Args:
        needs: for each need the documents that meet it, the best first.
        has_text: the documents whose text is stored.
    """
    chosen: list[str] = []
    for need in sorted(needs):
        documents = needs[need]
        if any(doc_id in chosen for doc_id in documents):
            continue
        with_text = [doc_id for doc_id in documents if doc_id in has_text]
        if not with_text:
            return None
        chosen.append(with_text[0])
    return chosen


def pack(gold: Sequence[Document], others: Sequence[tuple[Document, bool]], limits: Limits) -> Pack:
    """Pack the gold, then the other documents in order, until the first of these that does not fit.

    Args:
        gold: what the question needs.
        others: what the run had packed, in order, each with whether it is gold.
        limits: of the run's packer.
    """
    places: list[Packed] = []
    left_out = spent = 0
    for document in gold:
        if _fits(document, places, spent, limits):
            places.append(Packed(document, gold=True))
            spent += _cost(document, limits)
        else:
            left_out += 1
    held = {document.doc_id for document in gold}
    for document, is_gold in others:
        if document.doc_id in held:
            continue
        if not _fits(document, places, spent, limits):
            break
        held.add(document.doc_id)
        places.append(Packed(document, gold=is_gold))
        spent += _cost(document, limits)
    return Pack(tuple(places), left_out)


def _fits(document: Document, places: Sequence[Packed], spent: int, limits: Limits) -> bool:
    if len(places) >= limits.documents:
        return False
    return limits.tokens is None or spent + _cost(document, limits) <= limits.tokens


def _cost(document: Document, limits: Limits) -> int:
    return limits.usual_tokens if document.tokens is None else document.tokens
