"""Made-up failures with their lists, to go with the counts of ``made``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attribution.results import QuestionStage, QuestionTrace, RankedDocument
from tests.reports.made import CUTOFFS, INTENTS, STAGES, Pairs, fate_of

TOPICS = ("the audit log", "single sign-on", "seat invoices", "webhook retries", "workspace exports", "bulk deletes",
          "custom roles", "data residency", "the sandbox region", "archived projects")  # fmt: skip
FORMS = ("How do I change {} for several workspaces at once?", "Why did {} stop working after the last migration?",
         "Is {} kept longer on the Enterprise plan than on Business?", "Which plan includes {}, and is there a limit?",
         "Can I be refunded for {} that was added by mistake?")  # fmt: skip
TITLES = ("Administration guide, chapter 4", "Release notes, August", "What the error codes mean", None)
TEXTS = ("Overview of {} with the settings that administrators can change per workspace and the ones they cannot.",
         "Troubleshooting {}: what the error means, where it is logged, and the order in which to check things.",
         "Release notes that mention {} together with four other changes of the same week.")  # fmt: skip


def document(rank: int, doc_id: str, seed: int, *, before: int | None = None, gold: bool = False) -> RankedDocument:
    """Return a place of a list."""
    return RankedDocument(
        rank=rank, doc_id=doc_id, rank_before=before, score=round(0.95 - 0.011 * rank, 3), title=TITLES[seed % 4],
        text=TEXTS[seed % 3].format(TOPICS[seed % 10]), gold=gold, truncated=False,
    )  # fmt: skip


def trace(
    position: int, number: int, intent: str | None, stages: Sequence[str] = STAGES, **changes: Any
) -> QuestionTrace:
    """Return a failed answer whose evidence was lost at ``position`` in pipeline order."""
    fate, stage = fate_of(position, stages)
    lists = []
    ranks: list[int | None] = []
    for place, name in enumerate(stages):
        size = CUTOFFS.get(name, 10)
        rank = min(size, 4 + number % 5) if place < position else None
        ranks.append(rank)
        lists.append(
            QuestionStage(
                stage=name, search=0, complete=True, inferred_by=None,
                documents=[
                    document(r, f"g{number}" if r == rank else f"c{number}-{r}", number + r, gold=r == rank,
                             before=r + 1 if place else None)
                    for r in range(1, size + 1)
                ],
            )
        )  # fmt: skip
    fields: dict[str, Any] = {
        "query_id": f"q{number:04d}", "repeat": 0, "query": FORMS[number % 5].format(TOPICS[number % 10]),
        "intent": intent, "answer": f"Ask your administrator to look at {TOPICS[(number + 3) % 10]} and try once more.",
        "passed": False, "judge": "judge-v3", "fate": fate, "stage": stage,
        "reason": {"never_found": "not_retrieved", "lost": "dropped", "reached": None}[fate],
        "gold_ranks": ranks, "gold": [f"g{number}"], "stages": lists,
    }  # fmt: skip
    return QuestionTrace(**(fields | changes))


def many(n: int, stages: Sequence[str] = STAGES) -> Iterator[QuestionTrace]:
    """Yield any number of failures, a quarter of each fate; those of a fate share their lists, so they cost little."""
    kinds = [trace(position, 20 + position, "Billing", stages) for position in range(len(stages) + 1)]
    for number in range(n):
        like = kinds[number % len(kinds)]
        query = FORMS[number % 5].format(TOPICS[number % 10])
        yield like.model_copy(update={"query_id": f"q{number:06d}", "query": query, "intent": f"intent {number % 12}"})


def traces(by: Mapping[Any, Pairs] | None = None, stages: Sequence[str] = STAGES) -> list[QuestionTrace]:
    """Return every failure the counts call for, in no particular order."""
    by = dict(INTENTS) if by is None else dict(by)

    def each() -> Iterator[tuple[int, str | None]]:
        for intent, pairs in by.items():
            for position, (failed, _) in enumerate(pairs):
                yield from [(position, intent)] * failed

    places = sorted(each(), key=lambda place: (str(place[1]), -place[0]))
    return [trace(position, 17 + 3 * i, intent, stages) for i, (position, intent) in enumerate(places)]
