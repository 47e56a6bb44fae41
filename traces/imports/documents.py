"""Documents that come on their own: title, text, whether they are indexed, and other ids they go by."""

from __future__ import annotations

from pathlib import Path

from traces import gate, models
from traces.errors import RecordError
from traces.gate import Gate
from traces.hits import rebuild_hits
from traces.imports.load import Import, take_in
from traces.progress import Progress
from traces.readers.base import DOCUMENTS
from traces.records import dropping
from traces.report import IngestReport
from traces.rows import Rows
from traces.store import TraceStore

_BATCH_CHARACTERS = 32 * 2**20
_BATCH = 50_000


def import_documents(
    store: TraceStore,
    path: Path | str,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    strict: bool = False,
    progress: Progress | None = None,
) -> IngestReport:
    """Add what is known of the documents. A field given again replaces the earlier one; fields not given stay.

    Aliases are other ids of the same document, in lists or judgments; every run's hits are found anew for them.

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
    return take_in(store, path, _Documents(), format=format, strict=strict, progress=progress)


class _Documents(Import[gate.Document]):
    kind = DOCUMENTS

    def new_gate(self) -> Gate[gate.Document]:
        return Gate((gate.Document,), models.Document, dropping(models.Document))

    def begin(self, store: TraceStore, source_id: int) -> None:
        own = {"source_id": source_id}
        self._seen: set[str] = set()
        self._stands_for = dict(store.connection.execute("SELECT alias, doc_id FROM document_aliases").fetchall())
        self._have_aliases = set(self._stands_for.values())
        self._rows = Rows("documents", own, doc_id="VARCHAR", title="VARCHAR", text="VARCHAR", indexed="BOOLEAN")
        self._aliases = Rows("document_aliases", own, alias="VARCHAR", doc_id="VARCHAR")
        self._waiting_characters = 0

    def add(self, record: gate.Document, line: int) -> None:  # noqa: ARG002 - documents do not keep their line
        doc_id = str(record.doc_id)
        if doc_id in self._seen:
            raise RecordError("twice", f"document '{doc_id}' is already in the file", field="doc_id")
        aliases = [str(alias) for alias in record.aliases or () if str(alias) != doc_id]
        if aliases and doc_id in self._stands_for:
            other = self._stands_for[doc_id]
            raise RecordError("alias-taken", f"'{doc_id}' is itself an alias of '{other}'", field="aliases")
        for alias in aliases:
            if alias in self._have_aliases:
                raise RecordError("alias-taken", f"'{alias}' has aliases of its own", field="aliases")
            other = self._stands_for.get(alias, doc_id)
            if other != doc_id:
                raise RecordError("alias-taken", f"'{alias}' stands for document '{other}' already", field="aliases")
        self._seen.add(doc_id)
        self._rows.add(doc_id, record.title, record.text, record.indexed)
        self._waiting_characters += len(record.text or "")
        for alias in aliases:
            if alias not in self._stands_for:
                self._stands_for[alias] = doc_id
                self._have_aliases.add(doc_id)
                self._aliases.add(alias, doc_id)

    def flush(self, store: TraceStore, *, last: bool) -> None:
        if last or len(self._rows) >= _BATCH or self._waiting_characters >= _BATCH_CHARACTERS:
            self._rows.flush(store)
            self._aliases.flush(store)
            self._waiting_characters = 0

    def finish(self, store: TraceStore, source_id: int) -> list[tuple[str, str]]:  # noqa: ARG002
        if self._aliases.added:
            rebuild_hits(store)
        return []
