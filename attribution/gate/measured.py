"""What a rule is about, read off an attribution: of all answers, or of one slice."""

from __future__ import annotations

from dataclasses import replace

from attribution.gate.reading import Estimate, Reading, Why, read_one
from attribution.gate.rules import BoundRule, Quantity
from attribution.results import Attribution, Slice
from attribution.statistics.interval import Interval, critical_value, wilson_limits
from traces.errors import UsageError, near


def rate_of(quantity: Quantity, part: Slice, run_id: str) -> Interval:
    """Return the rate a quantity names; it is no retrieval metric.

    Raises:
        UsageError: the run has no such stage, or nothing can be lost at it.
    """
    conditional = part.conditional
    plain = {
        "pass": part.passed,
        "pass_with_gold": conditional.with_gold,
        "pass_without_gold": conditional.without_gold,
    }
    if quantity.kind in plain:
        return plain[quantity.kind]
    if quantity.kind == "recall":
        stages = {stage.stage: stage.recall for stage in part.stages}
        return part.stages[-1].recall if quantity.stage is None else _at(quantity, stages, run_id)
    if quantity.fate != "lost":
        return next(fate.share_of_failures for fate in part.fates if fate.fate == quantity.fate)
    return _at(quantity, {fate.stage or "": fate.share_of_failures for fate in part.fates if fate.stage}, run_id)


def _at(quantity: Quantity, known: dict[str, Interval], run_id: str) -> Interval:
    found = known.get(quantity.stage or "")
    if found is None:
        told = f"there is no stage {quantity.stage!r} for {quantity}"
        raise UsageError("unknown-stage", told, where=f"run {run_id}", hint=near(quantity.stage or "", list(known)))
    return found


def estimate_of(rate: Interval, questions: int) -> Estimate:
    """Return a rate as something to read: at another level it is Wilson's at the same size."""

    def at(level: float) -> Interval:
        lower, upper = wilson_limits(rate.estimate or 0.0, rate.size, critical_value(level))
        return replace(rate, lower=lower, upper=upper, level=level)

    return Estimate(interval=rate, at=at, questions=questions)


def read_whole(rule: BoundRule, found: Attribution) -> tuple[Interval, Reading]:
    """Read a rule on all answers of a run, and say why where it cannot be told."""
    rate = rate_of(rule.quantity, found, found.run)
    special = missing(rule, found)
    if special is not None:
        return rate, special
    return rate, read_one(estimate_of(rate, found.questions.attributable), rule.relation, rule.bound)


def missing(rule: BoundRule, found: Attribution) -> Reading | None:
    """Return what is to be said of a rule that has nothing to go by: no labels, no outcomes, no failures."""
    if found.labels.name is None:
        return Reading(verdict="cannot tell", reason=Why.no_labels)
    if not found.questions.attributable:
        return Reading(verdict="cannot tell", reason=Why.nothing_attributable)
    if rule.quantity.kind != "recall" and not found.passed.n:
        return Reading(verdict="cannot tell", reason=Why.no_outcomes)
    return without_failures(rule, found)


def without_failures(rule: BoundRule, part: Slice) -> Reading | None:
    """Return the reading of a share of failures where nothing failed: an upper bound on it is kept, and said why."""
    if rule.quantity.kind != "share" or part.failed or not part.passed.n:
        return None
    return Reading(verdict="pass" if rule.relation == "<=" else "cannot tell", reason=Why.no_failures)
