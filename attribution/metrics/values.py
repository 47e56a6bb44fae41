"""Runs the SQL steps for one run and one set of metrics, and hands back sums a metric, or one value a question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from attribution.metrics.conventions import PACKAGES, Settled
from attribution.metrics.cuts import Asked, hand_over
from attribution.metrics.idle import Needs, stand_in
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

_JUDGED = frozenset({"metric_judged"})
_NUMBERED = _JUDGED | {"metric_questions"}
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
        choices = settled.choices
        hand_over(store, asked, min_grade=choices.min_grade, require=settled.require, by_tokens=by_tokens)
        several = store.value(_SEARCHES, {"run_id": run_id})
        values = settled.step_values(run_id) | {
            "by_tokens": by_tokens,
            "min_grade": choices.min_grade,
            "repeated": store.value(_REPEATED, {"run_id": run_id}),
            "found_once": settled.judged_once and not several,
        }
        if "metric_judged" not in ready:
            store.keep_step(PACKAGES, "metric_judged", values)
        if "metric_questions" not in ready:
            store.keep_step(PACKAGES, "metric_questions", values, given=_JUDGED)
        weights = {"questions": 0, "with_weight": 0}
        if store.value(_ANY_WEIGHT):
            (weights,) = store.step(PACKAGES, "metric_weights", values, given=_NUMBERED)
        self.without_weight = weights["questions"] - weights["with_weight"]
        self.some_weights = weights["with_weight"] > 0
        self.weighted = self.some_weights and self.without_weight == 0
        self._values = values | {"weighted": self.weighted}
        needs = Needs(
            metrics=[each.metric for each in asked],
            groups=choices.unit == "group",
            text_only=settled.text_only,
            several_searches=several,
        )
        given = _NUMBERED | ready | stand_in(store, needs)
        if by_tokens:
            store.keep_step(PACKAGES, "metric_answers", self._values, given=given)
            keep_found_by_tokens(store, self._values)
            given |= {"metric_answers", "metric_found"}
        self._given = given

    def _with_cells(self) -> frozenset[str]:
        """Keep the cells, for what goes through them more than once; return the steps that stand as tables."""
        if "metric_cells" not in self._given:
            self._store.keep_step(PACKAGES, "metric_cells", self._values, given=self._given)
            self._given |= {"metric_cells"}
        return self._given

    def questions(self) -> tuple[int, int]:
        """Return how many questions the run asked, and how many judged ones it did not."""
        (row,) = self._store.rows("SELECT coalesce(sum(asked), 0) AS asked, count(*) AS n FROM metric_questions")
        return int(row["asked"]), int(row["n"]) - int(row["asked"])

    def summaries(self) -> list[Summary]:
        """Return every metric over all questions, in the order asked."""
        if self._values["repeated"] or self.weighted:
            self._with_cells()
        rows: dict[int, _Rows] = defaultdict(_Rows)
        for row in self._store.step(PACKAGES, "metric_summary", self._values, given=self._given):
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
            for row in self._store.step(PACKAGES, "metric_profiles", self._values, given=self._given):
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
        query = compose(PACKAGES, "metric_lines", given=self._with_cells())
        return self._store.connection.sql(query.sql, params=query.bind(self._values)).to_arrow_table()

    def rows(self, step: str, **more: Any) -> list[dict[str, Any]]:
        """Return the rows of a step over these values, with parameters of its own."""
        return self._store.step(PACKAGES, step, self._values | more, given=self._with_cells())

    def keep(self, step: str, table: str) -> None:
        """Keep the rows of a step under a name of their own, since the next run overwrites the tables of this one."""
        query = compose(PACKAGES, step, given=self._with_cells())
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
