"""The conventions of a set of metrics: what the caller chooses, and what the labels decide where nothing is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from attribution.choices import Choices, choose_labels
from attribution.metrics.names import Demand, Metric, parse_metrics
from attribution.results import Labels
from traces.errors import UsageError
from traces.store import TraceStore

PACKAGES = ("traces", "attribution")
DEFAULT_METRICS = "Coverage R@10 P@10 nDCG@10 RR@10 R@packed Coverage@packed"
LARGEST_GRADE = {"linear": 1e100, "exp": 300.0}  # sums of gains beyond these would leave the range of a double


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricChoices:
    """What the caller of a metric may choose; every choice is stored with the result.

    Attributes:
        labels: label set; None for the run's inline gold, else the only set that judges its questions.
        min_grade: lowest grade that counts as relevant, where a metric does not name its own.
        require: which evidence ``Coverage`` and ``Groups`` ask for; None for one of each labelled group, else any.
        truncated: whether a truncated piece of a document counts as ``lost`` or ``kept``.
        level: confidence level of every interval.
        unit: what is found and counted once: a ``document``, or an evidence ``group``.
        short_lists: whether precision at k divides by k (``fixed``) or by the places there are (``returned``).
        no_gold: whether a question without a relevant document is ``excluded`` or scores ``zero``.
        zero_ideal: whether a question whose judgments earn no gain is ``excluded`` from nDCG or scores ``zero``.
        missing: whether a judged question the run did not ask scores ``zero`` or is ``excluded``.
        unjudged: whether an unjudged document takes its place and earns nothing (``no_gain``), or is taken out of the
            list before ranks are counted (``condensed``).
        lists: whether a stage's list ends at its cutoff (``handed_on``), or goes on as far as it was ``recorded``.
    """

    labels: str | None = None
    min_grade: float = 1.0
    require: Demand | None = None
    truncated: Literal["lost", "kept"] = "lost"
    level: float = 0.95
    unit: Literal["document", "group"] = "document"
    short_lists: Literal["fixed", "returned"] = "fixed"
    no_gold: Literal["excluded", "zero"] = "excluded"
    zero_ideal: Literal["excluded", "zero"] = "excluded"
    missing: Literal["zero", "excluded"] = "zero"
    unjudged: Literal["no_gain", "condensed"] = "no_gain"
    lists: Literal["handed_on", "recorded"] = "handed_on"

    def __post_init__(self) -> None:
        Choices(level=self.level)  # refuses what is no level
        if not self.min_grade > 0:
            raise UsageError("bad-grade", f"the lowest grade of gold must be above 0, not {self.min_grade}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """Choices with the open ones closed: the label set, what is required, and whether questions are weighted.

    Attributes:
        labels: the label set.
        choices: as the caller made them.
        require: what ``Coverage`` and ``Groups`` ask for.
        top_grade: highest grade any judgment of the run's questions gives.
        grouped: whether any judgment names an evidence group. Where none does, a document is judged, and found, once.
        text_only: whether any judgment names its document by text only.
    """

    labels: Labels
    choices: MetricChoices
    require: Demand
    top_grade: float
    grouped: bool
    text_only: bool

    def step_values(self, run_id: str) -> dict[str, Any]:
        """Return the parameters of the SQL steps, but the two that depend on the questions and metrics."""
        choices = self.choices
        return {
            "run_id": run_id,
            "label_set": self.labels.name or "",
            "grouped": self.grouped,
            "truncated": choices.truncated,
            "unit": choices.unit,
            "short_lists": choices.short_lists,
            "no_gold": choices.no_gold,
            "zero_ideal": choices.zero_ideal,
            "missing": choices.missing,
            "unjudged": choices.unjudged,
            "lists": choices.lists,
        }

    def metrics(self, asked: str | Sequence[Metric]) -> list[Metric]:
        """Return the metrics asked for, each with its threshold in its name unless that is the usual 1.

        Raises:
            UsageError: a name cannot be read, or no judgment reaches the grade it counts from.
        """
        parsed = parse_metrics(asked) if isinstance(asked, str) else asked
        named = list(dict.fromkeys(metric.with_threshold(self.choices.min_grade) for metric in parsed))
        for metric in named:
            self._check_gain(metric)
            least = metric.rel if metric.rel is not None else self.choices.min_grade
            if (
                "rel" in metric.kind.takes
                and least > self.top_grade
                and ("gain" not in metric.kind.takes or metric.rel)
            ):
                raise UsageError(
                    "grade-above-all",
                    f"{metric} counts grades from {least:g}; the highest that {self.labels.name!r} gives is "
                    f"{self.top_grade:g}",
                    hint="lower the threshold",
                )
        return named

    def _check_gain(self, metric: Metric) -> None:
        if "gain" in metric.kind.takes and self.top_grade > LARGEST_GRADE[metric.gain]:
            raise UsageError(
                "grade-too-large", f"a grade of {self.top_grade:g} is too large for {metric}", hint="map the grades"
            )


def settle_metrics(store: TraceStore, run_id: str, choices: MetricChoices) -> Settled:
    """Close the open choices for one run.

    Raises:
        UsageError: unknown label set, several and none named, or one without a judgment on the run's questions.
    """
    labels = choose_labels(store, run_id, choices.labels)
    names = {"run_id": run_id, "label_set": labels.name or ""}
    (facts,) = store.step(PACKAGES, "metric_label_facts", names)
    if facts["judgments"] == 0:
        named = f"label set {labels.name!r} judges none" if labels.name else "no label set judges any"
        raise UsageError(
            "no-judgments",
            f"{named} of this run's questions",
            where=f"run {run_id}",
            hint="import judgments with 'foundlost labels import'",
        )
    return Settled(
        labels=labels,
        choices=choices,
        require=choices.require or ("groups" if facts["grouped"] else "any"),
        top_grade=facts["top_grade"],
        grouped=facts["any_groups"],
        text_only=facts["text_only"] > 0,
    )
