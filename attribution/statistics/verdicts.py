"""How one interval is read against a margin, and how p-values of several claims are adjusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from attribution.statistics.interval import Interval


class Verdict(StrEnum):
    """What became of a claim, or of a forecast."""

    held = "held"
    refuted = "refuted"
    cannot_tell = "cannot tell"
    not_tested = "not tested"


class Direction(StrEnum):
    """On which side of the claim things came out."""

    worse = "worse"
    better = "better"


class Resolved(StrEnum):
    """What is known of the size of a difference that is there."""

    material = "material"
    unresolved = "size unresolved"
    immaterial = "immaterial"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one interval says about one margin, before anything else that was tested is looked at.

    Attributes:
        verdict: held, refuted, or cannot tell.
        direction: the side on which a difference is shown, None where none is.
        resolved: whether that difference is beyond the margin, within it, or either; None where none is shown.
    """

    verdict: Verdict
    direction: Direction | None = None
    resolved: Resolved | None = None


def four_way(observed: Interval, margin: float, *, two_sided: bool = False) -> Reading:
    """Read one interval of realised less claimed against a margin.

    No draw of its own: it is as good as the interval. Do not take its `refuted` for a verdict where several
    claims are tested: `verify` adjusts for that.

    Args:
        observed: realised less claimed, negative where things came out worse; at level .9 each side errs at .05.
        margin: distance that counts as none, above 0.
        two_sided: held only where a surplus is ruled out as well as a shortfall.

    Returns:
        The reading. A difference that is shown but lies within the margin is held, and said to be immaterial.

    Raises:
        ValueError: margin is not above 0, or the interval has no limits.

    References:
        Schuirmann (1987); Wellek (2010); Goeman, Solari & Stijnen (2010).

    >>> from attribution.statistics.proportions import newcombe
    >>> reading = four_way(newcombe(90, 112, 204, 232, level=0.9), 0.1)
    >>> reading.verdict.value, reading.direction.value, reading.resolved.value
    ('refuted', 'worse', 'size unresolved')
    """
    if not margin > 0.0:
        msg = f"a margin must be above 0, not {margin}"
        raise ValueError(msg)
    lower, upper = observed.bounds
    direction = Direction.worse if upper < 0.0 else Direction.better if lower > 0.0 else None
    within = lower > -margin, upper < margin
    if direction is not None:
        # How far the interval reaches on the side of the difference, and how near.
        far, near = (-lower, -upper) if direction is Direction.worse else (upper, lower)
        if near > margin:
            return Reading(verdict=Verdict.refuted, direction=direction, resolved=Resolved.material)
        if far >= margin:
            return Reading(verdict=Verdict.refuted, direction=direction, resolved=Resolved.unresolved)
        return Reading(verdict=Verdict.held, direction=direction, resolved=Resolved.immaterial)
    held = all(within) if two_sided else within[0]
    return Reading(verdict=Verdict.held if held else Verdict.cannot_tell)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values adjusted so that those below a level are false at most that often, all taken together.

    No assumption on how the tests hang together.

    Args:
        p_values: one a hypothesis, 0 to 1.

    Returns:
        Adjusted values in the same order, never below the given ones, at most 1.

    Raises:
        ValueError: a p-value lies outside 0 to 1.

    References:
        Holm (1979).

    >>> [round(p, 4) for p in holm([0.01, 0.04, 0.03, 0.2])]
    [0.04, 0.09, 0.09, 0.2]
    """
    if any(not 0.0 <= p <= 1.0 for p in p_values):
        msg = f"p-values lie between 0 and 1: {p_values}"
        raise ValueError(msg)
    adjusted, least = [1.0] * len(p_values), 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = least
    return tuple(adjusted)
