"""Canonical JSON Lines: one object a line."""

from __future__ import annotations

from collections.abc import Iterator

from traces.errors import RecordError
from traces.progress import Progress
from traces.readers.base import EVERYTHING, Format, Raw
from traces.sources import MAX_LINE, Source


def _told_by(head: list[bytes]) -> str | None:
    objects = sum(line.lstrip().startswith(b"{") and len(line.strip()) > 1 for line in head)
    return f"{objects} of the first {len(head)} lines begin a JSON object" if objects else None


def _read(source: Source, progress: Progress) -> Iterator[Raw]:
    for number, line in source.lines(progress):
        if len(line) > MAX_LINE:
            fault = RecordError("long-line", f"the line is longer than {MAX_LINE // 2**20} MB")
            yield Raw(source.name, number, fault, line)
        else:
            yield Raw(source.name, number, line, line)


FORMAT = Format("jsonl", "canonical records, one JSON object a line", EVERYTHING, _told_by, _read)
