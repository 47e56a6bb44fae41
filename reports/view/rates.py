"""Rates, gains and recalls in words, as the reports on forecasts write them."""

from __future__ import annotations

from attribution.statistics.interval import Interval
from reports.numbers import COUNTS_BELOW, FEW_BELOW, many, points, rate, rate_range
from reports.view.shares import of
from reports.wording import Words, bracketed, strong, words

UNKNOWN = "unknown"


def rate_words(found: Interval, digits: int = 3, *, stress: bool = False) -> Words:
    """Return a rate with its range: ``.818 (.78–.85)``; counts where cases are few, and ``few`` where very few."""
    if found.estimate is None:
        return words(UNKNOWN)
    few = found.count is not None and found.n < COUNTS_BELOW
    text = of(found) if few else rate(found.estimate, digits)
    said = strong(text) if stress else text
    if found.count is not None and found.n < FEW_BELOW:
        return words("{}, few", said)
    if found.lower is None or found.upper is None or found.lower == found.upper:
        return words("{}", said)
    return words("{} {}", said, bracketed(rate_range(found.lower, found.upper)))


def rate_of(found: Interval, noun: str) -> Words:
    """Return a rate and what it is a rate of: ``.818 (.78–.85) of questions``, where few ``9 of 17 questions``."""
    if found.count is not None and found.n < COUNTS_BELOW:
        return words("{} {}", strong(of(found)), many(noun))
    return words("{} of {}", rate_words(found, stress=True), many(noun))


def size(gain: float) -> str:
    """Return how large a gain is, in points without a sign: ``14.8``."""
    return points(abs(gain)).removeprefix("+")


def plural_points(gain: float) -> str:
    """Return a size with its unit: ``14.8 points``, ``1.0 points``."""
    return f"{size(gain)} points"


def signed(found: Interval) -> str:
    """Return a gain in points: ``−9.9``."""
    return UNKNOWN if found.estimate is None else points(found.estimate)


def signed_range(found: Interval) -> str:
    """Return the limits of a gain: ``−12.7 to −6.8``; nothing where there are none."""
    if found.lower is None or found.upper is None:
        return ""
    return f"{points(found.lower)} to {points(found.upper)}"


def recall_words(target: tuple[float, float]) -> str:
    """Return a recall that is forecast: ``.85``, or ``.80 to .85`` where it is a range."""
    low, high = target
    return rate(low) if low == high else f"{rate(low)} to {rate(high)}"


def two_rates(one: float, other: float) -> tuple[str, str]:
    """Return two rates with as many digits as it takes to tell them apart, three at most."""
    short = rate(one), rate(other)
    return (rate(one, 3), rate(other, 3)) if short[0] == short[1] else short
