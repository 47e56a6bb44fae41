"""The fast gate in front of the pydantic models: the same fields, decoded by msgspec straight into typed structs.

What the gate accepts the models of ``traces/models.py`` accept; a property test holds the two together. What the gate
refuses is put to the model, which says why, or accepts it after all (a date without a time, an id beyond 64 bits).

Three shapes are tried, each wider than the one before, and the one that fitted last is tried first from then on:
items that carry at most a score; items with every field; records with unknown fields, which are set aside first.
Of a key given twice in one JSON object the last wins, as every JSON parser here has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct
from pydantic import ValidationError

from traces import models, refusals
from traces.errors import RecordError

Text = Annotated[str, Meta(min_length=1, max_length=models.MAX_ID)]
Integer = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Id = Text | Integer
Number = Annotated[float, Meta(ge=-1.7976931348623157e308, le=1.7976931348623157e308)]  # NaN fails both bounds
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Rank = Annotated[int, Meta(ge=1, le=models.MAX_RANK)]
Weight = Annotated[float, Meta(ge=1e-9, le=1e9)]
_NUL = b"\\u0000"


class ScoredItem(Struct, forbid_unknown_fields=True, gc=False):
    """An item that says at most how it scored: the bulk of most files."""

    doc_id: Id
    score: Number | None = None


class Item(ScoredItem, forbid_unknown_fields=True):
    """As models.Item."""

    rank: Rank | None = None
    text: str | None = None
    title: str | None = None
    tokens: Count | None = None
    kept_tokens: Count | None = None
    chars: Count | None = None
    kept_chars: Count | None = None
    metadata: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        for whole, kept in ((self.tokens, self.kept_tokens), (self.chars, self.kept_chars)):
            if whole is not None and kept is not None and kept > whole:
                raise ValueError(f"keeps {kept} of {whole}")


class NarrowList(Struct, forbid_unknown_fields=True):
    """As models.StageList, its items with a score at most."""

    stage: Id
    items: Sequence[ScoredItem | Id]
    search: Count = 0
    query: str | None = None
    complete: bool = True
    inferred_by: str | None = None


class StageList(NarrowList, forbid_unknown_fields=True):
    """As models.StageList."""

    items: Sequence[Item | Id]


class GoldItem(Struct, forbid_unknown_fields=True):
    """As models.GoldItem."""

    doc_id: Id | None = None
    grade: Number = 1.0
    group: Id | None = None
    text: str | None = None

    def __post_init__(self) -> None:
        if self.doc_id is None and self.text is None and self.grade > 0:
            raise ValueError("needs a doc_id, or the text of a document whose id is not known")


class NarrowTrace(Struct, forbid_unknown_fields=True, kw_only=True):
    """As models.Trace, its items with a score at most."""

    query_id: Id
    stages: Mapping[Text, Sequence[ScoredItem | Id]] | Sequence[NarrowList]
    query: str | None = None
    intent: str | None = None
    repeat: Count = 0
    asked_at: datetime | None = None
    tags: dict[str, Any] | None = None
    answer: str | None = None
    passed: bool | Number | None = None
    score: Number | None = None
    judge: str | None = None
    gold: list[GoldItem | Id | list[GoldItem | Id]] | None = None
    answerable: bool | None = None

    def __post_init__(self) -> None:
        if self.gold and len({isinstance(entry, list) for entry in self.gold}) > 1:
            raise ValueError("mixes documents and lists of documents")


class Trace(NarrowTrace, forbid_unknown_fields=True, kw_only=True):
    """As models.Trace."""

    stages: Mapping[Text, Sequence[Item | Id]] | Sequence[StageList]


class Judgment(Struct, forbid_unknown_fields=True, kw_only=True):
    """As models.Judgment."""

    query_id: Id
    doc_id: Id | None = None
    grade: Number = 1.0
    group: Id | None = None
    text: str | None = None
    kind: str | None = None
    annotator: str | None = None
    at: datetime | None = None
    seconds: Number | None = None

    def __post_init__(self) -> None:
        if self.doc_id is None and self.text is None and self.grade > 0:
            raise ValueError("needs a doc_id, or the text of a document whose id is not known")


class Outcome(Struct, forbid_unknown_fields=True, kw_only=True):
    """As models.Outcome."""

    query_id: Id
    repeat: Count = 0
    passed: bool | Number | None = None
    score: Number | None = None
    judge: str | None = None


class OracleAnswer(Struct, forbid_unknown_fields=True, kw_only=True):
    """As models.OracleAnswer."""

    query_id: Id
    repeat: Count | None = None
    sample: str | None = None
    answer: str | None = None
    passed: bool | Number | None = None
    score: Number | None = None
    judge: str | None = None


class Question(Struct, forbid_unknown_fields=True, kw_only=True):
    """As models.Question."""

    query_id: Id
    query: str | None = None
    intent: str | None = None
    weight: Weight | None = None
    answerable: bool | None = None
    tags: dict[str, Any] | None = None


class Document(Struct, forbid_unknown_fields=True, kw_only=True):
    """As models.Document."""

    doc_id: Id
    text: str | None = None
    title: str | None = None
    indexed: bool | None = None
    aliases: list[Id] | None = None


R = TypeVar("R", bound=Struct)
Settle = Callable[[dict[str, Any], Counter[str]], None]


class Gate(Generic[R]):
    """Reads one kind of record.

    Args:
        shapes: structs to try, narrow to wide; each accepts all that the one before accepts.
        model: the pydantic model with the same fields.
        settle: takes the fields the model does not know out of a raw record, or moves them where they are kept, and
            counts them by name.
    """

    def __init__(self, shapes: Sequence[type[R]], model: type[models.Record], settle: Settle) -> None:
        self.unknown: Counter[str] = Counter()
        self._decoders = [msgspec.json.Decoder(shape) for shape in shapes]
        self._shapes = shapes
        self._first_shape = 0
        self._model = model
        self._settle = settle
        self._first = 0

    def read(self, value: bytes | dict[str, Any]) -> R:
        """Return the typed record of one JSON text, or of one row a table reader has put together.

        Raises:
            RecordError: with the field and the reason.
        """
        if isinstance(value, dict):
            return self._set_aside(value, plain=_NUL not in _encoded(value))
        plain = _NUL not in value  # a NUL can only stand escaped in JSON; the models know where it is allowed
        if plain:
            for number in range(self._first, len(self._decoders)):
                try:
                    record = self._decoders[number].decode(value)
                except (msgspec.ValidationError, RecursionError):
                    continue
                except (msgspec.DecodeError, UnicodeError) as error:
                    raise refusals.from_parser(error) from error
                self._first = number
                return record
        try:
            raw = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            raise refusals.from_parser(error) from error
        if not isinstance(raw, dict):
            raise RecordError(refusals.SLUG, f"should be an object, is {refusals.kind_of(raw)}")
        return self._set_aside(raw, plain=plain)

    def _set_aside(self, raw: dict[str, Any], *, plain: bool) -> R:
        unknown: Counter[str] = Counter()
        self._settle(raw, unknown)
        record = self._convert(raw, plain=plain)
        if unknown:
            self.unknown.update(unknown)
            self._first = len(self._decoders)
        return record

    def _convert(self, raw: dict[str, Any], *, plain: bool) -> R:
        if plain:
            for number in range(self._first_shape, len(self._shapes)):
                try:
                    record = msgspec.convert(raw, self._shapes[number])
                except msgspec.ValidationError:
                    continue  # the next shape may fit; else the model says why, or accepts it
                self._first_shape = number
                return record
        try:
            model = self._model.model_validate(raw)
        except ValidationError as error:
            raise refusals.from_model(error, raw) from error
        return msgspec.convert(model.model_dump(exclude_none=True), self._shapes[-1])


def _encoded(value: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (UnicodeError, RecursionError) as error:
        raise refusals.from_parser(error) from error
    except TypeError as error:
        raise RecordError(refusals.SLUG, f"holds a value that JSON cannot: {error}") from error
