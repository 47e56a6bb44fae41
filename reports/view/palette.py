"""Colours of the marks: the class a style sheet takes hold of, and the fill that stays where style is stripped.

Losses run dark to light in pipeline order, so an earlier loss looks heavier. The ramp has thirteen steps through the
three colours of the default stages, evenly spaced in OKLab; a pipeline with fewer kinds of loss takes evenly spaced
ones of them. The fills are those of the light theme; assets/palette.css has them too, and the dark ones.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Colour:
    """A kind of mark: its class, its fill in the light theme, and whether it is hatched as well."""

    name: str
    fill: str
    hatched: bool = False


def _ramp(name: str, fills: str) -> tuple[Colour, ...]:
    return tuple(Colour(f"{name}{i}", f"#{fill}") for i, fill in enumerate(fills.split()))


LOSSES = _ramp("loss", "7c1d45 8a2748 98304a a7394c b6424d c54b4e d4544f d9644f de724f e3814f e78f4e eb9c4d efaa4b")
PALE = _ramp("pale", "e2c6d2 e5c9d2 e9cbd2 ecced2 f0d0d2 f3d3d2 f7d5d2 f8d8d0 f9dacf faddcd fae0cb fbe2ca fce5c8")
REACHED = Colour("reached", "#2f67ad", hatched=True)
KEPT = Colour("kept", "#c9d3dc")
RIGHT = Colour("right", "#44525f")
UNKNOWN = Colour("unknown", "#aab6c1")


def step(position: int, kinds: int) -> int:
    """Return which step of the ramp the loss at ``position`` takes, of ``kinds`` kinds in pipeline order."""
    last = len(LOSSES) - 1
    return 0 if kinds < 2 else min(last, round(position * last / (kinds - 1)))
