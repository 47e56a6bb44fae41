"""One failed answer on a page of its own: all that was recorded of it, what has the answer marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attribution.results import QuestionStage, QuestionTrace, RankedDocument, RunFacts
from reports.numbers import count, plural
from reports.safe_text import cut
from reports.view.drill import list_note, place_of
from reports.view.failures import trail_title
from reports.view.parts import Ground
from reports.wording import Words, cut_name, fate_words, link, listed, reason_words, stage_words, strong, words

LISTED = 200
"""Characters shown of a listed document; of one that has the answer, its whole text stands once."""


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A document that has the answer, and its best rank at each stage, ``7 → – → –``."""

    doc_id: str
    text: str | None
    trail: str


@dataclass(frozen=True, slots=True)
class Place:
    """One document of a list."""

    rank: int
    doc_id: str
    text: str
    gold: bool
    notes: str


@dataclass(frozen=True, slots=True)
class RankedList:
    """The whole list of one stage; ``note`` says what a reader must know of it."""

    title: str
    note: str | None
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class QuestionView:
    """The whole page."""

    title: str
    made_up: bool
    run: tuple[Words, ...]
    headline: str
    lede: Words
    facts: tuple[Ground, ...]
    trail_title: str
    gold: tuple[GoldRow, ...]
    lists: tuple[RankedList, ...]


def question_view(trace: QuestionTrace, facts: RunFacts, *, name: str, report: str) -> QuestionView:
    """Return the page of one failed answer.

    Args:
        trace: the answer with its lists.
        facts: the run.
        name: what the answer is called in the report.
        report: link to the report.
    """
    shown, stages = cut_name(name), facts.stages
    happened = fate_words(trace.fate, trace.stage)
    return QuestionView(
        title=f"{'Made-up data: ' if facts.synthetic else ''}{shown}, failure of {cut_name(facts.run)}",
        made_up=bool(facts.synthetic),
        run=(
            words("{}", strong(shown)),
            words("run {}", cut_name(facts.run)),
            words("{}", link("Back to the report", report)),
        ),
        headline=f"{happened}: {reason_words(trace.reason)}" if trace.reason else happened,
        lede=_lede(trace, stages),
        facts=_facts(trace),
        trail_title=trail_title(stages),
        gold=tuple(_gold(trace, doc_id, stages) for doc_id in trace.gold),
        lists=tuple(_list(trace, entry) for entry in trace.stages),
    )


def _lede(trace: QuestionTrace, stages: Sequence[str]) -> Words:
    places = [
        f"{'none' if rank is None else count(rank)} in {stage_words(stage).short}"
        for stage, rank in zip(stages, trace.gold_ranks, strict=True)
    ]
    return words("Rank of the best-placed document with the answer: {}.", strong(listed(places)))


def _facts(trace: QuestionTrace) -> tuple[Ground, ...]:
    judged = "Failed." if trace.judge is None else f"Failed, says {cut_name(trace.judge)}."
    found = [
        Ground("Question", words("{}", trace.query if trace.query is not None else "Not recorded.")),
        Ground("Answer", words("{}", trace.answer if trace.answer is not None else "Not recorded.")),
        Ground("Outcome", words("{}", judged)),
    ]
    intent = [] if trace.intent is None else [Ground("Intent", words("{}", cut_name(trace.intent)))]
    return (*found, *intent)


def _gold(trace: QuestionTrace, doc_id: str, stages: Sequence[str]) -> GoldRow:
    places = [place_of(trace, stage, doc_id) for stage in stages]
    trail = " → ".join("–" if place is None else count(place[0].rank) for place in places)
    return GoldRow(doc_id, trace.gold_texts.get(doc_id), trail)


def _list(trace: QuestionTrace, entry: QuestionStage) -> RankedList:
    name = stage_words(entry.stage).short
    documents = sorted(entry.documents, key=lambda doc: doc.rank)
    title = f"{plural(len(documents), 'document')} in {name}"
    if not documents:
        title = f"Nothing in {name}" if entry.complete else f"Ranked list of {name} not recorded"
    lost = "The evidence was lost here." if trace.fate == "lost" and trace.stage == entry.stage else None
    note = " ".join(filter(None, (lost, list_note(trace, entry)))) or None
    return RankedList(title, note, tuple(map(_place, documents)))


def _place(doc: RankedDocument) -> Place:
    notes = [f"{count(doc.rank_before)} in the list before"] if doc.rank_before is not None else []
    notes += ["cut short"] if doc.truncated else []
    text = cut(": ".join(part for part in (doc.title, doc.text) if part), LISTED)
    return Place(doc.rank, doc.doc_id, text, doc.gold, ", ".join(notes))
