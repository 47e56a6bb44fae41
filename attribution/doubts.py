"""Doubts about a projection: what in the data speaks against trusting it, said before anyone acts on it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from attribution.results import Attribution, Projection, Replayed, Warn
from attribution.statistics.design import paired_size
from attribution.statistics.differences import difference
from traces.values import counted

FEW_IN_CELL = 10
NOTHING = 1e-12
"""Gain below this is what rounding leaves of none."""


def projection_caveats(before: Attribution, found: Projection, replayed: Replayed | None = None) -> list[Warn]:
    """Return the caveats of a projection, the gravest first, after those of the attribution it rests on.

    Args:
        before: the attribution of the run before the fix.
        found: the projection.
        replayed: what the run of its measured recall shows, where there is one.
    """
    return [
        *_about_need(found),
        *_about_size(before, found),
        *_about_recall(found),
        *_about_replay(replayed),
        *_about_rates(found),
        *before.warnings,
    ]


def _about_need(found: Projection) -> Iterator[Warn]:
    wanted, now = found.required_recall, found.passed
    if wanted is not None and now.estimate is not None and now.bounds[0] >= wanted.target:
        yield Warn(
            code="already_there",
            message=(
                f"the pass rate is {now.estimate:.4f}, at least {now.bounds[0]:.4f} by its range, and meets the target "
                f"{wanted.target:.4f} today: the fix is not needed for it"
            ),
        )


def _about_size(before: Attribution, found: Projection) -> Iterator[Warn]:
    worth = found.gain.estimate or 0.0
    if abs(worth) > NOTHING and (found.detectable is None or abs(worth) < found.detectable):
        asked = _asked(before.questions.attributable, found.passed.n)
        shown = (
            "a paired rerun cannot show a change of any size"
            if found.detectable is None
            else f"a paired rerun shows {found.detectable:.4f} or more with probability .8, at best"
        )
        yield Warn(
            code="gain_not_detectable",
            message=f"a gain of {worth:.4f} cannot be seen with {asked}: {shown}{_needed(before, found, worth)}",
            questions=before.questions.attributable,
        )
    for name, rate in (("with", found.with_gold), ("without", found.without_gold)):
        if rate.n < FEW_IN_CELL:
            behind = counted(rate.n, "answer", "answers")
            yield Warn(code="few_in_cell", message=f"the pass rate {name} gold rests on {behind}", questions=rate.n)


def _asked(questions: int, answers: int) -> str:
    """Questions are what a rerun draws from; more answers to the same ones do not stand in for more of them."""
    several = f" ({answers:,} answers)" if answers != questions else ""
    return counted(questions, "question", "questions") + several


def _needed(before: Attribution, found: Projection, worth: float) -> str:
    """Say how many such questions would show the gain, if only those that change side answer anew."""
    side, without = _side_rate(found), found.without_gold.estimate
    if side is None or without is None or side == without:
        return ""
    moved = worth / (side - without)
    discordance = abs(moved) * (side * (1.0 - without) + without * (1.0 - side))
    # Where all recovered come to pass the two are equal; rounding must not put the gain above, which has no answer.
    draws = paired_size(max(discordance, abs(worth)), worth, level=before.policy.level)
    # Repeats and weights make a question worth more or less than one independent draw; that stays as it is.
    questions = math.ceil(draws / found.passed.size * before.questions.attributable)
    each = found.passed.n / before.questions.attributable
    return f"; it takes at least {counted(questions, 'question', 'questions')}" + (
        f" with {each:.3g} answers each" if each > 1 else ""
    )


def _side_rate(found: Projection) -> float | None:
    """Return the pass rate that the gain hangs on: that of the recovered, or with gold where none are."""
    now, target = found.recall.estimate, found.recall_target
    middle = sum(target) / len(target) if isinstance(target, list) else _highest_target(found)
    recovers = now is None or middle > now
    return (found.recovered.rate if recovers else found.with_gold).estimate


def _about_recall(found: Projection) -> Iterator[Warn]:
    target = _highest_target(found)
    unseen = found.recall_from is None and found.highest_recall is not None
    if unseen and target > (found.highest_recall or 0.0) + 1e-12:
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


def _about_replay(replayed: Replayed | None) -> Iterator[Warn]:
    if replayed is None:
        return
    if replayed.missing:
        yield Warn(
            code="not_in_replay",
            message="questions that the replay has no whole list for are taken to stay as they are",
            questions=replayed.missing,
        )
    if replayed.extra:
        yield Warn(
            code="other_replay",
            message="the replay asked questions that this run has no outcome for: they are left out",
            questions=replayed.extra,
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
