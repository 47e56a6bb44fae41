"""The four questions beside the trend."""

from __future__ import annotations

from reports.numbers import count, points, rate
from reports.view.forecast_ledger import calibration_words
from reports.view.forecast_rail import WHERE
from reports.view.headline import leader_of
from reports.view.parts import Answer
from reports.view.planning_shown import PlanningShown, PlanningState
from reports.view.planning_words import build_name
from reports.view.rail import SURE, WORTH, WRONG
from reports.view.rates import plural_points, recall_words, signed, signed_range
from reports.wording import Words, code, cut_name, inside, name_of, quoted, sentences, stage_words, strong, words

_MOST = 3
_ENOUGH = 20


def answers(shown: PlanningShown) -> tuple[Answer, ...]:
    """Return the four questions with their answers, in the order of every report."""
    return (_where(shown), _worth(shown), _sure(shown), _wrong(shown))


def _where(shown: PlanningShown) -> Answer:
    if not shown.answered:
        return Answer(WHERE, None, None, (words("Not known yet: no build has labels and outcomes both."),), ())
    last = shown.answered[-1]
    found = last.attribution
    if not found.failed:
        return Answer(WHERE, None, None, (words("Nothing failed in {}.", build_name(last)),), ())
    lacking = found.failed - found.fates[-1].failed
    place = stage_words(found.stages[-1].stage).place
    told = words(
        "Of {} in {}, {} had no evidence in {}." if lacking else "Of {} in {}, {} had evidence in {}.",
        f"{count(found.failed)} failures" if found.failed > 1 else "1 failure",
        build_name(last),
        strong(count(lacking) if lacking else "all"),
        place,
    )
    return Answer(WHERE, None, None, (sentences(told, _leader(shown)),), ())


def _leader(shown: PlanningShown) -> Words | None:
    found = shown.answered[-1].attribution
    if found.failed < _ENOUGH:
        return words("Too few to compare causes.")
    leader = leader_of(found)
    first = inside(name_of(leader.first))
    if leader.second is None:
        return words("All are {}.", first)
    if leader.clear:
        most = "Most are" if 2 * leader.first.failed > found.failed else "The largest cause is"
        return words("{} {}, {}.", most, first, count(leader.first.failed))
    second = inside(name_of(leader.second))
    return words("Causes {} and {} are too close to call.", first, second)


def _worth(shown: PlanningShown) -> Answer:
    if shown.pending:
        forecast = shown.pending[-1].forecast
        gain = forecast.gain
        ranged = f"({signed_range(gain)})".replace("+", "") if signed_range(gain) else None
        told = words(
            "If recall goes from {} to {}, by the forecast {}, which waits for its run.",
            rate(forecast.recall.estimate or 0.0),
            recall_words(forecast.recall_target),
            quoted(cut_name(forecast.name)),
        )
        figure = None if gain.estimate is None else f"{points(gain.estimate)} points"
        return Answer(WORTH, figure, ranged, (told,), ())
    judged = [line for line in shown.record.forecasts if line.first is not None]
    how = words("{} prices the next fix.", code("foundlost forecast seal"))
    if not judged or judged[-1].first is None:
        return Answer(WORTH, None, None, (words("Not known: no forecast is sealed. {}", how),), ())
    came = judged[-1].first.worth_it.gain
    told = words(
        "The last fix with a forecast, {}, brought {} {}.",
        quoted(cut_name(judged[-1].name)),
        strong(f"{signed(came)} points"),
        f"({signed_range(came)})",
    )
    return Answer(WORTH, None, None, (sentences(told, how),), ())


def _sure(shown: PlanningShown) -> Answer:
    paragraphs = [calibration_words(shown.record.calibration)]
    if shown.state is PlanningState.trend and shown.change is not None:
        could = words("The change over the builds could be {} points.", strong(signed_range(shown.change)))
        paragraphs.insert(0, sentences(could, words("Ranges cover which questions were asked, not labels or judging.")))
    return Answer(SURE, None, None, tuple(paragraphs), ())


def _wrong(shown: PlanningShown) -> Answer:
    lines = []
    for sealed in shown.pending[-_MOST:]:
        forecast = sealed.forecast
        recall = next((each for each in forecast.falsifiers if each.name == "recall"), None)
        least = ""
        if recall is not None and recall.margin is not None:
            least = f"recall under {rate(forecast.recall_target[0] - recall.margin, 3)}, or "
        lines.append(
            words(
                "{}: {}a pass rate off {} by more than {}.",
                quoted(cut_name(forecast.name)),
                least,
                rate(forecast.projection.estimate or 0.0, 3),
                plural_points(forecast.budget),
            )
        )
    if not lines:
        text = words("No forecast is pending, so no result is named that would prove one wrong.")
        return Answer(WRONG, None, None, (text,), ())
    return Answer(WRONG, None, None, (), tuple(lines))
