"""One failure opened: the answer, the top of the list of the stage that lost the evidence, and where the gold was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attribution.results import QuestionStage, QuestionTrace, RankedDocument
from reports.numbers import count, plural
from reports.safe_text import cut
from reports.view.parts import Drill, ListItem, Missing
from reports.wording import reason_words, stage_words

TOP = 3
GOLD = 3
_ROOMY = 11
"""From here on there is room for the answer and the top three; in less they would be stumps."""


@dataclass(frozen=True, slots=True)
class Widths:
    """How many characters are kept: of the question, the answer, a listed document, one that has the answer.

    ``top`` is how many documents are listed from the top; an answer of no width is left out.
    """

    question: int
    answer: int
    listed: int
    gold: int
    top: int

    @classmethod
    def of(cls, part: int) -> Widths:
        """Share out a row: the question and what has the answer matter most; a narrow row has nothing beside them."""
        if part < _ROOMY:
            return cls(question=8 * part, answer=0, listed=0, gold=4 * part, top=0)
        return cls(question=5 * part, answer=3 * part, listed=2 * part, gold=4 * part, top=TOP)


def drill(trace: QuestionTrace, stages: Sequence[str], name: str, widths: Widths) -> Drill:
    """Return what opening a failure shows."""
    position = _position(trace, stages)
    here = _list_of(trace, stages[position])
    name_here = stage_words(stages[position]).short
    lead = f"{name}, {reason_words(trace.reason)}." if trace.reason else f"{name}."
    answer = None if trace.answer is None or not widths.answer else cut(trace.answer, widths.answer)
    if here is None or not (here.documents or here.complete):
        return Drill(lead, answer, f"Ranked list of {name_here} not recorded.", (), (), None)
    documents = sorted(here.documents, key=lambda doc: doc.rank)
    return Drill(
        lead=lead,
        answer=answer,
        list_title=_title(len(documents), name_here, widths.top),
        items=_items(documents, widths),
        missing=_missing(trace, here, stages[:position][::-1], widths),
        note=list_note(trace, here),
    )


def _position(trace: QuestionTrace, stages: Sequence[str]) -> int:
    if trace.fate == "lost" and trace.stage is not None and trace.stage in stages:
        return stages.index(trace.stage)
    return 0 if trace.fate == "never_found" else len(stages) - 1


def _list_of(trace: QuestionTrace, stage: str) -> QuestionStage | None:
    """Return the stage's list; of several searches the one that holds gold, else the first."""
    return max(_lists_of(trace, stage), key=lambda entry: any(doc.gold for doc in entry.documents), default=None)


def _lists_of(trace: QuestionTrace, stage: str) -> list[QuestionStage]:
    return [entry for entry in trace.stages if entry.stage == stage]


def _title(size: int, name: str, top: int) -> str:
    """Say where the list ends: the documents past it are what the next stage never saw."""
    if not top:
        return f"{count(size)} in {name}." if size else f"Nothing in {name}."
    if size > top:
        return f"First of {count(size)} in {name}:"
    if size == 1:
        return f"The only one in {name}:"
    return f"All {count(size)} in {name}:" if size else f"Nothing in {name}."


def _items(documents: Sequence[RankedDocument], widths: Widths) -> tuple[ListItem, ...]:
    top = widths.top
    shown = [*documents[:top], *[doc for doc in documents[top:] if doc.gold][:GOLD]]
    before = [0, *(doc.rank for doc in shown)]
    return tuple(
        ListItem(doc.rank, _text(doc, widths), doc.gold, doc.rank != earlier + 1)
        for doc, earlier in zip(shown, before, strict=False)
    )


def _missing(trace: QuestionTrace, here: QuestionStage, before: Sequence[str], widths: Widths) -> tuple[Missing, ...]:
    """Return the gold that the list shown does not hold, and where it is: in another list, or in a stage before.

    Whether a document is there is asked of its own id, for a list may name it by another, and of every search.
    """
    listed = {_own_id(doc) for doc in here.documents if doc.gold}
    elsewhere = [doc_id for doc_id in trace.gold if doc_id not in listed]
    found = []
    for doc_id in elsewhere[:GOLD]:
        place = next(filter(None, (place_of(trace, stage, doc_id) for stage in (here.stage, *before))), None)
        text = cut(trace.gold_texts.get(doc_id, doc_id), widths.gold) if place is None else _text(place[0], widths)
        found.append(Missing(text, _seen(place, here, len(_lists_of(trace, here.stage)))))
    if len(elsewhere) > GOLD:
        found.append(Missing(plural(len(elsewhere) - GOLD, "more document"), ""))
    return tuple(found)


def _own_id(doc: RankedDocument) -> str:
    return doc.doc_id if doc.gold_id is None else doc.gold_id


def place_of(trace: QuestionTrace, stage: str, doc_id: str) -> tuple[RankedDocument, QuestionStage] | None:
    """Return the best place of a gold document in any list of a stage."""
    places = [
        (doc, entry)
        for entry in _lists_of(trace, stage)
        for doc in entry.documents
        if doc.gold and _own_id(doc) == doc_id
    ]
    return min(places, key=lambda place: (place[0].rank, place[1].search), default=None)


def _seen(place: tuple[RankedDocument, QuestionStage] | None, here: QuestionStage, searches: int) -> str:
    if place is None:
        return ", not in the list" if searches == 1 else ", not in any of the lists"
    doc, entry = place
    where = f"search {entry.search + 1}" if entry.stage == here.stage else stage_words(entry.stage).short
    return f", {count(doc.rank)} in {where}"


def _text(doc: RankedDocument, widths: Widths) -> str:
    """Return what names a document: its title or else its text; both for a document that has the answer."""
    parts = [part for part in (doc.title, doc.text) if part] or [doc.doc_id]
    if not doc.gold:
        return cut(parts[0], widths.listed)
    text = cut(": ".join(parts), widths.gold)
    return f"(cut short) {text}" if doc.truncated else text


def list_note(trace: QuestionTrace, here: QuestionStage) -> str | None:
    """Say which of several searches a list is of, which rule inferred it, and that it is in parts; None otherwise."""
    notes = []
    searches = len(_lists_of(trace, here.stage))
    if searches > 1:
        notes.append(f"Search {here.search + 1} of {searches}.")
    if here.inferred_by:
        notes.append(f"This list was inferred: {cut(here.inferred_by, 80)}.")
    if not here.complete:
        notes.append("The list was recorded in part.")
    return " ".join(notes) or None
