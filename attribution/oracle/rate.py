"""The pass rate of recovered questions, as the answers of an oracle experiment give it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attribution.oracle.export import policy_text
from attribution.results import Labels, Policy, RecoveredRate
from attribution.statistics import survey
from attribution.statistics.interval import Interval
from traces.oracle import Drawn, Sample, drawn_in, samples_of
from traces.store import TraceStore

Verdicts = Mapping[str, bool]


def recovered_rate(store: TraceStore, run_id: str, labels: Labels, policy: Policy) -> RecoveredRate | None:
    """Return the pass rate of misses answered with their gold, with its interval; None where nothing was answered.

    It is that of the latest answered sample drawn under the same labels and policy. One draw is one question, which
    counts as often as its stratum was thinned out, times its traffic and its missing repeats; where all count the same
    the interval is Wilson's. Questions without a verdict are left out, and what they could make of the rate is told.

    Args:
        store: an open store; reading is enough.
        run_id: the run whose misses were drawn.
        labels: the label set in force.
        policy: the policy in force; its level is that of the interval.
    """
    samples = samples_of(store, run_id)
    for at, sample in enumerate(samples):
        if not matches(sample, labels, policy):
            continue
        judge, verdicts = _verdicts(store, sample, policy)
        if verdicts:
            return _rate(store, sample, len(samples) - at, judge, verdicts, policy)
    return None


def matches(sample: Sample, labels: Labels, policy: Policy) -> bool:
    """Say whether a sample was drawn under these labels and this policy."""
    same_labels = (sample.label_set, sample.version) == (labels.name or "", labels.version)
    return same_labels and sample.policy == policy_text(policy)


def answered(store: TraceStore, sample: Sample) -> bool:
    """Say whether any question of a sample has a verdict."""
    found = store.value(
        "SELECT count(*) FROM oracle_answers WHERE sample_id = $sample AND passed IS NOT NULL",
        {"sample": sample.sample_id},
    )
    return bool(found)


def _verdicts(store: TraceStore, sample: Sample, policy: Policy) -> tuple[str | None, dict[str, bool]]:
    """Return whose verdicts to take, and these: those of the run's own judge if there are any, else the last given."""
    rows = store.rows(
        """SELECT query_id, judge, passed, source_id FROM oracle_answers
           WHERE sample_id = $sample AND passed IS NOT NULL ORDER BY source_id, query_id""",
        {"sample": sample.sample_id},
    )
    if not rows:
        return None, {}
    judges = {row["judge"] for row in rows}
    judge = policy.judge if policy.judge in judges else rows[-1]["judge"]
    return judge, {row["query_id"]: row["passed"] for row in rows if row["judge"] == judge}


def _rate(
    store: TraceStore, sample: Sample, samples: int, judge: str | None, verdicts: Verdicts, policy: Policy
) -> RecoveredRate:
    drawn = drawn_in(store, sample.sample_id)
    unanswered = [one for one in drawn if one.query_id not in verdicts]
    known = [one for one in drawn if one.query_id in verdicts]
    return RecoveredRate(
        source="oracle",
        rate=_weighted(known, verdicts, policy.level),
        sample=sample.sample_id,
        samples=samples,
        seed=sample.seed,
        missing=sample.missing,
        drawn=len(drawn),
        unanswered=len(unanswered),
        gold_cut=sum(one.gold_left_out > 0 for one in drawn),
        judge=judge,
        run_judge=policy.judge,
        bounds=_bounds(drawn, verdicts, policy.level) if unanswered else None,
    )


def _bounds(drawn: Sequence[Drawn], verdicts: Verdicts, level: float) -> tuple[float, float]:
    """Return the rate if every question without a verdict failed, and if every one passed."""
    low, high = (
        _weighted(drawn, {**{one.query_id: taken for one in drawn}, **verdicts}, level).estimate
        for taken in (False, True)
    )
    return low or 0.0, high or 0.0


def _weighted(drawn: Sequence[Drawn], verdicts: Verdicts, level: float) -> Interval:
    codes = {name: code for code, name in enumerate(sorted({one.stratum for one in drawn}))}
    answers = {name: sum(one.stratum == name for one in drawn) for name in codes}
    return survey.rate(
        [int(verdicts[one.query_id]) for one in drawn],
        [1] * len(drawn),
        # by those answered, not those drawn: a stratum with more questions left open keeps its share
        weight=[one.weight * one.stratum_size / answers[one.stratum] for one in drawn],
        stratum=[codes[one.stratum] for one in drawn],
        level=level,
    )
