"""The verdict of a gate: every rule on a run and on its slices, and what comes of them."""

from __future__ import annotations

from collections.abc import Sequence

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.fates import WHOLE
from attribution.gate.drops import Drops, drops
from attribution.gate.measured import estimate_of, missing, rate_of, read_whole, without_failures
from attribution.gate.promised import judge_forecast
from attribution.gate.quality import Found, metric_estimates
from attribution.gate.reading import Estimate, Reading, Why, read_all, read_one
from attribution.gate.rules import Asked, BoundRule, ForecastRule
from attribution.results import Attribution, Warn
from attribution.results.gate import Gate, RuleVerdict, RuleWord, SliceVerdict, WhenUnsure
from attribution.statistics.interval import Interval
from traces.errors import UsageError
from traces.runs import require_run
from traces.store import TraceStore

LEVEL = 0.9
"""Level whose limits err once in twenty on either side, as those of a forecast's falsifiers do."""


def gate(
    store: TraceStore,
    run_id: str,
    rules: Sequence[Asked],
    *,
    baseline: str | None = None,
    choices: Choices | None = None,
    allow: Sequence[str] = (),
    when_unsure: WhenUnsure = "fail",
) -> Gate:
    """Judge a run by rules.

    Args:
        store: an open store; reading is enough, and nothing is recorded.
        run_id: the run.
        rules: the rules, at least one.
        baseline: the run that drops are from.
        choices: conventions; None for the defaults at level .9. ``by`` also judges every rule about a rate by slice.
        allow: differences from the baseline to put up with, as in ``compare``; or, for forecasts, as in ``verify``.
        when_unsure: what a rule that cannot be told counts as.

    Raises:
        UsageError: as ``attribute``; a drop without a baseline; an unknown stage, metric or forecast; or runs judged
            otherwise than each other.
        InputError: a forecast is not what was sealed.
    """
    choices = choices or Choices(level=LEVEL)
    _check(store, run_id, baseline, rules)
    judge = _Judge(store, run_id, baseline, rules, choices, allow)
    verdicts = [judge.verdict(asked) for asked in rules]
    words = {each.verdict for each in verdicts}
    verdict: RuleWord = "fail" if "fail" in words else "cannot tell" if "cannot tell" in words else "pass"
    return Gate(
        run=run_id,
        baseline=baseline,
        labels=judge.found.labels,
        policy=judge.found.policy,
        verdict=verdict,
        when_unsure=when_unsure,
        passed=verdict == "pass" or (verdict == "cannot tell" and when_unsure == "pass"),
        rules=verdicts,
        allowed=[] if judge.drops is None else judge.drops.allowed,
        warnings=judge.warnings(),
    )


def _check(store: TraceStore, run_id: str, baseline: str | None, rules: Sequence[Asked]) -> None:
    require_run(store, run_id)
    if not rules:
        raise UsageError("no-rules", "there is no rule to judge by", hint="give --rule or --rules FILE")
    if baseline is not None:
        require_run(store, baseline)
        if baseline == run_id:
            raise UsageError("same-run", "a run cannot be its own baseline", where=f"run {run_id}")
        return
    for asked in rules:
        if isinstance(asked.rule, BoundRule) and asked.rule.drop:
            told = f"'{asked.rule}' is a drop from a baseline, and none is named"
            where = None if asked.file is None else f"{asked.file}:{asked.line}"
            raise UsageError("no-baseline", told, where=where, hint="give --baseline RUN")


class _Judge:
    """Measures once what all rules need, and judges each."""

    def __init__(
        self,
        store: TraceStore,
        run_id: str,
        baseline: str | None,
        rules: Sequence[Asked],
        choices: Choices,
        allow: Sequence[str],
    ) -> None:
        self._store, self._run, self._choices, self._allow = store, run_id, choices, allow
        bounds = [asked.rule for asked in rules if isinstance(asked.rule, BoundRule)]
        paired = [rule for rule in bounds if rule.drop and rule.quantity.kind != "metric"]
        self.drops: Drops | None = None
        if paired and baseline is not None:
            # Who judged, and by which rule, is nothing to recall.
            of_pass = any(rule.quantity.kind == "pass" for rule in paired)
            put_up = [word for word in allow if word != "questions"] + ([] if of_pass else ["judge", "rule"])
            self.drops = drops(store, baseline, run_id, choices, allow=put_up)
        self.found: Attribution = attribute(store, run_id, choices) if self.drops is None else self.drops.after
        about_metrics = [rule for rule in bounds if rule.quantity.kind == "metric"]
        self._metrics: Found = {}
        self._metric_warnings: list[Warn] = []
        if about_metrics:
            self._metrics, self._metric_warnings = metric_estimates(store, run_id, baseline, about_metrics, choices)
        self._whole_only = bool(choices.by) and (bool(about_metrics) or len(bounds) < len(rules))
        self._idle_baseline = baseline is not None and not any(rule.drop for rule in bounds)

    def warnings(self) -> list[Warn]:
        """Return what to know before using the verdicts, each thing once."""
        found = [*self.found.warnings, *([] if self.drops is None else self.drops.warnings), *self._metric_warnings]
        if self._whole_only:
            message = "rules about metrics and forecasts are judged on the whole run only"
            found.append(Warn(code="whole_run_only", message=message))
        if self._idle_baseline:
            found.append(
                Warn(code="baseline_unused", message="a baseline is named, and no rule is about a drop from it")
            )
        return list({(warn.code, warn.message): warn for warn in found}.values())

    def verdict(self, asked: Asked) -> RuleVerdict:
        """Return the verdict on one rule."""
        rule = asked.rule
        if isinstance(rule, ForecastRule):
            kept = judge_forecast(self._store, rule, self._run, allow=self._allow)
            return RuleVerdict(
                rule=str(rule), file=asked.file, line=asked.line, drop=False, observed=None, bound=None,
                verdict=kept.verdict, whole=kept.verdict, reason=kept.reason, details=kept.details,
                questions_needed=kept.needed, by=[],
            )  # fmt: skip
        observed, reading = self._whole(rule)
        by = [] if rule.quantity.kind == "metric" else self._slices(rule)
        verdict: RuleWord = "fail" if any(each.verdict == "fail" for each in by) else reading.verdict
        return RuleVerdict(
            rule=str(rule), file=asked.file, line=asked.line, drop=rule.drop, observed=observed, bound=rule.bound,
            verdict=verdict, whole=reading.verdict, reason=reading.reason, details=[],
            questions_needed=reading.needed, by=by,
        )  # fmt: skip

    def _whole(self, rule: BoundRule) -> tuple[Interval | None, Reading]:
        if rule.quantity.kind == "metric":
            found = self._metrics[str(rule)]
        elif self.drops is None or not rule.drop:
            return read_whole(rule, self.found)
        else:
            found = self._dropped(rule, self.drops)
        if isinstance(found, Why):
            return None, Reading(verdict="cannot tell", reason=found)
        return found.interval, read_one(found, rule.relation, rule.bound)

    def _dropped(self, rule: BoundRule, pairs: Drops) -> Estimate | Why:
        for run in (pairs.before, pairs.after):
            nothing = missing(rule, run)
            if nothing is not None and nothing.reason is not None:
                return nothing.reason
        return pairs.of(rule.quantity) or Why.no_shared

    def _slices(self, rule: BoundRule) -> list[SliceVerdict]:
        """Return the verdict on every slice; those without a case, or without a failure to share out, say so."""
        measured: dict[tuple[str | None, str | None], Estimate | Reading] = {}
        if rule.drop and self.drops is not None:
            for key in self.drops.slices():
                measured[key] = self.drops.of(rule.quantity, key) or Reading(
                    verdict="cannot tell", reason=Why.no_shared
                )
        elif missing(rule, self.found) is None:
            for part in self.found.by:
                rate = rate_of(rule.quantity, part, self._run)
                measured[part.field, part.value] = without_failures(rule, part) or estimate_of(rate, part.questions)
        tried = {key: each for key, each in measured.items() if isinstance(each, Estimate) and key != WHOLE}
        read = dict(zip(tried, read_all(list(tried.values()), rule.relation, rule.bound), strict=True))
        return [
            _of_slice(key, each.interval if isinstance(each, Estimate) else None, read.get(key) or each)
            for key, each in measured.items()
        ]


def _of_slice(
    key: tuple[str | None, str | None], observed: Interval | None, reading: Reading | Estimate
) -> SliceVerdict:
    if isinstance(reading, Estimate):
        msg = f"the slice {key} was measured and not read"
        raise TypeError(msg)
    return SliceVerdict(
        field=key[0] or "",
        value=key[1],
        verdict=reading.verdict,
        observed=observed,
        p=reading.p,
        p_holm=reading.p_holm,
        reason=reading.reason,
        questions_needed=reading.needed,
    )
