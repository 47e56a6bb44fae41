"""The same store and command give the same bytes: in another process, place, zone, locale, and order of sets."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reports.pages import Page
from tests.reports.test_forecast_commands import folder, ran, seal
from tests.test_command import ROOT

__all__ = ["folder"]
FORMS = ("--markdown", "r.md", "--mail", "r.mail.html")
SUBJECTS = {"attribution": ["before"], "forecast": ["f"], "planning": []}
CLOCKS = re.compile(r"\b(now|today|utcnow|localtime)\(|\btime\.time\(")


@pytest.fixture
def stored(folder: Path) -> Path:
    """Return a folder with a store of two runs and a judged forecast, and nothing else that a report could read."""
    seal(folder)
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    ran(folder, "forecast", "verify", "f", "after")
    return folder


def command(folder: Path, words: list[str], **environment: str) -> bytes:
    """Run the command in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "foundlost.py"), *words],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name.startswith("r.")}


@pytest.mark.parametrize("kind", SUBJECTS)
def test_another_process_elsewhere_writes_the_same(stored: Path, tmp_path: Path, kind: str) -> None:
    words = ["report", kind, *SUBJECTS[kind]]
    here, there = tmp_path / "here", tmp_path / "there" / "deep down"
    for place in (here, there):
        place.mkdir(parents=True)
        shutil.copy(stored / "foundlost.duckdb", place)
    first = command(
        here, [*words, "-o", "r.html", *FORMS, "--json"], TZ="UTC", LC_ALL="C", PYTHONHASHSEED="1", FOUNDLOST_DB=""
    )
    aside = [str(there / each) if each.startswith("r.") else each for each in ("-o", "r.html", *FORMS)]
    store = ["--db", str(there / "foundlost.duckdb")]
    second = command(
        tmp_path, [*words, *aside, *store, "--json"], TZ="Asia/Kathmandu", LC_ALL="C.UTF-8", PYTHONHASHSEED="77"
    )
    assert first == second
    assert files(here) == files(there)
    assert set(files(here)) >= {"r.html", "r.md", "r.mail.html"}


@pytest.mark.parametrize("kind", SUBJECTS)
@pytest.mark.parametrize("store", ["foundlost.duckdb", "it's a store.duckdb"])
def test_the_command_at_the_foot_writes_the_same(stored: Path, kind: str, store: str) -> None:
    (stored / "foundlost.duckdb").rename(stored / store)
    ran(stored, "report", kind, *SUBJECTS[kind], "-o", "r. 1 & 2.html", "--db", store)
    before = files(stored)
    text = Page(before["r. 1 & 2.html"].decode()).text
    told = shlex.split(text.partition("Make it again: ")[2])
    for name in before:
        (stored / name).unlink()
    assert told[0] == "foundlost"
    command(stored, told[1:])
    assert files(stored) == before


def test_a_run_named_like_an_option_is_no_option(stored: Path) -> None:
    ran(stored, "ingest", "after.jsonl", "--run=-x")
    ran(stored, "report", "attribution", "-o", "r.html", "--recall", "0.9", "--", "-x")
    before = files(stored)
    told = shlex.split(Page(before["r.html"].decode()).text.partition("Make it again: ")[2])
    (stored / "r.html").unlink()
    command(stored, told[1:])
    assert files(stored) == before


def test_nothing_that_makes_a_report_looks_at_a_clock() -> None:
    sources = {file: file.read_text(encoding="utf-8") for file in (ROOT / "reports").rglob("*.py")}
    assert len(sources) > 50
    assert [file.name for file, text in sources.items() if CLOCKS.search(text)] == []
