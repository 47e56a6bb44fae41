"""The commands that write the forecast and the planning report: files, exit codes, and pages of faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports.pages import Page
from tests.reports.test_forecast_commands import HOSTILE, folder, ran, seal, tamper
from tests.test_command import one_line

__all__ = ["folder"]


def page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def test_a_forecast_is_reported_before_the_run_and_after_it_and_again_alike(folder: Path) -> None:
    seal(folder)
    assert ran(folder, "report", "forecast", "f", "-o", "f.html").stdout == "wrote f.html\n"
    assert "Recall of .85 should lift the pass rate" in page(folder / "f.html").text
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    ran(folder, "forecast", "verify", "f", "after")
    texts = []
    for _ in range(2):
        ran(folder, "report", "forecast", "f", "-o", "f.html", "--target", "0.8")
        texts.append((folder / "f.html").read_bytes())
    assert texts[0] == texts[1]
    text = page(folder / "f.html").text
    assert "Cannot tell: the pass rate came to .78" in text
    assert "Make it again: foundlost report forecast f -o f.html --target 0.8" in text


def test_a_plan_is_reported_and_again_alike(folder: Path) -> None:
    seal(folder)
    texts = []
    for _ in range(2):
        assert ran(folder, "report", "planning", "-o", "p.html", "--target", ".8").stdout == "wrote p.html\n"
        texts.append((folder / "p.html").read_bytes())
    assert texts[0] == texts[1]
    assert "One build so far, at a pass rate of .71; 1 forecast is pending" in page(folder / "p.html").text


def test_a_forecast_that_was_tampered_with_gets_the_page_that_says_so(folder: Path) -> None:
    seal(folder)
    tamper(folder, "UPDATE forecasts SET body = replace(body, '0.85', '0.84')")
    done = ran(folder, "report", "forecast", "f", "-o", "f.html", code=2)
    assert one_line(done).startswith("foundlost: forecast-tampered: ")
    text = page(folder / "f.html").text
    assert "No report: the input could not be used" in text
    assert "the forecast is not what was sealed" in text
    assert "foundlost report forecast f -o f.html" in text
    ran(folder, "report", "planning", "-o", "p.html")
    plan = page(folder / "p.html").text
    assert "not what was sealed" in plan
    assert "waits for its run" not in plan


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("forecast", "g"), "unknown-forecast"),
        (("forecast", "f", "--after", "after"), "no-verdict"),
        (("forecast", "f", "--target", "3"), "bad-share"),
        (("planning", "--target", "-1"), "bad-share"),
        (("planning", "--labels", "nowhere"), "unknown-labels"),
    ],
)
def test_bad_use_is_one_line_and_a_page(folder: Path, words: tuple[str, ...], told: str) -> None:
    seal(folder)
    done = ran(folder, "report", *words, "-o", "x.html", code=2)
    assert one_line(done).startswith(f"foundlost: {told}: ")
    assert told in page(folder / "x.html").text


def test_a_page_that_cannot_be_written_is_said(folder: Path) -> None:
    seal(folder)
    for words in (("forecast", "f"), ("planning",)):
        done = ran(folder, "report", *words, "-o", "nowhere/x.html", code=2)
        assert one_line(done).startswith("foundlost: cannot-write: ")


def test_a_hostile_name_stays_text(folder: Path) -> None:
    name = f"</script><img src=x onerror=alert(1)>{HOSTILE}"
    seal(folder, name)
    ran(folder, "report", "forecast", name, "-o", "f.html")
    ran(folder, "report", "planning", "-o", "p.html")
    for file in ("f.html", "p.html"):
        found = page(folder / file)
        assert found.tags["img"] == found.tags["script"] == 0
        assert "<img src=x" in found.text
        assert "\u202e" not in found.html
