"""The four questions beside the picture of a forecast."""

from __future__ import annotations

from reports.numbers import count, many, percent, points, rate
from reports.view.forecast_claims import rail_lines
from reports.view.forecast_error import worth
from reports.view.forecast_shown import ForecastShown
from reports.view.parts import Answer
from reports.view.rail import SURE, WORTH, WRONG
from reports.view.rates import plural_points, signed, signed_range, size
from reports.view.shares import cases
from reports.wording import Words, sentences, stage_words, strong, words

WHERE = "Where the failures are"


def answers(shown: ForecastShown) -> tuple[Answer, ...]:
    """Return the four questions with their answers, in the order of every report."""
    return (_where(shown), _worth(shown), _sure(shown), _wrong(shown))


def _where(shown: ForecastShown) -> Answer:
    forecast = shown.forecast
    failed = forecast.passed.n - cases(forecast.passed)
    lacking = forecast.without_gold.n - cases(forecast.without_gold)
    place = stage_words(forecast.setting.stages[-1]).place
    if not failed:
        return Answer(WHERE, None, None, (words("Nothing failed in the run before."),), ())
    rest = failed - lacking
    text = words(
        "Of {} in the run before, {} had no evidence in {}."
        if lacking
        else "Of {} in the run before, {} had evidence in {}.",
        f"{count(failed)} failures" if failed > 1 else "1 failure",
        strong(count(lacking) if lacking else "all"),
        place,
    )
    others = words("The other {} {} not retrieval’s to mend.", count(rest), "is" if rest == 1 else "are")
    return Answer(WHERE, None, None, (sentences(text, others if lacking and rest else None),), ())


def _worth(shown: ForecastShown) -> Answer:
    gain = shown.forecast.gain
    if gain.estimate is None:
        return Answer(WORTH, None, None, (words("Not known: a rate that it takes was never seen."),), ())
    ranged = f"({signed_range(gain)})".replace("+", "") if signed_range(gain) else None
    paragraphs = [sentences(_from(shown), _asked(shown))]
    if shown.verdict is not None:
        came = shown.verdict.worth_it.gain
        paragraphs = [words("That was forecast, from {}; {} came.", _now(shown), strong(f"{signed(came)} points"))]
        if shown.forecast.min_gain is not None:
            paragraphs.append(worth(shown.verdict))
    return Answer(WORTH, f"{points(gain.estimate)} points", ranged, tuple(paragraphs), ())


def _now(shown: ForecastShown) -> str:
    return rate(shown.forecast.passed.estimate or 0.0, 3)


def _from(shown: ForecastShown) -> Words:
    ceiling = shown.true_rate(1.0).estimate
    now = words("From {} today.", _now(shown))
    if ceiling is None:
        return now
    rest = 1.0 - ceiling
    last = words("The ceiling, with nothing ever missed, is {}", rate(ceiling))
    return words(
        "{} {}{}.", now, last, f"; the last {size(rest)} points are not retrieval’s to give" if rest > 0 else ""
    )


def _asked(shown: ForecastShown) -> Words | None:
    least = shown.forecast.min_gain
    return None if least is None or shown.verdict is not None else words(
        "Worth having from {}.", plural_points(least)
    )  # fmt: skip


def _sure(shown: ForecastShown) -> Answer:
    forecast = shown.forecast
    rests = words(
        "The slope rests on {} with the evidence and {} without.",
        f"{count(forecast.with_gold.n)} {many(shown.noun)}",
        count(forecast.without_gold.n),
    )
    return Answer(SURE, None, None, (sentences(rests, reach(shown)), sentences(_assumed(shown), _power(shown))), ())


def reach(shown: ForecastShown) -> Words:
    """Name the extrapolation, if there is one, and what has shown the recall."""
    target = rate(max(shown.forecast.recall_target))
    if not shown.extrapolates:
        return words(
            "Builds have been at recalls up to {}, so {} is within what was seen.", rate(shown.highest), target
        )
    step = words(
        "{}, so the step to {} is extrapolation.", strong(f"No build has been above {rate(shown.highest)}"), target
    )
    if shown.forecast.recall_from is None:
        return step
    return words(
        "{} Retrieval alone has reached it, in run {}, without answers.", step, shown.forecast.recall_from[:48]
    )


def _assumed(shown: ForecastShown) -> Words:
    forecast = shown.forecast
    claimed = "an unknown rate" if forecast.recovered_rate.estimate is None else rate(forecast.recovered_rate.estimate)
    match forecast.recovered_source:
        case "with_gold":
            return words(
                "Recovered questions are taken to pass at {}, like those reached today; nobody has tried.", claimed
            )
        case "stated":
            return words("Recovered questions are taken to pass at {}, which somebody stated.", claimed)
        case "oracle":
            how = "Recovered questions are taken to pass at {}, as a sample did with the gold put into the prompt."
            return words(how, claimed)


def _power(shown: ForecastShown) -> Words | None:
    known = [each.power for each in shown.forecast.falsifiers if each.gates and each.power is not None]
    if not known or shown.verdict is not None:
        return None
    return words("If all is as claimed, the weakest of the deciding claims holds {} of the time.", percent(min(known)))


def _wrong(shown: ForecastShown) -> Answer:
    lines = rail_lines(shown)
    if not lines:
        return Answer(WRONG, None, None, (words("No claim that could be measured was sealed."),), ())
    return Answer(WRONG, None, None, (), lines)
