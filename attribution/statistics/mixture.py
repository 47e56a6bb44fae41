"""Limits of W a + (1 - W) b for independent beta distributions, by quadrature: no draws, no seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Shape = tuple[float, float]

# Nodes an integral. Against 300, and ten times the points below, limits move by 1e-6 where both strata hold five checks
# of either kind, by 0.0002 where one is all or nothing, by 0.001 with one or two checks.
NODES = 64
# Points at which a distribution is tabulated between its extremes, and what is left out on either side.
POINTS = 2_049
OUTSIDE = 1e-12


def mixture_limits(weight: Shape, first: Shape, second: Shape | float, *, level: float) -> tuple[float, float]:
    """Equal-tailed limits of a mixture of two shares, whose weight is uncertain too.

    The distribution of the first share is averaged over nodes of the weight and of the second share.
    One draw is one case behind either share or the weight, all of them independent. Do not trust the third decimal with
    one or two cases behind a share.

    Args:
        weight: shape of the beta distribution of the weight of the first share.
        first: shape of the first share.
        second: shape of the second share, or its value where that is known.
        level: probability inside the limits.

    Returns:
        Lower and upper limit, in 0 to 1.

    References:
        Tenenbein (1970), for the estimate that has this posterior.

    >>> [round(limit, 4) for limit in mixture_limits((232.5, 168.5), (32.5, 3.5), 0.0, level=0.95)]
    [0.4472, 0.5884]
    """
    from scipy.optimize import brentq

    share, share_weights = _nodes(*weight)
    other, other_weights = (np.array([second]), np.ones(1)) if isinstance(second, float) else _nodes(*second)
    fixed = (1.0 - share)[:, None] * other[None, :]
    points, chances = _table(*first)

    def below(value: float) -> float:
        needed = (value - fixed) / share[:, None]
        return float(share_weights @ np.interp(needed, points, chances) @ other_weights)

    tail = (1.0 - level) / 2.0

    def quantile(probability: float) -> float:
        # The nodes leave out tails thinner than the level may ask for.
        if below(0.0) >= probability:
            return 0.0
        if below(1.0) <= probability:
            return 1.0
        return float(brentq(lambda value: below(value) - probability, 0.0, 1.0, xtol=1e-10))

    return quantile(tail), quantile(1.0 - tail)


def _nodes(a: float, b: float) -> tuple[Floats, Floats]:
    """Nodes and weights for averages over a beta distribution, on the scale of its probabilities.

    The quantiles are steep at either end. Stretching the ends by a curve that is flat there makes few nodes do.
    """
    from scipy.special import betaincinv

    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    at = 0.5 * (nodes + 1.0)
    probabilities = at**3 * (10.0 - 15.0 * at + 6.0 * at**2)
    return betaincinv(a, b, probabilities), 15.0 * weights * at**2 * (1.0 - at) ** 2


def _table(a: float, b: float) -> tuple[Floats, Floats]:
    """Beta distribution function at points even in arcsin(sqrt(p)), the scale on which it is smooth up to the ends."""
    from scipy.special import betainc, betaincinv

    low, high = np.arcsin(np.sqrt(betaincinv(a, b, np.array([OUTSIDE, 1.0 - OUTSIDE]))))
    points = np.sin(np.linspace(low, high, POINTS)) ** 2
    return points, betainc(a, b, points)
