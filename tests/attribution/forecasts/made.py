"""Two runs made from transition cells, and a forecast sealed between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attribution.forecasts.seal import Terms, seal
from attribution.results import FalsifierVerdict, Sealed, VerdictFound
from tests.attribution.made_runs import add_run, trace
from traces.store import TraceStore

Kind = tuple[int, int, int, int]

# The method's worked example: (gold before, gold after, passed before, passed after) -> questions.
EXAMPLE: Mapping[Kind, int] = {
    (1, 1, 1, 1): 190, (1, 1, 1, 0): 11, (1, 1, 0, 1): 6, (1, 1, 0, 0): 21,
    (1, 0, 1, 1): 2, (1, 0, 1, 0): 1, (1, 0, 0, 0): 1,
    (0, 1, 1, 1): 50, (0, 1, 1, 0): 5, (0, 1, 0, 1): 40, (0, 1, 0, 0): 17,
    (0, 0, 1, 1): 20, (0, 0, 1, 0): 4, (0, 0, 0, 1): 2, (0, 0, 0, 0): 30,
}  # fmt: skip
SETTING = {"model": "m1", "prompt": "p1", "index_size": 100}


def kinds_of(counts: Mapping[Kind, int]) -> list[Kind]:
    """Return one entry a question."""
    return [kind for kind, n in counts.items() for _ in range(n)]


def answered(query_id: str, gold: int, passed: int | None, **more: Any) -> dict[str, Any]:
    """Return a record whose gold is there at every stage, or at none."""
    listed = ["g"] if gold else ["x"]
    return trace(query_id, listed, listed, listed, None if passed is None else bool(passed), gold=["g"], **more)


def before_of(kinds: Sequence[Kind], **more: Any) -> list[dict[str, Any]]:
    """Return the run before."""
    return [answered(f"q{i}", gold, passed, **more) for i, (gold, _, passed, _) in enumerate(kinds)]


def after_of(kinds: Sequence[Kind], **more: Any) -> list[dict[str, Any]]:
    """Return the run after."""
    return [answered(f"q{i}", gold, passed, **more) for i, (_, gold, _, passed) in enumerate(kinds)]


def headed(records: Sequence[Mapping[str, Any]], **setting: Any) -> list[Mapping[str, Any]]:
    """Return a run with a first line that says what it was made with."""
    stages = ["candidates", "reranked", "packed"]
    return [{"run": {"stages": stages, **SETTING, **setting}}, *records]


@contextmanager
def store_before(
    folder: Path, records: Sequence[Mapping[str, Any]] | None = None, counts: Mapping[Kind, int] = EXAMPLE
) -> Iterator[TraceStore]:
    """Open a store with the run before."""
    with TraceStore.in_memory() as store:
        add_run(store, folder, before_of(kinds_of(counts)) if records is None else records, run="before")
        yield store


def sealed(store: TraceStore, name: str = "f", recall: float = 0.85, **terms: Any) -> Sealed:
    """Seal a forecast for the run before."""
    return seal(store, "before", name, recall=recall, terms=Terms(**terms))


def of(found: VerdictFound, name: str) -> FalsifierVerdict:
    """Return the verdict on one falsifier."""
    (one,) = [each for each in found.falsifiers if each.name == name]
    return one
