"""The words of a gate: what was seen, why a rule cannot be told, and one sentence for every rule."""

from __future__ import annotations

from attribution.results import Gate, RuleVerdict, SliceVerdict
from attribution.statistics.interval import Interval
from reports import numbers
from reports.text.table import DASH, rate
from reports.wording import cut_name

DIGITS = 3
"""A bound is kept or not at more digits than two."""


def standing(found: Gate) -> str:
    """Return how the rules were read, for whoever meets the verdict first."""
    unsure = "fails" if found.when_unsure == "fail" else "passes"
    return (
        f"Ranges are {found.policy.level:.0%} intervals. A rule passes or fails only where its whole range lies on one "
        f"side of the bound; a gate that cannot tell {unsure}."
    )


def tally(found: Gate) -> str:
    """Return how many rules came out how: ``5 pass, 1 fail, 2 cannot tell``."""
    words = [each.verdict for each in found.rules]
    return ", ".join(f"{words.count(word)} {word}" for word in ("pass", "fail", "cannot tell") if word in words)


def seen(observed: Interval | None, *, drop: bool) -> str:
    """Return what was measured with its range and how much it rests on."""
    if observed is None:
        return DASH
    text = _dropped(observed) if drop else rate(observed, DIGITS)
    if observed.count is None and observed.estimate is not None:
        text += f", {numbers.plural(observed.n, 'question')}"
    return " ".join(text.split())


def _dropped(drop: Interval) -> str:
    if drop.estimate is None or drop.lower is None or drop.upper is None:
        return DASH
    limits = f"({numbers.points(drop.lower)} to {numbers.points(drop.upper)})"
    return f"{numbers.points(drop.estimate)} points {limits}"


def why(rule: RuleVerdict | SliceVerdict) -> str:
    """Return why a rule came out as it did, beyond what was seen."""
    parts = [rule.reason or ""]
    if rule.questions_needed is not None:
        parts.append(f"about {numbers.plural(rule.questions_needed, 'question')} would tell")
    if isinstance(rule, RuleVerdict):
        parts += rule.details
        parts.append(_slices(rule))
    elif rule.p_holm is not None and rule.verdict == "fail":
        parts.append(f"p {_p(rule.p_holm)} among all slices")
    return "; ".join(part for part in parts if part)


def _slices(rule: RuleVerdict) -> str:
    """Return how the slices of a rule came out, if there are any."""
    words = [each.verdict for each in rule.by]
    if not words:
        return ""
    counted = [f"{words.count(word)} {word}" for word in ("pass", "fail", "cannot tell") if word in words]
    whole = f"on the whole {rule.whole}, " if rule.whole != rule.verdict else ""
    return f"{whole}by slice {', '.join(counted)}"


def slice_name(found: SliceVerdict) -> str:
    """Return a slice as ``intent = Billing``; untrusted."""
    return f"{found.field} = {cut_name(found.value)}"


def failing_slices(found: Gate) -> list[tuple[RuleVerdict, SliceVerdict]]:
    """Return every slice that fails, with its rule."""
    return [(rule, each) for rule in found.rules for each in rule.by if each.verdict == "fail"]


def sentence(rule: RuleVerdict) -> str:
    """Return one line that says all of a rule; untrusted, since names from the data are in it."""
    parts = [f"{rule.rule}: {rule.verdict}"]
    if rule.observed is not None:
        parts.append(f"seen {seen(rule.observed, drop=rule.drop)}")
    if told := why(rule):
        parts.append(told)
    failing = [slice_name(each) for each in rule.by if each.verdict == "fail"]
    if failing:
        parts.append(f"fails for {', '.join(failing)}")
    return "; ".join(parts)


def _p(p: float) -> str:
    return "<.001" if p < 0.001 else numbers.rate(p, DIGITS)
