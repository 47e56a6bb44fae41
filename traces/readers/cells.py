"""Values of table cells, by the name of their column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from traces import refusals
from traces.errors import RecordError
from traces.readers.columns import finite

_TRUTH = {"true": True, "false": False}


def _number(text: str) -> Any:
    value = finite(text)
    return text if value is None else value


def _count(text: str) -> Any:
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else text


def _truth(text: str) -> Any:
    return _TRUTH.get(text.strip().lower(), text)


def _truth_or_number(text: str) -> Any:
    value = _truth(text)
    return _number(text) if value is text else value


# what does not parse stays text, for the gate to refuse with its field and reason
_PARSERS: dict[str, Callable[[str], Any]] = {
    "repeat": _count,
    "score": _number,
    "grade": _number,
    "weight": _number,
    "seconds": _number,
    "answerable": _truth,
    "indexed": _truth,
    "passed": _truth_or_number,
}
NESTED = frozenset(("stages", "gold", "tags", "aliases"))


def cell_value(column: str, text: str) -> Any:
    """Return what a cell of text means.

    Raises:
        RecordError: the column holds lists or objects, and the cell is not JSON.
    """
    return nested(column, text) if column in NESTED else _PARSERS.get(column, str)(text)


def nested(column: str, text: str) -> Any:
    """Return the list or object a cell spells.

    Raises:
        RecordError: the cell is not JSON.
    """
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        fault = refusals.from_parser(error)
        raise RecordError(fault.slug, fault.reason, field=column, hint=fault.hint) from error
