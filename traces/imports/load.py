"""What every import shares: one file, one transaction, quarantine, and no effect the second time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from traces.errors import RecordError
from traces.gate import Gate
from traces.issues import Issues, nothing_stored
from traces.ledger import SAME_BYTES, Arrival, enter, is_stored, next_source
from traces.progress import Progress, Silent
from traces.readers import find_reader
from traces.readers.base import Raw
from traces.report import IngestReport
from traces.sources import open_source
from traces.store import TraceStore

R = TypeVar("R", bound=Struct)


class Import(ABC, Generic[R]):
    """One kind of import, and where its records go.

    ``kind`` names it in the ledger and among the formats, ``target`` the place, ``options`` all that changes what is
    stored; ``unknown_are`` says what becomes of fields the gate does not know.
    """

    kind: ClassVar[str]
    unknown_are: ClassVar[str] = "not stored"
    target: str = ""
    options: Mapping[str, Any] = MappingProxyType({})

    @abstractmethod
    def new_gate(self) -> Gate[R]:
        """Return the gate of one file."""

    @abstractmethod
    def begin(self, store: TraceStore, source_id: int) -> None:
        """Get ready; called once, in the transaction."""

    @abstractmethod
    def add(self, record: R, line: int) -> None:
        """Take one record, all of it or, by a RecordError, nothing."""

    @abstractmethod
    def flush(self, store: TraceStore, *, last: bool) -> None:
        """Hand what waits to the store, if it is much or the last."""

    @abstractmethod
    def finish(self, store: TraceStore, source_id: int) -> list[tuple[str, str]]:
        """Do what must wait for the last record; return notes as (slug, sentence)."""


class _Loading(Generic[R]):
    def __init__(self, store: TraceStore, plan: Import[R], arrival: Arrival, *, strict: bool) -> None:
        self._store = store
        self._plan = plan
        self._arrival = arrival
        self._source_id = next_source(store)
        self._issues = Issues(self._source_id, strict=strict)
        self._records = 0

    def load(self, records: Iterator[Raw]) -> IngestReport:
        plan, store, issues = self._plan, self._store, self._issues
        gate = plan.new_gate()
        plan.begin(store, self._source_id)
        for raw in records:
            self._take(raw, gate)
        if not self._records:
            raise nothing_stored(issues, self._arrival.name)
        plan.flush(store, last=True)
        _tell_unknown(gate.unknown, plan.unknown_are, issues, self._arrival.name)
        for slug, text in plan.finish(store, self._source_id):
            issues.note(slug, text, self._arrival.name)
        issues.flush(store)
        enter(store, self._source_id, self._arrival, records=self._records, quarantined=issues.quarantined)
        return IngestReport(
            plan.kind,
            plan.target,
            (self._arrival.name,),
            self._records,
            issues.quarantined,
            tuple(issues.notes),
            skipped_same_bytes=False,
            issues=tuple(issues.first),
        )

    def _take(self, raw: Raw, gate: Gate[R]) -> None:
        try:
            if isinstance(raw.value, RecordError):
                raise raw.value
            self._plan.add(gate.read(raw.value), raw.line)
            self._records += 1
        except RecordError as error:
            self._issues.refuse(error, raw.file, raw.line, raw.raw, self._store)
        self._plan.flush(self._store, last=False)


def _tell_unknown(unknown: Counter[str], kept: str, issues: Issues, file: str) -> None:
    if unknown:
        names = ", ".join(f"{name} ({count:,})" for name, count in unknown.items())
        issues.note("unknown-fields", f"unknown fields are {kept}: {names}", file)


def take_in(
    store: TraceStore,
    path: Path | str,
    plan: Import[R],
    *,
    format: str | None,  # noqa: A002 - the word users know
    strict: bool,
    progress: Progress | None,
) -> IngestReport:
    """Carry out one import, in one transaction.

    Raises:
        InputError: the file cannot be used at all, or no record of it.
        RecordError: ``strict``, and a record cannot be stored.
    """
    told = progress or Silent()
    with open_source(path) as source:
        arrival = Arrival(plan.kind, plan.target, source.name, source.sha256, source.size, plan.options)
        told.start(source.size, source.name)
        try:
            with store.transaction():
                if not is_stored(store, arrival):
                    reader = find_reader(source, plan.kind, format)
                    return _Loading(store, plan, arrival, strict=strict).load(reader(source, told))
        finally:
            told.done()
    note = f"{SAME_BYTES}: {arrival.name}"
    return IngestReport(plan.kind, plan.target, (arrival.name,), 0, 0, (note,), skipped_same_bytes=True, issues=())
