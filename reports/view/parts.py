"""The view model of the attribution report: frozen, worded and rounded, with nothing left for a template to decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reports.view.palette import Colour
from reports.wording import Words


class State(StrEnum):
    """What the data allows the report to say."""

    nothing_attributable = "nothing attributable"
    no_outcomes = "no outcomes"
    no_failures = "no failures"
    few_failures = "few failures"
    attributed = "attributed"


@dataclass(frozen=True, slots=True)
class Unit:
    """What one count is: a question, or an answer where questions were asked more than once."""

    noun: str
    level: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A label over an axis, ``at`` per cent of its width."""

    at: str
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of a bar, in per cent of the cell."""

    colour: Colour
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class Whisker:
    """An estimate with its range, in per cent of the cell."""

    lower: str
    middle: str
    upper: str


@dataclass(frozen=True, slots=True)
class Share:
    """A share in words, and its picture where there are cases enough for one."""

    text: Words
    whisker: Whisker | None


@dataclass(frozen=True, slots=True)
class CascadeRow:
    """One line of the main picture: what is still in play after a stage, and what the stage lost."""

    name: str
    in_play: str
    segments: tuple[Segment, ...]
    loss: str | None
    colour: Colour | None
    detail: Words
    share: Share | None


@dataclass(frozen=True, slots=True)
class Cascade:
    """The main picture; ``heads`` leaves out that of the bars, ``left_out`` is the line under the rows, if any."""

    title: str
    intro: str
    caption: str
    heads: tuple[str, str, str, str]
    ticks: tuple[Tick, ...]
    rows: tuple[CascadeRow, ...]
    left_out: LeftOut | None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The questions that could not be attributed, and why."""

    name: str
    total: str
    reasons: str


@dataclass(frozen=True, slots=True)
class Aside:
    """A note: its first sentence stands out."""

    first: str
    rest: Words


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the three questions beside the picture: a figure if there is one, then paragraphs, then a list."""

    question: str
    figure: str | None
    figure_note: str | None
    paragraphs: tuple[Words, ...]
    items: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One value of a field: its failures by kind, and its pass rates with and without the evidence."""

    name: str
    total: str
    noun: str
    segments: tuple[Segment, ...]
    failed: Share
    failed_count: str
    failed_by_kind: str
    with_gold: Share
    without_gold: Share


@dataclass(frozen=True, slots=True)
class SliceTable:
    """The attribution by one field. ``rest`` says what the rows do not show."""

    title: str
    intro: str
    caption: str
    field: str
    total_title: str
    ticks: tuple[Tick, ...]
    rate_ticks: tuple[Tick, ...]
    keys: tuple[tuple[str, Colour], ...]
    rows: tuple[SliceRow, ...]
    rest: Words | None


@dataclass(frozen=True, slots=True)
class ListItem:
    """One document of a ranked list. ``jump`` says the ranks between it and the one before are not shown."""

    rank: int
    text: str
    gold: bool
    jump: bool


@dataclass(frozen=True, slots=True)
class Missing:
    """A document with the answer that the list does not hold, and where else it is or was last seen."""

    text: str
    last_seen: str


@dataclass(frozen=True, slots=True)
class Drill:
    """One failure opened: the answer given, the top of the list of the stage that lost it, and the gold."""

    lead: str
    answer: str | None
    list_title: str
    items: tuple[ListItem, ...]
    missing: tuple[Missing, ...]
    note: str | None


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed answer. ``trail`` is the best gold rank at each stage, None where there was none.

    ``group`` is None in a list without that column; ``link`` leads to the failure's own page, where it has one.
    """

    question: str
    group: str | None
    kind: str
    colour: Colour
    trail: tuple[str | None, ...]
    drill: Drill
    link: str | None


@dataclass(frozen=True, slots=True)
class Paged:
    """The failures of a shortened list as data for a script, and what is said of them where it runs."""

    block: Mapping[str, object]
    told: Words


@dataclass(frozen=True, slots=True)
class Failures:
    """The list of failures; ``cut`` says what it leaves out, ``paged`` has that too where the list is shortened.

    ``group_title`` is None where no failure has a group.
    """

    title: str
    intro: Words
    group_title: str | None
    trail_title: str
    rows: tuple[Failure, ...]
    cut: Words | None
    paged: Paged | None
    printed: str | None


@dataclass(frozen=True, slots=True)
class Ground:
    """One line of what the numbers rest on."""

    name: str
    text: Words


@dataclass(frozen=True, slots=True)
class AttributionView:
    """The whole report."""

    kind: str
    title: str
    state: State
    run: tuple[Words, ...]
    chips: tuple[str, ...]
    level: str
    headline: str
    lede: Words
    cascade: Cascade
    asides: tuple[Aside, ...]
    answers: tuple[Answer, ...]
    slices: tuple[SliceTable, ...]
    failures: Failures | None
    grounds: tuple[Ground, ...]
    footer: tuple[Words, ...]
