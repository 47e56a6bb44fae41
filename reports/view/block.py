"""The failures of a long list as data, which the script on the page sets a page at a time.

Nothing in it is HTML: the script sets text as text. So hidden characters are replaced here, and not made visible as
in the rows that stand on the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reports.safe_text import island, plain
from reports.view.parts import Failure

PAGE_ROWS = 100
Row = tuple[object, ...]

_WHOLE = 2000
"""Characters kept of a text: all, for the rows come cut to the room there is."""


def block_of(rows: Sequence[Failure], *, printed: int) -> Mapping[str, object]:
    """Return the data: rows as arrays in the order that assets/pager.js reads them, what they share said once.

    Args:
        rows: the failures in order.
        printed: how many of a page are printed.
    """
    kinds: dict[tuple[str, str], int] = {}
    said: dict[str, int] = {}
    return {
        "rows": [_row(row, kinds, said) for row in rows],
        "kinds": list(kinds),
        "said": list(said),
        "page": PAGE_ROWS,
        "printed": printed,
    }


def row_bytes(row: Failure) -> int:
    """Return how many bytes a row takes up in the block."""
    return len(island(_row(row, {}, {}))) + 1


def _row(row: Failure, kinds: dict[tuple[str, str], int], said: dict[str, int]) -> Row:
    def once(text: str | None) -> int | None:
        return None if text is None else said.setdefault(_text(text), len(said))

    opened = row.drill
    return (
        _text(row.question),
        once(row.group),
        kinds.setdefault((row.colour.name, _text(row.kind)), len(kinds)),
        row.trail,
        _text(opened.lead),
        None if opened.answer is None else _text(opened.answer),
        once(opened.list_title),
        [(_text(item.text), int(item.gold), item.rank if item.jump else 0) for item in opened.items],
        [(_text(gold.last_seen), _text(gold.text)) for gold in opened.missing],
        once(opened.note),
        row.link,
    )


def _text(text: str) -> str:
    return plain(text, _WHOLE)
