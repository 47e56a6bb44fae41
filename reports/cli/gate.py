"""The gate command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from attribution.choices import Choices
from attribution.gate.judge import LEVEL as GATE_LEVEL
from attribution.gate.judge import gate as judge_run
from attribution.gate.rules_file import gather_rules
from attribution.results import Gate
from reports.cli.attribution import BY
from reports.cli.common import DB, DEFAULT_DB, JSON, JUDGE, LABELS, LEVEL, MIN_GRADE, REQUIRE, TRUNCATED
from reports.cli.runs import RUN
from reports.gate_files import CODE_QUALITY_FILE, code_quality, github_annotations, junit, markdown
from reports.publish import write_text
from reports.text.gate import print_gate
from reports.text.table import say, write
from traces.store import TraceStore

REFUSED = 1
Host = Literal["github", "gitlab"]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("gate")(gate)


def gate(
    run: RUN,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", help="A rule such as 'recall(packed) >= .55' or 'drop(pass) <= .02'. May be repeated."),
    ] = None,
    rules: Annotated[Path | None, typer.Option("--rules", help="A file of rules, one a line.")] = None,
    baseline: Annotated[str | None, typer.Option("--baseline", help="The run that drops are from.")] = None,
    cannot_tell: Annotated[
        Literal["fail", "pass"], typer.Option("--cannot-tell", help="What a rule that cannot be told counts as.")
    ] = "fail",
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", help="A difference from the baseline to put up with: labels, judge or rule."),
    ] = None,
    junit_file: Annotated[Path | None, typer.Option("--junit", help="Write JUnit XML to this file.")] = None,
    markdown_file: Annotated[
        Path | None, typer.Option("--markdown", help="Write a summary in Markdown to this file.")
    ] = None,
    annotations: Annotated[
        Host | None,
        typer.Option("--annotations", help=f"Print commands for 'github', or write {CODE_QUALITY_FILE} for 'gitlab'."),
    ] = None,
    labels: LABELS = None,
    by: BY = None,
    min_grade: MIN_GRADE = 1.0,
    require: REQUIRE = None,
    truncated: TRUNCATED = "lost",
    judge: JUDGE = None,
    level: LEVEL = GATE_LEVEL,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Judge a run by rules for continuous integration: pass, fail, or cannot tell; exit code 1 if it does not pass."""
    asked = gather_rules(rule or (), rules)
    chosen = Choices(
        labels=labels,
        min_grade=min_grade,
        require=require,
        truncated=truncated,
        judge=judge,
        level=level,
        by=tuple(by or ()),
    )
    with TraceStore.read(db) as store:
        found = judge_run(
            store, run, asked, baseline=baseline, choices=chosen, allow=tuple(allow or ()), when_unsure=cannot_tell
        )
    try:  # files first, for a reader of the output may leave early; the verdict even where one cannot be written
        files = _write_files(found, junit_file, markdown_file, annotations)
    finally:
        write(found.to_json()) if as_json else print_gate(found)
    for path in files:
        say(f"wrote {path}")
    for line in github_annotations(found) if annotations == "github" else ():  # on stdout, as the host expects them
        sys.stderr.write(f"{line}\n") if as_json else write(line)
    if not found.passed:
        raise typer.Exit(REFUSED)


def _write_files(
    found: Gate, junit_file: Path | None, markdown_file: Path | None, annotations: Host | None
) -> list[Path]:
    """Write the files asked for, and return their names."""
    files = [(junit_file, junit), (markdown_file, markdown)]
    if annotations == "gitlab":
        files.append((Path(CODE_QUALITY_FILE), code_quality))
    asked = [(path, made) for path, made in files if path is not None]
    for path, made in asked:
        write_text(path, made(found))
    return [path for path, _ in asked]
