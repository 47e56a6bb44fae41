"""How many recovered questions will pass, if they are like those whose gold is found today."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attribution.statistics.gain import jeffreys_nodes
from attribution.statistics.interval import Interval, critical_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Above so many questions their passes are not gone through one by one: the cost would grow with them.
COUNTED = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Passes:
    """Predictive distribution of a number of passes.

    Attributes:
        questions: questions that are to be answered.
        mean: expected passes.
        sd: standard deviation of the passes.
        lower: lower equal-tailed quantile, a whole number.
        upper: upper equal-tailed quantile, a whole number.
        level: probability between the quantiles, at least.
    """

    questions: int
    mean: float
    sd: float
    lower: int
    upper: int
    level: float


def passes_among_recovered(recovered: int, with_gold: Interval, *, level: float = 0.95) -> Passes:
    """How many recovered questions will pass if they are like those whose gold is found today.

    One draw is one recovered question, at a rate known only from the questions with gold: a beta-binomial
    under Jeffreys' prior. A count outside the limits speaks against the likeness. Do not trust it where
    recovered questions hang together, as when one missing document answers many.

    Args:
        recovered: recovered questions.
        with_gold: pass rate where gold was there.
        level: probability between the limits, at least.

    Returns:
        The predictive distribution of the passes. Without cases with gold it rests on the prior alone.

    Raises:
        ValueError: recovered is negative, or the level is not a level.

    References:
        Brown, Cai & DasGupta (2001), for the prior.

    >>> from attribution.statistics.proportions import wilson
    >>> passes = passes_among_recovered(108, wilson(204, 232))
    >>> round(passes.mean, 1), passes.lower, passes.upper
    (94.8, 86, 102)
    """
    critical_value(level)
    recovered = operator.index(recovered)
    if recovered < 0:
        msg = f"recovered questions cannot be negative: {recovered}"
        raise ValueError(msg)
    passed = 0.0 if with_gold.estimate is None else with_gold.estimate * with_gold.size
    a, b = passed + 0.5, with_gold.size - passed + 0.5
    rate = a / (a + b)
    tail = (1.0 - level) / 2.0
    mean, sd = recovered * rate, math.sqrt(recovered * rate * (1.0 - rate) * (a + b + recovered) / (a + b + 1.0))
    lower, upper = (
        _by_quadrature(recovered, with_gold, tail, mean=mean, sd=sd)
        if recovered > COUNTED and with_gold.estimate is not None
        else (int(at) for at in np.searchsorted(_passes_below(recovered, a, b), [tail, 1.0 - tail]))
    )
    return Passes(
        questions=recovered,
        mean=mean,
        sd=sd,
        lower=lower,
        upper=upper,
        level=level,
    )


def _passes_below(n: int, a: float, b: float) -> NDArray[np.float64]:
    """Beta-binomial probabilities of at most 0, 1, ..., n passes.

    From the ratio of each probability to the one before: a table of all of them costs less than one quantile of the
    general kind.
    """
    passes = np.arange(n, dtype=np.float64)
    ratios = np.log((n - passes) * (passes + a) / ((passes + 1.0) * (n - passes - 1.0 + b)))
    logs = np.concatenate([[0.0], np.cumsum(ratios)])
    chances = np.exp(logs - logs.max())
    return np.asarray(np.minimum(1.0, np.cumsum(chances) / chances.sum()))


def _by_quadrature(recovered: int, with_gold: Interval, tail: float, *, mean: float, sd: float) -> tuple[int, int]:
    """Both quantiles by root finding on the distribution function, averaged over the posterior of the rate."""
    from scipy.optimize import brentq
    from scipy.special import betainc

    def below(passes: float) -> float:
        # The binomial is a step at passes/recovered, the steeper the more questions: nodes are crowded there.
        if passes >= recovered:
            return 1.0
        rates, weights = jeffreys_nodes(with_gold, split=min(1.0, (passes + 0.5) / recovered))
        return float(weights @ betainc(recovered - passes, passes + 1.0, 1.0 - rates))

    def quantile(share: float) -> int:
        reach = sd
        away = critical_value(1.0 - 2.0 * min(share, 1.0 - share)) * sd  # were it normal
        near = mean + (away if share > 0.5 else -away)
        low, high = (min(float(recovered), max(0.0, end)) for end in (near - reach, near + reach))
        while low > 0.0 and below(low) >= share:
            low, reach = max(0.0, low - reach), 2.0 * reach
        while below(high) < share:
            high, reach = min(float(recovered), high + reach), 2.0 * reach
        if below(low) >= share:
            return 0
        at = math.ceil(float(brentq(lambda passes: below(passes) - share, low, high, xtol=0.2)))
        while below(at - 1.0) >= share:
            at -= 1
        while below(float(at)) < share:
            at += 1
        return at

    return quantile(tail), quantile(1.0 - tail)
