"""The shell of a page: its policy fits its contents, nothing undefined passes, and files are written whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

import reports
from reports import html
from tests.reports.pages import Page, sha256

TEMPLATES = sorted((Path(reports.__file__).parent / "templates").glob("*.html"))
STYLES = sorted(path.name for path in (Path(reports.__file__).parent / "assets").glob("*.css"))


def broken() -> str:
    return html.render("broken.html", styles=("page.css",), title="T", error_line="E", command="C")


def test_the_policy_allows_the_one_style_and_nothing_else() -> None:
    page = Page(broken())
    (style,) = page.raw["style"]
    assert page.policy == (
        f"default-src 'none'; style-src {sha256(style)}; script-src 'none'; base-uri 'none'; form-action 'none'"
    )
    assert page.tags["script"] == 0


def test_what_a_template_does_not_get_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        html.render("broken.html", styles=("page.css",), title="T", error_line="E")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_templates_have_no_styles_scripts_or_handlers_of_their_own(template: Path) -> None:
    source = template.read_text("utf-8")
    assert not re.search(r"<style|<script|\sstyle=|\son\w+=|\|\s*safe|javascript:|https?://", source)


@pytest.mark.parametrize("name", STYLES)
def test_shortened_style_sheets_keep_every_rule(name: str) -> None:
    whole = (Path(reports.__file__).parent / "assets" / name).read_text("utf-8")
    short = html.asset(name)
    assert short.count("{") == whole.count("{") == short.count("}")
    assert "/*" not in short
    assert "://" not in short
    assert len(short) < len(whole)


def test_a_page_is_written_with_the_same_bytes_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    html.write(path, "a\nb – \u202e\n")
    assert path.read_bytes() == "a\nb – \u202e\n".encode()
    html.write(path, "second\n")
    assert path.read_bytes() == b"second\n"
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]


def test_a_failed_write_leaves_the_old_page_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    html.write(path, "old\n")
    with pytest.raises(UnicodeEncodeError):
        html.write(path, "new \ud800\n")
    assert path.read_text("utf-8") == "old\n"
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]
