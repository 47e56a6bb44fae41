"""Golden files: what the reports say, kept as text, so that a changed sentence is a change to look at.

``pytest tests/reports/test_golden.py --update-golden`` writes them anew.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "golden"
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
# What differs from one day or release to the next and is none of the report's doing.
SCRUBS = (
    (re.compile(r"\b[0-9a-f]{6}…[0-9a-f]{4}\b|\b[0-9a-f]{12}\b|\b[0-9a-f]{64}\b"), "<hash>"),
    (re.compile(rf"\b\d{{1,2}} (?:{MONTHS}) 20\d\d\b"), "<date>"),
    (re.compile(r"\b20\d\d-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:\d\d)?)?"), "<date>"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "<time>"),
    (re.compile(r"\bfoundlost \d+\.\d+\.\d+\w*"), "foundlost <version>"),
)


def scrubbed(text: str) -> str:
    """Return a text without hashes, dates and releases."""
    for pattern, name in SCRUBS:
        text = pattern.sub(name, text)
    return text


class Golden:
    """Compares texts with their files, or writes the files."""

    def __init__(self, *, update: bool, folder: Path = FOLDER) -> None:
        self.update = update
        self.folder = folder

    def check(self, name: str, text: str) -> None:
        """Fail with a diff where a text is not that of its file."""
        path = self.folder / name
        now = scrubbed(text)
        if self.update:
            path.write_text(now, encoding="utf-8", newline="\n")
            return
        kept = path.read_text("utf-8") if path.exists() else ""
        if kept == now:
            return
        diff = difflib.unified_diff(
            kept.splitlines(keepends=True), now.splitlines(keepends=True), f"golden/{name}", "now", n=2
        )
        pytest.fail(
            f"{''.join(diff)}\nIf this is meant: pytest tests/reports/test_golden.py --update-golden", pytrace=False
        )
