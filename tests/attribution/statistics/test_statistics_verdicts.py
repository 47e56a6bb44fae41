"""How an interval is read against a margin, at the edges and in the mirror; Holm's adjustment."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from attribution.statistics.interval import Interval
from attribution.statistics.verdicts import Direction, Verdict, four_way, holm


def interval(lower: float, upper: float) -> Interval:
    middle = (lower + upper) / 2
    return Interval(n=9, count=None, estimate=middle, lower=lower, upper=upper, level=0.9, method="given")


# lower, upper, two-sided, and what is read at a margin of .1.
READINGS = [
    (-0.05, 0.05, False, ("held", None, None)),
    (-0.05, 0.30, False, ("held", None, None)),
    (-0.05, 0.30, True, ("cannot tell", None, None)),
    (-0.05, 0.05, True, ("held", None, None)),
    (-0.10, 0.00, False, ("cannot tell", None, None)),
    (-0.09, -0.01, False, ("held", "worse", "immaterial")),
    (-0.10, -0.01, False, ("refuted", "worse", "size unresolved")),
    (-0.30, -0.10, False, ("refuted", "worse", "size unresolved")),
    (-0.30, -0.11, False, ("refuted", "worse", "material")),
    (0.01, 0.09, True, ("held", "better", "immaterial")),
    (0.01, 0.10, False, ("refuted", "better", "size unresolved")),
    (0.11, 0.30, False, ("refuted", "better", "material")),
]


@pytest.mark.parametrize(("lower", "upper", "two_sided", "expected"), READINGS)
def test_the_rule_at_its_edges(lower: float, upper: float, two_sided: bool, expected: tuple[Any, ...]) -> None:
    reading = four_way(interval(lower, upper), 0.1, two_sided=two_sided)
    assert (reading.verdict, reading.direction, reading.resolved) == expected


LIMITS = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted)
MARGIN = st.floats(1e-6, 1.0)


@given(LIMITS, st.tuples(MARGIN, MARGIN).map(sorted), st.booleans())
def test_a_narrower_margin_never_turns_refuted_into_held(
    limits: list[float], margins: list[float], two_sided: bool
) -> None:
    narrow, wide = (four_way(interval(*limits), margin, two_sided=two_sided).verdict for margin in margins)
    assert not (wide is Verdict.refuted and narrow is Verdict.held)
    assert not (wide is Verdict.cannot_tell and narrow is Verdict.held)


@given(LIMITS, MARGIN)
def test_upwards_is_downwards_in_the_mirror(limits: list[float], margin: float) -> None:
    lower, upper = limits
    one, other = (four_way(interval(*each), margin, two_sided=True) for each in ((lower, upper), (-upper, -lower)))
    mirror = {None: None, Direction.worse: Direction.better, Direction.better: Direction.worse}
    assert (one.verdict, one.resolved) == (other.verdict, other.resolved)
    assert one.direction is mirror[other.direction]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=8))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    assert list(holm(p_values)) == pytest.approx(list(multipletests(p_values, method="holm")[1]), abs=1e-15)


def test_contradictions_are_refused() -> None:
    with pytest.raises(ValueError, match="margin"):
        four_way(interval(-0.1, 0.1), 0.0)
    with pytest.raises(ValueError, match="p-values"):
        holm([0.1, 1.2])
