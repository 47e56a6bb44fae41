"""A file of rules: one a line, blank lines and lines that begin with ``#`` left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attribution.gate.parse import parse_rule
from attribution.gate.rules import Asked
from traces.errors import InputError, UsageError

LARGEST = 1_000_000


def read_rules(path: Path) -> list[Asked]:
    """Return the rules of a file, each with its line.

    Raises:
        InputError: it cannot be read, or is no text.
        UsageError: a line is no rule; the line is named.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        text = content.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError("no-file", "there is no such file", where=str(path)) from error
    except OSError as error:
        raise InputError("unreadable", error.strerror or type(error).__name__, where=str(path)) from error
    except UnicodeDecodeError as error:
        raise InputError("not-utf8", "the rules are not UTF-8 text", where=str(path)) from error
    if len(content) > LARGEST:
        raise InputError("unusable-file", "over a megabyte, which no file of rules is", where=str(path))
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                found.append(Asked(parse_rule(line), str(path), number))
            except UsageError as fault:
                raise UsageError(fault.slug, fault.what, where=f"{path}:{number}", hint=fault.hint) from fault
    return found


def gather_rules(given: Sequence[str], file: Path | None) -> list[Asked]:
    """Return the rules of a file and those given by themselves, each rule once.

    Raises:
        UsageError: as `parse_rule`, or there is none at all.
        InputError: as `read_rules`.
    """
    found = [] if file is None else read_rules(file)
    found += [Asked(parse_rule(text)) for text in given]
    if not found:
        where = None if file is None else str(file)
        raise UsageError("no-rules", "there is no rule to judge by", where=where, hint="give --rule or --rules FILE")
    return list({str(asked.rule): asked for asked in reversed(found)}.values())[::-1]
