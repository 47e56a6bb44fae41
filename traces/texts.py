"""Document texts that come with the items of a list."""

from __future__ import annotations

from traces.gate import Item
from traces.rows import Rows
from traces.store import TraceStore

# a text that was stored on purpose is not overlaid by what a list happens to show
_HELD = """
    EXISTS (SELECT 1 FROM documents AS held
            WHERE held.doc_id = arriving.doc_id AND (held.text IS NOT NULL OR arriving.text IS NULL))
"""


class TextRows:
    """Titles and texts on their way to ``documents``, for documents whose text is not stored yet."""

    def __init__(self, source_id: int) -> None:
        self._rows = Rows("documents", {"source_id": source_id}, doc_id="VARCHAR", title="VARCHAR", text="VARCHAR")
        self._waiting: dict[str, tuple[str | None, str | None]] = {}
        self.added = 0

    def add(self, doc_id: str, item: Item) -> None:
        """Add what an item shows of its document, if anything; the first text of a batch is kept."""
        held = self._waiting.get(doc_id)
        if held is None or (held[1] is None and item.text is not None):
            self._waiting[doc_id] = (item.title, item.text)

    def flush(self, store: TraceStore) -> None:
        """Append the documents whose text is not stored yet."""
        if not self._waiting:
            return
        for doc_id, (title, text) in self._waiting.items():
            self._rows.add(doc_id, title, text)
        self._waiting.clear()
        before = store.value("SELECT count(*) FROM documents")
        store.append("documents", self._rows.take(), unless=_HELD)
        self.added += store.value("SELECT count(*) FROM documents") - before
