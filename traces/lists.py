"""A stage's list, from the items of a record to the row that is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import pyarrow as pa

from traces.errors import RecordError
from traces.gate import Item, ScoredItem
from traces.models import MAX_RANK
from traces.rows import Fixed, Rows
from traces.store import TraceStore

Entry = ScoredItem | str | int
DocId = Callable[[str | int], str]


@dataclass(slots=True)
class StoredList:
    """One list as stored: ``docs`` by place, None where none is recorded; a measure is None where no item has it."""

    docs: Sequence[str | None]
    items: int
    duplicates: int
    scores: list[float | None] | None = None
    tokens: list[int | None] | None = None
    kept_tokens: list[int | None] | None = None
    chars: list[int | None] | None = None
    kept_chars: list[int | None] | None = None
    truncated: list[str] | None = None
    truncated_items: int = 0
    metadata: str | None = None


@dataclass(slots=True)
class PlacedList:
    """A stored list with the stage and the search it belongs to."""

    stage: str
    search: int
    row: StoredList
    complete: bool = True
    inferred_by: str | None = None


def stored_list(entries: Sequence[Entry], doc_id: DocId | None = None) -> StoredList:
    """Put a record's items in their places.

    Args:
        entries: the items in the order of the record.
        doc_id: what to make of every id; None keeps text as it is and turns integers into text.

    Raises:
        RecordError: longer than 65,535 places, or only some items carry a rank.
    """
    if len(entries) > MAX_RANK:
        raise RecordError("long-list", f"{len(entries):,} items, lists hold up to {MAX_RANK:,}")
    kinds = set(map(type, entries))
    if kinds == {ScoredItem}:
        ids: list[str | int] = [item.doc_id for item in entries]  # type: ignore[union-attr]
        scores = [item.score for item in entries]  # type: ignore[union-attr]
        docs = _texts(ids, doc_id)
        return StoredList(docs, len(docs), len(docs) - len(set(docs)), _unless_empty(scores))
    if Item not in kinds and ScoredItem not in kinds:
        docs = _texts(entries, doc_id)  # type: ignore[arg-type]
        return StoredList(docs, len(docs), len(docs) - len(set(docs)))
    return _full_list([_whole(entry) for entry in entries], doc_id)


def _whole(entry: Entry) -> Item:
    if isinstance(entry, Item):
        return entry
    if isinstance(entry, ScoredItem):
        return Item(entry.doc_id, entry.score)
    return Item(entry)


def _texts(ids: Sequence[str | int], doc_id: DocId | None) -> list[str]:
    if doc_id is not None:
        return [doc_id(name) for name in ids]
    if set(map(type, ids)) <= {str}:
        return list(ids)  # type: ignore[arg-type]
    return [str(name) for name in ids]


def _unless_empty(values: list[Any]) -> list[Any] | None:
    return None if values.count(None) == len(values) else values


def _full_list(items: list[Item], doc_id: DocId | None) -> StoredList:
    ranked = [item.rank is not None for item in items]
    places = list(range(1, len(items) + 1))
    if any(ranked):
        if not all(ranked):
            raise RecordError("some-ranks", f"{sum(ranked)} of {len(items)} items carry a rank; all or none must")
        items = sorted(items, key=lambda item: item.rank or 0)
        places = _places(items)
    docs = _texts([item.doc_id for item in items], doc_id)
    length = places[-1]
    gaps = length > len(items)

    def spread(values: list[Any]) -> list[Any]:
        if not gaps:
            return values
        spaced: list[Any] = [None] * length
        for place, value in zip(places, values, strict=True):
            spaced[place - 1] = value
        return spaced

    def measure(values: list[Any]) -> list[Any] | None:
        kept = _unless_empty(values)
        return None if kept is None else spread(kept)

    whole = {name for name, item in zip(docs, items, strict=True) if not _cut(item)}
    truncated = [name for name in dict.fromkeys(docs) if name not in whole]
    metadata = {str(place): item.metadata for place, item in zip(places, items, strict=True) if item.metadata}
    return StoredList(
        docs=spread(docs),
        items=len(items),
        duplicates=len(docs) - len(set(docs)),
        scores=measure([item.score for item in items]),
        tokens=measure([item.tokens for item in items]),
        kept_tokens=measure([item.kept_tokens for item in items]),
        chars=measure([item.chars for item in items]),
        kept_chars=measure([item.kept_chars for item in items]),
        truncated=truncated or None,
        truncated_items=len(truncated),
        metadata=msgspec.json.encode(metadata).decode() if metadata else None,
    )


def _places(items: Sequence[Item]) -> list[int]:
    """Ranks as places: gaps stay gaps, and items that share a rank follow one another."""
    places: list[int] = []
    last = 0
    for item in items:
        last = max(last + 1, item.rank or 0)
        places.append(last)
    if last > MAX_RANK:
        raise RecordError("long-list", f"ranks that repeat push the last one past {MAX_RANK:,}")
    return places


def _cut(item: Item) -> bool:
    return (item.tokens is not None and item.kept_tokens is not None and item.kept_tokens < item.tokens) or (
        item.chars is not None and item.kept_chars is not None and item.kept_chars < item.chars
    )


class _ListColumn:
    """One column of lists: the values flat, the offsets beside them, NULL where there is no list."""

    def __init__(self, kind: pa.DataType) -> None:
        self._kind = kind
        self._reset()

    def _reset(self) -> None:
        self._values: list[Any] = []
        self._offsets = [0]
        self._missing: list[bool] = []

    def add(self, values: Sequence[Any] | None) -> None:
        if values is not None:
            self._values.extend(values)
        self._missing.append(values is None)
        self._offsets.append(len(self._values))

    def take(self) -> pa.Array:
        if all(self._missing):
            array = pa.nulls(len(self._missing), pa.list_(self._kind))
        else:
            array = pa.ListArray.from_arrays(
                pa.array(self._offsets, pa.int32()),
                pa.array(self._values, self._kind),
                mask=pa.array(self._missing, pa.bool_()) if any(self._missing) else None,
            )
        self._reset()
        return array


class ListRows:
    """Rows of ``stage_lists`` on their way to the store."""

    def __init__(self, fixed: Fixed) -> None:
        self._fixed = fixed
        self._plain = Rows(
            "stage_lists",
            fixed,
            query_id="VARCHAR",
            repeat="INTEGER",
            search="INTEGER",
            stage="VARCHAR",
            items="INTEGER",
            duplicates="INTEGER",
            truncated_items="INTEGER",
            complete="BOOLEAN",
            inferred_by="VARCHAR",
            metadata="VARCHAR",
        )
        kinds = {"docs": pa.string(), "truncated": pa.string(), "scores": pa.float64()}
        kinds |= dict.fromkeys(("tokens", "kept_tokens", "chars", "kept_chars"), pa.int32())
        self._lists = {name: _ListColumn(kind) for name, kind in kinds.items()}
        self.items = 0
        self.waiting_items = 0

    @property
    def added(self) -> int:
        """How many lists were added in all."""
        return self._plain.added

    def add(self, query_id: str, repeat: int, listed: PlacedList) -> None:
        """Add one list."""
        row = listed.row
        self._plain.add(
            query_id,
            repeat,
            listed.search,
            listed.stage,
            row.items,
            row.duplicates,
            row.truncated_items,
            listed.complete,
            listed.inferred_by,
            row.metadata,
        )
        for name, column in self._lists.items():
            column.add(getattr(row, name))
        self.items += row.items
        self.waiting_items += len(row.docs)

    def flush(self, store: TraceStore) -> None:
        """Append the waiting lists to the store."""
        if len(self._plain):
            table = self._plain.take()
            for name, column in self._lists.items():
                table = table.append_column(name, column.take())
            self.waiting_items = 0
            store.append("stage_lists", table)
