"""What a forecast rests on, and the foot of its page."""

from __future__ import annotations

from collections.abc import Sequence

from attribution.results import Forecast, Warn
from reports.numbers import count, date, percent, plural, rate
from reports.safe_text import cut
from reports.view.footer import short
from reports.view.forecast_shown import ForecastShown
from reports.view.parts import Ground
from reports.view.rates import plural_points
from reports.view.rest import labels_words, policy_words
from reports.wording import Words, code, cut_name, listed, sentences, stage_words, strong, words

_LONG = 300
_MANY = 8
_BUDGET = {
    "stated": "as stated",
    "half of the gain": "half of the gain",
    "gain less the least worth having": "the gain less the least worth having",
    "least with power": "the least with which the deciding claims have power",
}


def grounds(shown: ForecastShown) -> tuple[Ground, ...]:
    """Return every line of the last section; lines with nothing to say are left out."""
    forecast = shown.forecast
    found: list[tuple[str, Words | None]] = [
        ("Data", words("Made up: {}", strong(cut(shown.synthetic, _LONG))) if shown.synthetic else None),
        ("Sealed", _sealed(shown)),
        ("Made from", _run(forecast)),
        ("Stages", words("{}.", listed([stage_words(stage).short for stage in forecast.setting.stages]))),
        ("Evidence labels", sentences(labels_words(forecast.labels), _gold(forecast))),
        ("Counts as evidence", policy_words(forecast.policy)),
        ("Recall", _recall(forecast)),
        ("Error budget", _budget(forecast)),
        ("Flips by chance", _churn(forecast)),
        ("Expected", _cells(forecast)),
        ("Changed on purpose", words("{}.", listed(forecast.changes)) if forecast.changes else None),
        ("Ranges", _ranges(forecast)),
        ("Verdict", _verdict(shown)),
        ("Builds", _builds(shown)),
        *[("Read with care", words("{}.", text)) for text in warned(_warnings(shown))],
    ]
    return tuple(Ground(name, text) for name, text in found if text)


def _sealed(shown: ForecastShown) -> Words:
    forecast = shown.forecast
    return words(
        "{} at {} UTC by foundlost {}. sha256 {}{}.",
        date(forecast.sealed_at),
        f"{forecast.sealed_at:%H:%M:%S}",
        forecast.version,
        code(shown.sealed.sha256),
        words("; before it in the store {}", code(short(forecast.previous))) if forecast.previous else words(""),
    )


def _run(forecast: Forecast) -> Words:
    setting = forecast.setting
    parts = [
        f"build {cut_name(setting.build)}" if setting.build else "",
        f"model {cut_name(setting.model)}" if setting.model else "",
        f"prompt {cut_name(setting.prompt)}" if setting.prompt else "",
        f"judged by {listed([cut_name(each) for each in setting.judges[:_MANY]])}" if setting.judges else "",
        f"passes when {' or '.join(cut_name(each) for each in setting.pass_rules[:_MANY])}"
        if setting.pass_rules
        else "",
        f"index of {plural(setting.index_size, 'document')}" if setting.index_size else "",
    ]
    asked = f"{plural(forecast.questions, 'question')}"
    if forecast.answers > forecast.questions:
        asked += f", {plural(forecast.answers, 'answer')}"
    return words("Run {}: {}.", strong(cut_name(forecast.run)), ", ".join([asked, *filter(None, parts)]))


def _gold(forecast: Forecast) -> Words:
    return words("Gold of these questions: sha256 {}.", code(short(forecast.gold_sha256)))


def _recall(forecast: Forecast) -> Words:
    low, high = forecast.recall_target
    if forecast.recall_from is not None:
        return words("{} as run {} has shown.", rate(low, 3), strong(cut_name(forecast.recall_from)))
    if low < high:
        return words("Between {} and {}, as stated.", rate(low, 3), rate(high, 3))
    return words("{} as stated.", rate(low, 3))


def _budget(forecast: Forecast) -> Words:
    budget = words("{} of pass rate, {}.", plural_points(forecast.budget), _BUDGET[forecast.budget_source])
    if forecast.detectable is None:
        return budget
    seen = words("A paired rerun shows a gain of {} or more four times in five.", plural_points(forecast.detectable))
    return sentences(budget, seen)


def _churn(forecast: Forecast) -> Words:
    if forecast.churn is not None:
        churn = forecast.churn
        return words(
            "{} of {} answers flipped when run {} repeated the unchanged build.",
            count(churn.flips),
            count(churn.answers),
            cut_name(churn.run),
        )
    assumed = "" if forecast.assumed_flips is None else f" Power takes {percent(forecast.assumed_flips)} to flip."
    return words("Not measured: no second run of the unchanged build.{}", assumed)


def _cells(forecast: Forecast) -> Words:
    expected = forecast.expected
    told = [f"{count(round(getattr(expected, name)))} {name.replace('_', ' ')}"
            for name in ("retained", "recovered", "lost", "still_missing")]  # fmt: skip
    how = "counted from a replay of retrieval" if expected.source == "replay" else "reckoned from recall"
    return words("{}, {}.", listed(told), how)


def _ranges(forecast: Forecast) -> Words:
    size = forecast.passed.n_effective
    worth = "" if size is None else f" The answers are worth {plural(round(size), 'independent answer')}."
    weighted = " Rates are weighted; counts are not." if forecast.policy.weighted else ""
    return words(
        "{} intervals over questions.{}{} {}",
        percent(forecast.policy.level),
        worth,
        weighted,
        "They cover which questions were asked, not mistakes in the labels or in judging.",
    )


def _verdict(shown: ForecastShown) -> Words | None:
    verdict = shown.verdict
    if verdict is None:
        return None
    allowed = words("Allowed by name: {}.", listed(verdict.allowed)) if verdict.allowed else None
    by = words(
        "By run {} on {}, {}.",
        strong(cut_name(verdict.after)),
        plural(verdict.questions, "shared question"),
        f"recorded {date(verdict.verified_at)}",
    )
    return sentences(by, allowed)


def _builds(shown: ForecastShown) -> Words:
    others = [build for build in shown.past if build.run != shown.forecast.run]
    told = [
        f"{cut_name(build.facts.build or build.run)} {rate(build.attribution.passed.estimate or 0.0, 3)} "
        f"at recall {rate(build.recall or 0.0, 3)}"
        for build in others[:_MANY]
    ]
    if len(others) > _MANY:
        told.append(f"{len(others) - _MANY} more")
    past = words("Before it: {}.", listed(told)) if told else words("No other build with outcomes came before it.")
    drawn = {build.run for build in shown.past} | {verdict.after for verdict in shown.verdicts}
    later = [build for build in shown.builds.shown if build.run not in drawn]
    apart = words("Not on the picture: {}.", plural(len(later), "later or unanswered run")) if later else None
    return sentences(past, apart)


def _warnings(shown: ForecastShown) -> list[Warn]:
    after = shown.verdict.warnings if shown.verdict is not None else []
    return [warn for warn in (*shown.forecast.warnings, *after) if warn.code != "sealed_after_the_fact"]


def warned(warnings: Sequence[Warn]) -> list[str]:
    """Return warnings as sentences without their stop, each once."""
    told = []
    for warn in warnings:
        text = cut(warn.message, _LONG).rstrip(".")
        concerned = f" ({plural(warn.questions, 'question')})" if warn.questions else ""
        told.append(f"{text[:1].upper()}{text[1:]}{concerned}")
    return list(dict.fromkeys(told))


def footer(shown: ForecastShown, command: str) -> tuple[Words, ...]:
    """Return the seal, and the command that makes the report again."""
    forecast = shown.forecast
    return (
        words("Sealed forecast {} sha256 {}", code(cut_name(forecast.name)), code(short(shown.sealed.sha256))),
        words("of {}", date(forecast.sealed_at)),
        words("Make it again: {}", code(cut(command, _LONG))),
    )
