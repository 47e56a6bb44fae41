"""What every estimate costs on 12 strata and 4 stages: ``python -m benchmarks.statistics``.

Everything starts from counts, so that a thousand times the questions must cost the same: the last column is the ratio.
Times are processor time, so that a busy machine counts less: the best of many calls, after one that loads what it
needs.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable

from benchmarks.statistics_cases import CLOSED, DRAWN, Case

# What a call may take, in milliseconds: on closed formulas, and on posterior draws or quadrature.
CLOSED_BUDGET, DRAWN_BUDGET = 5.0, 50.0
SECONDS = 0.15
TIMES = 1000


def main() -> None:
    """Print milliseconds a call, at 400 questions a run and at a thousand times as many."""
    print(f"| {'estimate':34} | {'ms':>7} | {'budget':>6} | {'ms x1000':>8} | {'ratio':>5} |")
    print(f"|{'-' * 36}|{'-' * 9}|{'-' * 8}|{'-' * 10}|{'-' * 7}|")
    over = []
    for cases, budget in ((CLOSED, CLOSED_BUDGET), (DRAWN, DRAWN_BUDGET)):
        for name, case in cases.items():
            small, large = milliseconds(case, 1), milliseconds(case, TIMES)
            print(f"| {name:34} | {small:7.3f} | {budget:6.0f} | {large:8.3f} | {large / small:5.2f} |")
            if max(small, large) > budget:
                over.append(name)
    print(
        f"over budget: {', '.join(over) or 'none'} "
        f"(Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores)"
    )


def milliseconds(case: Case, times: int) -> float:
    """Best time of one call on counts so many times as large."""
    call = case(times)
    call()
    return best_seconds(call) * 1000.0


def best_seconds(call: Callable[[], object]) -> float:
    """Least time of a call, over calls that together take a fraction of a second."""
    best, calls, ends = float("inf"), 0, time.perf_counter() + SECONDS
    while calls < 3 or time.perf_counter() < ends:
        started = time.process_time()
        call()
        best, calls = min(best, time.process_time() - started), calls + 1
    return best


if __name__ == "__main__":
    main()
