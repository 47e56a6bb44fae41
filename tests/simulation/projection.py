"""Coverage of the projection and what goes with it: `python -m tests.simulation.projection [scale]`.

Prints tables in Markdown; a scale below 1 takes fewer draws. The tests run a part of it with few draws.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product

from tests.simulation.projection_worlds import Rates, again, fresh, gained, measured, needed, ranged, stated
from tests.simulation.survey_worlds import KINDS, by_intent, repeated
from tests.simulation.trials import Coverage, World, simulate

SEED = 20_252
SIZES = (40, 100, 300, 400)
MOVES = ((0.30, 0.85), (0.58, 0.85), (0.85, 0.95))
PAIRS = ((0.88, 0.47), (0.95, 0.10), (0.70, 0.60), (0.98, 0.02))
SETTINGS = [(n, Rates(recall, target, p1, p0)) for n, (recall, target), (p1, p0) in product(SIZES, MOVES, PAIRS)]
# Coverage and width of square-and-add in the simulation by which it was chosen, at pass rates of .88 and .47.
CHOSEN = {
    (40, 0.30): (0.958, 0.316),
    (40, 0.58): (0.956, 0.235),
    (40, 0.85): (0.950, 0.209),
    (100, 0.30): (0.952, 0.200),
    (100, 0.58): (0.951, 0.149),
    (100, 0.85): (0.953, 0.133),
    (300, 0.30): (0.951, 0.116),
    (300, 0.58): (0.951, 0.086),
    (400, 0.30): (0.949, 0.100),
    (400, 0.58): (0.949, 0.075),
    (400, 0.85): (0.950, 0.067),
}


def error(share: float, draws: int) -> float:
    """Monte-Carlo standard error of a simulated coverage."""
    return math.sqrt(share * (1.0 - share) / draws)


def table(title: str, head: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a Markdown table row by row, floats with three figures."""
    columns = list(head)
    sys.stdout.write(f"## {title}\n\n| {' | '.join(columns)} |\n|{' --- |' * len(columns)}\n")
    for row in rows:
        sys.stdout.write(f"| {' | '.join(f'{x:.3f}' if isinstance(x, float) else str(x) for x in row)} |\n")
        sys.stdout.flush()
    sys.stdout.write("\n")


def stated_rows(draws: int) -> Iterator[tuple[object, ...]]:
    for n, true in SETTINGS:
        found = simulate(stated(n, true), draws, SEED)
        ours, delta = found["stated"], found["delta method"]
        before = CHOSEN.get((n, true.recall)) if true.p1 == 0.88 else None
        yield (
            *_setting(n, true),
            ours.held,
            error(ours.held, draws),
            "" if before is None else before[0],
            ours.width,
            "" if before is None else before[1],
            delta.held,
        )


def columns(title: str, head: tuple[str, ...], settings: Mapping[tuple[object, ...], World], draws: int) -> None:
    """Print the coverage of every interval of a world in a row, the width of the first beside it."""
    found = {place: simulate(world, draws, SEED) for place, world in settings.items()}
    names = list(next(iter(found.values())))
    rows = ((*place, *(score.held for score in each.values()), each[names[0]].width) for place, each in found.items())
    table(f"{title}, {draws} draws", (*head, *names, f"width: {names[0]}"), rows)


def extremes(title: str, make: Callable[[int, Rates], World], draws: int) -> None:
    """Print the least, mean and greatest coverage over settings, by size and interval."""
    scores: dict[tuple[int, str], list[Coverage]] = {}
    for n, true in SETTINGS:
        for name, score in simulate(make(n, true), draws, SEED).items():
            scores.setdefault((n, name), []).append(score)
    rows = [
        (n, name, len(found), min(held), sum(held) / len(held), max(held), max(each.refused for each in found))
        for (n, name), found in scores.items()
        if (held := [each.held for each in found])
    ]
    head = ("n", "interval", "settings", "least", "mean", "greatest", "refused, at most")
    table(f"{title}, {draws} draws a setting", head, rows)


def _setting(n: int, true: Rates) -> tuple[object, ...]:
    return n, f"{true.recall:.2f}", f"{true.target:.2f}", f"{true.p1:.2f}", f"{true.p0:.2f}"


def times(scale: float, draws: int) -> int:
    return max(20, round(scale * draws))


def main(scale: float = 1.0) -> None:
    """Print every table."""
    started = time.perf_counter()
    many, some, few = times(scale, 20_000), times(scale, 5_000), times(scale, 300)
    table(
        f"Projection at a stated recall, nominal .95, {many} draws a setting",
        ("n", "recall", "target", "p1", "p0", "coverage", "error", "chosen by", "width", "chosen by", "delta method"),
        stated_rows(many),
    )
    extremes("Recall measured by a replay", measured, some)
    extremes("A range of ±.05 around the target", ranged, some)
    extremes("Recall needed", needed, some)
    extremes("Gain", gained, few)
    columns(
        "Next run, fresh questions",
        ("n", "fresh questions"),
        {(n, questions): fresh(n, questions, Rates()) for n, questions in product(SIZES, (100, 400))},
        some,
    )
    columns(
        "Next run, same questions",
        ("n", "recall", "target", "flips"),
        {
            (n, f"{recall:.2f}", f"{target:.2f}", f"{churn:.2f}"): again(n, churn, Rates(recall, target))
            for n, (recall, target), churn in product(SIZES, ((0.58, 0.85), (0.85, 0.58)), (0.0, 0.05, 0.10))
        },
        some,
    )
    columns(
        "Twelve intents, weighted to their traffic",
        ("n", "rates"),
        {(n, name): by_intent(n, kind) for n, (name, kind) in product((200, 300, 400, 800), KINDS.items())},
        some,
    )
    columns("Three answers a question", ("questions",), {(n,): repeated(n, 3) for n in SIZES}, some)
    columns(
        "Twelve intents and three answers a question",
        ("n", "rates"),
        {
            (n, name): by_intent(n, kind, answers=3, spread=2.0)
            for n, (name, kind) in product((200, 400), KINDS.items())
        },
        some,
    )
    sys.stderr.write(f"seed {SEED}, {time.perf_counter() - started:.0f} s\n")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
