"""Progress of a long read: a bar on a terminal, plain lines elsewhere, always on stderr."""

from __future__ import annotations

import sys
import time

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from reports.safe_text import plain
from reports.text.table import say
from traces.progress import Progress

LINE_EVERY_SECONDS = 5.0


class Bar:
    """A bar that disappears when the file is done.

    Args:
        amount: the column that says how far it is.
    """

    def __init__(self, amount: type[ProgressColumn] = DownloadColumn) -> None:
        self._amount = amount

    def start(self, total_bytes: int, name: str) -> None:
        """Show the bar of one file."""
        self._bar = RichProgress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            self._amount(),
            TimeRemainingColumn(),
            console=Console(file=sys.stderr, markup=False),
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task(plain(name, 40), total=total_bytes)

    def advance(self, read_bytes: int) -> None:
        """Move the bar."""
        self._bar.advance(self._task, read_bytes)

    def done(self) -> None:
        """Remove the bar."""
        self._bar.stop()


class Lines:
    """One line every few seconds, for logs.

    Args:
        done: what has been done to the part of the file that is over.
    """

    def __init__(self, done: str = "read") -> None:
        self._done = done
        self._name = ""
        self._total = 0
        self._read = 0
        self._said = 0.0

    def start(self, total_bytes: int, name: str) -> None:
        """Remember the file; a short read says nothing."""
        self._name, self._total, self._read, self._said = name, total_bytes, 0, time.monotonic()

    def advance(self, read_bytes: int) -> None:
        """Say how far the read is, now and then."""
        self._read += read_bytes
        if time.monotonic() - self._said >= LINE_EVERY_SECONDS and self._total:
            self._said = time.monotonic()
            say(f"{self._name}: {100 * self._read // self._total}% {self._done}")

    def done(self) -> None:
        """Say nothing more."""


def bar_or_lines() -> Progress:
    """Return a bar where stderr is a terminal, else plain lines."""
    return Bar() if sys.stderr.isatty() else Lines()


def counts() -> Progress:
    """Return a bar or lines that count questions, not bytes."""
    return Bar(MofNCompleteColumn) if sys.stderr.isatty() else Lines("done")
