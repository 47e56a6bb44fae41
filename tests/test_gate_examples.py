"""The workflow files among the examples: their YAML parses, and their commands are carried out as a runner would."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from attribution.gate.rules_file import read_rules
from tests.doc_blocks import carry_out
from tests.doc_sources import ROOT, plugin_options
from tests.test_docs import doc, section

EXAMPLES = ROOT / "examples"
WORKFLOWS = ("github-workflow.yml", "gitlab-ci.yml")


def commands(name: str) -> Iterator[str]:
    """Yield the lines of shell that a workflow runs, in order."""
    found: dict[Any, Any] = yaml.safe_load((EXAMPLES / name).read_text(encoding="utf-8"))
    if name.startswith("gitlab"):
        job = found["retrieval"]
        yield from (line for part in ("before_script", "script", "after_script") for line in job[part])
        return
    for step in found["jobs"]["gate"]["steps"]:
        yield from step.get("run", "").splitlines()


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder as it is before the gate: traces of two builds, labels and rules."""
    folder = tmp_path_factory.mktemp("workflow")
    assert carry_out("foundlost demo demo", folder).code == 0
    for source, name in (("b127", "baseline"), ("b128", "traces"), ("labels", "labels")):
        shutil.copy(folder / "demo" / f"{source}.jsonl", folder / f"{name}.jsonl")
    shutil.copy(EXAMPLES / "gate.rules", folder)
    return folder


@pytest.mark.parametrize("name", WORKFLOWS)
def test_the_commands_of_a_workflow_do_what_it_says(
    name: str, evaluated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in evaluated.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    lines = [line for line in commands(name) if line.startswith("foundlost ")]
    assert [line.split()[1] for line in lines] == ["ingest", "ingest", "labels", "gate", "report"]
    printed = {}
    for line in lines:
        done = carry_out(line, tmp_path)
        assert done.code == 0, (line, done.lines)
        printed[line.split()[1]] = done.lines
    assert printed["gate"][0].startswith("Gate on candidate against release: pass (5 pass)")
    assert (tmp_path / "gate.xml").is_file()
    assert (tmp_path / "attribution.html").is_file()
    if name.startswith("github"):
        assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("### Gate on `candidate`")
    else:
        assert (tmp_path / "gl-code-quality-report.json").read_text() == "[]\n"


@pytest.mark.parametrize("name", WORKFLOWS)
def test_everything_else_a_workflow_runs_is_shell(name: str) -> None:
    for line in commands(name):
        subprocess.run(["bash", "-n", "-c", line], check=True)


def test_the_rules_can_be_read_and_print_as_they_stand() -> None:
    lines = (EXAMPLES / "gate.rules").read_text(encoding="utf-8").splitlines()
    found = read_rules(EXAMPLES / "gate.rules")
    assert [str(asked.rule) for asked in found] == [line for line in lines if line and not line.startswith("#")]


def test_the_options_of_the_plugin_are_documented() -> None:
    own = section(doc("gate"), "In a test suite")
    assert plugin_options() == {"--foundlost-db", "--foundlost-cannot-tell"}
    assert [option for option in plugin_options() if option not in own] == []
