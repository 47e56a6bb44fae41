"""The command as people and scripts meet it: exit codes, one line a fault, JSON alone on stdout, help everywhere."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from reports.cli import run
from tests.attribution.made_runs import trace, write_lines

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = [
    ("demo",), ("ingest",), ("formats",), ("sniff",), ("runs",), ("show",), ("drop",), ("attribute",), ("project",),
    ("compare",), ("metrics",), ("curve",), ("oracle", "export"), ("oracle", "import"),
    ("labels", "import"), ("outcomes", "import"), ("questions", "import"), ("documents", "import"),
    ("forecast", "seal"), ("forecast", "verify"), ("forecast", "list"), ("forecast", "show"), ("gate",),
    ("report", "attribution"), ("report", "forecast"), ("report", "planning"), ("report", "all"),
]  # fmt: skip
RECORDS = [
    trace("q1", ["g", "x"], ["g"], ["g"], True, gold=["g"], intent="A", query="What is <b>bold</b>?"),
    trace("q2", ["g", "x"], ["x"], ["x"], False, gold=["g"], intent="B"),
    trace("q3", ["x"], ["x"], ["x"], False, gold=["g"], intent="A"),
]


@dataclass(frozen=True)
class Done:
    """What a command printed."""

    stdout: str
    stderr: str


def foundlost(*arguments: object, cwd: Path, code: int = 0, environment: dict[str, str] | None = None) -> Done:
    """Run the command in this process, as its console script would, and check its exit code."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        patch.dict(os.environ, environment or {}),
        pytest.raises(SystemExit) as left,
    ):
        run([str(argument) for argument in arguments])
    assert left.value.code == code, (out.getvalue(), err.getvalue())
    return Done(out.getvalue(), err.getvalue())


def one_line(done: Done) -> str:
    """Return the single line a fault is said in."""
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("foundlost: ")
    return line


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """Return a folder with a store, ``foundlost.duckdb``, that holds one run named ``nightly``."""
    foundlost("ingest", write_lines(tmp_path / "nightly.jsonl", RECORDS), "--run", "nightly", cwd=tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help(command: tuple[str, ...], tmp_path: Path) -> None:
    text = foundlost(*command, "--help", cwd=tmp_path).stdout
    assert text.startswith("Usage: foundlost")
    assert len(text.splitlines()) > 4


def test_help_lists_exactly_the_commands_there_are(tmp_path: Path) -> None:
    listed = foundlost("--help", cwd=tmp_path).stdout.split("Commands:")[1]
    names = {line.split()[0] for line in listed.splitlines() if line.startswith("  ") and not line.startswith("   ")}
    assert names == {command[0] for command in COMMANDS}


def test_a_newcomers_first_commands(stored: Path) -> None:
    assert "nightly" in foundlost("runs", cwd=stored).stdout
    assert "Never found" in foundlost("attribute", "nightly", cwd=stored).stdout
    assert "intent = A" in foundlost("attribute", "nightly", "--by", "intent", cwd=stored).stdout
    assert "takes the pass rate from" in foundlost("project", "nightly", "--recall", "0.9", cwd=stored).stdout
    assert "lost in rerank" in foundlost("show", "nightly", "q2", cwd=stored).stdout
    foundlost("report", "attribution", "nightly", "-o", "out.html", cwd=stored)
    assert (stored / "out.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (stored / "out.failures.csv").exists()
    foundlost("drop", "nightly", cwd=stored)
    assert "nightly" not in foundlost("runs", cwd=stored).stdout


@pytest.mark.parametrize(
    ("arguments", "schema"),
    [
        (("attribute", "nightly", "--json"), "foundlost.attribution/1"),
        (("project", "nightly", "--recall", "0.9", "--json"), "foundlost.projection/1"),
        (("runs", "--json"), "foundlost.runs/1"),
    ],
)
def test_json_is_one_object_alone_on_stdout(stored: Path, arguments: tuple[str, ...], schema: str) -> None:
    (line,) = foundlost(*arguments, cwd=stored).stdout.splitlines()
    assert json.loads(line)["schema"] == schema


def test_the_json_of_attribute_is_the_contract(stored: Path) -> None:
    found = json.loads(foundlost("attribute", "nightly", "--by", "intent", "--json", cwd=stored).stdout)
    assert {
        "schema", "run", "labels", "policy", "questions", "passed", "failed", "stages", "fates", "conditional",
        "identity", "by", "warnings",
    } <= set(found)  # fmt: skip
    assert {"name", "version", "kinds", "questions", "judgments"} <= set(found["labels"])
    assert {"min_grade", "require", "truncated", "level", "weighted"} <= set(found["policy"])
    assert {
        "total", "attributable", "unlabelled", "no_answer", "no_outcome", "unknown_gold", "incomplete_lists",
    } <= set(found["questions"])  # fmt: skip
    assert {"n", "count", "estimate", "lower", "upper", "level", "method"} == set(found["passed"])
    assert {"stage", "covered", "recall", "appeared_late", "duplicates", "truncated"} <= set(found["stages"][0])
    assert {
        "fate", "stage", "failed", "passed", "share_of_failures", "share_of_questions", "reasons",
    } <= set(found["fates"][0])  # fmt: skip
    assert {"with_gold", "without_gold"} == set(found["conditional"])
    assert {"reproduced", "observed", "difference"} == set(found["identity"])
    assert {"field", "value", "passed", "failed", "stages", "fates", "conditional", "identity"} <= set(found["by"][0])


def test_the_json_of_project_is_the_contract(stored: Path) -> None:
    found = json.loads(
        foundlost("project", "nightly", "--recall", "0.9", "--target", "0.5", "--json", cwd=stored).stdout
    )
    assert {
        "schema", "run", "recall", "recall_target", "with_gold", "without_gold", "pass", "projection", "gain",
        "ceiling", "required_recall", "sensitivity", "removable_share", "standardised", "next_run", "warnings",
    } <= set(found)  # fmt: skip
    assert {"target", "estimate", "lower", "upper", "attainable"} <= set(found["required_recall"])
    assert {"tipping_recovered_pass", "tipping_discount", "bounds", "discounts"} <= set(found["sensitivity"])
    assert {"same_questions", "fresh_questions"} <= set(found["next_run"])


@pytest.mark.parametrize(
    ("arguments", "code", "slug"),
    [
        (("attribute", "nihgtly"), 2, "unknown-run"),
        (("attribute", "nightly", "--labels", "gold"), 2, "unknown-labels"),
        (("attribute", "nightly", "--by", "lang"), 2, "unknown-field"),
        (("attribute", "nightly", "--level", "95"), 2, "bad-level"),
        (("attribute", "nightly", "--require", "some"), 2, "usage"),
        (("attribute",), 2, "usage"),
        (("attrbute", "nightly"), 2, "usage"),
        (("project", "nightly"), 2, "no-recall"),
        (("project", "nightly", "--recall", "58"), 2, "bad-recall"),
        (("show", "nightly", "q9"), 2, "unknown-question"),
        (("drop", "nobody"), 2, "unknown-run"),
        (("ingest", "no-such-file.jsonl", "--run", "r"), 2, None),
        (("ingest", "--run", "r"), 2, "no-input"),
        (("ingest", "nightly.jsonl"), 2, "no-run-name"),
        (("labels", "import", ".", "--name", "n"), 2, None),
        (("outcomes", "import", "nightly.jsonl", "--run", "nobody"), 2, "unknown-run"),
        (("runs", "--db", "elsewhere.duckdb"), 3, "no-store"),
        (("runs", "--db", "nightly.jsonl"), 3, "not-a-store"),
        (("report", "attribution", "nightly", "-o", "no/such/folder/r.html"), 2, "cannot-write"),
    ],
)
def test_a_fault_is_one_line_with_its_exit_code(
    stored: Path, arguments: tuple[str, ...], code: int, slug: str | None
) -> None:
    line = one_line(foundlost(*arguments, cwd=stored, code=code))
    assert slug is None or line.startswith(f"foundlost: {slug}: ")


def test_a_report_that_cannot_be_made_says_why_in_its_place(stored: Path) -> None:
    done = foundlost("report", "attribution", "nihgtly", "-o", "r.html", cwd=stored, code=2)
    page = (stored / "r.html").read_text(encoding="utf-8")
    assert one_line(done).startswith("foundlost: unknown-run")
    assert "unknown-run" in page
    assert "foundlost report attribution nihgtly -o r.html" in page


def test_the_store_can_be_named_by_the_environment(stored: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    found = foundlost("runs", cwd=elsewhere, environment={"FOUNDLOST_DB": str(stored / "foundlost.duckdb")})
    assert "nightly" in found.stdout


def test_a_reader_of_the_output_that_leaves_early_is_no_fault(stored: Path) -> None:
    command = f"{sys.executable} -m foundlost attribute nightly --json | head -c 1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, cwd=stored, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert "Traceback" not in done.stderr


def test_hostile_names_cannot_steer_a_terminal(tmp_path: Path) -> None:
    hostile = "\x1b[31mred\x1b[0m\x1b]8;;http://evil\x07link\x1b]8;;\x07"
    records = [trace("q\x1b[2J", [hostile], [hostile], [], False, gold=[hostile], intent=hostile, query=hostile)]
    foundlost("ingest", write_lines(tmp_path / "t.jsonl", records), "--run", hostile, cwd=tmp_path)
    for arguments in (
        ("runs",),
        ("attribute", hostile, "--by", "intent"),
        ("show", hostile, "q\x1b[2J"),
        ("show", hostile),
    ):
        done = foundlost(*arguments, cwd=tmp_path)
        assert "\x1b" not in done.stdout + done.stderr
