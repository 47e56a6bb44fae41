"""The command that makes a report again, as the foot of the report shows it: run beside the store, it gives the same.

Files stand in it by their own names, wherever they lie, and other forms of the report are left out of it, so that a
page does not depend on where it was written or what was written beside it.
"""

from __future__ import annotations

import shlex
from dataclasses import fields
from pathlib import Path

from attribution.choices import Choices
from reports.safe_text import file_name, plain

DEFAULT_STORE = "foundlost.duckdb"
_LONGEST_NAME = 255


def attribution_command(
    run_id: str,
    path: Path,
    choices: Choices,
    *,
    recall: float | None = None,
    questions: Path | None = None,
    store: Path | None = None,
) -> str:
    """Return the command that writes an attribution report again."""
    options = ["-o", _name(path), *_options(choices)]
    if recall is not None:
        options += ["--recall", str(recall)]
    if questions is not None:
        options += ["--questions", _folder(questions)]
    return _command("attribution", run_id, [*options, *_db(store)])


def forecast_command(
    name: str, path: Path, *, after: str | None = None, target: float | None = None, store: Path | None = None
) -> str:
    """Return the command that writes a forecast report again."""
    options = ["-o", _name(path)]
    options += [] if after is None else ["--after", after]
    return _command("forecast", name, [*options, *_target(target), *_db(store)])


def planning_command(path: Path, choices: Choices, *, target: float | None = None, store: Path | None = None) -> str:
    """Return the command that writes a planning report again."""
    return _command("planning", None, ["-o", _name(path), *_options(choices), *_target(target), *_db(store)])


def all_command(folder: Path, choices: Choices, *, target: float | None = None, store: Path | None = None) -> str:
    """Return the command that writes all reports again."""
    return _command("all", None, ["-o", _folder(folder), *_options(choices), *_target(target), *_db(store)])


def _command(kind: str, subject: str | None, options: list[str]) -> str:
    """Return a command line a shell reads as it was meant; a subject like an option comes last, after two dashes."""
    words = ["foundlost", "report", kind]
    if subject is None:
        words += options
    elif subject.startswith("-"):
        words += [*options, "--", subject]
    else:
        words += [subject, *options]
    return shlex.join(words)


def _name(path: Path) -> str:
    """Return a file's own name; one that cannot be shown as it is becomes one that can."""
    return path.name if plain(path.name, _LONGEST_NAME) == path.name else file_name(path.name)


def _folder(folder: Path) -> str:
    return _name(folder) if folder.name else "."


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


def _target(target: float | None) -> list[str]:
    return [] if target is None else ["--target", str(target)]


def _db(store: Path | None) -> list[str]:
    return [] if store is None or store.name == DEFAULT_STORE else ["--db", _name(store)]
