"""A page for each failure: named safely, linked both ways, whole, and harmless whatever the question holds."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser  # noqa: TC002 - as the fixture beside it is

from attribution.results import QuestionTrace
from reports.html import write
from reports.question_pages import question_files, render_question
from tests.attribution.made_runs import trace, write_lines
from tests.reports import made, made_traces
from tests.reports.pages import Page
from tests.reports.rendering import render
from tests.reports.test_browser import A4, Visit, browser
from tests.reports.test_hostile_text import ELEMENTS, PAYLOADS, hostile_facts, hostile_traces, own_tags
from tests.test_command import Done, foundlost, one_line

__all__ = ["browser"]
IDS = ["q1", "Q1", "../../up", "a/b", "a:b", "con", "b127", "x" * 400, "javascript:alert(1)", "<b>"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a store of a run whose questions have ids that make poor file names."""
    lost = [trace(name, ["x", "g"], ["x"], ["x"], False, gold=["g"], answer="No.", judge="j") for name in IDS]
    write_lines(tmp_path / "b.jsonl", [*lost, trace("fine", ["g"], ["g"], ["g"], True, gold=["g"], judge="j")])
    foundlost("ingest", "b.jsonl", "--run", "b127", cwd=tmp_path)
    return tmp_path


def report(folder: Path, file: str, questions: str, code: int = 0) -> Done:
    return foundlost("report", "attribution", "b127", "-o", file, "--questions", questions, cwd=folder, code=code)


def links(file: Path) -> list[Path]:
    """Return the files that a page links to."""
    found = [each["href"] for each in Page(file.read_text("utf-8")).with_tag("a")]
    return [Path(unquote(urljoin(file.as_uri(), each).removeprefix("file://"))) for each in found]


@pytest.mark.parametrize(
    ("file", "questions"), [("b127.html", "."), ("b127.html", "a #1?/ä:b%20"), ("deep/r:1.html", "q")]
)
def test_every_failure_has_a_page_and_the_links_lead_there_and_back(folder: Path, file: str, questions: str) -> None:
    (folder / "deep").mkdir()
    done = report(folder, file, questions)
    assert done.stdout.endswith(f"wrote 10 pages into {questions}\n")
    pages = links(folder / file)
    assert len({page.name.casefold() for page in pages}) == len(IDS)
    assert {page.parent.resolve() for page in pages} == {(folder / questions).resolve()}
    assert all(links(page) == [folder / file] for page in (page.resolve() for page in pages))
    told = {Page(page.read_text("utf-8")).text for page in pages}
    assert len(told) == len(IDS)
    assert all("Lost in rerank: dropped" in each for each in told)
    assert not (folder.parent / "up.html").exists()


def test_other_files_in_the_folder_stay(folder: Path) -> None:
    (folder / "q").mkdir()
    for name in ("notes.txt", "q99.html"):
        (folder / "q" / name).write_text("mine")
    report(folder, "b127.html", "q")
    report(folder, "b127.html", "q")
    assert {(folder / "q" / name).read_text() for name in ("notes.txt", "q99.html")} == {"mine"}
    assert len(list((folder / "q").iterdir())) == len(IDS) + 2
    assert "--questions q" in Page((folder / "b127.html").read_text("utf-8")).text


@pytest.mark.parametrize("taken", ["q", "q/Q1.html"])
def test_a_folder_that_cannot_be_written_is_one_line_and_no_report(folder: Path, taken: str) -> None:
    if taken == "q":
        (folder / "q").write_text("a file")
    else:
        (folder / taken).mkdir(parents=True)
    done = report(folder, "b127.html", "q", code=2)
    assert one_line(done).startswith("foundlost: cannot-write: ")
    assert "(q" in one_line(done)
    assert not (folder / "b127.html").exists()


def question(failed: QuestionTrace, **facts: object) -> Page:
    return Page(render_question(failed, made.facts(**facts), name="q7", report="../b127.html"))


def test_a_page_has_the_whole_story() -> None:
    failed = made_traces.trace(2, 20, "Billing").model_copy(
        update={"gold_texts": {"g20": "Invoices: " + "long " * 100}}
    )
    page = question(failed)
    for sentence in (
        "q7 run b127 Back to the report",
        "Lost in packing: dropped",
        "Rank of the best-placed document with the answer: 4 in candidates, 4 in rerank and none in prompt.",
        "Question How do I change the audit log for several workspaces at once?",
        "Answer Ask your administrator to look at webhook retries and try once more.",
        "Outcome Failed, says judge-v3. ",
        "Rank in candidates, rerank and prompt g20 Invoices: " + "long " * 100 + "4 → 4 → –",
        "50 documents in candidates",
        "Has the answer: g20",
        "5 in the list before",
        "8 documents in prompt The evidence was lost here.",
    ):
        assert sentence in page.text.replace(" ,", ","), sentence
    assert page.tags["li"] == 78
    assert [each for each in page.with_tag("li") if each.get("class")] == [{"value": "4", "class": "g"}] * 2
    assert page.tags["script"] == 0
    assert "script-src 'none';" in page.policy


def test_what_was_not_recorded_is_said_and_repeats_have_names_of_their_own() -> None:
    failed = made_traces.trace(3, 20, None, query=None, answer=None, judge=None)
    bare = failed.model_copy(
        update={"stages": [e.model_copy(update={"documents": [], "complete": False}) for e in failed.stages]}
    )
    text = question(bare).text
    assert "Question Not recorded. Answer Not recorded. Outcome Failed." in text
    assert "Ranked list of prompt not recorded The list was recorded in part." in text
    again = failed.model_copy(update={"repeat": 1})
    files = question_files([failed, again], Path("q"), Path("r.html"))
    assert [file.name for file in files] == ["q0020-1.html", "q0020-2.html"]


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_hostile_text_adds_no_element(payload: str) -> None:
    def page(text: str) -> Page:
        failed = hostile_traces(text, (f"{text}1", f"{text}2"))[3]
        failed = failed.model_copy(update={"gold_texts": {f"{text}gold": text}})
        facts = hostile_facts(text).model_copy(update={"stages": [f"{text}1", f"{text}2"]})
        return Page(render_question(failed, facts, name=text, report="r.html"))

    found = page(payload)
    assert own_tags(found) == own_tags(page("harmless"))
    assert set(found.tags) <= ELEMENTS | {"a", "bdi"}
    assert {each["href"] for each in found.with_tag("a")} == {"r.html"}


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_never_wider_than_the_window(browser: Browser, tmp_path: Path, scheme: str) -> None:
    stages, by = made.many_stages(12)
    hostile = "".join(PAYLOADS[:22])
    facts = hostile_facts(hostile).model_copy(update={"stages": [f"{hostile}1", f"{hostile}2"]})
    long = made_traces.traces(by, stages)[0]
    told = {
        "one": render_question(made_traces.trace(2, 20, "Billing"), made.facts(), name="q20", report="r.html"),
        "twelve": render_question(long, made.facts(stages=list(stages)), name="q", report="r"),
        "hostile": render_question(
            hostile_traces(hostile, tuple(facts.stages))[0], facts, name=hostile, report="r.html"
        ),
    }  # fmt: skip
    for name, text in told.items():
        write(tmp_path / f"{name}.html", text)
        for width in (390, 1280):
            viewport = {"width": width, "height": 844}
            with Visit(browser, tmp_path / f"{name}.html", color_scheme=scheme, viewport=viewport) as visit:
                assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
                assert visit.noise == []
                found = Axe().run(visit.page)
                assert found.response["violations"] == [], found.generate_report()


@pytest.mark.browser
def test_a_reader_goes_from_the_report_to_a_question_and_back_by_keyboard(browser: Browser, tmp_path: Path) -> None:
    by: dict[str | None, made.Pairs] = {"A": [(300, 9), (40, 9), (20, 3), (150, 90)]}
    failures = made_traces.traces(by)
    report, files = tmp_path / "r.html", question_files(failures, Path("q"), tmp_path / "r.html")
    links = {(each.query_id, 0): file.as_posix() for each, file in zip(failures, files, strict=True)}
    write(report, render(made.attribution(by), failures, pages=links))
    (tmp_path / "q").mkdir()
    for each, file in zip(failures, files, strict=True):
        write(tmp_path / file, render_question(each, made.facts(), name=each.query_id, report="../r.html"))
    for scripts in (True, False):
        with Visit(browser, report, java_script_enabled=scripts, viewport=A4) as visit:
            page = visit.page
            row = page.locator("#fails>details").nth(3)
            row.locator("summary").focus()
            page.keyboard.press("Enter")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            page.wait_for_url("**/q/*.html")
            assert "What has the answer" in page.locator("main").inner_text()
            page.get_by_role("link", name="Back to the report").press("Enter")
            page.wait_for_url(report.as_uri())
            assert "A link in the row leads to the whole lists." in page.locator("main").inner_text()
