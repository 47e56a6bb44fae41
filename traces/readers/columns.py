"""Text formats whose lines are columns."""

from __future__ import annotations

import math

from traces.errors import RecordError


def finite(column: bytes | str) -> float | None:
    """Return the number a column spells; None for no number, NaN, infinity, and digits with underscores."""
    try:
        value = float(column)
    except ValueError:
        return None
    spelled = "_" not in column if isinstance(column, str) else b"_" not in column
    return value if spelled and math.isfinite(value) else None


def text(column: bytes) -> str:
    """Return the text of a column.

    Raises:
        RecordError: it is not UTF-8.
    """
    try:
        return column.decode()
    except UnicodeDecodeError as error:
        raise RecordError("not-utf8", "not UTF-8 text", hint="recode the file as UTF-8") from error


def number(column: bytes, field: str) -> float:
    """Return the finite number a column holds.

    Raises:
        RecordError: it holds none.
    """
    value = finite(column)
    if value is None:
        shown = column[:40].decode(errors="replace")
        raise RecordError("bad-record", f"should be a finite number, is '{shown}'", field=field)
    return value


def judgment(columns: list[bytes], wanted: int) -> list[bytes]:
    """Return the columns of a judgment if they are as many as wanted.

    Raises:
        RecordError: they are not.
    """
    if len(columns) != wanted:
        raise RecordError("wrong-columns", f"has {len(columns)} columns, a judgment has {wanted}")
    return columns
