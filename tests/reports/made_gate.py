"""A made-up gate with a text in every field that can hold one, and with every verdict there is."""

from __future__ import annotations

from attribution.gate.rules import BoundRule, ForecastRule, Quantity, Relation
from attribution.results import Gate, Labels, Policy, RuleVerdict, RuleWord, SliceVerdict, Warn
from attribution.results.gate import WhenUnsure
from attribution.statistics.interval import Interval
from attribution.statistics.proportions import wilson
from tests.reports import made

DROP = Interval(n=400, count=None, estimate=0.03, lower=-0.01, upper=0.07, level=0.9, method="newcombe-paired")


def gate(text: str, *, when_unsure: WhenUnsure = "fail") -> Gate:
    """Return a gate whose names, file, details and warnings are all the text."""
    recall = Quantity("recall", f"{text}stage")
    rules = [
        rule(bound(recall, ">=", 0.5), "pass", wilson(232, 400, level=0.9), file=text, line=1),
        rule(bound(recall, ">=", 0.7), "fail", wilson(232, 400, level=0.9), file=text, line=2, by=slices(text)),
        rule(bound(Quantity("pass"), "<=", 0.02, drop=True), "cannot tell", DROP, reason="the range", needed=1240),
        rule(str(ForecastRule(text or "f", "held")), "cannot tell", None, details=[text, "recall is refuted"]),
    ]
    return Gate(
        run=text,
        baseline=text,
        labels=labels(text),
        policy=Policy(min_grade=1, require="any", truncated="lost", level=0.9, weighted=False, judge=text),
        verdict="fail",
        when_unsure=when_unsure,
        passed=False,
        rules=rules,
        allowed=[],
        warnings=[Warn(code="no_labels", message=text, questions=3)],
    )


def labels(text: str) -> Labels:
    """Return a label set of that name."""
    return made.labels(name=text, kinds=[text])


def bound(quantity: Quantity, relation: Relation, value: float, *, drop: bool = False) -> str:
    """Return a rule as it prints."""
    return str(BoundRule(quantity, relation, value, drop))


def slices(text: str) -> list[SliceVerdict]:
    """Return one slice of every verdict."""
    words: tuple[RuleWord, ...] = ("fail", "pass", "cannot tell")
    return [
        SliceVerdict(
            field=text,
            value=f"{text}{word}",
            verdict=word,
            observed=wilson(20, 60, level=0.9),
            p=0.001,
            p_holm=0.003,
            questions_needed=None,
        )
        for word in words
    ]


def rule(
    written: str,
    verdict: RuleWord,
    observed: Interval | None,
    *,
    file: str | None = None,
    line: int | None = None,
    reason: str | None = None,
    needed: int | None = None,
    details: list[str] | None = None,
    by: list[SliceVerdict] | None = None,
) -> RuleVerdict:
    """Return the verdict on one rule."""
    return RuleVerdict(
        rule=written,
        file=file,
        line=line,
        drop=written.startswith("drop"),
        observed=observed,
        bound=0.5,
        verdict=verdict,
        whole=verdict,
        reason=reason,
        details=details or [],
        questions_needed=needed,
        by=by or [],
    )
