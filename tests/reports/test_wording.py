"""Words: sentences in pieces, names of stages and fates, and names that are safe in a command."""

from __future__ import annotations

import pytest

from reports import wording
from reports.wording import Piece, bracketed, strong, words


def test_words_keep_untrusted_text_out_of_the_pattern() -> None:
    said = words("{} of {} {}", strong("{}"), "{{x}}", bracketed("1–2"))
    assert str(said) == "{} of {{x}} (1–2)"
    assert said[0] == Piece("{}", "strong")


def test_a_pattern_must_match_its_parts() -> None:
    with pytest.raises(ValueError, match="argument 2"):
        words("{} {}", "one")


def test_sentences_leave_out_what_is_absent() -> None:
    assert str(wording.sentences(words("One."), None, words(""), words("Two."))) == "One. Two."


def test_lists() -> None:
    assert wording.listed(["a"]) == "a"
    assert wording.listed(["a", "b", "c"]) == "a, b and c"


def test_default_stages_have_words_and_others_their_name() -> None:
    assert wording.stage_words("reranked").row == "After rerank"
    assert wording.stage_words("graph hop").loss == "Lost in graph hop"
    assert wording.fate_words("never_found", None) == "Never found"
    assert wording.fate_words("lost", "packed") == "Lost in packing"
    assert wording.fate_words("reached", None) == "Reached but failed"
    assert wording.fate_words(None, None) == "Not attributable"


def test_absent_stages_are_named_only_where_the_names_are_the_default_ones() -> None:
    assert wording.absent_defaults(["candidates", "packed"]) == ["rerank stage"]
    assert wording.absent_defaults(["hop 1", "hop 2"]) == []
    assert wording.absent_defaults(["candidates", "reranked", "packed"]) == []


def test_a_run_name_a_shell_would_act_on_is_not_put_into_a_command() -> None:
    assert wording.argument("b127") == "b127"
    for name in ("$(reboot)", "a; b", "-rf", "", "x" * 49, "a\nb"):
        assert wording.argument(name) == "RUN"


def test_reasons_unknown_to_us_are_shown_as_they_are() -> None:
    assert wording.reason_words("not_indexed") == "not in the index"
    assert wording.reason_words("fell_off") == "fell off"
