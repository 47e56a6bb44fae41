"""Results to view model: everything the forecast report shows, in the order it shows it."""

from __future__ import annotations

from reports.numbers import count, date, many, percent, points, rate
from reports.view.footer import short
from reports.view.forecast_doubts import arithmetic, sensitivity
from reports.view.forecast_error import error_table, worth
from reports.view.forecast_ledger import family, judged
from reports.view.forecast_parts import ForecastView, Picture
from reports.view.forecast_plot import plot
from reports.view.forecast_rail import answers
from reports.view.forecast_rest import footer, grounds
from reports.view.forecast_shown import ForecastShown
from reports.view.forecast_verdicts import falsifiers, lessons
from reports.view.forecast_words import headline, lede
from reports.view.parts import Aside
from reports.wording import MADE_UP, Words, cut_name, quoted, strong, words

KIND = "Forecast"
AFTER_THE_FACT = "Sealed after the fact"
_TENTH = 0.1


def forecast_view(shown: ForecastShown, *, command: str) -> ForecastView:
    """Return the report as it will be read.

    Args:
        shown: the forecast and what the store says of it.
        command: the command that makes the report again.
    """
    forecast, verdict = shown.forecast, shown.verdict
    title, learned = lessons(shown)
    made_up = f"{MADE_UP}: " if shown.synthetic else ""
    return ForecastView(
        kind=KIND,
        title=f"{made_up}{KIND} {cut_name(forecast.name)}, run {cut_name(forecast.run)}",
        state=shown.state,
        run=_run_line(shown),
        chips=_chips(shown),
        level=f"Sealed {date(forecast.sealed_at)}, {short(shown.sealed.sha256)}. "
        f"Ranges are {percent(forecast.policy.level)} intervals.",
        headline=headline(shown),
        lede=lede(shown),
        picture=picture(shown),
        asides=_asides(shown),
        answers=answers(shown),
        falsifiers=falsifiers(shown),
        error=None if verdict is None else error_table(verdict),
        lessons_title=title,
        lessons=learned,
        worth=None if verdict is None else worth(verdict),
        sensitivity=sensitivity(shown),
        arithmetic=arithmetic(shown),
        family=family(shown),
        judged=judged(shown),
        grounds=grounds(shown),
        footer=footer(shown, command),
    )


def _chips(shown: ForecastShown) -> tuple[str, ...]:
    late = shown.verdict is not None and not shown.verdict.before_the_fact
    return (*((MADE_UP,) if shown.synthetic else ()), *((AFTER_THE_FACT,) if late else ()))


def _run_line(shown: ForecastShown) -> tuple[Words, ...]:
    forecast = shown.forecast
    build = forecast.setting.build
    made = (
        words("from {}, build {}", cut_name(forecast.run), strong(cut_name(build)))
        if build
        else words("from {}", strong(cut_name(forecast.run)))
    )
    judged_by = [] if shown.verdict is None else [words("judged by {}", strong(cut_name(shown.verdict.after)))]
    return (words("{}", cut_name(forecast.name)), made, *judged_by)


def picture(shown: ForecastShown) -> Picture:
    """Return the picture of the forecast with its title and its keys."""
    forecast = shown.forecast
    n = round(forecast.passed.size)
    drawn = plot(shown)
    lands = "Lands here: the forecast was wrong" if forecast.churn is not None else "Lands here: it does not hold"
    return Picture(
        title=_picture_title(shown),
        intro=_picture_intro(shown)
        if drawn is not None
        else "There is no picture: a rate that it takes was never seen.",
        keys=("True pass rate", f"Next run of {count(n)} fresh {many(shown.noun)}", lands),
        plot=drawn,
    )


def _picture_title(shown: ForecastShown) -> str:
    """Return the slope in words: over the step that is forecast, where recovered questions have their own rate."""
    found, missed = shown.forecast.recovered_rate.estimate, shown.forecast.without_gold.estimate
    if found is None or missed is None:
        return "Pass rate against recall"
    slope = _TENTH * (found - missed)
    moves = "rises" if slope >= 0.0 else "falls"
    return f"Pass rate {moves} {points(abs(slope)).removeprefix('+')} points for every 10 points of recall"


def _picture_intro(shown: ForecastShown) -> str:
    others = [build for build in shown.past if build.run != shown.forecast.run]
    if others:
        lines = "Solid where builds have been, dashed where none has. "
        dots = f"Dots are builds with the interval for their own {many(shown.noun)}."
    else:
        lines = "Dashed throughout: no build but today’s has been answered. "
        dots = f"The dot is today’s build with the interval for its own {many(shown.noun)}."
    least = (
        ""
        if shown.delivered is None
        else f" Left of the hatching, under {rate(shown.delivered, 3)}, recall fell short."
    )
    return f"{lines}{dots}{least}"


def _asides(shown: ForecastShown) -> tuple[Aside, ...]:
    verdict = shown.verdict
    found = []
    if verdict is not None and not verdict.before_the_fact:
        why = words(
            "Outcomes of run {} were in the store before {}: this tests the arithmetic and is not counted.",
            cut_name(verdict.after),
            date(shown.forecast.sealed_at),
        )
        found.append(Aside(f"{AFTER_THE_FACT}.", why))
    original = words("This page shows the original as it was sealed.")
    found += [
        Aside(f"Revised by {quoted(cut_name(line.name))}.", original)
        for line in shown.family
        if line.revises == shown.forecast.name
    ]
    if shown.forecast.revises is not None:
        text = words("The original stands as it was sealed; both are judged.")
        found.append(Aside(f"Revises {quoted(cut_name(shown.forecast.revises))}.", text))
    return tuple(found)
