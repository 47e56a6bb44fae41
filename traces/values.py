"""Small conversions between what records say and what the store keeps."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec

from traces.errors import RecordError


def utc(moment: datetime | None, field: str) -> datetime | None:
    """Return a time in UTC without its zone, as the store keeps it; a time without a zone is taken as UTC.

    Raises:
        RecordError: the time in UTC lies outside the years 1 to 9999.
    """
    if moment is None or moment.tzinfo is None:
        return moment
    try:
        return moment.astimezone(UTC).replace(tzinfo=None)
    except OverflowError as error:
        raise RecordError("bad-record", "is outside the years 1 to 9999", field=field) from error


def tag_text(value: Any) -> str | None:
    """Return a tag's value as text: text and dates as they are, everything else as JSON, null as None."""
    if value is None or isinstance(value, str):
        return value
    encoded = msgspec.json.encode(value)
    return msgspec.json.decode(encoded, type=str) if encoded.startswith(b'"') else encoded.decode()


def counted(number: int, one: str, many: str) -> str:
    """Return a count with the words that go with it."""
    return f"{number:,} {one if number == 1 else many}"
