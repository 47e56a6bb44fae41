"""Questions outside the attribution: how many for which reason, and what is said where none is inside."""

from __future__ import annotations

from dataclasses import dataclass

from attribution.results import Attribution
from reports.numbers import count
from reports.wording import reason_words

REASONS = ("no_answer", "unlabelled", "unknown_gold", "incomplete_lists", "no_outcome")


def left_out(attribution: Attribution) -> dict[str, int]:
    """Return how many questions stand outside the attribution, by reason; with the attributable they are all."""
    questions = attribution.questions
    counts = {reason: getattr(questions, reason) for reason in REASONS}
    if attribution.passed.n == 0 and questions.attributable:
        # Without any outcome the questions that can be followed count as attributable, and as no_outcome once more.
        del counts["no_outcome"]
    return {reason: n for reason, n in counts.items() if n}


def left_out_words(attribution: Attribution) -> list[str]:
    """Return the reasons with their counts: ``7 with no answer in the documents``."""
    return [f"{count(n)} with {reason_words(reason)}" for reason, n in left_out(attribution).items()]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why nothing can be attributed, as three sentences end.

    They begin "No failure can be placed:", "The picture stops here:", and "Not known:".
    """

    headline: str
    picture: str
    worth: str


@dataclass(frozen=True, slots=True)
class _Reason:
    """``none`` completes "none of the 400 questions", ``one`` "its one question"."""

    none: str
    one: str
    picture: str
    worth: str


_EMPTY = "the run holds no question"
_SEVERAL = _Reason(
    none="can be followed through the stages",
    one="cannot be followed through the stages",
    picture="no question can be followed through the stages.",
    worth="it needs questions that can be followed through the stages.",
)
_REASONS = {
    "unlabelled": _Reason(
        none="has a label",
        one="has no label",
        picture="without labels nothing says which documents hold the answer.",
        worth="it needs labels first.",
    ),
    "no_answer": _Reason(
        none="has an answer in the documents",
        one="has no answer in the documents",
        picture="no question has an answer in the documents, so there is no evidence to follow.",
        worth="it needs questions that the documents answer.",
    ),
    "unknown_gold": _Reason(
        none="has evidence known as a document",
        one="has evidence known by its text only",
        picture="the evidence is known by its text only, so it cannot be found in a list.",
        worth="it needs labels that name the documents.",
    ),
    "incomplete_lists": _Reason(
        none="has the whole list of every stage",
        one="has lists recorded in part",
        picture="the lists were recorded in part, and what is not in them may only be unrecorded.",
        worth="it needs the whole list of every stage.",
    ),
    "no_outcome": _Reason(
        none="has a pass or fail",
        one="has neither pass nor fail recorded",
        picture="no question that can be followed has a pass or fail.",
        worth="it needs to be recorded which answers passed.",
    ),
}


def obstacle(attribution: Attribution) -> Obstacle:
    """Return why no question is inside the attribution: the reason they share, or that there are several."""
    total, counts = attribution.questions.total, left_out(attribution)
    reasons = list(counts)
    if total == 0:
        return Obstacle(_EMPTY, f"{_EMPTY}.", f"{_EMPTY}.")
    shared = _REASONS[reasons[0]] if list(counts.values()) == [total] else _SEVERAL
    # What the documents do not answer nobody can follow, so what is missing for the others is what is missing.
    mendable = [reason for reason in reasons if reason != "no_answer"] or reasons
    wanted = _REASONS[mendable[0]] if len(mendable) == 1 else _SEVERAL
    headline = f"its one question {shared.one}" if total == 1 else f"none of the {count(total)} questions {shared.none}"
    return Obstacle(headline, wanted.picture if wanted is shared else _SEVERAL.picture, wanted.worth)
