"""Two judges on the same items: which agrees better with the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attribution.statistics.differences import McNemar, mcnemar, newcombe_paired
from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.macro_f1 import BUDGET, LEAST_DRAWS, Floats, Integers, checked_table, mean_f1, resampled
from attribution.statistics.paired_means import PairedTests, paired_mean, paired_tests
from attribution.statistics.posterior import DRAWS, summary

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

METHOD = "macro-f1-bootstrap-paired"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePair:
    """First judge minus second, every question giving one item.

    Attributes:
        only_first_right: items that the first judges rightly and the second wrongly.
        only_second_right: the other way round.
        accuracy: difference in accuracy.
        test: whether the accuracies differ.
        macro_f1: difference in macro-F1.
    """

    only_first_right: int
    only_second_right: int
    accuracy: Interval
    test: McNemar
    macro_f1: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePairByQuestion:
    """First judge minus second, with several items a question.

    Attributes:
        questions: questions with items.
        accuracy: difference in accuracy, averaged within questions first; no limits from a single question.
        tests: whether the accuracies differ.
        macro_f1: difference in macro-F1 over all items, resampled by question.
    """

    questions: int
    accuracy: Interval
    tests: PairedTests
    macro_f1: Interval


def judge_pair(counts: ArrayLike, *, level: float = 0.95) -> JudgePair:
    """Difference of two judges in accuracy and in macro-F1, on the same items.

    One draw is one item, each question giving one: for several a question take `judge_pair_by_question`. Do not trust
    it where the items were used to write one of the prompts: that judge has seen the exam.

    Args:
        counts: items by truth, first verdict and second verdict; integers, shape (classes, classes, classes).
        level: confidence level.

    Returns:
        The differences, in -1 to 1; None where a class occurs in no margin of one of the judges. Limits of macro-F1
        are percentiles of a bootstrap of the counts, with one item spread evenly over the table, seeded from the
        counts.

    Raises:
        ValueError: the table is no cube or too small, a count is negative, or the level is not a level.

    References:
        McNemar (1947); Fagerland, Lydersen & Laake (2013); Newcombe (1998, paired differences, method 10); Efron &
        Tibshirani (1993).

    >>> found = judge_pair([[[150, 12], [10, 8]], [[9, 2], [1, 8]]])
    >>> found.only_first_right, found.only_second_right, round(found.test.midp, 3), round(found.macro_f1.estimate, 4)
    (13, 12, 0.845, -0.0067)
    """
    critical_value(level)
    table = checked_table(counts, dimensions=3)
    n, classes = int(table.sum()), range(len(table))
    first, second = _right(table)
    both, b, c = (int(table[keep].sum()) for keep in (first & second, first & ~second, second & ~first))
    point = _macro_f1_gap(table)
    return JudgePair(
        only_first_right=b,
        only_second_right=c,
        accuracy=newcombe_paired(both, b, c, n - both - b - c, level=level),
        test=mcnemar(b, c),
        macro_f1=_no_gap(n, level)
        if point is None
        else summary(point, _gaps(resampled(table), list(classes)), n=n, level=level, method=METHOD),
    )


def judge_pair_by_question(
    question: ArrayLike,
    truth: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    classes: int,
    level: float = 0.95,
) -> JudgePairByQuestion:
    """Difference of two judges where a question gives several items, such as its passages or repeats.

    One draw is one question with all its items. Do not trust it below some twenty questions.

    Args:
        question: code of the question of every item; integers, shape (items,).
        truth: class in truth, 0 to classes - 1; same shape.
        first: class by the first judge; same shape.
        second: class by the second judge; same shape.
        classes: number of classes.
        level: confidence level.

    Returns:
        The differences, in -1 to 1. Accuracy is averaged within questions, then compared by t and by flipping signs.
        Limits of macro-F1 are percentiles of a bootstrap of whole questions, with one question added whose items are
        all in one cell, each cell as likely; seeded from the counts.

    Raises:
        ValueError: the shapes differ, a class is out of range, or the level is not a level.

    References:
        Efron & Tibshirani (1993); Student (1908).

    >>> found = judge_pair_by_question(
    ...     [0, 0, 1, 1, 2, 2], [0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 1, 1], [0, 0, 0, 0, 1, 1], classes=2
    ... )
    >>> found.questions, round(found.accuracy.estimate, 4), round(found.macro_f1.estimate, 4)
    (3, 0.1667, 0.2036)
    """
    critical_value(level)
    per_question = _tables(question, (truth, first, second), classes)
    total = per_question.sum(axis=0)
    size = per_question.sum(axis=(1, 2, 3))
    first_right, second_right = (per_question[:, keep].sum(axis=1) for keep in _right(total))
    gaps = (first_right - second_right) / size
    point, n = _macro_f1_gap(total), len(per_question)
    return JudgePairByQuestion(
        questions=n,
        accuracy=paired_mean(gaps, level=level),
        tests=paired_tests(gaps),
        macro_f1=_no_gap(n, level)
        if point is None
        else summary(
            point, _gaps(_resampled_questions(per_question), list(range(classes))), n=n, level=level, method=METHOD
        ),
    )


def _right(table: Integers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Cells of (truth, first, second) in which the first judge, and the second, is right."""
    truth, first, second = np.indices(table.shape)
    return first == truth, second == truth


def _gaps(tables: NDArray[np.generic], classes: list[int]) -> Floats:
    """Difference in macro-F1 of many cubes, shape (..., classes, classes, classes)."""
    return mean_f1(tables.sum(axis=-1), classes) - mean_f1(tables.sum(axis=-2), classes)


def _macro_f1_gap(table: Integers) -> float | None:
    """Difference in macro-F1, or None where a class occurs neither in truth nor in the verdicts of one judge."""
    truth, first, second = (table.sum(axis=axes) for axes in ((1, 2), (0, 2), (0, 1)))
    if table.sum() == 0 or min((truth + first).min(), (truth + second).min()) == 0:
        return None
    return float(_gaps(table, list(range(len(table)))))


def _no_gap(n: int, level: float) -> Interval:
    return Interval(
        n=n,
        count=None,
        estimate=None,
        lower=-1.0,
        upper=1.0,
        level=level,
        method=METHOD,
        reason=Undefined.no_cases,
    )


def _tables(question: ArrayLike, columns: tuple[ArrayLike, ...], classes: int) -> Integers:
    """One cube of counts a question, shape (questions, classes, classes, classes)."""
    codes = np.asarray(question)
    sides = [np.asarray(column) for column in columns]
    if codes.ndim != 1 or any(side.shape != codes.shape for side in sides):
        raise ValueError("every item has one question, one truth and one verdict of either judge")
    if classes < 2 or any(((side < 0) | (side >= classes) | (side % 1 != 0)).any() for side in sides):
        msg = f"classes are numbered 0 to {classes - 1}, at least two of them"
        raise ValueError(msg)
    names, at = np.unique(codes, return_inverse=True)
    tables = np.zeros((len(names), classes, classes, classes), dtype=np.int64)
    np.add.at(tables, (at, *(side.astype(np.int64) for side in sides)), 1)
    return tables


def _resampled_questions(per_question: Integers) -> Floats:
    """Bootstrap of whole questions: sums of their cubes, shape (draws, classes, classes, classes)."""
    shape = per_question.shape[1:]
    profiles, times = np.unique(per_question.reshape(len(per_question), -1), axis=0, return_counts=True)
    # One more question, as large as the mean one, its items all in one cell and every cell as likely: where no question
    # tells the judges apart, the difference would otherwise have no width.
    cells = profiles.shape[1]
    extra = np.eye(cells) * (per_question.sum() / len(per_question))
    weights = np.append(times, np.full(cells, 1.0 / cells))
    random = np.random.default_rng([len(per_question), *(int(count) for count in per_question.sum(axis=0).ravel())])
    size = max(LEAST_DRAWS, min(DRAWS, BUDGET // len(weights)))
    drawn = random.multinomial(len(per_question), weights / weights.sum(), size)
    return np.asarray(drawn @ np.vstack([profiles, extra])).reshape(size, *shape)
