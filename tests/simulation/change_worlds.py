"""Two runs of which the truth is known, drawn again and again: how often intervals hold and verdicts err.

Everything is seeded. `tests.simulation.change` prints tables of it; the ordinary tests take fewer repetitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attribution.statistics.cancellation import cancellation, contribution_limits
from attribution.statistics.composition import funnel_pass, shapley
from attribution.statistics.decomposition import forecast_error, observed_change
from attribution.statistics.falsifiers import (
    aggregate_as_forecast,
    missing_as_recovered,
    recovered_as_found,
)
from attribution.statistics.margins import margins_from_budget
from attribution.statistics.paired_means import paired_mean
from attribution.statistics.part_limits import funnel_split
from attribution.statistics.proportions import wilson
from attribution.statistics.retained import retained_undisturbed, retained_undisturbed_means
from attribution.statistics.term_limits import change_limits, error_limits
from attribution.statistics.terms import ChangeTerms, ErrorTerms
from attribution.statistics.verdicts import Verdict
from attribution.statistics.verification import verify
from tests.attribution.statistics.change_tables import EXAMPLE, masses, table_of

Floats = NDArray[np.float64]

P1, P0 = 0.88, 0.47
RECALL, RECOVERED = 0.58, 0.27


@dataclass(frozen=True)
class World:
    """What is true of a fix whose forecast is judged.

    The forecast holds in it where both shortfalls are 0.
    """

    n: int = 400
    recovered_short: float = 0.0
    retained_short: float = 0.0
    budget: float = 0.04
    churn: float = 0.03


def flipped(
    random: np.random.Generator, passed: int, failed: int, rate: float, churn: float, short: float
) -> list[int]:
    """Both, before only, after only, neither: as many flips either way on average, but for a true shortfall."""
    falls = int(random.binomial(passed, min(1.0, (churn / 2 + short) / rate)))
    rises = int(random.binomial(failed, churn / 2 / (1 - rate)))
    return [passed - falls, falls, rises, failed - rises]


def judged(random: np.random.Generator, world: World) -> dict[str, Verdict]:
    """One fix, forecast from the run before it and judged by the run after: verdict by claim, and overall."""
    n, churn = world.n, world.churn
    found = int(random.binomial(n, RECALL))
    x1, x0 = int(random.binomial(found, P1)), int(random.binomial(n - found, P0))
    m = min(round(RECOVERED * n), n - found)
    still = n - found - m
    # The fix does not choose: those it recovers are drawn from those without gold.
    took = int(random.hypergeometric(x0, n - found - x0, m))
    recovered = int(random.binomial(m, P1 - world.recovered_short))
    retained = flipped(random, x1, found - x1, P1, churn, world.retained_short)
    missing = flipped(random, x0 - took, still - x0 + took, P0, churn, 0.0)
    after = recovered + retained[0] + retained[2] + missing[0] + missing[2]
    margins = margins_from_budget(
        world.budget, recovered=RECOVERED, retained=RECALL, still_missing=1 - RECALL - RECOVERED
    )
    assert margins.recovered is not None
    assert margins.retained is not None
    verification = verify(
        [
            recovered_as_found(wilson(recovered, m), wilson(x1, found), margin=margins.recovered),
            retained_undisturbed(*retained, margin=margins.retained),
            missing_as_recovered(wilson(x0 - took, still), wilson(took, m), margin=0.1),
            aggregate_as_forecast(
                after / n,
                recall_target=(found + m) / n,
                recall=wilson(found, n),
                with_gold=wilson(x1, found),
                without_gold=wilson(x0, n - found),
                churn=(int(random.binomial(n, churn)) + 0.5) / (n + 1),
                margin=margins.aggregate,
            ),
        ]
    )
    return {"forecast": verification.verdict, **{ruling.name: ruling.verdict for ruling in verification.rulings}}


def protocol(world: World, repetitions: int, seed: int = 1) -> dict[str, dict[Verdict, float]]:
    """Share of repetitions that end in each verdict, by claim and overall."""
    random = np.random.default_rng([seed, world.n])
    outcomes = [judged(random, world) for _ in range(repetitions)]
    return {
        name: {verdict: sum(each[name] is verdict for each in outcomes) / repetitions for verdict in Verdict}
        for name in outcomes[0]
    }


# The sixteen entries of two runs in which 7% of the retained flip, and of two in which 4% do.
LIVELY = np.array([float(entry) for cell in EXAMPLE for entry in cell.entries]) / 400
QUIET = masses((0.57, 0.28, 0.01, 0.14), before=(0.88, 0.49, 0.75, 0.43), after=(0.86, 0.80, 0.50, 0.39))


def term_coverage(n: int, repetitions: int, law: Floats, seed: int = 2) -> dict[str, float]:
    """How often the interval of every term of a forecast's error holds its true value; `change` is the total change."""
    random = np.random.default_rng([seed, n])
    truth = table_of([float(mass) for mass in law])
    known, moved = forecast_error(truth, 0.85), observed_change(truth)
    assert isinstance(known, ErrorTerms)
    assert isinstance(moved, ChangeTerms)
    names = [field.name for field in fields(known)]
    hits = dict.fromkeys([*names, "change"], 0)
    for counts in random.multinomial(n, law, repetitions):
        table = table_of([int(count) for count in counts])
        found = error_limits(table, 0.85)
        for name in names:
            hits[name] += holds(getattr(found, name), getattr(known, name))
        hits["change"] += holds(change_limits(table).total, float(moved.total))
    return {name: count / repetitions for name, count in hits.items()}


def holds(interval: Any, truth: float) -> bool:
    lower, upper = interval.bounds
    return bool(lower <= truth <= upper)


# Failing shares by stage before and after: nothing happened, stages against each other strongly and weakly.
STEADY = ((0.20, 0.05, 0.03, 0.02), (0.20, 0.05, 0.03, 0.02))
STRONG = ((0.20, 0.05, 0.03, 0.02), (0.05, 0.05, 0.03, 0.16))
WEAK = ((0.15, 0.05, 0.05, 0.05), (0.09, 0.05, 0.05, 0.10))


def flags(
    shares: tuple[Sequence[float], Sequence[float]], n: int, repetitions: int, churn: float = 0.1, seed: int = 3
) -> tuple[float, float]:
    """How often cancellation is flagged by the rule, and would be by an index above one half."""
    random = np.random.default_rng([seed, n])
    before, after = (np.array([1 - sum(side), *side]) for side in shares)
    stay = np.minimum(before, after)
    leave, come = before - stay, after - stay
    law = np.diag(stay) + (np.outer(leave, come) / leave.sum() if leave.sum() > 0 else 0.0)
    # Chance moves passes to failures of any stage and back, as many either way: no share changes.
    noise = np.outer(stay, stay)
    np.fill_diagonal(noise, 0.0)
    noise *= churn / noise.sum()
    law = law + noise - np.diag(noise.sum(axis=1))
    flagged = naive = 0
    for counts in random.multinomial(n, law.ravel() / law.sum(), repetitions):
        found = cancellation(contribution_limits(counts.reshape(law.shape).tolist()))
        flagged += found.flag
        naive += found.index is not None and found.index > 0.5
    return flagged / repetitions, naive / repetitions


def shapley_coverage(n: int, repetitions: int, seed: int = 4) -> list[float]:
    """How often the interval of every part of a change between two different sets holds the true part."""
    random = np.random.default_rng([seed, n])
    sides = ((0.8, 0.9, 0.88, 0.47), (0.9, 0.85, 0.85, 0.50))
    truth = [*shapley(funnel_pass, *sides), funnel_pass(sides[1]) - funnel_pass(sides[0])]
    hits = np.zeros(len(truth))
    for _ in range(repetitions):
        drawn = []
        for found, kept, p1, p0 in sides:
            first = int(random.binomial(n, found))
            second = int(random.binomial(first, kept))
            passes = int(random.binomial(second, p1)), int(random.binomial(n - second, p0))
            drawn.append(
                [wilson(first, n), wilson(second, first), wilson(passes[0], second), wilson(passes[1], n - second)]
            )
        hits += [holds(part, true) for part, true in zip(funnel_split(*drawn), truth, strict=True)]
    return [float(hit) for hit in hits / repetitions]


def repeats_coverage(questions: int, repetitions: int, seed: int = 5) -> tuple[float, float]:
    """Three answers a question in two runs: how often the t interval over questions holds 0, and over all answers."""
    random = np.random.default_rng([seed, questions])
    by_question = by_answer = 0
    for _ in range(repetitions):
        base, shift = random.beta(1.4, 0.6, questions), random.normal(0.0, 0.3, questions)
        runs = [random.random((questions, 3)) < np.clip(base + sign * shift, 0, 1)[:, None] for sign in (1, -1)]
        gaps = runs[0].astype(float) - runs[1]
        by_question += holds(paired_mean(gaps.mean(axis=1)), 0.0)
        by_answer += holds(paired_mean(gaps.ravel()), 0.0)
    return by_question / repetitions, by_answer / repetitions


def quiet_retained(questions: int, flips: float, margin: float, repetitions: int, seed: int = 6) -> tuple[float, float]:
    """Retained questions with repeats that truly fall by the margin: how often held, guarded and not."""
    random = np.random.default_rng([seed, questions])
    guarded = plain = 0
    for _ in range(repetitions):
        gaps = random.choice([-1.0, 0.0, 1.0], questions, p=[(flips + margin) / 2, 1 - flips, (flips - margin) / 2])
        claim = retained_undisturbed_means(gaps.tolist(), margin=margin)
        guarded += claim.gap(0.9, 1.0).bounds[0] > -margin  # type: ignore[union-attr]
        plain += paired_mean(gaps, level=0.9).bounds[0] > -margin
    return guarded / repetitions, plain / repetitions
