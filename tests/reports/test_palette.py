"""Colours: the same light ones in the marks and the style sheet, dark to light in pipeline order, text readable."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import reports
from reports.view.palette import KEPT, LOSSES, PALE, REACHED, RIGHT, UNKNOWN, step

ASSETS = Path(reports.__file__).parent / "assets"
COLOURS = (*LOSSES, *PALE, REACHED, KEPT, RIGHT, UNKNOWN)


def luminance(colour: str) -> float:
    """Return the relative luminance WCAG 2 defines."""
    digits = colour.lstrip("#")
    digits = digits if len(digits) == 6 else "".join(d * 2 for d in digits)
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours."""
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def themes(name: str) -> tuple[str, str]:
    """Return the light and the dark part of a style sheet."""
    light, dark = (ASSETS / name).read_text("utf-8").split("@media screen and (prefers-color-scheme: dark)", 1)
    return light, dark


def test_the_style_sheet_has_each_mark_in_its_own_colour_and_a_dark_one() -> None:
    light, dark = (dict(re.findall(r"\.(\w+) \{ --c: (#\w+) \}", part)) for part in themes("palette.css"))
    for colour in COLOURS:
        assert light[colour.name] == colour.fill
        assert dark[colour.name] != colour.fill
    assert light.keys() == dark.keys()


@pytest.mark.parametrize("theme", [0, 1])
def test_losses_run_dark_to_light_or_away_from_the_page(theme: int) -> None:
    part = dict(re.findall(r"\.(loss\d+) \{ --c: (#\w+) \}", themes("palette.css")[theme]))
    ramp = [luminance(part[f"loss{i}"]) for i in range(len(LOSSES))]
    assert ramp == sorted(ramp)


@pytest.mark.parametrize("kinds", range(1, 14))
def test_each_kind_of_loss_has_a_colour_of_its_own(kinds: int) -> None:
    steps = [step(i, kinds) for i in range(kinds)]
    assert len(set(steps)) == kinds
    assert steps == sorted(steps)
    assert steps[0] == 0


def test_the_default_stages_take_the_three_named_colours() -> None:
    assert [LOSSES[step(i, 3)].fill for i in range(3)] == ["#7c1d45", "#d4544f", "#efaa4b"]


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize("ink", ["ink", "ink2", "ink3"])
def test_text_can_be_read_on_every_ground(theme: int, ink: str) -> None:
    part = dict(re.findall(r"--([\w]+): (#\w+)", themes("page.css")[theme]))
    grounds = ["bg", "panel"] + (["mark"] if ink == "ink" else [])
    for ground in grounds:
        assert contrast(part[ink], part[ground]) >= 4.5, (ink, ground)
