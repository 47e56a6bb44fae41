"""What the attribution report says in every state the data can be in."""

from __future__ import annotations

from attribution.results import Attribution
from attribution.statistics.proportions import leader_test, wilson
from tests.reports import made, made_traces
from tests.reports.pages import Page
from tests.reports.rendering import headline, page, render


def test_the_largest_cause_may_be_a_stage_or_the_model() -> None:
    assert headline(made.attribution({None: [(10, 9), (60, 9), (5, 1), (8, 90)]}, slices=False)) == (
        "In 72% of failures, reranking lost the evidence"
    )
    assert headline(made.attribution({None: [(10, 9), (8, 9), (5, 1), (60, 90)]}, slices=False)) == (
        "In 72% of failures, the evidence reached the prompt"
    )
    assert headline(made.attribution({None: [(0, 9), (25, 9), (0, 1), (0, 90)]}, slices=False)) == (
        "All 25 failures: reranking lost the evidence"
    )


def test_a_reranker_that_leads_is_doubted_on_its_own_terms() -> None:
    text = page(made.attribution({None: [(10, 9), (60, 9), (5, 1), (8, 90)]}, slices=False), []).text
    # The second cause comes earlier in the pipeline, so an unlabelled answer cannot move a failure there.
    assert (
        "finds an unlabelled answer in the prompt for 51 or more of the 60 (85%): “never found” could then lead."
        in text
    )
    assert "Going past 20 in the reranked list brings back fewer than 31 of the 60" in text
    assert "Start with reranking." in text


def test_a_model_that_leads_is_doubted_by_reading() -> None:
    text = page(made.attribution({None: [(10, 9), (8, 9), (5, 1), (60, 90)]}, slices=False), []).text
    assert "Reading the prompts finds no answer in 26 or more of the 60 (43%): “never found” could then lead." in text
    assert "A second reading calls 51 or more of them right after all" in text


def test_two_causes_too_close_to_call() -> None:
    found = made.attribution({"a": [(40, 30), (38, 5), (1, 3), (20, 200)]})
    text = page(found, []).text
    assert headline(found) == "“Never found” (40 of 99 failures) and “lost in rerank” (38) are too close to call"
    assert "“Never found” does not stand clear of the next, “lost in rerank”: 40 to 38." in text
    assert "A run with as many failures of these two kinds puts them 20 or more apart; now 2." in text
    assert leader_test(49, 29) < 0.05 < leader_test(48, 30)
    assert "Read failures of both kinds before choosing what to fix." in text


def test_no_failures() -> None:
    found = made.attribution({None: [(0, 30), (0, 5), (0, 3), (0, 362)]}, slices=False)
    seen = page(found, [])
    assert headline(found) == "All 400 questions passed"
    assert "Nothing to fix here; 3 failures in 400 would still be unsurprising (0–1.0%)." in seen.text
    assert "4 failures or more in the next 400 such questions." in seen.text
    assert "Evidence still there" in seen.text
    assert "Share of failures" not in seen.text
    assert "In candidates 370 Never found 30 passed anyway 92% (89–95)" in seen.text
    assert seen.tags["details"] == 0
    assert seen.tags["script"] == 0


def test_few_failures_show_counts_only() -> None:
    by = {"a": [(7, 30), (1, 5), (1, 3), (2, 362)]}
    seen = page(made.attribution(by), made_traces.traces(by))
    assert "11 of 411 questions failed, too few to compare causes" in seen.text
    assert "With so few, one question moves a share by 9 points, so only counts are shown." in seen.text
    assert "Never found 7 failed, 30 passed anyway 7 of 11 " in seen.text
    assert "Failures by" not in seen.text
    assert "stands clear" not in seen.text
    assert seen.tags["table"] == 1
    assert seen.tags["circle"] == 0


def test_a_handful_of_failures_is_called_few() -> None:
    by = {None: [(2, 30), (0, 5), (0, 3), (1, 362)]}
    seen = page(made.attribution(by), made_traces.traces(by))
    assert "3 of 403 questions failed, few enough to read one by one" in seen.text
    assert "2 of 3, few" in seen.text
    assert not [rect for rect in seen.with_tag("rect") if rect["width"] == "0%"]


def test_passing_without_evidence_already_is_said_as_a_fact() -> None:
    by = {None: [(7, 30), (1, 5), (1, 3), (2, 362)]}
    text = page(made.attribution(by), []).text
    assert "Most of those without the evidence pass already, 81% (67–90): read some before trusting the labels." in text


def unlabelled() -> Attribution:
    empty = made.labels(name="", questions=0, judgments=0, annotators=0, kinds=[], oldest=None, newest=None)
    return made.attribution({None: [(0, 0)] * 4}, slices=False, left_out={"unlabelled": 400}, labels=empty)


def test_no_labels() -> None:
    seen = page(unlabelled(), [], made.facts(sources=[], index_size=None, pass_rules=[]))
    body = seen.text.split("What these numbers rest on")[0]
    assert "No failure can be placed: none of the 400 questions has a label" in body
    assert "foundlost labels import reads labels from a file" in body
    assert "Asked 400" in body
    assert "In candidates" not in body
    assert not {word for word in body.replace("–", " ").split() if word.strip("%().,") == "0"}
    assert "400 asked, none attributable." in seen.text


def test_labels_that_fit_no_question() -> None:
    found = made.attribution({None: [(0, 0)] * 4}, slices=False, left_out={"no_answer": 3, "unknown_gold": 2})
    text = page(found, []).text
    assert "No failure can be placed: none of the 5 questions can be followed through the stages" in text
    assert "Left out: 3 with no answer in the documents and 2 with evidence known by its text only." in text


def test_no_outcomes() -> None:
    found = made.attribution(outcomes=False)
    seen = page(found, [])
    assert headline(found) == "The evidence reaches the prompt for 58% of questions"
    assert "No pass or fail is recorded in this run" in seen.text
    assert "In candidates 276 Never found 124 questions 69% (64–73)" in seen.text
    assert "Share of failures" not in seen.text
    assert "Answered right" not in seen.text
    assert "Failures by" not in seen.text
    assert "Recall at the prompt could be 53 to 63%." in seen.text
    assert "neither pass nor fail" not in seen.text
    assert "for 19 or more of the 168 questions without: recall is then off its range." in seen.text
    assert (232 + 19) / 400 > wilson(232, 400).bounds[1] > (232 + 18) / 400


def test_a_stage_that_is_absent_is_left_out_and_named() -> None:
    stages = ("candidates", "packed")
    found = made.attribution({None: [(30, 20), (8, 4), (20, 200)]}, stages, slices=False)
    text = page(found, [], made.facts(stages=list(stages))).text
    assert "This run has no rerank stage." in text
    assert "After rerank" not in text


def test_failures_outside_the_attribution_have_their_own_rows() -> None:
    outside = made_traces.trace(
        3, 900, "Billing", fate=None, stage=None, reason="unlabelled", gold=[], gold_ranks=[None] * 3
    )
    html = render(failures=[outside, *made_traces.traces()])
    assert "Not attributable" in html.split("<details")[-1]
    assert "no label" in html.split("<details")[-1]


def test_the_list_is_cut_with_a_word_about_the_rest() -> None:
    by = {f"intent {i}": [(20, 10), (10, 10), (10, 0), (19, 60)] for i in range(10)}
    html = render(made.attribution(by), made_traces.traces(by), failures_file="b127.failures.csv")
    assert html.count("<details") == 200
    assert "200 of 590 failures shown, the first of each kind. All in b127.failures.csv." in Page(html).text
    assert "Printed: the first 25 of 200." in Page(html).text


def test_up_to_500_failures_are_all_there() -> None:
    by = {None: [(470, 10), (10, 10), (10, 0), (10, 60)]}
    html = render(made.attribution(by, slices=False), made_traces.traces(by))
    assert html.count("<details") == 500
    assert " shown. All in" not in html


def test_a_missing_list_is_said_to_be_missing() -> None:
    text = page(
        failures=[made_traces.trace(1, 20, "Billing", stages=made.STAGES).model_copy(update={"stages": []})]
    ).text
    assert "Ranked list of rerank not recorded." in text


def test_lists_that_are_partial_inferred_or_one_of_several_say_so() -> None:
    trace = made_traces.trace(0, 20, "Billing")
    first = trace.stages[0].model_copy(update={"complete": False, "inferred_by": "same order as the prompt"})
    again = trace.stages[0].model_copy(update={"search": 1})
    text = page(failures=[trace.model_copy(update={"stages": [first, again]})]).text
    assert "Search 1 of 2. This list was inferred: same order as the prompt. The list was recorded in part." in text
