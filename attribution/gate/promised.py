"""Rules about sealed forecasts: judged by the run as ``forecast verify`` would, with nothing recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attribution.forecasts.stored import find_forecast
from attribution.forecasts.verify import judge
from attribution.gate.reading import Why
from attribution.gate.rules import ForecastRule
from attribution.results import VerdictFound
from attribution.results.gate import RuleWord
from traces.errors import UsageError
from traces.store import TraceStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Whether a forecast keeps a rule, why not, and what to name beside it."""

    verdict: RuleWord
    reason: str | None
    details: list[str]
    needed: int | None


def judge_forecast(store: TraceStore, rule: ForecastRule, run_id: str, *, allow: Sequence[str]) -> Kept:
    """Judge a forecast by a run.

    ``not refuted`` asks for no more than it says, so a forecast that cannot be told keeps it; ``held`` asks for proof.

    Raises:
        UsageError: there is no such forecast, or it was made from this very run.
        InputError: it is not what was sealed.
    """
    sealed = find_forecast(store, rule.name)
    try:
        found = judge(store, sealed, run_id, allow=allow)
    except UsageError as fault:
        if fault.slug != "no-outcomes":
            raise
        return Kept(verdict="cannot tell", reason=Why.no_outcomes, details=[], needed=None)
    refuted = [each.name for each in found.falsifiers if each.verdict == "refuted"]
    details = [f"the forecast is {_told(found)}", *(f"{name} is refuted" for name in refuted)]
    if found.verdict == "refuted":
        return Kept(verdict="fail", reason=None, details=details, needed=None)
    if rule.demand == "not refuted" or found.verdict == "held":
        return Kept(verdict="pass", reason=None, details=details, needed=None)
    open_claims = [each for each in found.falsifiers if each.gates and each.verdict != "held"]
    needs = [each.questions_needed for each in open_claims if each.questions_needed is not None]
    named = [f"{each.name}: {each.verdict}" for each in open_claims]
    return Kept(verdict="cannot tell", reason=None, details=[*details, *named], needed=max(needs, default=None))


def _told(found: VerdictFound) -> str:
    return "one the run cannot tell" if found.verdict == "cannot tell" else found.verdict
