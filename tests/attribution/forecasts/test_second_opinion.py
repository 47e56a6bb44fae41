"""Verdicts and the split of the error against plain formulas, written without the package's statistics."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from pathlib import Path

import pytest

from attribution.forecasts.verify import verify
from attribution.results import VerdictFound
from tests.attribution.forecasts.made import Kind, after_of, before_of, of, sealed, store_before
from tests.attribution.made_runs import add_run

Z = 1.6448536269514722  # two-sided 90%


def wilson(x: int, n: int) -> tuple[float, float]:
    p, z = x / n, Z * Z
    middle, half = (p + z / (2 * n)) / (1 + z / n), Z * math.sqrt(p * (1 - p) / n + z / (4 * n * n)) / (1 + z / n)
    return middle - half, middle + half


def apart(x1: int, n1: int, x2: int, n2: int) -> tuple[float, float, float]:
    """Difference of two rates with Newcombe's limits."""
    (p1, p2), (l1, u1), (l2, u2) = (x1 / n1, x2 / n2), wilson(x1, n1), wilson(x2, n2)
    gap = p1 - p2
    return gap, gap - math.hypot(p1 - l1, u2 - p2), gap + math.hypot(u1 - p1, p2 - l2)


def drawn(seed: int) -> list[Kind]:
    chance = random.Random(seed)
    n, shift = chance.choice([60, 120, 300]), chance.choice([-0.3, -0.1, 0.0, 0.2])
    kinds = []
    for _ in range(n):
        gold, later = chance.random() < 0.6, chance.random() < 0.8
        passed = chance.random() < (0.8 if gold else 0.3)
        passes = chance.random() < (0.8 + shift * (chance.random() < 0.5) if later else 0.3)
        kinds.append((int(gold), int(later), int(passed), int(passes)))
    return kinds


@pytest.mark.parametrize("seed", range(14))
def test_plain_formulas_say_the_same(tmp_path: Path, seed: int) -> None:
    kinds = drawn(seed)
    n, target = len(kinds), random.Random(seed + 100).uniform(0.75, 0.95)
    with store_before(tmp_path, before_of(kinds)) as store:
        forecast = sealed(store, recall=target).forecast
        add_run(store, tmp_path, after_of(kinds), run="after")
        found = verify(store, "f", "after")

    with_gold = [k for k in kinds if k[0]]
    without = [k for k in kinds if not k[0]]
    p1, p0 = (Fraction(sum(k[2] for k in group), len(group)) for group in (with_gold, without))
    exact = Fraction(target)
    predicted = exact * p1 + (1 - exact) * p0
    cells = {
        "retained": [k for k in kinds if k[0] and k[1]],
        "recovered": [k for k in kinds if not k[0] and k[1]],
        "lost": [k for k in kinds if k[0] and not k[1]],
        "still_missing": [k for k in kinds if not k[0] and not k[1]],
    }
    claimed = {"retained": p1, "recovered": p1, "lost": p0, "still_missing": p0}
    terms = {name: sum((k[3] - claimed[name] for k in cell), Fraction(0)) / n for name, cell in cells.items()}
    terms["recall"] = (Fraction(sum(k[1] for k in kinds), n) - exact) * (p1 - p0)
    total = Fraction(sum(k[3] for k in kinds), n) - predicted
    assert sum(terms.values()) == total
    assert found.error.total == pytest.approx(float(total), abs=1e-14)
    assert found.error.terms.to_dict() == pytest.approx({k: float(v) for k, v in terms.items()}, abs=1e-14)
    assert found.cells == {name: len(cell) for name, cell in cells.items()}

    freed = cells["recovered"]
    gap, low, high = apart(sum(k[3] for k in freed), len(freed), sum(k[2] for k in with_gold), len(with_gold))
    check_claim(found, "recovered", gap, low, high, forecast.budget / (target - len(with_gold) / n), len(freed), 20)
    stuck = cells["still_missing"]
    gap, low, high = apart(sum(k[2] for k in stuck), len(stuck), sum(k[2] for k in freed), len(freed))
    selection = of(found, "selection").observed
    assert selection is not None
    assert (selection.estimate, selection.lower, selection.upper) == pytest.approx((gap, low, high), abs=1e-9)
    refuted = any(each.verdict == "refuted" for each in found.falsifiers)
    gates = all(of(found, name).verdict == "held" for name in ("recovered", "retained"))
    held = gates and abs(total) <= forecast.budget
    assert found.verdict == ("refuted" if refuted else "held" if held else "cannot tell")


def check_claim(
    found: VerdictFound, name: str, gap: float, low: float, high: float, margin: float, size: int, least: int
) -> None:
    """The four-way rule, and Holm for what would refute."""
    claim = of(found, name)
    assert claim.margin == pytest.approx(margin)
    assert claim.observed is not None
    assert (claim.observed.estimate, claim.observed.lower, claim.observed.upper) == pytest.approx(
        (gap, low, high), abs=1e-9
    )
    material = high < -margin or low > margin
    shown = (high < 0 and low <= -margin) or (low > 0 and high >= margin) or material
    holm = claim.p_holm is not None and claim.p_holm <= 0.05
    if size < least and not material:
        expected = "cannot tell"
    elif shown and holm:
        expected = "refuted"
    elif low > -margin:  # no worse; a surplus that does not count among all claims leaves it there
        expected = "held"
    else:
        expected = "cannot tell"
    assert claim.verdict == expected, (low, high, margin, claim.p_holm)
