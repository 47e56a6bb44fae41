r"""Untrusted text and the places it may leave by: HTML, one-line plain text, Markdown, JSON, a CSV cell, a file name.

Questions, documents, answers, ids, intents and file names come from other people's systems. Each function here is
the only way such text reaches its kind of output. Three things are done to all of it: terminal escape sequences are
dropped, characters that hide or reorder what is read are made visible, and length is capped. ``plain`` serves the
terminal as well as attributes and titles, since neither may hold a control character or a line break.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any

from markupsafe import Markup, escape

_ESCAPE_SEQUENCE = re.compile(
    r"\x1b(?:"
    r"\[[0-?]*[ -/]*[@-~]"  # colours and cursor movement
    r"|\][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles and hyperlinks, closed by BEL or ST
    r"|[PX^_][^\x1b]*\x1b\\"  # device strings
    r"|[@-Z\\-_])"  # two-character sequences
)

# Format characters and look-like-nothing letters, by range: unicodedata knows the first kind but not the second, and
# asking it for every character would cost more than the whole report.
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_BLANKS = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\u2800\u3164"
_MORE_BLANKS = "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
_NOT_TEXT = "\ud800-\udfff\ufdd0-\ufdef" + "".join(
    f"{chr(p * 65536 + 0xFFFE)}{chr(p * 65536 + 0xFFFF)}" for p in range(17)
)
_JOINERS = "\u200c\u200d\ufe00-\ufe0f"
_PLAIN_ASCII = "\x00-\x7f"

# Joiners and variation selectors spell Persian, Hindi and emoji, so one of them is kept after a character that is
# neither ASCII nor itself hidden; so are the two of a rainbow flag, and that of a keycap. Anywhere else, and in chains,
# they carry nothing a reader could see.
_SUSPECT = f"{_CONTROLS}{_BIDI}{_BLANKS}{_MORE_BLANKS}{_NOT_TEXT}"
_SEEN = f"[^{_SUSPECT}{_JOINERS}{_PLAIN_ASCII}]"
_HIDDEN = re.compile(
    f"[{_SUSPECT}]|(?<!{_SEEN})[\u200c\ufe00-\ufe0e]|(?<!{_SEEN})(?<!{_SEEN}\ufe0f)\u200d"
    f"|(?<!{_SEEN})\ufe0f(?!(?<=[0-9#*]\ufe0f)\u20e3)"
)
_RIGHT_TO_LEFT = (
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_RIGHT_TO_LEFT_WORDS = re.compile(f"({_RIGHT_TO_LEFT}+(?:[ _-]+{_RIGHT_TO_LEFT}+)*…?)")

_WHITE_SPACE = re.compile(r"[ \t\n]+")
_FORMULA_STARTS = ("=", "+", "-", "@", "|", "%", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_RESERVED_NAMES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def _without_escapes(text: str) -> str:
    return _ESCAPE_SEQUENCE.sub("", text).replace("\r\n", "\n")


def show(text: object, limit: int = 2000) -> Markup:
    """Return untrusted text as HTML: hidden characters become visible boxes, the rest is escaped.

    Args:
        text: anything; it is turned into a string first.
        limit: characters kept; how many were cut is said at the end.
    """
    whole = _without_escapes(str(text))
    kept = whole[:limit]
    parts: list[Markup] = []
    start = 0
    for found in _HIDDEN.finditer(kept):
        parts.append(escape(kept[start : found.start()]))
        parts.append(Markup('<span class="ctl">U+{:04X}</span>').format(ord(found.group())))
        start = found.end()
    parts.append(escape(kept[start:]))
    if len(whole) > limit:
        parts.append(Markup('<span class="more">… {:,} more characters</span>').format(len(whole) - limit))
    return Markup("").join(parts)


def prose(text: object, limit: int = 2000) -> Markup:
    """Return a sentence of ours as ``show`` does, words written from right to left set apart from what follows them.

    Otherwise a number after such a name would be read as part of it, and stand on its other side.
    """
    whole = str(show(text, limit))
    return Markup(_RIGHT_TO_LEFT_WORDS.sub(r"<bdi>\1</bdi>", whole))  # noqa: S704 - only letters are put into it


def plain(text: object, limit: int = 200) -> str:
    """Return untrusted text as one line without markup, for attributes, titles and the terminal.

    Hidden characters become U+FFFD. The result is not escaped: the template or terminal library does that.
    """
    return _HIDDEN.sub("\ufffd", cut(text, limit))


def cut(text: object, limit: int) -> str:
    """Return the first ``limit`` characters as one line, an ellipsis standing for the rest. Still untrusted."""
    line = _WHITE_SPACE.sub(" ", _without_escapes(str(text))).strip(" ")
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def markdown(text: object, limit: int = 200) -> str:
    """Return untrusted text as a code span, which stays whole in a table cell too.

    Inside a code span nothing is read as markup, link, mention or reference, neither by Markdown itself nor by what
    code hosts do to it afterwards. Two things could still break out, a run of backticks as long as the fence and a
    bar that would end the cell: the fence is made longer, and bars are escaped as tables ask for it.
    """
    line = plain(text, limit) or "(empty)"
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", line)), default=0))
    # A backslash before a bar would be read as escaping it, and then the one that is meant to would not.
    line = line.replace("\\|", "\u2216|").replace("|", "\\|")
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


_MARKDOWN = re.compile(r"([\\`*_\[\]|~$])")
_REFERENCES = re.compile(
    r"([@#!~^])(?!\s)"  # people, issues, merge requests and labels
    r"|([:$%])(?=\w|/)|(&)(?=\d)"  # addresses, pictures called by name, formulas, milestones, epics
    r"|(\bGH-)(?=\d)|(\bwww)(?=\.)"
    r"|((?<!\w)[0-9a-f]{6})(?=[0-9a-f]+(?!\w))",  # commits
    re.IGNORECASE,
)
_BREAK = "&#8203;"


def markdown_prose(text: object, limit: int = 2000) -> str:
    """Return untrusted text as part of a sentence or a table cell in Markdown: nothing in it is markup or refers.

    Markup is escaped. What code hosts make links of in what is left, such as people, issues, addresses and commits,
    is broken by a space without width, since they read it after all escapes are undone.
    """
    # Plain text holds no NUL, so one can stand for a break until all else is escaped.
    broken = _REFERENCES.sub(lambda found: f"{found.group()}\0", plain(text, limit))
    escaped = _MARKDOWN.sub(r"\\\1", broken.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
    return escaped.replace("\0", _BREAK)


def island(value: Any) -> Markup:
    """Return ``value`` as JSON for a ``<script type="application/json">`` element.

    ASCII only, and without ``&``, ``<`` or ``>``, so that no text in it can end the element or open a comment.

    Raises:
        ValueError: a float is NaN or infinite.
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for character in "&<>":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - nothing HTML could read is left in it


def cell(value: object) -> str:
    """Return a value for one CSV cell: numbers as they are, text on one line and never the start of a formula.

    A spreadsheet runs a cell that begins with one of ``= + - @`` (or their wide forms), blanks before it or not. Such
    text is led in by an apostrophe, which spreadsheets read as "this is text".
    """
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return str(value)
    line = _HIDDEN.sub("\ufffd", _WHITE_SPACE.sub(" ", _without_escapes(str(value))))
    return f"'{line}" if line.lstrip(" \u00a0\u3000\ufffd'").startswith(_FORMULA_STARTS) else line


def file_name(text: object, limit: int = 80) -> str:
    """Return a file name made from untrusted text: no folders, no hidden or reserved names, distinct for distinct text.

    Text that needed no change is returned as it is; any other gets eight hex digits of its hash, so that ``a/b`` and
    ``a:b`` do not overwrite each other.
    """
    whole = str(text)
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", whole)[:limit].strip("._-")
    usable = bool(name) and not _RESERVED_NAMES.fullmatch(name)
    if usable and name == whole:
        return name
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{name if usable else 'unnamed'}-{digest}"


def file_names(texts: Iterable[object]) -> list[str]:
    """Return a file name for each text, in order; all differ, even where a file system takes ``A`` for ``a``."""
    names: dict[str, str] = {}
    for text in texts:
        name = file_name(text)
        while name.casefold() in names:
            name = file_name(f"{name}/{text}")
        names[name.casefold()] = name
    return list(names.values())
