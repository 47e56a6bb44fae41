"""Links from one page that is written to another: relative, so that a folder of pages can be moved as a whole."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from reports.wording import Piece


@dataclass(frozen=True, slots=True)
class Related:
    """Reports of one kind that lie beside a page: what they are, and a link to each."""

    label: str
    links: tuple[Piece, ...]


def href(target: Path, page: Path) -> str:
    """Return the link from a page to a file, percent-encoded: neither quotes nor a colon are left in it.

    Args:
        target: the file to link to.
        page: the file the link stands in.
    """
    return quote(os.fsencode(Path(os.path.relpath(target, page.parent)).as_posix()))
