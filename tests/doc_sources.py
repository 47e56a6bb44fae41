"""What the sources can say and do, read off them: commands with options, messages with slugs, the files kept."""

from __future__ import annotations

import ast
import fnmatch
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import typer.main

from reports.cli import app
from traces.refusals import SLUG

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("traces", "attribution", "reports")
FAULTS = {"UsageError", "InputError", "RecordError", "StoreError"}
Kind = Literal["fault", "note", "warning"]


def commands() -> dict[str, list[str]]:
    """Return every command of the command line with its long options."""
    return dict(_commands(typer.main.get_command(app), ("foundlost",)))


def _commands(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    if hasattr(command, "commands"):
        for child, found in command.commands.items():
            yield from _commands(found, (*path, child))
    else:
        longest = [max(parameter.opts, key=len) for parameter in command.params]
        yield " ".join(path), [option for option in longest if option.startswith("--")]


def plugin_options() -> set[str]:
    """Return the options that the pytest plugin adds to pytest."""
    return _options_in(ROOT / "foundlost_pytest.py")


def options_of_tests() -> set[str]:
    """Return the options that our own tests add to pytest."""
    return _options_in(ROOT / "tests" / "conftest.py")


def _options_in(file: Path) -> set[str]:
    return set(re.findall(r'"(--[a-z-]+)"', file.read_text(encoding="utf-8")))


def trees(*packages: str) -> Iterator[tuple[Path, ast.AST]]:
    """Yield the syntax tree of every file of the packages."""
    for package in packages:
        for file in sorted((ROOT / package).rglob("*.py")):
            yield file, ast.parse(file.read_text(encoding="utf-8"))


def messages() -> set[tuple[Kind, str]]:
    """Return the slugs of all faults, the slugs of all notes of a load, and the codes of all warnings of a result."""
    guard = ROOT / "foundlost.py"
    found: set[tuple[Kind, str]] = set()
    for file, tree in (*trees(*PACKAGES), (guard, ast.parse(guard.read_text(encoding="utf-8")))):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                found.update(_called(node, file))
            elif isinstance(node, ast.FunctionDef) and node.name == "finish":
                found.update(_returned(node))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                printed = re.match(r"foundlost: ([a-z-]+): ", node.value)
                found.update([("fault", printed[1])] if printed else [])
    return found


def _called(call: ast.Call, file: Path) -> Iterator[tuple[Kind, str]]:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    kind: Kind
    if name == "Warn":
        kind, slug = "warning", next(word.value for word in call.keywords if word.arg == "code")
    elif name in FAULTS:
        kind, slug = "fault", call.args[0]
    elif name in {"Remark", "_note", "note"} and file.is_relative_to(ROOT / "traces"):
        kind, slug = "note", call.args[0]
    else:
        return
    text = _text(slug, file)
    if text is not None:
        yield kind, text


def _text(slug: ast.expr, file: Path) -> str | None:
    """Return a slug that is a literal or the constant of refusals; None for one that another message passes on."""
    match slug:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id="SLUG") | ast.Attribute(attr="SLUG"):
            return SLUG
        case ast.Name(id="slug") | ast.Attribute(attr="slug"):
            return None
    raise AssertionError(f"{file}:{slug.lineno}: the slug {ast.unparse(slug)} cannot be read off the source")


def _returned(finish: ast.FunctionDef) -> Iterator[tuple[Kind, str]]:
    """Imports return their notes as pairs of slug and sentence."""
    for pair in ast.walk(finish):
        if isinstance(pair, ast.Tuple) and isinstance(pair.elts[0], ast.Constant):
            yield "note", str(pair.elts[0].value)


def texts_of_reports() -> str:
    """Return all text that reports are put together from."""
    literals = [
        str(node.value) for _, tree in trees("reports") for node in ast.walk(tree) if isinstance(node, ast.Constant)
    ]
    templates = [file.read_text(encoding="utf-8") for file in (ROOT / "reports" / "templates").glob("*.html")]
    return "\n".join(literals + templates)


def kept_files() -> Iterator[Path]:
    """Yield the files of the project: all that version control would keep."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()] + [".git"]

    def kept(name: str) -> bool:
        return not any(fnmatch.fnmatch(name, pattern) for pattern in ignored)

    for folder, inner, files in os.walk(ROOT):
        inner[:] = filter(kept, inner)
        yield from (Path(folder) / file for file in files if kept(file))
