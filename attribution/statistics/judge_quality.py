"""How well a judge agrees with the truth, on items whose truth is known: any number of classes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from attribution.statistics.interval import Interval, Undefined, critical_value
from attribution.statistics.macro_f1 import Floats, Integers, checked_table, is_sparse, macro_f1, resampled
from attribution.statistics.posterior import summary
from attribution.statistics.proportions import wilson

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassQuality:
    """One class as the judge sees it.

    Attributes:
        name: the class.
        prevalence: share of the items that are of this class.
        precision: share of the items judged to be of it that are; undefined where none was.
        recall: share of its items that are judged so; undefined where there are none.
        f1: 2 TP / (2 TP + FP + FN); None where the class occurs neither in truth nor in a verdict.
        unpredicted: whether no item was judged to be of it, which makes f1 0.
    """

    name: str
    prevalence: Interval
    precision: Interval
    recall: Interval
    f1: float | None
    unpredicted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeQuality:
    """A judge against the truth.

    Attributes:
        classes: every class of the table, in its order.
        accuracy: share of items judged rightly; high whenever one class is rare, so read it beside kappa.
        macro_f1: mean f1 over the declared classes.
        majority_macro_f1: macro-F1 of always answering the most frequent class; None without items.
        kappa: agreement beyond what the margins alone give (Cohen).
        pabak: agreement beyond chance if every class were equally frequent (Byrt).
    """

    classes: tuple[ClassQuality, ...]
    accuracy: Interval
    macro_f1: Interval
    majority_macro_f1: float | None
    kappa: Interval
    pabak: Interval


def judge_quality(
    counts: ArrayLike, names: Sequence[str], *, declared: Sequence[str] | None = None, level: float = 0.95
) -> JudgeQuality:
    """Agreement of a judge with the truth, by class and overall.

    One draw is one item, each question giving one: several items a question make every interval here too narrow.
    Do not trust it where the items were used to write the judge's prompt, and do not carry precision or accuracy to
    items with other shares of the classes.

    Args:
        counts: items by truth (rows) and verdict (columns); integers, shape (classes, classes).
        names: the classes, in the order of the rows.
        declared: classes over which macro-F1 is the mean. Default: all. Leaving a class out changes the measure,
            so say it with the number.
        level: level of every interval.

    Returns:
        The measures. Rates lie in 0 to 1, kappa in -1 to 1, pabak in -1/(classes - 1) to 1. Macro-F1 is None
        where a declared class occurs neither in truth nor in a verdict; kappa where all is of one class.

    Raises:
        ValueError: the table is not square or too small, a count is negative, a name is missing, double or not in
            the table, or the level is not a level.

    References:
        Wilson (1927), for rates; Cohen (1960); Fleiss, Cohen & Everitt (1969); Byrt, Bishop & Carlin (1993);
        Takahashi et al. (2022), for the variance of macro-F1.

    >>> found = judge_quality([[171, 9], [14, 6]], ["pass", "fail"])
    >>> round(found.accuracy.estimate, 3), round(found.kappa.estimate, 5), round(found.pabak.estimate, 2)
    (0.885, 0.28125, 0.77)
    >>> round(found.macro_f1.estimate, 4), round(found.majority_macro_f1, 4)
    (0.6399, 0.4737)
    """
    critical_value(level)
    table = checked_table(counts)
    chosen = _positions(names, names if declared is None else declared, len(table))
    n, truths, verdicts = int(table.sum()), table.sum(axis=1), table.sum(axis=0)
    accuracy = wilson(int(np.trace(table)), n, level=level)
    majority = int(truths.argmax())
    always = 2.0 * int(truths[majority]) / (n + int(truths[majority])) if n else None
    return JudgeQuality(
        classes=tuple(
            _one_class(name, int(table[at, at]), int(truths[at]), int(verdicts[at]), n, level)
            for at, name in enumerate(names)
        ),
        accuracy=accuracy,
        macro_f1=macro_f1(table, classes=chosen, level=level),
        # Every other class is never a verdict, and counts as 0.
        majority_macro_f1=None if always is None else always * (majority in chosen) / len(chosen),
        kappa=cohen_kappa(table, level=level),
        pabak=_beyond_chance(accuracy, len(table)),
    )


def cohen_kappa(counts: ArrayLike, *, level: float = 0.95) -> Interval:
    """Agreement beyond chance between a judge and the truth.

    One draw is one item. Limits are normal with ten items of every class and ten judged wrongly, and those of the
    bootstrap of `macro_f1` below. Kappa falls as one class becomes rare, with the same sensitivity and specificity: do
    not trust a comparison of it at unequal prevalence.

    Args:
        counts: items by truth (rows) and verdict (columns); integers, shape (classes, classes).
        level: confidence level.

    Returns:
        Kappa in -1 to 1; None with limits -1 and 1 without items, or where chance alone would agree on all.

    Raises:
        ValueError: the table is not square or too small, a count is negative, or the level is not a level.

    References:
        Cohen (1960); Fleiss, Cohen & Everitt (1969), for the standard error.

    >>> kappa = cohen_kappa([[171, 9], [14, 6]])
    >>> round(kappa.estimate, 5), round(kappa.lower, 4), round(kappa.upper, 4)
    (0.28125, 0.0677, 0.4948)
    """
    critical_value(level)
    table = checked_table(counts)
    n = int(table.sum())
    one_class = n > 0 and int((table.sum(axis=1) + table.sum(axis=0)).max()) == 2 * n
    if n == 0 or one_class:
        reason = Undefined.one_class if one_class else Undefined.no_cases
        return Interval(
            n=n, count=None, estimate=None, lower=-1.0, upper=1.0, level=level, method="kappa", reason=reason
        )
    point = float(_kappas(table))
    if is_sparse(table, range(len(table))):
        drawn = _kappas(resampled(table))
        return summary(point, drawn[np.isfinite(drawn)], n=n, level=level, method="kappa-bootstrap")
    half = critical_value(level) * kappa_error(table)
    return Interval(
        n=n,
        count=None,
        estimate=point,
        lower=max(-1.0, point - half),
        upper=min(1.0, point + half),
        level=level,
        method="kappa",
    )


def kappa_error(counts: ArrayLike) -> float:
    """Standard error of Cohen's kappa in large samples.

    One draw is one item. Do not trust it with fewer than ten items of a class or ten judged wrongly.

    Args:
        counts: items by truth (rows) and verdict (columns); integers, shape (classes, classes).

    Returns:
        The standard error; 0 where no item is judged wrongly, which says little.

    Raises:
        ValueError: the table is not square or too small, a count is negative, or kappa is undefined.

    References:
        Fleiss, Cohen & Everitt (1969).

    >>> round(kappa_error([[171, 9], [14, 6]]), 4)
    0.109
    """
    table = checked_table(counts)
    kappa = float(_kappas(table))
    if not math.isfinite(kappa):
        raise ValueError("kappa is undefined: there are no items, or all are of one class")
    shares = table / table.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    # Each cell weighs in by how it moves agreement and by how it moves what chance would agree on.
    gradient = np.eye(len(table)) - (1.0 - kappa) * (rows[None, :] + columns[:, None])
    mean = float((shares * gradient).sum())
    spread = max(0.0, float((shares * gradient**2).sum()) - mean**2)
    return math.sqrt(spread / int(table.sum())) / (1.0 - float(rows @ columns))


def _kappas(tables: Integers) -> Floats:
    """Kappa of many tables, shape (..., classes, classes); infinite where it is undefined."""
    n = tables.sum(axis=(-2, -1)).astype(np.float64)
    agreed = np.trace(tables, axis1=-2, axis2=-1) * n
    chance = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1).astype(np.float64)
    beyond = n * n - chance
    return np.asarray(np.divide(agreed - chance, beyond, out=np.full_like(beyond, np.inf), where=beyond > 0.0))


def _one_class(name: str, right: int, truth: int, verdicts: int, n: int, level: float) -> ClassQuality:
    return ClassQuality(
        name=name,
        prevalence=wilson(truth, n, level=level),
        precision=wilson(right, verdicts, level=level),
        recall=wilson(right, truth, level=level),
        f1=2.0 * right / (truth + verdicts) if truth + verdicts else None,
        unpredicted=verdicts == 0,
    )


def _beyond_chance(accuracy: Interval, classes: int) -> Interval:
    """Accuracy on the scale where 1/classes is 0 and 1 is 1; the limits move along."""

    def scaled(value: float) -> float:
        return (classes * value - 1.0) / (classes - 1.0)

    lower, upper = accuracy.bounds
    return replace(
        accuracy,
        count=None,
        estimate=None if accuracy.estimate is None else scaled(accuracy.estimate),
        lower=scaled(lower),
        upper=scaled(upper),
        method="wilson-rescaled",
    )


def _positions(names: Sequence[str], declared: Sequence[str], classes: int) -> list[int]:
    """Rows of the declared classes, or what is wrong with the names."""
    if len(names) != classes or len(set(names)) != classes:
        msg = f"{classes} classes need as many different names, not {list(names)}"
        raise ValueError(msg)
    if not declared or len(set(declared)) != len(declared) or not set(declared) <= set(names):
        msg = f"the declared classes {list(declared)} are not among {list(names)}, or one is there twice"
        raise ValueError(msg)
    return [names.index(name) for name in declared]
