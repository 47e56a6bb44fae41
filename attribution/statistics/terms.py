"""The parts of a split over the transition cells, as exact numbers, as intervals, or as arrays of draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """A table as shares of all questions; every part has four entries: retained, recovered, lost, still missing.

    Attributes:
        sizes: share of questions in the cell.
        before: share of questions in the cell that passed before.
        after: share of questions in the cell that pass after.
    """

    sizes: Any
    before: Any
    after: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTerms(Generic[T]):
    """An observed change of the pass rate by transition cell: passes gained less passes lost, over all questions.

    Attributes:
        total: pass rate after less pass rate before, the sum of the four.
        retained: contribution of the retained questions.
        recovered: of the recovered.
        lost: of the lost.
        still_missing: of those still missing.

    >>> ChangeTerms(total=0.1, retained=-0.05, recovered=0.15, lost=0.0, still_missing=0.0).recovered
    0.15
    """

    total: T
    retained: T
    recovered: T
    lost: T
    still_missing: T


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorTerms(Generic[T]):
    """What a forecast was off by, realised less forecast, by the assumption that failed.

    Attributes:
        total: pass rate after less its forecast, the sum of the five.
        recall: recall came out unlike the one forecast.
        recovered: recovered questions pass unlike those that had gold.
        retained: retained questions pass unlike those that had gold.
        lost: lost questions pass unlike those that had none.
        still_missing: questions still missing pass unlike those that had none.
    """

    total: T
    recall: T
    recovered: T
    retained: T
    lost: T
    still_missing: T


@dataclass(frozen=True, slots=True, kw_only=True)
class FineErrorTerms(Generic[T]):
    """The same with three terms in two: what changed within the cell, and who is in it.

    Attributes:
        total: pass rate after less its forecast, the sum of the eight.
        recall: recall came out unlike the one forecast.
        recovered: recovered questions pass unlike those that had gold.
        retained_change: retained questions pass unlike before.
        retained_composition: already before, the retained passed unlike all with gold.
        lost_change: lost questions pass unlike before.
        lost_composition: already before, the lost passed unlike all without gold.
        still_missing_change: questions still missing pass unlike before.
        still_missing_selection: already before, they passed unlike all without gold: the fix chose its questions.
    """

    total: T
    recall: T
    recovered: T
    retained_change: T
    retained_composition: T
    lost_change: T
    lost_composition: T
    still_missing_change: T
    still_missing_selection: T
