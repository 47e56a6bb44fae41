"""Other methods for quantities that the package computes, to be close to but not used: second opinions with a name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from statsmodels.stats.proportion import multinomial_proportions_confint, proportion_confint

from attribution.statistics.differences import mcnemar, newcombe_paired
from attribution.statistics.gain import gain
from attribution.statistics.projection import project
from attribution.statistics.proportions import goodman, newcombe, wilson

Inputs = Mapping[str, Any]
Z = 1.959963984540054


def wald_projection(given: Inputs) -> list[float]:
    r, p1, p0 = given["r_new"], given["x1"] / given["n1"], given["x0"] / given["n0"]
    half = Z * math.sqrt(r**2 * p1 * (1 - p1) / given["n1"] + (1 - r) ** 2 * p0 * (1 - p0) / given["n0"])
    point = r * p1 + (1 - r) * p0
    return [point - half, point + half]


def our_projection(given: Inputs) -> Sequence[float]:
    return project(given["r_new"], wilson(given["x1"], given["n1"]), wilson(given["x0"], given["n0"])).bounds


def mover_gain(given: Inputs) -> list[float]:
    """Product of move and slope, each with its own limits, by square-and-add."""
    recall, slope = wilson(given["n1"], given["n"]), newcombe(given["x1"], given["n1"], given["x0"], given["n0"])
    assert recall.estimate is not None
    assert slope.estimate is not None
    move, point = given["r_new"] - recall.estimate, (given["r_new"] - recall.estimate) * slope.estimate
    (low, high), (bottom, top) = recall.bounds, slope.bounds
    down = math.hypot(slope.estimate * (high - recall.estimate), move * (slope.estimate - bottom))
    up = math.hypot(slope.estimate * (recall.estimate - low), move * (top - slope.estimate))
    return [point - down, point + up]


def our_gain(given: Inputs) -> Sequence[float]:
    cells = wilson(given["x1"], given["n1"]), wilson(given["x0"], given["n0"])
    return gain(given["r_new"], wilson(given["n1"], given["n"]), *cells).bounds


def mcnemar_asymptotic(given: Inputs) -> list[float]:
    from scipy.stats import chi2

    return [float(chi2.sf((given["b"] - given["c"]) ** 2 / (given["b"] + given["c"]), 1))]


def tango(given: Inputs) -> list[float]:
    """Limits where the score statistic of a paired difference reaches the critical value."""
    from scipy.optimize import brentq

    b, c, n = given["b"], given["c"], given["n"]

    def score(gap: float) -> float:
        half = (2 * n - b + c) * gap - b - c
        second = (math.sqrt(half**2 - 8 * n * (-c * gap * (1 - gap))) - half) / (4 * n)
        return float((b - c - n * gap) / math.sqrt(n * (2 * second + gap * (1 - gap))))

    point = (b - c) / n
    return [
        float(brentq(lambda gap: score(gap) - Z, -0.999, point)),
        float(brentq(lambda gap: score(gap) + Z, point, 0.999)),
    ]


def wald_paired(given: Inputs, extra: int = 0) -> list[float]:
    b, c, n = given["b"] + extra, given["c"] + extra, given["n"] + 2 * extra
    half = Z * math.sqrt(b + c - (b - c) ** 2 / n) / n
    return [(b - c) / n - half, (b - c) / n + half]


def our_paired(given: Inputs) -> Sequence[float]:
    # The cases give the discordant pairs only; the concordant ones are those of the retained slice.
    return newcombe_paired(190, given["b"], given["c"], 21).bounds


def sison_glaz(given: Inputs) -> list[float]:
    return [
        float(limit) for row in multinomial_proportions_confint(given["counts"], 0.05, "sison-glaz") for limit in row
    ]


def our_joint(given: Inputs) -> list[float]:
    return [limit for share in goodman(given["counts"]) for limit in share.bounds]


REFERENCES: dict[str, tuple[Callable[[Inputs], Any], Callable[[Inputs], Any], float]] = {
    "A10": (wald_projection, our_projection, 0.006),
    "A11": (mover_gain, our_gain, 0.002),
    "B09": (
        lambda g: list(proportion_confint(g["x"], g["n"], method="beta")),
        lambda g: wilson(g["x"], g["n"]).bounds,
        0.03,
    ),
    "C11": (mcnemar_asymptotic, lambda g: [mcnemar(g["b"], g["c"]).midp], 0.02),
    "D05": (tango, our_paired, 0.002),
    "D07": (lambda g: wald_paired(g, extra=1), our_paired, 0.002),
    "D08": (wald_paired, our_paired, 0.004),
    "G03": (sison_glaz, our_joint, 0.1),
}
