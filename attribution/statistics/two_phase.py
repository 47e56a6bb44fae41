"""A rate of which a rough verdict is known for every case and the truth for some: two-phase sampling.

The rough verdict sorts the cases into strata; within each, cases are drawn at random and checked. A label that an
audit checks, and a judge whose verdicts a human checks, are both of this kind.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.mixture import mixture_limits
from attribution.statistics.posterior import unknown
from attribution.statistics.proportions import jeffreys

METHOD = "two-phase-jeffreys"
# Below this many checks nothing is estimated.
LEAST_CHECKS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """Cases with the same rough verdict, and what checking some of them showed.

    Attributes:
        cases: cases in the stratum.
        checked: of which checked, drawn at random within the stratum.
        true: checked cases that count in truth.
        certain: what every case of the stratum is by construction, so that no check is needed; None where that
            is open. An audit that can only take hits away leaves the misses certain: False.
    """

    cases: int
    checked: int = 0
    true: int = 0
    certain: bool | None = None

    def __post_init__(self) -> None:
        """Refuse counts that contradict one another.

        Raises:
            ValueError: counts are negative or do not nest, or a check contradicts what is certain.
        """
        if not 0 <= operator.index(self.true) <= operator.index(self.checked) <= operator.index(self.cases):
            msg = f"counts nest as true <= checked <= cases, not {self.true}, {self.checked}, {self.cases}"
            raise ValueError(msg)
        if self.certain is not None and self.true != (self.checked if self.certain else 0):
            msg = f"{self.true} of {self.checked} checked cases count, though all are said to be {self.certain}"
            raise ValueError(msg)

    @property
    def share(self) -> Fraction:
        """Share that counts: certain, as checked, or one half where nothing is known."""
        if self.certain is not None:
            return Fraction(int(self.certain))
        return Fraction(self.true, self.checked) if self.checked else Fraction(1, 2)

    @property
    def open(self) -> bool:
        """Whether only checking tells what the cases are."""
        return self.certain is None and self.cases > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceParts:
    """Where the variance of a two-phase estimate comes from.

    Attributes:
        verdicts: the part that more cases would lower: which strata the questions fell into.
        checks: for each stratum, the part that more checks of it would lower.
    """

    verdicts: float
    checks: tuple[float, ...]

    @property
    def standard_error(self) -> float:
        """Standard error of the estimate."""
        return math.sqrt(self.verdicts + math.fsum(self.checks))

    @property
    def shares(self) -> tuple[float, ...]:
        """Share of the variance due to the verdicts, then to the checks of each stratum; all 0 without variance."""
        parts = (self.verdicts, *self.checks)
        whole = math.fsum(parts)
        return tuple(part / whole if whole > 0.0 else 0.0 for part in parts)


def two_phase(first: Stratum, second: Stratum, *, level: float = 0.95) -> Interval:
    """Rate over two strata, from verdicts on every case and checks of some.

    One draw is one case; within a stratum every case is as likely to be checked as any other. Limits are
    equal-tailed posterior limits with Jeffreys' prior on the size of the first stratum and on the share of
    each stratum that is open; by quadrature, so the same counts give the same bytes. Do not trust it where cases
    were checked because they looked wrong, or where the check itself errs.

    Args:
        first: cases of one verdict.
        second: cases of the other.
        level: probability inside the limits.

    Returns:
        The rate, in 0 to 1. Without cases, or with fewer than five checks where checks are needed, the
        estimate is None and the limits are 0 and 1. If an open stratum was never checked, half of it counts and
        the reason says so.

    Raises:
        ValueError: the level is not a level.

    References:
        Neyman (1938); Tenenbein (1970); Cochran (1977, chapter 12).

    >>> recall = two_phase(Stratum(cases=232, checked=35, true=32), Stratum(cases=168, checked=25, certain=False))
    >>> round(recall.estimate, 4), round(recall.lower, 4), round(recall.upper, 4)
    (0.5303, 0.4472, 0.5884)
    """
    critical_value(level)
    n = first.cases + second.cases
    point, reason = strata_point((first, second))
    if point is None:
        return unknown(n, level=level, reason=reason or Undefined.no_cases, method=METHOD)
    lower, upper = _limits(first, second, level)
    return Interval(
        n=n,
        count=None,
        estimate=point,
        lower=min(point, lower),
        upper=max(point, upper),
        level=level,
        method=METHOD,
        reason=reason,
    )


def strata_point(strata: Sequence[Stratum]) -> tuple[float | None, Undefined | None]:
    """Two-phase rate over strata, without limits.

    Args:
        strata: the strata.

    Returns:
        The rate or None, and a reason: no cases, fewer than five checks in the strata that need them, or an open
        stratum that was never checked, half of which then counts.

    References:
        Tenenbein (1970).

    >>> strata_point([Stratum(cases=10, checked=4, true=3)])[1].value
    'fewer than five checked cases'
    """
    n = sum(stratum.cases for stratum in strata)
    if n == 0:
        return None, Undefined.no_cases
    needed = [stratum for stratum in strata if stratum.open]
    if needed and sum(stratum.checked for stratum in needed) < LEAST_CHECKS:
        return None, Undefined.too_few_checks
    mass = sum(stratum.cases * stratum.share for stratum in strata)
    unchecked = any(stratum.open and stratum.checked == 0 for stratum in strata)
    return float(mass / n), Undefined.unchecked_stratum if unchecked else None


def variance_parts(strata: Sequence[Stratum]) -> VarianceParts:
    """Variance of the two-phase rate, split into what verdicts and what checks contribute.

    One draw is one case. A stratum in which all checks agree contributes nothing, which is luck where checks
    are few: plan with `audit_plan.next_checks`, which does not take it at its word.

    Args:
        strata: the strata, with cases; every open one checked.

    Returns:
        The parts, on the scale of a squared rate.

    Raises:
        ValueError: there are no cases, or an open stratum was never checked.

    References:
        Cochran (1977, chapter 12).

    >>> strata = Stratum(cases=271, checked=66, true=60), Stratum(cases=129, checked=34, true=10)
    >>> round(variance_parts(strata).standard_error, 5), [round(part, 2) for part in variance_parts(strata).shares]
    (0.03764, [0.15, 0.41, 0.45])
    """
    n = sum(stratum.cases for stratum in strata)
    if n == 0 or any(stratum.open and stratum.checked == 0 for stratum in strata):
        raise ValueError("a variance needs cases, and checks in every stratum that is open")
    weights = [stratum.cases / n for stratum in strata]
    shares = [float(stratum.share) for stratum in strata]
    rate = math.fsum(weight * share for weight, share in zip(weights, shares, strict=True))
    return VarianceParts(
        verdicts=math.fsum(weight * (share - rate) ** 2 for weight, share in zip(weights, shares, strict=True)) / n,
        checks=tuple(
            weight**2 * share * (1.0 - share) / stratum.checked if stratum.open else 0.0
            for weight, share, stratum in zip(weights, shares, strata, strict=True)
        ),
    )


def _limits(first: Stratum, second: Stratum, level: float) -> tuple[float, float]:
    """Equal-tailed posterior limits of the rate."""
    if first.certain is not None:
        first, second = second, first
    if first.certain is not None:
        # Nothing but the sizes of the strata is uncertain.
        known = sum(stratum.cases for stratum in (first, second) if stratum.certain)
        return jeffreys(known, first.cases + second.cases, level=level).bounds
    return mixture_limits(
        (first.cases + 0.5, second.cases + 0.5),
        _shape(first),
        _shape(second) if second.certain is None else float(second.certain),
        level=level,
    )


def _shape(stratum: Stratum) -> tuple[float, float]:
    return stratum.true + 0.5, stratum.checked - stratum.true + 0.5
