"""Rules are values: they print as they are written, read back, and what cannot be read is told in one line."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attribution.gate import drops, parse, reading, rules
from attribution.gate.parse import parse_rule
from attribution.gate.rules import BoundRule, ForecastRule, Quantity, Rule
from attribution.gate.rules_file import gather_rules, read_rules
from attribution.metrics.names import parse_metric
from traces.errors import FoundlostError, InputError, UsageError

WRITTEN = {
    "recall(packed)>=0.550": "recall(packed) >= .55",
    "  recall >= .5 ": "recall >= .5",
    "pass >= .7": "pass >= .7",
    "pass_with_gold >= 8e-1": "pass_with_gold >= .8",
    "pass_without_gold <= .5": "pass_without_gold <= .5",
    "share( never_found ) <= .3": "share(never_found) <= .3",
    "share(lost:reranked) <= .1": "share(lost:reranked) <= .1",
    'share(lost:"my stage") <= .1': 'share(lost:"my stage") <= .1',
    "drop(pass) <= 0": "drop(pass) <= 0",
    "drop ( recall( packed ) )<=.03": "drop(recall(packed)) <= .03",
    "nDCG@10(reranked) >= .4": "nDCG@10(reranked) >= .4",
    "R@packed >= .3": "R@packed >= .3",
    "mrr@10(reranked) >= .3": "RR@10(reranked) >= .3",
    "recall@10(reranked) >= .3": "R@10(reranked) >= .3",
    "R(rel=2)@100(candidates) >= .2": "R(rel=2)@100(candidates) >= .2",
    "nDCG(gain=exp) >= .3": "nDCG(gain=exp) >= .3",
    'drop(nDCG(gain=exp)@10("a (b) >= c")) <= .3': 'drop(nDCG(gain=exp)@10("a (b) >= c")) <= .3',
    "DCG@10 >= 3": "DCG@10 >= 3",
    "forecast hybrid not refuted": "forecast hybrid not refuted",
    "forecast  my  quarter   not  refuted": 'forecast "my  quarter" not refuted',
    "forecast q3 held": "forecast q3 held",
}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_rule_prints_in_one_way_however_it_was_written(text: str) -> None:
    assert str(parse_rule(text)) == WRITTEN[text]


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
STAGES = NAMES.map(str)
SHARES = st.floats(min_value=1e-6, max_value=1 - 1e-6)
METRICS = st.sampled_from(["nDCG(gain=exp)@10", "R(rel=2)@100", "RR", "Coverage@5", "RBP(p=.9)"]).map(parse_metric)
QUANTITIES = st.one_of(
    st.sampled_from([Quantity("pass"), Quantity("pass_with_gold"), Quantity("pass_without_gold")]),
    st.builds(Quantity, st.just("recall"), st.none() | STAGES),
    st.builds(Quantity, st.just("share"), st.none(), st.sampled_from(["never_found", "reached"])),
    st.builds(Quantity, st.just("share"), STAGES, st.just("lost")),
    st.builds(Quantity, st.just("metric"), st.none() | STAGES, st.none(), METRICS),
)
DROPPING = QUANTITIES.filter(lambda quantity: quantity.kind in {"pass", "recall", "metric"})
RULES: st.SearchStrategy[Rule] = st.one_of(
    st.builds(BoundRule, QUANTITIES, st.sampled_from([">=", "<="]), SHARES),
    st.builds(BoundRule, DROPPING, st.just("<="), SHARES, st.just(True)),
    st.builds(ForecastRule, NAMES, st.sampled_from(["not refuted", "held"])),
)


@given(RULES)
def test_what_prints_reads_back_as_the_same_rule(rule: Rule) -> None:
    assert parse_rule(str(rule)) == rule


@given(st.text(max_size=60))
def test_any_text_is_a_rule_or_one_clear_line(text: str) -> None:
    try:
        rule = parse_rule(text)
    except UsageError:
        return
    assert parse_rule(str(rule)) == rule


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "bad-rule: a rule is empty"),
        (
            "recal(packed) >= .5",
            "unknown-measure: nothing is called 'recal' (recal(packed) >= .5); did you mean recall",
        ),
        (
            "nDGC@10(packed) >= .5",
            "unknown-measure: nothing is called 'nDGC' (nDGC@10(packed) >= .5); did you mean nDCG",
        ),
        ("recall(packed) > .5", "a rule has one >= or <= and a number after it"),
        ("recall(packed) >= 55", "bad-bound: the bound of 'recall(packed)' is above 0 and below 1, not 55"),
        ("recall(packed) >= 0", "bad-bound: "),
        ("recall(packed) >= 1", "bad-bound: "),
        ("recall(packed) >= nan", "bad-bound: 'nan' is no number"),
        ("recall(packed) >= 1e999", "bad-bound: "),
        ("DCG@3 >= 0", "bad-bound: the bound of 'DCG@3' is above 0, not 0"),
        ("drop(pass) <= -.1", "bad-bound: the bound of 'pass' is 0 or more, and below 1"),
        ("drop(pass) >= .1", "bad-rule: a drop is bounded from above"),
        ("drop(share(never_found)) <= .1", "bad-rule: share(never_found) has no drop"),
        ("drop(pass_with_gold) <= .1", "bad-rule: pass_with_gold has no drop"),
        ("pass(packed) >= .5", "bad-rule: 'pass' takes no stage"),
        ("recall() >= .5", "bad-rule: the brackets of 'recall()' are empty"),
        ("share(never) <= .5", "unknown-fate: 'never' is no fate (share(never) <= .5); did you mean never_found"),
        ("share <= .5", "unknown-fate: a share is that of a fate"),
        ("forecast x passes", "write 'forecast NAME not refuted' or 'forecast NAME held'"),
        ("P@0 >= .5", "bad-cutoff: "),
        ("x" * 600, "bad-rule: a rule is longer than 500 characters"),
    ],
)
def test_what_is_no_rule_is_told_in_one_line(text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_rule(text)
    assert told in caught.value.line()
    assert "\n" not in caught.value.line()


def test_a_file_has_one_rule_a_line_and_remembers_where(tmp_path: Path) -> None:
    file = tmp_path / "gate.rules"
    file.write_bytes("\ufeff# what a build must keep\r\n\r\nrecall(packed) >= .55\r\n  # later\npass >= .7\n".encode())
    assert [(str(asked.rule), asked.line) for asked in read_rules(file)] == [
        ("recall(packed) >= .55", 3),
        ("pass >= .7", 5),
    ]
    gathered = gather_rules(["pass >= 0.70", "drop(pass) <= .02"], file)
    assert [(str(asked.rule), asked.line) for asked in gathered] == [
        ("recall(packed) >= .55", 3),
        ("pass >= .7", 5),
        ("drop(pass) <= .02", None),
    ]


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "gate.rules"
    file.write_text("pass >= .7\nrecal >= .5\n")
    with pytest.raises(UsageError, match=rf"unknown-measure: nothing is called 'recal' \({file}:2\)"):
        read_rules(file)


@pytest.mark.parametrize(
    ("content", "slug"),
    [
        (None, "no-file"),
        (b"pass >= .7\xff", "not-utf8"),
        (b"#" * 1_000_001, "unusable-file"),
        (b"# none\n", "no-rules"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_in_one_line(content: bytes | None, slug: str, tmp_path: Path) -> None:
    file = tmp_path / "gate.rules"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(FoundlostError) as caught:
        gather_rules([], file)
    assert caught.value.slug == slug


@pytest.mark.parametrize("module", [drops, parse, reading, rules], ids=lambda module: module.__name__)
def test_the_examples_in_docstrings_are_true(module: ModuleType) -> None:
    done = doctest.testmod(module)
    assert (done.failed, done.attempted > 0) == (0, True)


def test_a_folder_is_no_file_of_rules(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unreadable"):
        read_rules(tmp_path)
