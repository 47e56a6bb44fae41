"""Pass rules: what counts as one, and what follows from it."""

from __future__ import annotations

import pytest

from traces.errors import RecordError, UsageError
from traces.pass_rule import PassRule, Verdict, decide, parse_pass_rule


@pytest.mark.parametrize(
    ("text", "stored", "passing", "failing"),
    [
        ("score >= 3", "score >= 3", 3.0, 2.999),
        ("score>=3", "score >= 3", 3.0, 2.0),
        ("  passed > .5 ", "passed > .5", 0.51, 0.5),
        ("score <= -1e-3", "score <= -1e-3", -0.001, 0.0),
        ("score < 2", "score < 2", 1.0, 2.0),
        ("score == 1", "score == 1", 1.0, 0.99),
    ],
)
def test_a_rule_is_kept_as_written_and_decides(text: str, stored: str, passing: float, failing: float) -> None:
    rule = parse_pass_rule(text)
    assert rule.text == stored
    assert rule.holds(passing)
    assert not rule.holds(failing)


NO_RULES = [
    "", "score", "score >=", "score = 3", "score => 3", "grade >= 3", "score >= three", "score >= nan",
    "score >= 1e999", "score >= 3 or passed", "__import__('os')", "score >= 1.2.3", "score >= ٣",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_RULES)
def test_anything_else_is_refused_with_the_grammar(text: str) -> None:
    with pytest.raises(UsageError, match="FIELD OP NUMBER"):
        parse_pass_rule(text)


SCORE: PassRule = parse_pass_rule("score >= 3")
PASSED: PassRule = parse_pass_rule("passed >= 0.5")


@pytest.mark.parametrize(
    ("passed", "score", "rule", "verdict"),
    [
        (True, None, None, Verdict(True, None, None)),
        (False, 2.0, None, Verdict(False, 2.0, None)),
        (None, 2.0, None, Verdict(None, 2.0, None)),
        (None, None, None, None),
        (None, 3.0, SCORE, Verdict(True, 3.0, "score >= 3")),
        (True, 1.0, SCORE, Verdict(False, 1.0, "score >= 3")),
        (True, None, SCORE, Verdict(True, None, None)),
        (None, None, SCORE, None),
        (0.7, None, PASSED, Verdict(True, 0.7, "passed >= 0.5")),
        (0.2, 9.0, PASSED, Verdict(False, 9.0, "passed >= 0.5")),
        (1, None, PASSED, Verdict(True, 1.0, "passed >= 0.5")),
        (False, None, PASSED, Verdict(False, None, None)),
    ],
)
def test_a_rule_decides_where_its_field_holds_a_number(
    passed: bool | float | None, score: float | None, rule: PassRule | None, verdict: Verdict | None
) -> None:
    assert decide(passed, score, rule) == verdict


@pytest.mark.parametrize("rule", [None, SCORE])
def test_a_number_no_rule_reads_is_neither_pass_nor_fail(rule: PassRule | None) -> None:
    with pytest.raises(RecordError, match=r"passed: is a number \(0\.7\)") as caught:
        decide(0.7, None, rule)
    assert "--pass-rule 'passed >= 0.7'" in (caught.value.hint or "")
