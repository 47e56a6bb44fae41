"""A report in short, for a comment or a mail: its headline, the main picture as a table, and the answers of its rail.

Everything is taken from the view that the page is made from, so the short forms say what the page says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports.numbers import plural
from reports.view.forecast_parts import Arithmetic, FalsifierTable, ForecastView
from reports.view.parts import Answer, Aside, AttributionView, Cascade, CascadeRow
from reports.view.planning_parts import PlanningView, Trend, TrendRow
from reports.wording import Words, code, sentences, strong, words

MOST_ROWS = 30
"""Rows of a table; how many more the page has is said."""


@dataclass(frozen=True, slots=True)
class Table:
    """A picture in numbers: no introduction where that explains marks; ``more`` says what the rows leave out."""

    title: str
    intro: str | None
    heads: tuple[str, ...]
    rows: tuple[tuple[Words, ...], ...]
    more: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    """A report in short."""

    kind: str
    title: str
    chips: tuple[str, ...]
    run: tuple[Words, ...]
    level: str
    headline: str
    lede: Words
    tables: tuple[Table, ...]
    asides: tuple[Aside, ...]
    answers: tuple[Answer, ...]
    footer: tuple[Words, ...]


def full_report(file: str) -> Words:
    """Return where all of the report is."""
    return words("The full report is {}.", code(file))


def attribution_summary(view: AttributionView) -> Summary:
    """Return the attribution report in short; its table is the cascade."""
    return _summary(view, (_cascade(view.cascade),))


def forecast_summary(view: ForecastView) -> Summary:
    """Return the forecast report in short; its table is the arithmetic, which has the numbers of the picture.

    Once there is a verdict, the claims stand beside it with theirs.
    """
    sums = () if view.arithmetic is None else (_arithmetic(view.picture.title, view.arithmetic),)
    judged = (_falsifiers(view.falsifiers),) if view.error is not None else ()
    return _summary(view, (*sums, *judged))


def planning_summary(view: PlanningView) -> Summary:
    """Return the planning report in short; its table is the pass rate by build."""
    return _summary(view, () if view.trend is None else (_trend(view.trend),))


def _summary(view: AttributionView | ForecastView | PlanningView, tables: tuple[Table, ...]) -> Summary:
    return Summary(
        kind=view.kind,
        title=view.title,
        chips=view.chips,
        run=view.run,
        level=view.level,
        headline=view.headline,
        lede=view.lede,
        tables=tables,
        asides=view.asides,
        answers=view.answers,
        footer=view.footer,
    )


def _table(title: str, intro: str | None, heads: tuple[str, ...], rows: Sequence[tuple[Words, ...]]) -> Table:
    """Return a table of the columns that have a head, with its last rows where there are more than a comment holds."""
    kept = [i for i, head in enumerate(heads) if head]
    hidden = len(rows) - MOST_ROWS
    more = f"{plural(hidden, 'more row')} in the full report." if hidden > 0 else None
    shown = tuple(tuple(row[i] for i in kept) for row in rows[-MOST_ROWS:])
    return Table(title, intro, tuple(heads[i] for i in kept), shown, more)


def _text(text: str) -> Words:
    return words("{}", text)


def _cascade(view: Cascade) -> Table:
    rows = [_cascade_row(row) for row in view.rows]
    if view.left_out is not None:
        out = view.left_out
        rows.append((_text(out.name), _text(out.total), _text(out.reasons), words("")))
    return _table(view.title, None, view.heads, rows)


def _cascade_row(row: CascadeRow) -> tuple[Words, ...]:
    lost = words("") if row.loss is None else words("{}: {}", row.loss, row.detail)
    return _text(row.name), _text(row.in_play), lost, words("") if row.share is None else row.share.text


def _arithmetic(title: str, view: Arithmetic) -> Table:
    rows = [(_text(row.name), *row.cells) for row in view.rows]
    return _table(title, view.intro, view.heads, rows)


def _falsifiers(view: FalsifierTable) -> Table:
    rows = [(row.see, sentences(words("{}.", strong(row.verdict)), row.observed)) for row in view.rows]
    return _table(view.title, view.intro, ("If we see", "Verdict"), rows)


def _trend(view: Trend) -> Table:
    return _table(view.title, None, view.heads, [_trend_row(row) for row in view.rows])


def _trend_row(row: TrendRow) -> tuple[Words, ...]:
    name = words("{} ({})", row.name, row.note) if row.note else _text(row.name)
    told = row.passed
    for forecast in row.forecast:
        told = words("{}; {}", told, forecast)
    return name, _text(row.total), told
