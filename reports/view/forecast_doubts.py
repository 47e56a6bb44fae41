"""How the forecast moves if one assumption is changed, and the arithmetic behind it, all from what is sealed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from attribution.statistics.interval import Interval
from reports.numbers import count, many, place, points, rate
from reports.view.forecast_parts import Arithmetic, DeltaRow, DeltaTable, Span, SumRow
from reports.view.forecast_shown import ForecastShown
from reports.view.parts import Tick
from reports.view.rates import rate_words, recall_words
from reports.wording import Words, stage_words, strong, words

SHORT = 0.2
"""Share of the promised rise in recall that stays out, as in the claim on recall."""

DISTURBED = 0.02
GAPS = 0.05
_SAME = 0.0005


@dataclass(frozen=True, slots=True)
class _Doubt:
    """One assumption changed: ``passed`` is the pass rate to expect then."""

    name: str
    what: str
    note: str
    passed: float
    title: str


def sensitivity(shown: ForecastShown) -> DeltaTable | None:
    """Return what the forecast becomes if an assumption fails, the largest effect first; None without a forecast."""
    base = shown.forecast.projection.estimate
    if base is None:
        return None
    doubts = sorted(_doubts(shown, base), key=lambda doubt: -abs(doubt.passed - base))
    if not doubts:
        return None
    low, high, step = _scale([base, *(doubt.passed for doubt in doubts)])
    rows = tuple(
        DeltaRow(
            name=doubt.name,
            what=words("{}", doubt.what),
            note=doubt.note,
            figure=rate(doubt.passed, 3),
            range="no change" if abs(doubt.passed - base) < _SAME else points(doubt.passed - base),
            span=_span(base, doubt.passed, low, high),
            total=False,
        )
        for doubt in doubts
    )
    return DeltaTable(
        title=f"{doubts[0].title}, expect {rate(doubts[0].passed)}",
        intro=f"One assumption changed at a time. The line marks the forecast, {rate(base, 3)}.",
        caption="Sensitivity of the forecast",
        heads=("Assumption", "Changed to", "Pass rate"),
        ticks=_ticks(low, high, step),
        rows=rows,
        after=None,
    )


def _doubts(shown: ForecastShown, base: float) -> list[_Doubt]:
    forecast = shown.forecast
    recall, found, missed = (rate_.estimate for rate_ in (forecast.recall, forecast.with_gold, forecast.without_gold))
    claimed = forecast.recovered_rate.estimate
    if recall is None or found is None or missed is None:
        return []
    rise = max(0.0, shown.aim - recall)
    doubts: list[_Doubt] = []
    if rise > 0.0 and claimed is not None:
        half = (claimed + missed) / 2.0
        short = shown.aim - SHORT * rise
        doubts += [
            _Doubt(
                "Recovered questions gain half as much",
                f"They pass at {rate(half)}, not {rate(claimed)}",
                "The largest untested assumption",
                base - rise * (claimed - half),
                "If recovered questions gain half as much",
            ),
            _Doubt(
                "Recall lands short",
                f"Recall {rate(short, 3)}, not {rate(shown.aim, 3)}",
                "A fifth of the rise stays out",
                shown.true_rate(short).estimate or base,
                "If a fifth of the rise in recall stays out",
            ),
        ]
        if forecast.recovered_source != "with_gold":
            doubts.append(
                _Doubt(
                    "Recovered questions are like those reached",
                    f"They pass at {rate(found)}, not {rate(claimed)}",
                    "The rate of questions with gold today",
                    base + rise * (found - claimed),
                    "If recovered questions are like those reached",
                )
            )
    if forecast.recall_target[0] < forecast.recall_target[1]:
        low, high = forecast.recall_target
        for end, name in ((low, "low"), (high, "high")):
            doubts.append(
                _Doubt(
                    f"Recall comes to the {name} end",
                    f"Recall {rate(end, 3)}, not {rate(shown.aim, 3)}",
                    "An end of the range that is forecast",
                    shown.true_rate(end).estimate or base,
                    f"If recall comes to the {name} end",
                )
            )
    kept = min(recall, shown.aim)
    doubts.append(
        _Doubt(
            "The change disturbs what it was not for",
            "Questions that keep their gold lose 2 points",
            "A longer prompt, more distractors",
            base - kept * DISTURBED,
            "If the change disturbs what it was not for",
        )
    )
    gaps = _with_gaps(shown, base, found, missed)
    return doubts if gaps is None else [*doubts, gaps]


def _with_gaps(shown: ForecastShown, base: float, found: float, missed: float) -> _Doubt | None:
    """Some misses had the evidence all along, unlabelled, and passed like the reached: the others then pass less."""
    n, aim = shown.forecast.without_gold.n, shown.aim
    moved = round(GAPS * n)
    share = moved / n if n else 0.0
    if not moved or share * found > missed:
        return None
    rest = (missed - share * found) / (1.0 - share)
    return _Doubt(
        "Some misses are gaps in the labels",
        f"{count(moved)} of {count(n)} had the evidence all along",
        "They passed like the reached; the other misses pass less",
        base - (1.0 - aim) * (missed - rest),
        "If some misses are gaps in the labels",
    )


def _scale(values: list[float]) -> tuple[float, float, float]:
    spread = max(values) - min(values)
    step = next((step for step in (0.01, 0.02, 0.05, 0.1) if spread <= 5 * step), 0.2)
    low = math.floor(min(values) / step + 1e-9) * step
    high = max(math.ceil(max(values) / step - 1e-9) * step, low + 2 * step)
    return low, high, step


def _span(base: float, value: float, low: float, high: float) -> Span:
    def at(passed: float) -> float:
        return (passed - low) / (high - low)

    start = min(at(base), at(value))
    return Span(place(at(base)), place(start), place(abs(at(value) - at(base))), None, place(at(value)), None)


def _ticks(low: float, high: float, step: float) -> tuple[Tick, ...]:
    n = round((high - low) / step)
    return tuple(
        Tick(place(i / n), rate(low + i * step), "start" if i == 0 else "end" if i == n else "middle")
        for i in range(n + 1)
    )


def arithmetic(shown: ForecastShown) -> Arithmetic | None:
    """Return the forecast as a sum; None where a rate in it has no cases."""
    forecast = shown.forecast
    now, aim, (found, missed) = forecast.recall.estimate, shown.aim, (forecast.with_gold, forecast.without_gold)
    if now is None or found.estimate is None or missed.estimate is None:
        return None
    own = shown.fix.recovered if shown.fix.own_rate(forecast.recall) is not None else None
    rise = aim - now if own is not None else 0.0
    rows = [
        _row("Reached", found, now, aim - rise),
        *([_row("Recovered", own, 0.0, rise)] if own is not None and own.estimate is not None else []),
        _row("Missed", missed, 1.0 - now, 1.0 - aim),
        SumRow(
            "All",
            (
                words("{}", count(forecast.passed.n)),
                words("{}", _passed(forecast.passed)),
                rate_words(forecast.passed),
                words("{}", strong(rate(forecast.passed.estimate or 0.0, 3))),
                rate_words(forecast.projection, stress=True),
            ),
            total=True,
        ),
    ]
    untested = "questions the fix reaches will pass like those reached today"
    if own is not None:
        untested = "questions the fix reaches pass at a rate of their own"
    place = stage_words(forecast.setting.stages[-1]).place
    return Arithmetic(
        intro=f"Two measured rates and one assumption: {untested}.",
        formula=_formula(found.estimate, missed.estimate, None if own is None else own.estimate, now),
        heads=(
            f"Evidence in {place}",
            many(shown.noun).capitalize(),
            "Passed",
            "Rate",
            "Today",
            f"At recall {recall_words(forecast.recall_target)}",
        ),
        rows=tuple(rows),
    )


def _formula(found: float, missed: float, own: float | None, now: float) -> Words:
    with_, without = strong(rate(found, 3)), strong(rate(missed, 3))
    if own is None:
        return words("pass rate = recall × {} + (1 − recall) × {}", with_, without)
    pattern = "pass rate = {} × {} + (recall − {}) × {} + (1 − recall) × {}"
    return words(pattern, rate(now), with_, rate(now), strong(rate(own, 3)), without)


def _row(name: str, found: Interval, now: float, then: float) -> SumRow:
    return SumRow(
        name,
        (
            words("{}", count(found.n) if found.n else "–"),
            words("{}", _passed(found)),
            rate_words(found) if found.method != "stated" else words("{}, stated", rate(found.estimate or 0.0, 3)),
            words("{}", _product(now, found)),
            words("{}", _product(then, found)),
        ),
        total=False,
    )


def _passed(found: Interval) -> str:
    return "–" if found.count is None else count(found.count)


def _product(share: float, found: Interval) -> str:
    passed = found.estimate or 0.0
    return f"{rate(share)} × {rate(passed, 3)} = {rate(share * passed, 3)}" if share > 0.0 else "–"
