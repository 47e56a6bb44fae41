"""Pages: one template environment, style and script inlined under a content security policy, safe writes.

The policy names the hash of the one style and the one script, so that nothing a data file brings along can run even
if it got past the escaping. Style and script are assets, never templates: no value is ever put into them.
"""

from __future__ import annotations

import base64
import errno
import functools
import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reports.links import Related
from reports.safe_text import island, plain, prose, show

_HERE = Path(__file__).parent


@functools.cache
def environment() -> Environment:
    """Return the template environment: everything escaped, nothing undefined passes."""
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(show=show, prose=prose, plain=plain, data=_data)
    return made


@functools.cache
def asset(name: str) -> str:
    """Return a style sheet or script without its comments and indentation; a style sheet also loses idle spaces."""
    text = (_HERE / "assets" / name).read_text("utf-8")
    without_comments = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    lines = "\n".join(line for line in (line.strip() for line in without_comments.splitlines()) if line)
    if not name.endswith(".css"):
        return lines
    return re.sub(r":\s+", ":", re.sub(r"\s*([{};,>])\s*", r"\1", lines)).replace(";}", "}")


def render(
    template: str,
    *,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    data: dict[str, Any] | None = None,
    related: Sequence[Related] = (),
    **values: Any,
) -> str:
    """Return a whole page.

    Args:
        template: its file in templates/; it extends page.html.
        styles: style sheets in assets/, in order; none leaves the page without any style.
        scripts: scripts in assets/, in order; none leaves the page without any script.
        data: what the page carries along for programs, as JSON that nothing runs; none leaves it out.
        related: the reports beside it, linked to above everything else.
        values: what the template shows.
    """
    style = "\n".join(asset(name) for name in styles)
    script = "\n".join(asset(name) for name in scripts)
    page = environment().get_template(template)
    return page.render(
        policy=_policy(style, script),
        style=Markup("<style>" + style + "</style>") if style else "",  # noqa: S704 - an asset of ours, hashed
        script=Markup("<script>" + script + "</script>") if script else "",  # noqa: S704 - likewise
        data=_data(data, "report") if data is not None else "",
        related=related,
        **values,
    )


def _data(value: Any, name: str) -> Markup:
    """Return a block of data for a script to read by its id; the policy need not allow it, for it never runs."""
    return Markup('<script type="application/json" id="{}">{}</script>').format(name, island(value))


def _policy(style: str, script: str) -> str:
    styles, scripts = (_hash(text) if text else "'none'" for text in (style, script))
    return f"default-src 'none'; style-src {styles}; script-src {scripts}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def write(path: Path, text: str) -> None:
    """Write a page so that a reader finds the old file or the whole new one, with the same bytes on every system.

    Raises:
        OSError: the folder cannot be written to.
    """
    if path.is_dir() or not path.name:
        raise IsADirectoryError(errno.EISDIR, "this is a folder, not a file to write", str(path))
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
