"""Retrieval metrics of a run, each with the conventions it was computed under."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from attribution.results.attribution import GroupsPresent
from attribution.results.base import Labels, Result, Warn
from attribution.statistics.interval import Interval


class MetricConventions(Result):
    """Everything that decides a metric's value, beside its name. The fixed ones are listed too, to be read with it.

    ``require`` is what ``Coverage`` and ``Groups`` ask for, ``judged_share`` what is divided by what; the other
    choices are those of ``attribution.metrics.conventions.MetricChoices``.
    """

    unit: Literal["document", "group"]
    min_grade: float
    require: Literal["any", "groups", "all"]
    truncated: Literal["lost", "kept"]
    lists: Literal["handed_on", "recorded"]
    short_lists: Literal["fixed", "returned"]
    no_gold: Literal["excluded", "zero"]
    zero_ideal: Literal["excluded", "zero"]
    missing: Literal["zero", "excluded"]
    unjudged: Literal["no_gain", "condensed"]
    weighted: bool
    level: float
    order: Literal["place in the list"] = "place in the list"
    searches: Literal["one after the other"] = "one after the other"
    duplicates: Literal["count once, at the best place"] = "count once, at the best place"
    negative_grades: Literal["no gain"] = "no gain"
    discount: Literal["log2(rank + 1)"] = "log2(rank + 1)"
    ideal: Literal["all known judgments of the question"] = "all known judgments of the question"
    averaging: Literal["repeats within the question, then questions"] = "repeats within the question, then questions"


class MetricQuestions(Result):
    """Questions a metric could be averaged over: those of the run, and the judged ones it did not ask (``missing``)."""

    total: int
    asked: int
    missing: int


class MetricBounds(Result):
    """The mean if every unjudged document were the worst it can be, and the best. Arithmetic, not confidence limits.

    ``unbounded`` says that nobody knows how many unjudged documents there are outside the list.
    """

    lower: float
    upper: float
    unbounded: bool


class MetricAtStage(Result):
    """One metric at one stage.

    Attributes:
        metric: its name.
        stage: the stage whose list is measured.
        mean: mean over eligible questions.
        pooled: numerators over denominators, all answers added up: heavy questions count for more.
        eligible: questions in the mean.
        excluded: questions left out, by reason.
        judged_share: share of the places the metric looks at whose document has been judged; None without places.
        bounds: what the unjudged documents could make of the mean; None unless asked for.
    """

    metric: str
    stage: str
    mean: Interval
    pooled: float | None
    eligible: int
    excluded: dict[str, int]
    judged_share: float | None
    bounds: MetricBounds | None = None


class CeilingCheck(Result):
    """Whether what a stage has was in the stage before, as it must be where stages only choose and reorder.

    ``answers`` have gold at ``stage`` that ``before`` did not have, ``documents`` of it; with any, the recall of
    ``before`` is no ceiling for ``stage``.
    """

    before: str
    stage: str
    answers: int
    documents: int
    is_ceiling: bool


class Unjudged(Result):
    """Places a metric looks at, over all its questions, and how many hold a document that nobody judged."""

    documents: int
    places: int


class MetricChange(Result):
    """One metric at one stage in two runs.

    Attributes:
        metric: its name.
        stage: the stage.
        difference: mean over shared questions of after less before. For a metric that a question meets or not,
            Newcombe's paired interval; else Student's.
        p_sign_flip: two-sided p-value if either run were as likely to be the better one on every question.
        p_t: two-sided p-value of the paired t test; None where the differences have no spread.
        better: questions on which the metric rose.
        worse: questions on which it fell.
        unpaired: questions with a value in one run only.
        unjudged_before: unjudged places of the run before.
        unjudged_after: unjudged places of the run after.
    """

    metric: str
    stage: str
    difference: Interval
    p_sign_flip: float
    p_t: float | None
    better: int
    worse: int
    unpaired: int
    unjudged_before: Unjudged
    unjudged_after: Unjudged


class MetricComparison(Result):
    """The metrics of two runs, question by question."""

    before: str
    after: str
    changes: list[MetricChange]
    warnings: list[Warn]


class Metrics(Result):
    """Metrics of a run at its stages. ``against`` compares them with another run, if one is named."""

    schema_: Literal["foundlost.metrics/1"] = Field(default="foundlost.metrics/1", alias="schema")
    run: str
    labels: Labels
    conventions: MetricConventions
    questions: MetricQuestions
    metrics: list[MetricAtStage]
    ceiling: list[CeilingCheck]
    groups_present: list[GroupsPresent]
    against: MetricComparison | None = None
    warnings: list[Warn]


class CurvePoint(Result):
    """One metric at one stage, cut off at ``at`` places or tokens."""

    metric: str
    stage: str
    at: int
    mean: Interval


class OperatingPoint(Result):
    """How much of its list a stage hands on: places or tokens of the shortest list, on average, and of the longest.

    ``cutoff`` is the number of places it is cut off at, None if it hands on all it has.
    """

    stage: str
    cutoff: int | None
    shortest: int
    average: float
    longest: int


class MetricCurve(Result):
    """Metrics against depth, or against a token budget."""

    schema_: Literal["foundlost.curve/1"] = Field(default="foundlost.curve/1", alias="schema")
    run: str
    by: Literal["depth", "tokens"]
    labels: Labels
    conventions: MetricConventions
    points: list[CurvePoint]
    operating: list[OperatingPoint]
    warnings: list[Warn]
