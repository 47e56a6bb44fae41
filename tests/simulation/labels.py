"""Coverage of the intervals that correct labels and judges: `python -m tests.simulation.labels [repetitions]`.

Prints a table in Markdown. The tests run a part of it with few repetitions, enough to tell a wrong formula.
"""

from __future__ import annotations

import sys
import time

from attribution.statistics.judge_cells import Design
from tests.simulation.judge_worlds import judge_elsewhere, judge_on_a_subset, lax_judge, macro_f1_of, two_judges
from tests.simulation.label_worlds import audit_any_gold, audit_by_label, audit_by_label_and_pass, audit_of_passages
from tests.simulation.trials import World, simulate

SEED = 20_251

WORLDS: dict[str, tuple[int, World]] = {
    **{
        f"audit of {m} by label; labelled recall {r}, {down} demoted, {up} promoted": (
            n,
            audit_by_label(n, r, down, up, m),
        )
        for n, r, down, up, m in (
            (100, 0.58, 0.09, 0, 15),
            (100, 0.85, 0.09, 0, 15),
            (300, 0.58, 0.09, 0, 45),
            (400, 0.58, 0.09, 0, 60),
            (400, 0.85, 0.09, 0, 60),
            (400, 0.58, 0.09, 0.02, 60),
            (400, 0.85, 0.20, 0.05, 60),
        )
    },
    **{
        f"audit of {m} by label and outcome": (n, audit_by_label_and_pass(n, m))
        for n, m in ((100, 15), (300, 45), (400, 60))
    },
    **{f"audit of {m}, any gold": (n, audit_any_gold(n, m)) for n, m in ((200, 60), (400, 120))},
    **{f"audit of {m}, passages": (n, audit_of_passages(n, m)) for n, m in ((100, 15), (200, 30), (400, 60))},
    **{
        f"judge with {m} labels from these questions; p {p}, sensitivity {se}, specificity {sp}": (
            400,
            judge_on_a_subset(p, se, sp, m),
        )
        for m in (40, 60, 100)
        for p, se, sp in ((0.708, 0.90, 0.80), (0.88, 0.95, 0.90), (0.47, 0.85, 0.65))
    },
    **{
        f"judge with {m} labels from elsewhere; p .708, sensitivity .9, specificity .8": (
            400,
            judge_elsewhere(0.708, 0.9, 0.8, m),
        )
        for m in (60, 100, 200)
    },
    **{
        f"judge laxer without gold, {m} labels from {design}": (400, lax_judge(m, design))
        for design in (Design.subset, Design.external)
        for m in (60, 100, 200)
    },
    "macro-F1, two classes 90:10": (200, macro_f1_of(200, (0.9, 0.1), (0.95, 0.70))),
    "macro-F1, two classes 90:10, few items": (60, macro_f1_of(60, (0.9, 0.1), (0.95, 0.70))),
    "macro-F1, two classes 50:50, hardly an error": (100, macro_f1_of(100, (0.5, 0.5), (0.97, 0.97))),
    "macro-F1, three classes 60:30:10": (200, macro_f1_of(200, (0.6, 0.3, 0.1), (0.85, 0.85, 0.85))),
    "macro-F1, five classes down to 3 in 100": (
        300,
        macro_f1_of(300, (0.5, 0.25, 0.15, 0.07, 0.03), (0.88, 0.88, 0.88, 0.88, 0.88)),
    ),
    "macro-F1, five classes down to 3 in 100, few items": (
        100,
        macro_f1_of(100, (0.5, 0.25, 0.15, 0.07, 0.03), (0.88, 0.88, 0.88, 0.88, 0.88)),
    ),
    "two judges, 100 questions of 8 items": (800, two_judges(100, 8)),
    "two judges, 400 questions of 1 item": (400, two_judges(400, 1)),
}


def main(repetitions: int) -> None:
    """Print the table."""
    started = time.perf_counter()
    sys.stdout.write("| world | n | interval | coverage | width | bias | refused |\n|---|---|---|---|---|---|---|\n")
    for name, (n, world) in WORLDS.items():
        for interval, score in simulate(world, repetitions, SEED).items():
            sys.stdout.write(
                f"| {name} | {n} | {interval} | {score.held:.3f} | {score.width:.3f} | {score.bias:+.3f} | "
                f"{score.refused:.3f} |\n"
            )
        sys.stdout.flush()
    sys.stderr.write(f"{repetitions} repetitions, seed {SEED}, {time.perf_counter() - started:.0f} s\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
