"""Tables, lines and cells of the terminal; everything that passes through here is made safe for one."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from attribution.results import Warn
from attribution.statistics.interval import Interval
from reports import numbers
from reports.safe_text import plain
from reports.wording import NEVER_FOUND, stage_words

DASH = "–"
PIPE_WIDTH = 120
LINE_LENGTH = 2_000
CELL_LENGTH = 300
_COMMAND = re.compile(r"^\s*:(?=:)|#(?=#\w*\[)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Printed:
    """Something that would have been printed: a line, a note, or a table; still untrusted."""

    text: str | None = None
    note: bool = False
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


_RECORDED: ContextVar[list[Printed] | None] = ContextVar("recorded", default=None)


@contextmanager
def recorded() -> Iterator[list[Printed]]:
    """Keep what is printed meanwhile instead of printing it: other places show a result in the same words."""
    kept: list[Printed] = []
    token = _RECORDED.set(kept)
    try:
        yield kept
    finally:
        _RECORDED.reset(token)


def _kept(printed: Printed) -> bool:
    """Keep what would be printed if it is asked for, and say whether it was."""
    kept = _RECORDED.get()
    if kept is not None:
        kept.append(printed)
    return kept is not None


def print_table(head: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None) -> None:
    """Print a table; every cell is made safe for a terminal."""
    cells = tuple(tuple(map(str, row)) for row in rows)
    if _kept(Printed(text=title, head=tuple(head), rows=cells)):
        return
    console = _console()
    table = Table(
        title=None if title is None else _cell(title),
        title_justify="left",
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
        header_style="bold",
    )
    for name in head:
        table.add_column(_cell(name), overflow="fold")
    for row in cells:
        table.add_row(*map(_cell, row))
    with console.capture() as drawn:
        console.print(table)
    sys.stdout.write(_no_command(drawn.get()))


def _cell(value: str) -> Text:
    return Text(plain(value, CELL_LENGTH))


def _no_command(printed: str) -> str:
    """Return what is printed with nothing in it that the log of a continuous integration host takes for a command.

    That is a line that begins with two colons, or anything like ``##[`` and ``##vso[``; a cell that is folded begins a
    line of its own wherever it is folded, so this is the last thing done.
    """
    return _COMMAND.sub(r"\g<0> ", printed)


def print_line(text: str = "") -> None:
    """Print one line on stdout, made safe for a terminal."""
    if not _kept(Printed(text=text)):
        sys.stdout.write(_no_command(plain(text, LINE_LENGTH)) + "\n")


def _console() -> Console:
    wide = sys.stdout.isatty()
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=None if wide else PIPE_WIDTH)


def share(found: Interval) -> str:
    """Return a share as a table cell: ``57% (48–66)``, or counts below twenty cases."""
    if found.estimate is None:
        return DASH
    if found.n < numbers.COUNTS_BELOW and found.count is not None:
        return f"{found.count} of {found.n}"
    return f"{numbers.percent(found.estimate)} ({numbers.percent_range(*found.bounds)})"


def rate(found: Interval, digits: int = 2) -> str:
    """Return a rate as a table cell: ``.71 (.66–.75)``, with its counts where it has them."""
    if found.estimate is None:
        return f"{DASH} ({found.reason})" if found.reason else DASH
    if found.n < numbers.COUNTS_BELOW and found.count is not None:
        return f"{found.count} of {found.n}"
    counted = f"  {found.count} of {found.n}" if found.count is not None else ""
    if found.lower is None or found.upper is None:
        return f"{numbers.rate(found.estimate, digits)}{counted}"
    return f"{numbers.rate(found.estimate, digits)} ({numbers.rate_range(*found.bounds, digits)}){counted}"


def print_warnings(warnings: Sequence[Warn]) -> None:
    """Write the caveats to stderr, one line each."""
    for warning in warnings:
        counted = f" [{numbers.plural(warning.questions, 'question')}]" if warning.questions is not None else ""
        if not _kept(Printed(text=f"{warning.message}{counted}", note=True)):
            say(f"note: {warning.message}{counted}")


def say(line: str) -> None:
    """Write one line to stderr, with anything that could steer a terminal made visible."""
    sys.stderr.write(_no_command(plain(line, LINE_LENGTH)) + "\n")


def loss_words(stage: str | None) -> str:
    """Return where evidence was lost, in words; no stage means that it was never found."""
    return NEVER_FOUND if stage is None else stage_words(stage).loss


def write(text: str) -> None:
    """Write what is meant for a program, such as a JSON object, to stdout as it is."""
    sys.stdout.write(text + "\n")
