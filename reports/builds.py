"""Stored runs side by side: each attributed under the same labels and conventions, in the order they were made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.results import Attribution, RunFacts
from attribution.run_facts import run_facts
from traces.errors import UsageError
from traces.forecasts import outcomes_since
from traces.runs import list_runs
from traces.store import TraceStore

_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """One stored run under the conventions it shares with the others.

    Attributes:
        facts: what is recorded of it.
        attribution: where its questions lost their evidence.
        since: when its first outcomes came into the store, in UTC; None for a run without any.
        shared: how many of its questions the newest build asked as well.
    """

    facts: RunFacts
    attribution: Attribution
    since: datetime | None
    shared: int

    @property
    def run(self) -> str:
        """Name of the run."""
        return self.facts.run

    @property
    def recall(self) -> float | None:
        """Recall at the last stage, None where nothing can be attributed."""
        stages = self.attribution.stages
        return stages[-1].recall.estimate if stages else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Builds:
    """The runs of a store under one set of conventions.

    Attributes:
        shown: those that can stand side by side, in the order they were made.
        apart: the others, by name, each with the reason.
        dated: whether the order is that of their dates; else that in which they were read in.
    """

    shown: tuple[Build, ...]
    apart: dict[str, str]
    dated: bool


def builds_of(store: TraceStore, choices: Choices) -> Builds:
    """Attribute every stored run under the same conventions.

    A run to which they do not apply, as one without labels of that name, is named apart with the reason.
    """
    runs: list[tuple[Attribution, RunFacts]] = []
    apart: dict[str, str] = {}
    for row in list_runs(store):
        run = str(row["run_id"])
        try:
            attribution = attribute(store, run, choices)
        except UsageError as fault:
            apart[run] = fault.what
            continue
        runs.append((attribution, run_facts(store, run, attribution.labels.name)))
    dates = [facts.created_at for _, facts in runs]
    dated = bool(dates) and None not in dates
    if dated:
        runs.sort(key=lambda each: _in_utc(each[1].created_at) or _NEVER)
    shown = tuple(
        Build(
            facts=facts,
            attribution=attribution,
            since=_in_utc(outcomes_since(store, facts.run)),
            shared=_shared(store, facts.run, runs[-1][1].run),
        )
        for attribution, facts in runs
    )
    return Builds(shown=shown, apart=apart, dated=dated)


def _in_utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=UTC)


def _shared(store: TraceStore, one: str, other: str) -> int:
    return int(
        store.value(
            """SELECT count(*) FROM (SELECT query_id FROM repeats WHERE run_id = $one
               INTERSECT SELECT query_id FROM repeats WHERE run_id = $other)""",
            {"one": one, "other": other},
        )
    )
