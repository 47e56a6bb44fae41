"""Every metric as a fraction of sums, with the reasons why a question may have no value of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attribution.metrics.asked import Asked
from attribution.metrics.conventions import MetricChoices
from attribution.metrics.names import PACKED, Demand, Metric
from attribution.metrics.sums import Sums, at_most, number, within

Steps = tuple[tuple[str, str], ...]


class Fractions:
    """The SQL of all metrics asked for.

    Args:
        asked: the metrics, each at its stage.
        choices: the conventions.
        require: which evidence is needed where a metric does not say.
        text_only: whether any judgment names its document by text only.
        by_tokens: whether cutoffs count tokens. The ideal is then the best order of all judgments, without a cutoff.
    """

    def __init__(
        self, asked: Sequence[Asked], choices: MetricChoices, require: Demand, *, text_only: bool, by_tokens: bool
    ) -> None:
        self._asked = asked
        self._choices = choices
        self._require = require
        self._text_only = text_only
        self._by_tokens = by_tokens
        self._sums = Sums()
        self._demands: dict[tuple[float, Demand], None] = {}
        self._orders: dict[float, None] = {}

    def steps(self) -> Steps:
        """Return the steps that are written for what is asked, by name."""
        self._known()  # for bounds, whatever the metrics
        numbered: dict[Metric, dict[int, int]] = {}
        for place, each in enumerate(self._asked):
            numbered.setdefault(each.metric, {})[each.stage.position] = place
        fractions = " UNION ALL ".join(self._of_metric(metric, at) for metric, at in numbered.items())
        positions = sorted({each.stage.position for each in self._asked})
        return (
            ("metric_positions", _listed(f"SELECT {position:d} AS position" for position in positions)),
            ("metric_orders", _listed(f"SELECT {number(rel)} AS rel" for rel in self._orders)),
            (
                "metric_demands",
                _listed(f"SELECT {number(rel)} AS rel, '{demand}' AS demand" for rel, demand in self._demands),
            ),
            *self._sums.texts(),
            ("metric_cells", self._sums.cells()),
            ("metric_fractions", fractions),
        )

    def bound_lists(self, metric: Metric) -> str:
        """Return the step with what bounds need: one row per answer with a value of the metric numbered $metric."""
        hits, relevant = (self._hits(metric), self._relevant(metric)) if metric.measure == "R" else ("0", "0")
        return (
            f"SELECT f.answer, f.question, f.weight, {hits} AS hit_count, {relevant} AS relevant, "
            f"{self._known()} AS known, f.seen, f.width, {metric.depth or 'NULL'} AS depth "
            "FROM metric_fractions AS f JOIN metric_cells AS v ON v.answer = f.answer AND v.position = f.position "
            "WHERE f.metric = $metric AND f.reason IS NULL ORDER BY f.question NULLS LAST, f.answer NULLS LAST"
        )

    def _of_metric(self, metric: Metric, at: dict[int, int]) -> str:
        """Return the fractions of one metric, at the stages with these positions under these numbers."""
        numerator, denominator = self._fraction(metric)
        numbers = " ".join(f"WHEN {position:d} THEN {place:d}" for position, place in at.items())
        return (
            f"SELECT answer, question, position, stratum, weight, CASE position {numbers} END AS metric, "
            f"{int(metric.kind.binary)} AS met_or_not, {self._seen(metric)} AS seen, "
            f"{at_most('list_width', metric.depth)} AS width, CASE {self._reasons(metric)} END AS reason, "
            f"CAST({numerator} AS DOUBLE) AS numerator, CAST({denominator} AS DOUBLE) AS denominator "
            f"FROM metric_cells WHERE position IN ({', '.join(str(position) for position in at)})"
        )

    def _fraction(self, metric: Metric) -> tuple[str, str]:
        match metric.measure:
            case "P":
                return self._hits(metric), self._places(metric)
            case "R":
                return self._hits(metric), self._relevant(metric)
            case "F1":
                return f"2 * {self._hits(metric)}", f"{self._relevant(metric)} + {self._places(metric)}"
            case "Success":
                return f"CASE WHEN {self._hits(metric)} > 0 THEN 1 ELSE 0 END", "1"
            case "RR":
                return f"coalesce(1.0 / NULLIF(CAST({self._first(metric)} AS DOUBLE), 0), 0.0)", "1"
            case "AP":
                return self._precisions(metric), self._relevant(metric)
            case "Rprec":
                return self._top_hits(metric), self._relevant(metric)
            case "RBP":
                return f"(1.0 - {number(metric.p or 0.0)}) * {self._persisted(metric)}", "1"
            case "CG":
                return self._gained(metric), "1"
            case "DCG":
                return self._discounted(metric), "1"
            case "nDCG":
                return self._discounted(metric), self._ideal(metric)
            case "Coverage":
                met, needed = self._met(metric), self._needed(metric)
                return f"CASE WHEN {needed} > 0 AND {met} = {needed} THEN 1 ELSE 0 END", "1"
            case "Groups":
                return self._met(metric), self._needed(metric)
            case "judged":
                return self._seen(metric), at_most("list_width", metric.depth)
            case measure:
                raise ValueError(f"no SQL for {measure}")

    def _reasons(self, metric: Metric) -> str:
        return " ".join(f"WHEN {condition} THEN '{reason}'" for condition, reason in self._excluding(metric))

    def _excluding(self, metric: Metric) -> Iterator[tuple[str, str]]:
        """Yield the conditions under which a question has no value, the first that holds being the reason."""
        rests_on, choices = metric.kind.rests_on, self._choices
        yield "weight IS NULL", "no_weight"
        if choices.missing == "excluded":
            yield "asked = 0", "missing"
        if rests_on != "list" and choices.no_gold == "excluded":
            yield "unanswerable = 1", "no_answer"
        yield "asked = 1 AND recorded_whole = 0", "incomplete_lists"
        if rests_on == "list":
            yield "list_width = 0", "empty_list"
            return
        if self._text_only:
            yield f"{self._unplaced(metric)} > 0", "unknown_gold"
        if choices.no_gold == "excluded":
            yield f"{self._known()} = 0", "unlabelled"
            if rests_on == "gold":
                yield f"{self._relevant(metric)} = 0", "no_gold"
        if rests_on == "ideal" and choices.zero_ideal == "excluded":
            yield f"{self._ideal(metric)} = 0", "zero_ideal"
        if metric.measure == "P" and (metric.depth is None or choices.short_lists == "returned"):
            yield f"{at_most('length', metric.depth)} = 0", "empty_list"

    # The sums a metric may be made of, each the name of its column.

    def _known(self) -> str:
        return self._sums.add("metric_gold", "count(*)")

    def _relevant(self, metric: Metric) -> str:
        return self._sums.add("metric_gold", f"count(CASE WHEN {self._good(metric)} THEN 1 END)")

    def _unplaced(self, metric: Metric) -> str:
        return self._sums.add("metric_unplaced", f"count(CASE WHEN {self._good(metric)} THEN 1 END)")

    def _hits(self, metric: Metric) -> str:
        return self._sums.add("metric_sums", f"count(CASE WHEN {self._good_within(metric)} THEN 1 END)")

    def _first(self, metric: Metric) -> str:
        return self._sums.add("metric_sums", f"min(CASE WHEN {self._good_within(metric)} THEN rank END)", "NULL")

    def _persisted(self, metric: Metric) -> str:
        persisted = f"POWER({number(metric.p or 0.0)}, rank - 1)"
        return self._sums.add("metric_sums", f"sum(CASE WHEN {self._good_within(metric)} THEN {persisted} END)", "0.0")

    def _gained(self, metric: Metric) -> str:
        return self._sums.add("metric_sums", _gains(metric, within(metric.depth)), "0.0")

    def _discounted(self, metric: Metric) -> str:
        return self._sums.add("metric_sums", _gains(metric, within(metric.depth), discounted_by="rank"), "0.0")

    def _ideal(self, metric: Metric) -> str:
        if metric.cutoff == PACKED:  # an empty list is held against one place, so that it scores 0
            places = "o.place <= GREATEST(coalesce(l.length, 1), 1)"
            return self._sums.add("metric_best", _gains(metric, places, discounted_by="o.place"), "0.0")
        places = within(None if self._by_tokens else metric.depth, "place")
        return self._sums.add("metric_gold", _gains(metric, places, discounted_by="place"), "0.0")

    def _precisions(self, metric: Metric) -> str:
        rel = self._threshold(metric)
        self._orders[rel] = None
        counted = f"rel = {number(rel)} AND {within(metric.depth)}"
        precision = "CAST(turn AS DOUBLE) / NULLIF(rank, 0)"
        return self._sums.add("metric_precisions", f"sum(CASE WHEN {counted} THEN {precision} END)", "0.0")

    def _top_hits(self, metric: Metric) -> str:
        deep = f"reach <= {self._relevant(metric)}"
        return self._sums.add("metric_top", f"count(CASE WHEN {self._good(metric)} AND {deep} THEN 1 END)")

    def _seen(self, metric: Metric) -> str:
        places = within(metric.depth, "place")
        if self._choices.unit == "group":
            return self._sums.add("metric_seen", f"count(CASE WHEN {places} THEN 1 END)")
        return self._sums.add("metric_sums", f"count(CASE WHEN {within(metric.depth)} AND {places} THEN 1 END)")

    def _met(self, metric: Metric) -> str:
        met = f"f.grade >= {number(self._threshold(metric))} AND {within(metric.depth)}"
        return self._sums.add("metric_met", f"count(DISTINCT CASE WHEN {self._asks(metric)} AND {met} THEN n.need END)")

    def _needed(self, metric: Metric) -> str:
        return self._sums.add("metric_needed", f"count(DISTINCT CASE WHEN {self._asks(metric)} THEN need END)")

    def _asks(self, metric: Metric) -> str:
        demand = metric.require or self._require
        self._demands[self._threshold(metric), demand] = None
        return f"rel = {number(self._threshold(metric))} AND demand = '{demand}'"

    def _places(self, metric: Metric) -> str:
        """Return what precision divides by."""
        if metric.depth is None or self._choices.short_lists == "returned":
            return at_most("length", metric.depth)
        return str(metric.depth)

    def _threshold(self, metric: Metric) -> float:
        by_gain = "gain" in metric.kind.takes
        return self._choices.min_grade if by_gain or metric.rel is None else metric.rel

    def _good(self, metric: Metric) -> str:
        return f"grade >= {number(self._threshold(metric))}"

    def _good_within(self, metric: Metric) -> str:
        return f"{self._good(metric)} AND {within(metric.depth)}"


def _gains(metric: Metric, condition: str, *, discounted_by: str | None = None) -> str:
    gain = "POWER(2.0, grade) - 1.0" if metric.gain == "exp" else "grade"
    if discounted_by is not None:
        gain = f"({gain}) / NULLIF(LOG2({discounted_by} + 1), 0)"
    earns = "" if metric.rel is None else f" AND grade >= {number(metric.rel)}"
    return f"sum(CASE WHEN grade > 0{earns} AND {condition} THEN {gain} END)"


def _listed(rows: Iterator[str]) -> str:
    return " UNION ALL ".join(rows)
