"""Questions that come on their own: their text, intent, weight and tags."""

from __future__ import annotations

from pathlib import Path

from traces import gate, models
from traces.errors import RecordError
from traces.gate import Gate
from traces.imports.load import Import, take_in
from traces.progress import Progress
from traces.readers.base import QUESTIONS
from traces.records import keeping_tags
from traces.report import IngestReport
from traces.rows import Rows
from traces.store import TraceStore
from traces.values import tag_text

_BATCH = 50_000


def import_questions(
    store: TraceStore,
    path: Path | str,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    strict: bool = False,
    progress: Progress | None = None,
) -> IngestReport:
    """Add what is known of the questions. A field given again replaces the earlier one; fields not given stay.

    Args:
        store: open for writing.
        path: the file, ``-`` for standard input.
        format: name of the format; None to tell it from the content.
        strict: stop at the first record that cannot be stored, and store nothing.
        progress: told how far the read has come.

    Raises:
        InputError: the file cannot be used at all, or no record of it.
        RecordError: ``strict``, and a record cannot be stored.
    """
    return take_in(store, path, _Questions(), format=format, strict=strict, progress=progress)


class _Questions(Import[gate.Question]):
    kind = QUESTIONS
    unknown_are = "kept as tags"

    def new_gate(self) -> Gate[gate.Question]:
        return Gate((gate.Question,), models.Question, keeping_tags(models.Question))

    def begin(self, store: TraceStore, source_id: int) -> None:  # noqa: ARG002 - nothing stored bears on a question
        self._seen: set[str] = set()
        self._rows = Rows(
            "questions",
            {"source_id": source_id},
            query_id="VARCHAR",
            query="VARCHAR",
            intent="VARCHAR",
            weight="DOUBLE",
            answerable="BOOLEAN",
        )
        self._tags = Rows(
            "question_tags", {"source_id": source_id}, query_id="VARCHAR", field="VARCHAR", value="VARCHAR"
        )

    def add(self, record: gate.Question, line: int) -> None:  # noqa: ARG002 - questions do not keep their line
        query_id = str(record.query_id)
        if query_id in self._seen:
            raise RecordError("twice", f"question '{query_id}' is already in the file", field="query_id")
        self._seen.add(query_id)
        self._rows.add(query_id, record.query, record.intent, record.weight, record.answerable)
        for field, value in (record.tags or {}).items():
            if (text := tag_text(value)) is not None:
                self._tags.add(query_id, field, text)

    def flush(self, store: TraceStore, *, last: bool) -> None:
        if last or len(self._rows) >= _BATCH:
            self._rows.flush(store)
            self._tags.flush(store)

    def finish(self, store: TraceStore, source_id: int) -> list[tuple[str, str]]:  # noqa: ARG002
        return []
