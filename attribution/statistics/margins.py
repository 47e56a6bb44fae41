"""Margins from one budget of error, and whether a claim with such a margin is worth sealing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from attribution.statistics.claim_power import likeness_chances
from attribution.statistics.power import smallest_confirmable_slice, unconfirmable_margin
from attribution.statistics.projection import check_share

# A claim that, being true, is more likely than not to end undecided is not worth sealing.
LEAST_POWER = 0.5


class Refusal(StrEnum):
    """Why a margin is not sealed."""

    underpowered = "too few questions to hold the claim more often than not, if it is true"
    never = "too narrow to be held more often than not, however many questions are recovered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """How far each claim may be off before the forecast as a whole is off by its budget.

    Attributes:
        aggregate: of the pass rate, the budget itself.
        recovered: of the recovered questions' pass rate; None where none are expected.
        retained: of the retained questions' pass rate; None where none are.
        selection: of the gap between still missing and recovered, before; None where either is empty.
    """

    aggregate: float
    recovered: float | None
    retained: float | None
    selection: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginCheck:
    """Whether a margin may be sealed.

    Attributes:
        margin: the margin.
        power: probability of holding the claim if it is true.
        refusal: why not, None where it may.
        needed: recovered questions with which it might, where that would help.
    """

    margin: float
    power: float
    refusal: Refusal | None
    needed: int | None = None


def margins_from_budget(error: float, *, recovered: float, retained: float, still_missing: float) -> Margins:
    """Margins with which each claim alone, at its worst, moves the pass rate by the budget.

    A slice moves the pass rate by its share times its own error. A gap between those still missing and those
    recovered moves the rate without gold away from both, by the product of their shares over the sum.

    Args:
        error: budget, above 0, on the scale of a pass rate: half the forecast gain, or the gain less the least
            that is worth it.
        recovered: share of questions expected to be recovered.
        retained: share expected to be retained.
        still_missing: share expected to be still missing.

    Returns:
        One margin a claim. A margin of 1 or more cannot be exceeded.

    Raises:
        ValueError: error is not above 0, or a share lies outside 0 to 1.

    >>> margins = margins_from_budget(0.04, recovered=0.27, retained=0.58, still_missing=0.15)
    >>> round(margins.recovered, 3), round(margins.retained, 3), round(margins.selection, 3)
    (0.148, 0.069, 0.415)
    """
    if not error > 0.0:
        msg = f"the budget must be above 0, not {error}"
        raise ValueError(msg)
    for name, share in (("recovered", recovered), ("retained", retained), ("still_missing", still_missing)):
        check_share(share, name)
    both = recovered * still_missing
    return Margins(
        aggregate=error,
        recovered=error / recovered if recovered else None,
        retained=error / retained if retained else None,
        selection=error * (recovered + still_missing) / both if both else None,
    )


def check_recovered(recovered: int, n1: int, rate: float, margin: float) -> MarginCheck:
    """Whether likeness of the recovered questions can be sealed with this margin.

    Args:
        recovered: questions expected to be recovered, at least 1; effective number where they hang together.
        n1: questions with gold found today, likewise.
        rate: their pass rate, 0 to 1.
        margin: shortfall that counts as none, above 0.

    Returns:
        The power, and a refusal where it is below one half.

    Raises:
        ValueError: there are no questions, the margin is not above 0, or rate lies outside 0 to 1.

    References:
        Newcombe (1998, unpaired differences, method 10).

    >>> found = check_recovered(40, 232, 0.88, 0.1)
    >>> round(found.power, 2), found.refusal.name, found.needed
    (0.44, 'underpowered', 47)
    >>> check_recovered(400, 232, 0.88, 0.03).refusal.name
    'never'
    """
    power = likeness_chances(recovered, rate, n1, rate, margin).held
    if power >= LEAST_POWER:
        return MarginCheck(margin=margin, power=power, refusal=None)
    if margin <= unconfirmable_margin(n1, rate, power=LEAST_POWER):
        return MarginCheck(margin=margin, power=power, refusal=Refusal.never)
    needed = smallest_confirmable_slice(n1, rate, margin, power=LEAST_POWER)
    return MarginCheck(margin=margin, power=power, refusal=Refusal.underpowered, needed=needed)


def check_power(margin: float, power: float) -> MarginCheck:
    """Whether any other claim can be sealed, from its power.

    Args:
        margin: its margin.
        power: probability of holding it if it is true.

    Returns:
        The power, and a refusal where it is below one half.

    Raises:
        ValueError: power lies outside 0 to 1.

    >>> check_power(0.02, 0.31).refusal.name
    'underpowered'
    """
    check_share(power, "power")
    return MarginCheck(margin=margin, power=power, refusal=None if power >= LEAST_POWER else Refusal.underpowered)
