"""The sums that metrics are made of, as SQL: one column each, written for what is asked.

A step is a file where its text is always the same. These have a column for each cutoff and threshold asked for, so that
one pass over the hits yields all of them. Metrics that look at the same places in the same way share columns: P@10 and
F1@10 count the same hits.

Numbers in the text are ours and no one else's: whole numbers, and doubles written so that they read back exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

_BY_QUESTION = {
    "metric_gold": "metric_ideal_order",
    "metric_unplaced": "metric_text_only",
    "metric_needed": "metric_needs",
}
_BY_ANSWER = {
    "metric_sums": "metric_ranked",
    "metric_precisions": "metric_turns",
    "metric_top": "metric_ranked AS u JOIN metric_gold AS g ON g.question = u.question",
    "metric_seen": "metric_documents",
    "metric_met": "metric_documents AS f JOIN metric_needs AS n ON n.question = f.question AND n.doc_id = f.doc_id",
    "metric_best": (
        "metric_answers AS a CROSS JOIN metric_positions AS s "
        "LEFT JOIN metric_lengths AS l ON l.answer = a.answer AND l.position = s.position "
        "JOIN metric_ideal_order AS o ON o.question = a.question"
    ),
}
_KEYS = {
    "metric_met": "f.answer, f.position",
    "metric_top": "u.answer, u.position",
    "metric_best": "a.answer, s.position",
}


@dataclass(slots=True)
class Sums:
    """Columns by the step they stand in, each aggregate once.

    Attributes:
        steps: step -> aggregate -> column.
        defaults: what a column holds where its step has no row.
    """

    steps: dict[str, dict[str, str]] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)

    def add(self, step: str, aggregate: str, otherwise: str = "0") -> str:
        """Return the column of an aggregate over the rows that a step is computed from."""
        columns = self.steps.setdefault(step, {})
        if aggregate not in columns:
            columns[aggregate] = f"c{len(self.defaults)}"
            self.defaults[columns[aggregate]] = otherwise
        return columns[aggregate]

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the steps in use, by name."""
        for step, columns in self.steps.items():
            sums = ", ".join(f"{aggregate} AS {column}" for aggregate, column in columns.items())
            source = _BY_QUESTION.get(step) or _BY_ANSWER[step]
            if step == "metric_gold" and not any("place" in aggregate for aggregate in columns):
                source = "metric_known"  # no ideal is asked for, so the order is not needed
            keys = _KEYS.get(step, "question" if step in _BY_QUESTION else "answer, position")
            yield step, f"SELECT {keys}, {sums} FROM {source} GROUP BY {keys}"

    def cells(self) -> str:
        """Return the step that puts all of them side by side, one row per (answer, stage)."""
        columns = "".join(f", coalesce({column}, {value}) AS {column}" for column, value in self.defaults.items())
        joins = " ".join(
            f"LEFT JOIN {step} ON {step}.question = a.question"
            if step in _BY_QUESTION
            else f"LEFT JOIN {step} ON {step}.answer = a.answer AND {step}.position = s.position"
            for step in self.steps
        )
        return (
            "SELECT a.answer, a.question, a.stratum, a.weight, a.unanswerable, a.asked, s.position, "
            "coalesce(l.recorded_whole, 0) AS recorded_whole, coalesce(l.length, 0) AS length, "
            f"coalesce(l.width, 0) AS list_width{columns} "
            "FROM metric_answers AS a CROSS JOIN metric_positions AS s "
            f"LEFT JOIN metric_lengths AS l ON l.answer = a.answer AND l.position = s.position {joins}"
        )


def number(value: float) -> str:
    """Return a double as SQL.

    >>> number(0.8)
    "CAST('0.8' AS DOUBLE)"
    """
    return f"CAST('{float(value)!r}' AS DOUBLE)"


def within(depth: int | None, what: str = "reach") -> str:
    """Return the condition that something lies within a cutoff."""
    return "TRUE" if depth is None else f"{what} <= {depth:d}"


def at_most(column: str, depth: int | None) -> str:
    """Return a column that a cutoff holds down."""
    return column if depth is None else f"LEAST({column}, {depth:d})"
