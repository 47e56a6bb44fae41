"""The SQL steps keep to the subset that DuckDB and Spark both run unchanged, read off their syntax trees."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import sqlglot
from sqlglot import exp

from attribution.fates import Stage
from attribution.metrics.asked import at_stages
from attribution.metrics.conventions import MetricChoices
from attribution.metrics.fractions import Fractions
from attribution.metrics.names import parse_metrics
from traces.steps import compose, step_texts

PACKAGES = ("traces", "attribution")
STEPS = sorted(step_texts(PACKAGES))
FUNCTIONS = {
    *("COUNT", "SUM", "MIN", "MAX", "COALESCE", "NULLIF", "CONCAT", "CAST", "CASE", "ROW_NUMBER", "AND", "OR"),
    *("LOG2", "POWER", "LEAST", "GREATEST", "TRIM"),
}
READS_LISTS = {"places"}  # the one step that does; everything else goes through hits
NULLS = re.compile(r"\bNULLS (?:FIRST|LAST)\b")
STATEMENTS = (exp.With, exp.Qualify, exp.Unnest, exp.Lateral, exp.Lambda, exp.Struct, exp.Array)


EVERY_METRIC = """P@10 P R@10 R(rel=2.5) F1@5 Success@1 RR AP@7 AP(rel=3) Rprec RBP(p=.3)@9 CG@3 DCG(gain=exp) nDCG@10
    nDCG(gain=exp, rel=2)@5 nDCG@packed Coverage Coverage(require=all)@2 Groups(require=groups)@4 judged@6"""
CONVENTIONS = [
    MetricChoices(),
    MetricChoices(unit="group", short_lists="returned", no_gold="zero", zero_ideal="zero", missing="excluded"),
]


def written(choices: MetricChoices, *, by_tokens: bool = False) -> dict[str, str]:
    """Return the steps that are written for every metric there is."""
    stages = [Stage("candidates", 1, 100), Stage("'; DROP TABLE runs --", 2, None)]
    asked = at_stages(parse_metrics(EVERY_METRIC), stages, stages[-1])
    return dict(Fractions(asked, choices, "any", text_only=True, by_tokens=by_tokens).steps())


def tree(step: str) -> exp.Expr:
    return sqlglot.parse_one(step_texts(PACKAGES)[step], read="duckdb")


def complaints(step: str, text: str) -> Iterator[str]:
    """Say everything in a step that is outside the subset."""
    parsed = sqlglot.parse_one(text, read="duckdb")
    for node in parsed.find_all(*STATEMENTS):
        yield f"{type(node).__name__} is not portable"
    for function in parsed.find_all(exp.Func):
        if isinstance(function, exp.If) and isinstance(function.parent, exp.Case):
            continue  # a branch of CASE
        name = function.name.upper() if isinstance(function, exp.Anonymous) else function.sql_name()
        if isinstance(function, exp.Log):  # of one argument it has another base in each engine
            name = "LOG2" if function.expression and function.this.name == "2" else name
        if name not in FUNCTIONS and not (name == "ARRAY_POSITION" and step in READS_LISTS):
            yield f"{name} is not among the functions both engines share"
    for division in parsed.find_all(exp.Div):
        if not isinstance(division.expression, exp.Nullif):
            yield "a divisor without nullif"
    if len(list(parsed.find_all(exp.Ordered))) != len(NULLS.findall(text)):
        yield "an ORDER BY does not say where NULLs go"


@pytest.mark.parametrize("step", STEPS)
def test_a_step_keeps_to_the_portable_subset(step: str) -> None:
    assert list(complaints(step, step_texts(PACKAGES)[step])) == []


@pytest.mark.parametrize("step", STEPS)
def test_a_step_says_its_grain_first(step: str) -> None:
    assert step_texts(PACKAGES)[step].startswith("-- grain: one row")


@pytest.mark.parametrize("step", STEPS)
def test_no_column_bears_the_name_of_a_step(step: str) -> None:
    """Steps are found by name, so a column of that name would drag the step in."""
    names = {node.name for node in tree(step).find_all(exp.Column)} | {
        node.alias for node in tree(step).find_all(exp.Alias)
    }
    assert names & set(STEPS) == set()


@pytest.mark.parametrize("step", STEPS)
def test_a_step_composes(step: str) -> None:
    assert compose(PACKAGES, step).sql


@pytest.mark.parametrize("choices", CONVENTIONS)
@pytest.mark.parametrize("by_tokens", [False, True])
def test_the_written_steps_keep_to_the_portable_subset(choices: MetricChoices, by_tokens: bool) -> None:
    texts = written(choices, by_tokens=by_tokens)
    assert {step: found for step, text in texts.items() if (found := list(complaints(step, text)))} == {}


@pytest.mark.parametrize("choices", CONVENTIONS)
def test_no_word_from_outside_gets_into_a_written_step(choices: MetricChoices) -> None:
    assert not any("DROP" in text for text in written(choices).values())


def test_no_column_of_a_written_step_bears_the_name_of_a_step() -> None:
    texts = written(CONVENTIONS[0]) | written(CONVENTIONS[1])
    parsed = [sqlglot.parse_one(text, read="duckdb") for text in texts.values()]
    names = {node.name for each in parsed for node in each.find_all(exp.Column)}
    assert names & ({*STEPS} | texts.keys()) == set()


@pytest.mark.parametrize(
    "text",
    [
        "SELECT list(a) FROM t",
        "SELECT a / b FROM t",
        "SELECT a FROM t QUALIFY row_number() OVER () = 1",
        "SELECT unnest(a) FROM t",
        "SELECT a FROM t ORDER BY a",
        "WITH x AS (SELECT 1) SELECT * FROM x",
        "SELECT median(a) FROM t",
        "SELECT log(a) FROM t",
        "SELECT array_position(a, b) FROM t",
    ],
)
def test_what_does_not_port_is_refused(text: str) -> None:
    assert list(complaints("any", text))
