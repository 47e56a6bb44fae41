"""Commands that bring traces in: ingest, formats, sniff."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reports.cli.common import DB, DEFAULT_DB, JSON
from reports.cli.progress import bar_or_lines
from reports.text.loading import print_load
from reports.text.table import print_table
from traces.errors import UsageError
from traces.ingest import ingest_run
from traces.readers import formats, sniff
from traces.store import TraceStore


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command("ingest")(ingest)
    app.command("formats")(list_formats)
    app.command("sniff")(sniff_file)


def ingest(
    paths: Annotated[list[str] | None, typer.Argument(help="Trace files, plain, .gz or .zst; '-' for stdin.")] = None,
    run: Annotated[str | None, typer.Option("--run", help="Name the run is stored under.")] = None,
    trace_format: Annotated[str | None, typer.Option("--format", help="Format, if not to be sniffed.")] = None,
    stage: Annotated[list[str] | None, typer.Option("--stage", help="NAME=FILE: a TREC run file as one stage.")] = None,
    cut: Annotated[
        list[str] | None, typer.Option("--cut", help="NAME=K: the stage hands on its first K places.")
    ] = None,
    doc_id_strip: Annotated[
        str | None,
        typer.Option("--doc-id-strip", help="Regular expression removed from document ids, e.g. '-[0-9]+$'."),
    ] = None,
    pass_rule: Annotated[
        str | None, typer.Option("--pass-rule", help="'score >= 3': what makes a number a pass.")
    ] = None,
    labels: Annotated[str | None, typer.Option("--labels", help="Name for the files' inline gold.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad record and store nothing.")] = False,
    db: DB = DEFAULT_DB,
    as_json: JSON = False,
) -> None:
    """Read traces into the store, one transaction a file; bad records go to quarantine with file and line."""
    if run is None:
        raise UsageError("no-run-name", "the run needs a name", hint="add --run NAME")
    if bool(paths) == bool(stage):
        raise UsageError("no-input", "give trace files, or TREC run files as --stage NAME=FILE", hint="one of the two")
    with TraceStore.write(db) as store:
        report = ingest_run(
            store,
            list(paths or ()),
            run_id=run,
            format=trace_format,
            stages=[(name, path) for name, path in _pairs(stage, "--stage")] or None,
            cuts={name: _whole(value, f"--cut {name}") for name, value in _pairs(cut, "--cut")} or None,
            doc_id_strip=doc_id_strip,
            pass_rule=pass_rule,
            labels=labels,
            strict=strict,
            progress=bar_or_lines(),
        )
    print_load(report, as_json=as_json)


def _pairs(values: list[str] | None, option: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for value in values or ():
        name, found, right = value.partition("=")
        if not (name and found and right):
            raise UsageError("bad-option", f"{option} takes NAME=VALUE, not {value!r}")
        if option == "--cut" and name in dict(pairs):
            raise UsageError("bad-option", f"{option} names {name!r} twice")
        pairs.append((name, right))
    return pairs


def _whole(text: str, option: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise UsageError("bad-option", f"{option} takes a whole number of at least 1, not {text!r}")
    return int(text)


def list_formats() -> None:
    """List the formats that can be read."""
    print_table(("format", "what it is"), [(f.name, f.description) for f in formats()])


def sniff_file(path: Annotated[Path, typer.Argument(help="The file to look at.")]) -> None:
    """Say what a file is taken for, and why."""
    name, why = sniff(path)
    print_table(("format", "why"), [(name, why)])
