"""What a forecast was off by, part by part, and whether the change was worth it."""

from __future__ import annotations

from dataclasses import dataclass

from attribution.results import VerdictFound
from attribution.statistics.interval import Interval
from reports.numbers import count, place, points
from reports.view.forecast_parts import DeltaRow, DeltaTable, Span
from reports.view.parts import Tick
from reports.view.rates import plural_points, signed, signed_range
from reports.wording import Words, bracketed, strong, words

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class TermWords:
    """One part of the error: as the head of a row, within a sentence, and explained."""

    row: str
    inside: str
    what: str


TERM_NAMES = {
    "recall": TermWords("Recall", "that recall came out otherwise", "Recall came out other than forecast"),
    "recovered": TermWords(
        "Recovered", "that recovered questions pass unlike the claim", "They pass unlike the rate claimed for them"
    ),
    "retained": TermWords(
        "Retained", "that questions which keep their gold pass unlike before", "They pass unlike those with gold before"
    ),
    "lost": TermWords("Lost", "that questions lost their gold", "They pass unlike those without gold before"),
    "still_missing": TermWords(
        "Still missing", "that questions still missing pass unlike before", "They pass unlike those without gold before"
    ),
}


def error_table(verdict: VerdictFound) -> DeltaTable:
    """Return the exact split of the error, one row a part, in the order of the cells."""
    terms = verdict.error.terms.to_dict()
    known = [verdict.error.intervals[name] for name in (*terms, "total")]
    reach = _reach(known)
    rows = [
        DeltaRow(
            name=TERM_NAMES[name].row,
            what=words("{}", TERM_NAMES[name].what),
            note=_cell(verdict, name),
            figure=signed(verdict.error.intervals[name]),
            range=signed_range(verdict.error.intervals[name]),
            span=_span(verdict.error.intervals[name], reach),
            total=False,
        )
        for name in terms
    ]
    total = verdict.error.intervals["total"]
    rows.append(
        DeltaRow(
            name="All together",
            what=words("Pass rate seen less pass rate forecast"),
            note=f"{count(sum(verdict.cells.values()))} in all",
            figure=signed(total),
            range=signed_range(total),
            span=_span(total, reach),
            total=True,
        )
    )
    return DeltaTable(
        title=_title(verdict),
        intro="The parts add up to the whole exactly, in points of pass rate; a part of a cell without questions is 0.",
        caption="What the forecast was off by",
        heads=("Part", "What came out otherwise", "Points"),
        ticks=_ticks(reach),
        rows=tuple(rows),
        after=None,
    )


def _title(verdict: VerdictFound) -> str:
    total, name = verdict.error.total, verdict.error.largest
    if name is None:
        return "The forecast was off by nothing"
    part = verdict.error.intervals[name]
    clear = part.lower is not None and part.upper is not None and not part.lower <= 0.0 <= part.upper
    if not clear:
        return f"Off by {points(total)} points, no part clear of chance"
    size = points(part.estimate or 0.0)
    return f"Off by {points(total)} points, the largest part {TERM_NAMES[name].row.lower()}: {size}"


def _cell(verdict: VerdictFound, name: str) -> str:
    if name == "recall":
        return ""
    n = verdict.cells.get(name, 0)
    return f"{count(n)} {name.replace('_', ' ')}" if n else f"none {name.replace('_', ' ')}"


def _reach(known: list[Interval]) -> float:
    """Return how far the axis goes to either side."""
    ends = [abs(end) for each in known for end in (each.lower, each.upper, each.estimate) if end is not None]
    top = max(ends, default=0.0)
    return next((step for step in _STEPS if top <= step), _STEPS[-1])


def _at(value: float, reach: float) -> str:
    return place(0.5 + value / (2.0 * reach))


def _span(found: Interval, reach: float) -> Span | None:
    if found.estimate is None:
        return None
    ranged = found.lower is not None and found.upper is not None
    return Span(
        base=_at(0.0, reach),
        x=_at(min(0.0, found.estimate), reach),
        width=place(abs(found.estimate) / (2.0 * reach)),
        lower=_at(found.lower, reach) if ranged and found.lower is not None else None,
        middle=_at(found.estimate, reach),
        upper=_at(found.upper, reach) if ranged and found.upper is not None else None,
    )


def _ticks(reach: float) -> tuple[Tick, ...]:
    def text(value: float) -> str:
        return points(value).replace(".0", "")

    return (
        Tick("0%", text(-reach), "start"),
        Tick("50%", "0", "middle"),
        Tick("100%", f"{text(reach)} points", "end"),
    )


def worth(verdict: VerdictFound) -> Words:
    """Say whether the change was worth it, which is another question than whether the forecast held."""
    found = verdict.worth_it
    gain = words("{} points {}", signed(found.gain), bracketed(signed_range(found.gain)))
    if found.min_gain is None or found.verdict is None:
        return words("No least gain was sealed, so whether it was worth it is not judged. The gain is {}.", gain)
    answer = {"yes": "Worth it", "no": "Not worth it", "cannot tell": "Cannot tell whether it was worth it"}
    line = plural_points(found.min_gain)
    return words("{}: the gain is {}, at least {} were asked for.", strong(answer[found.verdict]), gain, line)
