"""Named SQL steps: one statement a file, composed into a chain of common table expressions.

A step's file name is the name of the table it yields. It may name other steps as tables; they are found by name and
put in front of it. Parameters are written ``$name`` and always bound, never formatted into the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

Written = tuple[tuple[str, str], ...]  # steps that are no file: name and text

_WORD = re.compile(r"\b[a-z_][a-z0-9_]*\b")
_PARAMETER = re.compile(r"\$([a-z_][a-z0-9_]*)")
_COMMENT = re.compile(r"--[^\n]*")


@dataclass(frozen=True, slots=True)
class Query:
    """A composed statement and the parameters it asks for."""

    sql: str
    parameters: frozenset[str]

    def bind(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return just the values this statement names.

        Raises:
            KeyError: a parameter has no value.
        """
        return {name: values[name] for name in self.parameters}


@cache
def step_texts(packages: tuple[str, ...]) -> dict[str, str]:
    """Return the text of every step in the ``sql`` folders of these packages, by name."""
    texts: dict[str, str] = {}
    for package in packages:
        for entry in (resources.files(package) / "sql").iterdir():
            if entry.name.endswith(".sql"):
                texts[entry.name.removesuffix(".sql")] = entry.read_text(encoding="utf-8").strip().rstrip(";")
    return texts


@cache
def compose(
    packages: tuple[str, ...],
    step: str,
    *,
    given: frozenset[str] = frozenset(),
    written: Written = (),
) -> Query:
    """Compose one step with every step it rests on.

    Args:
        packages: the import packages whose ``sql`` folders hold the steps.
        step: name of the wanted step.
        given: steps that already exist as tables, so that they are not computed again.
        written: further steps as (name, text), written for what is asked.

    Raises:
        KeyError: there is no such step.
        ValueError: steps rest on each other in a circle.
    """
    texts = step_texts(packages) | dict(written)
    order: list[str] = []
    _visit(step, texts, given, order, path=())
    chain = ",\n".join(f"{name} AS (\n{texts[name]}\n)" for name in order[:-1])
    sql = f"WITH {chain}\n{texts[step]}" if chain else texts[step]
    return Query(sql, frozenset(_PARAMETER.findall(_COMMENT.sub("", sql))))


def _visit(step: str, texts: Mapping[str, str], given: frozenset[str], order: list[str], path: tuple[str, ...]) -> None:
    if step in path:
        raise ValueError(f"steps rest on each other: {' -> '.join((*path, step))}")
    if step in order:
        return
    words = set(_WORD.findall(_COMMENT.sub("", texts[step])))
    for needed in sorted(words & texts.keys() - given - {step}):
        _visit(needed, texts, given, order, (*path, step))
    order.append(step)
