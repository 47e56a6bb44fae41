"""Labels that come on their own: a label set grows by one version an import."""

from __future__ import annotations

from pathlib import Path

from traces import gate, models
from traces.errors import RecordError, UsageError
from traces.gate import Gate
from traces.gold import GoldSet
from traces.hits import INLINE, rebuild_hits
from traces.imports.load import Import, take_in
from traces.labelsets import add_version, next_version
from traces.progress import Progress
from traces.readers.base import LABELS
from traces.records import dropping
from traces.report import IngestReport
from traces.rows import Rows
from traces.runs import checked_name
from traces.store import TraceStore
from traces.values import counted, utc

AUDIT = "audit"
"""The kind of judgments that check a label set by open search: one row a question searched, found or not."""

_BATCH = 50_000
_UNKNOWN_QUESTIONS = """
    SELECT count(DISTINCT query_id) FROM judgments
    WHERE source_id = $source_id AND query_id NOT IN (SELECT query_id FROM repeats)
"""
_JUDGED_RUNS = """
    SELECT count(DISTINCT run_id) FROM repeats
    WHERE query_id IN (SELECT query_id FROM judgments WHERE source_id = $source_id)
"""
_CONFLICTS = """
    SELECT count(*) FROM (
        SELECT query_id, doc_id FROM judgments
        WHERE label_set = $name AND run_id IS NULL AND doc_id IS NOT NULL
          AND query_id IN (SELECT query_id FROM judgments WHERE source_id = $source_id)
        GROUP BY query_id, doc_id HAVING count(DISTINCT grade) > 1
    )
"""


def import_labels(
    store: TraceStore,
    path: Path | str,
    *,
    name: str,
    kind: str = "human",
    format: str | None = None,  # noqa: A002 - the word users know
    strict: bool = False,
    progress: Progress | None = None,
) -> IngestReport:
    """Add judgments to a label set, as its next version.

    Args:
        store: open for writing.
        path: the file, ``-`` for standard input.
        name: the label set.
        kind: who judged (``human``, ``model`` …), where a record does not say.
        format: name of the format; None to tell it from the content.
        strict: stop at the first record that cannot be stored, and store nothing.
        progress: told how far the read has come.

    Raises:
        UsageError: ``name`` is empty, or the one kept for gold that traces carry.
        InputError: the file cannot be used at all, or no record of it.
        RecordError: ``strict``, and a record cannot be stored.
    """
    return take_in(store, path, _Labels(name, kind), format=format, strict=strict, progress=progress)


class _Labels(Import[gate.Judgment]):
    kind = LABELS

    def __init__(self, name: str, kind: str) -> None:
        if name == INLINE:
            raise UsageError("bad-name", f"'{INLINE}' is kept for gold that traces carry", hint="choose another --name")
        self.target = checked_name(name, "label set")
        self.options = {"kind": kind}
        self._kind = kind

    def new_gate(self) -> Gate[gate.Judgment]:
        return Gate((gate.Judgment,), models.Judgment, dropping(models.Judgment))

    def begin(self, store: TraceStore, source_id: int) -> None:
        self._set = GoldSet(self.target, next_version(store, self.target, None), None)
        self._rows = Rows(
            "judgments",
            {"label_set": self.target, "version": self._set.version, "run_id": None, "source_id": source_id},
            query_id="VARCHAR",
            doc_id="VARCHAR",
            text="VARCHAR",
            grade="DOUBLE",
            evidence_group="VARCHAR",
            kind="VARCHAR",
            annotator="VARCHAR",
            judged_at="TIMESTAMP",
            seconds="DOUBLE",
            line="BIGINT",
        )

    def add(self, record: gate.Judgment, line: int) -> None:
        kind = record.kind if record.kind is not None else self._kind
        if record.doc_id is None and record.text is None and kind != AUDIT:
            message = "names no document: only an audit may say of a question that nothing was found"
            raise RecordError("bad-record", message, field="doc_id", hint=f"import it with --kind {AUDIT}")
        self._rows.add(
            str(record.query_id),
            None if record.doc_id is None else str(record.doc_id),
            record.text,
            record.grade,
            None if record.group is None else str(record.group),
            kind,
            record.annotator,
            utc(record.at, "at"),
            record.seconds,
            line,
        )

    def flush(self, store: TraceStore, *, last: bool) -> None:
        if last or len(self._rows) >= _BATCH:
            self._rows.flush(store)

    def finish(self, store: TraceStore, source_id: int) -> list[tuple[str, str]]:
        add_version(store, self._set, source_id)
        rebuild_hits(store, label_set=self.target)
        mine = {"source_id": source_id}
        notes = []
        judged_runs = store.value(_JUDGED_RUNS, mine)
        notes.append(
            (
                "judged-runs",
                counted(judged_runs, "stored run has questions", "stored runs have questions") + " judged here",
            )
        )
        unknown = store.value(_UNKNOWN_QUESTIONS, mine)
        if unknown:
            notes.append(
                (
                    "unknown-questions",
                    counted(unknown, "judged question is", "judged questions are") + " in no stored run",
                )
            )
        conflicts = store.value(_CONFLICTS, mine | {"name": self.target})
        if conflicts:
            found = counted(conflicts, "document is judged twice", "documents are judged twice")
            notes.append(("conflicts", f"{found} with different grades; the latest is in force"))
        return notes
