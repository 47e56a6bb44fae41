"""Where the labels come from and how old they are, and what is taken for granted longest."""

from __future__ import annotations

from datetime import UTC, datetime

from attribution.results import Forecast
from reports.builds import Build
from reports.label_inventory import LabelSet
from reports.numbers import FEW_BELOW, count, date, percent, plural
from reports.view.planning_parts import Assumption, LabelRow, LabelTable
from reports.view.planning_shown import PlanningShown
from reports.view.shares import of
from reports.wording import Words, code, cut_name, listed, quoted, words

_MOST = 20
_NEVER = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)
_HEADS = ("Label set", "Judgments", "Kinds", "Made", "Conflicts", "Audited")


def label_table(shown: PlanningShown) -> LabelTable:
    """Return one row a label set, that which the builds share first."""
    ordered = sorted(shown.sets, key=lambda each: (each.name != shown.labels, each.name))
    rows = tuple(_row(shown, each) for each in ordered[:_MOST])
    intro = "Audits are open searches that check a set; their judgments are counted apart from it."
    if len(ordered) > _MOST:
        intro += f" {count(len(ordered) - _MOST)} more sets are not shown."
    return LabelTable(title=_title(shown), intro=intro, heads=_HEADS, rows=rows)


def _title(shown: PlanningShown) -> str:
    used = shown.used()
    if used is None or not used.judgments:
        return "No labels are stored"
    newer = _newer(shown, used)
    if newer and shown.builds.dated:
        n = len(shown.builds.shown)
        return f"{count(newer)} of {plural(n, 'build')} {'is' if newer == 1 else 'are'} newer than the labels"
    return f"{plural(used.judgments, 'judgment')} on {plural(used.questions, 'question')} carry every number here"


def last_made(labels: LabelSet) -> datetime | None:
    """Return when a set was last added to: by its judgments where they say, else when it was imported."""
    return labels.newest or labels.imported


def _newer(shown: PlanningShown, labels: LabelSet) -> int:
    made = last_made(labels)
    if made is None:
        return 0
    return sum(
        _in_utc(build.facts.created_at) > _in_utc(made) for build in shown.builds.shown if build.facts.created_at
    )


def _in_utc(moment: datetime | None) -> datetime:
    return _NEVER if moment is None else moment.replace(tzinfo=UTC)


def _row(shown: PlanningShown, labels: LabelSet) -> LabelRow:
    used = " · used here" if labels.name == shown.labels else ""
    kinds = listed([cut_name(kind) for kind in labels.kinds if kind != "audit"][:6] or ["not recorded"])
    people = f", {plural(labels.annotators, 'annotator')}" if labels.annotators else ""
    return LabelRow(
        name=cut_name(labels.name),
        note=f"version {labels.version}{used}",
        cells=(
            words("{} on {}", count(labels.judgments), plural(labels.questions, "question")),
            words("{}{}", kinds, people),
            _made(labels),
            words("{}", count(labels.conflicts) if labels.conflicts else "none"),
            _audited(shown, labels),
        ),
    )


def _made(labels: LabelSet) -> Words:
    if labels.oldest is not None and labels.newest is not None:
        oldest, newest = date(labels.oldest), date(labels.newest)
        return words("{}", newest if oldest == newest else f"{oldest} to {newest}")
    if labels.imported is not None:
        return words("not recorded; imported {}", date(labels.imported))
    return words("not recorded")


def _audited(shown: PlanningShown, labels: LabelSet) -> Words:
    """Say how many questions an audit under this name searched; what it found is told beside the set in use."""
    if labels.name == shown.labels and shown.audited is not None and shown.audited.n:
        few = ", few" if shown.audited.n < FEW_BELOW else ""
        return words("{} had gold it lacks{}", of(shown.audited), few)
    if labels.audited:
        return words("{} searched", plural(labels.audited, "question"))
    return words("never")


def assumptions(shown: PlanningShown) -> tuple[str, tuple[Assumption, ...]]:
    """Return what is taken for granted, the longest first, and a heading for it."""
    found = [*_of_forecasts(shown), *_of_labels(shown)]
    found.sort(key=lambda each: _in_utc(each[0]) if each[0] is not None else _LAST)
    if not found:
        return "No forecast waits, and the labels are newer than the builds", ()
    rows = tuple(Assumption("not dated" if since is None else date(since), text) for since, text in found[:_MOST])
    if len(found) == 1:
        return "One assumption waits to be tested", rows
    return f"{count(len(found))} assumptions wait to be tested, the oldest first", rows


def _of_forecasts(shown: PlanningShown) -> list[tuple[datetime | None, Words]]:
    found: list[tuple[datetime | None, Words]] = []
    for sealed in shown.pending:
        forecast = sealed.forecast
        found.append((forecast.sealed_at, _waits(shown, forecast)))
        name = quoted(cut_name(forecast.name))
        if forecast.recovered_source == "with_gold":
            text = "{} takes recovered questions to pass like those reached today. {} would measure it before the fix."
            found.append((forecast.sealed_at, words(text, name, code("foundlost oracle export"))))
        if forecast.churn is None and forecast.assumed_flips is not None:
            text = "{} takes {} of answers to flip by themselves. A second run of {} would measure it."
            flips = percent(forecast.assumed_flips)
            found.append((forecast.sealed_at, words(text, name, flips, cut_name(forecast.run))))
    return found


def _waits(shown: PlanningShown, forecast: Forecast) -> Words:
    since = [build for build in shown.answered if build.since is not None and build.since > forecast.sealed_at]
    name = quoted(cut_name(forecast.name))
    if not since:
        return words("{} waits for a run after the fix of {}.", name, cut_name(forecast.run))
    return words(
        "{} waits for a verdict, though {} came since: {}.", name, _runs(since), code("foundlost forecast verify")
    )


def _runs(builds: list[Build]) -> str:
    return plural(len(builds), "run with outcomes") if len(builds) == 1 else f"{count(len(builds))} runs with outcomes"


def _of_labels(shown: PlanningShown) -> list[tuple[datetime | None, Words]]:
    used = shown.used()
    if used is None or not used.judgments:
        return []
    found: list[tuple[datetime | None, Words]] = []
    made, name = last_made(used), quoted(cut_name(used.name))
    newer = _newer(shown, used)
    if newer:
        text = "{} still labels what builds find now: {} came after its last judgment."
        found.append((made, words(text, name, plural(newer, "build"))))
    if shown.audited is None or not shown.audited.n:
        text = "{} lacks little gold: no open search has checked it. {} takes one in."
        found.append((used.oldest or used.imported, words(text, name, code("foundlost labels import --kind audit"))))
    return found
