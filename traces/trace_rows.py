"""From one trace to the rows it becomes: its repeat, tags, searches, lists, outcome, gold and document texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from traces.errors import RecordError
from traces.gate import Item, NarrowTrace, Trace
from traces.gold import GoldRows, GoldSet, judged
from traces.lists import DocId, Entry, ListRows, PlacedList, StoredList, stored_list
from traces.pass_rule import PassRule, decide
from traces.rows import OUTCOME, REPEAT, Fixed, Rows
from traces.stage_order import StageOrder
from traces.store import TraceStore
from traces.texts import TextRows
from traces.values import tag_text, utc

BATCH_ITEMS = 200_000
BATCH_TRACES = 4_000


@dataclass(frozen=True, slots=True)
class Reading:
    """How the traces of one file are read.

    Args:
        run_id: the run they belong to.
        source_id: the file they come from.
        pass_rule: turns numbers into pass or fail.
        judge: who judged, where a trace does not say.
        gold_set: where inline gold goes.
        doc_id: what to make of every document id; None keeps text as it is and turns integers into text.
    """

    run_id: str
    source_id: int
    pass_rule: PassRule | None
    judge: str | None
    gold_set: GoldSet
    doc_id: DocId | None = None


class TraceRows:
    """Collects the rows of many traces and hands them to the store in batches.

    Args:
        reading: how the traces are read.
        order: the run's stages so far.
        taken: the (question, repeat) pairs the run already has; those added here join them.
    """

    def __init__(self, reading: Reading, order: StageOrder, taken: set[tuple[str, int]]) -> None:
        self.traces = 0
        self.unruled = 0
        self._reading = reading
        self._order = order
        self._taken = taken
        own: Fixed = {"run_id": reading.run_id, "source_id": reading.source_id}
        self.repeats = Rows(
            "repeats",
            own,
            **REPEAT,
            query="VARCHAR",
            intent="VARCHAR",
            answer="VARCHAR",
            asked_at="TIMESTAMP",
            answerable="BOOLEAN",
            line="BIGINT",
        )
        self.tags = Rows("tags", own, **REPEAT, field="VARCHAR", value="VARCHAR")
        self.searches = Rows("searches", own, **REPEAT, search="INTEGER", query="VARCHAR")
        self.outcomes = Rows("outcomes", own, **REPEAT, **OUTCOME)
        self.lists = ListRows(own)
        self.gold = GoldRows(reading.gold_set, reading.source_id)
        self.texts = TextRows(reading.source_id)

    def add(self, trace: NarrowTrace, line: int) -> None:
        """Add one trace, all of it or nothing.

        Raises:
            RecordError: it cannot be stored as it is; the field and the reason say why.
        """
        query_id, repeat = str(trace.query_id), trace.repeat
        if (query_id, repeat) in self._taken:
            raise RecordError(
                "twice",
                f"question '{query_id}' repeat {repeat} is already in the run",
                field="query_id",
                hint="number its repeats",
            )
        verdict = decide(trace.passed, trace.score, self._reading.pass_rule)
        asked_at = utc(trace.asked_at, "asked_at")
        gold = judged(trace.gold or (), self._doc_id)
        listed, queries = self._listed(trace)
        self._order.admit(tuple(dict.fromkeys(placed.stage for placed in listed)))

        self._taken.add((query_id, repeat))
        self.traces += 1
        self.repeats.add(query_id, repeat, trace.query, trace.intent, trace.answer, asked_at, trace.answerable, line)
        for field, value in (trace.tags or {}).items():
            if (text := tag_text(value)) is not None:
                self.tags.add(query_id, repeat, field, text)
        for search, query in queries.items():
            self.searches.add(query_id, repeat, search, query)
        for placed in listed:
            self.lists.add(query_id, repeat, placed)
        if verdict is not None:
            self.unruled += verdict.passed is None and verdict.score is not None
            judge = trace.judge if trace.judge is not None else self._reading.judge
            self.outcomes.add(query_id, repeat, verdict.passed, verdict.score, judge, verdict.rule)
        self.gold.add(query_id, gold, line)
        self._add_texts(trace)

    def _doc_id(self, name: str | int) -> str:
        return str(name) if self._reading.doc_id is None else self._reading.doc_id(name)

    def _listed(self, trace: NarrowTrace) -> tuple[list[PlacedList], Mapping[int, str]]:
        """Return the trace's lists in their order, and the text each search sent where it is given."""
        queries: dict[int, str] = {}
        if isinstance(trace.stages, Mapping):
            return [
                PlacedList(stage, 0, self._stored(items, f"stages.{stage}")) for stage, items in trace.stages.items()
            ], queries
        listed: list[PlacedList] = []
        seen: set[tuple[str, int]] = set()
        for number, entry in enumerate(trace.stages):
            stage, field = str(entry.stage), f"stages[{number}]"
            if (stage, entry.search) in seen:
                raise RecordError("twice", f"search {entry.search} already has a list '{stage}'", field=field)
            seen.add((stage, entry.search))
            if entry.query is not None and queries.setdefault(entry.search, entry.query) != entry.query:
                raise RecordError("two-queries", f"search {entry.search} is given two texts", field=f"{field}.query")
            row = self._stored(entry.items, f"{field}.items")
            listed.append(PlacedList(stage, entry.search, row, entry.complete, entry.inferred_by))
        return listed, queries

    def _stored(self, items: Sequence[Entry], field: str) -> StoredList:
        try:
            return stored_list(items, self._reading.doc_id)
        except RecordError as error:
            raise RecordError(error.slug, error.reason, field=field, hint=error.hint) from error

    def _add_texts(self, trace: NarrowTrace) -> None:
        if not isinstance(trace, Trace):
            return  # of the narrow shape, whose items have no texts
        lists = trace.stages.values() if isinstance(trace.stages, Mapping) else [entry.items for entry in trace.stages]
        for items in lists:
            for item in items:
                if isinstance(item, Item) and (item.text is not None or item.title is not None):
                    self.texts.add(self._doc_id(item.doc_id), item)

    @property
    def full(self) -> bool:
        """Whether enough waits to be worth a hand-over."""
        return self.lists.waiting_items >= BATCH_ITEMS or len(self.repeats) >= BATCH_TRACES

    def flush(self, store: TraceStore) -> None:
        """Hand all that waits to the store."""
        for rows in (self.repeats, self.tags, self.searches, self.lists, self.outcomes, self.gold, self.texts):
            rows.flush(store)
