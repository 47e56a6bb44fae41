"""The gate command: exit codes, files, annotations, JSON alone on stdout, text that would steer a terminal or a log."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from reports.text.gate import print_gate
from tests.attribution.forecasts.made import EXAMPLE, after_of, before_of, kinds_of
from tests.attribution.made_runs import trace, write_lines
from tests.reports import made_gate
from tests.reports.test_gate_files import HOSTILE
from tests.test_command import Done, foundlost, one_line


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store of the worked example's two runs, and a file of rules."""
    made = tmp_path_factory.mktemp("gate")
    kinds = kinds_of(EXAMPLE)
    for run, records in (("before", before_of(kinds)), ("after", after_of(kinds))):
        write_lines(made / f"{run}.jsonl", records)
        foundlost("ingest", f"{run}.jsonl", "--run", run, cwd=made)
    (made / "gate.rules").write_text("# what a build must keep\nrecall(packed) >= .55\n\ndrop(pass) <= .02\n")
    return made


def gate(folder: Path, *words: str, code: int = 0) -> Done:
    return foundlost("gate", *words, cwd=folder, code=code)


def test_exit_codes_follow_the_verdict_and_the_policy(folder: Path) -> None:
    assert "Gate on after against before: pass (2 pass)" in gate(
        folder, "after", "--baseline", "before", "--rules", "gate.rules"
    ).stdout  # fmt: skip
    done = gate(folder, "before", "--baseline", "after", "--rules", "gate.rules", code=1)
    assert "fail" in done.stdout.splitlines()[0]
    unsure = gate(folder, "before", "--rule", "pass >= .7", code=1)
    assert "Gate on before: cannot tell (1 cannot tell)" in unsure.stdout
    assert "questions would tell" in " ".join(unsure.stdout.split())
    assert "a gate that cannot tell fails" in " ".join(unsure.stdout.split())
    lenient = gate(folder, "before", "--rule", "pass >= .7", "--cannot-tell", "pass")
    assert "a gate that cannot tell passes" in " ".join(lenient.stdout.split())


def test_json_is_one_object_alone_on_stdout(folder: Path) -> None:
    words = ("before", "--baseline", "after", "--rules", "gate.rules", "--json", "--annotations", "github")
    done = gate(folder, *words, code=1)
    found = json.loads(done.stdout)
    assert (found["schema"], found["run"], found["baseline"]) == ("foundlost.gate/1", "before", "after")
    assert (found["verdict"], found["when_unsure"], found["passed"]) == ("fail", "fail", False)
    assert [each["verdict"] for each in found["rules"]] == ["cannot tell", "fail"]
    assert (found["rules"][0]["file"], found["rules"][0]["line"]) == ("gate.rules", 2)
    assert set(found["rules"][0]["observed"]) == {"n", "count", "estimate", "lower", "upper", "level", "method"}
    assert found["policy"]["level"] == 0.9
    assert "::error file=gate.rules,line=4,title=foundlost gate%3A fail::drop(pass) <= .02: fail" in done.stderr


def test_files_are_written_for_the_host(folder: Path, tmp_path: Path) -> None:
    done = gate(
        folder, "before", "--rule", "recall >= .65", "--rule", "recall >= .5",
        "--junit", str(tmp_path / "junit.xml"), "--markdown", str(tmp_path / "gate.md"),
        "--annotations", "github", code=1,
    )  # fmt: skip
    root = ET.parse(tmp_path / "junit.xml").getroot()  # noqa: S314 - our own
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    assert (tmp_path / "gate.md").read_text(encoding="utf-8").startswith("### Gate on `before`: fail\n")
    (annotation,) = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert annotation.startswith("::error title=foundlost gate%3A fail::recall >= .65: fail; seen .580 (.539–.620)")
    assert f"wrote {tmp_path / 'junit.xml'}" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gate.md", "junit.xml"]


def test_a_report_for_gitlab_lies_where_gitlab_looks(folder: Path) -> None:
    gate(folder, "before", "--rule", "recall >= .65", "--annotations", "gitlab", code=1)
    file = folder / "gl-code-quality-report.json"
    (finding,) = json.loads(file.read_text())
    assert finding["description"].startswith("recall >= .65: fail")
    gate(folder, "before", "--rule", "recall >= .5", "--annotations", "gitlab")
    assert json.loads(file.read_text()) == []
    file.unlink()


def test_the_same_gate_writes_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        words = ("--junit", str(tmp_path / f"{name}.xml"), "--markdown", str(tmp_path / f"{name}.md"))
        gate(folder, "before", "--baseline", "after", "--rules", "gate.rules", *words, code=1)
    assert (tmp_path / "one.xml").read_bytes() == (tmp_path / "two.xml").read_bytes()
    assert (tmp_path / "one.md").read_bytes() == (tmp_path / "two.md").read_bytes()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("before",), "no-rules: there is no rule to judge by; give --rule or --rules FILE"),
        (("before", "--rule", "recal >= .5"), "unknown-measure: nothing is called 'recal'"),
        (("before", "--rule", "drop(pass) <= .02"), "no-baseline: "),
        (("before", "--rules", "absent.rules"), "no-file: there is no such file (absent.rules)"),
        (
            ("before", "--rules", "gate.rules"),
            "no-baseline: 'drop(pass) <= .02' is a drop from a baseline, and none is",
        ),
        (("nowhere", "--rule", "pass >= .5"), "unknown-run: "),
        (("before", "--rule", "pass >= .5", "--level", "90"), "bad-level: "),
        (("before", "--rule", "pass >= .5", "--cannot-tell", "skip"), "usage: "),
        (("before", "--rule", "pass >= .5", "--annotations", "jira"), "usage: "),
    ],
)
def test_bad_use_is_one_line(folder: Path, words: tuple[str, ...], told: str) -> None:
    assert f"foundlost: {told}" in one_line(gate(folder, *words, code=2))


def test_a_file_that_cannot_be_written_is_no_verdict(folder: Path) -> None:
    done = gate(folder, "before", "--rule", "recall >= .5", "--junit", "no/such/folder.xml", code=2)
    assert "Gate on before: pass" in done.stdout
    assert "foundlost: cannot-write: " in done.stderr


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_steers_the_terminal_or_the_log(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    for repeat in range(60 if "::" in text or "##[" in text else 1):  # wherever a line is folded
        print_gate(made_gate.gate(f"{'x' * repeat} {text}"))
        told = capsys.readouterr()
        for line in (told.out + told.err).split("\n"):
            assert not line.lstrip().startswith("::")
            assert "##[" not in line
            assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for character in line)


# A NUL, half a pair of surrogates and a name of a megabyte are refused before anything is stored.
STORABLE = [text[:150] for text in HOSTILE if text.strip() and not re.search("[\x00\ud800-\udfff]", text)]


@pytest.mark.parametrize("text", STORABLE, ids=range(len(STORABLE)))
def test_hostile_names_come_through_the_whole_command(text: str, tmp_path: Path) -> None:
    stages = {f"{text}1": ["g"], f"{text}2": ["x"]}
    records = [
        trace(f"{text}{at}", [], [], [], at % 2 == 0, gold=["g"], intent=text, judge=text) | {"stages": stages}
        for at in range(30)
    ]
    foundlost("ingest", write_lines(tmp_path / "t.jsonl", records), "--run", "r", cwd=tmp_path)
    done = gate(
        tmp_path, "r", "--rule", "recall >= .5", "--rule", "pass >= .9", "--by", "intent", "--junit", "j.xml",
        "--markdown", "m.md", "--annotations", "github", code=1,
    )  # fmt: skip
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", done.stdout + done.stderr)
    assert ET.parse(tmp_path / "j.xml").getroot().get("tests") == "4"  # noqa: S314 - our own
    page = (tmp_path / "m.md").read_text(encoding="utf-8")
    assert "fails for" in page
    foundlost("gate", "r", "--rule", "recall >= .5", "--json", cwd=tmp_path, code=1)
