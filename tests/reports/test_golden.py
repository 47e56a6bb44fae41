"""What every report, table and file of the gate says, beside what it said when somebody last read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports import gate_files
from reports.text.gate import print_gate
from tests.attribution.forecasts.made import EXAMPLE, after_of, before_of, kinds_of
from tests.attribution.made_runs import write_lines
from tests.reports import made_gate
from tests.reports.golden_files import FOLDER, Golden, scrubbed
from tests.reports.made_states import all_pages
from tests.reports.outline import page_of, structure, visible_text
from tests.test_command import foundlost

KINDS = ("attribution attributed", "forecast cannot tell", "planning trend", "broken")
"""One page of each kind, whose build is kept beside its text."""
COMMANDS = {
    "attribute": ("attribute", "before", "--by", "intent"),
    "project": ("project", "before", "--recall", "0.85"),
    "compare": ("compare", "before", "after"),
    "metrics": ("metrics", "before"),
    "curve": ("curve", "before"),
    "forecast show": ("forecast", "show", "f"),
    "forecast verify": ("forecast", "verify", "f", "after"),
    "forecast list": ("forecast", "list"),
    "runs": ("runs",),
    "show": ("show", "before", "q0"),
}


@pytest.fixture(scope="module")
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(update=request.config.getoption("--update-golden"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return all_pages(tmp_path_factory.mktemp("states"))


def test_every_report_says_in_every_state_what_it_said(pages: dict[str, str], golden: Golden) -> None:
    for name, html in pages.items():
        golden.check(f"{name}.txt", visible_text(html))


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_page_is_built_as_it_was(name: str, pages: dict[str, str], golden: Golden) -> None:
    golden.check(f"{name}.outline", structure(pages[name]))


def test_every_command_prints_what_it_printed(tmp_path: Path, golden: Golden) -> None:
    kinds = kinds_of(EXAMPLE)
    for run, records in (("before", before_of(kinds)), ("after", after_of(kinds))):
        asked = [record | {"intent": "AB"[at % 2]} for at, record in enumerate(records)]
        foundlost("ingest", write_lines(tmp_path / f"{run}.jsonl", asked), "--run", run, cwd=tmp_path)
        if run == "before":
            foundlost("forecast", "seal", run, "--name", "f", "--recall", "0.85", cwd=tmp_path)
    for name, words in COMMANDS.items():
        done = foundlost(*words, cwd=tmp_path)
        golden.check(
            f"command {name}.txt", "\n".join(line.rstrip() for line in (done.stdout + done.stderr).split("\n"))
        )


def test_the_gate_writes_what_it_wrote(golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    found = made_gate.gate("nightly")
    print_gate(found)
    golden.check("gate.txt", "\n".join(line.rstrip() for line in capsys.readouterr().out.split("\n")))
    golden.check("gate.md", gate_files.markdown(found))
    golden.check("gate.xml", gate_files.junit(found))


def test_no_file_is_left_of_a_page_that_is_gone(pages: dict[str, str]) -> None:
    known = {f"{name}.txt" for name in pages} | {f"{name}.outline" for name in KINDS}
    known |= {f"command {name}.txt" for name in COMMANDS} | {"gate.txt", "gate.md", "gate.xml"}
    assert {path.name for path in FOLDER.iterdir()} == known


def test_a_changed_sentence_fails_with_a_diff(tmp_path: Path) -> None:
    Golden(update=True, folder=tmp_path).check("x.txt", "kept\nold words\nsealed 1 May 2026\n")
    now = Golden(update=False, folder=tmp_path)
    now.check("x.txt", "kept\nold words\nsealed 2 June 2026\n")
    with pytest.raises(pytest.fail.Exception, match=r"-old words\n\+new words\n(?s:.*)--update-golden"):
        now.check("x.txt", "kept\nnew words\nsealed 2 June 2026\n")
    with pytest.raises(pytest.fail.Exception, match=r"\+kept"):
        now.check("absent.txt", "kept\n")


def test_hashes_dates_and_releases_are_left_out_and_nothing_else() -> None:
    assert scrubbed(
        "Sealed 26 September 2026, 9f3c2a…04e1, 2026-09-26T02:14:00Z, at 04:19:35 by foundlost 0.1.0, 57%"
    ) == ("Sealed <date>, <hash>, <date>, at <time> by foundlost <version>, 57%")


def test_an_element_that_is_never_closed_is_a_fault() -> None:
    assert structure('<ul><li class="a">x<li class=a>y</ul>') == "ul\n  li.a × 2\n"
    assert structure("<div><p>x<ol><li>y</ol></div>") == "div\n  p\n  ol\n    li\n"
    assert visible_text("<table><tr><td>a</td><td>b</td></tr></table><p>c<p>d") == "a | b\nc\nd\n"
    for fault in ("<div><b>x</div>", "<i>x</b></i>", "<td>x"):
        with pytest.raises(AssertionError, match="closed"):
            page_of(fault)
