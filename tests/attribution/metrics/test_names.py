"""Names of metrics parse and print back, and a wrong one is told in one line that says what would be right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attribution.metrics.names import DEFAULT_PERSISTENCE, MEASURES, Measure, Metric, parse_metric, parse_metrics
from traces.errors import UsageError

CUTOFFS = st.none() | st.just("packed") | st.integers(1, 999_999_999)
NUMBERS = st.floats(min_value=1e-300, max_value=1e300, allow_nan=False)
SHARES = st.floats(min_value=1e-9, max_value=1, exclude_max=True)


def metrics_of(measure: Measure) -> st.SearchStrategy[Metric]:
    """Draw any metric of a measure."""
    takes = measure.takes
    return st.builds(
        Metric,
        measure=st.just(measure.name),
        cutoff=CUTOFFS if measure.cuts else st.none(),
        rel=st.none() | NUMBERS if "rel" in takes else st.none(),
        gain=st.sampled_from(["linear", "exp"]) if "gain" in takes else st.just("linear"),
        p=SHARES if "p" in takes else st.none(),
        require=st.sampled_from([None, "any", "groups", "all"]) if "require" in takes else st.none(),
    )


@given(st.sampled_from(sorted(MEASURES)).flatmap(lambda name: metrics_of(MEASURES[name])))
def test_a_name_reads_back_as_the_metric_it_was_written_from(metric: Metric) -> None:
    assert parse_metric(str(metric)) == metric


@pytest.mark.parametrize(
    "name",
    [
        *(
            "nDCG(gain=exp)@10",
            "R(rel=2)@100",
            "RR@10",
            "P@10",
            "F1@10",
            "Success@5",
            "AP",
            "AP@100",
            "DCG@10",
            "CG@10",
        ),
        *(
            "Rprec",
            "judged@10",
            "Coverage@10",
            "Coverage@packed",
            "Groups@5",
            "RBP(p=.8)@20",
            "nDCG(gain=exp, rel=2)@5",
        ),
        *("Coverage(require=all)@packed", "R(rel=.5)@3"),
    ],
)
def test_a_name_as_it_is_printed_stays_as_it_is(name: str) -> None:
    assert str(parse_metric(name)) == name


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("MRR@10", "RR@10"),
        ("map", "AP"),
        ("ndcg@5", "nDCG@5"),
        ("Recall@100", "R@100"),
        ("Hit@1", "Success@1"),
        ("RBP@20", "RBP(p=.8)@20"),
        ("RBP(p=0.80,rel=2.0)", "RBP(rel=2, p=.8)"),
        ("nDCG(gain=linear)@010", "nDCG@10"),
    ],
)
def test_other_ways_to_write_a_metric_come_back_as_its_one_name(written: str, name: str) -> None:
    assert str(parse_metric(written)) == name


def test_persistence_has_a_default_that_is_written_out() -> None:
    assert parse_metric("RBP").p == DEFAULT_PERSISTENCE


def test_a_list_of_names_is_set_apart_by_blanks_or_commas_and_each_counts_once() -> None:
    found = parse_metrics(" nDCG@10,R(rel=2, )@5  MRR@10, RR@10\n".replace(", )", ")"))
    assert [str(metric) for metric in found] == ["nDCG@10", "R(rel=2)@5", "RR@10"]
    assert [str(metric) for metric in parse_metrics("RBP(rel=2, p=.5)@3 P@1")] == ["RBP(rel=2, p=.5)@3", "P@1"]


@pytest.mark.parametrize(
    ("name", "slug", "told"),
    [
        ("nDGC@10", "unknown-metric", "did you mean nDCG"),
        ("Covrage@5", "unknown-metric", "did you mean Coverage"),
        ("xyz", "unknown-metric", "there are P, R, F1"),
        ("P@0", "bad-cutoff", "'P@0' is not a whole number of at least 1"),
        ("P@ten", "bad-cutoff", "'P@ten' is not a whole number"),
        ("P@-3", "bad-cutoff", "whole number"),
        ("P@1.5", "bad-cutoff", "whole number"),
        ("P@", "bad-cutoff", "whole number"),
        ("P@" + "9" * 5000, "bad-cutoff", "whole number"),
        ("P@١٠", "bad-cutoff", "whole number"),
        ("Rprec@10", "bad-cutoff", "Rprec sets its own cutoff"),
        ("R(rel=0)@5", "bad-metric", "a grade above 0"),
        ("R(rel=nan)@5", "bad-metric", "a grade above 0"),
        ("R(rel=1e999)@5", "bad-metric", "a grade above 0"),
        ("RBP(p=1)", "bad-metric", "between 0 and 1"),
        ("nDCG(gain=cubic)@5", "bad-metric", "linear or exp"),
        ("Coverage(require=some)", "bad-metric", "any, groups or all"),
        ("P(gain=exp)@5", "bad-metric", "P takes rel"),
        ("judged(rel=2)", "bad-metric", "judged takes none"),
        ("P()@5", "bad-metric", "NAME=VALUE"),
        ("P(rel)@5", "bad-metric", "NAME=VALUE"),
        ("P(rel=1,rel=2)@5", "bad-metric", "rel twice"),
        ("P@5(rel=2)", "bad-cutoff", "whole number"),
        ("(rel=2)", "bad-metric", "not the name of a metric"),
    ],
)
def test_a_wrong_name_is_told_in_one_line(name: str, slug: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_metric(name)
    assert caught.value.slug == slug
    assert told in caught.value.line()
    assert "\n" not in caught.value.line()


def test_no_name_at_all_is_an_error() -> None:
    with pytest.raises(UsageError, match="no metric is named"):
        parse_metrics(" , ")


def test_the_threshold_gets_into_the_name_unless_it_is_the_usual_one() -> None:
    assert str(parse_metric("R@5").with_threshold(2.0)) == "R(rel=2)@5"
    assert str(parse_metric("R@5").with_threshold(1.0)) == "R@5"
    assert str(parse_metric("R(rel=3)@5").with_threshold(2.0)) == "R(rel=3)@5"
    assert str(parse_metric("nDCG@5").with_threshold(2.0)) == "nDCG@5"
    assert str(parse_metric("judged@5").with_threshold(2.0)) == "judged@5"
