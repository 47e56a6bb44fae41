"""The claims of a forecast: what each asserts, by what margin, and why one may go untested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from attribution.statistics.interval import Interval

# Below these sizes a slice speaks only where the whole interval lies beyond the margin.
FEW_RECOVERED = 20
FEW = 10

# Realised less claimed at a confidence level, if there were this many times as many questions at the same rates.
Gap = Callable[[float, float], Interval]


class Reason(StrEnum):
    """Why a claim was not tested, or why its test cannot tell."""

    no_questions = "no questions to compare"
    no_churn = "the unchanged build was not run twice"
    few = "too few questions in the slice"
    wide = "the limits hold both no difference and one beyond the margin"
    together = "a difference by itself, but not among all the claims tested"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim that can be tested.

    Attributes:
        name: what is claimed, in one word.
        margin: shortfall that still counts as none, above 0, on the scale of a pass rate.
        gap: realised less claimed, negative where things came out worse.
        two_sided: held only where a surplus is ruled out as well as a shortfall.
        gates: the forecast holds only if this claim does.
        size: questions in its smallest slice.
        least: slice size below which only a difference beyond the margin counts.
        power: probability of holding it if it is true, as reckoned beforehand.

    Raises:
        ValueError: the margin is not above 0.
    """

    name: str
    margin: float
    gap: Gap
    two_sided: bool = False
    gates: bool = False
    size: float
    least: int = FEW
    power: float | None = None

    def __post_init__(self) -> None:
        if not self.margin > 0.0:
            msg = f"the margin of {self.name} must be above 0, not {self.margin}"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arithmetic:
    """A claim about these very questions, which no chance is part of: compared, not tested.

    Attributes:
        name: what is claimed, in one word.
        claimed: the figure forecast.
        realised: the figure that came out.
        tolerance: distance that counts as none, not negative.
        questions: questions the figures are about.
        lower_is_better: whether a smaller figure is the better one.

    Raises:
        ValueError: the tolerance is negative.

    >>> Arithmetic(name="recall", claimed=0.85, realised=0.84, tolerance=0.02, questions=400).lower_is_better
    False
    """

    name: str
    claimed: float
    realised: float
    tolerance: float
    questions: int
    lower_is_better: bool = False

    def __post_init__(self) -> None:
        if not self.tolerance >= 0.0:
            msg = f"the tolerance of {self.name} is not negative: {self.tolerance}"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Untested:
    """A claim whose test has nothing to work on.

    Attributes:
        name: what is claimed, in one word.
        reason: what is missing.
        margin: shortfall that would have counted as none.
        gates: the forecast holds only if this claim does.
    """

    name: str
    reason: Reason
    margin: float
    gates: bool = False
