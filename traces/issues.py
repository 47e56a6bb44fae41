"""What could not be stored and what was noticed: told to the caller, and kept in ``ingest_issues``."""

from __future__ import annotations

from dataclasses import dataclass

from traces.errors import InputError, RecordError
from traces.rows import Rows
from traces.store import TraceStore

RAW_KEPT = 64 * 2**10
SHOWN = 5
_FLUSH_AT = 1_000


@dataclass(frozen=True, slots=True)
class Issue:
    """One record that went to quarantine."""

    file: str
    line: int
    slug: str
    field: str | None
    reason: str

    def text(self) -> str:
        """Return the issue as one line."""
        return f"{self.file}:{self.line}: {f'{self.field}: ' if self.field else ''}{self.reason}"


class Issues:
    """Collects the quarantined records and the notes of one source.

    Args:
        source_id: the source they belong to.
        strict: raise at the first record that cannot be stored.
    """

    def __init__(self, source_id: int, *, strict: bool) -> None:
        self._strict = strict
        self._rows = Rows(
            "ingest_issues",
            {"source_id": source_id},
            severity="VARCHAR",
            file="VARCHAR",
            line="BIGINT",
            slug="VARCHAR",
            field="VARCHAR",
            reason="VARCHAR",
            raw="BLOB",
        )
        self.quarantined = 0
        self.first: list[Issue] = []
        self.notes: list[str] = []

    def refuse(self, error: RecordError, file: str, line: int, raw: bytes, store: TraceStore) -> None:
        """Put one record into quarantine.

        Raises:
            RecordError: the same one with its place, where strict.
        """
        if self._strict:
            raise RecordError(
                error.slug, error.reason, field=error.field, where=f"{file}:{line}", hint=error.hint
            ) from error
        reason = f"{error.reason}; {error.hint}" if error.hint else error.reason
        self.quarantined += 1
        if len(self.first) < SHOWN:
            self.first.append(Issue(file, line, error.slug, error.field, reason))
        self._rows.add("quarantined", file, line, error.slug, error.field, reason, raw[:RAW_KEPT])
        if len(self._rows) >= _FLUSH_AT:
            self.flush(store)

    def note(self, slug: str, text: str, file: str) -> None:
        """Keep something worth knowing that cost no record."""
        self.notes.append(text)
        self._rows.add("note", file, None, slug, None, text, None)

    def flush(self, store: TraceStore) -> None:
        """Hand all that waits to the store."""
        self._rows.flush(store)


def nothing_stored(issues: Issues, file: str) -> InputError:
    """Return the error for a file of which no record could be stored, with the first reasons."""
    if not issues.first:
        return InputError("no-records", "there is no record in the file", where=file)
    reasons = "; ".join(issue.text() for issue in issues.first[:3])
    return InputError(
        "no-good-record", f"not one of {issues.quarantined:,} records can be stored: {reasons}", where=file
    )
