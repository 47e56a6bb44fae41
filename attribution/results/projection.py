"""The projection of a fix and all that bears on it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from attribution.results.base import FateName, Labels, Policy, Result, Warn
from attribution.results.comparison import Replayed
from attribution.statistics.interval import Interval


class RequiredRecall(Result):
    """The recall a target pass rate asks for. ``upper_open`` says that even full recall may fall short of it."""

    target: float
    estimate: float | None
    lower: float | None
    upper: float | None
    upper_open: bool
    attainable: bool | None
    reason: str | None = None


class Discount(Result):
    """The projection if recovered questions pass ``kappa`` of the way down from the with-gold to the no-gold rate."""

    kappa: float
    projection: float | None
    gain: float | None
    probability: float | None = Field(default=None, description="P(gain >= min_gain | kappa); None without min_gain")


class Sensitivity(Result):
    """How far the untested assumption may fail before the fix is not worth ``min_gain``."""

    bounds: tuple[float, float] | None
    discounts: list[Discount]
    min_gain: float | None = None
    tipping_recovered_pass: float | None = None
    tipping_discount: float | None = None
    safe_discount: float | None = Field(
        default=None, description="largest kappa at which min_gain is reached with probability .95"
    )


class RemovableStage(Result):
    """One fate's share of the failures, and the share of failures a perfect stage would remove."""

    fate: FateName
    stage: str | None
    located: Interval
    removable: Interval


class StandardisedIntent(Result):
    """One stratum of the standardised projection: ``borrowed`` a pooled rate for an empty cell, ``thin`` few cases."""

    value: str | None
    weight: float
    share_of_missing: float
    with_gold: float | None
    without_gold: float | None
    borrowed: bool
    thin: bool


class Standardised(Result):
    """The projection with each intent's own rates, weighted by where the missing questions are."""

    projection: Interval
    composition_gap: float | None
    by: list[StandardisedIntent]


class ChurnMeasured(Result):
    """How many answers flip when nothing changes, from a second run of the unchanged build."""

    run: str
    answers: int
    flips: int
    rate: float


class NextRun(Result):
    """Where the pass rate of one more run may land.

    ``same_questions`` needs the share of answers that flip when nothing changes (``churn``), which a second run of the
    unchanged build measures; without one it is unknown and 0 is assumed, which makes the range too narrow.
    """

    same_questions: Interval
    fresh_questions: Interval
    churn: float | None
    churn_measured: ChurnMeasured | None = None


class RecoveredRate(Result):
    """The pass rate taken for recovered questions, and where it comes from.

    ``with_gold`` is the rate of questions whose gold is found today, ``stated`` one that was given, ``oracle`` one
    measured by answering a sample of misses with the gold in the prompt; only that has the fields after ``rate``:
    of ``missing`` answers ``drawn`` were sampled, in the last of ``samples`` samples, and ``unanswered`` of them have
    no verdict. ``bounds`` are the rates if all of these fail, and if all pass; ``gold_cut`` answers had a prompt too
    short for all the gold they need.
    """

    source: Literal["with_gold", "stated", "oracle"]
    rate: Interval
    sample: str | None = None
    samples: int | None = None
    seed: int | None = None
    missing: int | None = None
    drawn: int | None = None
    unanswered: int | None = None
    gold_cut: int | None = None
    judge: str | None = None
    run_judge: str | None = None
    bounds: tuple[float, float] | None = None


class Projection(Result):
    """What a retrieval fix is worth: ``recall' * p(pass|gold) + (1-recall') * p(pass|no gold)``.

    Where ``recovered`` has a rate of its own, that stands for the questions between today's recall and ``recall'``.

    ``removable_share`` is the share of failures gone at full recall; ``removable`` splits it by stage.
    ``highest_recall`` is the highest recall any stored run has shown with these labels.
    """

    schema_: Literal["foundlost.projection/1"] = Field(default="foundlost.projection/1", alias="schema")
    run: str
    labels: Labels
    policy: Policy
    recall: Interval
    recall_target: float | list[float] | Interval
    recall_from: str | None
    recovered_pass: float | None
    recovered: RecoveredRate
    with_gold: Interval
    without_gold: Interval
    passed: Interval = Field(alias="pass")
    projection: Interval
    gain: Interval
    ceiling: Interval
    required_recall: RequiredRecall | None
    sensitivity: Sensitivity
    located_share: Interval
    removable_share: Interval
    removable: list[RemovableStage]
    standardised: Standardised | None
    next_run: NextRun
    detectable: float | None = Field(description="smallest gain a paired rerun of these questions would show")
    highest_recall: float | None
    replayed: Replayed | None = Field(
        default=None, description="what a replay shows of the questions, if one was given"
    )
    warnings: list[Warn]
