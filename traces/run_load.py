"""One file of traces into the store, inside the caller's transaction."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from traces.errors import InputError, RecordError, UsageError
from traces.gate import Gate, NarrowTrace
from traces.gold import GoldSet
from traces.hits import INLINE, add_hits, rebuild_hits
from traces.issues import Issue, Issues, nothing_stored
from traces.labelsets import add_version, next_version
from traces.ledger import Arrival, enter, next_source
from traces.lists import DocId
from traces.models import RunInfo
from traces.pass_rule import PassRule
from traces.readers.base import Raw, Remark
from traces.records import trace_gate
from traces.run_header import header_of, keep_run, keep_stages, stored_stages
from traces.stage_order import StageOrder
from traces.store import TraceStore
from traces.trace_rows import Reading, TraceRows
from traces.values import counted

BATCH_BYTES = 64 * 2**20  # traces with document texts are large, and all that waits is in memory


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How the files of a run are read; as in ``ingest.ingest_run``."""

    run_id: str
    pass_rule: PassRule | None = None
    labels: str | None = None
    strict: bool = False
    doc_id: DocId | None = None
    cuts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What one source brought."""

    records: int
    quarantined: int
    notes: list[str]
    issues: list[Issue]
    counts: Counter[str]


class RunLoad:
    """The loading of one source into one run.

    Args:
        store: open for writing, in a transaction.
        arrival: the source.
        options: how it is read.
    """

    def __init__(self, store: TraceStore, arrival: Arrival, options: RunOptions) -> None:
        self._store = store
        self._arrival = arrival
        self._options = options
        self._run_id = options.run_id
        self._source_id = next_source(store)
        self._issues = Issues(self._source_id, strict=options.strict)
        self._known = stored_stages(store, self._run_id)
        label_set = options.labels or INLINE
        owner = self._run_id if label_set == INLINE else None
        self._gold_set = GoldSet(label_set, next_version(store, label_set, owner), owner)

    def load(self, records: Iterator[Raw | Remark]) -> Loaded:
        """Read all records, and store what they become.

        Raises:
            InputError: the header cannot be read, or not one record can be stored.
            RecordError: a record cannot be stored, and the options are strict.
        """
        first = next(records, None)
        found = header_of(first) if isinstance(first, Raw) else None
        if first is not None and found is None:
            records = itertools.chain((first,), records)
        header, unknown = found or (None, [])
        self._tell_header(header, unknown)
        order = self._stage_order(header)
        rows = TraceRows(self._reading(header), order, self._taken())
        gate = trace_gate()
        self._read(records, gate, rows)
        if not rows.traces:
            raise nothing_stored(self._issues, self._arrival.name)
        if not order.order():
            raise InputError(
                "no-stage", "not one record has a stage", where=self._arrival.name, hint="put the lists under stages"
            )
        self._tell_unknown(gate)
        if rows.unruled:
            scores = counted(rows.unruled, "score has", "scores have")
            self._note("no-pass-rule", f"{scores} no pass rule and no verdict; import them as outcomes with a rule")
        self._finish(rows, order, header)
        return Loaded(rows.traces, self._issues.quarantined, self._issues.notes, self._issues.first, _counts(rows))

    def _read(self, records: Iterator[Raw | Remark], gate: Gate[NarrowTrace], rows: TraceRows) -> None:
        waiting_bytes = 0
        for raw in records:
            if isinstance(raw, Remark):
                self._note(raw.slug, raw.text)
                continue
            try:
                if isinstance(raw.value, RecordError):
                    raise raw.value
                rows.add(gate.read(raw.value), raw.line)
            except RecordError as error:
                self._issues.refuse(error, raw.file, raw.line, raw.raw, self._store)
            waiting_bytes += len(raw.raw)
            if rows.full or waiting_bytes >= BATCH_BYTES:
                rows.flush(self._store)
                waiting_bytes = 0
        rows.flush(self._store)

    def _reading(self, header: RunInfo | None) -> Reading:
        options = self._options
        judge = header.judge if header is not None else None
        return Reading(self._run_id, self._source_id, options.pass_rule, judge, self._gold_set, options.doc_id)

    def _stage_order(self, header: RunInfo | None) -> StageOrder:
        declared = header.stages if header is not None else None
        try:
            return StageOrder(list(self._known), declared)
        except RecordError as error:
            raise InputError(
                "stage-order",
                f"the header's stages contradict those of the run: {error.reason}",
                where=self._arrival.name,
                hint=f"the run has {', '.join(self._known)}",
            ) from error

    def _taken(self) -> set[tuple[str, int]]:
        found = self._store.connection.execute(
            "SELECT query_id, repeat FROM repeats WHERE run_id = $run_id", {"run_id": self._run_id}
        )
        return set(found.fetchall())

    def _note(self, slug: str, text: str) -> None:
        self._issues.note(slug, text, self._arrival.name)

    def _tell_header(self, header: RunInfo | None, unknown: list[str]) -> None:
        if header is None:
            return
        if header.run_id is not None and header.run_id != self._run_id:
            self._note("other-run-id", f"the header calls the run '{header.run_id}'; it is stored as '{self._run_id}'")
        if unknown:
            self._note(
                "unknown-fields", f"unknown fields of the header are kept in the run's notes: {', '.join(unknown)}"
            )

    def _tell_unknown(self, gate: Gate[NarrowTrace]) -> None:
        for prefix, kept in (("item.", "in the metadata of the item"), ("gold[].", "nowhere"), ("", "as tags")):
            names = [
                f"{name.removeprefix(prefix)} ({count:,})"
                for name, count in gate.unknown.items()
                if name.startswith(prefix) and (prefix or not name.startswith(("item.", "gold[].")))
            ]
            if names:
                self._note("unknown-fields", f"unknown fields are kept {kept}: {', '.join(names)}")

    def _finish(self, rows: TraceRows, order: StageOrder, header: RunInfo | None) -> None:
        """Store what is known only once all records are read."""
        store, run_id = self._store, self._run_id
        other = keep_run(store, run_id, self._source_id, header)
        if other:
            self._note("other-header", f"an earlier file gave the run another {', '.join(other)}, which stands")
        stages = order.order()
        for stage in self._options.cuts:
            if stage not in stages:
                raise UsageError(
                    "unknown-stage",
                    f"there is a cut for '{stage}', which is no stage of the run",
                    where=self._arrival.name,
                    hint=f"it has {', '.join(stages)}",
                )
        cutoffs: dict[str, int | None] = {**((header.cutoffs if header else None) or {}), **self._options.cuts}
        for stage, stands in self._known.items():
            if cutoffs.get(stage, stands) != stands:
                self._note("other-header", f"an earlier file gave '{stage}' another cutoff, or none, which stands")
            cutoffs[stage] = stands
        for stage in cutoffs.keys() - set(stages):
            self._note("unknown-stage", f"the header has a cutoff for '{stage}', which is no stage of the run")
        keep_stages(store, run_id, {stage: cutoffs.get(stage) for stage in stages})
        self._tell_missing(stages)
        if rows.gold.added:
            add_version(store, self._gold_set, self._source_id)
        self._issues.flush(store)
        enter(store, self._source_id, self._arrival, records=rows.traces, quarantined=self._issues.quarantined)
        add_hits(store, run_id=run_id, first_source=self._source_id)
        if rows.gold.added and (self._known or self._gold_set.run_id is None):
            rebuild_hits(store, run_id=self._gold_set.run_id, label_set=self._gold_set.name)

    def _tell_missing(self, stages: list[str]) -> None:
        total = self._store.value("SELECT count(*) FROM repeats WHERE run_id = $run_id", {"run_id": self._run_id})
        found = self._store.rows(
            """SELECT stage, count(DISTINCT (query_id, repeat)) AS present
               FROM stage_lists WHERE run_id = $run_id GROUP BY stage""",
            {"run_id": self._run_id},
        )
        present = {row["stage"]: row["present"] for row in found}
        for stage in stages:
            missing = total - present.get(stage, 0)
            if missing:
                lacking = counted(missing, "question has", "questions have")
                self._note("no-list", f"{lacking} no '{stage}' list; they get no verdict")


def _counts(rows: TraceRows) -> Counter[str]:
    return Counter(
        repeats=rows.repeats.added,
        lists=rows.lists.added,
        items=rows.lists.items,
        outcomes=rows.outcomes.added,
        judgments=rows.gold.added,
        documents=rows.texts.added,
        tags=rows.tags.added,
        searches=rows.searches.added,
    )
