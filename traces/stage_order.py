"""In which order a run's stages come, learnt from the records or declared by the header."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from traces.errors import RecordError


class StageOrder:
    """The stages of one run.

    Every record puts its own stages in an order. Orders are merged as long as they agree; a stage is only placed where
    some record places it, so records may each lack stages. Ties keep the order of first sight.

    Args:
        known: the stages the store already has for the run, in order.
        declared: the stages a header declares, in order; then no other may come, and the order in a record, which
            writers that sort their keys destroy, says nothing.
    """

    def __init__(self, known: Sequence[str] = (), declared: Sequence[str] | None = None) -> None:
        self._seen: list[str] = []
        self._after: dict[str, set[str]] = {}
        self._agreed: set[tuple[str, ...]] = set()
        self.declared = declared is not None
        for order in (known, declared or ()):
            self._learn(tuple(order))

    def admit(self, stages: tuple[str, ...]) -> None:
        """Check one record's stages and learn from their order.

        Raises:
            RecordError: a stage that the header does not declare, or an order that contradicts earlier records.
        """
        if stages in self._agreed:
            return
        if self.declared:
            for stage in stages:
                if stage not in self._after:
                    raise RecordError(
                        "unknown-stage",
                        f"stage '{stage}' is not declared by the run header",
                        field="stages",
                        hint=f"declared are {', '.join(self._seen)}",
                    )
            self._agreed.add(stages)
        else:
            self._learn(stages)

    def _learn(self, stages: tuple[str, ...]) -> None:
        if len(set(stages)) < len(stages):
            raise RecordError("stage-order", "a stage is named twice", field="stages")
        for index, stage in enumerate(stages):
            for later in stages[index + 1 :]:
                if stage in self._reachable(later):
                    raise RecordError(
                        "stage-order",
                        f"'{stage}' comes before '{later}', other records have it after",
                        field="stages",
                        hint="declare the order in a run header",
                    )
        for stage in stages:
            if stage not in self._after:
                self._after[stage] = set()
                self._seen.append(stage)
        for stage, following in itertools.pairwise(stages):
            self._after[stage].add(following)
        self._agreed.add(stages)

    def _reachable(self, stage: str) -> set[str]:
        """Return the stages that some chain of records puts after ``stage``."""
        found: set[str] = set()
        waiting = list(self._after.get(stage, ()))
        while waiting:
            reached = waiting.pop()
            if reached not in found:
                found.add(reached)
                waiting.extend(self._after[reached])
        return found

    def order(self) -> list[str]:
        """Return all stages in order."""
        placed: list[str] = []
        while len(placed) < len(self._seen):
            blocked = {later for stage in self._seen if stage not in placed for later in self._after[stage]}
            placed.append(next(stage for stage in self._seen if stage not in placed and stage not in blocked))
        return placed
