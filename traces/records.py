"""Which records the gate lets in, and what becomes of fields it does not know."""

from __future__ import annotations

from collections import Counter
from typing import Any

from traces import gate, models
from traces.errors import RecordError
from traces.gate import Gate

_TRACE = frozenset(models.field_names(models.Trace))
_ITEM = frozenset(models.field_names(models.Item))
_LIST = frozenset(models.field_names(models.StageList))
_GOLD = frozenset(models.field_names(models.GoldItem))


def trace_gate() -> Gate[gate.NarrowTrace]:
    """Return the gate of one file of traces."""
    return Gate((gate.NarrowTrace, gate.Trace), models.Trace, _settle_trace)


def _settle_trace(raw: dict[str, Any], unknown: Counter[str]) -> None:
    """Move unknown fields where they are kept: of a trace to its tags, of an item to its metadata."""
    if raw.keys() == {"run"}:
        raise RecordError("late-header", "a run header can only be the first line")
    stages = raw.get("stages")
    if isinstance(stages, dict):
        for items in stages.values():
            _settle_items(items, unknown)
    elif isinstance(stages, list):
        for entry in stages:
            if isinstance(entry, dict):
                _keep(raw, "tags", _take(entry, _LIST, unknown, "stages[]"), prefix=f"{entry.get('stage')}.")
                _settle_items(entry.get("items"), unknown)
    gold = raw.get("gold")
    for entry in gold if isinstance(gold, list) else ():
        for item in entry if isinstance(entry, list) else (entry,):
            if isinstance(item, dict):
                _take(item, _GOLD, unknown, "gold[]")
    _keep(raw, "tags", _take(raw, _TRACE, unknown, ""))


def _settle_items(items: Any, unknown: Counter[str]) -> None:
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict):
            _keep(item, "metadata", _take(item, _ITEM, unknown, "item"))


def _take(raw: dict[str, Any], known: frozenset[str], unknown: Counter[str], place: str) -> dict[str, Any]:
    """Take the unknown fields out of an object and count them, one a field however often it stands in the record."""
    if raw.keys() <= known:
        return {}
    taken = {name: raw.pop(name) for name in list(raw) if name not in known}
    for name in taken:
        unknown[f"{place}.{name}" if place else name] = 1
    return taken


def _keep(raw: dict[str, Any], field: str, taken: dict[str, Any], *, prefix: str = "") -> None:
    """Add taken fields to an open field of the object; what stands there under the same name wins."""
    if taken and isinstance(raw.get(field), dict | None):
        raw[field] = {f"{prefix}{name}": value for name, value in taken.items()} | (raw.get(field) or {})


def dropping(model: type[models.Record]) -> gate.Settle:
    """Return what takes unknown fields out of a record and leaves them out."""
    known = frozenset(models.field_names(model))

    def settle(raw: dict[str, Any], unknown: Counter[str]) -> None:
        _take(raw, known, unknown, "")

    return settle


def keeping_tags(model: type[models.Record]) -> gate.Settle:
    """Return what moves a record's unknown fields to its tags."""
    known = frozenset(models.field_names(model))

    def settle(raw: dict[str, Any], unknown: Counter[str]) -> None:
        _keep(raw, "tags", _take(raw, known, unknown, ""))

    return settle
