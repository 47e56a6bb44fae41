"""The projection standardised by intent: every intent keeps its own rates, weighted by where questions miss gold."""

from __future__ import annotations

from attribution import fates
from attribution.fix import Fix
from attribution.results import Attribution, BySlice, Standardised, StandardisedIntent
from attribution.statistics.standardised import IntentCounts, standardised
from traces.store import TraceStore


def standardised_by_intent(store: TraceStore, before: Attribution, fix: Fix) -> Standardised | None:
    """Standardise a projection on intent; ``before`` is split by intent, and its answers are the ones kept last.

    Returns:
        The projection, or None: fewer than two intents, several answers a question, uneven weights within an intent,
        or recovered questions with a rate of their own, which no intent has for itself.
    """
    if fix.recovered is not None:
        return None
    values = fates.step_values(before.run, before.labels.name, before.policy)
    weights = {row["intent"]: row for row in store.step(fates.PACKAGES, "intent_weights", values, given=fates.KEPT)}
    slices = [by for by in before.by if by.questions]
    if len(slices) < 2 or before.questions.repeats != before.questions.attributable:
        return None
    if not all(row["even"] for row in weights.values()):
        return None
    counts = [_counts(by, float(weights[by.value]["weight"])) for by in slices]
    found = standardised(fix.recall, counts, level=before.policy.level)
    total = sum(each.weight for each in counts)
    missing = [each.weight * (each.n - each.gold) / each.n for each in counts]
    return Standardised(
        projection=found.projection,
        composition_gap=found.composition_gap,
        by=[
            StandardisedIntent(
                value=by.value,
                weight=each.weight / total,
                share_of_missing=share / sum(missing) if sum(missing) else 0.0,
                with_gold=by.conditional.with_gold.estimate,
                without_gold=by.conditional.without_gold.estimate,
                borrowed=at in found.borrowed,
                thin=at in found.thin,
            )
            for at, (by, each, share) in enumerate(zip(slices, counts, missing, strict=True))
        ],
    )


def _counts(by: BySlice, weight: float) -> IntentCounts:
    """Return the counts of one intent as the standardised projection takes them."""
    with_gold, without_gold = by.conditional.with_gold, by.conditional.without_gold
    return IntentCounts(
        weight=weight,
        n=with_gold.n + without_gold.n,
        gold=with_gold.n,
        gold_pass=with_gold.count or 0,
        nogold_pass=without_gold.count or 0,
    )
