"""Documents that come on their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.traces.made import everything, ingest, issues, lines, trace
from traces.imports import import_documents
from traces.store import TraceStore


def put(store: TraceStore, folder: Path, *records: dict[str, Any], **options: Any) -> Any:
    path = folder / "documents"
    path.write_bytes(lines(*records))
    return import_documents(store, path, **options)


def current(store: TraceStore) -> dict[str, list[Any]]:
    rows = store.step(("traces",), "current_documents", {})
    return {row["doc_id"]: [row[name] for name in ("title", "text", "indexed")] for row in rows}


def test_a_field_given_again_replaces_and_fields_not_given_stay(store: TraceStore, tmp_path: Path) -> None:
    put(store, tmp_path, {"doc_id": "d1", "title": "Z", "text": "z", "indexed": True}, {"doc_id": 2})
    report = put(store, tmp_path, {"doc_id": "d1", "text": "a", "indexed": False, "url": "x"})
    assert report.notes == ("unknown fields are not stored: url (1)",)
    assert current(store) == {"d1": ["Z", "a", False], "2": [None, None, None]}


def test_texts_of_lists_do_not_overlay_imported_ones_but_imports_overlay_them(
    store: TraceStore, tmp_path: Path
) -> None:
    put(store, tmp_path, {"doc_id": "d1", "text": "imported"}, {"doc_id": "d3", "indexed": True})
    shown = {"packed": [{"doc_id": name, "text": "shown"} for name in ("d1", "d2", "d3")]}
    ingest(store, tmp_path, trace(stages=shown))
    put(store, tmp_path, {"doc_id": "d2", "text": "imported later"})
    assert current(store) == {
        "d1": [None, "imported", None],
        "d2": [None, "imported later", None],
        "d3": [None, "shown", True],
    }


def test_aliases_are_stored_once_and_never_of_themselves(store: TraceStore, tmp_path: Path) -> None:
    put(store, tmp_path, {"doc_id": "d1", "aliases": ["d1", "a", 7, "a"]})
    put(store, tmp_path, {"doc_id": "d1", "aliases": ["a", "b"]})
    assert everything(store)["document_aliases"] == [("7", "d1", 1), ("a", "d1", 1), ("b", "d1", 2)]


@pytest.mark.parametrize(
    ("record", "field", "reason"),
    [
        ({"doc_id": "d1"}, "doc_id", "document 'd1' is already in the file"),
        ({"doc_id": "d2", "aliases": ["b", "a"]}, "aliases", "'a' stands for document 'd1' already"),
        ({"doc_id": "d2", "aliases": "a"}, "aliases", 'should be a list, is text ("a")'),
        ({"doc_id": "d2", "aliases": [""]}, "aliases[0]", "is empty"),
        ({"doc_id": "d2", "text": 4}, "text", "should be text, is a whole number (4)"),
    ],
)
def test_a_bad_document_is_quarantined_and_leaves_no_alias(
    store: TraceStore, tmp_path: Path, record: dict[str, Any], field: str, reason: str
) -> None:
    report = put(store, tmp_path, {"doc_id": "d1", "aliases": ["a"]}, record)
    assert (report.records, report.quarantined) == (1, 1)
    assert [(issue["field"], issue["reason"]) for issue in issues(store)] == [(field, reason)]
    assert store.value("SELECT count(*) FROM document_aliases") == 1


def test_large_texts_are_handed_over_before_they_pile_up(
    store: TraceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("traces.imports.documents._BATCH_CHARACTERS", 1_000)
    put(store, tmp_path, *({"doc_id": number, "text": "x" * 400} for number in range(50)))
    assert store.value("SELECT sum(len(text)) FROM documents") == 20_000


def test_the_same_bytes_change_nothing(store: TraceStore, tmp_path: Path) -> None:
    put(store, tmp_path, {"doc_id": "d1", "aliases": ["a"]})
    before = everything(store)
    assert put(store, tmp_path, {"doc_id": "d1", "aliases": ["a"]}).skipped_same_bytes
    assert everything(store) == before
