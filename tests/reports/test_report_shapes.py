"""Pipelines and question sets of every shape, and what the numbers are said to rest on."""

from __future__ import annotations

import pytest

from attribution.results import GroupsPresent, StageOrigin, Warn
from attribution.statistics.proportions import wilson
from reports.attribution_report import render_broken
from tests.reports import made, made_traces
from tests.reports.pages import Page
from tests.reports.rendering import COMMAND, page, render


def test_made_up_data_is_labelled_at_the_top_and_below() -> None:
    seen = page(facts=made.facts(synthetic="counts of a worked example"))
    assert "Failure attribution: Made-up data" in seen.text[:60]
    assert "Data Made up: counts of a worked example" in seen.text
    assert "".join(seen.raw["title"]) == "Made-up data: Failure attribution, b127, build 2026.09.26"
    assert "Made-up" not in page().text


def test_repeats_are_counted_as_answers_to_questions() -> None:
    by = {k: [(3 * f, 3 * p) for f, p in pairs] for k, pairs in made.INTENTS.items()}
    found = made.attribution(by, asked_twice=3)
    text = page(found, [], made.facts(judges=["a", "b"], pass_rules=["score >= 3", "exact match"])).text
    assert "71% of answers pass" in text
    assert "1,200 answers to 400 questions." in text
    assert "They allow for repeats." in text
    assert "Wilson’s for the effective number of questions. Ranges allow for repeats." in text
    assert "They are worth 520 independent answers." in text
    assert "Judged by a and b. 2 judges in one run. Passes when score >= 3 or exact match." in text


def test_weights_are_named() -> None:
    policy = made.attribution().policy.model_copy(update={"weighted": True})
    text = page(made.attribution(policy=policy)).text
    assert "They allow for weights." in text
    assert "Shares and rates are weighted; counts are not." in text


def test_what_a_reader_must_know_stands_at_the_bottom() -> None:
    found = made.attribution(
        warnings=[Warn(code="weights_incomplete", message="some questions have no weight", questions=12)],
        groups_present=[GroupsPresent(needed=2, present=1, passed=wilson(11, 30))],
        labels=made.labels(conflicts=2),
        left_out={"no_answer": 7, "incomplete_lists": 4},
    )
    facts = made.facts(origins=[StageOrigin(stage="packed", inferred_by="token budget", lists=400)])
    text = page(found, facts=facts).text
    assert "Read with care Some questions have no weight (12 questions)." in text
    assert "1 of 2 present: 11 of 30 passed." in text
    assert "2 judgments in conflict." in text
    assert "Inferred: packed by token budget (400 lists)." in text
    assert "Lists recorded in part: 4 questions." in text


def test_broken_input_still_gives_a_page() -> None:
    seen = Page(
        render_broken("Failure attribution, b127", "bad-json: not JSON (b127.jsonl:17); mend the line", COMMAND)
    )
    assert "No report: the input could not be used" in seen.text
    assert "bad-json: not JSON (b127.jsonl:17); mend the line" in seen.text
    assert COMMAND in seen.text
    assert seen.tags["script"] == 0


@pytest.mark.parametrize("n", [1, 2, 3, 12, 15])
def test_any_number_of_stages(n: int) -> None:
    stages, by = made.many_stages(n)
    found = made.attribution(by, stages, slices=False)
    html = render(found, made_traces.traces(by, stages), made.facts(stages=list(stages)))
    text = Page(html).text
    for stage in found.stages:
        assert f" {stage.stage} {stage.covered} " in text
    assert ("Lost in step 2" in text) == (n > 1)
    assert "lost it on the way" in text or n == 1
    assert html.count("<details") == 55 + 3 * (n - 1)


def test_sixty_intents_are_cut_to_the_largest_with_the_rest_counted() -> None:
    by = {f"intent {i}": [(2, 1), (1, 1), (1, 0), (1 + i % 3, 6)] for i in range(60)}
    text = page(made.attribution(by), []).text
    assert "40 more values of intent are not shown: 220 failures among 540 questions." in text
    assert "No intent stands out from the whole by more than chance would make." not in text  # each has under 20


def test_nothing_stands_out_where_chance_would_make_as_much() -> None:
    by = {f"intent {i}": [(6, 5), (2, 1), (1, 0), (3, 20 + i % 2)] for i in range(30)}
    assert "No intent stands out from the whole by more than chance would make." in page(made.attribution(by), []).text


def test_small_slices_show_counts_and_their_pass_rates_no_percentage() -> None:
    by = {
        "large": [(30, 20), (5, 5), (1, 1), (9, 90)],
        "small": [(4, 2), (1, 1), (0, 0), (1, 3)],
        "tiny": [(1, 0), (0, 0), (0, 0), (0, 2)],
    }
    text = page(made.attribution(by), []).text
    assert "small 12 questions 6 of 12 4 · 1 · 0 · 1 ● With evidence 3 of 4 ◇ Without evidence 3 of 8 " in text
    assert "tiny 3 questions 1 of 3 1 · 0 · 0 · 0" in text


def test_several_fields_have_a_table_each_and_missing_values_a_name() -> None:
    first, second = (
        made.attribution(),
        made.attribution({None: made.INTENTS["How-to"], "en": made.INTENTS["Billing"]}, field="lang"),
    )
    seen = page(first.model_copy(update={"by": [*first.by, *second.by]}))
    assert seen.tags["table"] == 3
    assert "Failures by lang" in seen.text
    assert "not recorded 128 questions" in seen.text
    never = made.attribution({None: made.pooled(made.INTENTS)}, field="lang")
    assert page(never).tags["table"] == 1


@pytest.mark.parametrize(
    "query", ["هل يمكن نقل الفهرس إلى منطقة أخرى دون توقف؟", "索引の再構築が停止しています", "q" * 2000, "", None]
)
def test_questions_of_any_script_and_length(query: str | None) -> None:
    text = page(failures=[made_traces.trace(0, 20, None, query=query), made_traces.trace(1, 21, None)]).text
    assert (query or "q0020")[:40] in text
    assert "q" * 400 not in text


def test_one_question() -> None:
    by = {None: [(1, 0), (0, 0), (0, 0), (0, 0)]}
    text = page(made.attribution(by, left_out={}), made_traces.traces(by)).text
    assert (
        "The one question failed Nothing passes. The one question that fails: retrieval never found the evidence."
        in text
    )
    assert "The one failure" in text
    text = page(made.attribution({None: [(0, 0), (0, 0), (0, 0), (0, 1)]}, left_out={}), []).text
    assert "The one question passed" in text
