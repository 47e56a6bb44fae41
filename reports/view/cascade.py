"""The main picture: how many questions still have their evidence after each stage, and what each stage lost."""

from __future__ import annotations

from dataclasses import dataclass

from attribution.results import Attribution, Fate
from attribution.statistics.interval import Interval
from reports.numbers import count, many, place, plural
from reports.view.left_out import left_out_words, obstacle
from reports.view.palette import KEPT, LOSSES, PALE, REACHED, RIGHT, UNKNOWN, Colour, step
from reports.view.parts import Cascade, CascadeRow, LeftOut, Segment, Share, State, Unit
from reports.view.shares import answers_of, share, share_words, shared_axis, tick_labels
from reports.wording import Words, listed, name_of, stage_words, words

TITLE = "Where the evidence is lost"


def colour_of(fate: str | None, stage: str | None, stages: list[str]) -> Colour:
    """Return the colour of a fate in a pipeline of these stages."""
    if fate is None:
        return UNKNOWN
    return REACHED if fate == "reached" else LOSSES[_step(stage if fate == "lost" else None, stages)]


def _step(stage: str | None, stages: list[str]) -> int:
    return step(stages.index(stage) if stage in stages else 0, len(stages))


def laid_out(parts: list[tuple[Colour, int]], total: float) -> tuple[Segment, ...]:
    """Return pieces of a bar side by side, those without a case left out. ``total`` cases fill the width."""
    pieces: list[Segment] = []
    start = 0
    for colour, n in parts:
        if n and total:
            pieces.append(Segment(colour, place(start / total), place(n / total)))
        start += n
    return tuple(pieces)


@dataclass(frozen=True, slots=True)
class _Frame:
    """What every row is drawn against. ``shows_failures``: the last column is about failures, else about recall."""

    attribution: Attribution
    state: State
    unit: Unit
    total: int
    top: float

    @property
    def stages(self) -> list[str]:
        return [stage.stage for stage in self.attribution.stages]

    @property
    def shows_failures(self) -> bool:
        return self.state in (State.few_failures, State.attributed)

    def measure(self, fate: Fate, recall: Interval) -> Interval:
        return fate.share_of_failures if self.shows_failures else recall

    def draw(self, interval: Interval) -> Share:
        """Return the last cell of a row: where failures are few, words only."""
        if self.state is State.few_failures:
            return Share(share_words(interval), None)
        return share(interval, self.top)


def cascade(attribution: Attribution, state: State, unit: Unit) -> Cascade:
    """Return the main picture in the form the data allows."""
    if state is State.nothing_attributable:
        return _asked_only(attribution)
    shares = [fate.share_of_failures for fate in attribution.fates] if state is State.attributed else []
    ticks = shared_axis(shares) if shares else [0.0, 0.5, 1.0]
    frame = _Frame(attribution, state, unit, answers_of(attribution), ticks[-1])
    rows = [_asked(frame.total), *(_stage_row(frame, position) for position in range(len(attribution.stages)))]
    if state is not State.no_outcomes:
        rows.append(_answered(frame))
    return Cascade(
        title=TITLE,
        intro=_intro(state, unit),
        caption=f"{many(unit.noun).capitalize()} whose evidence survives each stage, and what each stage lost",
        heads=(
            "Stage",
            "In play",
            "Lost here",
            "Share of failures" if frame.shows_failures else "Evidence still there",
        ),
        ticks=tick_labels(ticks) if any(row.share and row.share.whisker for row in rows) else (),
        rows=tuple(rows),
        left_out=_left_out(attribution),
    )


def _stage_row(frame: _Frame, position: int) -> CascadeRow:
    found = frame.attribution.stages[position]
    fate = _fate_at(frame.attribution, position)
    colour = _step(found.stage, frame.stages)
    lost = [(LOSSES[colour], fate.failed), (PALE[colour], fate.passed)]
    if frame.state is State.no_outcomes:
        lost = [(LOSSES[colour], fate.questions)]
    return CascadeRow(
        name=stage_words(found.stage).row,
        in_play=count(found.covered),
        segments=laid_out([(KEPT, found.covered), *lost], frame.total),
        loss=name_of(fate),
        colour=LOSSES[colour],
        detail=_detail(fate, frame),
        share=frame.draw(frame.measure(fate, found.recall)),
    )


def _fate_at(attribution: Attribution, position: int) -> Fate:
    stage = attribution.stages[position].stage
    wanted = ("lost", stage) if position else ("never_found", None)
    return next(fate for fate in attribution.fates if (fate.fate, fate.stage) == wanted)


def _detail(fate: Fate, frame: _Frame) -> Words:
    if fate.questions == 0:
        return words("none")
    if frame.state is State.no_outcomes:
        return words("{}", plural(fate.questions, frame.unit.noun))
    parts = [f"{count(fate.failed)} failed"] if fate.failed else []
    parts += [f"{count(fate.passed)} passed anyway"] if fate.passed and fate.fate != "reached" else []
    return words("{}", ", ".join(parts) or "none failed")


def _asked(total: int) -> CascadeRow:
    return CascadeRow("Asked", count(total), laid_out([(KEPT, total)], total), None, None, words(""), None)


def _answered(frame: _Frame) -> CascadeRow:
    """Return the last line: of those whose evidence arrived, how many were answered right."""
    fate = next(fate for fate in frame.attribution.fates if fate.fate == "reached")
    return CascadeRow(
        name="Answered right",
        in_play=count(fate.passed),
        segments=laid_out([(RIGHT, fate.passed), (REACHED, fate.failed)], frame.total),
        loss=name_of(fate) if frame.shows_failures else None,
        colour=REACHED if frame.shows_failures else None,
        detail=_detail(fate, frame),
        share=frame.draw(fate.share_of_failures) if frame.shows_failures else None,
    )


def _asked_only(attribution: Attribution) -> Cascade:
    total = attribution.questions.total
    return Cascade(
        title=TITLE,
        intro=f"The picture stops here: {obstacle(attribution).picture}",
        caption="Questions asked",
        heads=("Stage", "Questions", "", ""),
        ticks=(),
        rows=(_asked(total),),
        left_out=None,
    )


def _left_out(attribution: Attribution) -> LeftOut | None:
    reasons = left_out_words(attribution)
    if not reasons:
        return None
    total = attribution.questions.total - attribution.questions.attributable
    return LeftOut("Not attributable", count(total), f"{listed(reasons)}. In none of the counts above.")


def _intro(state: State, unit: Unit) -> str:
    bar = f"Each bar is the {many(unit.noun)} whose evidence is still in play after that stage."
    if state is State.no_outcomes:
        return f"{bar} The coloured piece is what the stage lost."
    anyway = "the pale piece was lost too, but the answer passed anyway"
    return f"{bar} The coloured piece is what the stage lost; {anyway}."
