"""Counts of one: no noun in the plural, no verb that disagrees, no sentence that begins with a raw name."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from attribution.results import Attribution
from reports.view.left_out import REASONS
from tests.reports import made, made_traces
from tests.reports.rendering import headline, page

SLIPS = re.compile(
    r"(?<![\d,.–−])\b1 (?:more |such |independent )?(?:questions|answers|failures|cases|judgments|annotators|documents"
    r"|lists|files|values|passes)\b(?! [\w ]*\bof\b)"
    r"|\bof 1 (?:question|answer|case)\b|\bof the 1\b|\b1 [\w ]{0,20}have\b|\bAll 1\b|\bOf 1\b"
)


def small_runs() -> Iterator[tuple[Attribution, made.Pairs]]:
    """Every way to spread one or two questions over the fates, with and without outcomes; and nobody attributable."""
    cells = list(itertools.product(range(4), range(2)))
    for placed in (
        *itertools.combinations_with_replacement(cells, 1),
        *itertools.combinations_with_replacement(cells, 2),
    ):
        pairs = [(placed.count((i, 0)), placed.count((i, 1))) for i in range(4)]
        for outcomes in (True, False):
            yield made.attribution({"one intent": pairs}, outcomes=outcomes, left_out={"unlabelled": 1}), pairs
    for reason in REASONS:
        yield made.attribution({None: [(0, 0)] * 4}, slices=False, left_out={reason: 1}), [(0, 0)] * 4


def test_no_page_of_one_or_two_questions_has_a_slip_of_number() -> None:
    seen = 0
    for found, pairs in small_runs():
        labels = made.labels(judgments=1, questions=1, annotators=1)
        text = page(found.model_copy(update={"labels": labels}), made_traces.traces({None: pairs})).text
        assert SLIPS.findall(text) == [], text
        seen += 1
    assert seen == 2 * (8 + 36) + len(REASONS)


def test_the_slips_looked_for_are_seen() -> None:
    for slip in ("1 failures or more", "in the next 1 such questions", "none of the 1 question has a label",
                 "Of 1 question, 1 have their evidence", "All 1 in candidates", "1 of the 1 passes"):  # fmt: skip
        assert SLIPS.search(slip), slip
    for right in ("1 of 2 questions passes", "21 questions", "1 failure or more", "1,001 questions", "0.1 points"):
        assert not SLIPS.search(right), right


def test_what_is_followed_is_told_in_the_number_it_has() -> None:
    def followed(*pairs: tuple[int, int]) -> str:
        text = page(made.attribution({None: pairs}, outcomes=False, slices=False), []).text
        return text[: text.index("foundlost outcomes import")]

    start, zero = "the 50 candidates", (0, 0)
    assert f"The one question has its evidence among {start} and still has it in the prompt." in followed(
        zero, zero, zero, (0, 1)
    )
    assert f"The one question has its evidence among {start} and no longer has it in the prompt." in followed(
        zero, zero, (0, 1), zero
    )
    assert f"The one question has no evidence among {start}." in followed((0, 1), zero, zero, zero)
    assert f"Of 9 questions, 1 has its evidence among {start} and none still have it in the prompt." in followed(
        (0, 8), (0, 1), zero, zero
    )
    assert f"Of 9 questions, 2 have their evidence among {start} and 1 still has it in the prompt." in followed(
        (0, 7), (0, 1), zero, (0, 1)
    )
    assert f"Of 9 questions, none have their evidence among {start}." in followed((0, 9), zero, zero, zero)


def test_evidence_that_comes_in_on_the_way_is_not_still_there() -> None:
    found = made.attribution({None: [(0, 4), (0, 0), (0, 0), (0, 5)]}, outcomes=False, slices=False)
    late = found.stages[0].model_copy(update={"covered": 3})
    text = page(found.model_copy(update={"stages": [late, *found.stages[1:]]}), []).text
    assert "Of 9 questions, 3 have their evidence among the 50 candidates and 5 have it in the prompt." in text


def test_one_question_without_outcome_has_a_headline_of_its_own() -> None:
    there, lost = ({None: [(0, 0), (0, 0), (0, n), (0, 1 - n)]} for n in (0, 1))
    assert headline(made.attribution(there, outcomes=False)) == "The evidence of the one question reaches the prompt"
    assert (
        headline(made.attribution(lost, outcomes=False)) == "The evidence of the one question does not reach the prompt"
    )


def test_names_from_the_data_are_quoted_and_compared_with_the_rest() -> None:
    by: dict[str | None, made.Pairs] = {
        "intent 5": [(1, 9), (0, 1), (0, 1), (0, 90)],
        "other": [(30, 40), (9, 9), (3, 3), (20, 60)],
    }
    text = page(made.attribution(by), []).text
    assert "“other” fails more often than the rest of the questions; “intent 5” fails less often." in text
    alike: made.Pairs = [(20, 15), (6, 5), (3, 3), (3, 25)]
    better: made.Pairs = [(1, 9), (1, 1), (0, 1), (1, 26)]
    text = page(made.attribution({"intent 3": alike, "intent 4": alike, "intent 5": better}), []).text
    assert "“intent 5” fails less often than the rest of the questions." in text


def test_one_hidden_value_is_one() -> None:
    by = {f"v{i}": [(2, 1), (1, 1), (1, 0), (2, 6)] for i in range(21)}
    assert "1 more value of intent is not shown: 6 failures among 14 questions." in page(made.attribution(by), []).text


def test_files_beyond_the_sixth_are_counted() -> None:
    source = made.facts().sources[0]
    for n, said in ((7, "and 1 more file Settings"), (9, "and 3 more files Settings")):
        assert said in page(facts=made.facts(sources=[source] * n)).text
