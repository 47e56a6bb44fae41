"""Where the next checks tell most: strata that are large, and in which cases differ."""

from __future__ import annotations

import heapq
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from attribution.statistics.audit_cells import AuditCell, Estimand, Truth, check_cells, exact_rates
from attribution.statistics.two_phase import Stratum, VarianceParts


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The next checks, handed out.

    Attributes:
        counts: checks for each stratum, in the order given. Their sum is smaller than asked for where
            no more cases are left.
        error_now: standard error due to checking as it stands; None where an open stratum has no check.
        error_after: standard error due to checking once these are done; None likewise.
    """

    counts: tuple[int, ...]
    error_now: float | None
    error_after: float | None


def next_checks(n: int, strata: Sequence[Stratum]) -> Checks:
    """Hand out the next checks so that a two-phase rate gains most precision.

    Every check goes where it lowers the variance most, given those already done, which is Neyman's allocation in
    whole numbers. The spread within a stratum is taken with half a case of either kind added, so that a
    stratum whose few checks agree is not written off. Do not trust the errors below five checks a stratum.

    Args:
        n: checks to hand out, not negative.
        strata: the strata with the checks done so far.

    Returns:
        Checks for each stratum, never more than its unchecked cases, none where the truth is certain; and the
        standard error that is due to checking, before and after.

    Raises:
        ValueError: n is negative.

    References:
        Neyman (1934); Wright (2012).

    >>> judged = Stratum(cases=271, checked=66, true=60), Stratum(cases=129, checked=34, true=10)
    >>> plan = next_checks(40, judged)
    >>> plan.counts, round(plan.error_now, 4), round(plan.error_after, 4)
    ((15, 25), 0.0354, 0.0294)
    """
    spreads = [_bernoulli_variance(stratum) if stratum.open else 0.0 for stratum in strata]
    return _hand_out(
        n,
        sizes=[stratum.cases for stratum in strata],
        variances=spreads,
        done=[stratum.checked for stratum in strata],
    )


def next_audits(n: int, cells: Sequence[AuditCell], *, estimand: Estimand) -> Checks:
    """Hand out the next audits over labels and outcomes so that recall gains most precision.

    As `next_checks`; hits that failed usually get more than their share, because they are the ones in doubt.

    Args:
        n: audits to hand out, not negative.
        cells: the questions by label and outcome, with the audits done so far.
        estimand: which recall is meant.

    Returns:
        Audits for each cell, and the standard error of recall that is due to auditing, before and after.

    Raises:
        ValueError: n is negative, or a cell does not fit the estimand.

    References:
        Neyman (1934); Wright (2012).

    >>> either, miss = frozenset({Truth.reached, Truth.missed}), frozenset({Truth.missed})
    >>> from attribution.statistics.audit_cells import Label
    >>> table = [
    ...     AuditCell(label=Label.hit, passed=True, questions=204, possible=either, reached=28, missed=1),
    ...     AuditCell(label=Label.hit, passed=False, questions=28, possible=either, reached=4, missed=2),
    ...     AuditCell(label=Label.miss, passed=True, questions=79, possible=miss),
    ... ]
    >>> next_audits(20, table, estimand=Estimand.all_required).counts
    (13, 7, 0)
    """
    check_cells(cells, estimand)
    variances = [_moments(cell, cells, prior=Fraction(1, 2))[1] if cell.open else 0.0 for cell in cells]
    return _hand_out(
        n,
        sizes=[cell.questions for cell in cells],
        variances=variances,
        done=[cell.audited for cell in cells],
    )


def audit_variance(cells: Sequence[AuditCell], *, estimand: Estimand) -> VarianceParts:
    """Variance of the audited recall, split into what questions and what audits contribute.

    One draw is one question. Linearised where the denominator is itself uncertain. A cell in which all audits
    agree contributes nothing, which is luck where they are few.

    Args:
        cells: the questions by label and outcome; every open cell audited.
        estimand: which recall is meant.

    Returns:
        The parts, on the scale of a squared rate.

    Raises:
        ValueError: there are no questions that count, an open cell was never audited, or a cell does not fit.

    References:
        Cochran (1977, chapter 12).

    >>> from attribution.statistics.audit_cells import Label
    >>> either, miss = frozenset({Truth.reached, Truth.missed}), frozenset({Truth.missed})
    >>> table = [
    ...     AuditCell(label=Label.hit, passed=True, questions=232, possible=either, reached=32, missed=3),
    ...     AuditCell(label=Label.miss, passed=False, questions=168, possible=miss),
    ... ]
    >>> parts = audit_variance(table, estimand=Estimand.all_required)
    >>> round(parts.standard_error, 5), [round(share, 2) for share in parts.shares]
    (0.03553, [0.4, 0.6, 0.0])
    """
    check_cells(cells, estimand)
    if any(cell.open and cell.audited == 0 for cell in cells):
        raise ValueError("a variance needs audits in every cell that is open")
    n = sum(cell.questions for cell in cells)
    if n == 0:
        raise ValueError("a variance needs questions")
    moments = [_moments(cell, cells, prior=Fraction(0)) for cell in cells]
    weights = [cell.questions / n for cell in cells]
    return VarianceParts(
        verdicts=math.fsum(weight * mean**2 for weight, (mean, _) in zip(weights, moments, strict=True)) / n,
        checks=tuple(
            weight**2 * variance / cell.audited if cell.open else 0.0
            for weight, (_, variance), cell in zip(weights, moments, cells, strict=True)
        ),
    )


def _moments(cell: AuditCell, cells: Sequence[AuditCell], *, prior: Fraction) -> tuple[float, float]:
    """Mean and variance within a cell of what a question adds to the error of recall, as linearised.

    A question of the denominator adds (reached - recall) / share of the denominator, any other nothing.
    """
    n = sum(each.questions for each in cells)
    counted = sum((each.questions * (1 - each.share(Truth.unanswerable)) for each in cells), Fraction(0))
    recall = exact_rates(cells).recall
    if recall is None:
        raise ValueError("no question counts: recall has no error to speak of")
    total = cell.audited + prior * len(cell.possible)
    mean, square = Fraction(0), Fraction(0)
    for truth, value in ((Truth.reached, 1 - recall), (Truth.missed, -recall)):
        if truth in cell.possible:
            share = (cell.found[truth] + prior) / total if total else cell.share(truth)
            mean, square = mean + share * value, square + share * value**2
    scale = n / counted
    return float(mean * scale), float((square - mean**2) * scale**2)


def _bernoulli_variance(stratum: Stratum) -> float:
    share = (stratum.true + 0.5) / (stratum.checked + 1.0)
    return share * (1.0 - share)


def _hand_out(n: int, *, sizes: Sequence[int], variances: Sequence[float], done: Sequence[int]) -> Checks:
    """Give every check to the stratum whose part of the variance, size^2 variance / checks, it lowers most."""
    if operator.index(n) < 0:
        msg = f"checks to hand out cannot be negative: {n}"
        raise ValueError(msg)
    parts = [size**2 * variance for size, variance in zip(sizes, variances, strict=True)]
    counts = [0] * len(parts)
    # An unchecked stratum leaves the whole without a variance, so it comes first, the larger part before the smaller.
    queue = [(_urgency(part, checks), at) for at, (part, checks) in enumerate(zip(parts, done, strict=True)) if part]
    queue = [entry for entry in queue if done[entry[1]] < sizes[entry[1]]]
    heapq.heapify(queue)
    for _ in range(n):
        if not queue:
            break
        _, at = queue[0]
        counts[at] += 1
        checks = done[at] + counts[at]
        if checks == sizes[at]:
            heapq.heappop(queue)
        else:
            heapq.heapreplace(queue, (_urgency(parts[at], checks), at))
    whole = sum(sizes)
    after = [before + more for before, more in zip(done, counts, strict=True)]
    return Checks(counts=tuple(counts), error_now=_error(parts, done, whole), error_after=_error(parts, after, whole))


def _urgency(part: float, checks: int) -> tuple[int, float]:
    """Sort key of the next check: least first."""
    return (0, -part) if checks == 0 else (1, -part / (checks * (checks + 1)))


def _error(parts: Sequence[float], checks: Sequence[int], whole: int) -> float | None:
    pairs = [(part, count) for part, count in zip(parts, checks, strict=True) if part > 0.0]
    if any(count == 0 for _, count in pairs):
        return None
    return math.sqrt(math.fsum(part / count for part, count in pairs)) / whole if whole else None
