"""The documents say what is so: their commands run, their links lead somewhere, and what can be said is explained."""

from __future__ import annotations

import json
import os
import re
import socket
from pathlib import Path

import pytest

from reports.view.parts import State
from tests.doc_blocks import blocks, carry_out, first_difference, follow
from tests.doc_sources import (
    PACKAGES,
    ROOT,
    Kind,
    commands,
    kept_files,
    messages,
    options_of_tests,
    plugin_options,
    texts_of_reports,
)
from traces import models

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ADRS = sorted((ROOT / "docs" / "adr").glob("*.md"))
EVERY_PAGE = [ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md", *PAGES, *ADRS]
COMMANDS = commands()
RECORDS = (
    models.Trace, models.StageList, models.Item, models.GoldItem, models.RunInfo, models.Judgment, models.Outcome,
    models.Question, models.Document,
)  # fmt: skip
SECTIONS: dict[Kind, tuple[str, ...]] = {
    "fault": ("Errors of use", "Errors of the store", "Errors of a file", "Why a record is set aside"),
    "note": ("Notes of a load",),
    "warning": ("Warnings of a result",),
}


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def doc(name: str) -> str:
    return text_of(ROOT / "docs" / f"{name}.md")


def short(page: Path) -> str:
    return str(page.relative_to(ROOT))


def section(text: str, heading: str) -> str:
    """Return what stands under a heading of the second level."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"there is no section '{heading}'"
    return found[1]


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_a_reader_who_follows_the_page_sees_what_it_shows(page: Path, tmp_path: Path) -> None:
    done = follow(page, tmp_path)
    assert (done > 0) == any(block.runs for block in blocks(page))


def test_no_command_is_shown_that_is_not_run() -> None:
    of_foundlost = [
        block
        for page in PAGES
        for block in blocks(page)
        if block.language in {"sh", "console"} and "foundlost " in block.body
    ]
    assert [f"{block.page}:{block.line}" for block in of_foundlost if not block.runs] == []
    assert len(of_foundlost) > 20


def test_what_a_block_shows_is_compared_line_by_line() -> None:
    printed = carry_out("printf 'one\\ntwo\\nthree  \\n'", ROOT).lines
    assert first_difference(["one", "two", "three"], printed) is None
    assert first_difference(["…", "thr…"], printed) is None
    assert first_difference(["one", "…", "three"], printed) is None
    assert first_difference(["one", "three"], printed) == "three"
    assert first_difference(["two", "…"], printed) == "two"
    assert first_difference(["…", "two"], printed) == "(nothing, where the command prints: three)"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_and_its_options_are_documented(command: str) -> None:
    page = doc("commands")
    own = section(page, command) + section(page, "Options that several commands share")
    assert [option for option in COMMANDS[command] if not re.search(rf"{option}\b", own)] == []
    assert f"\n$ {command}" in page
    assert f"[`{command}`](docs/commands.md#" in text_of(ROOT / "README.md")


def test_no_command_or_option_is_documented_that_is_not_there() -> None:
    assert set(re.findall(r"^## (foundlost .*)$", doc("commands"), re.MULTILINE)) == set(COMMANDS)
    assert "--recall-from" in COMMANDS["foundlost project"]
    options = {option for found in COMMANDS.values() for option in found} | {"--help"} | plugin_options()
    options |= options_of_tests()
    written = {option for page in EVERY_PAGE for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", text_of(page))}
    assert written - options == set()


@pytest.mark.parametrize("kind", SECTIONS)
def test_every_message_is_explained_and_no_other(kind: Kind) -> None:
    rows = "".join(section(doc("messages"), title) for title in SECTIONS[kind])
    explained = set(re.findall(r"^\| `([\w-]+)` \|", rows, re.MULTILINE))
    assert explained == {slug for of_kind, slug in messages() if of_kind == kind}


def anchors(page: Path) -> set[str]:
    """Return the anchors that headings get when the page is rendered."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", EVERY_PAGE, ids=short)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if not re.match(r"[a-z]+:", link):
            file, _, anchor = link.partition("#")
            target = (page.parent / file).resolve() if file else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", EVERY_PAGE, ids=short)
def test_every_file_named_is_there(page: Path) -> None:
    tops = "|".join((*PACKAGES, "tests", "docs", "benchmarks", "examples", "scripts"))
    for path in re.findall(rf"`((?:{tops})/[\w/.*-]*)`", text_of(page)):
        assert list(ROOT.glob(path.rstrip("/"))), path


def test_every_field_of_every_record_is_described() -> None:
    named = "".join(re.findall(r"^\| (`[^|]*) \|", doc("traces"), re.MULTILINE))
    fields = {field for record in RECORDS for field in models.field_names(record)}
    assert fields - set(re.findall(r"`(\w+)`", named)) == set()


def test_every_sentence_described_is_one_the_report_can_say() -> None:
    said = texts_of_reports()
    sentences = re.findall(r"(?<!\*)\*([^*|]+)\*(?!\*)", doc("reports"))
    parts = {part.strip(" .,:“”") for sentence in sentences for part in re.split(r"\{[^}]*\}", sentence)}
    assert len(sentences) > 40
    assert [part for part in sorted(parts) if len(part) > 3 and part not in said] == []


def test_every_state_of_the_report_is_described() -> None:
    named = re.findall(r"^\| ([a-z ]+) \|", section(doc("reports"), "States"), re.MULTILINE)
    assert named == ["state", *(state.value for state in State)]


def test_every_decision_has_its_four_parts() -> None:
    assert [int(adr.name[:4]) for adr in ADRS] == list(range(1, len(ADRS) + 1))
    for adr in ADRS:
        headings = re.findall(r"^## (.*)$", text_of(adr), re.MULTILINE)
        assert headings == ["Problem", "Decision", "Consequences", "What would change our mind"], adr.name
        assert text_of(adr).startswith(f"# {adr.name[:4]}: ")


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match, pattern
    return match[1]


def test_the_life_of_one_number_is_true(tmp_path: Path) -> None:
    life = " ".join(section(text_of(ROOT / "ARCHITECTURE.md"), "The life of one number").split())
    assert carry_out("foundlost demo .", tmp_path).code == 0
    (result,) = carry_out("foundlost attribute b127 --json --db demo.duckdb 2>/dev/null", tmp_path).lines
    share = json.loads(result)["fates"][0]["share_of_failures"]
    assert f"{share['estimate']}, from {share['lower']} to {share['upper']}." in life
    assert f"{share['count']} successes, {share['n'] - share['count']} others" in life
    question, gold = found(r"question (q\d+)", life), found(r"`(kb-\d+)`", life)
    traces, labels = (text_of(tmp_path / name).splitlines() for name in ("b127.jsonl", "labels.jsonl"))
    record = json.loads(traces[int(found(r"Line (\d+)", life)) - 1])
    assert (record["query_id"], record["passed"]) == (question, False)
    assert gold not in {item["doc_id"] for items in record["stages"].values() for item in items}
    assert (question, gold) in {(label["query_id"], label["doc_id"]) for label in map(json.loads, labels)}


def test_no_file_names_a_machine() -> None:
    folders = r"/(?:home|root|Users|work|mnt|workspace)/(?!someone/)\w|[A-Z]:\\Users"
    hosts = r"\w\.(?:internal|localdomain|lan|corp)\b"
    host = socket.gethostname()
    telling = [re.escape(host)] if len(host) > 7 and re.search(r"[\d.-]", host) else []
    wanted = re.compile("|".join([folders, hosts, re.escape(str(ROOT) + os.sep), *telling]))
    files = list(kept_files())
    assert ROOT / "README.md" in files
    texts = {file: file.read_text(encoding="utf-8", errors="replace") for file in files if file.suffix != ".png"}
    assert {short(file): match[0] for file, text in texts.items() if (match := wanted.search(text))} == {}


def test_the_picture_is_small_and_described() -> None:
    data = (ROOT / "docs" / "images" / "attribution.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) < 200_000
    assert int.from_bytes(data[16:20], "big") == 1280
    assert re.search(r"!\[[^\]]{80,}\]\(docs/images/attribution\.png\)", text_of(ROOT / "README.md"))
