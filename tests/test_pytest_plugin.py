"""The pytest plugin in suites of its own: what holds, what fails with its range, and suites that do not use it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attribution.forecasts.made import EXAMPLE, after_of, before_of, kinds_of
from tests.attribution.made_runs import write_lines
from tests.test_command import foundlost

pytest_plugins = ["pytester"]

SUITE = """
from foundlost_pytest import assert_no_drop, assert_pass_rate, assert_recall, assert_rule

def test_recall_holds():
    assert_recall("before", stage="packed", at_least=0.5)

def test_recall_is_too_low():
    assert_recall("before", stage="packed", at_least=0.65)

def test_it_did_not_get_worse():
    assert_no_drop("after", "before", at_most=0.02)
    assert_no_drop("after", "before", of="recall(packed)", at_most=0.01)
    assert_no_drop("after", "before", of="nDCG@10(reranked)")

def test_it_got_worse():
    assert_no_drop("before", "after", of="recall(packed)", at_most=0.03)

def test_the_pass_rate_cannot_be_told():
    assert_pass_rate("before", at_least=0.7)

def test_any_rule():
    assert_rule("before", "share(never_found) <= .9")
"""
FEW = """
from foundlost_pytest import assert_pass_rate

def test_it():
    assert_pass_rate("before", at_least=0.7{more})
"""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with the worked example's two runs."""
    folder = tmp_path_factory.mktemp("plugin")
    kinds = kinds_of(EXAMPLE)
    for run, records in (("before", before_of(kinds)), ("after", after_of(kinds))):
        foundlost("ingest", write_lines(folder / f"{run}.jsonl", records), "--run", run, cwd=folder)
    return folder / "foundlost.duckdb"


def test_assertions_hold_or_fail_with_what_was_seen(pytester: pytest.Pytester, stored: Path) -> None:
    pytester.makepyfile(SUITE)
    found = pytester.runpytest_subprocess("--foundlost-db", str(stored))
    found.assert_outcomes(passed=3, failed=3)
    assert re.search(r"bound; about 10,\d{3} questions would tell", found.stdout.str())
    found.stdout.fnmatch_lines(
        [
            "*run before: recall(packed) >= .65: fail; seen .580 (.539–.620) 232 of 400",
            "*range: 90% interval",
            "*labels: inline v1",
            "*run before against after: drop(recall(packed)) <= .03: fail; seen +27.0 points (+23.1 to +30.8), 400*",
            "*run before: pass >= .7: cannot tell; seen .708 (.669–.743) 283 of 400; the range lies on both sides*",
        ]
    )
    assert "foundlost_pytest.py" not in found.stdout.str()  # the traceback ends in the test


@pytest.mark.parametrize(
    ("arguments", "ini", "more", "outcome"),
    [
        ((), "", "", "failed"),
        (("--foundlost-cannot-tell", "skip"), "", "", "skipped"),
        (("--foundlost-cannot-tell", "xfail"), "", "", "xfailed"),
        ((), "foundlost_cannot_tell = skip", "", "skipped"),
        (("--foundlost-cannot-tell", "fail"), "foundlost_cannot_tell = skip", "", "failed"),
        (("--foundlost-cannot-tell", "skip"), "", ", cannot_tell='fail'", "failed"),
    ],
)
def test_what_cannot_be_told_fails_or_skips_as_configured(
    arguments: tuple[str, ...], ini: str, more: str, outcome: str, pytester: pytest.Pytester, stored: Path
) -> None:
    pytester.makeini(f"[pytest]\nfoundlost_db = {stored}\n{ini}\n")
    pytester.makepyfile(FEW.format(more=more))
    found = pytester.runpytest_subprocess(*arguments, "-rxs")
    found.assert_outcomes(**{outcome: 1})
    found.stdout.fnmatch_lines(["*pass >= .7: cannot tell; seen .708*"])


def test_the_store_is_found_from_option_ini_and_environment(
    pytester: pytest.Pytester, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(
        "from foundlost_pytest import assert_recall\ndef test_it(): assert_recall('before', at_least=.5)"
    )
    monkeypatch.delenv("FOUNDLOST_DB", raising=False)
    found = pytester.runpytest_subprocess()
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*no-store*"])
    monkeypatch.setenv("FOUNDLOST_DB", str(stored))
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    monkeypatch.delenv("FOUNDLOST_DB")
    (pytester.path / "eval").mkdir()
    (pytester.path / "eval" / "store.duckdb").write_bytes(stored.read_bytes())
    pytester.makeini("[pytest]\nfoundlost_db = eval/store.duckdb\n")
    pytester.runpytest_subprocess("--rootdir", str(pytester.path)).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("assert_recall('befor', at_least=.5)", "*unknown-run: there is no run 'befor'; did you mean before*"),
        ("assert_recall('before', stage='paked', at_least=.5)", "*unknown-stage: there is no stage 'paked'*"),
        ("assert_recall('before', at_least=55)", "*bad-bound: *"),
        ("assert_no_drop('after', 'before', of='share(reached)')", "*bad-rule: share(reached) has no drop*"),
    ],
)
def test_a_mistake_in_a_call_is_one_line(call: str, told: str, pytester: pytest.Pytester, stored: Path) -> None:
    pytester.makepyfile(f"from foundlost_pytest import *\ndef test_it(): {call}")
    found = pytester.runpytest_subprocess("--foundlost-db", str(stored))
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines([told])


def test_a_wrong_policy_in_the_ini_file_is_refused(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nfoundlost_cannot_tell = maybe\n")
    found = pytester.runpytest_subprocess()
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    found.stderr.fnmatch_lines(["ERROR: foundlost_cannot_tell is one of fail, skip, xfail, not 'maybe'"])


LOADED = """
import sys
import reports

def test_it():
    assert reports.MINE
    assert not {"duckdb", "pydantic", "numpy", "scipy", "rich", "typer", "attribution", "traces"} & set(sys.modules)
"""


def test_a_suite_that_does_not_use_it_neither_waits_nor_trips(pytester: pytest.Pytester) -> None:
    (pytester.path / "reports").mkdir()
    (pytester.path / "reports" / "__init__.py").write_text("MINE = True\n")
    pytester.makepyfile(LOADED)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:hypothesispytest", "-p", "no:cacheprovider"]
    done = subprocess.run(words, cwd=pytester.path, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout
    (pytester.path / "test_use.py").write_text(FEW.format(more=""))
    done = subprocess.run([*words, "test_use.py"], cwd=pytester.path, capture_output=True, text=True, check=False)
    assert "'reports' would be imported from" in done.stdout
    assert "1 failed" in done.stdout
