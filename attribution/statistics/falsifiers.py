"""The claims of a forecast that a run on the same questions can test, each as realised less claimed.

That the retained are undisturbed has a file of its own, `retained`.
"""

from __future__ import annotations

from dataclasses import replace

from attribution.statistics.claims import FEW_RECOVERED, Claim, Gap, Reason, Untested
from attribution.statistics.differences import difference
from attribution.statistics.interval import Interval
from attribution.statistics.projection import check_share
from attribution.statistics.proportions import wilson_effective
from attribution.statistics.rerun import next_run_same_questions


def recovered_as_found(
    recovered: Interval, with_gold: Interval, *, margin: float, power: float | None = None
) -> Claim | Untested:
    """Recovered questions pass as often as those whose gold was there before, less a margin.

    One draw is one question of either side. The rate of the found has its own chance: held fixed it would
    refute a true claim twice as often as said. Do not trust it where one missing document answers many
    recovered questions, unless the rate was made with the document as the cluster.

    Args:
        recovered: pass rate after of the recovered questions, on plain or effective counts, at any level.
        with_gold: pass rate that was sealed, likewise.
        margin: shortfall that counts as none, above 0.
        power: probability of holding it if true, as reckoned beforehand.

    Returns:
        The claim, which gates; untested where either side is empty.

    Raises:
        ValueError: margin is not above 0.

    References:
        Newcombe (1998, unpaired differences, method 10).

    >>> from attribution.statistics.proportions import wilson
    >>> gap = recovered_as_found(wilson(90, 112), wilson(204, 232), margin=0.1).gap(0.9, 1.0)
    >>> round(gap.estimate, 4), round(gap.lower, 4), round(gap.upper, 4)
    (-0.0757, -0.151, -0.0085)
    """
    name = "recovered"
    if recovered.estimate is None or with_gold.estimate is None:
        return Untested(name=name, reason=Reason.no_questions, margin=margin, gates=True)
    return Claim(
        name=name,
        margin=margin,
        gap=_of_two(recovered, with_gold),
        gates=True,
        size=recovered.size,
        least=FEW_RECOVERED,
        power=power,
    )


def missing_as_recovered(
    still_missing: Interval, recovered: Interval, *, margin: float, power: float | None = None
) -> Claim | Untested:
    """Before the change, the questions still missing passed as often as those it recovered: it did not choose.

    One draw is one question of either side. Two-sided, and it explains a miss of the forecast rather than
    deciding on it: few sets are large enough to hold it within a narrow margin. It can be tested as soon as
    retrieval has been replayed.

    Args:
        still_missing: pass rate before of the questions still missing, on plain or effective counts.
        recovered: pass rate before of the recovered questions, likewise.
        margin: difference that counts as none, above 0.
        power: probability of holding it if true, as reckoned beforehand.

    Returns:
        The claim, which does not gate; untested where either side is empty.

    Raises:
        ValueError: margin is not above 0.

    References:
        Newcombe (1998, unpaired differences, method 10).

    >>> from attribution.statistics.proportions import wilson
    >>> gap = missing_as_recovered(wilson(24, 56), wilson(55, 112), margin=0.4).gap(0.9, 1.0)
    >>> round(gap.estimate, 4), round(gap.lower, 4), round(gap.upper, 4)
    (-0.0625, -0.1911, 0.0712)
    """
    name = "selection"
    if still_missing.estimate is None or recovered.estimate is None:
        return Untested(name=name, reason=Reason.no_questions, margin=margin)
    return Claim(
        name=name,
        margin=margin,
        gap=_of_two(still_missing, recovered),
        two_sided=True,
        size=min(still_missing.size, recovered.size),
        power=power,
    )


def aggregate_as_forecast(
    observed: float,
    *,
    recall_target: float,
    recall: Interval,
    with_gold: Interval,
    without_gold: Interval,
    churn: float | None,
    margin: float,
    answers_each: float = 1.0,
    power: float | None = None,
    recovered: Interval | None = None,
) -> Claim | Untested:
    """The pass rate after lies where the forecast put it on these same questions.

    One draw is one answer to each question again, see `rerun.next_run_same_questions`. Without a second run of
    the unchanged build nobody knows how many answers flip by themselves, and the claim is not tested.

    Args:
        observed: pass rate after, 0 to 1.
        recall_target: recall that was sealed.
        recall: recall before, on plain or effective counts, at any level.
        with_gold: pass rate with gold that was sealed, likewise.
        without_gold: pass rate without gold that was sealed, likewise.
        churn: share of outcomes that flip when nothing changes; None where it was not measured.
        margin: shortfall that counts as none, above 0.
        answers_each: answers to a question, at least 1.
        power: probability of holding it if true, as reckoned beforehand.
        recovered: pass rate claimed of the recovered, where it is not the one with gold.

    Returns:
        The claim, which does not gate; untested without churn or without a rate.

    Raises:
        ValueError: a share lies outside 0 to 1, or margin is not above 0.

    References:
        Cochran (1977), for drawing the movers without replacement.

    >>> from attribution.statistics.proportions import wilson
    >>> claim = aggregate_as_forecast(
    ...     0.775, recall_target=0.85, recall=wilson(232, 400), with_gold=wilson(204, 232),
    ...     without_gold=wilson(79, 168), churn=0.03, margin=0.04,
    ... )
    >>> gap = claim.gap(0.9, 1.0)
    >>> round(gap.estimate, 4), round(gap.lower, 4), round(gap.upper, 4)
    (-0.0425, -0.0669, -0.0181)
    """
    check_share(observed, "observed")
    name, rates = "aggregate", (recall, with_gold, without_gold)
    if churn is None:
        return Untested(name=name, reason=Reason.no_churn, margin=margin)
    if any(rate.estimate is None for rate in rates):
        return Untested(name=name, reason=Reason.no_questions, margin=margin)

    def gap(level: float, grown: float) -> Interval:
        grown_rates = (_at(rate, level, grown) for rate in rates)
        side = None if recovered is None else _at(recovered, level, grown)
        run = next_run_same_questions(
            recall_target, *grown_rates, churn=churn, answers_each=answers_each, recovered=side, level=level
        )
        (low, high), centre = run.bounds, run.estimate
        return replace(run, estimate=observed - (centre or 0.0), lower=observed - high, upper=observed - low)

    gap(0.9, 1.0)
    return Claim(name=name, margin=margin, gap=gap, size=recall.size, power=power)


def _of_two(first: Interval, second: Interval) -> Gap:
    """Difference of two independent rates at any level, each at its own size."""
    return lambda level, grown: difference(_at(first, level, grown), _at(second, level, grown))


def _at(rate: Interval, level: float, grown: float) -> Interval:
    """A rate with Wilson's limits at another level, as if it came from so many times as many questions."""
    if rate.estimate is None:
        raise ValueError("a rate without cases has no limits at other levels")
    return wilson_effective(rate.estimate, grown * rate.size, n=rate.n, count=rate.count, level=level)
