"""Forecasts: what is sealed before a fix, the verdict after it, and the record of how forecasts have done."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field, field_validator

from attribution.results.base import Labels, Policy, Result, Warn
from attribution.results.projection import ChurnMeasured, NextRun
from attribution.results.sound import Change, Count, Moment, Name, Part, Rate, Share, ShareRange, Size
from attribution.statistics.interval import Interval

VerdictWord = Literal["refuted", "held", "cannot tell", "not tested"]
FalsifierName = Literal["recovered", "retained", "selection", "recall", "audit", "unjudged", "unchanged", "aggregate"]
BudgetSource = Literal["stated", "half of the gain", "gain less the least worth having", "least with power"]


class SealedFalsifier(Result):
    """One way a forecast can fail, named beforehand.

    ``margin`` is how far the claim may be off and still stand; ``power`` the probability that it holds if it is true.
    Either is None where there is none to give. ``gates`` says that the forecast holds only if this claim does.
    """

    name: FalsifierName
    statement: str
    precondition: str
    check: str
    margin: Size | None
    power: Share | None
    gates: bool
    consequence: str


class ExpectedCells(Result):
    """How many questions are expected in each transition cell; ``passed_before`` is known after a replay only."""

    source: Literal["recall", "replay"]
    retained: Size
    recovered: Size
    lost: Size
    still_missing: Size
    recovered_before: Rate | None = None
    still_missing_before: Rate | None = None


class Setting(Result):
    """What a run was made with, as far as it is recorded."""

    build: str | None
    model: str | None
    prompt: str | None
    judges: list[str]
    pass_rules: list[str]
    index_size: int | None
    stages: list[str] = Field(min_length=1)


class Forecast(Result):
    """What is sealed. ``sha256`` of its canonical JSON is the seal; ``previous`` is the seal before it in the store.

    ``recall_target`` is the lower and the upper end, equal where one recall was named. ``budget`` is how far the pass
    rate may be off. ``changes`` names what the fix changes on purpose beside retrieval.
    """

    schema_: Literal["foundlost.forecast/1"] = Field(default="foundlost.forecast/1", alias="schema")
    name: Name
    revises: Name | None
    sealed_at: Moment
    version: str
    previous: str | None
    run: str
    setting: Setting
    labels: Labels
    gold_sha256: str
    answers_sha256: str
    policy: Policy
    questions: Count
    answers: Count
    recall: Rate
    first_stage_recall: Rate
    with_gold: Rate
    without_gold: Rate
    passed: Rate = Field(alias="pass")
    unjudged: Rate
    recall_target: ShareRange
    recall_from: str | None
    recovered_rate: Rate
    recovered_source: Literal["with_gold", "stated", "oracle"]
    projection: Rate
    gain: Change
    next_run: NextRun
    expected: ExpectedCells
    min_gain: Share | None
    detectable: Size | None
    budget: Part
    budget_source: BudgetSource
    churn: ChurnMeasured | None
    assumed_flips: Share | None
    unjudged_limit: Share
    changes: list[str]
    falsifiers: list[SealedFalsifier]
    warnings: list[Warn]


class Sealed(Result):
    """A forecast with its seal, as it is exported: the file is checked against ``sha256`` when it is read."""

    schema_: Literal["foundlost.sealed/1"] = Field(default="foundlost.sealed/1", alias="schema")
    sha256: str
    forecast: Forecast

    @field_validator("forecast")
    @classmethod
    def _can_fail(cls, forecast: Forecast) -> Forecast:
        names = [each.name for each in forecast.falsifiers]
        if len(set(names)) < len(names) or not any(each.gates for each in forecast.falsifiers):
            msg = "its falsifiers stand there twice, or none is there that gates"
            raise ValueError(msg)
        return forecast


class FalsifierVerdict(Result):
    """What became of one falsifier.

    ``questions_needed`` is how many questions would have decided it at the rates seen, where it cannot be told.
    ``observed`` is realised less claimed where rates are compared, ``realised`` what was seen where they are not;
    ``details`` names what else there is to name.
    """

    name: str
    statement: str
    margin: float | None
    observed: Interval | None
    verdict: VerdictWord
    direction: Literal["worse", "better"] | None
    p: float | None
    p_holm: float | None
    power: float | None
    gates: bool
    reason: str | None = None
    realised: Interval | None
    details: list[str]
    questions_needed: int | None
    consequence: str


class ErrorTermsFound(Result):
    """What the forecast was off by, split exactly; the terms add up to the total."""

    recall: float
    recovered: float
    retained: float
    lost: float
    still_missing: float


class ForecastError(Result):
    """Realised less forecast pass rate, its terms, and their intervals. ``largest`` names the term of most weight."""

    total: float
    terms: ErrorTermsFound
    intervals: dict[str, Interval]
    largest: str | None


class WorthIt(Result):
    """Whether the change was worth it: a one-sided reading of the realised gain, apart from the forecast's verdict."""

    gain: Interval
    min_gain: float | None
    verdict: Literal["yes", "no", "cannot tell"] | None


class VerdictFound(Result):
    """The verdict on a forecast by the run that came after.

    ``sha256`` is the seal of the forecast, ``previous`` that of the verdict recorded before this one.
    ``before_the_fact`` is whether the forecast was sealed before the store saw the after-run's outcomes.
    ``new`` is False where the same verdict on the same run was recorded before.
    """

    schema_: Literal["foundlost.verdict/1"] = Field(default="foundlost.verdict/1", alias="schema")
    forecast: str
    sha256: str
    run: str
    after: str
    verified_at: datetime
    previous: str | None
    before_the_fact: bool
    verdict: VerdictWord
    questions: int
    forecast_pass: Interval
    expected_pass: Interval
    observed_pass: Interval
    recall_forecast: tuple[float, float]
    recall_observed: float
    cells: dict[str, int]
    falsifiers: list[FalsifierVerdict]
    error: ForecastError
    worth_it: WorthIt
    new: bool
    allowed: list[str]
    warnings: list[Warn]


class ForecastLine(Result):
    """One forecast in the record, with the verdict that counts; ``first`` is None while it is pending.

    ``intact`` is whether it is what was sealed; of one that is not, nothing is known but its name, time and seal.
    ``verdicts_intact`` is whether its verdicts are those recorded; where they are not, none is given. ``fault`` says
    what shows that, None where nothing does.
    """

    name: str
    revises: str | None
    sealed_at: datetime | None
    sha256: str
    intact: bool
    verdicts_intact: bool
    fault: str | None
    run: str | None
    recall_target: tuple[float, float] | None
    forecast_pass: Interval | None
    first: VerdictFound | None
    verdicts: int

    @property
    def believed(self) -> bool:
        """Whether forecast and verdicts are what was sealed."""
        return self.intact and self.verdicts_intact


class Calibration(Result):
    """How forecasts have done so far, over those judged before the fact by a run of their own.

    ``covered`` counts observed pass rates inside the interval for the next run; errors are realised less forecast.
    Not among them are ``after_the_fact``, sealed when the outcomes were known, and ``allowed``, judged with a
    difference that was allowed by name.
    """

    judged: int
    held: int
    refuted: int
    cannot_tell: int
    covered: int
    mean_error: float | None
    mean_absolute_error: float | None
    after_the_fact: int
    allowed: int


class ForecastRecord(Result):
    """All forecasts of a store, in the order they were sealed, and how they have done."""

    schema_: Literal["foundlost.forecasts/1"] = Field(default="foundlost.forecasts/1", alias="schema")
    forecasts: list[ForecastLine]
    calibration: Calibration
    warnings: list[Warn]
