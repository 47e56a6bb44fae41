"""The attribution of a run and its parts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from attribution.results.base import FateName, Labels, Policy, Result, Warn
from attribution.statistics.interval import Interval


class Questions(Result):
    """How many questions the run asked and why some carry no verdict. Each count is of distinct questions.

    A question is attributable when any of its repeats is. In a run without any
    outcome ``attributable`` counts the questions whose evidence can be followed, and ``no_outcome`` counts them again.
    ``repeats`` is the number of answers: rows behind the rates.
    """

    total: int
    attributable: int
    unlabelled: int
    no_answer: int
    no_outcome: int
    unknown_gold: int
    incomplete_lists: int
    repeats: int


class StageRecall(Result):
    """What was still covered at one stage.

    ``appeared_late`` counts answers with a gold document here that the stage before did not have; ``duplicates`` and
    ``truncated`` count list places.
    """

    stage: str
    covered: int
    recall: Interval
    appeared_late: int
    duplicates: int
    truncated: int
    cutoff: int | None


class Fate(Result):
    """One fate crossed with the outcome. ``stage`` is where the evidence was lost, for ``lost`` only."""

    fate: FateName
    stage: str | None
    questions: int
    failed: int
    passed: int
    share_of_failures: Interval
    share_of_questions: Interval
    reasons: dict[str, int]


class Conditional(Result):
    """Pass rate with and without the evidence in the packed context."""

    with_gold: Interval
    without_gold: Interval


class Identity(Result):
    """The recall-weighted identity: ``recall * p(pass|gold) + (1-recall) * p(pass|no gold)`` against the pass rate."""

    reproduced: float | None
    observed: float | None
    difference: float | None


class GroupsPresent(Result):
    """Pass rate of questions with ``present`` of their ``needed`` evidence groups in the packed context."""

    needed: int
    present: int
    passed: Interval


class Slice(Result):
    """The attribution of one set of answers: all of them, or those sharing one value of a field."""

    passed: Interval
    failed: int
    stages: list[StageRecall]
    fates: list[Fate]
    conditional: Conditional
    identity: Identity


class BySlice(Slice):
    """The attribution of the answers whose ``field`` has ``value`` (``None``: not recorded)."""

    field: str
    value: str | None
    questions: int


class Leading(Result):
    """Whether the largest cause of failure stands clear of the second.

    ``p`` is the exact conditional binomial p-value of the two counts; ``separable`` is ``p < 1 - level``.
    """

    first: int = Field(description="index into fates")
    second: int = Field(description="index into fates")
    p: float
    separable: bool


class SearchCount(Result):
    """How many answers made so many searches."""

    searches: int
    answers: int


class HarnessRate(Result):
    """A share of answers or searches with its range, one draw a question; None with a reason where nothing tells."""

    rate: Interval | None
    reason: Literal["not recorded"] | None = None


class SearchTexts(HarnessRate):
    """The share of searches whose text can be one, of the ``recorded`` ones.

    ``blank`` texts are empty; ``repeated`` ones were sent word for word by an earlier search of the same answer.
    """

    recorded: int
    unrecorded: int
    blank: int
    repeated: int


class Harness(Result):
    """What the loop round an agent's searches did. It says nothing of how well the searches find.

    Attributes:
        searches: answers by the number of their searches. One without any list and search text made none.
        searched: answers that searched at all.
        well_formed: searches whose text is neither blank nor a repetition.
        ended: answers that came to an end, which is that a text is recorded as the answer.
    """

    searches: list[SearchCount]
    searched: HarnessRate
    well_formed: SearchTexts
    ended: HarnessRate


class Attribution(Slice):
    """Where each question of a run lost its evidence.

    ``harness`` is there only where answers made no search or several: then no single list is the retrieval's.
    """

    schema_: Literal["foundlost.attribution/1"] = Field(default="foundlost.attribution/1", alias="schema")
    run: str
    labels: Labels
    policy: Policy
    questions: Questions
    groups_present: list[GroupsPresent]
    leading: Leading | None
    harness: Harness | None = None
    by: list[BySlice]
    warnings: list[Warn]
