"""Reading a rule: what cannot be read is told in one line, with the nearest thing that can."""

from __future__ import annotations

import re
from typing import Literal

from attribution.gate.rules import DROPS, BoundRule, Demand, ForecastRule, Kind, Quantity, Relation, Rule
from attribution.metrics.names import MEASURES, Metric, parse_metric
from traces.errors import UsageError, near

EXAMPLES = "such as 'recall(packed) >= .55', 'drop(pass) <= .02' or 'forecast NAME not refuted'"
LENGTH = 500
_RATES: dict[str, Kind] = {
    "pass": "pass",
    "pass_with_gold": "pass_with_gold",
    "pass_without_gold": "pass_without_gold",
}
_KNOWN = (*_RATES, "recall", "share", "drop", "forecast", *MEASURES)
_FORECAST = re.compile(r"forecast\s+(?P<name>.+?)\s+(?P<demand>not\s+refuted|held)", re.DOTALL)
_BOUND = re.compile(r"(?P<what>.+?)\s*(?P<relation>>=|<=)\s*(?P<bound>[^<>=]+)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?", re.IGNORECASE)
_OF_STAGE = re.compile(r'(?P<name>.*?)\(\s*(?P<stage>(?:lost:)?"(?:[^"\\]|\\.)*"|[^()"]*?)\s*\)', re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_COMPARED = re.compile(r"[<>=]")


def parse_rule(text: str) -> Rule:
    """Return the rule a text says.

    Raises:
        UsageError: it cannot be read, names something unknown, or has a bound that says nothing.

    >>> str(parse_rule("drop( recall(packed) )<=0.030"))
    'drop(recall(packed)) <= .03'
    """
    line = text.strip()
    if not line or len(line) > LENGTH:
        what = "a rule is empty" if not line else f"a rule is longer than {LENGTH} characters"
        raise UsageError("bad-rule", what, hint=EXAMPLES)
    forecast = _FORECAST.fullmatch(line)
    if forecast is not None:
        demand: Demand = "held" if forecast["demand"] == "held" else "not refuted"
        return ForecastRule(_name(forecast["name"]), demand)
    found = _BOUND.fullmatch(line)
    if found is None:
        raise UsageError("bad-rule", f"{line!r} is not a rule", hint=_advice(line))
    what, drop = found["what"], False
    inner = re.fullmatch(r"drop\s*\(\s*(.*?)\s*\)", what, re.DOTALL)
    if inner is not None:
        what, drop = inner[1], True
    quantity = _quantity(what, line)
    relation: Relation = ">=" if found["relation"] == ">=" else "<="
    rule = BoundRule(quantity, relation, _bound(found["bound"], line), drop)
    _check(rule)
    return rule


def _advice(line: str) -> str:
    first = line.split(maxsplit=1)[0]
    if first == "forecast":
        return "write 'forecast NAME not refuted' or 'forecast NAME held'"
    if _COMPARED.search(line):
        return "a rule has one >= or <= and a number after it"
    return EXAMPLES


def _quantity(text: str, line: str) -> Quantity:
    name, stage = _apart(text, line)
    if name in _RATES:
        if stage is not None:
            raise UsageError("bad-rule", f"{name!r} takes no stage", where=line, hint=f"write {name}")
        return Quantity(_RATES[name])
    if name == "recall":
        return Quantity("recall", stage)
    if name == "share":
        return _share(stage, line)
    return Quantity("metric", stage, metric=_metric(name, line))


def _apart(text: str, line: str) -> tuple[str, str | None]:
    """Return a name and the stage in brackets behind it; brackets with ``=`` in them are parameters of a metric."""
    found = _OF_STAGE.fullmatch(text)
    if found is None or ("=" in found["stage"] and '"' not in found["stage"]):
        return text.strip(), None
    stage = _name(found["stage"])
    if not stage:
        raise UsageError("bad-rule", f"the brackets of {text!r} are empty", where=line, hint=EXAMPLES)
    return found["name"].strip(), stage


def _name(text: str) -> str:
    found = _QUOTED.fullmatch(text)
    return text if found is None else re.sub(r"\\(.)", r"\1", found[1], flags=re.DOTALL)


def _share(fate: str | None, line: str) -> Quantity:
    plain: dict[str, Literal["never_found", "reached"]] = {"never_found": "never_found", "reached": "reached"}
    if fate in plain:
        return Quantity("share", fate=plain[fate])
    if fate is not None and fate.startswith("lost:") and len(fate) > len("lost:"):
        return Quantity("share", _name(fate.removeprefix("lost:")), "lost")
    raise UsageError(
        "unknown-fate",
        f"{fate!r} is no fate" if fate else "a share is that of a fate",
        where=line,
        hint=near(fate or "", ["never_found", "reached", "lost:STAGE"]),
    )


def _metric(name: str, line: str) -> Metric:
    word = re.match(r"\w*", name)
    if word is None or word[0] in ("drop", "forecast") or not word[0]:
        raise UsageError("bad-rule", f"{line!r} is not a rule", hint=EXAMPLES)
    try:
        return parse_metric(name)
    except UsageError as fault:
        if fault.slug == "unknown-metric":
            hint = near(word[0], _KNOWN)
            raise UsageError("unknown-measure", f"nothing is called {word[0]!r}", where=line, hint=hint) from fault
        raise


def _bound(text: str, line: str) -> float:
    if not _NUMBER.fullmatch(text.strip()):
        raise UsageError("bad-bound", f"{text.strip()!r} is no number", where=line, hint="write a share such as .55")
    return float(text)


def _check(rule: BoundRule) -> None:
    """Refuse what two runs cannot be compared on, and a bound that every build keeps or none can be shown to."""
    if rule.drop and rule.quantity.kind not in DROPS:
        raise UsageError(
            "bad-rule",
            f"{rule.quantity} has no drop: its questions are others in every run",
            where=str(rule),
            hint="drop takes pass, recall(STAGE) or a metric",
        )
    if rule.drop and rule.relation == ">=":
        raise UsageError("bad-rule", "a drop is bounded from above", where=str(rule), hint="write <=")
    top = 1.0 if rule.quantity.bounded else float("inf")
    least_fits = rule.bound >= 0.0 if rule.drop else rule.bound > 0.0
    if not (least_fits and rule.bound < top):
        between = "0 or more, and below 1" if rule.drop else "above 0 and below 1"
        said = between if rule.quantity.bounded else between.split(",")[0].split(" and")[0]
        told = f"the bound of '{rule.quantity}' is {said}, not {rule.bound:g}"
        hint = "give a share: .55, not 55" if rule.quantity.bounded else None
        raise UsageError("bad-bound", told, where=str(rule), hint=hint)
