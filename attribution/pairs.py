"""Pairs of answers to the same question in two runs, and what can be estimated from them.

Where every question has one answer and counts the same, pairs are counted and exact methods apply. With repeats or
weights a question is one cluster, and spread is measured between questions. It counts for as many answers as it had
before, each at the question's weight, so that rates before are those of the attribution.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from attribution.results import PassChange
from attribution.results.comparison import CellName
from attribution.statistics.cancellation import contribution_limits
from attribution.statistics.claims import Claim, Untested
from attribution.statistics.differences import mcnemar, newcombe_paired
from attribution.statistics.interval import Interval
from attribution.statistics.paired_means import paired_mean, paired_tests
from attribution.statistics.proportions import wilson
from attribution.statistics.retained import retained_undisturbed, retained_undisturbed_means
from attribution.statistics.survey import rate
from attribution.statistics.term_limits import change_limits
from attribution.statistics.transitions import Transitions

Side = Literal["before", "after"]
CELLS: tuple[CellName, ...] = ("retained", "recovered", "lost", "still_missing")


@dataclass(frozen=True, slots=True)
class Pair:
    """``n`` pairs of answers that changed alike; of one question, where questions are clusters.

    An answer before is in ``times_before`` pairs and one after in ``times_after``: more than one where the runs have
    other numbers of answers to a question, and each is held against each.
    """

    query_id: str | None
    weight: float | None
    gold_before: bool
    gold_after: bool
    passed_before: bool
    passed_after: bool
    fate_before: str
    fate_after: str
    n: int
    times_before: int = 1
    times_after: int = 1

    @property
    def gain(self) -> int:
        """1 where the answer came to pass, -1 where it ceased to."""
        return int(self.passed_after) - int(self.passed_before)

    def gold(self, side: Side) -> bool:
        """Whether the answer of one side had its gold."""
        return self.gold_before if side == "before" else self.gold_after

    def passed(self, side: Side) -> bool:
        """Whether the answer of one side passed."""
        return self.passed_before if side == "before" else self.passed_after

    def times(self, side: Side) -> int:
        """In how many pairs the answer of one side is."""
        return self.times_before if side == "before" else self.times_after

    @property
    def cell(self) -> CellName:
        """The transition cell the answer is in."""
        if self.gold_before:
            return "retained" if self.gold_after else "lost"
        return "recovered" if self.gold_after else "still_missing"


def gain_within(cell: CellName) -> Callable[[Pair], int]:
    """Return the gain of an answer if it is in a cell, else 0."""
    return lambda pair: pair.gain if pair.cell == cell else 0


def moved_at(fate: str) -> Callable[[Pair], int]:
    """Return 1 where an answer failed with a fate before and does no more, -1 the other way round."""

    def moved(pair: Pair) -> int:
        before = not pair.passed_before and pair.fate_before == fate
        after = not pair.passed_after and pair.fate_after == fate
        return int(before) - int(after)

    return moved


class Pairs(ABC):
    """All pairs of two runs."""

    def __init__(self, rows: Sequence[Pair], *, level: float) -> None:
        self.rows = rows
        self.level = level

    @property
    @abstractmethod
    def questions(self) -> int:
        """Number of questions, or of answers where each is one."""

    def mean(self, value: Callable[[Pair], int]) -> Fraction:
        """Return the exact mean of a value over the questions, weighted where they are."""
        return sum((self._weighs(pair) * value(pair) for pair in self.rows), Fraction(0)) / self.questions

    @abstractmethod
    def passed(self) -> PassChange:
        """Return both pass rates and their difference."""

    @abstractmethod
    def cell_limits(self) -> dict[CellName, Interval]:
        """Return what each transition cell contributed to the change, each interval by itself."""

    @abstractmethod
    def fate_limits(self, fates: Sequence[str]) -> Sequence[Interval]:
        """Return what each fate contributed, with intervals that hold all at once."""

    @abstractmethod
    def rate_in(self, cell: CellName, side: Side) -> Interval:
        """Return the pass rate of a transition cell, before or after."""

    @abstractmethod
    def recall(self, side: Side) -> Interval:
        """Return the share of questions with gold, before or after."""

    @abstractmethod
    def undisturbed(self, margin: float, power: float | None) -> Claim | Untested:
        """Return the claim that retained questions pass as before."""

    def table(self) -> Transitions:
        """Return the transition table: counts, or weights that add up to the number of questions."""
        counts: dict[tuple[bool, bool, bool, bool], Fraction] = defaultdict(Fraction)
        for pair in self.rows:
            key = bool(pair.gold_before), bool(pair.gold_after), pair.passed_before, pair.passed_after
            counts[key] += self._weighs(pair)
        return Transitions.of(counts)

    @abstractmethod
    def _weighs(self, pair: Pair) -> Fraction:
        """What a row of pairs counts for among all questions."""


class CountedPairs(Pairs):
    """One answer a question, each counting the same: counts say everything."""

    @property
    def questions(self) -> int:
        """As in Pairs."""
        return sum(pair.n for pair in self.rows)

    def passed(self) -> PassChange:
        """As in Pairs; Newcombe's interval and McNemar's mid-p."""
        kinds: Counter[tuple[bool, bool]] = Counter()
        for pair in self.rows:
            kinds[(pair.passed_before, pair.passed_after)] += pair.n
        both, neither = kinds[(True, True)], kinds[(False, False)]
        ceased, came = kinds[(True, False)], kinds[(False, True)]
        return PassChange(
            before=wilson(both + ceased, self.questions, level=self.level),
            after=wilson(both + came, self.questions, level=self.level),
            difference=newcombe_paired(both, came, ceased, neither, level=self.level),
            p_mcnemar_midp=mcnemar(ceased, came).midp,
            p_sign_flip=None,
        )

    def cell_limits(self) -> dict[CellName, Interval]:
        """As in Pairs."""
        terms = change_limits(self.table(), level=self.level)
        return {cell: getattr(terms, cell) for cell in CELLS}

    def rate_in(self, cell: CellName, side: Side) -> Interval:
        """As in Pairs; Wilson's."""
        inside = [pair for pair in self.rows if pair.cell == cell]
        passes = sum(pair.n for pair in inside if pair.passed(side))
        return wilson(passes, sum(pair.n for pair in inside), level=self.level)

    def recall(self, side: Side) -> Interval:
        """As in Pairs; Wilson's."""
        return wilson(sum(pair.n for pair in self.rows if pair.gold(side)), self.questions, level=self.level)

    def undisturbed(self, margin: float, power: float | None) -> Claim | Untested:
        """As in Pairs; Newcombe's paired interval."""
        return retained_undisturbed(*map(int, self.table().retained.counts()), margin=margin, power=power)

    def _weighs(self, pair: Pair) -> Fraction:
        return Fraction(pair.n)

    def fate_limits(self, fates: Sequence[str]) -> Sequence[Interval]:
        """As in Pairs."""
        places = {fate: at for at, fate in enumerate(fates, start=1)}
        moves = [[0] * (len(fates) + 1) for _ in range(len(fates) + 1)]
        for pair in self.rows:
            before = 0 if pair.passed_before else places[pair.fate_before]
            after = 0 if pair.passed_after else places[pair.fate_after]
            moves[before][after] += pair.n
        return contribution_limits(moves, level=self.level)


class ClusteredPairs(Pairs):
    """Several answers a question, or questions that do not count the same: spread is between questions."""

    def __init__(self, rows: Sequence[Pair], *, level: float) -> None:
        super().__init__(rows, level=level)
        self._pairs: Counter[str | None] = Counter()
        for pair in rows:
            self._pairs[pair.query_id] += pair.n
        self._weights = {
            pair.query_id: (pair.weight or 1.0) * self._pairs[pair.query_id] / pair.times_before for pair in rows
        }

    def passed(self) -> PassChange:
        """As in Pairs; t interval and sign-flip test on the questions' mean changes."""
        gains = self._by_question(lambda pair: pair.gain)
        return PassChange(
            before=self._rate("before", Pair.passed),
            after=self._rate("after", Pair.passed),
            difference=paired_mean(gains, weight=self._weight, level=self.level),
            p_mcnemar_midp=None,
            p_sign_flip=paired_tests(gains, weight=self._weight).p_flip,
        )

    def cell_limits(self) -> dict[CellName, Interval]:
        """As in Pairs."""
        return {cell: self._limits(gain_within(cell), self.level) for cell in CELLS}

    def rate_in(self, cell: CellName, side: Side) -> Interval:
        """As in Pairs; a question enters with as many of its answers as are in the cell."""
        return self._rate(side, Pair.passed, [pair for pair in self.rows if pair.cell == cell])

    def recall(self, side: Side) -> Interval:
        """As in Pairs."""
        return self._rate(side, Pair.gold)

    def undisturbed(self, margin: float, power: float | None) -> Claim | Untested:
        """As in Pairs; t interval on the questions' mean changes."""
        gains: Counter[str | None] = Counter()
        kept: Counter[str | None] = Counter()
        for pair in self.rows:
            if pair.cell == "retained":
                gains[pair.query_id] += pair.n * pair.gain
                kept[pair.query_id] += pair.n
        weights = [self._weights[query_id] * kept[query_id] / self._pairs[query_id] for query_id in kept]
        means = [gains[query_id] / n for query_id, n in kept.items()]
        return retained_undisturbed_means(means, weight=weights, margin=margin, power=power)

    def _weighs(self, pair: Pair) -> Fraction:
        share = Fraction(self._weights[pair.query_id]) * pair.n / self._pairs[pair.query_id]
        return share * len(self._weights) / sum(map(Fraction, self._weights.values()), Fraction(0))

    def fate_limits(self, fates: Sequence[str]) -> Sequence[Interval]:
        """As in Pairs, by Bonferroni."""
        apart = 1.0 - (1.0 - self.level) / max(1, len(fates))
        limits = [self._limits(moved_at(fate), apart) for fate in fates]
        return [replace(found, level=self.level, method=f"{found.method}-bonferroni") for found in limits]

    def _limits(self, value: Callable[[Pair], int], level: float) -> Interval:
        return paired_mean(self._by_question(value), weight=self._weight, level=level)

    @property
    def questions(self) -> int:
        """As in Pairs."""
        return len(self._weights)

    @property
    def _weight(self) -> list[float]:
        return list(self._weights.values())

    def _by_question(self, value: Callable[[Pair], int]) -> list[float]:
        sums: dict[str | None, int] = defaultdict(int)
        for pair in self.rows:
            sums[pair.query_id] += pair.n * value(pair)
        return [sums[query_id] / self._pairs[query_id] for query_id in self._weights]

    def _rate(self, side: Side, met: Callable[[Pair, Side], bool], rows: Sequence[Pair] | None = None) -> Interval:
        passes: Counter[str | None] = Counter()
        answers: Counter[str | None] = Counter()
        times = {pair.query_id: pair.times(side) for pair in self.rows}
        for pair in self.rows if rows is None else rows:
            passes[pair.query_id] += pair.n * int(met(pair, side))
            answers[pair.query_id] += pair.n
        # Answers are counted, not the pairs they are in; only part of an answer's pairs may be in a cell.
        if any(count[query_id] % times[query_id] for count in (passes, answers) for query_id in count):
            times = dict.fromkeys(times, 1)
        parts = [self._weights[q] * times[q] / self._pairs[q] for q in self._weights]
        return rate(
            [passes[q] // times[q] for q in self._weights],
            [answers[q] // times[q] for q in self._weights],
            weight=parts if len(set(parts)) > 1 else None,
            level=self.level,
        )
