"""The attribution of every build, in the rows of the attribution report's table by field."""

from __future__ import annotations

from attribution.results import Attribution, BySlice, Fate
from reports.builds import Build
from reports.numbers import axis, count, many
from reports.view.headline import leader_of
from reports.view.parts import SliceTable, Unit
from reports.view.planning_shown import PlanningShown
from reports.view.planning_trend import ROWS
from reports.view.planning_words import build_name
from reports.view.shares import has_range, tick_labels
from reports.view.slices import colour_of_fate, failing, slice_row
from reports.wording import inside, name_of

_ENOUGH = 20


def by_build(shown: PlanningShown) -> SliceTable | None:
    """Return failures by the stage that lost the evidence, one row a build; None where no build has outcomes."""
    builds = shown.answered[-ROWS:]
    if not builds:
        return None
    unit = Unit(shown.noun, shown.level)
    tops = [failing(build.attribution.passed) for build in builds]
    ticks = axis(max((top.upper for top in tops if has_range(top) and top.upper is not None), default=1.0))
    kinds = _kinds(builds)
    noun = many(unit.noun)
    return SliceTable(
        title=_title(builds[-1]),
        intro=(
            f"Left: share of each build’s {noun} that failed, by the stage that lost the evidence, with the range for "
            "the total underneath; beside it how many failed, and of each kind in the order of the key. Right: pass "
            "rate with and without the evidence in the last list."
        ),
        caption="Failures and pass rates by build",
        field="Build",
        total_title=noun.capitalize(),
        ticks=tick_labels(ticks),
        rate_ticks=tick_labels([0.0, 0.5, 1.0]),
        keys=tuple((name_of(fate), colour_of_fate(fate, stages)) for fate, stages in kinds),
        rows=tuple(
            slice_row(_slice(build), _stages(build.attribution), [fate for fate, _ in kinds], ticks[-1], unit)
            for build in builds
        ),
        rest=None,
    )


def _stages(found: Attribution) -> list[str]:
    return [stage.stage for stage in found.stages]


def _kinds(builds: list[Build]) -> list[tuple[Fate, list[str]]]:
    """Return every kind of failure that a build has, in the pipeline order of the newest that has it."""
    kinds: dict[tuple[str, str | None], tuple[Fate, list[str]]] = {}
    for build in reversed(builds):
        for fate in build.attribution.fates:
            if fate.failed:
                kinds.setdefault((fate.fate, fate.stage), (fate, _stages(build.attribution)))
    order = {"never_found": 0, "lost": 1, "reached": 2}
    return sorted(kinds.values(), key=lambda kind: order[kind[0].fate])


def _slice(build: Build) -> BySlice:
    found = build.attribution
    return BySlice(
        field="build",
        value=build_name(build),
        questions=found.questions.attributable,
        passed=found.passed,
        failed=found.failed,
        stages=found.stages,
        fates=found.fates,
        conditional=found.conditional,
        identity=found.identity,
    )


def _title(last: Build) -> str:
    found = last.attribution
    if found.failed < _ENOUGH:
        return "Failures by build"
    leader = leader_of(found)
    name = build_name(last)
    if leader.second is not None and not leader.clear:
        return f"In {name}, {inside(name_of(leader.first))} and {inside(name_of(leader.second))} are too close to call"
    return (
        f"In {name}, {count(leader.first.failed)} of {count(found.failed)} failures are {inside(name_of(leader.first))}"
    )
