"""Profiles as `survey.rate` takes them, built from counts by stratum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attribution.statistics.survey import Profiles


@dataclass(frozen=True)
class Rows:
    """Profiles, and the same as keyword arguments."""

    profiles: Profiles

    @property
    def keywords(self) -> dict[str, Any]:
        """Arguments of `rate`."""
        rows = self.profiles
        return {
            "successes": rows.successes,
            "cases": rows.cases,
            "weight": rows.weight,
            "stratum": rows.stratum,
            "multiplicity": rows.multiplicity,
        }


def profiles(rows: Sequence[tuple[int, int, float, int, int]]) -> Rows:
    """Rows of (successes, cases, weight, stratum, multiplicity)."""
    successes, cases, weight, stratum, multiplicity = zip(*rows, strict=True)
    whole = [np.array(column, dtype=np.int64) for column in (successes, cases, stratum, multiplicity)]
    return Rows(Profiles(whole[0], whole[1], np.array(weight, dtype=np.float64), whole[2], whole[3]))


def strata_rows(shares: Sequence[float], n: Sequence[int], x: Sequence[int]) -> Rows:
    """One case a question; a stratum's share of the traffic is spread over its questions."""
    rows = []
    for stratum, (share, size, passed) in enumerate(zip(shares, n, x, strict=True)):
        rows += [(1, 1, share / size, stratum, passed), (0, 1, share / size, stratum, size - passed)]
    return profiles([row for row in rows if row[4] > 0])
