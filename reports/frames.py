"""Results as data frames, with pandas or polars, whichever is installed.

An interval becomes six columns: ``recall`` (the estimate), ``recall_lower``, ``recall_upper``, ``recall_n``,
``recall_count`` and ``recall_reason``. Values are at full precision; what is undefined is missing.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from attribution.results import (
    Attribution,
    BySlice,
    Comparison,
    ForecastRecord,
    Gate,
    MetricCurve,
    Metrics,
    Projection,
    Result,
    Sealed,
    Slice,
    VerdictFound,
)
from attribution.statistics.interval import Interval
from traces.errors import UsageError, near

Library = Literal["pandas", "polars"]
Row = dict[str, Any]
LIBRARIES: tuple[Library, ...] = ("pandas", "polars")
_FIELDS = ("lower", "upper", "n", "count", "reason")


def frame(result: Result, part: str | None = None, *, library: Library | None = None) -> Any:
    """Return a result, or a part of it, as a data frame.

    Args:
        result: the result.
        part: which part, see `parts`; None for the first.
        library: ``pandas`` or ``polars``; None for the first that is installed, in this order.

    Raises:
        UsageError: the result has no such part, or no such library is installed.
    """
    rows = rows_of(result, part)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    data = {name: [row.get(name) for row in rows] for name in columns}
    return _library(library).DataFrame(data)


def parts(result: Result) -> list[str]:
    """Return the parts of a result that become data frames, the usual one first."""
    return list(_PARTS.get(type(result), {}))


def rows_of(result: Result, part: str | None = None) -> list[Row]:
    """Return the rows of a part of a result.

    Raises:
        UsageError: the result has no such part.
    """
    known = _PARTS.get(type(result), {})
    name = part or next(iter(known), None)
    if name is None or name not in known:
        told = f"a {type(result).__name__} has no part {part!r}" if part else f"a {type(result).__name__} has no rows"
        raise UsageError("unknown-part", told, hint=near(part or "", list(known)))
    return [flat(row) for row in known[name](result)]


def flat(row: Mapping[str, Any]) -> Row:
    """Return a row with its intervals spread over columns, and lists as text."""
    found: Row = {}
    for name, value in row.items():
        if isinstance(value, Interval):
            found[name] = value.estimate
            found |= {f"{name}_{field}": getattr(value, field) for field in _FIELDS}
            found[f"{name}_reason"] = None if value.reason is None else str(value.reason)
        elif isinstance(value, (list, tuple)):
            found[name] = "; ".join(map(str, value))
        elif isinstance(value, dict):
            found |= {f"{name}_{key}": each for key, each in value.items()}
        else:
            found[name] = value
    return found


def _library(wanted: Library | None) -> Any:
    asked = LIBRARIES if wanted is None else (wanted,)
    for name in asked:
        if name in LIBRARIES and importlib.util.find_spec(name) is not None:
            return importlib.import_module(name)
    told = f"{' and '.join(asked)} {'are' if len(asked) > 1 else 'is'} not installed"
    raise UsageError("no-data-frames", told, hint="install pandas or polars, or use rows_of")


def _fields(model: Result, *left_out: str) -> Row:
    """Return the fields of a result by name, with those left out that have rows of their own."""
    return {name: getattr(model, name) for name in type(model).model_fields if name not in left_out}


def _all(models: Iterable[Result], *left_out: str) -> list[Row]:
    return [_fields(model, *left_out) for model in models]


def _slices(found: Attribution) -> list[tuple[Row, Slice]]:
    by: list[tuple[Row, BySlice]] = [({"field": each.field, "value": each.value}, each) for each in found.by]
    return [({"field": None, "value": None}, found), *by]


def _fates(found: Attribution) -> list[Row]:
    return [key | _fields(fate) for key, part in _slices(found) for fate in part.fates]


def _stages(found: Attribution) -> list[Row]:
    return [key | _fields(stage) for key, part in _slices(found) for stage in part.stages]


def _rates(found: Attribution) -> list[Row]:
    return [
        key
        | {
            "passed": part.passed,
            "failed": part.failed,
            "with_gold": part.conditional.with_gold,
            "without_gold": part.conditional.without_gold,
        }
        for key, part in _slices(found)
    ]


def _projection(found: Projection) -> list[Row]:
    target = found.recall_target
    ends = [target.estimate, target.estimate] if isinstance(target, Interval) else target
    low, high = (ends[0], ends[-1]) if isinstance(ends, list) else (ends, ends)
    return [
        {
            "run": found.run,
            "recall_target": low,
            "recall_target_high": high,
            "recall": found.recall,
            "with_gold": found.with_gold,
            "without_gold": found.without_gold,
            "passed": found.passed,
            "projection": found.projection,
            "gain": found.gain,
            "ceiling": found.ceiling,
            "next_run_same_questions": found.next_run.same_questions,
            "next_run_fresh_questions": found.next_run.fresh_questions,
        }
    ]


def _rule_slices(found: Gate) -> list[Row]:
    return [{"rule": rule.rule} | _fields(each) for rule in found.rules for each in rule.by]


_PARTS: dict[type[Result], dict[str, Callable[[Any], Sequence[Row]]]] = {
    Attribution: {"fates": _fates, "stages": _stages, "rates": _rates},
    Projection: {"projection": _projection, "removable": lambda found: _all(found.removable)},
    Comparison: {
        "cells": lambda found: _all(found.cells),
        "stages": lambda found: _all(found.stages),
        "metrics": lambda found: _all(found.metrics, "unjudged_before", "unjudged_after"),
    },
    Metrics: {"metrics": lambda found: _all(found.metrics, "bounds")},
    MetricCurve: {"points": lambda found: _all(found.points)},
    Sealed: {"falsifiers": lambda found: _all(found.forecast.falsifiers)},
    VerdictFound: {"falsifiers": lambda found: _all(found.falsifiers)},
    ForecastRecord: {"forecasts": lambda found: _all(found.forecasts, "first")},
    Gate: {"rules": lambda found: _all(found.rules, "by"), "slices": _rule_slices},
}
