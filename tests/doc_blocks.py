"""The fenced blocks of the documents, and how a reader would carry them out.

The words after the language of a fence say what a block is:

title=NAME      a file the reader is told to save under that name
run             commands: of a ``sh`` block every line, of a ``console`` block the lines after ``$``
exit=CODE       the exit code each command of the block ends with; 0 where it is not given

What a ``console`` block shows under a command is what the command prints, stdout and stderr in the order they come. A
line ``…`` stands for any number of lines, and a line that ends in ``…`` for any rest of it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from reports.cli import run as run_foundlost

REST = "…"
_FENCE = re.compile(r"^```(?P<info>[^`\n]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_SHELL = re.compile(r"[|<>&;$*`]")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words after it, and its text."""

    page: str
    line: int
    language: str
    words: tuple[str, ...]
    body: str

    @property
    def title(self) -> str | None:
        """The name of the file the block is, if it is one."""
        return self._value("title")

    @property
    def exit_code(self) -> int:
        """The exit code its commands end with."""
        return int(self._value("exit") or 0)

    @property
    def runs(self) -> bool:
        """Whether its commands are carried out."""
        return "run" in self.words

    def _value(self, name: str) -> str | None:
        found = [word.partition("=")[2] for word in self.words if word.startswith(f"{name}=")]
        return found[0] if found else None

    def commands(self) -> Iterator[tuple[str, list[str] | None]]:
        """Yield each command with the lines shown under it, None where the block shows no output."""
        lines = self.body.splitlines()
        while lines:
            line = lines.pop(0)
            if self.language == "console":
                assert line.startswith("$ "), f"{self.page}:{self.line}: output before the first command"
                line = line.removeprefix("$ ")
            while line.endswith("\\"):
                line = line.removesuffix("\\") + lines.pop(0).strip()
            shown: list[str] = []
            while self.language == "console" and lines and not lines[0].startswith("$ "):
                shown.append(lines.pop(0))
            if line.strip():
                yield line, shown if self.language == "console" else None


def blocks(path: Path) -> list[Block]:
    """Return the fenced blocks of a page that name a language."""
    text = path.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        language, *words = match["info"].split()
        found.append(Block(path.name, text[: match.start()].count("\n") + 1, language, tuple(words), match["body"]))
    return found


@dataclass(frozen=True)
class Done:
    """How a command ended, and the lines it printed."""

    code: int
    lines: list[str]


def carry_out(command: str, folder: Path) -> Done:
    """Run one command in a folder: foundlost alone in this process, for speed; anything else in a shell."""
    environment = {name: value for name, value in os.environ.items() if name != "FOUNDLOST_DB"}
    environment |= {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONUNBUFFERED": "1"}
    words = shlex.split(command)
    if words[0] == "foundlost" and not _SHELL.search(re.sub(r"'[^']*'", "", command)):
        out = io.StringIO()
        with (
            contextlib.chdir(folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
            patch.dict(os.environ, environment, clear=True),
        ):
            try:
                run_foundlost(words[1:])
            except SystemExit as left:
                return Done(int(left.code or 0), _lines(out.getvalue()))
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, cwd=folder, env=environment, check=False,
    )  # fmt: skip
    return Done(done.returncode, _lines(done.stdout))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def first_difference(shown: list[str], printed: list[str]) -> str | None:
    """Return the first line of a block that the command did not print, None where the block shows what it prints."""
    skipping, at = False, 0
    for line in map(str.rstrip, shown):
        if line == REST:
            skipping = True
            continue
        places = range(at, len(printed) if skipping else min(at + 1, len(printed)))
        found = next((place for place in places if _is_line(line, printed[place])), None)
        if found is None:
            return line
        at, skipping = found + 1, False
    if at < len(printed) and not skipping:
        return f"(nothing, where the command prints: {printed[at]})"
    return None


def _is_line(shown: str, printed: str) -> bool:
    return printed.startswith(shown.removesuffix(REST)) if shown.endswith(REST) else shown == printed


def follow(page: Path, folder: Path) -> int:
    """Do in a folder what a page tells its reader to do, in order; return how many commands that were."""
    done = 0
    for block in blocks(page):
        if block.title is not None:
            (folder / block.title).write_text(block.body, encoding="utf-8", newline="\n")
        for command, shown in block.commands() if block.runs else ():
            ended = carry_out(command, folder)
            place = f"{block.page}:{block.line}: $ {command}"
            printed = "\n".join(ended.lines)
            assert ended.code == block.exit_code, f"{place}\nends with {ended.code} and prints\n{printed}"
            if shown is not None:
                difference = first_difference(shown, ended.lines)
                assert difference is None, f"{place}\ndoes not print\n{difference}\nbut\n{printed}"
            done += 1
    return done
