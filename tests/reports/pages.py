"""Reads a rendered page the way a browser's parser would, for the tests to look into."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any


@dataclass
class Page(HTMLParser):
    """The elements of a page, its text, and what stands in its style and script elements.

    A script element that holds data, which nothing runs, is called an island here.
    """

    html: str
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    raw: dict[str, list[str]] = field(default_factory=lambda: {"style": [], "script": [], "island": [], "title": []})
    pieces: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._inside = ""
        self.feed(self.html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element with its attributes."""
        if tag == "script" and ("type", "application/json") in attrs:
            tag = "island"
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._inside = tag
        if tag in {"td", "th", "p", "li", "h1", "h2", "h3", "dt", "dd", "summary", "br"}:
            self.pieces.append(" ")

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag in (self._inside, "script"):
            self._inside = ""

    def handle_data(self, data: str) -> None:
        """Keep text, apart for what nobody reads as text."""
        if self._inside in self.raw:
            self.raw[self._inside].append(data)
        else:
            self.pieces.append(data)

    @property
    def text(self) -> str:
        """All text a reader sees, with single spaces."""
        return re.sub(r"\s+", " ", "".join(self.pieces)).strip()

    @property
    def tags(self) -> Counter[str]:
        """How many elements of each kind there are."""
        return Counter(tag for tag, _ in self.elements)

    def with_tag(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of every element of one kind."""
        return [attrs for name, attrs in self.elements if name == tag]

    @property
    def data(self) -> Any:
        """What the page holds for programs."""
        return json.loads(self.raw["island"][-1])

    @property
    def block(self) -> Any:
        """The rows of a long list, which its script sets."""
        rows, _ = self.raw["island"]
        return json.loads(rows)

    @property
    def policy(self) -> str:
        """The content security policy."""
        (found,) = [m["content"] for m in self.with_tag("meta") if m.get("http-equiv") == "Content-Security-Policy"]
        return found


def sha256(text: str) -> str:
    """Return a hash as a content security policy writes it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
