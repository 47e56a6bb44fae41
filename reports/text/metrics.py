"""Metrics and curves on the terminal, each table with the conventions it was computed under."""

from __future__ import annotations

from collections.abc import Sequence

from attribution.results import (
    MetricAtStage,
    MetricChange,
    MetricComparison,
    MetricConventions,
    MetricCurve,
    Metrics,
    OperatingPoint,
)
from attribution.statistics.interval import Interval
from reports import numbers
from reports.text.table import DASH, print_line, print_table, print_warnings
from reports.wording import reason_words

DIGITS = 3
_MARK = "*"


def print_metrics(found: Metrics) -> None:
    """Print metrics: one line each metric and stage, what was left out and why, then the conventions."""
    print_line(
        f"Run {found.run}: {numbers.plural(found.questions.asked, 'question')}, "
        f"labels {found.labels.name} v{found.labels.version}"
    )
    print_line()
    bounds = any(each.bounds is not None for each in found.metrics)
    head = [
        "metric",
        "stage",
        f"mean ({found.conventions.level:.0%} range)",
        "pooled",
        "questions",
        "left out",
        "judged",
    ]
    print_table(head + ["if unjudged were worst, best"] * bounds, [_row(each, bounds=bounds) for each in found.metrics])
    for present in found.groups_present:
        print_line(
            f"With {present.present} of {present.needed} pieces of evidence in the prompt, answers pass "
            f"{_estimate(present.passed)} ({numbers.plural(present.passed.n, 'answer')})"
        )
    print_line()
    print_conventions(found.conventions)
    if found.against is not None:
        _print_comparison(found.against)
    print_warnings(found.warnings)
    if found.against is not None:
        print_warnings(found.against.warnings)


def _row(found: MetricAtStage, *, bounds: bool) -> list[str]:
    left_out = [f"{n} {reason_words(reason)}" for reason, n in found.excluded.items()]
    row = [
        found.metric,
        found.stage,
        _estimate(found.mean),
        _number(found.pooled),
        numbers.count(found.eligible),
        ", ".join(left_out) or DASH,
        DASH if found.judged_share is None else numbers.percent(found.judged_share),
    ]
    if bounds:
        limits = found.bounds
        row.append(DASH if limits is None else f"{_number(limits.lower)} to {_number(limits.upper)}")
    return row


def print_conventions(used: MetricConventions) -> None:
    """Print every convention behind a table of metrics."""
    gold = {"any": "one relevant document", "groups": "one document of each evidence group", "all": "all of it"}
    parts = [
        "single documents" if used.unit == "document" else "evidence groups, each once",
        f"relevant from grade {used.min_grade:g} unless named",
        f"coverage asks for {gold[used.require]}",
        f"truncated pieces {used.truncated}",
        "lists up to their cutoff" if used.lists == "handed_on" else "lists as far as recorded",
        "short lists filled up with misses" if used.short_lists == "fixed" else "precision over the places there are",
        f"no relevant document known: {_policy(used.no_gold)}",
        f"no gain to be had: {_policy(used.zero_ideal)}",
        f"not asked: {_policy(used.missing)}",
        "unjudged documents gain nothing"
        if used.unjudged == "no_gain"
        else "unjudged documents taken out of the lists",
        "a repeated document counts once",
        f"discount {used.discount}, ideal over {used.ideal}",
        "means over questions" + (", weighted to traffic" if used.weighted else ""),
        "pooled: all answers added up",
    ]
    print_line(f"Conventions: {'; '.join(parts)}.")


def _policy(policy: str) -> str:
    return "left out" if policy == "excluded" else "scores 0"


def _print_comparison(found: MetricComparison) -> None:
    print_line()
    print_line(f"{found.after} less {found.before}, on the questions of both:")
    print_changes(found.changes)


def print_changes(changes: Sequence[MetricChange]) -> None:
    """Print what metrics changed by between two runs, one line each metric and stage."""
    print_table(
        ("metric", "stage", "difference", "p", "better", "worse", "questions"), [_change(each) for each in changes]
    )
    print_line("p flips signs at random: how often chance alone would move the mean as far.")


def _change(found: MetricChange) -> tuple[object, ...]:
    return (
        found.metric,
        found.stage,
        _signed(found.difference),
        "<.001" if found.p_sign_flip < 0.001 else numbers.rate(found.p_sign_flip, DIGITS),
        found.better,
        found.worse,
        numbers.count(found.difference.n),
    )


def print_curve(found: MetricCurve) -> None:
    """Print a curve: one table a stage, the point it operates at marked."""
    unit = "depth" if found.by == "depth" else "tokens"
    print_line(f"Run {found.run} against {unit}, labels {found.labels.name} v{found.labels.version}")
    for point in found.operating:
        lines = [each for each in found.points if each.stage == point.stage]
        measures = list(dict.fromkeys(each.metric for each in lines))
        marked = operating_at(point, sorted({each.at for each in lines}))
        print_line()
        print_line(f"{point.stage}: hands on {_lengths(point, 'place' if found.by == 'depth' else 'token')}")
        by_depth = {(each.metric, each.at): each.mean for each in lines}
        print_table(
            (unit, *measures),
            [
                (f"{at}{_MARK if at == marked else ''}", *(_estimate(by_depth[name, at]) for name in measures))
                for at in sorted({each.at for each in lines})
            ],
        )
    print_line(f"{_MARK} the stage operates here")
    print_line()
    print_conventions(found.conventions)
    print_warnings(found.warnings)


def operating_at(point: OperatingPoint, grid: Sequence[int]) -> int | None:
    """Return the point of a curve nearest to what the stage hands on: its cutoff, or the average of its lists."""
    wanted = point.average if point.cutoff is None or point.cutoff not in grid else point.cutoff
    return min(grid, key=lambda at: abs(at - wanted), default=None)


def _lengths(point: OperatingPoint, noun: str) -> str:
    longest = numbers.plural(point.longest, noun)
    if point.shortest == point.longest:
        return longest
    return f"{numbers.count(point.shortest)} to {longest}, {point.average:,.1f} on average"


def _estimate(found: Interval) -> str:
    if found.estimate is None:
        return f"{DASH} ({found.reason})" if found.reason else DASH
    upper = "" if found.upper is None else _number(found.upper)
    limits = "" if found.lower is None else f" ({_number(found.lower)}{numbers.DASH}{upper})"
    return f"{_number(found.estimate)}{limits}"


def _signed(found: Interval) -> str:
    if found.estimate is None:
        return f"{DASH} ({found.reason})"
    limits = "" if found.lower is None or found.upper is None else f" ({_sign(found.lower)} to {_sign(found.upper)})"
    return f"{_sign(found.estimate)}{limits}"


def _sign(value: float) -> str:
    text = f"{value:+.{DIGITS}f}"
    return "0" if float(text) == 0.0 else text.replace("-", numbers.MINUS).replace("0.", ".", 1)


def _number(value: float | None) -> str:
    return DASH if value is None else numbers.rate(value, DIGITS)
