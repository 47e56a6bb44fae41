"""What every reader yields, and what it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from traces.errors import RecordError
from traces.progress import Progress
from traces.sources import Source

RUN = "run"
LABELS = "labels"
OUTCOMES = "outcomes"
ORACLE = "oracle"
QUESTIONS = "questions"
DOCUMENTS = "documents"
EVERYTHING = frozenset((RUN, LABELS, OUTCOMES, ORACLE, QUESTIONS, DOCUMENTS))


@dataclass(slots=True)
class Raw:
    """One record as read: JSON text, or the fields a table reader found, or why there is no reading it.

    ``line`` is the true line number in ``file``, or the row number where the format has no lines.
    """

    file: str
    line: int
    value: bytes | dict[str, Any] | RecordError
    raw: bytes


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a reader noticed that costs no record."""

    slug: str
    text: str


Read = Callable[[Source, Progress], Iterator[Raw]]


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Args:
        name: what users call it.
        description: one line on what it is.
        brings: what can be read from it: any of ``run``, ``labels``, ``outcomes``, ``oracle``, ``questions`` and
            ``documents``.
        told_by: says from the first lines that are not blank why a file is of this format, or None if it is not.
        read: yields its records; None where one file holds only a part of each record.
    """

    name: str
    description: str
    brings: frozenset[str]
    told_by: Callable[[list[bytes]], str | None]
    read: Read | None
