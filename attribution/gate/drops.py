"""Paired differences of a run from its baseline: how far pass rate and recall dropped on the questions of both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from attribution import fates
from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.comparable import check_comparable
from attribution.fates import WHOLE, SliceKey
from attribution.gate.reading import Estimate
from attribution.gate.rules import Quantity
from attribution.paired_runs import keep_places
from attribution.results import Attribution, Warn
from attribution.statistics.allocation import largest_unseen_share
from attribution.statistics.differences import newcombe_paired
from attribution.statistics.interval import Interval
from attribution.statistics.paired_means import paired_mean
from traces.errors import UsageError, near
from traces.store import TraceStore

Row = Mapping[str, Any]
_GIVEN = frozenset({"gate_before", "gate_after"})
_BOTH = """SELECT count(*) AS questions, coalesce(max(b.answers * a.answers), 0) > 1 AS repeated
           FROM (SELECT query_id, max(of_question) AS answers FROM gate_after GROUP BY query_id) AS a
           JOIN (SELECT query_id, max(of_question) AS answers FROM gate_before GROUP BY query_id) AS b
             ON b.query_id = a.query_id"""


@dataclass(frozen=True, slots=True)
class Drops:
    """The answers two runs share, by slice, measure and stage.

    Attributes:
        before: the baseline.
        after: the run.
        level: level of the intervals.
        allowed: differences between the runs that were put up with.
        warnings: what to know before using them.
        rows: kinds of change; of one question where repeats or weights matter.
    """

    before: Attribution
    after: Attribution
    level: float
    allowed: list[str]
    warnings: list[Warn]
    rows: Mapping[tuple[SliceKey, str, str | None], Sequence[Row]]

    def of(self, quantity: Quantity, key: SliceKey = WHOLE) -> Estimate | None:
        """Return how far a quantity dropped; None where the runs share no question.

        Raises:
            UsageError: one of the runs has no such stage.
        """
        stage = None
        if quantity.kind == "recall":
            stage = quantity.stage or self.after.stages[-1].stage
            for run in (self.before, self.after):
                _check_stage(stage, run)
        found = self.rows.get((key, "covered" if stage else "passed", stage))
        return None if not found else _dropped(found, self.level)

    def slices(self) -> list[SliceKey]:
        """Return the slices that both runs have answers in."""
        return list(dict.fromkeys(key for key, _, _ in self.rows if key != WHOLE))


def drops(store: TraceStore, baseline: str, run_id: str, choices: Choices, *, allow: Sequence[str]) -> Drops:
    """Pair a run with its baseline, question by question.

    Outcomes are not needed: without any, recall can still be compared.

    Raises:
        UsageError: as ``attribute``; or labels, judge or pass rule differ and are not allowed.
    """
    sides = {}
    for side, name in (("before", baseline), ("after", run_id)):
        sides[side] = attribute(store, name, choices if side == "after" else replace(choices, by=()))
        keep_places(store, side, sides[side])
        values = fates.step_values(name, sides[side].labels.name, sides[side].policy)
        store.keep_step(fates.PACKAGES, "gate_answers", values, given=fates.KEPT)
        store.connection.execute(f"CREATE OR REPLACE TEMP TABLE gate_{side} AS SELECT * FROM gate_answers")  # noqa: S608 - names are ours
    before, after = sides["before"], sides["after"]
    allowed, warnings = check_comparable(store, before, after, allow)
    (both,) = store.rows(_BOTH)
    clustered = after.policy.weighted or both["repeated"]
    rows: dict[tuple[SliceKey, str, str | None], list[Row]] = defaultdict(list)
    for row in store.step(fates.PACKAGES, "gate_changes", {"clustered": clustered}, given=_GIVEN):
        rows[((row["field"], row["value"]), row["measure"], row["stage"])].append(row)
    left_out = after.questions.attributable - both["questions"]
    if both["questions"] and left_out > 0:
        message = "questions that the baseline has no answer to are left out of every drop"
        warnings = [*warnings, Warn(code="not_in_both", message=message, questions=left_out)]
    return Drops(before, after, choices.level, allowed, warnings, rows)


def unspread(found: Interval) -> Interval:
    """Return a mean of differences with limits that allow for what could have gone unseen where all are alike.

    >>> alike = paired_mean([0.0] * 40, level=0.9)
    >>> found = unspread(alike)
    >>> (alike.lower, alike.upper), round(found.lower, 4), round(found.upper, 4)
    ((0.0, 0.0), -0.0722, 0.0722)
    """
    if found.estimate is None or found.lower is None or found.lower != found.upper:
        return found
    unseen = largest_unseen_share(max(1, int(found.size)), level=(1.0 + found.level) / 2.0)
    lower, upper = (found.estimate + unseen * (end - found.estimate) for end in (-1.0, 1.0))
    return replace(found, lower=lower, upper=upper)


def _check_stage(stage: str, run: Attribution) -> None:
    names = [each.stage for each in run.stages]
    if stage not in names:
        told = f"there is no stage {stage!r} to compare"
        raise UsageError("unknown-stage", told, where=f"run {run.run}", hint=near(stage, names))


def _dropped(rows: Sequence[Row], level: float) -> Estimate:
    if rows[0]["query_id"] is None:
        kinds: Counter[tuple[int, int]] = Counter()
        for row in rows:
            kinds[(row["was"], row["came_out"])] += row["n"]
        cells = (kinds[1, 1], kinds[1, 0], kinds[0, 1], kinds[0, 0])
        return Estimate(
            interval=newcombe_paired(*cells, level=level),
            at=lambda other: newcombe_paired(*cells, level=other),
            questions=sum(cells),
        )
    means, weights = zip(*_by_question(rows), strict=True)

    def at(other: float) -> Interval:
        return unspread(paired_mean(means, weight=weights if len(set(weights)) > 1 else None, level=other))

    return Estimate(interval=at(level), at=at, questions=len(means))


def _by_question(rows: Sequence[Row]) -> Iterator[tuple[float, float]]:
    """Yield the mean drop of every question over its answers, and what they count for."""
    fell: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    weights: dict[str, float] = {}
    for row in rows:
        fell[row["query_id"]] += row["n"] * (row["was"] - row["came_out"])
        asked[row["query_id"]] += row["n"]
        weights[row["query_id"]] = row["weight"]
    for query_id, weight in weights.items():
        yield fell[query_id] / asked[query_id], weight
