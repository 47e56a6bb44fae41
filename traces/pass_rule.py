"""Pass rules: ``FIELD OP NUMBER``, such as ``score >= 3``, turn a number into pass or fail."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from traces.errors import RecordError, UsageError

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}
_RULE = re.compile(r"\s*(score|passed)\s*(>=|<=|==|>|<)\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*")


@dataclass(frozen=True, slots=True)
class PassRule:
    """A parsed rule; ``text`` is how it is stored with every outcome it decided."""

    field: str
    sign: str
    bound: float
    text: str

    def holds(self, value: float) -> bool:
        """Tell whether a value passes."""
        return _OPERATORS[self.sign](value, self.bound)


def parse_pass_rule(text: str) -> PassRule:
    """Parse ``FIELD OP NUMBER``.

    Raises:
        UsageError: the text is not such a rule.
    """
    match = _RULE.fullmatch(text)
    bound = _number(match.group(3)) if match else None
    if match is None or bound is None:
        raise UsageError(
            "bad-pass-rule",
            f"'{text[:80]}' is not a pass rule",
            hint="write FIELD OP NUMBER, FIELD being score or passed, OP one of >= > <= < ==, such as 'score >= 3'",
        )
    return PassRule(match.group(1), match.group(2), bound, " ".join(match.groups()))


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an outcome says: ``passed`` None is unknown; ``rule`` is the rule that decided, if one did."""

    passed: bool | None
    score: float | None
    rule: str | None


def decide(passed: bool | float | None, score: float | None, rule: PassRule | None) -> Verdict | None:
    """Turn what a record says into a verdict; None where it says nothing.

    A rule decides wherever its field holds a number; elsewhere true and false stand as they are.

    Raises:
        RecordError: ``passed`` is a number and no rule reads it.
    """
    number = None if passed is None or isinstance(passed, bool) else float(passed)
    value = None if rule is None else score if rule.field == "score" else number
    kept = number if score is None else score
    if rule is not None and value is not None:
        return Verdict(rule.holds(value), kept, rule.text)
    if number is not None:
        raise RecordError(
            "no-pass-rule",
            f"is a number ({number:g}), so it neither passes nor fails",
            field="passed",
            hint=f"give --pass-rule 'passed >= {number:g}', or whatever passes",
        )
    if passed is None and score is None:
        return None
    return Verdict(None if passed is None else bool(passed), score, None)
