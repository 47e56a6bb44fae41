"""What would prove the report wrong: every threshold is one that the tool's own reckoning turns over at."""

from __future__ import annotations

import pytest

from attribution.statistics.proportions import leader_test
from reports.view.doubts import clear_gap
from tests.reports import made
from tests.reports.rendering import headline, page


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_the_gap_that_ends_a_tie_is_the_least_the_test_of_two_counts_calls_clear(level: float) -> None:
    for both in range(4, 201):
        clear = [
            first - (both - first)
            for first in range((both + 1) // 2, both + 1)
            if leader_test(first, both - first) < 1 - level
        ]
        assert clear_gap(both, level=level) == (clear[0] if clear else None), both


def test_a_tie_of_causes_too_small_to_be_told_apart_promises_no_gap() -> None:
    stages, _ = made.many_stages(12)
    by = {None: [(2, 1), *[(2, 1)] * 11, (2, 90)]}
    found = made.attribution(by, stages, slices=False)
    assert "too close to call" in headline(found)
    assert "A run with as many" not in page(found, []).text


@pytest.mark.parametrize("failed", [20, 21, 90])
def test_a_sole_cause_in_retrieval_is_overturned_by_labels_that_are_missing(failed: int) -> None:
    by = {None: [(0, 5), (failed, 9), (0, 1), (0, 90)]}
    text = page(made.attribution(by, slices=False), []).text
    most = failed // 2 + 1
    assert most > failed - most >= most - 2
    assert (
        f"finds an unlabelled answer in the prompt for {most} or more of the {failed} ({100 * most / failed:.0f}%): "
        "“reached but failed” could then lead." in text
    )
    assert f"Going past 20 in the reranked list brings back fewer than {most} of the {failed}" in text


def test_a_sole_cause_after_retrieval_is_overturned_by_labels_that_are_wrong() -> None:
    found = made.attribution({None: [(0, 5), (0, 2), (0, 1), (21, 90)]}, slices=False)
    assert headline(found) == "All 21 failures: the evidence reached the prompt"
    text = page(found, []).text
    assert (
        "Reading finds in 11 or more of the 21 (52%) that the labelled document does not hold the answer: most then "
        "lacked the evidence." in text
    )
    assert "nothing to refute" not in text


def test_no_failures_is_refuted_in_the_unit_of_the_run() -> None:
    by = {None: [(0, 30), (0, 6), (0, 3), (0, 261)]}
    text = page(made.attribution(by, asked_twice=3, slices=False), []).text
    assert "failures or more in the next 300 such answers." in text
