"""The projection of a fix and all that bears on it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from attribution.results.base import FateName, Labels, Policy, Result, Warn
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


class NextRun(Result):
    """Where the pass rate of one more run may land.

    ``same_questions`` needs the share of questions whose outcome flips when nothing changes (``churn``); without an
    A/A repeat that is unknown and 0 is assumed, which makes the range too narrow.
    """

    same_questions: Interval
    fresh_questions: Interval
    churn: float | None


class Projection(Result):
    """What a retrieval fix is worth: ``recall' * p(pass|gold) + (1-recall') * p(pass|no gold)``.

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
    warnings: list[Warn]
