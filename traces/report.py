"""What taking something in did, for the caller to print or to check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

import msgspec

from traces.issues import Issue
from traces.readers.base import ORACLE, OUTCOMES, RUN

SCHEMA = "foundlost.ingest/1"


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest or an import did.

    Args:
        kind: ``run``, ``labels``, ``outcomes``, ``oracle``, ``questions`` or ``documents``.
        target: the run or the label set it went to, empty where there is only one place.
        sources: the files that were named.
        records: records stored.
        quarantined: records that could not be stored.
        notes: what was noticed, one sentence each.
        skipped_same_bytes: nothing was done, since all these bytes are stored already.
        issues: the first few quarantined records.
        counts: of a run, the rows added by kind: repeats, lists, items, outcomes, judgments, documents, tags, searches.
    """

    kind: str
    target: str
    sources: tuple[str, ...]
    records: int
    quarantined: int
    notes: tuple[str, ...]
    skipped_same_bytes: bool
    issues: tuple[Issue, ...]
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def run_id(self) -> str | None:
        """The run it went to, if it went to one."""
        return self.target if self.kind in (RUN, OUTCOMES, ORACLE) else None

    def to_json(self) -> str:
        """Return the report as one JSON object."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        plain |= {"counts": dict(self.counts), "issues": [asdict(issue) for issue in self.issues]}
        return msgspec.json.encode({"schema": SCHEMA} | plain).decode()
