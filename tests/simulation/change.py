"""How often the intervals of a change hold and its verdicts err: prints tables, all seeded.

Run with `python -m tests.simulation.change`, and a number below 1 for fewer repetitions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from attribution.statistics.claim_power import likeness_chances
from attribution.statistics.verdicts import Verdict
from tests.simulation.change_worlds import (
    LIVELY,
    P1,
    QUIET,
    RECALL,
    RECOVERED,
    STEADY,
    STRONG,
    WEAK,
    World,
    flags,
    protocol,
    quiet_retained,
    repeats_coverage,
    shapley_coverage,
    term_coverage,
)


def table(title: str, head: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print a Markdown table, shares with three figures."""
    columns = list(head)
    lines = [" | ".join(f"{x:.3f}" if isinstance(x, float) else str(x) for x in row) for row in (columns, *rows)]
    lines.insert(1, " | ".join("---" for _ in columns))
    sys.stdout.write("\n".join([f"## {title}", "", *(f"| {line} |" for line in lines), "", ""]))
    sys.stdout.flush()


def likeness_tables() -> None:
    rows = []
    for m in (10, 20, 40, 60, 108, 216, 400):
        for short in (0.0, 0.05, 0.1, 0.2):
            chances = likeness_chances(m, P1 - short, 232, P1, 0.1)
            rows.append((m, f"{short:.2f}", chances.held, chances.shown, chances.material))
    head = ("recovered", "true shortfall", "held", "shortfall shown", "beyond the margin")
    table("Likeness of the recovered, exact, 232 found at .88, margin .10, before Holm", head, rows)
    worst = []
    for n1 in (58, 116, 232, 464, 928):
        grid = [
            (likeness_chances(m, p - 0.1, n1, p, 0.1).held, likeness_chances(m, p, n1, p, 0.1).shown)
            for m in (10, 20, 40, 80, 160, 400)
            for p in (0.6, 0.75, 0.88, 0.95)
        ]
        worst.append((n1, *(max(column) for column in zip(*grid, strict=True))))
    table(
        "Worst over 10–400 recovered and rates of .60–.95, exact, margin .10",
        ("found", "held at a shortfall of the margin", "shortfall shown though there is none"),
        worst,
    )


def protocol_table(repetitions: int) -> None:
    worlds = {
        "all true, n = 100": World(n=100),
        "all true, n = 300": World(n=300),
        "all true, n = 400": World(),
        "all true, n = 1000": World(n=1000),
        "recovered 5 points low": World(recovered_short=0.05),
        "recovered 10 points low": World(recovered_short=0.10),
        "recovered at the margin": World(recovered_short=0.04 / RECOVERED),
        "recovered 20 points low": World(recovered_short=0.20),
        "retained at the margin": World(retained_short=0.04 / RECALL),
        "both at the margin": World(recovered_short=0.04 / RECOVERED, retained_short=0.04 / RECALL),
        "budget .02, all true, n = 400": World(budget=0.02),
        "budget .02, all true, n = 1000": World(budget=0.02, n=1000),
    }
    shown = (Verdict.refuted, Verdict.held, Verdict.cannot_tell)
    rows = []
    for name, world in worlds.items():
        found = protocol(world, repetitions)
        rows.append((name, *(found["forecast"][verdict] for verdict in shown), found["recovered"][Verdict.held]))
    head = ("what is true (n = 400 and budget .04 if not said)", *shown, "of these, recovered held")
    table(f"The whole protocol, four claims, both sides, churn 3%, {repetitions} repetitions", head, rows)


def coverage_tables(scale: float) -> None:
    many, few = times(scale, 4000), times(scale, 1000)
    names = ("recall", "recovered", "retained", "lost", "still_missing", "total", "change")
    table(
        f"Terms of a forecast's error, nominal .95, {many} repetitions from 300 questions, {few} below",
        ("n", "truth", *names),
        [
            (n, truth, *map(term_coverage(n, many if n >= 300 else few, law).get, names))
            for truth, law in (("7% of the retained flip", LIVELY), ("4% of the retained flip", QUIET))
            for n in (40, 100, 300, 400)
        ],
    )
    table(
        f"Shapley parts between two sets, nominal .95, {few} repetitions",
        ("n each", "found", "kept", "with gold", "without", "total"),
        [(n, *shapley_coverage(n, few)) for n in (100, 400)],
    )
    table(
        f"Mean difference of three answers a question, nominal .95, {many} repetitions",
        ("questions", "t over questions", "t over answers"),
        [(n, *repeats_coverage(n, many)) for n in (20, 40, 100)],
    )
    table(
        f"Retained questions that fall by the margin of .05, flips .06, held by the claim on means, {many} repetitions",
        ("questions", "guarded", "plain t"),
        [(n, *quiet_retained(n, 0.06, 0.05, many)) for n in (30, 60, 120, 240)],
    )


def cancellation_table(repetitions: int) -> None:
    kinds = {"no change": STEADY, "−15/+14": STRONG, "−6/+5": WEAK}
    table(
        f"Cancellation, churn 10%, {repetitions} repetitions",
        ("n", "truth", "flag", "index above .5"),
        [(n, name, *flags(shares, n, repetitions)) for n in (40, 100, 300, 400) for name, shares in kinds.items()],
    )


def times(scale: float, repetitions: int) -> int:
    return max(20, round(scale * repetitions))


def main(scale: float = 1.0) -> None:
    """Print every table; a scale below 1 takes fewer repetitions."""
    likeness_tables()
    protocol_table(times(scale, 2000))
    coverage_tables(scale)
    cancellation_table(times(scale, 2000))


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
