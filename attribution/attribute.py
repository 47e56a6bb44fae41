"""Attribution: where each question of a run lost its evidence, with shares and rates that carry their intervals."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from attribution import fates
from attribution.agentic import harness_of
from attribution.caveats import attribution_caveats
from attribution.choices import Choices, settle
from attribution.fates import WHOLE, Cell, Rates, SliceKey, Stage
from attribution.results import (
    Attribution,
    BySlice,
    Conditional,
    Fate,
    GroupsPresent,
    Identity,
    Leading,
    Policy,
    Questions,
    StageRecall,
)
from attribution.statistics.proportions import leader_test
from traces.errors import UsageError, near
from traces.runs import require_run
from traces.store import TraceStore


def attribute(store: TraceStore, run_id: str, choices: Choices | None = None) -> Attribution:
    """Say for every question of a run where its evidence was lost, and how that goes with passing.

    Args:
        store: an open store; reading is enough.
        run_id: the run.
        choices: conventions; None for the defaults.

    Returns:
        Counts of answers by fate and outcome, shares, recall per stage and conditional pass rates, each with its n and
        interval, for the whole run and for each value of the fields asked for.

    Raises:
        UsageError: unknown run, label set, judge or field; or several label sets or judges and none named.
    """
    choices = choices or Choices()
    require_run(store, run_id)
    check_fields(store, run_id, choices.by)
    labels, policy = settle(store, run_id, choices)
    values = fates.step_values(run_id, labels.name, policy)
    fates.follow_evidence(store, values, choices.by)
    policy = policy.model_copy(update={"weighted": fates.weights_complete(store, values)})
    values = fates.step_values(run_id, labels.name, policy)
    reader = _Reader(store, run_id, values, policy)
    questions = reader.questions()
    whole = reader.slice(WHOLE)
    found = Attribution(
        run=run_id,
        labels=labels,
        policy=policy,
        questions=questions,
        **whole,
        leading=leading_cause(whole["fates"], level=policy.level),
        groups_present=groups_present(store, values, level=policy.level),
        harness=harness_of(store, run_id, level=policy.level),
        by=[reader.by_slice(key) for key in reader.rates.slices() if key != WHOLE],
        warnings=[],
    )
    return found.model_copy(update={"warnings": attribution_caveats(store, found, values)})


class _Parts(TypedDict):
    passed: Any
    failed: int
    stages: list[StageRecall]
    fates: list[Fate]
    conditional: Conditional
    identity: Identity


class _Reader:
    """Reads the aggregates once and assembles any slice from them."""

    def __init__(self, store: TraceStore, run_id: str, values: Mapping[str, Any], policy: Policy) -> None:
        self.stages = fates.run_stages(store, run_id)
        self.rates = Rates(store, values, level=policy.level)
        self._cells = fates.cells(store, values)
        self._counts = fates.stage_counts(store, values)
        self._questions = fates.slice_questions(store, values)
        self._status = fates.status_counts(store, values)

    def questions(self) -> Questions:
        reasons = ("attributable", "unlabelled", "no_answer", "no_outcome", "unknown_gold", "incomplete_lists")
        counted = {reason: self._status.get(reason, 0) for reason in reasons}
        if counted["attributable"] and self.rates.of(WHOLE, "passed").n == 0:
            counted["no_outcome"] = counted["attributable"]
        answers = sum(cell.answers for cell in self._cells[WHOLE])
        return Questions(total=sum(self._status.values()), repeats=answers, **counted)

    def slice(self, key: SliceKey) -> _Parts:
        found = self._cells.get(key, [])
        conditional = Conditional(
            with_gold=self.rates.of(key, "with_gold"), without_gold=self.rates.of(key, "without_gold")
        )
        return _Parts(
            passed=self.rates.of(key, "passed"),
            failed=sum(cell.answers for cell in found if cell.passed is False),
            stages=[self._stage(key, stage) for stage in self.stages],
            fates=[self._fate(key, position, found) for position in range(len(self.stages) + 1)],
            conditional=conditional,
            identity=self._identity(key, conditional),
        )

    def by_slice(self, key: SliceKey) -> BySlice:
        return BySlice(field=key[0] or "", value=key[1], questions=self._questions[key], **self.slice(key))

    def _stage(self, key: SliceKey, stage: Stage) -> StageRecall:
        recall = self.rates.of(key, "covered", stage.position)
        counts = self._counts.get((key, stage.position), {"appeared_late": 0, "duplicates": 0, "truncated": 0})
        return StageRecall(stage=stage.name, covered=recall.count or 0, recall=recall, cutoff=stage.cutoff, **counts)

    def _fate(self, key: SliceKey, reach: int, found: Sequence[Cell]) -> Fate:
        name, stage = fates.fate_name(reach, self.stages)
        here = [cell for cell in found if cell.reach == reach]
        reasons: dict[str, int] = {}
        for cell in here:
            if cell.reason is not None:
                reasons[cell.reason] = reasons.get(cell.reason, 0) + cell.answers
        return Fate(
            fate=name,
            stage=stage,
            questions=sum(cell.answers for cell in here),
            failed=sum(cell.answers for cell in here if cell.passed is False),
            passed=sum(cell.answers for cell in here if cell.passed),
            share_of_failures=self.rates.of(key, "failures", reach),
            share_of_questions=self.rates.of(key, "questions", reach),
            reasons=reasons,
        )

    def _identity(self, key: SliceKey, conditional: Conditional) -> Identity:
        observed = self.rates.of(key, "passed").estimate
        recall = self.rates.of(key, "questions", len(self.stages)).estimate
        if observed is None or recall is None:
            return Identity(reproduced=None, observed=observed, difference=None)
        reproduced = recall_weighted(recall, conditional.with_gold.estimate, conditional.without_gold.estimate)
        return Identity(
            reproduced=reproduced,
            observed=observed,
            difference=None if reproduced is None else reproduced - observed,
        )


def recall_weighted(recall: float, with_gold: float | None, without_gold: float | None) -> float | None:
    """Return ``recall * with_gold + (1 - recall) * without_gold``; a side without cases must carry no weight.

    >>> recall_weighted(1.0, 0.75, None)
    0.75
    """
    if (with_gold is None and recall > 0) or (without_gold is None and recall < 1):
        return None
    return recall * (with_gold or 0.0) + (1.0 - recall) * (without_gold or 0.0)


def leading_cause(found: Sequence[Fate], *, level: float) -> Leading | None:
    """Compare the largest cause of failure with the second; None with fewer than two causes or no failures."""
    order = sorted(range(len(found)), key=lambda i: -found[i].failed)
    if len(order) < 2 or found[order[0]].failed == 0:
        return None
    first, second = order[:2]
    p = leader_test(found[first].failed, found[second].failed)
    return Leading(first=first, second=second, p=p, separable=p < 1 - level)


def groups_present(store: TraceStore, values: Mapping[str, Any], *, level: float) -> list[GroupsPresent]:
    """Return the pass rate by how many of a question's needs are met in the packed context."""
    rows = store.step(fates.PACKAGES, "groups_present", values, given=fates.KEPT)
    return [
        GroupsPresent(needed=int(needed), present=int(met), passed=fates.rate_of(list(profiles), level=level))
        for (needed, met), profiles in itertools.groupby(rows, key=lambda row: (row["needed"], row["met"]))
        if needed > 1
    ]


def check_fields(store: TraceStore, run_id: str, by: Sequence[str]) -> None:
    """Raise UsageError for a field that no answer of the run carries."""
    known = fields_of(store, run_id) if by else []
    for field in by:
        if field not in known:
            raise UsageError(
                "unknown-field", f"no answer has a field {field!r}", where=f"run {run_id}", hint=near(field, known)
            )


def fields_of(store: TraceStore, run_id: str) -> list[str]:
    """Return the fields that answers of the run can be split by."""
    return [row["field"] for row in store.step(fates.PACKAGES, "fields_of_run", {"run_id": run_id})]
