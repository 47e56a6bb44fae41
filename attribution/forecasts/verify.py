"""The verdict on a sealed forecast by the run that came after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from attribution.attribute import attribute
from attribution.choices import Choices, choices_of, judges_of
from attribution.forecasts import evidence
from attribution.forecasts.judging import Evidence
from attribution.forecasts.record import not_stored
from attribution.forecasts.sealed import canonical, read_exported
from attribution.forecasts.stored import find_forecast, verdicts_on
from attribution.forecasts.verdict import about_error, error_of, falsifier_verdicts, overall, worth_of
from attribution.paired_runs import PairedRuns, pair_runs
from attribution.pairs import CELLS
from attribution.results import (
    Forecast,
    Sealed,
    VerdictFound,
    Warn,
)
from traces import forecasts as ledger
from traces.chain import FORECASTS, VERDICTS
from traces.errors import InputError, UsageError
from traces.store import TraceStore

WHAT = ("pass", "with gold", "without")
ALLOWED = ("labels", "judge", "rule", "questions")


def verify(
    store: TraceStore, name: str, after: str, *, file: Path | None = None, allow: Sequence[str] = ()
) -> VerdictFound:
    """Judge a forecast by a later run, and record the verdict.

    Args:
        store: open for writing; it holds both runs.
        name: the forecast.
        after: the run that came after the fix, with outcomes.
        file: the exported forecast, where it is to be taken from there and not from the store.
        allow: differences to put up with: ``labels``, ``judge``, ``rule``, ``questions``; named in the verdict.

    Returns:
        The verdict of every falsifier and of the forecast, and the exact split of its error. Asked twice, the same
        answer comes back and is recorded once.

    Raises:
        UsageError: unknown forecast or run, no outcomes, or a difference that is not allowed.
        InputError: the forecast or a verdict on it is not what was sealed, the run before is no longer what it was, or
            the clock is wrong.
    """
    with store.transaction():
        sealed = _find(store, name, file)
        before = verdicts_on(store, sealed)
        previous = ledger.last_seal(store, VERDICTS)
        found = judge(store, sealed, after, allow=allow)
        notes = _about_file(store, sealed)
        found = found.model_copy(update={"previous": previous, "warnings": [*notes, *found.warnings]})
        for each in before:
            if _content(each) == _content(found):
                return each.model_copy(update={"new": False})
        ledger.add_sealed(
            store,
            VERDICTS,
            name=name,
            sealed_at=found.verified_at,
            previous=previous,
            body=canonical(found.to_dict()),
        )
    return found


def judge(store: TraceStore, sealed: Sealed, after: str, *, allow: Sequence[str] = ()) -> VerdictFound:
    """Judge a forecast by a later run; as `verify`, but nothing is recorded."""
    forecast = sealed.forecast
    _check_allowed(allow)
    if after == forecast.run:
        raise UsageError("same-run", "a forecast cannot be judged by the run it was made from", where=f"run {after}")
    choices = choices_of(forecast.labels, forecast.policy)
    choices = replace(choices, judge=_judge_of(store, forecast.run, choices.judge))
    allowed = [*_check_before(store, forecast, choices, allow)]
    paired = pair_runs(
        store,
        forecast.run,
        after,
        choices,
        choices_after=replace(choices, judge=_judge_of(store, after, choices.judge)),
        allow=[each for each in allow if each != "questions"],
    )
    pairs = paired.pairs
    if pairs is None:
        raise UsageError(
            "different-questions", "the runs share no question", where=f"runs {forecast.run} and {after}",
            hint="verify by a run on the questions the forecast was made for",
        )  # fmt: skip
    allowed += _check_questions(paired, allow) + paired.allowed
    shown = Evidence(
        forecast=forecast,
        paired=paired,
        pairs=pairs,
        setting=evidence.setting_of(store, paired.after),
        unjudged=evidence.unjudged_at_end(store, paired.after),
        audited=evidence.audited(store, paired.after),
    )
    verdicts = falsifier_verdicts(shown)
    error = error_of(forecast, pairs)
    beyond = abs(error.total) > forecast.budget
    passed = pairs.passed()
    since = ledger.outcomes_since(store, after)
    before_the_fact = since is None or forecast.sealed_at.replace(tzinfo=None) <= since
    return VerdictFound(
        forecast=forecast.name,
        sha256=sealed.sha256,
        run=forecast.run,
        after=after,
        verified_at=ledger.now(store),
        previous=None,
        before_the_fact=before_the_fact,
        verdict=overall(verdicts, beyond=beyond),
        questions=paired.questions,
        forecast_pass=forecast.projection,
        expected_pass=forecast.next_run.same_questions,
        observed_pass=passed.after,
        recall_forecast=forecast.recall_target,
        recall_observed=shown.recall,
        cells={cell: sum(pair.n for pair in pairs.rows if pair.cell == cell) for cell in CELLS},
        falsifiers=verdicts,
        error=error,
        worth_it=worth_of(forecast, passed.difference),
        new=True,
        allowed=sorted(set(allowed)),
        warnings=[
            *_about_time(forecast, after, before_the_fact),
            *about_error(forecast, error, verdicts, beyond=beyond),
            *paired.warnings,
        ],
    )


def _find(store: TraceStore, name: str, file: Path | None) -> Sealed:
    if file is None:
        return find_forecast(store, name)
    sealed = read_exported(file)
    if sealed.forecast.name != name:
        raise InputError("not-a-forecast", f"the file holds the forecast '{sealed.forecast.name}'", where=file.name)
    if any(row.name == name and row.sha256 != sealed.sha256 for row in ledger.sealed_rows(store, FORECASTS)):
        raise InputError(
            "forecast-tampered", f"the store holds another forecast '{name}' than the file", where=file.name,
            hint="one of the two is not what was sealed first; compare their times with the repository's history",
        )  # fmt: skip
    return sealed


def _content(found: VerdictFound) -> str:
    """A verdict without the moment it was given, and the verdict that was given before it."""
    return canonical(found.to_dict() | {"verified_at": None, "previous": None})


def _check_allowed(allow: Sequence[str]) -> None:
    for word in allow:
        if word not in ALLOWED:
            raise UsageError("bad-option", f"--allow takes {', '.join(ALLOWED)}, not {word!r}")


def _check_before(store: TraceStore, forecast: Forecast, choices: Choices, allow: Sequence[str]) -> list[str]:
    """Refuse to judge where the run before is no longer what was sealed: its answers, their weights, or their gold."""
    run = attribute(store, forecast.run, choices)
    counts = [(rate.n, rate.count) for rate in (run.passed, run.conditional.with_gold, run.conditional.without_gold)]
    sealed = [(rate.n, rate.count) for rate in (forecast.passed, forecast.with_gold, forecast.without_gold)]
    differing = f": {_told(counts)} now, {_told(sealed)} then" if counts != sealed else ""
    if evidence.gold_fingerprint(store, run) != forecast.gold_sha256:
        if "labels" in allow:
            return ["labels"]
        raise InputError(
            "run-changed",
            f"the gold of its questions, or where it was found, is not what was sealed{differing}",
            where=f"run {forecast.run}",
            hint="labels or lists were added since; say --allow labels to judge by what is there now",
        )
    if evidence.answers_fingerprint(store, run) != forecast.answers_sha256:
        raise InputError(
            "run-changed",
            f"its answers, their outcomes or the weights of its questions are not what was sealed{differing}",
            where=f"run {forecast.run}",
            hint="put them back as they were, or seal a new forecast by what is there now",
        )
    return []


def _told(counts: Sequence[tuple[int, int | None]]) -> str:
    return ", ".join(f"{count} of {n} {what}" for (n, count), what in zip(counts, WHAT, strict=True))


def _judge_of(store: TraceStore, run: str, judge: str | None) -> str | None:
    """Return whose outcomes of a run count: the judge there was when the forecast was sealed, be it one without a name.

    Where he gave none it is who there is; that the judges differ is found when the runs are compared.
    """
    wanted = judge or ""
    return wanted if wanted in judges_of(store, run) else None


def _check_questions(paired: PairedRuns, allow: Sequence[str]) -> list[str]:
    if not paired.only_before:
        return []
    if "questions" in allow:
        return ["questions"]
    raise UsageError(
        "different-questions",
        f"{paired.only_before} of {paired.only_before + paired.questions} questions of run {paired.before.run} have no "
        "outcome in the run that came after",
        where=f"run {paired.after.run}",
        hint="say --allow questions to judge by the rest",
    )


def _about_file(store: TraceStore, sealed: Sealed) -> list[Warn]:
    """Say of a forecast that came from a file if the store never sealed it."""
    if any(row.sha256 == sealed.sha256 for row in ledger.sealed_rows(store, FORECASTS)):
        return []
    return [not_stored(sealed.forecast.name)]


def _about_time(forecast: Forecast, after: str, before_the_fact: bool) -> list[Warn]:
    if before_the_fact:
        return []
    message = (
        f"outcomes of run {after} were in the store before the forecast was sealed on {forecast.sealed_at:%Y-%m-%d}: "
        "this tests the arithmetic, and does not count in the record"
    )
    return [Warn(code="sealed_after_the_fact", message=message)]
