"""What would be seen if a falsifier struck, in words, with its line."""

from __future__ import annotations

from collections.abc import Callable

from attribution.results import Forecast, SealedFalsifier
from reports.numbers import MINUS, percent, rate
from reports.safe_text import cut
from reports.view.forecast_shown import ForecastShown
from reports.view.rates import plural_points, size
from reports.wording import Words, listed, stage_words, strong, words

LONG = 300
_RAIL = ("aggregate", "recall", "recovered", "retained", "selection")
_IN_RAIL = 4


def claim_title(name: str) -> str:
    """Return what a falsifier is called in a list."""
    return cut(name, 48)


def rail_lines(shown: ForecastShown) -> tuple[Words, ...]:
    """Return the falsifiers that decide most, at most four, as what would be seen."""
    testable = [name for name in _RAIL if name != "aggregate" or shown.forecast.churn is not None]
    claims = [claim for name in testable if (claim := shown.claim(name)) is not None and claim.margin is not None]
    return tuple(words("{}.", see(shown.forecast, claim)) for claim in claims[:_IN_RAIL])


def see(forecast: Forecast, sealed: SealedFalsifier) -> Words:
    """Return what would be seen if the falsifier struck, its line standing out."""
    made = _SEE.get(sealed.name)
    if made is None:
        return words("Not so: {}", cut(sealed.statement, LONG))
    if sealed.margin is None and sealed.name != "unchanged":
        return words(_NO_LINE[sealed.name])
    return made(forecast, sealed.margin or 0.0)


_NO_LINE = {
    "recovered": "Questions that no one expected to recover pass unlike those with gold",
    "retained": "Questions that keep their gold pass less often than before",
    "selection": "Questions still missing and recovered ones passed unlike each other before the fix",
    "recall": "Recall has no line here: gold does not help",
    "audit": "Labels have no line here: gold does not help",
    "unjudged": "Unjudged documents become more frequent",
    "aggregate": "These questions pass less often than expected",
}


def _recovered(forecast: Forecast, margin: float) -> Words:
    claimed = forecast.recovered_rate.estimate
    of = "the rate claimed" if claimed is None else f"the {rate(claimed, 3)} claimed"
    return words("Recovered questions pass {} less often than {}", strong(plural_points(margin)), of)


def _retained(_: Forecast, margin: float) -> Words:
    return words("Questions that keep their gold pass {} less often than before", strong(plural_points(margin)))


def _selection(_: Forecast, margin: float) -> Words:
    line = strong(plural_points(margin))
    return words("Questions still missing passed, before the fix, {} more or less often than those it recovers", line)


def _recall(forecast: Forecast, margin: float) -> Words:
    return words(
        "Recall at {} comes to less than {}", place_of(forecast), strong(rate(least_recall(forecast, margin), 3))
    )


def least_recall(forecast: Forecast, margin: float) -> float:
    """Return the recall below which what was promised did not come."""
    return forecast.recall_target[0] - margin


def _audit(_: Forecast, margin: float) -> Words:
    return words("An open search finds gold that the labels lack in {} of questions or more", strong(percent(margin)))


def _unjudged(forecast: Forecast, margin: float) -> Words:
    before = forecast.unjudged.estimate
    said = "" if before is None else f", where {percent(before)} are now"
    where = place_of(forecast)
    return words("{} more of the documents in {} are unjudged{}", strong(plural_points(margin)), where, said)


def _unchanged(forecast: Forecast, _: float) -> Words:
    save = f", save the {listed(forecast.changes)} as said" if forecast.changes else ""
    return words(
        "{} changes: model, prompt, judge, pass rule, index or stages{}", strong("Anything but retrieval"), save
    )


def _aggregate(forecast: Forecast, margin: float) -> Words:
    expected = forecast.next_run.same_questions.estimate
    than = "expected" if expected is None else f"the {rate(expected, 3)} expected of them"
    return words("These very questions pass {} less often than {}", strong(plural_points(margin)), than)


_SEE: dict[str, Callable[[Forecast, float], Words]] = {
    "recovered": _recovered,
    "retained": _retained,
    "selection": _selection,
    "recall": _recall,
    "audit": _audit,
    "unjudged": _unjudged,
    "unchanged": _unchanged,
    "aggregate": _aggregate,
}


def place_of(forecast: Forecast) -> str:
    """Return where the model reads, in words."""
    return stage_words(forecast.setting.stages[-1]).place


def margin_words(sealed: SealedFalsifier) -> str:
    """Return a margin with the side it lies on: ``−14.8``, ``±41.5``, ``+5.0``."""
    if sealed.margin is None:
        return "–"
    return f"{MINUS}{size(sealed.margin)}" if sealed.name not in {"selection", "audit", "unjudged"} else (
        f"±{size(sealed.margin)}" if sealed.name == "selection" else f"+{size(sealed.margin)}"
    )  # fmt: skip
