"""A metric as a value: its name says what is measured, and parses and prints back.

A name is a measure, its parameters in brackets, and a cutoff: ``nDCG(gain=exp)@10``, ``R(rel=2)@100``, ``RR``. Without
a cutoff the whole list counts; ``@packed`` is the slice the model saw, each question to its own depth.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import Literal

from traces.errors import UsageError

PACKED = "packed"
DEFAULT_PERSISTENCE = 0.8

Gain = Literal["linear", "exp"]
Demand = Literal["any", "groups", "all"]
RestsOn = Literal["gold", "ideal", "judgments", "list"]

_NAME = re.compile(r"(?P<measure>[^\W_]+)(?:\((?P<given>[^()]*)\))?(?:@(?P<cutoff>.*))?")
_BETWEEN = re.compile(r"[\s,]+(?![^()]*\))")


@dataclass(frozen=True, slots=True)
class Measure:
    """What can be measured of a list.

    Attributes:
        name: how it is written.
        about: what it is, in one clause.
        rests_on: what a question must have for it to be defined: ``gold`` (a relevant document is known), ``ideal``
            (one that earns gain is), ``judgments`` (any), or just a ``list``.
        takes: the parameters it has.
        cuts: whether it can be cut off.
        binary: whether a question either meets it or does not.
        bounded: whether it lies in 0 to 1.
    """

    name: str
    about: str
    rests_on: RestsOn
    takes: tuple[str, ...] = ("rel",)
    cuts: bool = True
    binary: bool = False
    bounded: bool = True


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("P", "share of the places that hold a relevant document", "gold"),
        Measure("R", "share of the relevant documents that are there", "gold"),
        Measure("F1", "both at once: twice the hits over places plus relevant documents", "gold"),
        Measure("Success", "whether any relevant document is there", "gold", binary=True),
        Measure("RR", "one over the rank of the first relevant document, 0 without one", "gold"),
        Measure("AP", "precision at every relevant document, averaged over all that are known", "gold"),
        Measure("Rprec", "precision at as many places as there are relevant documents", "gold", cuts=False),
        Measure("RBP", "what a reader finds who goes on to the next place with probability p", "gold", ("rel", "p")),
        Measure("CG", "the gains added up", "judgments", ("gain", "rel"), bounded=False),
        Measure("DCG", "the gains added up, discounted by log2(rank + 1)", "judgments", ("gain", "rel"), bounded=False),
        Measure("nDCG", "DCG over the best that all known judgments allow", "ideal", ("gain", "rel")),
        Measure("Coverage", "whether the evidence a question needs is there", "gold", ("require", "rel"), binary=True),
        Measure("Groups", "share of the needed evidence that is there", "gold", ("require", "rel")),
        Measure("judged", "share of the places whose document has been judged", "list", ()),
    )
}
_ALSO = {"mrr": "RR", "map": "AP", "hit": "Success", "recall": "R", "precision": "P"}
_BY_LOWER = {name.lower(): name for name in MEASURES} | _ALSO


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: a measure with everything that changes its value.

    Attributes:
        measure: name of the measure.
        cutoff: places that count; ``packed`` for the last stage's whole list, None for any stage's.
        rel: lowest grade that counts as relevant; None for the run's own threshold, or for measures of gain, for none.
        gain: what a grade is worth: itself, or 2 to its power less 1.
        p: persistence of RBP.
        require: which evidence is needed; None for the requirement of the label set.
    """

    measure: str
    cutoff: int | Literal["packed"] | None = None
    rel: float | None = None
    gain: Gain = "linear"
    p: float | None = None
    require: Demand | None = None

    @property
    def kind(self) -> Measure:
        """The measure itself."""
        return MEASURES[self.measure]

    @property
    def depth(self) -> int | None:
        """Places that count, None for all there are."""
        return self.cutoff if isinstance(self.cutoff, int) else None

    def with_threshold(self, min_grade: float) -> Metric:
        """Return the metric with its threshold in its name, where that is not the usual 1."""
        by_gain = "gain" in self.kind.takes
        if self.rel is not None or by_gain or min_grade == 1.0 or "rel" not in self.kind.takes:
            return self
        return replace(self, rel=min_grade)

    def __str__(self) -> str:
        given = []
        if self.gain != "linear":
            given.append(f"gain={self.gain}")
        if self.require is not None:
            given.append(f"require={self.require}")
        if self.rel is not None:
            given.append(f"rel={_written(self.rel)}")
        if self.p is not None:
            given.append(f"p={_written(self.p)}")
        brackets = f"({', '.join(given)})" if given else ""
        return f"{self.measure}{brackets}{'' if self.cutoff is None else f'@{self.cutoff}'}"


def parse_metrics(text: str) -> list[Metric]:
    """Return the metrics of a list of names, set apart by blanks or commas; each once, in the order given.

    Raises:
        UsageError: a name cannot be read, or there is none.

    >>> [str(metric) for metric in parse_metrics("nDCG(gain=exp)@10, MRR@10 RBP(p=0.80, rel=2)")]
    ['nDCG(gain=exp)@10', 'RR@10', 'RBP(rel=2, p=.8)']
    """
    names = [name for name in _BETWEEN.split(text.strip()) if name]
    if not names:
        raise UsageError("bad-metric", "no metric is named", hint="such as 'nDCG@10 R@5 RR@10'")
    return list(dict.fromkeys(parse_metric(name) for name in names))


def parse_metric(text: str) -> Metric:
    """Return the metric of one name.

    Raises:
        UsageError: there is no such measure, parameter or cutoff.
    """
    found = _NAME.fullmatch(text.strip())
    if found is None:
        raise UsageError("bad-metric", f"{text!r} is not the name of a metric", hint="such as nDCG@10 or R(rel=2)@100")
    measure = _measure(found["measure"])
    metric = Metric(measure.name, _cutoff(found["cutoff"], measure, text))
    for parameter, value in _given(found["given"], text).items():
        if parameter not in measure.takes:
            takes = f"{measure.name} takes {' and '.join(measure.takes) or 'none'}"
            raise UsageError("bad-metric", f"{text!r} has a parameter {parameter!r}; {takes}")
        metric = _with(metric, parameter, value, text)
    return replace(metric, p=DEFAULT_PERSISTENCE) if "p" in measure.takes and metric.p is None else metric


def _measure(name: str) -> Measure:
    known = _BY_LOWER.get(name.lower())
    if known is None:
        close = difflib.get_close_matches(name.lower(), _BY_LOWER, n=2, cutoff=0.5)
        nearest = list(dict.fromkeys(_BY_LOWER[word] for word in close))
        hint = f"did you mean {' or '.join(nearest)}?" if nearest else f"there are {', '.join(MEASURES)}"
        raise UsageError("unknown-metric", f"there is no metric {name!r}", hint=hint)
    return MEASURES[known]


def _cutoff(text: str | None, measure: Measure, name: str) -> int | Literal["packed"] | None:
    if text is None:
        return None
    if not measure.cuts:
        raise UsageError("bad-cutoff", f"{measure.name} sets its own cutoff", where=name, hint=f"write {measure.name}")
    if text == PACKED:
        return "packed"
    if not re.fullmatch(r"0*[1-9][0-9]{0,8}", text):
        raise UsageError(
            "bad-cutoff", f"the cutoff of {name!r} is not a whole number of at least 1", hint="or 'packed'"
        )
    return int(text)


def _given(text: str | None, name: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for part in [] if text is None else text.split(","):
        parameter, _, value = (piece.strip() for piece in part.partition("="))
        if not parameter or not value:
            raise UsageError("bad-metric", f"the brackets of {name!r} hold NAME=VALUE", hint="such as R(rel=2)@100")
        if parameter in pairs:
            raise UsageError("bad-metric", f"{name!r} gives {parameter} twice")
        pairs[parameter] = value
    return pairs


def _with(metric: Metric, parameter: str, value: str, name: str) -> Metric:
    if parameter == "gain" and value in ("linear", "exp"):
        return replace(metric, gain="exp" if value == "exp" else "linear")
    if parameter == "require" and value in ("any", "groups", "all"):
        return replace(metric, require=next(d for d in ("any", "groups", "all") if d == value))
    if parameter == "rel" and 0.0 < _number(value) < float("inf"):
        return replace(metric, rel=_number(value))
    if parameter == "p" and 0.0 < _number(value) < 1.0:
        return replace(metric, p=_number(value))
    allowed = {
        "gain": "linear or exp",
        "require": "any, groups or all",
        "rel": "a grade above 0",
        "p": "a number between 0 and 1",
    }
    raise UsageError("bad-metric", f"{parameter} in {name!r} is {value!r}; it is {allowed[parameter]}")


def _number(text: str) -> float:
    """Return a plain number, NaN for anything else."""
    return float(text) if re.fullmatch(r"[0-9]*\.?[0-9]+(?:e[+-]?[0-9]{1,3})?", text) else float("nan")


def _written(number: float) -> str:
    """Return a number as short as it reads back: ``2``, ``.8``."""
    return repr(number).removesuffix(".0").removeprefix("0") or "0"
