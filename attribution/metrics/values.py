"""Runs the SQL steps for one run and one set of metrics, and hands back sums a metric, or one value a question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from attribution.choices import JUDGED_AGAIN
from attribution.metrics.asked import Asked, hand_over
from attribution.metrics.conventions import PACKAGES, Settled
from attribution.metrics.fractions import Fractions
from attribution.metrics.names import Measure
from attribution.metrics.tokens import keep_found_by_tokens
from attribution.statistics import survey
from attribution.statistics.interval import Interval
from attribution.statistics.means import mean_of
from attribution.statistics.proportions import wilson
from traces.steps import compose
from traces.store import TraceStore

if TYPE_CHECKING:
    import pyarrow as pa

# Where every answer has one list a stage, none comes before another.
_ONE_LIST = (
    "metric_list_starts",
    "SELECT '' AS query_id, 0 AS repeat, 0 AS position, 0 AS search, 0 AS places_before WHERE FALSE",
)
_REPEATED = "SELECT count(*) > count(DISTINCT query_id) FROM repeats WHERE run_id = $run_id"
_ANY_WEIGHT = "SELECT count(weight) > 0 FROM metric_questions"
_SEARCHES = "SELECT count(*) > 0 FROM stage_lists WHERE run_id = $run_id AND search > 0"


@dataclass(frozen=True, slots=True)
class Summary:
    """One metric at one stage over all questions."""

    mean: Interval
    pooled: float | None
    eligible: int
    excluded: dict[str, int]
    seen: int
    width: int


@dataclass(slots=True)
class _Rows:
    """The rows of one metric: sums by stratum, and how many questions have no value, by reason."""

    scored: list[Mapping[str, Any]] = field(default_factory=list)
    excluded: dict[str, int] = field(default_factory=lambda: defaultdict(int))


class MetricValues:
    """The metrics of one run, computed once and kept as temporary tables of the store until the next are computed.

    Args:
        store: an open store; reading is enough.
        run_id: the run.
        settled: the conventions.
        asked: the metrics, each at its stage.
        by_tokens: whether cutoffs count tokens; the lists of all stages asked about must have them.
        ready: steps that stand as tables already.
    """

    def __init__(
        self,
        store: TraceStore,
        run_id: str,
        settled: Settled,
        asked: Sequence[Asked],
        *,
        by_tokens: bool = False,
        ready: frozenset[str] = frozenset(),
    ) -> None:
        self.run_id = run_id
        self.settled = settled
        self.asked = asked
        self._store = store
        self._level = settled.choices.level
        hand_over(store, asked)
        several = store.value(_SEARCHES, {"run_id": run_id})
        values = settled.step_values(run_id) | {
            "by_tokens": by_tokens,
            "min_grade": settled.choices.min_grade,
            "repeated": store.value(_REPEATED, {"run_id": run_id}),
            "found_once": not settled.grouped and not several,
        }
        ready |= JUDGED_AGAIN
        if "metric_questions" not in ready:
            store.keep_step(PACKAGES, "metric_questions", values, given=ready)
            ready |= {"metric_questions"}
        weights = {"questions": 0, "with_weight": 0}
        if store.value(_ANY_WEIGHT):
            (weights,) = store.step(PACKAGES, "metric_weights", values, given=ready)
        self.without_weight = weights["questions"] - weights["with_weight"]
        self.some_weights = weights["with_weight"] > 0
        self.weighted = self.some_weights and self.without_weight == 0
        self._values = values | {"weighted": self.weighted}
        if by_tokens:
            store.keep_step(PACKAGES, "metric_answers", self._values, given=ready)
            keep_found_by_tokens(store, self._values)
            ready |= {"metric_answers", "metric_found"}
        self._fractions = Fractions(
            asked, settled.choices, settled.require, text_only=settled.text_only, by_tokens=by_tokens
        )
        self._written = self._fractions.steps() if several else (*self._fractions.steps(), _ONE_LIST)
        store.keep_step(PACKAGES, "metric_cells", self._values, given=ready, written=self._written)
        self._given = ready | {"metric_cells"}

    def questions(self) -> tuple[int, int]:
        """Return how many questions the run asked, and how many judged ones it did not."""
        (row,) = self._store.rows("SELECT coalesce(sum(asked), 0) AS asked, count(*) AS n FROM metric_questions")
        return int(row["asked"]), int(row["n"]) - int(row["asked"])

    def summaries(self) -> list[Summary]:
        """Return every metric over all questions, in the order asked."""
        rows: dict[int, _Rows] = defaultdict(_Rows)
        for row in self.rows("metric_summary"):
            if row["reason"] is None:
                rows[row["metric"]].scored.append(row)
            else:
                rows[row["metric"]].excluded[row["reason"]] += row["questions"]
        profiles = self._profiles()
        return [self._summary(asked, rows[number], profiles.get(number, [])) for number, asked in enumerate(self.asked)]

    def _profiles(self) -> dict[int, list[dict[str, Any]]]:
        """Return what the rates of questions that meet a metric need, unless their plain counts are enough."""
        found: dict[int, list[dict[str, Any]]] = defaultdict(list)
        clustered = self.weighted or self._values["repeated"]
        if clustered and any(asked.metric.kind.binary for asked in self.asked):
            for row in self.rows("metric_profiles"):
                found[row["metric"]].append(row)
        return found

    def _summary(self, asked: Asked, rows: _Rows, profiles: Sequence[Mapping[str, Any]]) -> Summary:
        kind = asked.metric.kind
        denominator = sum(row["denominator"] for row in rows.scored)
        return Summary(
            mean=self._mean(rows.scored, profiles, kind),
            pooled=sum(row["numerator"] for row in rows.scored) / denominator if denominator else None,
            eligible=sum(int(row["questions"]) for row in rows.scored),
            excluded=dict(sorted(rows.excluded.items())),
            seen=sum(int(row["seen"]) for row in rows.scored),
            width=sum(int(row["width"]) for row in rows.scored),
        )

    def _mean(
        self, scored: Sequence[Mapping[str, Any]], profiles: Sequence[Mapping[str, Any]], kind: Measure
    ) -> Interval:
        if not kind.binary:
            return mean_of(scored, level=self._level, bounded=kind.bounded)
        if profiles:
            return _rate(profiles, self._level, weighted=self.weighted)
        met, questions = (sum(int(row[name]) for row in scored) for name in ("numerator", "questions"))
        return wilson(met, questions, level=self._level)

    def per_question(self) -> pa.Table:
        """Return one row a question and metric: ``query_id``, ``stage``, ``metric``, ``value`` or NULL, ``reason``."""
        query = compose(PACKAGES, "metric_lines", given=self._given, written=self._written)
        return self._store.connection.sql(query.sql, params=query.bind(self._values)).to_arrow_table()

    def rows(self, step: str, **more: Any) -> list[dict[str, Any]]:
        """Return the rows of a step over these values, with parameters of its own."""
        return self._store.step(PACKAGES, step, self._values | more, given=self._given, written=self._written)

    def bound_lists(self, number: int) -> list[dict[str, Any]]:
        """Return what bounds need, one row per answer that has a value of a metric, which goes by its number."""
        text = self._fractions.bound_lists(self.asked[number].metric)
        written = (*self._written, ("metric_bound_lists", text))
        return self._store.step(
            PACKAGES, "metric_bound_lists", self._values | {"metric": number}, given=self._given, written=written
        )

    def keep(self, step: str, table: str) -> None:
        """Keep the rows of a step under a name of their own, since the next run overwrites the tables of this one."""
        query = compose(PACKAGES, step, given=self._given, written=self._written)
        self._store.connection.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS {query.sql}", query.bind(self._values))


def _rate(profiles: Sequence[Mapping[str, Any]], level: float, *, weighted: bool) -> Interval:
    """Estimate the share of questions that meet a metric; each question counts once, whatever its repeats."""
    even = len({row["scored"] for row in profiles}) <= 1
    codes = {stratum: code for code, stratum in enumerate(sorted({str(row["stratum"]) for row in profiles}))}
    return survey.rate(
        [row["successes"] for row in profiles],
        [row["scored"] for row in profiles],
        weight=None if even and not weighted else [row["weight"] / row["scored"] for row in profiles],
        stratum=[codes[str(row["stratum"])] for row in profiles] if weighted else None,
        multiplicity=[row["multiplicity"] for row in profiles],
        level=level,
    )
