"""Two runs compared: transition cells, the exact split of the change, and what each stage contributed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from attribution.results.base import FateName, Labels, Policy, Result, Warn
from attribution.results.metrics import MetricChange
from attribution.statistics.interval import Interval

CellName = Literal["retained", "recovered", "lost", "still_missing"]


class PassChange(Result):
    """Pass rate of both runs on the shared questions, and their difference.

    ``p_mcnemar_midp`` is None where repeats or weights make answers dependent; ``p_sign_flip`` then stands in for it.
    """

    before: Interval
    after: Interval
    difference: Interval
    p_mcnemar_midp: float | None
    p_sign_flip: float | None


class TransitionCell(Result):
    """Answers by gold before and after. ``contribution`` is the cell's part of the change of the pass rate."""

    cell: CellName
    n: int
    passed_before: int
    passed_after: int
    contribution: float
    interval: Interval


class StageChange(Result):
    """What one fate contributed: its share of failing answers before, less after. The intervals hold all at once."""

    fate: FateName
    stage: str | None
    contribution: Interval


class CancellationFound(Result):
    """Whether stages moved against each other; ``index`` is description only and decides nothing."""

    flag: bool
    gross: float
    net: float
    index: float | None


class Churn(Result):
    """Answers that changed side, shown and not netted."""

    gained_gold: int
    lost_gold: int
    gained_pass: int
    lost_pass: int


class UnpairedSplit(Result):
    """The change between runs on different questions: moved by recall (composition), and by the two pass rates.

    Every part is undefined where one of the rates has no case in one of the runs.
    """

    method: Literal["kitagawa"] = "kitagawa"
    composition: Interval
    rate_with_gold: Interval
    rate_without_gold: Interval


class Replayed(Result):
    """A run's questions by gold before and after, where retrieval alone was run again; no outcome after is needed.

    Attributes:
        questions: questions with an outcome before that the replay has whole lists for.
        missing: questions with an outcome before that it has none for.
        extra: questions with gold that only the replay asked.
        recall: recall at the last stage to reckon with; missing questions are taken to stay as they are.
        retained: answers by cell, as are the next three.
        recovered: gold arrives by the replay only.
        lost: gold arrived before only.
        still_missing: gold arrives in neither.
        recovered_before: pass rate, before the fix, of those the replay recovers.
        still_missing_before: that of those it leaves without.
    """

    questions: int
    missing: int
    extra: int
    recall: Interval
    retained: int
    recovered: int
    lost: int
    still_missing: int
    recovered_before: Interval
    still_missing_before: Interval


class Comparison(Result):
    """Two runs on the same questions, paired; or, on different ones, the split of the change that this allows."""

    schema_: Literal["foundlost.comparison/1"] = Field(default="foundlost.comparison/1", alias="schema")
    before: str
    after: str
    labels: Labels
    policy: Policy
    questions: int
    answers: int
    passed: PassChange = Field(alias="pass")
    cells: list[TransitionCell]
    change: float
    stages: list[StageChange]
    cancellation: CancellationFound | None
    churn: Churn | None
    split: UnpairedSplit | None
    metrics: list[MetricChange] = Field(description="retrieval metrics of after less before, on the questions of both")
    allowed: list[str] = Field(description="differences between the runs that were named and allowed")
    warnings: list[Warn]
