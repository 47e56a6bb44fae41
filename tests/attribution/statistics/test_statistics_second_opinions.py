"""The same quantities from statsmodels and scipy, over a spread of counts."""

from __future__ import annotations

from itertools import product

import pytest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.proportion import (
    confint_proportions_2indep,
    proportion_confint,
    samplesize_proportions_2indep_onetail,
)

from attribution.statistics.design import unpaired_detectable, unpaired_size
from attribution.statistics.differences import mcnemar
from attribution.statistics.interval import critical_value
from attribution.statistics.proportions import goodman, jeffreys, leader_test, newcombe, wilson

COUNTS = [(count, n) for n in (1, 2, 7, 40, 401) for count in sorted({0, 1, n // 3, n // 2, n - 1, n})]
LEVELS = (0.8, 0.9, 0.95, 0.99)


@pytest.mark.parametrize(("count", "n"), COUNTS)
@pytest.mark.parametrize("level", LEVELS)
def test_wilson(count: int, n: int, level: float) -> None:
    expected = proportion_confint(count, n, alpha=1 - level, method="wilson")
    assert wilson(count, n, level=level).bounds == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("count", "n"), COUNTS)
def test_jeffreys_but_for_the_ends(count: int, n: int) -> None:
    expected = proportion_confint(count, n, method="jeffreys")
    for at, forced in ((0, count == 0), (1, count == n)):
        found = jeffreys(count, n).bounds[at]
        assert found == (float(at) if forced else pytest.approx(expected[at], abs=1e-12))


def test_goodman_is_wilson_at_a_stricter_level() -> None:
    counts = [60, 20, 9, 28, 0]
    for count, share in zip(counts, goodman(counts, level=0.9), strict=True):
        assert share.bounds == pytest.approx(proportion_confint(count, 117, alpha=0.1 / 5, method="wilson"))
        assert share.level == 0.9


@pytest.mark.parametrize(("first", "second"), list(product([(0, 5), (3, 7), (56, 70), (9, 9)], repeat=2)))
def test_newcombe(first: tuple[int, int], second: tuple[int, int]) -> None:
    expected = confint_proportions_2indep(*first, *second, method="newcomb", compare="diff")
    assert newcombe(*first, *second).bounds == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("b", "c"), [(0, 1), (1, 0), (11, 6), (6, 11), (5, 5), (40, 2), (300, 260)])
def test_mcnemar_exact_and_leader_test(b: int, c: int) -> None:
    expected = float(statsmodels_mcnemar([[0, b], [c, 0]], exact=True).pvalue)
    assert mcnemar(b, c).exact == pytest.approx(expected, abs=1e-12)
    assert leader_test(b, c) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("b", "c"), [(0, 1), (11, 6), (5, 5), (40, 2)])
def test_midp_takes_half_the_observed_table_off_each_tail(b: int, c: int) -> None:
    from scipy.stats import binom

    pmf = binom.pmf(range(b + c + 1), b + c, 0.5)
    more_extreme = sum(p for k, p in enumerate(pmf) if abs(2 * k - b - c) > abs(b - c))
    as_extreme = sum(p for k, p in enumerate(pmf) if abs(2 * k - b - c) == abs(b - c))
    assert mcnemar(b, c).midp == pytest.approx(more_extreme + as_extreme / 2, abs=1e-12)


@pytest.mark.parametrize("rate", [0.05, 0.5, 0.75])
@pytest.mark.parametrize("change", [0.02, 0.05, 0.2])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_unpaired_size(rate: float, change: float, power: float) -> None:
    expected = samplesize_proportions_2indep_onetail(change, rate, power, ratio=1, alpha=0.05)
    assert unpaired_size(rate, change, power=power) == pytest.approx(expected, abs=0.5)


def test_detectable_change_inverts_the_sample_size() -> None:
    point = unpaired_detectable(400, 0.75)
    assert point.estimate is not None
    assert unpaired_size(0.75, point.estimate) == pytest.approx(400, abs=1e-6)


@pytest.mark.parametrize("level", LEVELS)
def test_critical_value(level: float) -> None:
    from scipy.stats import norm

    assert critical_value(level) == pytest.approx(norm.ppf((1 + level) / 2), abs=1e-13)
