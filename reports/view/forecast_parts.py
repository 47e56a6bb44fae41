"""The view model of the forecast report: what its template sets, worded and rounded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from reports.view.parts import Answer, Aside, Ground, Tick
from reports.wording import Words


class ForecastState(StrEnum):
    """What has become of the forecast so far."""

    pending = "pending"
    held = "held"
    refuted = "refuted"
    cannot_tell = "cannot tell"


@dataclass(frozen=True, slots=True)
class Level:
    """A tick on the vertical axis, in pixels from the top."""

    y: str
    text: str


@dataclass(frozen=True, slots=True)
class PlotDot:
    """A run on the picture: its recall in per cent of the width, its pass rate and range in pixels.

    ``label`` stands above its range where ``above``, else below; ``kind`` is ``now``, ``past`` or ``after``.
    """

    kind: str
    x: str
    y: str
    top: str
    bottom: str
    label: str | None
    label_y: str
    anchor: str


@dataclass(frozen=True, slots=True)
class PlotTarget:
    """The forecast itself on the picture; ``labels`` are its lines with their heights."""

    x: str
    y: str
    top: str
    bottom: str
    labels: tuple[tuple[str, str], ...]
    anchor: str


@dataclass(frozen=True, slots=True)
class PlotGoal:
    """A pass rate that is asked for, and the recall it takes: a dot with a range at the foot, where there is one."""

    y: str
    label: str
    label_y: str
    label_x: str
    anchor: str
    x: str | None
    left: str | None
    right: str | None
    need: str | None


@dataclass(frozen=True, slots=True)
class Plot:
    """The picture: paths in a box of 1,000 by ``height``, marks in per cent and pixels."""

    height: int
    title: str
    description: str
    levels: tuple[Level, ...]
    ticks: tuple[Tick, ...]
    next_run: str
    true_rate: str
    solid: str
    dashed: tuple[str, ...]
    wrong: tuple[str, ...]
    dots: tuple[PlotDot, ...]
    target: PlotTarget
    goal: PlotGoal | None
    axis: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture with its heading, and the words of its key."""

    title: str
    intro: str
    keys: tuple[str, str, str]
    plot: Plot | None


@dataclass(frozen=True, slots=True)
class FalsifierRow:
    """One way to fail: what would be seen, on what, its margin and power, what follows, and the verdict."""

    number: str
    see: Words
    measured: str
    margin: str
    power: str
    then: str
    verdict: str
    observed: Words | None


@dataclass(frozen=True, slots=True)
class FalsifierTable:
    """Every way to fail."""

    title: str
    intro: str
    rows: tuple[FalsifierRow, ...]
    note: Words | None


@dataclass(frozen=True, slots=True)
class Span:
    """A bar from one place to another and an estimate with its range, all in per cent of the cell."""

    base: str
    x: str
    width: str
    lower: str | None
    middle: str
    upper: str | None


@dataclass(frozen=True, slots=True)
class DeltaRow:
    """One line about a difference: its name, what it is, the figure, and its picture."""

    name: str
    what: Words
    note: str
    figure: str
    range: str
    span: Span | None
    total: bool


@dataclass(frozen=True, slots=True)
class DeltaTable:
    """Differences on one axis."""

    title: str
    intro: str
    caption: str
    heads: tuple[str, str, str]
    ticks: tuple[Tick, ...]
    rows: tuple[DeltaRow, ...]
    after: Words | None


@dataclass(frozen=True, slots=True)
class SumRow:
    """One line of the arithmetic."""

    name: str
    cells: tuple[Words, ...]
    total: bool


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The forecast as a sum of products."""

    intro: str
    formula: Words
    heads: tuple[str, ...]
    rows: tuple[SumRow, ...]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One forecast with what became of it."""

    name: str
    marked: str
    sealed: str
    of: str
    recall: str
    forecast: Words
    came: Words
    off: str
    verdict: str
    by: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """Forecasts one under the other; ``after`` says how they have done."""

    title: str
    intro: str
    rows: tuple[LedgerRow, ...]
    after: Words | None


@dataclass(frozen=True, slots=True)
class ForecastView:
    """The whole report."""

    kind: str
    title: str
    state: ForecastState
    run: tuple[Words, ...]
    chips: tuple[str, ...]
    level: str
    headline: str
    lede: Words
    picture: Picture
    asides: tuple[Aside, ...]
    answers: tuple[Answer, ...]
    falsifiers: FalsifierTable
    error: DeltaTable | None
    lessons_title: str
    lessons: tuple[Words, ...]
    worth: Words | None
    sensitivity: DeltaTable | None
    arithmetic: Arithmetic | None
    family: Ledger | None
    judged: Ledger | None
    grounds: tuple[Ground, ...]
    footer: tuple[Words, ...]
