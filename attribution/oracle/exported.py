"""Reading an exported sample back, to have its questions answered."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from traces.errors import InputError
from traces.sources import open_source

Shape = TypeVar("Shape")


class _Header(msgspec.Struct):
    sample: str
    run: str


class _First(msgspec.Struct):
    oracle: _Header


class _Named(msgspec.Struct):
    query_id: str
    repeat: int
    pack: list[msgspec.Raw]


@dataclass(frozen=True, slots=True)
class Question:
    """One question as it was exported: ``line`` is what is sent to whoever answers."""

    query_id: str
    repeat: int
    line: bytes


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """An exported sample: its id, the run it was drawn of, and its questions in the order of the file."""

    sample: str
    run_id: str
    questions: tuple[Question, ...]


def read_exported(path: Path) -> ExportedFile:
    """Read the file that ``oracle export`` wrote.

    Raises:
        InputError: it cannot be read, or a line is not as it was written.
    """
    with open_source(path) as source:
        lines = list(source.lines())
    if not lines:
        raise InputError("no-records", "there is nothing but blank lines in the file", where=str(path))
    header = _decoded(path, *lines[0], _First).oracle
    questions = []
    for number, line in lines[1:]:
        named = _decoded(path, number, line, _Named)
        questions.append(Question(named.query_id, named.repeat, line + b"\n"))
    return ExportedFile(header.sample, header.run, tuple(questions))


def _decoded(path: Path, number: int, line: bytes, shape: type[Shape]) -> Shape:
    try:
        return msgspec.json.decode(line, type=shape)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise InputError(
            "not-an-export",
            "this is no line of a file that 'foundlost oracle export' wrote",
            where=f"{path}:{number}",
            hint="with --command, give the exported file; without, the answers to it",
        ) from error
