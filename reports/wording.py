"""The words of the reports: stages, fates, reasons, and sentences with parts that stand out.

A sentence is ``Words``: pieces of text, some of them strong, a range, or code. Pieces may hold untrusted text; the
template or the terminal makes it safe on the way out, so nothing here escapes anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from attribution.results import Fate, FateName
from reports.safe_text import cut

PieceKind = Literal["", "strong", "range", "code", "link"]
NAME_LENGTH = 48
MADE_UP = "Made-up data"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a sentence and how it is set. ``href`` is where a link leads, percent-encoded."""

    text: str
    kind: PieceKind = ""
    href: str = ""


class Words(tuple[Piece, ...]):
    """A sentence in pieces; as a string, only its text."""

    __slots__ = ()

    def __str__(self) -> str:
        return "".join(piece.text for piece in self)


def strong(text: str) -> Piece:
    """Return text that stands out."""
    return Piece(text, "strong")


def bracketed(text: str) -> Piece:
    """Return a range in brackets, which never breaks across lines."""
    return Piece(f"({text})", "range")


def code(text: str) -> Piece:
    """Return a command or a file name."""
    return Piece(text, "code")


def link(text: str, href: str) -> Piece:
    """Return a link to another page."""
    return Piece(text, "link", href)


def words(pattern: str, *parts: str | Piece | Words) -> Words:
    """Return a sentence: ``pattern`` with each ``{}`` replaced by the part in its turn.

    Raises:
        ValueError: there are more or fewer places than parts.
    """
    pieces: list[Piece] = []
    literals = pattern.split("{}")
    for literal, part in zip(literals, [*parts, ""], strict=True):
        pieces.append(Piece(literal))
        if isinstance(part, Words):
            pieces.extend(part)
        else:
            pieces.append(part if isinstance(part, Piece) else Piece(part))
    return Words(piece for piece in pieces if piece.text)


def sentences(*parts: Words | None) -> Words:
    """Return several sentences as one, the absent ones left out."""
    present = [part for part in parts if part]
    return Words(piece for i, part in enumerate(present) for piece in ((Piece(" "),) if i else ()) + tuple(part))


def listed(names: Sequence[str]) -> str:
    """Return names as a list in prose: ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def quoted(name: str) -> str:
    """Return a name in quotation marks: a name from the data may begin a sentence in no other way."""
    return f"“{name}”"


@dataclass(frozen=True, slots=True)
class StageWords:
    """What one stage is called.

    ``row`` heads a line ("In candidates"), ``loss`` names what it lost ("Lost in rerank"), ``place`` is where its
    list goes ("the prompt"), ``short`` stands in a list of names, ``work`` is the work on it ("candidate retrieval").
    """

    row: str
    loss: str
    place: str
    short: str
    work: str


_DEFAULT_STAGES = {
    "candidates": StageWords(
        "In candidates", "Lost in candidates", "the candidates", "candidates", "candidate retrieval"
    ),
    "reranked": StageWords("After rerank", "Lost in rerank", "the reranked list", "rerank", "reranking"),
    "packed": StageWords("In the prompt", "Lost in packing", "the prompt", "prompt", "packing"),
}
NEVER_FOUND = "Never found"
REACHED = "Reached but failed"


def stage_words(stage: str) -> StageWords:
    """Return the words of a stage: plain English for the default three, its own name for any other."""
    name = cut(stage, NAME_LENGTH)
    return _DEFAULT_STAGES.get(stage) or StageWords(name, f"Lost in {name}", name, name, name)


def absent_defaults(stages: Sequence[str]) -> list[str]:
    """Return the default stages a run with default names does without, in words."""
    names = {"candidates": "candidate list", "reranked": "rerank stage", "packed": "packing stage"}
    return [words_ for stage, words_ in names.items() if stage not in stages] if set(names) & set(stages) else []


def fate_words(fate: FateName | None, stage: str | None) -> str:
    """Return the name of a fate: ``Never found``, ``Lost in rerank``, ``Reached but failed``."""
    if fate == "lost" and stage is not None:
        return stage_words(stage).loss
    return {"never_found": NEVER_FOUND, "reached": REACHED}.get(fate or "", "Not attributable")


def name_of(fate: Fate) -> str:
    """Return the name of a result's fate."""
    return fate_words(fate.fate, fate.stage)


def inside(name: str) -> str:
    """Return a fate's name as it stands within a sentence: in quotation marks, small first letter."""
    return quoted(name[:1].lower() + name[1:])


_REASONS = {
    "not_indexed": "not in the index",
    "below_cutoff": "below the cutoff",
    "not_retrieved": "not retrieved",
    "dropped": "dropped",
    "truncated": "cut short",
    "unlabelled": "no label",
    "no_answer": "no answer in the documents",
    "no_outcome": "neither pass nor fail recorded",
    "unknown_gold": "evidence known by its text only",
    "incomplete_lists": "lists recorded in part",
}


def reason_words(reason: str) -> str:
    """Return why a question stands where it stands, in words."""
    return _REASONS.get(reason) or cut(reason.replace("_", " "), NAME_LENGTH)


def cut_name(name: str | None) -> str:
    """Return an intent, tag or run name cut to fit a line; what was not recorded is said."""
    return "not recorded" if name is None else cut(name, NAME_LENGTH) or "(empty)"


def argument(name: str) -> str:
    """Return a run's name for a command to copy; a name a shell could act on, or too long to show, is not repeated."""
    return name if re.fullmatch(r"[A-Za-z0-9_.:/@-]{1,48}", name) and not name.startswith("-") else "RUN"
