"""Sealing: from a run, and a recall that a fix is to reach, to a forecast that can no longer be changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.forecasts import evidence
from attribution.forecasts.budget import ASSUMED_FLIPS, Stakes, settle_budget
from attribution.forecasts.expected import expected_cells, target_ends
from attribution.forecasts.falsifiers import FALSIFIERS
from attribution.forecasts.judging import WATCHED
from attribution.forecasts.sealed import canonical, seal_of
from attribution.project import project
from attribution.results import (
    BudgetSource,
    ChurnMeasured,
    Forecast,
    Projection,
    Sealed,
    Warn,
)
from attribution.statistics.rerun import answers_each
from traces import forecasts as ledger
from traces.chain import FORECASTS
from traces.errors import UsageError, near
from traces.runs import checked_name
from traces.store import TraceStore

CHANGEABLE = ("model", "prompt", "index", "stages")
UNJUDGED_LIMIT = 0.05
"""Unjudged documents may become this much more frequent at the last stage before real recoveries may go unseen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a forecast is sealed with beside its recall.

    Attributes:
        margin: error budget, how far the pass rate may be off; None to take it from the gain.
        min_gain: smallest gain worth having.
        baseline_repeat: a second run of the unchanged build, which measures churn.
        unjudged_limit: how much more frequent unjudged documents may become at the last stage.
        changes: what the fix changes on purpose beside retrieval: ``model``, ``prompt``, ``index``, ``stages``.
        revises: the forecast this one revises.
    """

    margin: float | None = None
    min_gain: float | None = None
    baseline_repeat: str | None = None
    unjudged_limit: float = UNJUDGED_LIMIT
    changes: Sequence[str] = ()
    revises: str | None = None

    def __post_init__(self) -> None:
        for name in self.changes:
            if name not in CHANGEABLE:
                kept = "judge and pass rule must stay" if name in WATCHED else f"it takes {', '.join(CHANGEABLE)}"
                raise UsageError("bad-option", f"--changes does not take {name!r}: {kept}")
        if not 0.0 <= self.unjudged_limit <= 1.0:
            raise UsageError("bad-margin", f"--unjudged-limit lies between 0 and 1, not {self.unjudged_limit}")


def seal(
    store: TraceStore,
    run_id: str,
    name: str,
    *,
    recall: float | None = None,
    recall_range: tuple[float, float] | None = None,
    recall_from: str | None = None,
    recovered_pass: float | None = None,
    use_oracle: bool = True,
    choices: Choices | None = None,
    terms: Terms | None = None,
) -> Sealed:
    """Seal what a retrieval fix should do to a run, and what would prove that wrong.

    Args:
        store: open for writing.
        run_id: the run before the fix, with outcomes.
        name: what the forecast is called; names are used once.
        recall: recall the fix reaches; or else
        recall_range: the lowest and highest; or else
        recall_from: a replay that has shown it.
        recovered_pass: pass rate of recovered questions, where it is known to differ from that with gold.
        use_oracle: whether answers of an oracle experiment stand in for that rate.
        choices: conventions, as in ``attribute``.
        terms: budget, churn, and what else is sealed.

    Returns:
        The forecast with its seal, as it is stored.

    Raises:
        UsageError: as ``project``; the name is taken; a claim lacks power; or the repeat is none.
        InputError: the clock is behind the store.
    """
    terms, choices = terms or Terms(), replace(choices or Choices(), by=())
    with store.transaction():
        _check_names(store, name, terms.revises)
        before = ledger.last_seal(store, FORECASTS)
        found = project(
            store,
            run_id,
            recall=recall,
            recall_range=recall_range,
            recall_from=recall_from,
            choices=choices,
            min_gain=terms.min_gain,
            recovered_pass=recovered_pass,
            use_oracle=use_oracle,
            baseline_repeat=terms.baseline_repeat,
        )
        sealed = seal_of(_forecast(store, name, found, choices, terms, before))
        ledger.add_sealed(
            store,
            FORECASTS,
            name=name,
            sealed_at=sealed.forecast.sealed_at,
            previous=before,
            body=canonical(sealed.forecast.to_dict()),
        )
    return sealed


def _check_names(store: TraceStore, name: str, revises: str | None) -> None:
    """Refuse a name that is taken, and a revision of nothing."""
    checked_name(name, "forecast")
    names = [row.name for row in ledger.sealed_rows(store, FORECASTS)]
    if name in names:
        hint = f"seal a revision under another name with --revises {name}"
        raise UsageError("forecast-sealed", f"the forecast '{name}' is sealed and stays as it is", hint=hint)
    if revises is not None and revises not in names:
        raise UsageError("unknown-forecast", f"there is no forecast '{revises}' to revise", hint=near(revises, names))


def _forecast(
    store: TraceStore, name: str, found: Projection, choices: Choices, terms: Terms, previous: str | None
) -> Forecast:
    expected = expected_cells(found)
    churn = found.next_run.churn_measured
    run = attribute(store, found.run, choices)
    low, high = target_ends(found)
    stakes = Stakes(
        recall=found.recall,
        recall_target=(low + high) / 2.0,
        with_gold=found.with_gold,
        without_gold=found.without_gold,
        recovered_rate=found.recovered.rate,
        expected=expected,
        churn=churn,
        answers_each=answers_each(found.recall, answers=found.passed.n, questions=run.questions.attributable),
    )
    budget, source = settle_budget(stakes, found.gain, stated=terms.margin, min_gain=terms.min_gain)
    forecast = Forecast(
        name=name,
        revises=terms.revises,
        sealed_at=ledger.now(store),
        version=version("foundlost"),
        previous=previous,
        run=found.run,
        setting=evidence.setting_of(store, run),
        labels=found.labels,
        gold_sha256=evidence.gold_fingerprint(store, run),
        answers_sha256=evidence.answers_fingerprint(store, run),
        policy=found.policy,
        questions=run.questions.attributable,
        answers=found.passed.n,
        recall=found.recall,
        first_stage_recall=run.stages[0].recall,
        with_gold=found.with_gold,
        without_gold=found.without_gold,
        passed=found.passed,
        unjudged=evidence.unjudged_at_end(store, run),
        recall_target=(low, high),
        recall_from=found.recall_from,
        recovered_rate=found.recovered.rate,
        recovered_source=found.recovered.source,
        projection=found.projection,
        gain=found.gain,
        next_run=found.next_run,
        expected=expected,
        min_gain=terms.min_gain,
        detectable=found.detectable,
        budget=budget,
        budget_source=source,
        churn=churn,
        assumed_flips=None if churn is not None else ASSUMED_FLIPS,
        unjudged_limit=terms.unjudged_limit,
        changes=sorted(set(terms.changes)),
        falsifiers=[],
        warnings=[*_about_budget(found, terms.min_gain, budget, source, churn), *found.warnings],
    )
    powers = stakes.powers(budget)
    sealed = [falsifier.sealed(forecast, powers) for falsifier in FALSIFIERS]
    return forecast.model_copy(update={"falsifiers": sealed})


def _about_budget(
    found: Projection, min_gain: float | None, budget: float, source: BudgetSource, churn: ChurnMeasured | None
) -> list[Warn]:
    notes = []
    worth = abs(found.gain.estimate or 0.0)
    if min_gain is not None and (found.gain.estimate or 0.0) < min_gain:
        message = f"the gain of {found.gain.estimate or 0.0:.4f} is below the least worth having, {min_gain:.4f}"
        notes.append(Warn(code="below_min_gain", message=message))
    if budget >= worth:
        why = "the least that can be confirmed" if source == "least with power" else "as stated"
        message = (
            f"the error budget {budget:.4f}, {why}, is no less than the gain {worth:.4f} itself: this set can refute "
            "the forecast, but that it holds would not show a gain"
        )
        notes.append(Warn(code="budget_above_gain", message=message))
    elif source == "least with power":
        message = f"half of the gain cannot be confirmed with these questions; the error budget is {budget:.4f} instead"
        notes.append(Warn(code="budget_widened", message=message))
    if churn is None:
        message = (
            f"power of the retained claim takes {ASSUMED_FLIPS:.2f} of answers to flip by themselves: none measured"
        )
        notes.append(Warn(code="flips_assumed", message=message))
    return notes
