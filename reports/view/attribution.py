"""Results to view model: everything the attribution report shows, in the order it shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attribution.question_traces import AnswerKey
from attribution.results import Attribution, Projection, QuestionTrace, RunFacts
from reports.numbers import count, date, percent, plural
from reports.view.asides import asides
from reports.view.cascade import cascade
from reports.view.failures import failure_list
from reports.view.footer import footer
from reports.view.headline import headline, lede, state_of
from reports.view.parts import AttributionView, State, Unit
from reports.view.rail import answers
from reports.view.rest import grounds
from reports.view.shares import unit_of
from reports.view.slices import slice_tables
from reports.wording import MADE_UP, Words, cut_name, strong, words

KIND = "Failure attribution"
_FRAME_BYTES = 21_500
_STAGE_BYTES = 1_100
_SLICE_BYTES = 1_750


def attribution_view(
    attribution: Attribution,
    facts: RunFacts,
    failures: Sequence[QuestionTrace],
    *,
    projection: Projection | None = None,
    command: str,
    failures_file: str = "failures.csv",
    pages: Mapping[AnswerKey, str] | None = None,
    data_bytes: int = 0,
) -> AttributionView:
    """Return the report as it will be read.

    Args:
        attribution: the result to show.
        facts: the run it is about.
        failures: the failed answers with their lists, in any order.
        projection: what a fix of recall is worth, if one was worked out.
        command: the command that makes the report again.
        failures_file: name of the CSV file with every failure, which the report points to when it lists only some.
        pages: links to the pages of failed answers, by question and repeat.
        data_bytes: how large the data is that the page carries along; texts are cut to make room for it.
    """
    state, unit = state_of(attribution), unit_of(attribution)
    subject = f"{cut_name(facts.run)}, build {cut_name(facts.build)}" if facts.build else cut_name(facts.run)
    made_up = f"{MADE_UP}: " if facts.synthetic else ""
    slices = slice_tables(attribution, unit) if state is State.attributed else ()
    other_bytes = (
        _FRAME_BYTES
        + data_bytes
        + _STAGE_BYTES * (len(attribution.stages) + 2)
        + _SLICE_BYTES * sum(len(table.rows) for table in slices)
    )
    return AttributionView(
        kind=KIND,
        title=f"{made_up}{KIND}, {subject}",
        state=state,
        run=_run_line(attribution, facts, unit),
        chips=(MADE_UP,) if facts.synthetic else (),
        level=_level(attribution, facts),
        headline=headline(attribution, state, unit),
        lede=lede(attribution, state, unit),
        cascade=cascade(attribution, state, unit),
        asides=asides(attribution, state),
        answers=answers(attribution, projection, state, unit),
        slices=slices,
        failures=failure_list(attribution, failures, other_bytes=other_bytes, file=failures_file, links=pages),
        grounds=grounds(attribution, facts, state, unit, projection),
        footer=footer(attribution, facts, command),
    )


def _run_line(attribution: Attribution, facts: RunFacts, unit: Unit) -> tuple[Words, ...]:
    questions, labels = attribution.questions, attribution.labels
    run = (
        words("{}, build {}", cut_name(facts.run), strong(cut_name(facts.build)))
        if facts.build
        else words("{}", strong(cut_name(facts.run)))
    )
    labelled = (
        words("labels {} v{}", cut_name(labels.name), str(labels.version)) if labels.judgments else words("no labels")
    )
    attributable = count(questions.attributable) if questions.attributable else "none"
    asked = words("{} of {} attributable", attributable, plural(questions.total, "question"))
    if questions.total == 1:
        asked = words("1 question, {}", "attributable" if questions.attributable else "not attributable")
    repeats = [words("{}", plural(questions.repeats, "answer"))] if unit.noun == "answer" else []
    return (
        run,
        asked,
        *repeats,
        labelled,
    )


def _level(attribution: Attribution, facts: RunFacts) -> str:
    when = facts.created_at
    ranges = f"Ranges are {percent(attribution.policy.level)} intervals."
    return f"{date(when)}. {ranges}" if when else ranges
