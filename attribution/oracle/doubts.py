"""What to know before using the rate an oracle experiment gives."""

from __future__ import annotations

from collections.abc import Iterator

from attribution.oracle.rate import answered, matches
from attribution.results import Attribution, RecoveredRate, Warn
from traces.oracle import samples_of
from traces.store import TraceStore
from traces.values import counted


def oracle_caveats(store: TraceStore, before: Attribution, recovered: RecoveredRate) -> list[Warn]:
    """Return what to know of the rate taken for recovered questions, the gravest first.

    Args:
        store: an open store; reading is enough.
        before: the run before the fix.
        recovered: the rate; of another source than an oracle experiment there is at most an unused one to tell of.
    """
    if recovered.source != "oracle":
        return list(_unused(store, before))
    return [*_measured(recovered), *_unanswered(recovered), *_judges(recovered)]


def _unused(store: TraceStore, before: Attribution) -> Iterator[Warn]:
    for sample in samples_of(store, before.run):
        if answered(store, sample) and not matches(sample, before.labels, before.policy):
            yield Warn(
                code="oracle_not_used",
                message=(
                    f"the answers to sample {sample.sample_id} are not used: it was drawn under other labels or "
                    "another policy, so its questions are not this projection's misses"
                ),
            )
            return


def _measured(recovered: RecoveredRate) -> Iterator[Warn]:
    low, high = recovered.rate.bounds
    drawn = f"sample {recovered.sample}, seed {recovered.seed}"
    if recovered.samples is not None and recovered.samples > 1:
        drawn += f", number {recovered.samples} drawn of this run"
    cut = f"; the prompts of {recovered.gold_cut} had no room for all their gold" if recovered.gold_cut else ""
    yield Warn(
        code="recovered_measured",
        message=(
            f"recovered questions are taken to pass at {recovered.rate.estimate or 0.0:.4f} ({low:.4f} to {high:.4f}), "
            f"as {counted(recovered.rate.n, 'miss', 'misses')} did with the gold first in the prompt ({drawn}): an "
            f"upper end, for no retriever puts it first every time{cut}"
        ),
        questions=recovered.rate.n,
    )


def _unanswered(recovered: RecoveredRate) -> Iterator[Warn]:
    if recovered.unanswered and recovered.bounds is not None:
        low, high = recovered.bounds
        yield Warn(
            code="oracle_unanswered",
            message=(
                f"{counted(recovered.unanswered, 'question', 'questions')} of {recovered.drawn} drawn have no verdict: "
                f"the rate of recovered questions is {low:.4f} if all of these fail, and {high:.4f} if all pass"
            ),
            questions=recovered.unanswered,
        )


def _judges(recovered: RecoveredRate) -> Iterator[Warn]:
    if recovered.judge != recovered.run_judge:
        theirs, ours = recovered.judge or "nobody named", recovered.run_judge or "nobody named"
        yield Warn(
            code="oracle_judge",
            message=(
                f"recovered answers were judged by {theirs}, those of the run by {ours}: the gain may be a difference "
                "of judges"
            ),
        )
