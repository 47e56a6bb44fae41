"""What a perfect stage would remove: a smaller share of the failures than is located there."""

from __future__ import annotations

from attribution.results import Attribution, RemovableStage
from attribution.statistics.interval import Interval
from attribution.statistics.proportions import wilson, wilson_effective
from attribution.statistics.removable import removable_share


def removable_stages(before: Attribution, recovered: Interval | None = None) -> tuple[Interval, list[RemovableStage]]:
    """Return the share of failures that full recall removes, and what each perfect stage alone removes.

    Evidence that one stage no longer loses must still survive the stages after it, at today's rates.

    Args:
        before: the run.
        recovered: pass rate of questions that gain their gold, where it is known apart.
    """
    rates = before.conditional
    found = removable_share(
        _survival(before), rates.with_gold, rates.without_gold, recovered=recovered, level=before.policy.level
    )
    stages = [
        RemovableStage(
            fate=fate.fate, stage=fate.stage, located=fate.share_of_failures, removable=stage.share_of_failures
        )
        for fate, stage in zip(before.fates, found.stages, strict=False)
    ]
    return found.jointly.share_of_failures, stages


def _survival(before: Attribution) -> list[Interval]:
    """Return, for each stage, the share still covered there or later among those covered up to it.

    With weights or repeats the counts shrink to their effective size, by the ratio seen for the pass rate.
    """
    level = before.policy.level
    shrink = before.passed.size / before.passed.n if before.passed.n_effective is not None else None
    shares = [fate.share_of_questions.estimate or 0.0 for fate in before.fates]
    counts = [fate.questions for fate in before.fates]
    survival = []
    for position in range(1, len(counts)):
        here, there = sum(counts[position:]), sum(counts[position - 1 :])
        if shrink is None or there == 0:
            survival.append(wilson(here, there, level=level))
        else:
            share = min(1.0, sum(shares[position:]) / sum(shares[position - 1 :]))
            survival.append(wilson_effective(share, shrink * there, n=there, count=here, level=level))
    return survival
