"""The ways a forecast can fail, one entry each: what is sealed of it, and which function judges it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from attribution.forecasts import judging
from attribution.forecasts.budget import Stakes
from attribution.forecasts.judging import Evidence, Judged, label_margin, recall_margin
from attribution.results import FalsifierName, Forecast, SealedFalsifier
from attribution.statistics.interval import Interval
from attribution.statistics.rerun import answers_each


@dataclass(frozen=True, slots=True, kw_only=True)
class Falsifier:
    """One way a forecast can fail.

    Attributes:
        name: in one word.
        precondition: what must be there for it to be tested.
        check: how it is tested.
        consequence: what a refutation means for the next step.
        statement: the claim in words, given the forecast and its margin.
        margin: how far the claim may be off, None where it has no margin.
        judge: the test itself, given the evidence, its margin and its power.
        gates: whether the forecast holds only if this claim does.
    """

    name: FalsifierName
    precondition: str
    check: str
    consequence: str
    statement: Callable[[Forecast, float | None], str]
    margin: Callable[[Forecast], float | None]
    judge: Callable[[Evidence, SealedFalsifier], Judged]
    gates: bool = False

    def sealed(self, forecast: Forecast, powers: dict[str, float | None]) -> SealedFalsifier:
        """Return what is sealed of it."""
        margin = self.margin(forecast)
        return SealedFalsifier(
            name=self.name,
            statement=self.statement(forecast, margin),
            precondition=self.precondition,
            check=self.check,
            margin=margin,
            power=powers.get(self.name),
            gates=self.gates,
            consequence=self.consequence,
        )


def stakes_of(forecast: Forecast) -> Stakes:
    """Return what the claims of a forecast are tested with."""
    low, high = forecast.recall_target
    return Stakes(
        recall=forecast.recall,
        recall_target=(low + high) / 2.0,
        with_gold=forecast.with_gold,
        without_gold=forecast.without_gold,
        recovered_rate=forecast.recovered_rate,
        expected=forecast.expected,
        churn=forecast.churn,
        answers_each=answers_each(forecast.recall, answers=forecast.answers, questions=forecast.questions),
    )


def _shared_margin(claim: str) -> Callable[[Forecast], float | None]:
    def margin(forecast: Forecast) -> float | None:
        found: float | None = getattr(stakes_of(forecast).margins(forecast.budget), claim)
        return found

    return margin


def _rate(found: Interval) -> str:
    return "unknown" if found.estimate is None else f"{found.estimate:.4f}"


def _margin(margin: float | None) -> str:
    return "a margin yet to be known" if margin is None else f"{margin:.4f}"


FALSIFIERS: tuple[Falsifier, ...] = (
    Falsifier(
        name="recovered",
        gates=True,
        precondition="the fix recovers questions",
        check="pass rate of recovered questions less the rate claimed for them, 90% limits of Newcombe",
        consequence="recovered questions are unlike those already reached: forecast again with the rate seen here",
        statement=lambda forecast, margin: (
            f"recovered questions pass at {_rate(forecast.recovered_rate)}, as claimed, give or take {_margin(margin)}"
        ),
        margin=_shared_margin("recovered"),
        judge=judging.recovered,
    ),
    Falsifier(
        name="retained",
        gates=True,
        precondition="questions have gold before and after",
        check="pass rate after less before on questions that keep their gold, 90% limits for pairs",
        consequence="the change disturbs questions it was not for: look at longer prompts and distractors first",
        statement=lambda _, margin: f"questions that keep their gold pass as before, give or take {_margin(margin)}",
        margin=_shared_margin("retained"),
        judge=judging.retained,
    ),
    Falsifier(
        name="selection",
        precondition="some questions are recovered and some are still missing",
        check="pass rate before of questions still missing less that of the recovered, 90% limits of Newcombe",
        consequence="the fix chose its questions: the pass rate without gold is another for those still missing",
        statement=lambda _, margin: (
            f"before the fix, questions still missing passed like those it recovers, give or take {_margin(margin)}"
        ),
        margin=_shared_margin("selection"),
        judge=judging.selection,
    ),
    Falsifier(
        name="recall",
        precondition="gold helps",
        check="recall at the last stage on these questions, compared with the recall forecast",
        consequence="the gain did not reach the prompt: see at which stage it was lost before judging the rest",
        statement=lambda forecast, margin: (
            f"recall reaches {forecast.recall_target[0]:.4f} at {forecast.setting.stages[-1]}, "
            f"less at most {_margin(margin)}"
        ),
        margin=recall_margin,
        judge=judging.recall,
    ),
    Falsifier(
        name="audit",
        precondition="an open-search audit of these questions is imported with --kind audit",
        check="share of audited questions with gold that the labels lack, 90% limits of Wilson",
        consequence="the labels miss too much gold to tell recovery from relabelling: label again, forecast again",
        statement=lambda _, margin: (
            f"an open search finds gold that the labels lack in under {_margin(margin)} of questions"
        ),
        margin=label_margin,
        judge=judging.audit,
    ),
    Falsifier(
        name="unjudged",
        precondition="documents are recorded at the last stage",
        check="share of unjudged documents at the last stage, after against before",
        consequence="real recoveries may be filed as still missing: judge the new documents and verify again",
        statement=lambda forecast, margin: (
            f"of the documents at {forecast.setting.stages[-1]} at most {_margin(margin)} more are unjudged than "
            f"before ({_rate(forecast.unjudged)})"
        ),
        margin=lambda forecast: forecast.unjudged_limit,
        judge=judging.unjudged,
    ),
    Falsifier(
        name="unchanged",
        precondition="both runs record what they were made with",
        check="model, prompt, judge, pass rule, index size and stages of both runs",
        consequence="this was another experiment: run the fix with the rest as it was",
        statement=lambda forecast, _: (
            "nothing but retrieval changes" + (f", save {', '.join(forecast.changes)}" if forecast.changes else "")
        ),
        margin=lambda _: None,
        judge=judging.unchanged,
    ),
    Falsifier(
        name="aggregate",
        precondition="recall is reached, and a repeat of the unchanged build says how many answers flip by themselves",
        check="pass rate less that expected of the same questions, 90% predictive limits with churn",
        consequence="the slope is wrong: recall does not buy passes at this rate",
        statement=lambda forecast, margin: (
            f"the pass rate on these questions comes out at {_rate(forecast.next_run.same_questions)}, "
            f"give or take {_margin(margin)}"
        ),
        margin=_shared_margin("aggregate"),
        judge=judging.aggregate,
    ),
)
