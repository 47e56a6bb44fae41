"""What packing a prompt needs to know of a run: its limits, what it had packed, the gold, and the texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from attribution import fates
from attribution.document_texts import document_texts
from attribution.oracle.draw import Miss
from attribution.oracle.pack import Document, Limits, Pack, needed_gold, pack
from traces.store import TraceStore

_EVERY_PLACE = 2**31 - 1
# Look-ups of lists as lists, like those of question_traces: nothing is counted here but room.
_ROOM = """
SELECT max(documents) AS documents, max(CASE WHEN known = documents THEN tokens END) AS tokens, avg(mean) AS mean
FROM (
    SELECT count(DISTINCT doc_id) AS documents, count(DISTINCT CASE WHEN tokens IS NOT NULL THEN doc_id END) AS known,
           CAST(sum(coalesce(kept_tokens, tokens)) AS BIGINT) AS tokens, avg(tokens) AS mean
    FROM stage_items WHERE run_id = $run AND stage = $stage AND rank <= $cutoff
    GROUP BY query_id, repeat
)
"""
_LISTED = """
SELECT i.query_id, i.doc_id, i.search, i.rank
FROM stage_items AS i JOIN drawn_answers AS d ON d.query_id = i.query_id AND d.repeat = i.repeat
WHERE i.run_id = $run AND i.stage = $stage AND i.rank <= $cutoff
ORDER BY i.query_id, i.search, i.rank
"""
_TOKENS = """
SELECT doc_id, CAST(max(tokens) AS BIGINT) AS tokens FROM stage_items
WHERE run_id = $run AND tokens IS NOT NULL GROUP BY doc_id
"""
_QUERIES = """
SELECT d.query_id, coalesce(r.query, q.query) AS query
FROM drawn_answers AS d
JOIN repeats AS r ON r.run_id = $run AND r.query_id = d.query_id AND r.repeat = d.repeat
LEFT JOIN (SELECT query_id, max(query) AS query FROM questions WHERE query IS NOT NULL GROUP BY query_id) AS q
    ON q.query_id = d.query_id
"""


class Prompts:
    """Makes the prompts of misses. The answers of the run must be the ones kept last, as after ``follow_evidence``.

    Args:
        store: an open store.
        values: the parameters of the attribution steps.
    """

    def __init__(self, store: TraceStore, values: Mapping[str, Any]) -> None:
        self._store = store
        self._values = values
        last = fates.run_stages(store, values["run_id"])[-1]
        self._list = {"run": values["run_id"], "stage": last.name, "cutoff": last.cutoff or _EVERY_PLACE}
        (room,) = store.rows(_ROOM, self._list)
        self.limits = Limits(
            documents=max(last.cutoff or 0, room["documents"] or 0),
            tokens=room["tokens"],
            usual_tokens=round(room["mean"] or 0),
        )
        self._packs: dict[str, Pack] = {}
        self._queries: dict[str, str] = {}
        self._tokens: dict[str, int] | None = None

    def usable(self, misses: Sequence[Miss]) -> set[str]:
        """Make the prompts of some misses; return the questions whose text and gold are stored."""
        if not misses:
            return set()
        self._keep(misses)
        queries = {row["query_id"]: row["query"] for row in self._store.rows(_QUERIES, {"run": self._list["run"]})}
        self._queries |= {query_id: query for query_id, query in queries.items() if query}
        needs, names = self._gold()
        listed: dict[str, list[str]] = defaultdict(list)
        for row in self._store.rows(_LISTED, self._list):
            doc_id = names[row["query_id"]].get(row["doc_id"], row["doc_id"])
            if doc_id not in listed[row["query_id"]]:
                listed[row["query_id"]].append(doc_id)
        documents = self._documents(names, listed)
        made = set()
        for miss in misses:
            gold = needed_gold(needs[miss.query_id], documents)
            if gold is None or miss.query_id not in self._queries:
                continue
            is_gold = set(names[miss.query_id].values())
            others = [(documents[doc], doc in is_gold) for doc in listed[miss.query_id] if doc in documents]
            self._packs[miss.query_id] = pack([documents[doc] for doc in gold], others, self.limits)
            made.add(miss.query_id)
        return made

    def of(self, miss: Miss) -> tuple[str, Pack]:
        """Return the text of a question and its prompt, once ``usable`` has made it."""
        return self._queries[miss.query_id], self._packs[miss.query_id]

    def _keep(self, misses: Sequence[Miss]) -> None:
        self._store.connection.execute("CREATE OR REPLACE TEMP TABLE drawn_answers (query_id VARCHAR, repeat INTEGER)")
        table = {
            "query_id": pa.array([miss.query_id for miss in misses], pa.string()),
            "repeat": pa.array([miss.repeat for miss in misses], pa.int32()),
        }
        self._store.append("drawn_answers", pa.table(table))

    def _gold(self) -> tuple[dict[str, dict[str, list[str]]], dict[str, dict[str, str]]]:
        """Return, for each question, the documents that meet each need, and what ids its gold goes by."""
        needs: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        names: dict[str, dict[str, str]] = defaultdict(dict)
        for row in self._store.step(fates.PACKAGES, "gold_of_missed", self._values, given=fates.KEPT):
            names[row["query_id"]][row["known_as"]] = row["doc_id"]
            if row["doc_id"] not in needs[row["query_id"]][row["need"]]:
                needs[row["query_id"]][row["need"]].append(row["doc_id"])
        return needs, names

    def _documents(
        self, names: Mapping[str, Mapping[str, str]], listed: Mapping[str, Sequence[str]]
    ) -> dict[str, Document]:
        """Return the documents whose text is stored, under their own id or another they go by."""
        aliases: dict[str, list[str]] = defaultdict(list)
        for known in names.values():
            for known_as, doc_id in known.items():
                aliases[doc_id].append(known_as)
        for docs in listed.values():
            for doc_id in docs:
                aliases.setdefault(doc_id, [doc_id])
        rows = document_texts(self._store, (name for held in aliases.values() for name in held))
        tokens = self._recorded_tokens()
        documents = {}
        for doc_id, held in aliases.items():
            for name in sorted(held, key=lambda name: (name != doc_id, name)):
                row = rows.get(name)
                if row is not None and row["text"]:
                    size = tokens.get(doc_id, tokens.get(name))
                    documents[doc_id] = Document(doc_id, row["title"], row["text"], size)
                    break
        return documents

    def _recorded_tokens(self) -> dict[str, int]:
        if self._tokens is None:
            rows = self._store.rows(_TOKENS, {"run": self._list["run"]}) if self.limits.tokens is not None else []
            self._tokens = {row["doc_id"]: row["tokens"] for row in rows}
        return self._tokens
