"""The list of failures: which are shown where there are too many, and which columns."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from reports.view.failures import STATIC_ROWS, in_order, shared_out
from tests.reports import made, made_traces
from tests.reports.rendering import page, render


def shown(by: dict[str | None, made.Pairs], stages: tuple[str, ...] = made.STAGES) -> Counter[str]:
    html = render(made.attribution(by, stages, slices=False), made_traces.traces(by, stages))
    kinds = re.findall(r"<summary>.*?((?:Never|Lost in|Reached)[^<]*)</i>", html)
    assert kinds == sorted(kinds, key=lambda kind: (kind.startswith("Reached"), not kind.startswith("Never")))
    return Counter(kinds)


def test_a_cause_at_the_end_of_the_pipeline_has_its_share_of_a_shortened_list() -> None:
    assert shown({"a": [(250, 9), (40, 9), (5, 1), (305, 90)]}) == {
        "Never found": 82, "Lost in rerank": 13, "Lost in packing": 5, "Reached but failed": 100,
    }  # fmt: skip
    assert [round(195 * n / 595) for n in (250, 40, 305)] == [82, 13, 100]


def test_a_rare_cause_keeps_ten_rows_or_all_it_has() -> None:
    assert shown({"a": [(3000, 9), (11, 9), (3, 1), (12, 90)]}) == {
        "Never found": 177, "Lost in rerank": 10, "Lost in packing": 3, "Reached but failed": 10,
    }  # fmt: skip


@pytest.mark.parametrize("n", [1, 2, 12, 30, 60])
def test_shortened_lists_have_all_rows_and_every_kind_in_pipeline_order(n: int) -> None:
    stages = tuple(f"step {i}" for i in range(n))
    pairs: made.Pairs = [(700, 1), *[(4 + 5 * (i % 4), 1) for i in range(n - 1)], (30, 90)]
    ordered = in_order(made_traces.traces({None: pairs}, stages), stages)
    taken = shared_out(ordered, STATIC_ROWS)
    assert len(taken) == STATIC_ROWS
    assert taken == in_order(taken, stages)
    counts, all_ = (Counter((t.fate, t.stage) for t in traces) for traces in (taken, ordered))
    assert set(counts) == set(all_)
    assert max(counts.values()) == counts["never_found", None]
    least = min(10, STATIC_ROWS // len(all_))
    assert all(counts[kind] >= min(least, size) for kind, size in all_.items())


def test_a_run_without_intents_has_no_column_for_them() -> None:
    by = {None: made.pooled(made.INTENTS)}
    html, with_intents = render(made.attribution(by, slices=False), made_traces.traces(by)), render()
    assert "<span>Intent</span>" not in html
    assert 'class="fails plain" id="fails"' in html
    assert "<i></i>" not in html
    assert html.count("<i>") == 2 * html.count("<details ")
    assert "<span>Intent</span>" in with_intents
    assert 'class="fails" id="fails"' in with_intents
    assert with_intents.count("<i>") == 3 * with_intents.count("<details ")


def test_one_failure_with_an_intent_is_enough_for_the_column() -> None:
    text = page(failures=[made_traces.trace(0, 20, None), made_traces.trace(1, 21, "Billing")]).text
    assert "Question Intent Lost at" in text
