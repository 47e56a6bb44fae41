"""How numbers are written: percentages, rates, points, ranges, dates, and places on a chart.

Nothing before the reports rounds; everything in the reports rounds here. A share or rate that is not all or nothing is
never written as such.
"""

from __future__ import annotations

import math
from datetime import datetime

COUNTS_BELOW = 20
"""Fewer cases than this are written as counts, without a percentage."""

FEW_BELOW = 5
"""Fewer cases than this get no range either, and the word "few"."""

MINUS = "\u2212"
DASH = "\u2013"
_MIRRORED = str.maketrans("<>", "><")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)
_MOST_STEPS = 3


def count(n: int) -> str:
    """Return a count with thousands apart: ``3,410``."""
    return f"{n:,}"


def plural(n: int, noun: str) -> str:
    """Return a count with its noun: ``1 question``, ``3,410 questions``."""
    return f"{count(n)} {noun if n == 1 else many(noun)}"


def many(noun: str) -> str:
    """Return the plural of a noun."""
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def percent(share: float) -> str:
    """Return a share as ``57%`` or ``−60%``; near 0 and 100, where whole numbers would say nothing, with a decimal."""
    return f"{_hundredths(share)}%"


def percent_range(lower: float, upper: float) -> str:
    """Return the limits of a share as ``48–66``, without the sign; below 0, with a minus beside it, as ``−12 to 5``."""
    return f"{_hundredths(lower)}{DASH if lower >= 0.0 else ' to '}{_hundredths(upper)}"


def _hundredths(share: float) -> str:
    size = abs(100.0 * share)
    side, text = "", f"{size:.0f}"
    if 0.0 < size < 1.0 or (99.0 < size < 101.0 and size != 100.0):
        text = f"{size:.1f}"
        if text == "0.0":
            side, text = "<", "0.1"
        elif text == "100.0":
            side, text = (">", "99.9") if size < 100.0 else (">", "100")
    return side + text if share >= 0.0 else side.translate(_MIRRORED) + MINUS + text


def rate(share: float, digits: int = 2) -> str:
    """Return a rate of 0 to 1 as ``.71``; as ``.998`` or ``.003`` where it would round to 1 or 0 and is neither."""
    text = f"{share:.{digits}f}"
    if 0.0 < share < 1.0 and float(text) in (0.0, 1.0):
        # The percentage without its point, so that a rate and its share never differ by how they were rounded.
        text = _hundredths(share).replace(".", "")
        side = text[0] if text[0] in "<>" else ""
        return f"{side}.{text.removeprefix(side).zfill(3)}"
    return text.removeprefix("0")


def rate_range(lower: float, upper: float, digits: int = 2) -> str:
    """Return the limits of a rate as ``.78–.86``."""
    return f"{rate(lower, digits)}{DASH}{rate(upper, digits)}"


def points(gain: float) -> str:
    """Return a gain on the scale of 0 to 1 as signed points: ``+10.9``, ``−0.4``."""
    text = f"{100.0 * gain:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", MINUS)


def date(when: datetime) -> str:
    """Return a day as ``26 September 2026``, in the time zone it was recorded in."""
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"


def place(share: float) -> str:
    """Return a place along a chart, 0 to 1, as the per cent an SVG attribute takes: ``57.26%``."""
    text = f"{100.0 * min(1.0, max(0.0, share)):.2f}".rstrip("0").rstrip(".")
    return f"{text}%"


def axis(top: float) -> list[float]:
    """Return the ticks of an axis from 0 that reaches ``top``: evenly spaced, at most four, never beyond 1."""
    step = next((s for s in _STEPS if top <= _MOST_STEPS * s + 1e-9), _STEPS[-1])
    steps = max(1, min(_MOST_STEPS, math.ceil(top / step - 1e-9)))
    return [step * i for i in range(steps + 1)]
