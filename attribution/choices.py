"""What the caller chooses, and what follows where the caller leaves it open: label set, judge, requirement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from attribution.results import Labels, Policy
from traces.errors import UsageError, near
from traces.hits import INLINE
from traces.store import TraceStore

JUDGED_AGAIN = frozenset({"judged_again"})
"""The step that choosing labels leaves behind as a table, for the label set it chose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The conventions of one attribution, as the caller states them.

    Attributes:
        labels: label set; None for the run's inline gold, else the only set that judges its questions.
        min_grade: lowest grade that counts as gold.
        require: ``any`` gold document is enough, or ``all`` are needed; None for one of each labelled evidence group.
        truncated: whether a truncated piece of a gold document counts as ``lost`` or ``kept``.
        level: confidence level of every interval.
        judge: whose outcomes count; None where only one judge gave them.
        by: fields to split by, each on its own: ``intent`` or the name of a tag.
    """

    labels: str | None = None
    min_grade: float = 1.0
    require: Literal["any", "all"] | None = None
    truncated: Literal["lost", "kept"] = "lost"
    level: float = 0.95
    judge: str | None = None
    by: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not 0.5 <= self.level < 1:
            raise UsageError("bad-level", f"the level must be at least .5 and below 1, not {self.level}")
        if not math.isfinite(self.min_grade):
            raise UsageError("bad-grade", f"the lowest grade must be a number, not {self.min_grade}")


def choices_of(labels: Labels, policy: Policy) -> Choices:
    """Return the choices that lead to the same label set and policy again."""
    return Choices(
        labels=labels.name,
        min_grade=policy.min_grade,
        require="any" if policy.require == "any" else "all" if policy.require == "all" else None,
        truncated=policy.truncated,
        level=policy.level,
        judge=policy.judge,
    )


def choose_labels(store: TraceStore, run_id: str, wanted: str | None) -> Labels:
    """Return the label set to use for a run.

    Raises:
        UsageError: the named set does not exist, or several sets judge the run's questions and none is named.
    """
    sets = [row["label_set"] for row in store.step(("attribution",), "label_sets_of_run", {"run_id": run_id})]
    if wanted is not None:
        known = [row["label_set"] for row in store.rows("SELECT DISTINCT label_set FROM label_sets ORDER BY label_set")]
        if wanted not in known or (wanted == INLINE and INLINE not in sets):
            raise UsageError("unknown-labels", f"there is no label set {wanted!r}", hint=near(wanted, known))
        return _described(store, run_id, wanted)
    if INLINE in sets:
        return _described(store, run_id, INLINE)
    if len(sets) > 1:
        raise UsageError(
            "several-labels",
            f"several label sets judge this run's questions: {', '.join(sets)}",
            where=f"run {run_id}",
            hint="name one with --labels",
        )
    return _described(store, run_id, sets[0] if sets else None)


def _described(store: TraceStore, run_id: str, name: str | None) -> Labels:
    values = {"run_id": run_id, "label_set": name or ""}
    store.keep_step(("traces", "attribution"), "judged_again", values)
    (row,) = store.step(("traces", "attribution"), "label_facts", values, given=JUDGED_AGAIN)
    kinds = store.step(("attribution",), "label_kinds", values)
    return Labels(
        name=name,
        version=row["version"],
        kinds=[kind["kind"] for kind in kinds],
        questions=row["questions"],
        judgments=row["judgments"],
        annotators=row["annotators"],
        conflicts=row["conflicts"],
        oldest=row["oldest"],
        newest=row["newest"],
    )


def choose_judge(store: TraceStore, run_id: str, wanted: str | None) -> str | None:
    """Return whose outcomes count: None where there is but one judge and no name, ``''`` for the unnamed of several.

    Raises:
        UsageError: the named judge gave none and another did, or several judges did and none is named.
    """
    judges = judges_of(store, run_id)
    # A run without outcomes, such as a replay of retrieval, has no judge to be mistaken for another.
    if wanted is not None and judges and wanted not in judges:
        known = [judge or "(unnamed)" for judge in judges]
        raise UsageError(
            "unknown-judge", f"no outcome by judge {wanted!r}", where=f"run {run_id}", hint=near(wanted, known)
        )
    if wanted is None and len(judges) > 1:
        names = ", ".join(judge or "(unnamed)" for judge in judges)
        raise UsageError(
            "several-judges",
            f"several judges gave outcomes: {names}",
            where=f"run {run_id}",
            hint="name one with --judge",
        )
    # The only judge needs no name to be picked, and may have none.
    return wanted if len(judges) > 1 else (judges[0] or None) if judges else None


def judges_of(store: TraceStore, run_id: str) -> list[str]:
    """Return who gave outcomes in a run, in the order of their names; ``''`` is one without a name."""
    found = store.rows(
        """SELECT DISTINCT coalesce(judge, '') AS judge FROM outcomes
           WHERE run_id = $run AND passed IS NOT NULL ORDER BY 1""",
        {"run": run_id},
    )
    return [row["judge"] for row in found]


def settle(store: TraceStore, run_id: str, choices: Choices) -> tuple[Labels, Policy]:
    """Turn choices into the label set and the policy that every number is computed and printed with."""
    labels = choose_labels(store, run_id, choices.labels)
    judge = choose_judge(store, run_id, choices.judge)
    values = {"run_id": run_id, "label_set": labels.name or ""}
    (facts,) = store.step(("traces", "attribution"), "requirement_facts", values)
    require: Literal["any", "groups", "all"] = choices.require or ("groups" if facts["grouped"] else "any")
    policy = Policy(
        min_grade=choices.min_grade,
        require=require,
        truncated=choices.truncated,
        level=choices.level,
        weighted=False,  # known once it is known which questions are attributable
        judge=judge,
    )
    return labels, policy
