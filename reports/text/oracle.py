"""An oracle experiment on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attribution.oracle.answerer import Unanswered
from attribution.results import OracleSample
from reports import numbers
from reports.text.table import print_line, print_table, say, write

SHOWN = 5


def print_sample(found: OracleSample, path: Path, *, as_json: bool) -> None:
    """Print what was drawn and where it was written; what is not as asked goes to stderr."""
    if found.no_text:
        gave_way = numbers.plural(found.no_text, "question")
        say(
            f"note: {gave_way} drawn gave way to the next: the text of the question or of its gold is not stored; "
            "'foundlost documents import' brings texts"
        )
    if found.drawn < found.asked:
        say(f"note: {numbers.plural(found.asked, 'question')} asked for, {numbers.count(found.drawn)} to be had")
    if found.gold_left_out:
        say(
            f"note: {numbers.plural(found.gold_left_out, 'prompt')} had no room for all the gold that is needed; "
            "left_out says how much"
        )
    if as_json:
        write(found.to_json())
        return
    misses = f"{numbers.plural(found.missing_questions, 'question')} without evidence"
    print_line(f"Run {found.run}: {numbers.count(found.drawn)} of {misses} drawn, seed {found.seed}")
    print_line(f"Sample {found.sample}, labels {found.labels.name} v{found.labels.version}; gold stands first")
    tokens = f", {numbers.plural(found.limits.tokens, 'token')}" if found.limits.tokens is not None else ""
    print_line(f"A prompt holds at most {numbers.plural(found.limits.documents, 'document')}{tokens}")
    print_line()
    print_table(
        (found.stratified_by, "without evidence", "drawn"),
        [(one.name, numbers.count(one.missing), numbers.count(one.drawn)) for one in found.strata],
    )
    print_line(f"wrote {path}")


def print_unanswered(unanswered: Sequence[Unanswered]) -> None:
    """Say on stderr which questions no try brought an answer to, and why."""
    for one in unanswered[:SHOWN]:
        say(f"unanswered: {one.query_id}: {one.reason}")
    if len(unanswered) > SHOWN:
        say(f"unanswered: {numbers.plural(len(unanswered) - SHOWN, 'more question')}")
