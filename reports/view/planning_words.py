"""The headline of the planning report and the paragraph under it, made by rule."""

from __future__ import annotations

from attribution.statistics.interval import Interval
from reports.builds import Build
from reports.numbers import plural, points, rate
from reports.view.forecast_ledger import held_words
from reports.view.planning_shown import PlanningShown, PlanningState
from reports.view.rates import rate_of, rate_words, signed_range, size, two_rates
from reports.wording import Words, bracketed, code, cut_name, sentences, stage_words, strong, words


def build_name(build: Build) -> str:
    """Return what a build is called: by its build, else by its run."""
    return cut_name(build.facts.build or build.run)


def headline(shown: PlanningShown) -> str:
    """Return the headline: the trend, and how the forecasts have done."""
    match shown.state:
        case PlanningState.no_runs:
            return "Nothing to plan with: no run is stored"
        case PlanningState.no_labels:
            n = len(shown.builds.shown) + len(shown.builds.apart)
            return f"No failure can be placed in {plural(n, 'run')}: no label set judges their questions"
        case PlanningState.no_outcomes:
            return f"No pass rate yet: none of {plural(len(shown.builds.shown), 'run')} has outcomes"
        case PlanningState.one_build:
            passed = shown.answered[0].attribution.passed.estimate or 0.0
            return f"One build so far, at a pass rate of {rate(passed)}{_forecasts(shown)}"
        case PlanningState.trend:
            return f"{_moved(shown)}{_forecasts(shown)}"


def _moved(shown: PlanningShown) -> str:
    first, last = shown.answered[0], shown.answered[-1]
    came_from, came_to = (each.attribution.passed.estimate or 0.0 for each in (first, last))
    start, end = two_rates(came_from, came_to)
    over = plural(len(shown.answered), "build")
    change = shown.change.estimate if shown.change is not None and shown.clear else None
    if change is None:
        if start == end:
            return f"Pass rate at {start} in the first and the last of {over}"
        return f"Pass rate from {start} to {end} over {over}, too close to call"
    went = "rose" if change > 0.0 else "fell"
    if (came_to - came_from) * change > 0.0 and start != end:
        return f"Pass rate {went} from {start} to {end} over {over}"
    # Each build's rate is over all it was asked; the change is on the questions that both were.
    return f"Pass rate {went} {size(change)} points over {over}, on the questions that the first and the last share"


def _forecasts(shown: PlanningShown) -> str:
    done = shown.record.calibration
    if done.judged:
        return f"; {held_words(done)}"
    waiting = len(shown.pending)
    if waiting:
        return f"; {plural(waiting, 'forecast')} {'is' if waiting == 1 else 'are'} pending"
    return ""


def lede(shown: PlanningShown) -> Words:
    """Return the paragraph under the headline."""
    match shown.state:
        case PlanningState.no_runs:
            return words(
                "{} reads a run, {} shows what it can read.", code("foundlost ingest"), code("foundlost formats")
            )
        case PlanningState.no_labels:
            why = "Labels say which documents hold the answer; without them a miss is as good as a hit. {} reads some."
            return words(why, code("foundlost labels import"))
        case PlanningState.no_outcomes:
            last = shown.builds.shown[-1]
            return sentences(
                words("Recall at {} is {} in {}.", _place(last), _recall(last), strong(build_name(last))),
                words("{} adds outcomes.", code("foundlost outcomes import")),
            )
        case _:
            return sentences(_last(shown), _change(shown), goal_words(shown))


def _place(build: Build) -> str:
    return stage_words(build.attribution.stages[-1].stage).place


def _recall(build: Build) -> Words:
    return rate_words(build.attribution.stages[-1].recall, 2)


def _last(shown: PlanningShown) -> Words:
    last = shown.answered[-1]
    return words(
        "In {}, {} pass; recall at {} is {}.",
        strong(build_name(last)),
        rate_of(last.attribution.passed, shown.noun),
        _place(last),
        _recall(last),
    )


def _change(shown: PlanningShown) -> Words | None:
    change = shown.change
    if change is None or change.estimate is None:
        return None
    first = build_name(shown.answered[0])
    how = f"on {plural(shown.shared, 'question')} both were asked" if shown.shared else "compared as two samples"
    told = words("Since {} that is {} points {}, {}", first, strong(points(change.estimate)), _ranged(change), how)
    return words("{}.", told) if shown.clear else words("{}: it may be no change at all.", told)


def _ranged(change: Interval) -> Words:
    text = signed_range(change)
    return words("{}", bracketed(text)) if text else words("")


def goal_words(shown: PlanningShown) -> Words | None:
    """Say whether the newest build is at the goal, where one was named."""
    if shown.target is None or not shown.answered:
        return None
    passed = shown.answered[-1].attribution.passed
    lower, upper = passed.bounds
    goal = rate(shown.target)
    if lower >= shown.target:
        return words("The goal of {} is met.", strong(goal))
    if upper < shown.target:
        return words("The goal of {} is not met.", strong(goal))
    return words("Whether the goal of {} is met cannot be told.", strong(goal))
