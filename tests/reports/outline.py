"""A rendered page as lines that can be compared: what a reader sees, and how the page is built."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "col", "line", "rect", "circle", "path", "use"}
UNSEEN = {"style", "script"}
# Elements whose end HTML leaves to the parser: each ends where one of these begins, or its parent ends.
ENDED_BY = {"p": {"p", "ol", "ul", "div", "table", "section", "details"}, "li": {"li"}}
CELLS = {"td", "th"}
LINES = {"p", "li", "h1", "h2", "h3", "dt", "dd", "summary", "tr", "caption", "title", "desc"}
APART = {"br", "text"}


@dataclass
class Element:
    """An element with its classes, its elements and its texts in their order."""

    name: str
    tag: str = ""
    inside: list[Element | str] = field(default_factory=list)

    def seen(self) -> str:
        """Return the text with a mark for every line and every cell."""
        if self.tag in UNSEEN:
            return ""
        text = "".join(one if isinstance(one, str) else one.seen() for one in self.inside)
        if self.tag in LINES:
            return f"\n{text}\n"
        return f"{text} | " if self.tag in CELLS else f"{text} " if self.tag in APART else text

    def outline(self, depth: int = 0) -> list[str]:
        """Return one line an element; like ones in a row are one line with their number."""
        lines = [f"{'  ' * depth}{self.name}"]
        groups: list[tuple[list[str], int]] = []
        for one in self.inside:
            if isinstance(one, Element):
                inner = one.outline(depth + 1)
                if groups and groups[-1][0] == inner:
                    groups[-1] = (inner, groups[-1][1] + 1)
                else:
                    groups.append((inner, 1))
        for (first, *rest), times in groups:
            lines += [f"{first} × {times}" if times > 1 else first, *rest]
        return lines


class _Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.path = [Element("page")]
        self.feed(html)
        self.close()
        while self.path[-1].tag in ENDED_BY:
            self.path.pop()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ENDED_BY.get(self.path[-1].tag, ()):
            self.path.pop()
        classes = (dict(attrs).get("class") or "").split()
        element = Element(".".join([tag, *classes]), tag)
        self.path[-1].inside.append(element)
        if tag not in VOID:
            self.path.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.path.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        while self.path[-1].tag in ENDED_BY and self.path[-1].tag != tag:
            self.path.pop()
        left = self.path.pop()
        assert left.tag == tag, f"<{left.tag}> is closed by </{tag}>"

    def handle_data(self, data: str) -> None:
        # A line end between two elements is no line that a reader sees.
        self.path[-1].inside.append(re.sub(r"\s+", " ", data))


def page_of(html: str) -> Element:
    """Return the whole page; every element that must be closed has to be, by its own tag."""
    reader = _Reader(html)
    assert len(reader.path) == 1, f"not closed: {[each.name for each in reader.path[1:]]}"
    return reader.path[0]


def visible_text(html: str) -> str:
    """Return what a reader sees, a line for each paragraph and table row, bars between cells."""
    lines = (re.sub(r" +", " ", line).strip(" |") for line in page_of(html).seen().splitlines())
    return "".join(f"{line}\n" for line in lines if line)


def structure(html: str) -> str:
    """Return the elements with their classes, as an outline."""
    return "".join(f"{line}\n" for each in page_of(html).inside if isinstance(each, Element) for line in each.outline())
