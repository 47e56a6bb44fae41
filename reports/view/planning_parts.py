"""The view model of the planning report: what its template sets, worded and rounded."""

from __future__ import annotations

from dataclasses import dataclass

from reports.view.forecast_parts import Ledger
from reports.view.parts import Answer, Aside, Ground, SliceTable, Tick, Whisker
from reports.view.planning_shown import PlanningState
from reports.wording import Words


@dataclass(frozen=True, slots=True)
class TrendRow:
    """One build, or one forecast that waits: its pass rate in ink, what was forecast of it in teal."""

    name: str
    note: str
    total: str
    seen: Whisker | None
    projected: tuple[Whisker, ...]
    passed: Words
    forecast: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Trend:
    """Pass rate by build. ``heads`` leaves out the pictures; ``goal`` is where its line stands, in per cent."""

    title: str
    intro: str
    heads: tuple[str, str, str]
    ticks: tuple[Tick, ...]
    goal: str | None
    rows: tuple[TrendRow, ...]


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label set."""

    name: str
    note: str
    cells: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class LabelTable:
    """Where the labels come from and how old they are."""

    title: str
    intro: str
    heads: tuple[str, ...]
    rows: tuple[LabelRow, ...]


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something taken for granted, and since when."""

    since: str
    text: Words


@dataclass(frozen=True, slots=True)
class PlanningView:
    """The whole report."""

    kind: str
    title: str
    state: PlanningState
    run: tuple[Words, ...]
    chips: tuple[str, ...]
    level: str
    headline: str
    lede: Words
    trend: Trend | None
    asides: tuple[Aside, ...]
    answers: tuple[Answer, ...]
    builds: SliceTable | None
    ledger: Ledger
    labels: LabelTable
    assumptions_title: str
    assumptions: tuple[Assumption, ...]
    grounds: tuple[Ground, ...]
    footer: tuple[Words, ...]
