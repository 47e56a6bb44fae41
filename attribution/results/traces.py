"""What a report shows beside the numbers: where a run comes from, and single answers with their lists."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from attribution.results.base import FateName, Result


class Source(Result):
    """One file that was read, by its own name (never its path) and content hash."""

    name: str | None
    kind: str
    sha256: str
    records: int
    quarantined: int
    loaded_at: datetime


class StageOrigin(Result):
    """Where the lists of one stage come from: recorded by the pipeline, or inferred by a named rule."""

    stage: str
    inferred_by: str | None
    lists: int


class RunFacts(Result):
    """What a reader must know about a run to trust its numbers."""

    run: str
    build: str | None
    created_at: datetime | None
    model: str | None
    prompt: str | None
    index_size: int | None
    synthetic: str | None = Field(description="how made-up data was made; None for real data")
    stages: list[str]
    judges: list[str]
    pass_rules: list[str]
    origins: list[StageOrigin]
    sources: list[Source]


class RankedDocument(Result):
    """One place of a stage's list. ``rank_before`` is the document's rank in the stage before, ``None`` if absent."""

    rank: int
    doc_id: str
    rank_before: int | None
    score: float | None
    title: str | None
    text: str | None
    gold: bool
    truncated: bool
    gold_id: str | None = Field(default=None, description="own id of the gold document this is, perhaps under an alias")


class QuestionStage(Result):
    """One stage's list for one answer."""

    stage: str
    search: int
    complete: bool
    inferred_by: str | None
    documents: list[RankedDocument]


class QuestionTrace(Result):
    """One answer with its fate and lists. ``gold_ranks``: per stage, the best rank of gold, or ``None``."""

    query_id: str
    repeat: int
    query: str | None
    intent: str | None
    answer: str | None
    passed: bool | None
    judge: str | None
    fate: FateName | None
    stage: str | None
    reason: str | None = None
    gold_ranks: list[int | None]
    gold: list[str]
    gold_texts: dict[str, str] = Field(default={}, description="title and text of a gold document, where known, by id")
    stages: list[QuestionStage]
