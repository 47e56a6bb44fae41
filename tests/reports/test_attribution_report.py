"""What the attribution report says of the worked example, and that it stays small, quick and the same."""

from __future__ import annotations

import csv
import io
import random
import time
from dataclasses import replace

import pytest

from attribution.fix import stated_rate
from attribution.results import RecoveredRate
from attribution.statistics.proportions import wilson
from attribution.statistics.removable import removable_share
from reports.attribution_report import failures_csv
from tests.reports import made, made_traces
from tests.reports.pages import Page, sha256
from tests.reports.rendering import COMMAND, page, render


@pytest.fixture(scope="module")
def sample() -> Page:
    return Page(render())


# The run of the worked example: 400 questions, 117 failures.


@pytest.mark.parametrize(
    "sentence",
    [
        "In 57% of failures, retrieval never found the evidence",
        "71% of questions pass (66–75). Of the 117 that fail, 67 had no document with the answer among the 50 candid",
        "ates, 22 lost it on the way to the prompt, and 28 had it in the prompt and still failed. Start with cand",
        "In candidates 276 Never found 67 failed, 57 passed anyway 57% (48–66)",
        "After rerank 248 Lost in rerank 14 failed, 14 passed anyway 12% (7–19)",
        "In the prompt 232 Lost in packing 8 failed, 8 passed anyway 7% (4–13)",
        "Answered right 204 Reached but failed 28 failed 24% (17–32)",
        "Not attributable 12 7 with no answer in the documents and 5 with no label.",
        "79 of the 283 passes had no labelled evidence in the prompt.",
        "“Never found” stands clear of the next, “reached but failed”: 67 to 28.",
        "Chance alone gives such a gap in fewer than 1 in 1,000 of runs. Its share could be 48 to 66%.",
        "“Troubleshooting” fails more often than the rest of the questions; “How-to” fails less often.",
        "“Troubleshooting” and “How-to” carry 62 of the 117 failures",
        "26 September 2026. Ranges are 95% intervals.",
        "400 of 412 questions attributable",
        "Judged by judge-v3. Passes when score >= 3.",
        "gold v3: 1,250 judgments on 400 questions. Kind human, 3 annotators. Made 3 August 2026 to 29 August 2026.",
        "Documents of grade 1 or above; one such document is enough. A document cut short counts as lost.",
        "Pass rates with and without the evidence, weighted by recall, give .708; observed .708.",
        "Made from b127.jsonl sha256 9f3c2a…04e1",
        f"Make it again: {COMMAND}",
    ],
)
def test_it_says(sample: Page, sentence: str) -> None:
    assert sentence in sample.text


def test_the_rail_asks_its_three_questions_in_order(sample: Page) -> None:
    asked = [sample.text.index(q) for q in ("What a fix is worth", "How sure we are", "What would prove it wrong")]
    assert asked == sorted(asked)


def test_thresholds_are_worked_out_from_the_counts(sample: Page) -> None:
    assert (
        "An open search finds an unlabelled answer in the prompt for 20 or more of the 67 (30%): "
        "“reached but failed” could then lead." in sample.text
    )
    assert 67 - 20 < 28 + 20
    assert 67 - 19 > 28 + 19
    assert (
        "Going past 50 in the candidates brings back fewer than 34 of the 67: depth is then not the fix." in sample.text
    )
    assert "3 of the 124 cases are not in the index." in sample.text
    assert "Of those without the evidence, over half pass: labels or judging then miss something." in sample.text
    assert "Now 47% (40–55)." in sample.text


def test_without_a_projection_the_figure_is_the_ceiling(sample: Page) -> None:
    assert "+17.2 points at full recall With the evidence always in the prompt" in sample.text
    assert "would go from .71 to .88 (.83–.92), if the recovered pass like the rest." in sample.text
    assert "foundlost project b127 --recall …" in sample.text


def test_with_a_projection_the_figure_is_its_gain() -> None:
    found = made.attribution()
    text = page(found, projection=made.projection(found)).text
    assert (
        "+11.0 points (8.1 to 14.2) If recall at the prompt goes from .58 to .85, the pass rate goes from .71" in text
    )
    assert "to .818 (.78–.85). Perfect recall would stop at .88 and end 59% of failures, not the 76% that" in text
    assert "No run has been above" not in text


def test_evidence_that_hurts_is_said_to_add_failures() -> None:
    by = {None: [(20, 80), (0, 0), (0, 0), (60, 40)]}
    found = made.attribution(by, slices=False)
    survival = [found.stages[0].recall, wilson(100, 100), wilson(100, 100)]
    jointly = removable_share(survival, found.conditional.with_gold, found.conditional.without_gold).jointly
    harm = jointly.share_of_failures
    assert harm.estimate == pytest.approx(-0.5)
    text = page(found, [], projection=made.projection(found, removable_share=harm)).text
    assert (
        "Perfect recall would stop at .40 and add failures, 50 to every 100 of today’s: those with the evidence pass "
        "less often." in text
    )
    assert "end <0.1%" not in text
    assert "-" not in text[text.index("Perfect recall") :][:120]
    nothing = replace(harm, estimate=0.0)
    assert "and end 0% of failures" in page(found, [], projection=made.projection(found, removable_share=nothing)).text


def test_a_projection_beyond_any_run_says_so() -> None:
    found = made.attribution()
    stated = RecoveredRate(source="stated", rate=stated_rate(0.7, 0.95))
    beyond = made.projection(found, highest_recall=0.62, recovered=stated)
    text = page(found, projection=beyond).text
    assert "Recovered questions are taken to pass at .70. No run has been above .62." in text
    assert "No run has been above" not in page(found, projection=made.projection(found, highest_recall=0.85)).text


def test_a_measured_rate_of_recovered_questions_is_named_as_such() -> None:
    found = made.attribution()
    measured = RecoveredRate(source="oracle", rate=wilson(42, 60))
    text = page(found, projection=made.projection(found, recovered=measured)).text
    sentence = (
        "Recovered questions are taken to pass at .70 (.57–.80), as a sample did with the gold first in the prompt."
    )
    assert sentence in text


def test_a_projection_over_a_range_names_both_ends() -> None:
    found = made.attribution()
    text = page(found, projection=made.projection(found, recall_target=[0.75, 0.85])).text
    assert "goes from .58 to between .75 and .85, the pass rate" in text


def test_failures_stand_in_pipeline_order_then_intent_then_id() -> None:
    shuffled = made_traces.traces()
    random.Random(3).shuffle(shuffled)
    html = render(failures=shuffled)
    assert html == render(failures=made_traces.traces())
    rows = [part.split("</summary>")[0] for part in html.split("<details class=")[1:]]
    kinds = [row.split("<i>")[2].split("</i>")[0] for row in rows]
    assert (
        kinds == ["Never found"] * 67 + ["Lost in rerank"] * 14 + ["Lost in packing"] * 8 + ["Reached but failed"] * 28
    )
    intents = [row.split("<i>")[1].split("</i>")[0] for row in rows[:67]]
    assert intents == sorted(intents)


def test_the_intent_comes_before_the_id_in_the_order() -> None:
    failures = [made_traces.trace(0, number, intent) for number, intent in ((30, "B"), (20, "C"), (40, "A"), (10, "B"))]
    html = render(failures=failures)
    places = [html.index(f"<p>q00{number}, ") for number in (40, 10, 30, 20)]
    assert places == sorted(places)


def test_a_drill_down_shows_the_list_that_lost_it_and_where_the_gold_was() -> None:
    lost = made_traces.trace(1, 20, "Billing")
    text = page(failures=[lost, made_traces.trace(3, 21, "Billing"), made_traces.trace(0, 22, "Billing")]).text
    assert "q0020, dropped. Answered Ask your administrator" in text
    assert "First of 20 in rerank: " in text
    assert "Has the answer, 4 in candidates: " in text
    assert "First of 8 in prompt: " in text
    assert "First of 50 in candidates: " in text
    reached = made_traces.trace(3, 21, "Billing")
    assert reached.gold_ranks == [5, 5, 5]
    assert "<li value=5 class=g><b>Has the answer:</b> " in render(failures=[reached])
    assert "Has the answer, not in the list: g22" in text


# Size, speed, bytes.


def test_the_page_stays_small_and_is_made_quickly() -> None:
    found, facts, failures = made.attribution(), made.facts(), made_traces.traces()
    projection = made.projection(found)
    start = time.process_time()
    html = render(found, failures, facts, projection=projection)
    assert time.process_time() - start < 0.5
    assert len(html.encode()) < 100_000
    assert html.count("<details") == 117


@pytest.mark.parametrize(
    "text", ["Why does this take so long? " * 80, "索引の再構築が停止しているのはなぜですか" * 40, "'\"<&>" * 400]
)
def test_the_page_stays_small_whatever_the_texts(text: str) -> None:
    failures = [trace.model_copy(update={"query": text, "answer": text}) for trace in made_traces.traces()]
    assert len(render(failures=failures).encode()) < 100_000


def test_the_same_input_gives_the_same_bytes() -> None:
    assert render().encode() == render().encode()


def test_folders_of_the_machine_stay_out_of_the_page() -> None:
    source = made.facts().sources[0].model_copy(update={"name": "/home/someone/runs/b127.jsonl"})
    piped = source.model_copy(update={"name": None})
    text = page(facts=made.facts(sources=[source, piped])).text
    assert "Made from b127.jsonl sha256 9f3c2a…04e1 and an unnamed source sha256" in text
    assert "someone" not in text


def test_the_policy_fits_style_and_script(sample: Page) -> None:
    (style,), (script,) = sample.raw["style"], sample.raw["script"]
    assert f"style-src {sha256(style)}; script-src {sha256(script)};" in sample.policy
    assert sample.policy.startswith("default-src 'none'; ")


def test_marks_keep_a_fill_of_their_own_and_places_in_per_cent(sample: Page) -> None:
    bars = [rect for rect in sample.with_tag("rect") if "x" in rect]
    assert len(bars) > 30
    assert all(rect["fill"] and rect["x"].endswith("%") and rect["width"].endswith("%") for rect in bars)
    assert all(float(rect["x"][:-1]) + float(rect["width"][:-1]) <= 100.02 for rect in bars)
    assert not [svg for svg in sample.with_tag("svg") if "viewbox" in svg]


def test_the_csv_has_every_failure_in_the_order_of_the_page() -> None:
    rows = list(csv.DictReader(io.StringIO(failures_csv(made_traces.traces()))))
    assert len(rows) == 117
    assert [row["lost_at"] for row in rows[66:68]] == ["Never found", "Lost in rerank"]
    assert rows[67]["gold_ranks"].endswith(" > none > none")
    assert rows[0]["gold_ranks"] == "none > none > none"
    assert failures_csv([]).splitlines() == [
        '"query_id","repeat","query","intent","lost_at","reason","gold_ranks","gold","answer","judge"'
    ]
