"""The commands that make reports again: every choice that was made, files by their names, wherever they lie."""

from __future__ import annotations

import shlex
from dataclasses import fields
from pathlib import Path

from attribution.choices import Choices
from reports.safe_text import file_name

DEFAULT_STORE = "foundlost.duckdb"


def attribution_command(
    run_id: str,
    path: Path,
    choices: Choices,
    recall: float | None,
    store: Path | None,
    questions: Path | None,
) -> str:
    """Return the command that writes an attribution report again."""
    words = ["foundlost", "report", "attribution", run_id, "-o", file_name(path.name), *_options(choices)]
    if recall is not None:
        words += ["--recall", str(recall)]
    if questions is not None:
        words += ["--questions", _folder(questions)]
    return shlex.join([*words, *_db(store)])


def forecast_command(
    name: str, path: Path, *, after: str | None = None, target: float | None = None, store: Path | None = None
) -> str:
    """Return the command that writes a forecast report again."""
    words = ["foundlost", "report", "forecast", name, "-o", file_name(path.name)]
    words += [] if after is None else ["--after", after]
    return shlex.join([*words, *_target(target), *_db(store)])


def planning_command(path: Path, choices: Choices, *, target: float | None = None, store: Path | None = None) -> str:
    """Return the command that writes a planning report again."""
    words = ["foundlost", "report", "planning", "-o", file_name(path.name)]
    return shlex.join([*words, *_options(choices), *_target(target), *_db(store)])


def all_command(folder: Path, choices: Choices, *, target: float | None = None, store: Path | None = None) -> str:
    """Return the command that writes all reports again."""
    words = ["foundlost", "report", "all", "-o", _folder(folder)]
    return shlex.join([*words, *_options(choices), *_target(target), *_db(store)])


def _options(choices: Choices) -> list[str]:
    """Return the options that state other choices than the default ones."""
    words: list[str] = []
    default = Choices()
    for field in fields(Choices):
        value = getattr(choices, field.name)
        if value == getattr(default, field.name):
            continue
        option = f"--{field.name.replace('_', '-')}"
        for one in value if isinstance(value, tuple) else (value,):
            words += [option, str(one)]
    return words


def _folder(folder: Path) -> str:
    return file_name(folder.name) if folder.name else "."


def _target(target: float | None) -> list[str]:
    return [] if target is None else ["--target", str(target)]


def _db(store: Path | None) -> list[str]:
    return [] if store is None or store.name == DEFAULT_STORE else ["--db", file_name(store.name)]
