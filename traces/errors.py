"""Every error foundlost raises on purpose.

FoundlostError                 a slug, what went wrong, where, what to do
├── UsageError                 the call itself cannot be carried out             exit 2
├── InputError                 a file, or all of it, cannot be used              exit 2
│   └── RecordError            one record cannot be used: it goes to quarantine  exit 2 with --strict
└── StoreError                 the store cannot be used                          exit 3
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence


class FoundlostError(Exception):
    """A fault that is said in one line: slug, what, where, what to do.

    Args:
        slug: short stable name of the kind of fault, explained in docs/messages.md.
        what: what is wrong, as a clause without a full stop.
        where: file:line, question, run or stage, if there is one.
        hint: what to do about it, as a clause.
    """

    exit_code = 2

    def __init__(self, slug: str, what: str, *, where: str | None = None, hint: str | None = None) -> None:
        self.slug = slug
        self.what = what
        self.where = where
        self.hint = hint
        super().__init__(self.line())

    def line(self) -> str:
        """Return the message as one line, safe to print once cleaned for the terminal."""
        place = f" ({self.where})" if self.where else ""
        advice = f"; {self.hint}" if self.hint else ""
        return f"{self.slug}: {self.what}{place}{advice}"


class UsageError(FoundlostError):
    """The call names something that is not there, or asks for what cannot be done."""


class InputError(FoundlostError):
    """A file cannot be used at all: missing, empty, cut short, or without one good record."""


class RecordError(InputError):
    """One record cannot be used.

    Args:
        slug: as in FoundlostError.
        what: as in FoundlostError.
        field: path of the offending field, such as ``stages.packed[3].doc_id``.
        where: as in FoundlostError.
        hint: as in FoundlostError.
    """

    def __init__(
        self, slug: str, what: str, *, field: str | None = None, where: str | None = None, hint: str | None = None
    ) -> None:
        self.field = field
        super().__init__(slug, what if field is None else f"{field}: {what}", where=where, hint=hint)
        self.reason = what


class StoreError(FoundlostError):
    """The store is locked, damaged, or written by a newer foundlost."""

    exit_code = 3


def near(name: str, known: Sequence[str]) -> str:
    """Return a hint that names what there is, the nearest names first."""
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    if close:
        return f"did you mean {', '.join(close)}?"
    return f"there are {', '.join(sorted(known)[:10])}" if known else "there are none yet"
