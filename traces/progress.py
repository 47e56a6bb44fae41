"""How far a long read has come, told to whoever wants to show it."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Receives the advance of one file after another, in bytes of the file as it lies on disk."""

    def start(self, total_bytes: int, name: str) -> None:
        """A file of ``total_bytes`` is about to be read."""

    def advance(self, read_bytes: int) -> None:
        """Another ``read_bytes`` of it have been read."""

    def done(self) -> None:
        """The file has been read, or given up."""


class Silent:
    """Shows nothing."""

    def start(self, total_bytes: int, name: str) -> None:
        """Do nothing."""

    def advance(self, read_bytes: int) -> None:
        """Do nothing."""

    def done(self) -> None:
        """Do nothing."""
