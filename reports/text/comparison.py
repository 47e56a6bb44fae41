"""A comparison of two runs on the terminal."""

from __future__ import annotations

from attribution.results import Comparison
from attribution.statistics.interval import Interval
from reports import numbers
from reports.text.metrics import print_changes
from reports.text.table import DASH, loss_words, print_line, print_table, print_warnings, rate
from reports.wording import REACHED

SMALLEST_P = 0.0001


def print_comparison(found: Comparison) -> None:
    """Print a comparison: both pass rates, the four cells, what each stage contributed, and what moved both ways."""
    passed = found.passed
    print_line(f"{found.before} to {found.after}: {numbers.plural(found.questions, 'shared question')}")
    print_line(f"Pass rate {rate(passed.before)} to {rate(passed.after)}")
    print_line(f"Difference, points: {_points(passed.difference)}{_p_values(found)}")
    print_line()
    if found.split is not None:
        split = found.split
        rows = [
            ("recall", _points(split.composition)),
            ("pass rate with gold", _points(split.rate_with_gold)),
            ("pass rate without gold", _points(split.rate_without_gold)),
        ]
        print_table(("what changed", "points"), rows)
    else:
        _print_paired(found)
    if found.metrics:
        print_line()
        print_changes(found.metrics)
    print_warnings(found.warnings)


def _print_paired(found: Comparison) -> None:
    print_table(
        ("cell", "answers", "passed before", "passed after", "points of the change"),
        [(c.cell.replace("_", " "), c.n, c.passed_before, c.passed_after, _points(c.interval)) for c in found.cells],
    )
    print_line()
    print_table(
        ("failures here", "points of the change, ranges hold together"),
        [(REACHED if s.fate == "reached" else loss_words(s.stage), _points(s.contribution)) for s in found.stages],
    )
    if found.churn is not None:
        churn = found.churn
        print_line()
        print_line(
            f"Gold: {churn.gained_gold} gained, {churn.lost_gold} lost. "
            f"Passes: {churn.gained_pass} gained, {churn.lost_pass} lost."
        )
    if found.cancellation is not None and found.cancellation.flag:
        gross = numbers.points(found.cancellation.gross).removeprefix("+")
        print_line(
            f"Stages moved against each other: {gross} points in all, {numbers.points(found.cancellation.net)} net."
        )


def _points(found: Interval) -> str:
    if found.estimate is None:
        return DASH
    if found.lower is None or found.upper is None:
        return numbers.points(found.estimate)
    return f"{numbers.points(found.estimate)} ({numbers.points(found.lower)} to {numbers.points(found.upper)})"


def _p_values(found: Comparison) -> str:
    p, name = found.passed.p_mcnemar_midp, "McNemar mid-p"
    if p is None:
        p, name = found.passed.p_sign_flip, "sign-flip p"
    if p is None:
        return ""
    return f", {name} " + (f"below {SMALLEST_P}" if p < SMALLEST_P else f"{p:.4f}")
