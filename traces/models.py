"""The canonical records, as a pipeline hands them over.

This is the public schema and the only validation boundary. ``traces/gate.py`` holds the same fields for the fast path;
a test keeps the two together: what the gate accepts, these models accept.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

MAX_ID = 1024
MAX_RANK = 65_535


def _integer_to_text(value: Any) -> Any:
    """Ids are text; integers are common in exports and lose nothing as text. Booleans are not ids."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _no_nul(value: str) -> str:
    if "\x00" in value:
        raise ValueError("an id cannot contain a NUL character")
    return value


Id = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_ID), AfterValidator(_no_nul), BeforeValidator(_integer_to_text)
]
Score = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=2_147_483_647)]


class Record(BaseModel):
    """Base of every canonical record: strict types, no unknown fields."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Item(Record):
    """One document in a stage's list. ``kept_* < *`` means the piece was truncated."""

    doc_id: Id
    score: Score | None = None
    rank: Annotated[int, Field(ge=1, le=MAX_RANK)] | None = None
    text: str | None = None
    title: str | None = None
    tokens: Count | None = None
    kept_tokens: Count | None = None
    chars: Count | None = None
    kept_chars: Count | None = None
    metadata: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _kept_within_whole(self) -> Item:
        for whole, kept in ((self.tokens, self.kept_tokens), (self.chars, self.kept_chars)):
            if whole is not None and kept is not None and kept > whole:
                raise ValueError(f"keeps {kept} of {whole}")
        return self


class StageList(Record):
    """One stage's list in one search.

    ``complete`` is false where the trace lost part of the list; ``inferred_by`` names the rule that derived the list
    where the pipeline did not record it itself.
    """

    stage: Id
    items: list[Item | Id]
    search: Count = 0
    query: str | None = None
    complete: bool = True
    inferred_by: str | None = None


class GoldItem(Record):
    """One document that holds the evidence. ``text`` stands in for an id nobody could map."""

    doc_id: Id | None = None
    grade: Score = 1.0
    group: Id | None = None
    text: str | None = None

    @model_validator(mode="after")
    def _names_something(self) -> GoldItem:
        if self.doc_id is None and self.text is None and self.grade > 0:
            raise ValueError("needs a doc_id, or the text of a document whose id is not known")
        return self


Gold = list[GoldItem | Id] | list[list[GoldItem | Id]]
IsoTime = Annotated[datetime, Field(strict=False)]


class Trace(Record):
    """What the pipeline did for one question, or for one repeat of it."""

    query_id: Id
    stages: dict[Id, list[Item | Id]] | list[StageList]
    query: str | None = None
    intent: str | None = None
    repeat: Count = 0
    asked_at: IsoTime | None = None
    tags: dict[str, Any] | None = None
    answer: str | None = None
    passed: bool | Score | None = None
    score: Score | None = None
    judge: str | None = None
    gold: Gold | None = None
    answerable: bool | None = None


class RunInfo(Record):
    """The optional first line of a trace file: ``{"run": {...}}``. ``synthetic`` says how made-up data was made."""

    run_id: Id | None = None
    build: str | None = None
    created_at: IsoTime | None = None
    stages: list[Id] | None = None
    cutoffs: dict[Id, Annotated[int, Field(ge=1, le=MAX_RANK)]] | None = None
    index_size: Count | None = None
    model: str | None = None
    prompt: str | None = None
    judge: str | None = None
    synthetic: str | None = None
    notes: Any = None


class Judgment(Record):
    """One (question, document) judgment, with its provenance."""

    query_id: Id
    doc_id: Id | None = None
    grade: Score = 1.0
    group: Id | None = None
    text: str | None = None
    kind: str | None = None
    annotator: str | None = None
    at: IsoTime | None = None
    seconds: Score | None = None

    @model_validator(mode="after")
    def _names_something(self) -> Judgment:
        if self.doc_id is None and self.text is None and self.grade > 0:
            raise ValueError("needs a doc_id, or the text of a document whose id is not known")
        return self


class Outcome(Record):
    """One end-to-end verdict. A number needs a pass rule."""

    query_id: Id
    repeat: Count = 0
    passed: bool | Score | None = None
    score: Score | None = None
    judge: str | None = None


class OracleAnswer(Record):
    """One answer given with the gold in the prompt, judged. ``repeat`` and ``sample`` are those of the export."""

    query_id: Id
    repeat: Count | None = None
    sample: str | None = None
    answer: str | None = None
    passed: bool | Score | None = None
    score: Score | None = None
    judge: str | None = None


class Question(Record):
    """One question of the eval set. ``weight`` is its share of traffic, in any unit."""

    query_id: Id
    query: str | None = None
    intent: str | None = None
    weight: Annotated[float, Field(ge=1e-9, le=1e9)] | None = None
    answerable: bool | None = None
    tags: dict[str, Any] | None = None


class Document(Record):
    """One document. ``indexed`` false says that retrieval could not have found it."""

    doc_id: Id
    text: str | None = None
    title: str | None = None
    indexed: bool | None = None
    aliases: list[Id] | None = None


def field_names(model: type[BaseModel]) -> Iterable[str]:
    """Return the names a record of this kind may carry."""
    return model.model_fields.keys()
