"""Forecasts on the terminal: what was sealed, the verdict, and the record."""

from __future__ import annotations

from attribution.results import (
    FalsifierVerdict,
    Forecast,
    ForecastLine,
    ForecastRecord,
    Sealed,
    VerdictFound,
)
from attribution.statistics.interval import Interval
from reports import numbers
from reports.text.table import DASH, print_line, print_table, print_warnings, rate
from reports.wording import listed

SHORT_SEAL = 12
SOURCES = {
    "with_gold": "the rate of questions with gold now",
    "stated": "as stated",
    "oracle": "measured with the gold put into the prompt",
}
TERMS = {
    "recall": "recall",
    "recovered": "recovered",
    "retained": "retained",
    "lost": "lost",
    "still_missing": "still missing",
}


def print_forecast(sealed: Sealed) -> None:
    """Print a forecast: what is expected, within what budget, and every way it can fail."""
    forecast = sealed.forecast
    print_line(f"Forecast {forecast.name}, sealed {_moment(forecast)}, sha256 {sealed.sha256}")
    if forecast.revises is not None:
        print_line(f"Revises {forecast.revises}, which stays as it was sealed")
    print_line(f"From run {forecast.run}: pass rate {rate(forecast.passed)}, recall {rate(forecast.recall)}")
    print_line(
        f"At recall {recall_words(forecast.recall_target)}{_shown_by(forecast)}: pass rate "
        f"{rate(forecast.projection, 3)}, gain {_points(forecast.gain)} points"
    )
    print_line(f"These questions, run again: {rate(forecast.next_run.same_questions, 3)}{_churn(forecast)}")
    print_line(f"Recovered questions: {_expected(forecast)}, at {rate(forecast.recovered_rate)}, {_source(forecast)}")
    print_line(f"Error budget: {points(forecast.budget)} points of pass rate, {forecast.budget_source}")
    print_line()
    print_line("What would prove it wrong:")
    print_table(
        ("falsifier", "claim", "power", "if it fails"),
        [(each.name, each.statement, _power(each.power), each.consequence) for each in forecast.falsifiers],
    )
    print_warnings(forecast.warnings)


def print_verdict(found: VerdictFound) -> None:
    """Print a verdict: of the forecast, of every falsifier, and where its error came from."""
    told = "" if found.new else f", as already recorded on {found.verified_at:%Y-%m-%d %H:%M}"
    print_line(f"Forecast {found.forecast} by run {found.after}: {found.verdict}{told}")
    print_line(
        f"Pass rate {rate(found.observed_pass, 3)} against {rate(found.forecast_pass, 3)}; recall "
        f"{numbers.rate(found.recall_observed, 3)} against {recall_words(found.recall_forecast)}"
    )
    cells = [f"{n} {name.replace('_', ' ')}" for name, n in found.cells.items()]
    print_line(f"Answers: {listed(cells)}")
    print_line()
    print_table(
        ("falsifier", "verdict", "seen less claimed, points (90%)", "margin", "p, Holm", "power", "why"),
        [_falsifier(each) for each in found.falsifiers],
    )
    print_line()
    terms = found.error.terms.to_dict()
    print_table(
        ("what the forecast was off by", f"points ({_level(found)} range)"),
        [(TERMS[name], _points(found.error.intervals[name])) for name in terms]
        + [("all together", _points(found.error.intervals["total"]))],
    )
    if found.worth_it.verdict is not None and found.worth_it.min_gain is not None:
        print_line(
            f"Worth at least {points(found.worth_it.min_gain)} points: {found.worth_it.verdict}, "
            f"the gain is {_points(found.worth_it.gain)}"
        )
    for each in found.falsifiers:
        if each.verdict == "refuted":
            print_line(f"{each.name}: {each.consequence}")
    if found.allowed:
        print_line(f"Allowed by name: {', '.join(found.allowed)}")
    print_warnings(found.warnings)


def print_record(found: ForecastRecord) -> None:
    """Print all forecasts and how they have done."""
    if not found.forecasts:
        print_line("No forecast is sealed in this store.")
        return
    print_table(
        ("forecast", "sealed", "seal", "run", "recall", "forecast", "verdict", "by", "seen", "off by, points"),
        [_record_row(line) for line in found.forecasts],
    )
    done = found.calibration
    print_line()
    if done.judged:
        print_line(
            f"{numbers.plural(done.judged, 'forecast')} judged: {done.held} held, {done.refuted} refuted, "
            f"{done.cannot_tell} cannot tell"
        )
        print_line(
            f"Off by {_signed(done.mean_error)} points on average, {points(done.mean_absolute_error or 0.0)} "
            f"either way; {done.covered} of {done.judged} landed in the range for the next run"
        )
    else:
        print_line(
            "No verdict counts yet." if done.allowed else "No forecast has been judged by a run that came after it."
        )
    if done.after_the_fact:
        print_line(f"{done.after_the_fact} sealed when the outcomes were known already: not counted")
    if done.allowed:
        print_line(f"{done.allowed} judged with a difference allowed by name: not counted")
    print_warnings(found.warnings)


def recall_words(target: tuple[float, float]) -> str:
    """Return a recall that was forecast: ``.85``, or ``.80–.85`` where it was a range."""
    low, high = target
    return numbers.rate(low, 3) if low == high else numbers.rate_range(low, high, 3)


def points(size: float) -> str:
    """Return a size on the scale of 0 to 1 as points without a sign: ``2.3``."""
    return numbers.points(abs(size)).removeprefix("+")


def _falsifier(each: FalsifierVerdict) -> tuple[str, ...]:
    verdict = each.verdict + (f", {each.direction}" if each.direction else "")
    why = "; ".join(filter(None, [each.reason or "", *each.details, _needed(each)]))
    seen = _points(each.observed) if each.observed is not None else _realised(each)
    margin = DASH if each.margin is None else points(each.margin)
    return each.name, verdict, seen, margin, _p(each.p_holm), _power(each.power), why


def _realised(each: FalsifierVerdict) -> str:
    return DASH if each.realised is None else f"seen: {rate(each.realised)}"


def _needed(each: FalsifierVerdict) -> str:
    if each.questions_needed is None:
        return ""
    return f"{numbers.plural(each.questions_needed, 'question')} would have decided it"


def _record_row(line: ForecastLine) -> tuple[str, ...]:
    first = line.first
    return (
        line.name,
        DASH if line.sealed_at is None else f"{line.sealed_at:%Y-%m-%d}",
        line.sha256[:SHORT_SEAL],
        DASH if line.run is None else line.run,
        DASH if line.recall_target is None else recall_words(line.recall_target),
        DASH if line.forecast_pass is None else rate(line.forecast_pass, 3),
        _verdict(line),
        DASH if first is None else first.after,
        DASH if first is None else _figure(first.observed_pass),
        DASH if first is None else _signed(first.error.total),
    )


def _verdict(line: ForecastLine) -> str:
    if not line.intact:
        return "tampered with"
    if not line.verdicts_intact:
        return "verdict tampered with"
    if line.first is None:
        return "pending"
    allowed = f" ({listed(line.first.allowed)} allowed)" if line.first.allowed else ""
    return f"{line.first.verdict}{allowed}"


def _figure(found: Interval) -> str:
    return DASH if found.estimate is None else numbers.rate(found.estimate, 3)


def _moment(forecast: Forecast) -> str:
    return f"{forecast.sealed_at:%Y-%m-%d %H:%M} UTC"


def _shown_by(forecast: Forecast) -> str:
    return "" if forecast.recall_from is None else f" (shown by run {forecast.recall_from})"


def _expected(forecast: Forecast) -> str:
    answers = numbers.plural(round(forecast.expected.recovered), "answer")
    return answers if forecast.expected.source == "replay" else f"about {answers}"


def _source(forecast: Forecast) -> str:
    return SOURCES[forecast.recovered_source]


def _churn(forecast: Forecast) -> str:
    churn = forecast.churn
    if churn is None:
        return ", if no answer flips by itself"
    return f", {churn.flips} of {churn.answers} answers having flipped by themselves in run {churn.run}"


def _level(found: VerdictFound) -> str:
    return numbers.percent(found.error.intervals["total"].level)


def _power(power: float | None) -> str:
    return DASH if power is None else numbers.rate(power)


def _p(value: float | None) -> str:
    return DASH if value is None else "<.001" if value < 0.001 else numbers.rate(value, 3)


def _signed(value: float | None) -> str:
    return DASH if value is None else numbers.points(value)


def _points(found: Interval) -> str:
    if found.estimate is None:
        return DASH
    if found.lower is None or found.upper is None:
        return numbers.points(found.estimate)
    return f"{numbers.points(found.estimate)} ({numbers.points(found.lower)} to {numbers.points(found.upper)})"
