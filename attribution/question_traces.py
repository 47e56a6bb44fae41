"""Question traces: single answers with their fate and their lists, for drill-downs and for ``foundlost show``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from attribution import fates
from attribution.choices import Choices, settle
from attribution.document_texts import document_texts
from attribution.fates import Stage
from attribution.results import QuestionStage, QuestionTrace, RankedDocument
from traces.runs import require_run
from traces.store import TraceStore

AnswerKey = tuple[str, int]

# The look-up that reads lists as lists; everything that counts goes through hits.
_LISTS = """
SELECT s.query_id, s.repeat, l.search, l.stage, l.docs, l.scores, l.truncated, l.complete, l.inferred_by
FROM shown AS s
JOIN stage_lists AS l ON l.query_id = s.query_id AND l.repeat = s.repeat AND l.run_id = $run
JOIN run_stages AS p ON p.run_id = l.run_id AND p.stage = l.stage
ORDER BY s.query_id, s.repeat, l.search, p.position
"""


def failed_traces(store: TraceStore, run_id: str, choices: Choices | None = None) -> list[QuestionTrace]:
    """Return every attributable answer that failed, in pipeline order of its fate, then intent, then id."""
    return _traces(store, run_id, choices, query_id=None)


def question_traces(
    store: TraceStore, run_id: str, query_id: str, choices: Choices | None = None
) -> list[QuestionTrace]:
    """Return every repeat of one question in order, attributable or not; empty where the run did not ask it."""
    return sorted(_traces(store, run_id, choices, query_id=query_id), key=lambda trace: trace.repeat)


def _traces(store: TraceStore, run_id: str, choices: Choices | None, *, query_id: str | None) -> list[QuestionTrace]:
    choices = choices or Choices()
    require_run(store, run_id)
    labels, policy = settle(store, run_id, choices)
    values = {**fates.step_values(run_id, labels.name, policy), "query_id": query_id}
    fates.follow_evidence(store, values)
    store.keep_step(fates.PACKAGES, "shown", values, given=fates.KEPT)
    given = fates.KEPT | {"shown"}
    stages = fates.run_stages(store, run_id)
    gold: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in store.step(fates.PACKAGES, "shown_gold", values, given=given):
        gold[row["query_id"]].append(row)
    lists = _grouped(store.rows(_LISTS, {"run": run_id}))
    ranks = _grouped(store.step(fates.PACKAGES, "shown_ranks", values, given=given))
    texts = document_texts(store, _listed(lists, gold))
    return [
        _trace(row, stages, lists[_key(row)], gold[row["query_id"]], ranks[_key(row)], texts)
        for row in store.step(fates.PACKAGES, "shown_answers", values, given=given)
    ]


def _listed(
    lists: Mapping[AnswerKey, Sequence[Mapping[str, Any]]], gold: Mapping[str, Sequence[Mapping[str, Any]]]
) -> set[str]:
    """Return the documents of the lists, and the gold ones: only their texts are looked up."""
    listed = {doc for rows in lists.values() for row in rows for doc in row["docs"] if doc is not None}
    return listed | {row["doc_id"] for rows in gold.values() for row in rows}


def _key(row: Mapping[str, Any]) -> AnswerKey:
    return row["query_id"], row["repeat"]


def _grouped(rows: Sequence[dict[str, Any]]) -> dict[AnswerKey, list[dict[str, Any]]]:
    groups: dict[AnswerKey, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[_key(row)].append(row)
    return groups


def _trace(
    row: Mapping[str, Any],
    stages: Sequence[Stage],
    lists: Sequence[Mapping[str, Any]],
    gold: Sequence[Mapping[str, Any]],
    ranks: Sequence[Mapping[str, Any]],
    texts: Mapping[str, Mapping[str, Any]],
) -> QuestionTrace:
    fate, stage = fates.fate_name(row["reach"], stages) if row["status"] == "attributable" else (None, None)
    names = {g["known_as"]: g["doc_id"] for g in gold}
    best = {r["position"]: r["rank"] for r in ranks}
    return QuestionTrace(
        **{k: row[k] for k in ("query_id", "repeat", "query", "intent", "answer", "passed", "judge")},
        fate=fate,
        stage=stage,
        reason=row["reason"] if row["status"] == "attributable" else row["status"],
        gold_ranks=[best.get(s.position) for s in stages],
        gold=sorted({g["doc_id"] for g in gold}),
        gold_texts={g["doc_id"]: text for g in gold if (text := _text(texts.get(g["doc_id"], {})))},
        stages=_stage_lists(lists, names, texts),
    )


def _text(document: Mapping[str, Any]) -> str:
    return ": ".join(part for part in (document.get("title"), document.get("text")) if part)


def _stage_lists(
    lists: Sequence[Mapping[str, Any]], gold: Mapping[str, str], texts: Mapping[str, Mapping[str, Any]]
) -> list[QuestionStage]:
    before: dict[int, dict[str, int]] = {}
    shown = []
    for row in lists:
        places: dict[str, int] = {}
        documents = []
        cut = set(row["truncated"] or ())
        for rank, doc_id in enumerate(row["docs"], start=1):
            if doc_id is None:
                continue
            places.setdefault(doc_id, rank)
            known = texts.get(doc_id, {})
            documents.append(
                RankedDocument(
                    rank=rank,
                    doc_id=doc_id,
                    rank_before=before.get(row["search"], {}).get(doc_id),
                    score=row["scores"][rank - 1] if row["scores"] else None,
                    title=known.get("title"),
                    text=known.get("text"),
                    gold=doc_id in gold,
                    truncated=doc_id in cut,
                    gold_id=gold.get(doc_id),
                )
            )
        before[row["search"]] = places
        shown.append(
            QuestionStage(
                stage=row["stage"],
                search=row["search"],
                complete=row["complete"],
                inferred_by=row["inferred_by"],
                documents=documents,
            )
        )
    return shown
