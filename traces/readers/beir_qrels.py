"""BEIR judgments: tab-separated under the header ``query-id corpus-id score``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from traces.errors import RecordError
from traces.progress import Progress
from traces.readers.base import LABELS, Format, Raw
from traces.readers.columns import judgment, number, text
from traces.sources import Source

_HEADER = [b"query-id", b"corpus-id", b"score"]


def _told_by(head: list[bytes]) -> str | None:
    return "its header is query-id, corpus-id, score" if head and head[0].split(b"\t") == _HEADER else None


def _read(source: Source, progress: Progress) -> Iterator[Raw]:
    """Yield one judgment a line below the header."""
    lines = source.lines(progress)
    first = next(lines, None)
    if first is not None and first[1].split(b"\t") != _HEADER:
        fault = RecordError("no-header", "the header should be query-id, corpus-id, score, set apart by tabs")
        yield Raw(source.name, first[0], fault, first[1])
    for at, line in lines:
        yield Raw(source.name, at, _judgment(line), line)


def _judgment(line: bytes) -> dict[str, Any] | RecordError:
    try:
        query_id, doc_id, grade = judgment(line.split(b"\t"), len(_HEADER))
        return {"query_id": text(query_id), "doc_id": text(doc_id), "grade": number(grade, "score")}
    except RecordError as error:
        return error


FORMAT = Format("beir", "BEIR judgments: query-id, corpus-id, score", frozenset((LABELS,)), _told_by, _read)
