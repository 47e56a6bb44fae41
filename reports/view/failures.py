"""The failures one by one: where each was lost, and the list of the stage that lost it."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from attribution.question_traces import AnswerKey
from attribution.results import Attribution, QuestionTrace
from reports.numbers import count, plural
from reports.safe_text import cut, show
from reports.view.block import block_of, row_bytes
from reports.view.cascade import colour_of
from reports.view.drill import Widths, drill
from reports.view.palette import UNKNOWN
from reports.view.parts import Failure, Failures, Paged
from reports.wording import Words, argument, code, cut_name, fate_words, listed, stage_words, words

STATIC_LIMIT = 500
"""More failures than this are not all put on the page."""

STATIC_ROWS = 200
BLOCK_ROWS = 10_000
"""Rows that the data beside a shortened list may have: what a browser opens within a second."""

LEAST_ROWS = 10
"""Rows that every kind of failure has in a shortened list, or all it has."""

PRINTED_ROWS = 25
PAGE_BYTES = 98_000
"""Size a page is kept under by cutting texts: the more failures, the shorter each of them."""

BLOCK_ROW_BYTES = 570
"""Size the rows in the data are kept under, on average, by cutting texts."""

_ROW_MARKUP = 155
_LEAST_TEXT = 210
"""Bytes a row may always have for its words; above some 300 rows they, not the page, set the limit."""

_PARTS = range(4, 61)
_NAMED_STAGES = 4
_SAMPLE = 40


def failure_list(
    attribution: Attribution,
    traces: Sequence[QuestionTrace],
    *,
    other_bytes: int,
    file: str,
    links: Mapping[AnswerKey, str] | None = None,
) -> Failures | None:
    """Return the failures in pipeline order of their fate, then by intent, then by id; None where there are none.

    ``other_bytes`` is about how large the page is without its list; ``file`` is where the whole list is,
    ``links`` lead to the pages of answers that have one.
    """
    stages = [stage.stage for stage in attribution.stages]
    ordered = in_order(traces, stages)
    if not ordered:
        return None
    paged = len(ordered) > STATIC_LIMIT
    shown = shared_out(ordered, STATIC_ROWS) if paged else ordered
    grouped = any(trace.intent is not None for trace in ordered)
    total = max(len(ordered), attribution.failed)
    row = _Row(stages, is_repeated(ordered), grouped, links or {})
    if paged:  # rows that are set by a script look like those that stand there without one
        carried = shared_out(ordered, BLOCK_ROWS)
        widths = _widths(carried, row, BLOCK_ROW_BYTES * len(carried), row_bytes)
    else:
        room = max(PAGE_BYTES - other_bytes - _ROW_MARKUP * len(shown), _LEAST_TEXT * len(shown))
        widths = _widths(shown, row, room, _text_bytes)
    opened = "the top of the list that lost the evidence" if widths.top else "the documents with the answer"
    return Failures(
        title=f"The {count(total)} failures" if total > 1 else "The one failure",
        intro=_intro(attribution.run, opened, linked=bool(links)),
        group_title="Intent" if grouped else None,
        trail_title=trail_title(stages),
        rows=tuple(_failure(trace, row, widths) for trace in shown),
        cut=_cut(len(shown), total, file),
        paged=_paged([_failure(trace, row, widths) for trace in carried], total, file) if paged else None,
        printed=f"Printed: the first {PRINTED_ROWS} of {count(len(shown))}." if len(shown) > PRINTED_ROWS else None,
    )


def _intro(run: str, opened: str, *, linked: bool) -> Words:
    whole = words("{} prints the whole lists.", code(f"foundlost show {argument(run)} QUESTION"))
    return words(
        "Open a row for {}. The numbers are the rank of the best-placed "
        "document with the answer at each stage; – means it was not there. {}",
        opened,
        words("A link in the row leads to the whole lists.") if linked else whole,
    )


def trail_title(stages: Sequence[str]) -> str:
    """Return what heads a column of ranks at every stage."""
    if len(stages) > _NAMED_STAGES:
        return "Rank at each stage"
    return f"Rank in {listed([stage_words(name).short for name in stages])}"


def is_repeated(traces: Sequence[QuestionTrace]) -> bool:
    """Return whether any question was asked more than once, so that its id alone names no answer."""
    return any(trace.repeat for trace in traces)


def name_of(trace: QuestionTrace, *, repeated: bool) -> str:
    """Return what an answer is called: by its question and, where questions were repeated, its number."""
    return f"{trace.query_id}, answer {trace.repeat + 1}" if repeated else trace.query_id


def in_order(traces: Sequence[QuestionTrace], stages: Sequence[str]) -> list[QuestionTrace]:
    """Return traces in pipeline order of fate, then by intent, id and repeat; those without a fate come last."""

    def place(trace: QuestionTrace) -> int:
        if trace.fate is None:
            return len(stages) + 1
        if trace.fate == "reached":
            return len(stages)
        return stages.index(trace.stage) if trace.stage in stages else 0

    return sorted(traces, key=lambda trace: (place(trace), trace.intent or "", trace.query_id, trace.repeat))


def shared_out(ordered: Sequence[QuestionTrace], rows: int) -> list[QuestionTrace]:
    """Return the first traces of each kind of failure, in the order given; the kinds keep their shares of the whole."""
    if len(ordered) <= rows:
        return list(ordered)
    kinds = [list(group) for _, group in itertools.groupby(ordered, key=lambda trace: (trace.fate, trace.stage))]
    least = min(LEAST_ROWS, rows // len(kinds))
    given = [min(least, len(kind)) for kind in kinds]
    for _ in range(rows - sum(given)):
        # Sainte-Laguë: the next row goes to the kind that is furthest behind its share.
        with_more = [i for i, kind in enumerate(kinds) if given[i] < len(kind)]
        given[max(with_more, key=lambda i: len(kinds[i]) / (2 * given[i] + 1))] += 1
    return [trace for kind, n in zip(kinds, given, strict=True) for trace in kind[:n]]


@dataclass(frozen=True, slots=True)
class _Row:
    """What all rows have in common. ``repeated`` is set where a question may have several."""

    stages: list[str]
    repeated: bool
    grouped: bool
    links: Mapping[AnswerKey, str]


def _widths(traces: Sequence[QuestionTrace], row: _Row, room: int, bytes_of: Callable[[Failure], int]) -> Widths:
    """Return the longest texts with which the rows take no more bytes than there is room for, or else the shortest."""
    sample = traces[:: 1 + len(traces) // _SAMPLE]

    def size(part: int) -> int:
        rows = (_failure(trace, row, Widths.of(part)) for trace in sample)
        return sum(map(bytes_of, rows)) * len(traces) // len(sample)

    too_long = bisect.bisect_right(_PARTS, room, key=size)
    return Widths.of(_PARTS[max(0, too_long - 1)])


def _text_bytes(row: Failure) -> int:
    opened = row.drill
    texts = [
        row.question,
        row.group or "",
        row.kind,
        opened.lead,
        opened.answer or "",
        opened.list_title,
        opened.note or "",
    ]
    texts += [item.text for item in opened.items] + [gold.last_seen + gold.text for gold in opened.missing]
    texts += [] if row.link is None else [f'<p><a href="{row.link}">All its lists</a>']
    texts += ["<b></b> → " if rank else "– → " for rank in row.trail]
    return sum(len(show(text).encode()) for text in texts)


def _failure(trace: QuestionTrace, row: _Row, widths: Widths) -> Failure:
    group = cut_name(trace.intent) if trace.intent is not None else ""
    return Failure(
        question=cut(trace.query or trace.query_id, widths.question),
        group=group if row.grouped else None,
        kind=fate_words(trace.fate, trace.stage),
        colour=UNKNOWN if trace.fate is None else colour_of(trace.fate, trace.stage, row.stages),
        trail=_trail(trace.gold_ranks),
        drill=drill(trace, row.stages, cut_name(name_of(trace, repeated=row.repeated)), widths),
        link=row.links.get((trace.query_id, trace.repeat)),
    )


def _trail(ranks: Sequence[int | None]) -> tuple[str | None, ...]:
    """Return the ranks in words; in a long pipeline the last of those that miss stands for the misses after it."""
    trail = [None if rank is None else count(rank) for rank in ranks]
    if len(trail) > _NAMED_STAGES:
        while trail[-2:] == [None, None]:
            trail.pop()
    return tuple(trail)


def _cut(shown: int, total: int, file: str) -> Words | None:
    if shown == total:
        return None
    line = "{} of {} shown, the first of each kind. All in {}."
    return words(line, count(shown), plural(total, "failure"), code(cut(file, 80)))


def _paged(rows: Sequence[Failure], total: int, file: str) -> Paged:
    """Return the rows as data, and the line that stands for ``cut`` once a script pages through them."""
    all_in = code(cut(file, 80))
    told = words("All {} can be paged through. They are in {} too.", plural(total, "failure"), all_in)
    if len(rows) < total:
        line = "{} of {} can be paged through, the first of each kind. All in {}."
        told = words(line, count(len(rows)), plural(total, "failure"), all_in)
    return Paged(block_of(rows, printed=PRINTED_ROWS), told)
