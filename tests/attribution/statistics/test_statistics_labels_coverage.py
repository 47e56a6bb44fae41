"""Seeded simulations, in small: a wrong formula for labels or judges shows here. docs/simulation has them in full."""

from __future__ import annotations

import pytest

from attribution.statistics.judge_cells import Design
from tests.simulation.judge_worlds import judge_elsewhere, judge_on_a_subset, lax_judge, macro_f1_of, two_judges
from tests.simulation.label_worlds import audit_any_gold, audit_by_label, audit_by_label_and_pass, audit_of_passages
from tests.simulation.trials import World, simulate

# World, draws, and for every interval the least and greatest coverage accepted: three standard errors around what the
# full simulation gives. The last of each is a method that must be seen to fail.
SMALL: list[tuple[World, int, dict[str, tuple[float, float]]]] = [
    (
        audit_by_label(400, 0.85, 0.09, 0, 60),
        300,
        {"recall": (0.91, 0.98), "recall, labels as they are": (0.0, 0.15)},
    ),
    (
        audit_by_label_and_pass(400, 60),
        50,
        {
            "recall": (0.84, 1.0),
            "with gold": (0.87, 1.0),
            "without gold": (0.87, 1.0),
            "projection": (0.87, 1.0),
            "with gold, labels as they are": (0.2, 0.75),
        },
    ),
    (audit_any_gold(400, 120), 30, {"recall": (0.83, 1.0), "with gold": (0.83, 1.0)}),
    (
        audit_of_passages(400, 60),
        300,
        {"passage recall": (0.90, 0.98), "passage recall, labels as they are, passages as draws": (0.1, 0.6)},
    ),
    (judge_on_a_subset(0.47, 0.85, 0.65, 60), 150, {"two-phase": (0.89, 0.99), "judge as truth": (0.0, 0.1)}),
    (
        judge_elsewhere(0.708, 0.9, 0.8, 100),
        150,
        {"Lang-Reiczigel": (0.90, 1.0), "taken for a subset": (0.0, 0.3)},
    ),
    (
        lax_judge(100, Design.subset),
        40,
        {"with gold": (0.84, 1.0), "without gold": (0.84, 1.0), "passed": (0.84, 1.0), "projection": (0.84, 1.0)},
    ),
    (
        lax_judge(200, Design.external),
        40,
        {"with gold": (0.87, 1.0), "without gold": (0.80, 1.0), "passed": (0.82, 1.0), "projection": (0.86, 1.0)},
    ),
    (macro_f1_of(200, (0.6, 0.3, 0.1), (0.85, 0.85, 0.85)), 300, {"macro-F1": (0.90, 0.98), "kappa": (0.90, 0.98)}),
    (
        two_judges(100, 8),
        30,
        {
            "difference in macro-F1, by question": (0.84, 1.0),
            "difference in macro-F1, by item": (0.45, 0.88),
        },
    ),
]


@pytest.mark.parametrize(("world", "draws", "accepted"), SMALL)
def test_intervals_hold_the_truth_about_as_often_as_they_say(
    world: World, draws: int, accepted: dict[str, tuple[float, float]]
) -> None:
    scores = simulate(world, draws, seed=4)
    for name, (least, most) in accepted.items():
        assert least <= scores[name].held <= most, f"{name}: {scores[name]}"


def test_widths_are_those_of_the_design_simulation() -> None:
    """Coverage alone would forgive an interval that is too wide."""
    scores = simulate(audit_by_label(400, 0.58, 0.09, 0, 60), 200, seed=5)
    assert scores["recall"].width == pytest.approx(0.140, abs=0.004)
    scores = simulate(judge_on_a_subset(0.708, 0.9, 0.8, 100), 100, seed=5)
    assert scores["two-phase"].width == pytest.approx(0.142, abs=0.004)
