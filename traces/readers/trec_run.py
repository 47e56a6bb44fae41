"""TREC run files, one a stage: ``question Q0 document rank score tag``, six columns set apart by white space.

As trec_eval has it, scores decide and ties fall by document id, both descending; the rank column is only compared.
Scores are compared in double precision, where trec_eval compares them in single precision.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from traces.errors import RecordError
from traces.progress import Progress
from traces.readers.base import RUN, Format, Raw, Remark
from traces.readers.columns import finite, number, text
from traces.sources import Source
from traces.values import counted

ABSENT = "absent from the TREC run"
_COLUMNS = 6
_CHUNK = 100_000


def _told_by(head: list[bytes]) -> str | None:
    rows = [line.split() for line in head]
    fitting = sum(len(row) == _COLUMNS and finite(row[4]) is not None for row in rows)
    return f"{fitting} of the first {len(head)} lines have 6 columns with a score in the fifth" if fitting else None


class _Stage:
    """One file's lists, kept as columns: 10 million lines of Python objects would not fit in memory."""

    def __init__(self, name: str, source: Source) -> None:
        self.name = name
        self.source = source
        self.numbers: dict[str, int] = {}
        self.first_lines: list[int] = []
        self.incomplete: set[str] = set()
        self.contradicted = 0
        self._positions: dict[bytes, int] = {}
        self._questions = array("i")
        self._scores = array("d")
        self._ranks = array("d")
        self._docs: list[str] = []
        self._chunks: list[pa.Array] = []

    def read(self, progress: Progress) -> Iterator[Raw]:
        """Read the file; yield the lines that cannot be used."""
        for at, line in self.source.lines(progress):
            columns = line.split()
            try:
                self._add(columns, at)
            except RecordError as error:
                self.incomplete.add(columns[0].decode(errors="replace"))
                yield Raw(self.source.name, at, error, line)
        self._pack()
        self._sort()

    def _add(self, columns: list[bytes], line: int) -> None:
        if len(columns) != _COLUMNS:
            raise RecordError("wrong-columns", f"has {len(columns)} columns, a line of a run has {_COLUMNS}")
        name, _, document, rank, score, _ = columns
        value = number(score, "score")
        doc_id = text(document)
        position = self._positions.get(name)
        if position is None:
            query_id = text(name)
            position = self._positions[name] = self.numbers[query_id] = len(self.numbers)
            self.first_lines.append(line)
        self._questions.append(position)
        self._scores.append(value)
        self._ranks.append(int(rank) if rank.isdigit() else 0)
        self._docs.append(doc_id)
        if len(self._docs) == _CHUNK:
            self._pack()

    def _pack(self) -> None:
        self._chunks.append(pa.array(self._docs, pa.large_string()))
        self._docs.clear()

    def _sort(self) -> None:
        """Bring each question's lines together, in the order of the file."""
        questions = np.frombuffer(self._questions, dtype=np.intc)
        order = np.argsort(questions, kind="stable")
        self._bounds = np.searchsorted(questions[order], np.arange(len(self.numbers) + 1))
        self._sorted_scores = np.frombuffer(self._scores, dtype=np.double)[order]
        self._sorted_ranks = np.frombuffer(self._ranks, dtype=np.double)[order]
        self._sorted_docs = pa.chunked_array(self._chunks, pa.large_string()).take(pa.array(order)).combine_chunks()

    def items(self, query_id: str) -> list[dict[str, Any]]:
        """Return a question's documents in the order of trec_eval."""
        position = self.numbers[query_id]
        start, stop = int(self._bounds[position]), int(self._bounds[position + 1])
        scores = self._sorted_scores[start:stop].tolist()
        ranks = self._sorted_ranks[start:stop].tolist()
        docs = self._sorted_docs.slice(start, stop - start).to_pylist()
        # text compares by code point, which is the order of its UTF-8 bytes and so of strcmp
        rows = sorted(zip(scores, docs, ranks, strict=True), key=itemgetter(0, 1), reverse=True)
        self.contradicted += any(here[2] > after[2] for here, after in itertools.pairwise(rows))
        return [{"doc_id": doc_id, "score": score} for score, doc_id, _ in rows]


def read_stages(stages: Sequence[tuple[str, Source]], progress: Progress) -> Iterator[Raw | Remark]:
    """Yield one trace a question, its stages in the order given.

    A question that is in one file and not in another has an empty list there; one that lost a line to quarantine has
    an incomplete list.
    """
    read = [_Stage(name, source) for name, source in stages]
    for stage in read:
        yield from stage.read(progress)
    for query_id in dict.fromkeys(name for stage in read for name in stage.numbers):
        yield _trace(query_id, read)
    for stage in read:
        if stage.contradicted:
            found = counted(stage.contradicted, "question", "questions")
            yield Remark(
                "rank-column",
                f"the rank column of '{stage.name}' contradicts the order of its scores in {found}; scores decide, "
                "ties fall by document id, both descending",
            )


def _trace(query_id: str, stages: Sequence[_Stage]) -> Raw:
    lists: list[dict[str, Any]] = []
    for stage in stages:
        listed: dict[str, Any] = {"stage": stage.name, "complete": query_id not in stage.incomplete}
        if query_id in stage.numbers:
            listed["items"] = stage.items(query_id)
        else:
            listed |= {"items": [], "inferred_by": ABSENT}
        lists.append(listed)
    home = next(stage for stage in stages if query_id in stage.numbers)
    line = home.first_lines[home.numbers[query_id]]
    return Raw(home.source.name, line, {"query_id": query_id, "stages": lists}, b"")


FORMAT = Format(
    "trec-run", "one stage's lists: question, Q0, document, rank, score, tag", frozenset((RUN,)), _told_by, None
)
