"""What a planning report rests on, its notes, and the foot of its page."""

from __future__ import annotations

from reports.numbers import count, many, percent, plural
from reports.safe_text import cut
from reports.view.footer import short
from reports.view.forecast_rest import warned
from reports.view.parts import Aside, Ground
from reports.view.planning_shown import PlanningShown
from reports.view.planning_words import build_name
from reports.view.rest import policy_words
from reports.wording import Words, code, cut_name, listed, quoted, strong, words

_LONG = 300
_MANY = 8


def asides(shown: PlanningShown) -> tuple[Aside, ...]:
    """Return the notes under the picture: what keeps builds from standing side by side."""
    found = []
    if shown.builds.shown:
        newest = shown.builds.shown[-1]
        asked = newest.shared
        other = [build for build in shown.builds.shown[:-1] if build.shared < asked]
        if other:
            names = listed([build_name(build) for build in other[:_MANY]])
            text = words("Not all questions of {} were asked in {}.", build_name(newest), names)
            found.append(Aside("The question sets differ.", text))
        unlabelled = newest.attribution.questions.unlabelled
        if unlabelled and newest.attribution.questions.attributable:
            of = f"{plural(newest.attribution.questions.total, 'question')} of {build_name(newest)}"
            text = words("{} of {} have no gold label, and stand in no rate here.", count(unlabelled), of)
            found.append(Aside("Labels are missing.", text))
    if shown.builds.apart:
        text = words("{}.", listed([cut_name(run) for run in list(shown.builds.apart)[:_MANY]]))
        n = len(shown.builds.apart)
        found.append(Aside(f"{plural(n, 'run')} cannot stand beside the others.", text))
    return tuple(found)


def grounds(shown: PlanningShown) -> tuple[Ground, ...]:
    """Return every line of the last section; lines with nothing to say are left out."""
    found: list[tuple[str, Words | None]] = [
        ("Data", words("Made up: {}", strong(cut(shown.synthetic, _LONG))) if shown.synthetic else None),
        ("Builds", _builds(shown)),
        ("Labels", words("{}, the set that most runs share or that was named.", quoted(cut_name(shown.labels)))
         if shown.labels is not None else None),
        ("Counts as evidence", policy_words(shown.builds.shown[-1].attribution.policy) if shown.builds.shown else None),
        ("Ranges", words("{} intervals over {}. They cover which questions were asked, not labels or judging.",
                         percent(shown.level), many("question"))),
        ("Change", _change(shown)),
        *[("Left out", words("{}: {}.", quoted(cut_name(run)), cut(why, _LONG).rstrip(".")))
          for run, why in list(shown.builds.apart.items())[:_MANY]],
        *[("Read with care", words("{}.", text)) for text in warned(shown.record.warnings)],
    ]  # fmt: skip
    return tuple(Ground(name, text) for name, text in found if text)


def _builds(shown: PlanningShown) -> Words:
    n, apart = len(shown.builds.shown), len(shown.builds.apart)
    order = "by date" if shown.builds.dated else "in the order they were read, as not all are dated"
    left = f", {count(apart)} left out" if apart else ""
    return words("{}{}, {}.", plural(n, "run"), left, order)


def _change(shown: PlanningShown) -> Words | None:
    if shown.change is None:
        return None
    first, last = build_name(shown.answered[0]), build_name(shown.answered[-1])
    if shown.shared:
        return words("{} against {}, question by question on {}.", last, first, plural(shown.shared, "question"))
    return words("{} against {} as two samples: their questions, judge or pass rule differ.", last, first)


def footer(shown: PlanningShown, command: str) -> tuple[Words, ...]:
    """Return the files the builds were made from with their hashes, and the command that makes the report again."""
    sources = [
        (build, source) for build in shown.builds.shown for source in build.facts.sources if source.kind == "run"
    ]
    told = [words("{} sha256 {}", build_name(build), code(short(source.sha256))) for build, source in sources[-_MANY:]]
    return (*told, words("Make it again: {}", code(cut(command, _LONG))))
