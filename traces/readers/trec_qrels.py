"""TREC qrels: ``question iteration document grade``, four columns set apart by white space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from traces.errors import RecordError
from traces.progress import Progress
from traces.readers.base import LABELS, Format, Raw
from traces.readers.columns import finite, judgment, number, text
from traces.sources import Source

_COLUMNS = 4


def _told_by(head: list[bytes]) -> str | None:
    rows = [line.split() for line in head]
    fitting = sum(len(row) == _COLUMNS and finite(row[3]) is not None for row in rows)
    return f"{fitting} of the first {len(head)} lines have 4 columns that end in a grade" if fitting else None


def _read(source: Source, progress: Progress) -> Iterator[Raw]:
    """Yield one judgment a line; grades may be negative or fractions."""
    for at, line in source.lines(progress):
        yield Raw(source.name, at, _judgment(line), line)


def _judgment(line: bytes) -> dict[str, Any] | RecordError:
    try:
        query_id, _, doc_id, grade = judgment(line.split(), _COLUMNS)
        return {"query_id": text(query_id), "doc_id": text(doc_id), "grade": number(grade, "grade")}
    except RecordError as error:
        return error


FORMAT = Format(
    "trec-qrels", "TREC judgments: question, iteration, document, grade", frozenset((LABELS,)), _told_by, _read
)
