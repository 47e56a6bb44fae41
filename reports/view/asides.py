"""Notes under the picture."""

from __future__ import annotations

from attribution.results import Attribution
from reports.numbers import count
from reports.view.parts import Aside, State
from reports.view.shares import cases
from reports.wording import stage_words, words


def asides(attribution: Attribution, state: State) -> tuple[Aside, ...]:
    """Return the notes the data calls for."""
    if state in (State.nothing_attributable, State.no_outcomes):
        return ()
    lucky, passed = cases(attribution.conditional.without_gold), cases(attribution.passed)
    if not lucky:
        return ()
    place = stage_words(attribution.stages[-1].stage).place
    of = f"{count(lucky)} of the {count(passed)} passes" if passed > 1 else "The one pass"
    first = f"{of} had no labelled evidence in {place}."
    why = "Some answers can be guessed, some judging is lenient, and some documents hold the answer without a label."
    return (Aside(first, words(why)),)
