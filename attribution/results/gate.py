"""What a gate said of a run: the verdict on every rule, and on the run."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from attribution.results.base import Labels, Policy, Result, Warn
from attribution.statistics.interval import Interval

RuleWord = Literal["pass", "fail", "cannot tell"]
WhenUnsure = Literal["fail", "pass"]


class SliceVerdict(Result):
    """One rule on the answers whose ``field`` has ``value`` (None: not recorded).

    ``p`` is how often a slice right at the bound would come out at least so far short, ``p_holm`` the same among all
    slices of the rule; a slice fails only by the latter.
    """

    field: str
    value: str | None
    verdict: RuleWord
    observed: Interval | None
    p: float | None
    p_holm: float | None
    reason: str | None = None
    questions_needed: int | None


class RuleVerdict(Result):
    """One rule and what became of it.

    Attributes:
        rule: as it prints.
        file: the file it stands in, None for one given by itself.
        line: its line there.
        drop: whether ``observed`` is the baseline less the run.
        observed: what was measured; None where there is nothing to measure, and for a forecast.
        bound: what it must keep; None for a forecast.
        verdict: of the rule: ``fail`` if the whole or any slice fails, else that of the whole.
        whole: the verdict on all answers together.
        reason: why it cannot be told.
        details: what else there is to name.
        questions_needed: how many questions would decide it at the rates seen.
        by: the same for every slice asked for.
    """

    rule: str
    file: str | None
    line: int | None
    drop: bool
    observed: Interval | None
    bound: float | None
    verdict: RuleWord
    whole: RuleWord
    reason: str | None = None
    details: list[str]
    questions_needed: int | None
    by: list[SliceVerdict]


class Gate(Result):
    """The verdict on a run.

    ``verdict`` is ``fail`` if a rule fails, else ``cannot tell`` if one cannot be told, else ``pass``; ``when_unsure``
    is what cannot tell counts as, and ``passed`` what comes of both.
    """

    schema_: Literal["foundlost.gate/1"] = Field(default="foundlost.gate/1", alias="schema")
    run: str
    baseline: str | None
    labels: Labels
    policy: Policy
    verdict: RuleWord
    when_unsure: WhenUnsure
    passed: bool
    rules: list[RuleVerdict]
    allowed: list[str] = Field(description="differences between the runs that were named and allowed")
    warnings: list[Warn]
