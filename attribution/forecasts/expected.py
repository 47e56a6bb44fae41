"""What a forecast expects: the recall it is for, and how many questions each transition cell will hold."""

from __future__ import annotations

from attribution.results import ExpectedCells, Projection
from attribution.statistics.interval import Interval


def target_ends(found: Projection) -> tuple[float, float]:
    """Return the lower and the upper end of the recall a projection is for."""
    target = found.recall_target
    if isinstance(target, Interval):
        point = target.estimate or 0.0
        return point, point
    return (target[0], target[-1]) if isinstance(target, list) else (target, target)


def expected_cells(found: Projection) -> ExpectedCells:
    """Return how many answers each cell is expected to hold: counted where a replay shows them, else reckoned."""
    shown = found.replayed
    if shown is not None:
        return ExpectedCells(
            source="replay",
            retained=shown.retained,
            recovered=shown.recovered,
            lost=shown.lost,
            still_missing=shown.still_missing,
            recovered_before=shown.recovered_before,
            still_missing_before=shown.still_missing_before,
        )
    low, high = target_ends(found)
    now, target, n = found.recall.estimate or 0.0, (low + high) / 2.0, found.passed.size
    return ExpectedCells(
        source="recall",
        retained=n * min(now, target),
        recovered=n * max(0.0, target - now),
        lost=n * max(0.0, now - target),
        still_missing=n * (1.0 - max(now, target)),
    )
