"""Doubts about a projection: what in the data speaks against trusting it, said before anyone acts on it."""

from __future__ import annotations

from collections.abc import Iterator

from attribution.results import Attribution, Projection, Warn
from attribution.statistics.differences import difference
from attribution.statistics.interval import Interval
from traces.values import counted

FEW_IN_CELL = 10


def projection_caveats(before: Attribution, found: Projection) -> list[Warn]:
    """Return the caveats of a projection, the gravest first, after those of the attribution it rests on."""
    return [*_about_size(found), *_about_recall(found), *_about_replay(found), *_about_rates(found), *before.warnings]


def _about_size(found: Projection) -> Iterator[Warn]:
    worth, answers = found.gain.estimate, counted(found.passed.n, "answer", "answers")
    if worth is not None and found.detectable is not None and 0 < abs(worth) < found.detectable:
        yield Warn(
            code="gain_not_detectable",
            message=(
                f"a gain of {worth:.4f} cannot be seen with {answers}: a paired rerun shows {found.detectable:.4f} or "
                "more with probability .8, at best"
            ),
        )
    elif worth is not None and found.detectable is None and worth != 0:
        yield Warn(
            code="gain_not_detectable",
            message=f"a rerun of {answers} cannot show the gain of this fix: too few change side",
        )
    for name, rate in (("with", found.with_gold), ("without", found.without_gold)):
        if rate.n < FEW_IN_CELL:
            behind = counted(rate.n, "answer", "answers")
            yield Warn(code="few_in_cell", message=f"the pass rate {name} gold rests on {behind}", questions=rate.n)


def _about_recall(found: Projection) -> Iterator[Warn]:
    target = _highest_target(found)
    if found.highest_recall is not None and target > found.highest_recall + 1e-12:
        yield Warn(
            code="beyond_observed",
            message=(
                f"no stored run has shown recall above {found.highest_recall:.4f}; at {target:.4f} the rates are "
                "carried over to questions nobody has recovered yet"
            ),
        )
    if found.recall.estimate is not None and target < found.recall.estimate:
        yield Warn(
            code="regression",
            message=f"recall {target:.4f} is below today's {found.recall.estimate:.4f}: this is a loss",
        )


def _about_replay(found: Projection) -> Iterator[Warn]:
    shown = found.recall_target
    if isinstance(shown, Interval) and shown.n != found.recall.n:
        answers, here = counted(shown.n, "answer", "answers"), counted(found.recall.n, "answer", "answers")
        yield Warn(
            code="other_replay",
            message=f"the recall shown rests on {answers}, this run's on {here}: not the same questions",
        )


def _about_rates(found: Projection) -> Iterator[Warn]:
    slope = difference(found.with_gold, found.without_gold)
    if slope.estimate is not None and slope.bounds[1] < 0:
        yield Warn(code="gold_hurts", message="questions with gold pass less often than those without")
    elif slope.estimate is not None and slope.bounds[0] <= 0:
        yield Warn(code="gold_does_not_help", message="gold does not detectably help: the two pass rates may be equal")
    if found.standardised is not None:
        thin = sum(each.thin or each.borrowed for each in found.standardised.by)
        if thin:
            intents = counted(thin, "intent has", "intents have")
            yield Warn(code="thin_intents", message=f"{intents} too few answers for rates of their own")
    if found.next_run.churn is None:
        yield Warn(
            code="no_churn_measured",
            message="the range for the same questions leaves out answers that flip by chance: no repeat measures them",
        )


def _highest_target(found: Projection) -> float:
    target = found.recall_target
    if isinstance(target, float):
        return target
    if isinstance(target, list):
        return max(target)
    return target.estimate or 0.0
