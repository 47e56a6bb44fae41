"""How to hand out a set of questions over intents, and what a sample is likely to miss."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence

from attribution.statistics.projection import check_share


def allocate(volumes: Sequence[float], n: int, *, floor: int) -> tuple[int, ...]:
    """Questions for each intent: a floor for every one, and the remainder in proportion to traffic.

    The floor comes on top of the proportional part, it is not the larger of the two. Fractions go to the
    largest remainders, ties to the earlier intent.

    Args:
        volumes: traffic of each intent, not negative, not all 0.
        n: questions to hand out.
        floor: questions every intent gets.

    Returns:
        Questions for each intent, summing to n.

    Raises:
        ValueError: a volume is negative, all are 0, or n is below the sum of the floors.

    References:
        Balinski & Young (2001), for Hamilton's method.

    >>> allocate([5000, 2500, 1250, 600, 400, 150, 70, 30], 300, floor=15)
    (105, 60, 37, 26, 22, 18, 16, 16)
    """
    n, floor = operator.index(n), operator.index(floor)
    traffic = math.fsum(volumes)
    if min(volumes, default=-1.0) < 0.0 or not traffic > 0.0:
        raise ValueError("volumes must not be negative, and some must be above 0")
    spare = n - floor * len(volumes)
    if floor < 0 or spare < 0:
        msg = f"{n} questions do not give {len(volumes)} intents {floor} each"
        raise ValueError(msg)
    quotas = [spare * volume / traffic for volume in volumes]
    whole = [math.floor(quota) for quota in quotas]
    by_remainder = sorted(range(len(quotas)), key=lambda at: (whole[at] - quotas[at], at))
    favoured = set(by_remainder[: spare - sum(whole)])
    return tuple(floor + part + (at in favoured) for at, part in enumerate(whole))


def miss_probability(share: float, draws: int) -> float:
    """Chance that independent draws show nothing of a class that has this share.

    Args:
        share: share of the class, 0 to 1.
        draws: draws with replacement, or from a population far larger than they are; not negative.

    Returns:
        A probability.

    Raises:
        ValueError: share lies outside 0 to 1, or draws is negative.

    References:
        Hanley & Lippman-Hand (1983).

    >>> round(miss_probability(0.1, 8), 4)
    0.4305
    """
    check_share(share, "share")
    if operator.index(draws) < 0:
        msg = f"draws cannot be negative: {draws}"
        raise ValueError(msg)
    return float((1.0 - share) ** draws)


def miss_probability_finite(population: int, members: int, draws: int) -> float:
    """Chance that draws without replacement show nothing of a class.

    Args:
        population: items to draw from.
        members: items of the class among them.
        draws: items drawn.

    Returns:
        A probability, exact up to the final division.

    Raises:
        ValueError: members or draws are negative or above population.

    References:
        Feller (1968), the hypergeometric distribution.

    >>> round(miss_probability_finite(200, 20, 8), 4)
    0.4236
    """
    if not (0 <= members <= population and 0 <= draws <= population):
        msg = f"{members} members and {draws} draws do not fit into a population of {population}"
        raise ValueError(msg)
    return math.comb(population - members, draws) / math.comb(population, draws)


def largest_unseen_share(draws: int, *, level: float = 0.95) -> float:
    """Largest share of a class that could still have gone unseen: the exact form of the rule of three.

    One draw is one question. Do not trust it for draws that hang together, such as repeats of a question.

    Args:
        draws: independent draws of which none showed the class, at least 1.
        level: one-sided confidence level.

    Returns:
        Upper limit of the share.

    Raises:
        ValueError: draws is below 1, or the level is not strictly between 0 and 1.

    References:
        Hanley & Lippman-Hand (1983).

    >>> round(largest_unseen_share(228), 5)
    0.01305
    """
    if operator.index(draws) < 1:
        msg = f"at least one draw is needed, not {draws}"
        raise ValueError(msg)
    if not 0.0 < level < 1.0:
        msg = f"level must lie strictly between 0 and 1, not {level}"
        raise ValueError(msg)
    return -math.expm1(math.log1p(-level) / draws)
