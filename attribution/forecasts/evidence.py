"""What the falsifiers look at beside the pairs: how runs were made, unjudged documents, audits."""

from __future__ import annotations

from collections.abc import Iterable

from attribution import fates
from attribution.comparable import judging
from attribution.results import Attribution, Setting
from attribution.run_facts import run_facts
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.proportions import wilson
from traces.chain import digest
from traces.store import TraceStore

# Level whose limits give one-sided tests at 5%, as the other falsifiers have.
LEVEL = 0.9


def setting_of(store: TraceStore, run: Attribution) -> Setting:
    """Return what a run was made with, as far as it is recorded; of its judges, those whose outcomes count."""
    facts = run_facts(store, run.run)
    judges, rules = judging(store, run)
    return Setting(
        build=facts.build,
        model=facts.model,
        prompt=facts.prompt,
        judges=judges,
        pass_rules=rules,
        index_size=facts.index_size,
        stages=facts.stages,
    )


def unjudged_at_end(store: TraceStore, run: Attribution) -> Interval:
    """Return the share of documents at the last stage that nobody judged.

    It is counted, not sampled, so its limits are the share itself. The answers of ``run`` must be the ones kept last.
    """
    values = fates.step_values(run.run, run.labels.name, run.policy)
    (row,) = store.step(fates.PACKAGES, "unjudged_at_end", values, given=fates.KEPT)
    documents, judged = int(row["documents"]), int(row["judged"])
    share = (documents - judged) / documents if documents else None
    return Interval(
        n=documents,
        count=documents - judged,
        estimate=share,
        lower=share,
        upper=share,
        level=1.0,
        method="count",
        reason=None if documents else Undefined.no_cases,
    )


def audited(store: TraceStore, run: Attribution) -> Interval:
    """Return the share of questions searched in an audit for which gold turned up that the labels lack.

    One draw is one question searched. The answers of ``run`` must be the ones kept last.
    """
    values = fates.step_values(run.run, run.labels.name, run.policy)
    rows = store.step(fates.PACKAGES, "audited", values, given=fates.KEPT)
    return wilson(sum(row["surprised"] for row in rows), len(rows), level=LEVEL)


def gold_fingerprint(store: TraceStore, run: Attribution) -> str:
    """Return a digest of the gold of a run's questions and of the answers that had it, so that a later change shows.

    The answers of ``run`` must be the ones kept last.
    """
    values = fates.step_values(run.run, run.labels.name, run.policy)
    gold = store.step(fates.PACKAGES, "gold_for_comparison", values, given=fates.KEPT)
    reached = store.step(fates.PACKAGES, "outcome_places", values, given=fates.KEPT)
    return _digest(
        [("gold", row["query_id"], row["doc_id"], row["need"]) for row in gold]
        + [("reached", row["query_id"], row["repeat"], row["has_gold"]) for row in reached]
    )


def answers_fingerprint(store: TraceStore, run: Attribution) -> str:
    """Return a digest of which answers of a run passed and of what they count for, so that a later change shows.

    The answers of ``run`` must be the ones kept last.
    """
    values = fates.step_values(run.run, run.labels.name, run.policy)
    rows = store.step(fates.PACKAGES, "outcome_places", values, given=fates.KEPT)
    return _digest([(row["query_id"], row["repeat"], row["passed"], row["weight"]) for row in rows])


def _digest(rows: Iterable[tuple[object, ...]]) -> str:
    return digest("\n".join(sorted(map(repr, rows))))
