"""What a run says about the claims of a forecast: held, refuted, or cannot tell; for each claim and for all."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from attribution.statistics.claims import Arithmetic, Claim, Reason, Untested
from attribution.statistics.interval import Interval
from attribution.statistics.verdicts import Direction, Reading, Resolved, Verdict, four_way, holm

# One-sided level of every test: its limits are those of the two-sided 90% interval.
ALPHA = 0.05
# A p-value is not told apart from anything smaller than this.
SMALLEST_P = 1e-12
# More than so many times the questions is no longer a size that someone would ask for.
LARGEST_GROWTH = 1e4


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The verdict on one claim.

    Attributes:
        name: the claim.
        verdict: what became of it.
        direction: the side on which a difference was shown, None where none was.
        resolved: whether that difference is beyond the margin, within it, or either; None where none was shown.
        reason: why it was not tested or cannot be told.
        margin: shortfall, or surplus, that counts as none.
        observed: realised less claimed with limits at level .9; None where not tested.
        p: one-sided p-value of no difference, on the side it points to; None where nothing was tested.
        p_holm: the same after Holm's adjustment over both sides of every claim tested.
        power: probability of holding the claim if it is true, as reckoned beforehand.
        growth: with so many times the questions, at these rates, the claim would have been decided; None where
            it was, or where no number would do.
        gates: the forecast holds only if this claim does.
    """

    name: str
    verdict: Verdict
    direction: Direction | None = None
    resolved: Resolved | None = None
    reason: Reason | None = None
    margin: float
    observed: Interval | None = None
    p: float | None = None
    p_holm: float | None = None
    power: float | None = None
    growth: float | None = None
    gates: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The verdict on a forecast.

    Attributes:
        verdict: refuted if any claim is; held if every claim that gates held; otherwise cannot tell.
        rulings: one a claim, in the order given.
        hypotheses: number of one-sided tests that Holm's adjustment is over.
    """

    verdict: Verdict
    rulings: tuple[Ruling, ...]
    hypotheses: int


def verify(claims: Sequence[Claim | Arithmetic | Untested], *, alpha: float = ALPHA) -> Verification:
    """Judge the claims of a forecast against the run that came after.

    With [L, U] the 90% interval of realised less claimed and d the margin: held where L > -d (and U < d if the
    claim is two-sided), refuted where U < 0 without being held, and likewise upwards where L > 0 and U >= d: a
    slice that did better than claimed refutes the mechanism as well. A slice of few questions is only judged
    where all of [L, U] lies beyond the margin. A refutation must survive Holm's adjustment over both sides of every
    claim tested; what holds needs none, for every claim that gates must hold. Do not trust it for claims
    made after seeing the run.

    Args:
        claims: the claims, from `falsifiers` and `retained`; at most one of each name.
        alpha: probability of refuting any claim if all are true, before the discreteness of counts.

    Returns:
        The verdicts. Where every claim is untested, so is the forecast.

    Raises:
        ValueError: alpha is not strictly between 0 and 1/2.

    References:
        Schuirmann (1987); Wellek (2010); Goeman, Solari & Stijnen (2010), for judging both sides and the middle;
        Holm (1979); Berger (1982), for what must hold together.

    >>> from attribution.statistics.falsifiers import recovered_as_found
    >>> from attribution.statistics.proportions import wilson
    >>> from attribution.statistics.retained import retained_undisturbed
    >>> found = verify([
    ...     recovered_as_found(wilson(90, 112), wilson(204, 232), margin=0.148),
    ...     retained_undisturbed(190, 11, 6, 21, margin=0.069),
    ... ])
    >>> found.verdict.value, [ruling.verdict.value for ruling in found.rulings]
    ('cannot tell', ['cannot tell', 'held'])
    >>> found.rulings[0].reason.value, round(found.rulings[0].p, 3), round(found.rulings[0].p_holm, 3)
    ('a difference by itself, but not among all the claims tested', 0.031, 0.124)
    """
    if not 0.0 < alpha < 0.5:
        msg = f"alpha must lie strictly between 0 and 1/2, not {alpha}"
        raise ValueError(msg)
    sides = [_one_sided(claim, alpha) if isinstance(claim, Claim) else () for claim in claims]
    p_values = [p for pair in sides for p in pair]
    adjusted = iter(holm(p_values))
    rulings = []
    for claim, pair in zip(claims, sides, strict=True):
        if isinstance(claim, Claim):
            # The side that the estimate points to has the smaller of both, before and after the adjustment.
            p, p_holm = min(pair), min(next(adjusted), next(adjusted))
            rulings.append(_tested(claim, p, p_holm, alpha, len(p_values)))
        elif isinstance(claim, Arithmetic):
            rulings.append(_compared(claim))
        else:
            rulings.append(
                Ruling(
                    name=claim.name,
                    verdict=Verdict.not_tested,
                    reason=claim.reason,
                    margin=claim.margin,
                    gates=claim.gates,
                )
            )
    return Verification(verdict=_overall(rulings), rulings=tuple(rulings), hypotheses=len(p_values))


def _tested(claim: Claim, p: float, p_holm: float, alpha: float, hypotheses: int) -> Ruling:
    """The verdict on one claim among all that were tested."""
    observed = claim.gap(1.0 - 2.0 * alpha, 1.0)
    reading, reason = four_way(observed, claim.margin, two_sided=claim.two_sided), None
    if reading.verdict is Verdict.refuted and p_holm > alpha:
        # A surplus that does not count among all the claims leaves a one-sided claim where it was: no worse.
        stands = reading.direction is Direction.better and not claim.two_sided
        reading = Reading(verdict=Verdict.held if stands else Verdict.cannot_tell)
        reason = None if stands else Reason.together
    elif reading.verdict is Verdict.cannot_tell:
        reason = Reason.wide
    if claim.size < claim.least and reading.resolved is not Resolved.material:
        reading, reason = Reading(verdict=Verdict.cannot_tell), Reason.few
    undecided = reading.verdict is Verdict.cannot_tell
    return Ruling(
        name=claim.name,
        verdict=reading.verdict,
        direction=reading.direction,
        resolved=reading.resolved,
        reason=reason,
        margin=claim.margin,
        observed=observed,
        p=p,
        p_holm=p_holm,
        power=claim.power,
        growth=_growth(claim, alpha, hypotheses) if undecided else None,
        gates=claim.gates,
    )


def _compared(claim: Arithmetic) -> Ruling:
    gap = claim.claimed - claim.realised if claim.lower_is_better else claim.realised - claim.claimed
    # A distance equal to the tolerance but for rounding is within it.
    off = abs(gap) > claim.tolerance * (1.0 + 1e-9) + 1e-12
    side = Direction.worse if gap < 0.0 else Direction.better
    return Ruling(
        name=claim.name,
        verdict=Verdict.refuted if off else Verdict.held,
        direction=side if off else None,
        resolved=Resolved.material if off else None,
        margin=claim.tolerance,
        observed=Interval(
            n=claim.questions, count=None, estimate=gap, lower=gap, upper=gap, level=1.0, method="arithmetic"
        ),
    )


def _overall(rulings: Sequence[Ruling]) -> Verdict:
    verdicts = {ruling.verdict for ruling in rulings}
    if Verdict.refuted in verdicts:
        return Verdict.refuted
    if verdicts <= {Verdict.not_tested}:
        return Verdict.not_tested
    deciding = {ruling.verdict for ruling in rulings if ruling.gates}
    return Verdict.held if deciding == {Verdict.held} else Verdict.cannot_tell


def _one_sided(claim: Claim, alpha: float) -> tuple[float, float]:
    """One-sided p-values of no difference, against worse and against better.

    Each is the level at which the limit of the verdict's own interval touches 0, found between levels of which
    alpha is one: so p is below alpha exactly where the verdict sees a difference. Bisection and not a faster
    root finder, because a limit can stay at 0 over a range of levels.
    """
    estimate = claim.gap(1.0 - 2.0 * alpha, 1.0).estimate
    if not estimate:
        return 0.5, 0.5

    def shown(p: float) -> bool:
        lower, upper = claim.gap(1.0 - 2.0 * p, 1.0).bounds
        return upper < 0.0 or lower > 0.0

    low, high = (SMALLEST_P, alpha) if shown(alpha) else (alpha, 0.5)
    p = low if shown(low) else _boundary(shown, low, high)
    return (p, 1.0 - p) if estimate < 0.0 else (1.0 - p, p)


def _growth(claim: Claim, alpha: float, hypotheses: int) -> float | None:
    """How many times the questions would have decided the claim, at the rates seen."""

    def decided(growth: float) -> bool:
        reading = four_way(claim.gap(1.0 - 2.0 * alpha, growth), claim.margin, two_sided=claim.two_sided)
        if reading.verdict is not Verdict.refuted:
            return reading.verdict is Verdict.held
        # Holm asks no claim for more than its share of alpha if it were the only one to fail.
        lower, upper = claim.gap(1.0 - 2.0 * alpha / hypotheses, growth).bounds
        return upper < 0.0 or lower > 0.0

    enough = max(1.0, claim.least / claim.size)
    if decided(enough):
        return enough
    growth = 2.0 * enough
    while growth <= LARGEST_GROWTH:
        if decided(growth):
            return _boundary(decided, growth / 2.0, growth, ratio=1.001)
        growth *= 2.0
    return None


def _boundary(holds: Callable[[float], bool], low: float, high: float, ratio: float = 1.0 + 1e-11) -> float:
    """Least number, to a ratio, at which something holds that does not at `low` and does at `high`."""
    while high > low * ratio:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
