"""A rule as a value: what is measured, and the bound it must keep. Prints as it is written, and reads back as it was.

``recall(packed) >= .55``, ``share(never_found) <= .3``, ``drop(pass) <= .02``, ``nDCG@10(reranked) >= .4`` and
``forecast NAME not refuted`` are rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from attribution.metrics.names import Metric

Kind = Literal["pass", "pass_with_gold", "pass_without_gold", "recall", "share", "metric"]
Relation = Literal[">=", "<="]
Demand = Literal["not refuted", "held"]

DROPS: tuple[Kind, ...] = ("pass", "recall", "metric")
"""What the same questions can be compared on in two runs."""

_PLAIN_STAGE = re.compile(r"[\w.:-]+")
_PLAIN_NAME = re.compile(r"[\w.:/@-]+")


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a rule is about.

    Attributes:
        kind: pass rate, pass rate with or without gold, recall, share of failures, or a retrieval metric.
        stage: where recall or the metric is measured, None for the last stage; or where the evidence was lost.
        fate: whose share of failures, for ``share`` only.
        metric: which metric, for ``metric`` only.
    """

    kind: Kind
    stage: str | None = None
    fate: Literal["never_found", "lost", "reached"] | None = None
    metric: Metric | None = None

    @property
    def bounded(self) -> bool:
        """Whether it lies in 0 to 1."""
        return self.metric is None or self.metric.kind.bounded

    def __str__(self) -> str:
        if self.kind == "share":
            return f"share({'lost:' + written_stage(self.stage or '') if self.fate == 'lost' else self.fate})"
        name = str(self.metric) if self.metric is not None else self.kind
        return name if self.stage is None else f"{name}({written_stage(self.stage)})"


@dataclass(frozen=True, slots=True)
class BoundRule:
    """A quantity, or how far it dropped from the baseline, must keep a bound.

    Attributes:
        quantity: what is measured.
        relation: the side of the bound it must be on.
        bound: a share, or a value on the metric's scale.
        drop: whether it is the baseline less the run that is bounded.
    """

    quantity: Quantity
    relation: Relation
    bound: float
    drop: bool = False

    def __str__(self) -> str:
        what = f"drop({self.quantity})" if self.drop else str(self.quantity)
        return f"{what} {self.relation} {written_number(self.bound)}"


@dataclass(frozen=True, slots=True)
class ForecastRule:
    """A sealed forecast must not be refuted by the run, or must be held by it."""

    name: str
    demand: Demand

    def __str__(self) -> str:
        return f"forecast {self.name if _plain(_PLAIN_NAME, self.name) else quoted(self.name)} {self.demand}"


Rule = BoundRule | ForecastRule


@dataclass(frozen=True, slots=True)
class Asked:
    """A rule and where it was written down: ``file`` and ``line`` are None for one given by itself."""

    rule: Rule
    file: str | None = None
    line: int | None = None


def written_stage(name: str) -> str:
    """Return the name of a stage as a rule holds it: bare where it can be, else in quotation marks."""
    return name if _plain(_PLAIN_STAGE, name) else quoted(name)


def quoted(name: str) -> str:
    r"""Return a name in quotation marks, with those inside it and backslashes led in by a backslash.

    >>> quoted('say "so"')
    '"say \\"so\\""'
    """
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def written_number(number: float) -> str:
    """Return a number as short as it reads back: ``.55``, ``2``, ``0``."""
    return repr(number).removesuffix(".0").removeprefix("0") or "0"


def _plain(pattern: re.Pattern[str], name: str) -> bool:
    return pattern.fullmatch(name) is not None
