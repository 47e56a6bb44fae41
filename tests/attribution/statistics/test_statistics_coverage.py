"""Seeded simulations, in small: a wrong formula for a projection or a rate shows. docs/simulation has them in full."""

from __future__ import annotations

import pytest

from tests.simulation.projection import CHOSEN
from tests.simulation.projection_worlds import Rates, again, fresh, gained, measured, needed, ranged, stated
from tests.simulation.survey_worlds import KINDS, by_intent, repeated
from tests.simulation.trials import World, simulate

Accepted = dict[str, tuple[float, float]]

# World, draws, and for every interval the least and greatest coverage accepted: three standard errors around what the
# full simulation gives. The last of each is a method that must be seen to fail.
SMALL: dict[str, tuple[World, int, Accepted]] = {
    # Here methods that rest on the observed variance collapse.
    "stated, hardly a failure": (
        stated(40, Rates(0.58, 0.85, 0.98, 0.02)),
        3000,
        {"stated": (0.94, 0.99), "delta method": (0.0, 0.6)},
    ),
    "stated, equal slopes": (stated(100, Rates(0.85, 0.95, 0.70, 0.60)), 3000, {"stated": (0.935, 0.970)}),
    "stated, near today": (stated(300, Rates(0.58, 0.60)), 3000, {"stated": (0.935, 0.965)}),
    "measured": (
        measured(200, Rates(0.3, 0.6, 0.95, 0.10)),
        2000,
        {"measured": (0.935, 0.970), "taken as known": (0.0, 0.85)},
    ),
    "range": (
        ranged(100, Rates()),
        1000,
        {"middle": (0.98, 1.0), "low end": (0.945, 0.985), "high end": (0.945, 0.985)},
    ),
    "recall needed": (needed(400, Rates()), 600, {"recall needed": (0.92, 0.98)}),
    "gain": (
        gained(100, Rates(0.58, 0.60)),
        60,
        {"gain": (0.86, 1.0), "projection less today's rate": (0.999, 1.0)},
    ),
    "fresh questions": (
        fresh(400, 400, Rates()),
        2000,
        {"fresh": (0.935, 0.970), "projection's limits": (0.0, 0.90)},
    ),
    "same questions, none flips": (again(400, 0.0, Rates()), 2000, {"same": (0.93, 0.97)}),
    "same questions, 10% flip": (
        again(400, 0.10, Rates()),
        2000,
        {"same": (0.91, 0.97), "flips left out": (0.0, 0.86)},
    ),
    "same questions, recall falls": (again(400, 0.05, Rates(0.85, 0.58)), 2000, {"same": (0.93, 0.97)}),
    "twelve intents": (
        by_intent(300, KINDS["falling along the tail"]),
        600,
        {
            "projection": (0.92, 0.98),
            "standardised": (0.92, 0.99),
            "with gold": (0.92, 0.98),
            "without gold": (0.92, 0.98),
            "pass rate": (0.92, 0.98),
            "pass rate, weights and repeats ignored": (0.0, 0.7),
        },
    ),
    "three answers a question": (
        repeated(40, 3),
        1500,
        {
            "projection": (0.92, 0.97),
            "pass rate": (0.93, 0.965),
            "with gold": (0.91, 0.965),
            "pass rate, answers as draws": (0.0, 0.90),
        },
    ),
    "intents and answers": (
        by_intent(400, KINDS["falling along the tail"], answers=3, spread=2.0),
        600,
        {"projection": (0.92, 0.98), "pass rate": (0.92, 0.98), "with gold": (0.92, 0.98)},
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_intervals_hold_the_truth_about_as_often_as_they_say(name: str) -> None:
    world, draws, accepted = SMALL[name]
    scores = simulate(world, draws, seed=7)
    for interval, (least, most) in accepted.items():
        assert least <= scores[interval].held <= most, f"{interval}: {scores[interval]}"


@pytest.mark.parametrize(("place", "chosen"), CHOSEN.items())
def test_the_projection_is_the_one_that_was_chosen(place: tuple[int, float], chosen: tuple[float, float]) -> None:
    """Coverage within three standard errors of both simulations, and the same width: coverage alone forgives excess."""
    n, recall = place
    score = simulate(stated(n, Rates(recall, 0.95 if recall == 0.85 else 0.85)), 1500, seed=8)["stated"]
    assert score.held == pytest.approx(chosen[0], abs=0.018)
    assert score.width == pytest.approx(chosen[1], abs=0.002)
