"""Each boundary keeps hostile text inert and honest text readable."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from reports.safe_text import cell, cut, file_name, file_names, island, plain, prose, show

PAYLOADS: list[str] = json.loads((Path(__file__).parents[1] / "data" / "payloads.json").read_text("utf-8"))["payloads"]
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))


class Reader(HTMLParser):
    """Collects the tags and the text a browser would see."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag with its attributes."""
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def hidden(text: str) -> list[str]:
    """Characters a reader could not see or that reorder what is read, by Unicode's own account."""
    return [c for c in text if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} or unicodedata.bidirectional(c) in
            {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}]  # fmt: skip


def test_there_are_24_payloads() -> None:
    assert len(PAYLOADS) == 24


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(24))
def test_show_yields_only_marks_of_its_own(payload: str) -> None:
    seen = read(show(payload))
    assert {(tag, tuple(attrs)) for tag, attrs in seen.tags} <= {
        ("span", (("class", "ctl"),)),
        ("span", (("class", "more"),)),
    }
    assert not [c for c in hidden(seen.text) if c not in "\n\t"]
    show(payload).encode("utf-8")


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(24))
def test_plain_is_one_clean_line(payload: str) -> None:
    line = plain(payload)
    assert not hidden(line)
    assert len(line) <= 200
    line.encode("utf-8")


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(24))
def test_island_holds_the_exact_text_in_harmless_characters(payload: str) -> None:
    text = island({payload: [payload]})
    assert json.loads(text) == {payload: [payload]}
    assert text.isascii()
    assert not set("<>&") & set(text)


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(24))
def test_cell_never_starts_a_formula(payload: str) -> None:
    out = io.StringIO()
    csv.writer(out).writerow(["before", cell(payload), "after"])
    (row,) = csv.reader(io.StringIO(out.getvalue()))
    assert row[0] == "before"
    assert row[2] == "after"
    assert row[1].lstrip()[:1] not in set("=+-@|%\uff1d")
    assert not hidden(row[1])


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(24))
def test_file_name_stays_in_its_folder(payload: str, tmp_path: Path) -> None:
    path = tmp_path / file_name(payload)
    path.write_text("x")
    assert path.resolve().parent == tmp_path.resolve()
    assert not path.name.startswith((".", "-"))
    assert len(path.name) <= 90


@given(ANY_TEXT)
def test_no_text_at_all_makes_markup(text: str) -> None:
    seen = read(show(text))
    assert {tag for tag, _ in seen.tags} <= {"span"}
    assert not hidden(plain(text))
    paired = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert json.loads(island(text)) == paired


@given(ANY_TEXT, ANY_TEXT)
def test_distinct_texts_get_distinct_file_names(first: str, second: str) -> None:
    assert (file_name(first) == file_name(second)) == (first == second)


def test_show_writes_what_it_found() -> None:
    assert show("user\u202egnp.exe") == Markup('user<span class="ctl">U+202E</span>gnp.exe')
    assert show("\x1b[31mred\x1b[0m & <b>") == Markup("red &amp; &lt;b&gt;")
    assert show("tag\U000e0041") == Markup('tag<span class="ctl">U+E0041</span>')


def test_show_says_how_much_it_cut() -> None:
    assert show("x" * 3500) == "x" * 2000 + '<span class="more">… 1,500 more characters</span>'


def test_show_keeps_persian_and_family_emoji_whole() -> None:
    for text in ("می‌خواهم", "👩‍👩‍👧", "❤️", "क्‍ष", "هل يمكن نقل الفهرس", "索引の再構築", "🏳️‍🌈", "1️⃣", "👩🏽‍💻"):
        assert str(show(text)) == text


@pytest.mark.parametrize(
    "text", ["a\u200db", "pay\u200cload", "❤\ufe0f\ufe0f", "1\ufe0f", "a\ufe0f\u200db", "\u2800", "a\u3164", "x\u00ad"]
)
def test_joiners_and_blanks_that_carry_nothing_are_seen(text: str) -> None:
    assert 'class="ctl"' in show(text)
    assert "\ufffd" in plain(text)


def test_prose_keeps_numbers_apart_from_words_written_from_right_to_left() -> None:
    assert prose("lost in نقل الفهرس…, 33 <b>") == "lost in <bdi>نقل الفهرس…</bdi>, 33 &lt;b&gt;"
    assert prose("نقل and فهرس") == "<bdi>نقل</bdi> and <bdi>فهرس</bdi>"
    assert prose("plain\u061c") == show("plain\u061c")


def test_an_unclosed_escape_sequence_leaves_no_control() -> None:
    assert plain("\x1b]8;;http://example.org") == "8;;http://example.org"
    assert plain("end\x1b") == "end\ufffd"


def test_cut_is_one_line_with_an_ellipsis() -> None:
    assert cut("  one\n\ttwo  three ", 90) == "one two three"
    assert cut("abcdefgh", 5) == "abcd…"
    assert cut("abcde", 5) == "abcde"


def test_island_refuses_what_json_cannot_say() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        island([float("nan")])


def test_cell_leaves_numbers_alone() -> None:
    assert [cell(v) for v in (None, 3, -0.5, "-3", "plain", "two\nlines", "’=1")] == [
        "", "3", "-0.5", "'-3", "plain", "two lines", "’=1"]  # fmt: skip


def test_file_names_worth_keeping_are_kept() -> None:
    assert file_name("b127") == "b127"
    assert file_name("CON").startswith("unnamed-")
    assert file_name("nul.txt").startswith("unnamed-")
    assert file_name("").startswith("unnamed-")
    assert file_name("a/b") != file_name("a:b")


def test_file_names_differ_even_where_case_does_not_count() -> None:
    texts = [
        "q1",
        "Q1",
        "a/b",
        "a:b",
        file_name("a/b"),
        "q1",
        "",
        "..",
        "../../x",
        "con",
        "x" * 5000,
        "\ud800",
        "ß",
        "SS",
    ]
    names = file_names(texts)
    assert names[0] == "q1"
    assert len({name.casefold() for name in names}) == len(texts)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,89}", name) for name in names)
