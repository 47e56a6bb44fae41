"""A rate as an imperfect judge reports it, and the way back to the true one by the judge's known error rates.

Everything here assumes that the judge errs on the questions at hand as it did where its errors were counted.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass

from attribution.statistics.confusion import Confusion
from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.posterior import unknown
from attribution.statistics.projection import check_share

METHOD = "lang-reiczigel"


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A rate taken back through the judge's errors.

    Attributes:
        estimate: the rate, 0 to 1; None where the judge is no better than chance.
        raw: what the formula gives, which can fall outside 0 to 1; None likewise.
        reason: `clipped` where raw fell outside, `judge_uninformative` where there is no estimate.
    """

    estimate: float | None
    raw: float | None
    reason: Undefined | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoganGladen:
    """A corrected rate with its limits.

    Attributes:
        rate: the corrected rate.
        raw: the estimate before clipping; None where there is none.
        sensitivity: share of true passes judged pass; None without any.
        specificity: share of true fails judged fail; None without any.
        standard_error: of the raw estimate, by the delta method; None where there is none.
    """

    rate: Interval
    raw: float | None
    sensitivity: float | None
    specificity: float | None
    standard_error: float | None


def apparent_rate(rate: float, sensitivity: float, specificity: float) -> float:
    """Rate that a judge with these error rates reports.

    It shrinks every difference between rates by sensitivity + specificity - 1, so a gain forecast from judged
    rates is too small; more so if the judge is laxer where gold is missing.

    Args:
        rate: true pass rate, 0 to 1.
        sensitivity: share of true passes judged pass.
        specificity: share of true fails judged fail.

    Returns:
        The judge's pass rate, in 0 to 1.

    Raises:
        ValueError: a share lies outside 0 to 1.

    References:
        Rogan & Gladen (1978).

    >>> round(apparent_rate(0.88, 0.95, 0.85) - apparent_rate(0.47, 0.95, 0.85), 3)
    0.328
    """
    for value, name in ((rate, "rate"), (sensitivity, "sensitivity"), (specificity, "specificity")):
        check_share(value, name)
    return rate * sensitivity + (1.0 - rate) * (1.0 - specificity)


def true_rate(apparent: float, sensitivity: float, specificity: float) -> Corrected:
    """True rate behind a judge's rate, at error rates taken as known.

    Args:
        apparent: the judge's pass rate, 0 to 1.
        sensitivity: share of true passes judged pass.
        specificity: share of true fails judged fail.

    Returns:
        The rate, clipped to 0 to 1 with a reason where the formula leaves it; no estimate where sensitivity +
        specificity is 1 or less.

    Raises:
        ValueError: a share lies outside 0 to 1.

    References:
        Rogan & Gladen (1978).

    >>> round(true_rate(0.75, 0.95, 0.9).estimate, 4), true_rate(0.05, 0.95, 0.9).reason.value
    (0.7647, 'the corrected rate fell outside 0 to 1')
    """
    for value, name in ((apparent, "apparent"), (sensitivity, "sensitivity"), (specificity, "specificity")):
        check_share(value, name)
    youden = sensitivity + specificity - 1.0
    if youden <= 0.0:
        return Corrected(estimate=None, raw=None, reason=Undefined.judge_uninformative)
    raw = (apparent + specificity - 1.0) / youden
    estimate = min(1.0, max(0.0, raw))
    return Corrected(estimate=estimate, raw=raw, reason=None if raw == estimate else Undefined.clipped)


def rogan_gladen(judged_pass: int, n: int, validation: Confusion, *, level: float = 0.95) -> RoganGladen:
    """True pass rate from a judge's verdicts and a validation of the judge on other items.

    One draw is one question, and one item of the validation. Holds at any share of passes among the validated items,
    as long as the judge errs on the questions as it does on the items. Do not trust it where the validated
    items were drawn from these questions: it is valid there and needlessly wide, see `two_phase`.

    Args:
        judged_pass: questions judged pass.
        n: questions judged.
        validation: items of known truth, by verdict.
        level: confidence level.

    Returns:
        The rate with Lang and Reiczigel's limits, in 0 to 1. Without questions, without validated items of either
        kind, or with a judge no better than chance, the estimate is None and the limits are 0 and 1.

    Raises:
        ValueError: judged_pass is negative or above n, or the level is not a level.

    References:
        Rogan & Gladen (1978); Lang & Reiczigel (2014).

    >>> items = Confusion(true_pass=60, false_fail=10, false_pass=6, true_fail=24)
    >>> found = rogan_gladen(271, 400, items)
    >>> round(found.rate.estimate, 4), round(found.rate.lower, 4), round(found.rate.upper, 4)
    (0.7266, 0.5905, 0.8617)
    """
    z = critical_value(level)
    if not 0 <= operator.index(judged_pass) <= operator.index(n):
        msg = f"a count lies between 0 and n: count {judged_pass}, n {n}"
        raise ValueError(msg)
    sensitivity = validation.true_pass / validation.passes if validation.passes else None
    specificity = validation.true_fail / validation.fails if validation.fails else None

    def refused(reason: Undefined) -> RoganGladen:
        return RoganGladen(
            rate=unknown(n, level=level, reason=reason, method=METHOD),
            raw=None,
            sensitivity=sensitivity,
            specificity=specificity,
            standard_error=None,
        )

    if n == 0 or sensitivity is None or specificity is None:
        return refused(Undefined.no_cases)
    point = true_rate(judged_pass / n, sensitivity, specificity)
    limits = _limits(judged_pass, n, validation, z)
    if point.estimate is None or point.raw is None or limits is None:
        return refused(Undefined.judge_uninformative)
    lower, upper = limits
    return RoganGladen(
        rate=Interval(
            n=n,
            count=None,
            estimate=point.estimate,
            lower=min(point.estimate, lower),
            upper=max(point.estimate, upper),
            level=level,
            method=METHOD,
            reason=point.reason,
        ),
        raw=point.raw,
        sensitivity=sensitivity,
        specificity=specificity,
        standard_error=_error(
            (judged_pass / n, n), (sensitivity, validation.passes), (specificity, validation.fails), point.raw
        ),
    )


def _limits(judged_pass: int, n: int, validation: Confusion, z: float) -> tuple[float, float] | None:
    """Wald's limits on counts with pseudo-cases added, shifted; None where the added cases leave no information.

    z^2/2 cases go to either verdict, one to either side of each error rate. The shift has no divisor: so
    published, and so in the authors' program.
    """
    apparent, size = (judged_pass + z * z / 2.0) / (n + z * z), n + z * z
    sensitivity, passes = (validation.true_pass + 1.0) / (validation.passes + 2.0), validation.passes + 2.0
    specificity, fails = (validation.true_fail + 1.0) / (validation.fails + 2.0), validation.fails + 2.0
    youden = sensitivity + specificity - 1.0
    if youden <= 0.0:
        return None
    centre = (apparent + specificity - 1.0) / youden
    shift = (
        centre * sensitivity * (1.0 - sensitivity) / passes - (1.0 - centre) * specificity * (1.0 - specificity) / fails
    )
    half = z * _error((apparent, size), (sensitivity, passes), (specificity, fails), centre)
    middle = centre + 2.0 * z * z * shift
    return min(1.0, max(0.0, middle - half)), min(1.0, max(0.0, middle + half))


def _error(
    apparent: tuple[float, float], sensitivity: tuple[float, float], specificity: tuple[float, float], rate: float
) -> float:
    """Standard error of the corrected rate by the delta method, from (share, cases) of its three parts."""
    of_apparent, of_sensitivity, of_specificity = (
        share * (1.0 - share) / cases for share, cases in (apparent, sensitivity, specificity)
    )
    spread = of_apparent + rate**2 * of_sensitivity + (1.0 - rate) ** 2 * of_specificity
    return math.sqrt(spread) / (sensitivity[0] + specificity[0] - 1.0)
