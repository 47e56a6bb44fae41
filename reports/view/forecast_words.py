"""The headline of the forecast report and the paragraph under it, made by rule."""

from __future__ import annotations

from collections import Counter

from attribution.results import VerdictFound, VerdictWord
from reports.numbers import count, many, plural, points, rate, rate_range
from reports.view.forecast_claims import claim_title
from reports.view.forecast_error import TERM_NAMES
from reports.view.forecast_parts import ForecastState
from reports.view.forecast_shown import ForecastShown
from reports.view.forecast_verdicts import refuted_upwards
from reports.view.rates import UNKNOWN, plural_points, rate_of, rate_words, recall_words, two_rates
from reports.wording import Words, bracketed, listed, sentences, stage_words, strong, words

_LEVEL = 0.0005
_WORDS: tuple[VerdictWord, ...] = ("refuted", "held", "cannot tell", "not tested")


def headline(shown: ForecastShown) -> str:
    """Return the headline: one sentence with a number."""
    forecast, verdict = shown.forecast, shown.verdict
    now, then = forecast.passed.estimate, forecast.projection.estimate
    if verdict is None:
        if now is None or then is None:
            return f"Recall of {recall_words(forecast.recall_target)} gives no pass rate: a rate it takes is unknown"
        start, end = two_rates(now, then)
        move = "lift" if then > now else "lower"
        if abs(then - now) < _LEVEL:
            return f"Recall of {recall_words(forecast.recall_target)} should leave the pass rate at {end}"
        return f"Recall of {recall_words(forecast.recall_target)} should {move} the pass rate from {start} to {end}"
    came, said = two_rates(verdict.observed_pass.estimate or 0.0, then or 0.0)
    expected = said if then is not None else UNKNOWN
    return f"{_outcome(shown, verdict)}: the pass rate came to {came}, forecast {expected}"


def _outcome(shown: ForecastShown, verdict: VerdictFound) -> str:
    if shown.state is ForecastState.refuted:
        return "Refuted, better than claimed" if refuted_upwards(verdict) else "Refuted"
    return "Held" if shown.state is ForecastState.held else "Cannot tell"


def lede(shown: ForecastShown) -> Words:
    """Return the paragraph under the headline."""
    return _before(shown) if shown.verdict is None else _after(shown, shown.verdict)


def _before(shown: ForecastShown) -> Words:
    forecast = shown.forecast
    if forecast.projection.estimate is None or forecast.gain.estimate is None:
        return words("No rate was seen for questions that the forecast is about.")
    place = stage_words(forecast.setting.stages[-1]).place
    now = rate(forecast.recall.estimate or 0.0)
    verb = "raises" if shown.aim >= (forecast.recall.estimate or 0.0) else "takes"
    expected = words(
        "If the fix {} {}, we expect {} of {} to pass.",
        verb,
        strong(f"recall at {place} from {now} to {recall_words(forecast.recall_target)}"),
        rate_words(forecast.projection, stress=True),
        many(shown.noun),
    )
    moved = round(abs(forecast.gain.estimate) * forecast.answers)
    more = "more" if forecast.gain.estimate >= 0 else "fewer"
    answers = words(
        "That is about {} in {}.", f"{count(moved)} {more} right {'answer' if moved == 1 else 'answers'}",
        count(forecast.answers),
    )  # fmt: skip
    return sentences(expected, answers, _landing(shown), _line(shown))


def _landing(shown: ForecastShown) -> Words:
    """Say where a rerun of the same questions should land, and what that takes."""
    run, churn = shown.forecast.next_run.same_questions, shown.forecast.churn
    if run.lower is None or run.upper is None:
        return words("")
    flips = "" if churn is not None else ", if no answer flips by itself"
    return words("These {} run again should land between {}{}.", many(shown.noun), rate_and(run.bounds), flips)


def rate_and(bounds: tuple[float, float]) -> str:
    """Return two limits within a sentence: ``.79 and .84``."""
    return " and ".join(two_rates(*bounds))


def _line(shown: ForecastShown) -> Words:
    """Name the pass rates at which the forecast no longer holds: those off by more than the budget."""
    centre, budget = shown.forecast.projection.estimate or 0.0, shown.forecast.budget
    return words(
        "Off by more than {}, outside {}, it does not hold.",
        plural_points(budget),
        words("{}", rate_range(max(0.0, centre - budget), min(1.0, centre + budget), 3)),
    )


def _after(shown: ForecastShown, verdict: VerdictFound) -> Words:
    forecast = shown.forecast
    place = stage_words(forecast.setting.stages[-1]).place
    came = words(
        "In run {}, {} passed, at recall {} at {}; {} was forecast at recall {}.",
        strong(_run(verdict.after)),
        rate_of(verdict.observed_pass, shown.noun),
        rate(verdict.recall_observed, 3),
        place,
        rate_words(forecast.projection),
        recall_words(forecast.recall_target),
    )
    return sentences(came, _tally(verdict), _largest(verdict))


def _run(name: str) -> str:
    return name if len(name) <= 48 else f"{name[:47]}…"


def _tally(verdict: VerdictFound) -> Words:
    """Count the falsifiers by verdict, and name the refuted ones."""
    tally = Counter(each.verdict for each in verdict.falsifiers)
    refuted = [claim_title(each.name) for each in verdict.falsifiers if each.verdict == "refuted"]
    which = f" ({listed(refuted)})" if refuted else ""
    parts = [f"{tally[word]} {word}{which if word == 'refuted' else ''}" for word in _WORDS if tally[word]]
    return words("Of {}, {}.", plural(len(verdict.falsifiers), "falsifier"), listed(parts))


def _largest(verdict: VerdictFound) -> Words | None:
    """Say what the forecast was off by, and which part of that is the largest where one stands clear of chance."""
    total, name = verdict.error.intervals["total"], verdict.error.largest
    off = words("It was off by {} points", strong(points(verdict.error.total)))
    if total.lower is not None and total.upper is not None:
        off = words("{} {}", off, bracketed(f"{points(total.lower)} to {points(total.upper)}"))
    if name is None:
        return words("{}.", off)
    part = verdict.error.intervals[name]
    if part.lower is None or part.upper is None or part.lower <= 0.0 <= part.upper:
        return words("{}; no part of that stands clear of chance.", off)
    return words("{}; the largest part, {}, is {}.", off, points(part.estimate or 0.0), TERM_NAMES[name].inside)
