"""Numbers of a sealed forecast as they must be: a file is checked as strictly as what foundlost seals itself."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, Field

from attribution.statistics.interval import Interval

LARGEST_COUNT = 2**53
ROUNDING = 1e-9


def _ordered(found: Interval) -> Interval:
    """Refuse limits in the wrong order, an estimate outside them, and counts that are none."""
    ends = [end for end in (found.lower, found.estimate, found.upper) if end is not None]
    if not all(low <= high + ROUNDING for low, high in pairwise(ends)):  # also refuses NaN
        msg = f"the estimate and its limits are not in order: {ends}"
        raise ValueError(msg)
    if not 0 <= (found.count or 0) <= found.n <= LARGEST_COUNT:
        msg = f"{found.count} of {found.n} cannot be counted"
        raise ValueError(msg)
    return found


def _within(low: float, high: float) -> AfterValidator:
    def check(found: Interval) -> Interval:
        for end in (found.lower, found.estimate, found.upper):
            if end is not None and not low - ROUNDING <= end <= high + ROUNDING:
                msg = f"{end} lies outside {low:g} to {high:g}"
                raise ValueError(msg)
        return found

    return AfterValidator(check)


def _rising(ends: tuple[float, float]) -> tuple[float, float]:
    if ends[0] > ends[1]:
        msg = f"the lower end {ends[0]:g} lies above the upper one {ends[1]:g}"
        raise ValueError(msg)
    return ends


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


Count = Annotated[int, Field(ge=0, le=LARGEST_COUNT)]
Share = Annotated[float, Field(ge=0, le=1)]
Part = Annotated[float, Field(gt=0, lt=1)]
Size = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=1024)]
Rate = Annotated[Interval, AfterValidator(_ordered), _within(0.0, 1.0)]
Change = Annotated[Interval, AfterValidator(_ordered), _within(-1.0, 1.0)]
ShareRange = Annotated[tuple[Share, Share], AfterValidator(_rising)]
Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
