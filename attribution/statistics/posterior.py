"""Posterior draws: of independent rates, and of two-phase counts (how cases spread over strata, what checks show).

Whatever is made of the rates, be it a ratio, a product or a projection, is made of every draw, so that quantities that
belong together stay together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attribution.statistics.interval import Interval, Undefined

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

METHOD = "jeffreys-draws"
# The Monte-Carlo error of a limit is about 2.7 sd / sqrt(DRAWS): 0.0004 at a standard deviation of 0.02.
DRAWS = 20_000


def rate_draws(rates: Sequence[Interval]) -> Floats:
    """Posterior draws of independent rates under Jeffreys' prior, once on each rate's effective count.

    The seed is made from the counts, so the same counts give the same draws. Do not trust it where two of the rates
    share questions.

    Args:
        rates: rates that have an estimate, on plain or effective counts.

    Returns:
        Draws in 0 to 1, shape (rates, DRAWS).

    Raises:
        ValueError: a rate has no cases.

    References:
        Brown, Cai & DasGupta (2001), for the prior.

    >>> from attribution.statistics.proportions import wilson
    >>> drawn = rate_draws([wilson(204, 232), wilson(79, 168)])
    >>> drawn.shape, drawn.mean(axis=1).round(2).tolist()
    ((2, 20000), [0.88, 0.47])
    """
    shapes = []
    for rate in rates:
        if rate.estimate is None:
            raise ValueError("a rate without cases has no posterior")
        shapes.append((rate.estimate * rate.size + 0.5, (1.0 - rate.estimate) * rate.size + 0.5))
    # Whole thousandths of a case, so that the last bit of a weighted rate does not change the draws.
    random = np.random.default_rng([round(1000.0 * value) for shape in shapes for value in shape])
    return np.array([random.beta(a, b, DRAWS) for a, b in shapes])


def draws(cases: Integers, checked: Integers, possible: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Draws of the share of every stratum, and of the share of every truth within it.

    Jeffreys' prior comes once on the sizes of the strata and once on the truths of each stratum that has more
    than one. A truth that is not possible stays at 0 in every draw: half a case of it would add up to a phantom
    share of the whole stratum. The seed is made from the counts, so the same counts give the same draws.

    Args:
        cases: cases in every stratum, shape (strata,).
        checked: checked cases by truth, shape (strata, truths).
        possible: whether a truth can occur in a stratum, same shape, at least one a stratum.

    Returns:
        Shares of the strata, shape (strata, DRAWS), and of the truths within strata, shape (strata, truths,
        DRAWS); both sum to 1.

    References:
        Tenenbein (1970), for the two phases; Brown, Cai & DasGupta (2001), for the prior.

    >>> sizes, truths = draws(np.array([232, 168]), np.array([[32, 3], [0, 25]]), np.array([[1, 1], [0, 1]], bool))
    >>> sizes.shape, truths.shape, float(truths[1, 0].max())
    ((2, 20000), (2, 2, 20000), 0.0)
    """
    random = np.random.default_rng([int(count) for table in (cases, checked, possible) for count in table.ravel()])
    sizes = random.standard_gamma(cases[:, None] + 0.5, (len(cases), DRAWS))
    truths = np.zeros((*checked.shape, DRAWS))
    for at, row in enumerate(possible):
        if row.sum() == 1:
            truths[at, row] = 1.0
        else:
            weights = random.standard_gamma(checked[at, row][:, None] + 0.5, (int(row.sum()), DRAWS))
            truths[at, row] = weights / weights.sum(axis=0)
    return sizes / sizes.sum(axis=0), truths


def summary(
    point: float,
    drawn: Floats,
    *,
    n: int,
    level: float,
    reason: Undefined | None = None,
    method: str = METHOD,
) -> Interval:
    """An estimate with equal-tailed limits from draws.

    One draw here is one value of the posterior. The Monte-Carlo error of a limit is about 2.7 sd / sqrt(DRAWS): 0.0004
    at a standard deviation of 0.02, so do not trust the fourth decimal.

    Args:
        point: the estimate.
        drawn: draws of it, shape (DRAWS,).
        n: cases it rests on.
        level: probability inside the limits.
        reason: why it must be read with care, if it must.
        method: name put into the result.

    Returns:
        The estimate within its limits: they are stretched where all-or-nothing counts put it outside.

    References:
        Brown, Cai & DasGupta (2001), for equal-tailed limits.

    >>> found = summary(0.5, np.linspace(0.0, 1.0, 101), n=3, level=0.9)
    >>> round(found.lower, 4), round(found.upper, 4)
    (0.05, 0.95)
    """
    tail = (1.0 - level) / 2.0
    lower, upper = (float(limit) for limit in np.quantile(drawn, [tail, 1.0 - tail]))
    return Interval(
        n=n,
        count=None,
        estimate=point,
        lower=min(point, lower),
        upper=max(point, upper),
        level=level,
        method=method,
        reason=reason,
    )


def unknown(n: int, *, level: float, reason: Undefined, method: str = METHOD) -> Interval:
    """A rate of which nothing can be said.

    Args:
        n: cases there are.
        level: level it was asked for at.
        reason: why it is not known.
        method: name put into the result.

    Returns:
        No estimate, limits 0 and 1.

    >>> unknown(3, level=0.95, reason=Undefined.too_few_checks).bounds
    (0.0, 1.0)
    """
    return Interval(n=n, count=None, estimate=None, lower=0.0, upper=1.0, level=level, method=method, reason=reason)
