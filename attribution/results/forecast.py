"""Forecasts: what is sealed before a fix, the verdict after it, and the record of how forecasts have done."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from attribution.results.base import Labels, Policy, Result, Warn
from attribution.results.projection import ChurnMeasured, NextRun
from attribution.statistics.interval import Interval

VerdictWord = Literal["refuted", "held", "cannot tell", "not tested"]
BudgetSource = Literal["stated", "half of the gain", "gain less the least worth having", "least with power"]


class SealedFalsifier(Result):
    """One way a forecast can fail, named beforehand.

    ``margin`` is how far the claim may be off and still stand; ``power`` the probability that it holds if it is true.
    Either is None where there is none to give. ``gates`` says that the forecast holds only if this claim does.
    """

    name: str
    statement: str
    precondition: str
    check: str
    margin: float | None
    power: float | None
    gates: bool
    consequence: str


class ExpectedCells(Result):
    """How many questions are expected in each transition cell; ``passed_before`` is known after a replay only."""

    source: Literal["recall", "replay"]
    retained: float
    recovered: float
    lost: float
    still_missing: float
    recovered_before: Interval | None = None
    still_missing_before: Interval | None = None


class Setting(Result):
    """What a run was made with, as far as it is recorded."""

    build: str | None
    model: str | None
    prompt: str | None
    judges: list[str]
    pass_rules: list[str]
    index_size: int | None
    stages: list[str]


class Forecast(Result):
    """What is sealed. ``sha256`` of its canonical JSON is the seal; ``previous`` is the seal before it in the store.

    ``recall_target`` is the lower and the upper end, equal where one recall was named. ``budget`` is how far the pass
    rate may be off. ``changes`` names what the fix changes on purpose beside retrieval.
    """

    schema_: Literal["foundlost.forecast/1"] = Field(default="foundlost.forecast/1", alias="schema")
    name: str
    revises: str | None
    sealed_at: datetime
    version: str
    previous: str | None
    run: str
    setting: Setting
    labels: Labels
    gold_sha256: str
    answers_sha256: str
    policy: Policy
    questions: int
    answers: int
    recall: Interval
    first_stage_recall: Interval
    with_gold: Interval
    without_gold: Interval
    passed: Interval = Field(alias="pass")
    unjudged: Interval
    recall_target: tuple[float, float]
    recall_from: str | None
    recovered_rate: Interval
    recovered_source: Literal["with_gold", "stated", "oracle"]
    projection: Interval
    gain: Interval
    next_run: NextRun
    expected: ExpectedCells
    min_gain: float | None
    detectable: float | None
    budget: float
    budget_source: BudgetSource
    churn: ChurnMeasured | None
    assumed_flips: float | None
    unjudged_limit: float
    changes: list[str]
    falsifiers: list[SealedFalsifier]
    warnings: list[Warn]


class Sealed(Result):
    """A forecast with its seal, as it is exported: the file is checked against ``sha256`` when it is read."""

    schema_: Literal["foundlost.sealed/1"] = Field(default="foundlost.sealed/1", alias="schema")
    sha256: str
    forecast: Forecast


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

    ``before_the_fact`` is whether the forecast was sealed before the store saw the after-run's outcomes.
    ``new`` is False where the same verdict on the same run was recorded before.
    """

    schema_: Literal["foundlost.verdict/1"] = Field(default="foundlost.verdict/1", alias="schema")
    forecast: str
    sha256: str
    run: str
    after: str
    verified_at: datetime
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
    """One forecast in the record, with its first verdict; ``first`` is None while it is pending."""

    name: str
    revises: str | None
    sealed_at: datetime
    sha256: str
    intact: bool
    run: str
    recall_target: tuple[float, float]
    forecast_pass: Interval
    first: VerdictFound | None
    verdicts: int


class Calibration(Result):
    """How forecasts have done so far, over those judged before the fact by a run of their own.

    ``covered`` counts observed pass rates inside the interval for the next run, ``misses`` are realised less forecast.
    """

    judged: int
    held: int
    refuted: int
    cannot_tell: int
    covered: int
    mean_error: float | None
    mean_absolute_error: float | None
    after_the_fact: int


class ForecastRecord(Result):
    """All forecasts of a store, in the order they were sealed, and how they have done."""

    schema_: Literal["foundlost.forecasts/1"] = Field(default="foundlost.forecasts/1", alias="schema")
    forecasts: list[ForecastLine]
    calibration: Calibration
    warnings: list[Warn]
