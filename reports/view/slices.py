"""The attribution by a field, such as the intent: one line a value, the values with most failures first."""

from __future__ import annotations

import itertools

from attribution.results import Attribution, BySlice, Fate
from attribution.statistics.interval import Interval
from reports.numbers import COUNTS_BELOW, axis, count, many, percent, plural
from reports.view.cascade import colour_of, laid_out
from reports.view.palette import Colour
from reports.view.parts import Share, SliceRow, SliceTable, Unit
from reports.view.shares import cases, has_range, of, range_words, tick_labels, whisker
from reports.wording import Words, cut_name, listed, name_of, quoted, words

ROWS = 20
_NAMED = 3


def slice_tables(attribution: Attribution, unit: Unit) -> tuple[SliceTable, ...]:
    """Return one table for each field the attribution was asked by, in that order; none for one never recorded."""
    fields = [(field, list(parts)) for field, parts in itertools.groupby(attribution.by, key=lambda part: part.field)]
    return tuple(
        _table(attribution, field, parts, unit)
        for field, parts in fields
        if any(part.value is not None for part in parts)
    )


def _table(attribution: Attribution, field: str, parts: list[BySlice], unit: Unit) -> SliceTable:
    ordered = sorted(parts, key=lambda part: (-part.failed, -part.passed.n, part.value is None, part.value or ""))
    shown, hidden = ordered[:ROWS], ordered[ROWS:]
    tops = [failing(part.passed) for part in shown]
    ticks = axis(max((t.upper for t in tops if has_range(t) and t.upper is not None), default=1.0))
    stages = [stage.stage for stage in attribution.stages]
    name = field.replace("_", " ")
    kinds = [fate for fate in attribution.fates if fate.failed]
    return SliceTable(
        title=_title(attribution, ordered, cut_name(name)),
        intro=(
            f"Left: share of each row’s {many(unit.noun)} that failed, by the stage that lost the evidence, with the "
            "range for the total underneath; beside it how many failed, and of each kind in the order of the key. "
            "Right: pass rate with and without the evidence in the last list. The gap is what retrieval can buy."
        ),
        caption=f"Failures and pass rates by {cut_name(name)}",
        field=cut_name(name).capitalize(),
        total_title=many(unit.noun).capitalize(),
        ticks=tick_labels(ticks),
        rate_ticks=tick_labels([0.0, 0.5, 1.0]),
        keys=tuple((name_of(fate), colour_of_fate(fate, stages)) for fate in kinds),
        rows=tuple(slice_row(part, stages, kinds, ticks[-1], unit) for part in shown),
        rest=_rest(hidden, cut_name(name), unit),
    )


def colour_of_fate(fate: Fate, stages: list[str]) -> Colour:
    """Return the colour of a kind of failure in a pipeline of these stages."""
    return colour_of(fate.fate, fate.stage, stages)


def failing(passed: Interval) -> Interval:
    """Return the failure rate that goes with a pass rate."""
    flip = [None if x is None else 1.0 - x for x in (passed.estimate, passed.upper, passed.lower)]
    return Interval(
        n=passed.n,
        count=passed.n - cases(passed),
        estimate=flip[0],
        lower=flip[1],
        upper=flip[2],
        level=passed.level,
        method=passed.method,
        n_effective=passed.n_effective,
        reason=passed.reason,
    )


def _title(attribution: Attribution, ordered: list[BySlice], field: str) -> str:
    """Name the fewest values that carry half of the failures, where they are few enough to name."""
    needed, carried = [], 0
    for part in ordered:
        if 2 * carried >= attribution.failed:
            break
        needed.append(part)
        carried += part.failed
    if len(needed) > _NAMED or len(needed) == len(ordered):
        return f"Failures by {field}"
    names = listed([quoted(cut_name(part.value)) for part in needed])
    verb = "carries" if len(needed) == 1 else "carry"
    return f"{names} {verb} {count(carried)} of the {count(attribution.failed)} failures"


def _by_kind(part: BySlice, kinds: list[Fate]) -> list[int]:
    failed = {(fate.fate, fate.stage): fate.failed for fate in part.fates}
    return [failed.get((kind.fate, kind.stage), 0) for kind in kinds]


def slice_row(part: BySlice, stages: list[str], kinds: list[Fate], top: float, unit: Unit) -> SliceRow:
    """Return one row: ``stages`` are those of its pipeline, ``kinds`` the failures of the key, ``top`` the axis end."""
    failed = failing(part.passed)
    n = part.passed.n
    scale = n * top
    pieces = [(colour_of_fate(fate, stages), fate.failed) for fate in part.fates]
    return SliceRow(
        name=cut_name(part.value),
        total=count(n),
        noun=unit.noun if n == 1 else many(unit.noun),
        segments=laid_out(pieces, scale),
        failed=Share(_failed_words(failed), whisker(failed, top)),
        failed_count=count(part.failed),
        failed_by_kind=" · ".join(count(n) for n in _by_kind(part, kinds)),
        with_gold=_rate(part.conditional.with_gold),
        without_gold=_rate(part.conditional.without_gold),
    )


def _failed_words(failed: Interval) -> Words:
    if failed.n < COUNTS_BELOW or failed.estimate is None:
        return words("of {}", count(failed.n))
    return words("{} {}", percent(failed.estimate), range_words(failed))


def _rate(interval: Interval) -> Share:
    if interval.n == 0 or interval.estimate is None:
        return Share(words("none"), None)
    text = (
        words("{} {}", of(interval), percent(interval.estimate))
        if interval.n >= COUNTS_BELOW
        else words("{}", of(interval))
    )
    return Share(text, whisker(interval, 1.0))


def _rest(hidden: list[BySlice], field: str, unit: Unit) -> Words | None:
    if not hidden:
        return None
    failed, n = sum(part.failed for part in hidden), sum(part.passed.n for part in hidden)
    return words(
        "{} of {} {} not shown: {} among {}.",
        plural(len(hidden), "more value"),
        field,
        "is" if len(hidden) == 1 else "are",
        plural(failed, "failure"),
        plural(n, unit.noun),
    )
