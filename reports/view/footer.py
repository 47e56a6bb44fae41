"""The foot of a report: which bytes it was made from, under which settings, and how to make it again."""

from __future__ import annotations

import hashlib
import re

from attribution.results import Attribution, RunFacts
from reports.numbers import plural
from reports.safe_text import cut
from reports.wording import Words, code, cut_name, words

_SOURCES = 6
_LONG = 300


def footer(attribution: Attribution, facts: RunFacts, command: str) -> tuple[Words, ...]:
    """Return the inputs with their hashes, the hash of the settings, and the command that makes the report again."""
    inputs = [
        words(
            "{} {} sha256 {}",
            "Made from" if not i else "and",
            code(cut_name(own_name(source.name) or "an unnamed source")),
            code(short(source.sha256)),
        )
        for i, source in enumerate(facts.sources[:_SOURCES])
    ]
    if len(facts.sources) > _SOURCES:
        inputs.append(words("and {}", plural(len(facts.sources) - _SOURCES, "more file")))
    settings = hashlib.sha256(attribution.policy.to_json().encode()).hexdigest()
    return (
        *inputs,
        words("Settings {}", code(short(settings))),
        words("Make it again: {}", code(cut(command, _LONG))),
    )


def own_name(name: str | None) -> str | None:
    """Return a file's own name: a report travels, and the folders of the machine it was made on do not."""
    return None if name is None else re.split(r"[/\\]", name)[-1]


def short(digest: str) -> str:
    """Return a hash short enough to read and long enough to compare: ``9f3c2a…04e1``."""
    return digest if len(digest) <= 12 else f"{digest[:6]}…{digest[-4:]}"
