"""Inline gold: the judgments a trace carries with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from traces.gate import GoldItem
from traces.lists import DocId
from traces.rows import Rows
from traces.store import TraceStore

INLINE_KIND = "inline"
Judged = tuple[str | None, str | None, float, str | None]  # document, text, grade, evidence group
Given = Sequence[GoldItem | str | int | Sequence[GoldItem | str | int]]


@dataclass(frozen=True, slots=True)
class GoldSet:
    """Where inline gold goes: a label set at one version; ``run_id`` None when the set judges every run."""

    name: str
    version: int
    run_id: str | None


def judged(gold: Given, doc_id: DocId) -> list[Judged]:
    """Return the judgments in a trace's gold; the lists of a list of lists are evidence groups "1", "2" and so on."""
    found: list[Judged] = []
    for number, entry in enumerate(gold, start=1):
        if isinstance(entry, GoldItem | str | int):
            found.append(_one(entry, None, doc_id))
        else:
            found.extend(_one(item, str(number), doc_id) for item in entry)
    return found


def _one(entry: GoldItem | str | int, group: str | None, doc_id: DocId) -> Judged:
    if not isinstance(entry, GoldItem):
        return doc_id(entry), None, 1.0, group
    own = group if entry.group is None else str(entry.group)
    return None if entry.doc_id is None else doc_id(entry.doc_id), entry.text, entry.grade, own


class GoldRows:
    """Judgments on their way to the store; what the set already holds for the run is not added again."""

    def __init__(self, gold_set: GoldSet, source_id: int) -> None:
        self._set = gold_set
        self._seen: set[tuple[str, Judged]] = set()
        self._rows = Rows(
            "judgments",
            {
                "label_set": gold_set.name,
                "version": gold_set.version,
                "run_id": gold_set.run_id,
                "kind": INLINE_KIND,
                "source_id": source_id,
            },
            query_id="VARCHAR",
            doc_id="VARCHAR",
            text="VARCHAR",
            grade="DOUBLE",
            evidence_group="VARCHAR",
            line="BIGINT",
        )
        self.added = 0

    def add(self, query_id: str, judgments: Sequence[Judged], line: int) -> None:
        """Add a question's judgments; repeats of a question that bring the same ones add nothing."""
        for judgment in judgments:
            key = (query_id, judgment)
            if key not in self._seen:
                self._seen.add(key)
                self._rows.add(query_id, *judgment, line)

    def flush(self, store: TraceStore) -> None:
        """Append the judgments the set does not hold yet."""
        self._seen.clear()  # what is stored is compared in the store, so that memory does not grow with the file
        if not len(self._rows):
            return
        before = store.value("SELECT count(*) FROM judgments")
        store.append("judgments", self._rows.take(), unless=_HELD)
        self.added += store.value("SELECT count(*) FROM judgments") - before


_HELD = """
    EXISTS (SELECT 1 FROM judgments AS held
            WHERE held.label_set = arriving.label_set AND held.run_id IS NOT DISTINCT FROM arriving.run_id
              AND held.query_id = arriving.query_id AND held.doc_id IS NOT DISTINCT FROM arriving.doc_id
              AND held.text IS NOT DISTINCT FROM arriving.text AND held.grade = arriving.grade
              AND held.evidence_group IS NOT DISTINCT FROM arriving.evidence_group)
"""
