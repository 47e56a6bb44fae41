"""Result types of every estimate: an interval, a bare point, and the reasons either can be undefined."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist


class Undefined(StrEnum):
    """Why a figure has no value, or has one that must not be read alone."""

    no_cases = "no cases"
    one_question = "a single question: its spread cannot be measured"
    equal_rates = "the pass rates with and without gold are equal"
    slope_unclear = "gold does not detectably help"
    slope_negative = "questions with gold pass less often"
    unattainable = "out of reach at the estimated rates"
    not_needed = "met at any recall"
    no_recovery = "the target recall is not above the present recall"
    no_failures = "no failures"
    undetectable = "too few questions to show a change of any size"
    too_few_checks = "fewer than five checked cases"
    unchecked_stratum = "a stratum was never checked: its share is a guess"
    judge_uninformative = "the judge tells passes from failures no better than chance"
    judge_unvalidated = "the judge was not validated: its rate is not the pass rate"
    clipped = "the corrected rate fell outside 0 to 1"
    one_class = "every answer is of one class"
    nothing_relevant = "no document is relevant or could be"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate with its limits, in plain Python numbers.

    Attributes:
        n: cases the estimate rests on (for a difference, those of both sides).
        count: cases that count, where the estimate is one proportion.
        estimate: the point, None where it is undefined.
        lower: lower limit, None only where no bound exists.
        upper: upper limit, as lower.
        level: confidence level of the limits, such as 0.95.
        method: short name of the method.
        n_effective: size of a simple random sample as precise as this one; None where it is n.
        reason: why the estimate is None or must be read with care.
    """

    n: int
    count: int | None
    estimate: float | None
    lower: float | None
    upper: float | None
    level: float
    method: str
    n_effective: float | None = None
    reason: Undefined | None = None

    @property
    def size(self) -> float:
        """Number of independent cases to reckon with: n_effective where there is one, else n."""
        return float(self.n) if self.n_effective is None else self.n_effective

    @property
    def bounds(self) -> tuple[float, float]:
        """Both limits as numbers.

        Raises:
            ValueError: a limit is None.
        """
        if self.lower is None or self.upper is None:
            msg = f"the {self.method} interval has no limits ({self.reason})"
            raise ValueError(msg)
        return self.lower, self.upper


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A number without an interval, or the reason there is none.

    A value may come with a reason: then it lies outside the range in which it can be acted on.
    """

    estimate: float | None
    reason: Undefined | None = None


def critical_value(level: float) -> float:
    """Two-sided standard normal quantile of a confidence level.

    Args:
        level: confidence level, strictly between 0 and 1.

    Returns:
        z with P(-z < Z < z) = level.

    Raises:
        ValueError: level is not strictly between 0 and 1.

    >>> round(critical_value(0.95), 6)
    1.959964
    """
    if not 0.0 < level < 1.0:
        msg = f"level must lie strictly between 0 and 1, not {level}"
        raise ValueError(msg)
    return NormalDist().inv_cdf((1.0 + level) / 2.0)


def wilson_limits(share: float, size: float, z: float) -> tuple[float, float]:
    """Limits of Wilson's score interval for a share of a sample, whose size may be fractional.

    Args:
        share: observed share, 0 to 1.
        size: sample size in cases, above 0.
        z: standard normal quantile.

    Returns:
        Lower and upper limit, exactly 0 at share 0 and exactly 1 at share 1.

    References:
        Wilson (1927).

    >>> [round(limit, 4) for limit in wilson_limits(0.3, 20, 1.959964)]
    [0.1455, 0.519]
    """
    # Next to 1, 1 - share is rounded: without the floor the upper limit of a share of 1e-18 would be 0.
    return _lower_root(share, size, z), max(share, 1.0 - _lower_root(1.0 - share, size, z))


def _lower_root(share: float, size: float, z: float) -> float:
    """Smaller root of Wilson's quadratic, from the product of both: their difference would lose small limits."""
    centre = share + z * z / (2.0 * size)
    half = z * math.sqrt(share * (1.0 - share) / size + z * z / (4.0 * size * size))
    return share * share / (centre + half)
