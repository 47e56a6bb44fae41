"""Questions outside the attribution: the counts add up, and every sentence names the reason there is."""

from __future__ import annotations

import re

import pytest

from reports.view.left_out import REASONS, left_out
from tests.reports import made
from tests.reports.rendering import headline, page

NOTHING = {None: [(0, 0)] * 4}


def test_counts_of_the_left_out_add_up_to_the_row_they_stand_in() -> None:
    out = {reason: 3 + 2 * i for i, reason in enumerate(REASONS)}
    found = made.attribution(left_out=out)
    assert left_out(found) == out
    row = re.search(r"Not attributable (\d+) (.*?)\. In none of the counts above", page(found).text)
    assert row is not None
    assert sum(map(int, re.findall(r"\d+", row[2]))) == int(row[1]) == sum(out.values())
    assert "9 with lists recorded in part" in row[2]


def test_without_outcomes_those_that_can_be_followed_are_not_left_out() -> None:
    assert left_out(made.attribution(outcomes=False, left_out={"incomplete_lists": 4})) == {"incomplete_lists": 4}


@pytest.mark.parametrize(
    ("reason", "headed", "picture", "worth"),
    [
        ("unlabelled", "none of the 9 questions has a label",
         "without labels nothing says which documents hold the answer.", "it needs labels first."),
        ("no_answer", "none of the 9 questions has an answer in the documents",
         "no question has an answer in the documents, so there is no evidence to follow.",
         "it needs questions that the documents answer."),
        ("unknown_gold", "none of the 9 questions has evidence known as a document",
         "the evidence is known by its text only, so it cannot be found in a list.",
         "it needs labels that name the documents."),
        ("incomplete_lists", "none of the 9 questions has the whole list of every stage",
         "the lists were recorded in part, and what is not in them may only be unrecorded.",
         "it needs the whole list of every stage."),
        ("no_outcome", "none of the 9 questions has a pass or fail",
         "no question that can be followed has a pass or fail.", "it needs to be recorded which answers passed."),
    ],
)  # fmt: skip
def test_one_reason_shared_by_all_is_the_reason_given(reason: str, headed: str, picture: str, worth: str) -> None:
    found = made.attribution(NOTHING, slices=False, left_out={reason: 9})
    text = page(found, []).text
    assert headline(found) == f"No failure can be placed: {headed}"
    assert f"The picture stops here: {picture}" in text
    assert f"Not known: {worth}" in text
    assert ("without labels" in text) == (reason == "unlabelled")
    assert "The run holds no question" not in text


def test_several_reasons_are_listed_and_none_of_them_made_the_only_one() -> None:
    found = made.attribution(NOTHING, slices=False, left_out={"unlabelled": 4, "incomplete_lists": 5})
    text = page(found, []).text
    assert headline(found) == "No failure can be placed: none of the 9 questions can be followed through the stages"
    assert "Left out: 4 with no label and 5 with lists recorded in part." in text
    assert "The picture stops here: no question can be followed through the stages." in text
    assert "Not known: it needs questions that can be followed through the stages." in text


def test_where_some_have_no_answer_the_others_say_what_is_missing() -> None:
    text = page(made.attribution(NOTHING, slices=False, left_out={"no_answer": 1, "unlabelled": 8}), []).text
    assert "Not known: it needs labels first." in text


def test_a_run_without_a_question_says_that_and_only_that() -> None:
    found = made.attribution(NOTHING, slices=False, left_out={})
    text = page(found, []).text
    assert headline(found) == "No failure can be placed: the run holds no question"
    assert "The picture stops here: the run holds no question." in text
    assert "Not known: the run holds no question." in text
    assert "labels import" not in text.split("What these numbers rest on")[0]


def test_a_single_question_is_not_called_none_of_one() -> None:
    for reason, said in {"unlabelled": "has no label", "incomplete_lists": "has lists recorded in part"}.items():
        found = made.attribution(NOTHING, slices=False, left_out={reason: 1})
        assert headline(found) == f"No failure can be placed: its one question {said}"


def test_a_reason_that_does_not_hold_for_all_is_not_given_for_all() -> None:
    found = made.attribution(NOTHING, slices=False, left_out={"unlabelled": 2})
    for known, lede in ((2, "Left out: 2 with no label."), (0, "Why they were left out is not recorded.")):
        more = found.questions.model_copy(update={"total": 9, "unlabelled": known})
        partly = found.model_copy(update={"questions": more})
        assert headline(partly).endswith("none of the 9 questions can be followed through the stages")
        assert lede in page(partly, []).text
