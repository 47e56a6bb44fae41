"""Titles and texts of some documents, looked up for these alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from attribution import fates
from traces.store import TraceStore


def document_texts(store: TraceStore, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return ``doc_id``, ``title`` and ``text`` of those documents that are known, by id."""
    wanted = sorted(set(names))
    store.connection.execute("CREATE OR REPLACE TEMP TABLE listed_documents (doc_id VARCHAR)")
    if not wanted:
        return {}
    store.append("listed_documents", pa.table({"doc_id": pa.array(wanted, pa.string())}))
    rows = store.step(fates.PACKAGES, "shown_documents", {}, given=frozenset({"listed_documents"}))
    return {row["doc_id"]: row for row in rows}
