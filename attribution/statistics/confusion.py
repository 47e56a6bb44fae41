"""Items by their truth and by a judge's verdict of pass or fail."""

from __future__ import annotations

import operator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Items by truth and by the judge's verdict.

    Attributes:
        true_pass: pass in truth, judged pass.
        false_fail: pass in truth, judged fail.
        false_pass: fail in truth, judged pass.
        true_fail: fail in truth, judged fail.
    """

    true_pass: int
    false_fail: int
    false_pass: int
    true_fail: int

    def __post_init__(self) -> None:
        """Refuse negative counts.

        Raises:
            ValueError: a count is negative.
        """
        if min(map(operator.index, (self.true_pass, self.false_fail, self.false_pass, self.true_fail))) < 0:
            raise ValueError("counts of judged items cannot be negative")

    @property
    def passes(self) -> int:
        """Items that pass in truth."""
        return self.true_pass + self.false_fail

    @property
    def fails(self) -> int:
        """Items that fail in truth."""
        return self.false_pass + self.true_fail

    def plus(self, other: Confusion) -> Confusion:
        """Return the items of both together.

        >>> items = Confusion(true_pass=6, false_fail=1, false_pass=0, true_fail=3)
        >>> items.plus(items).passes
        14
        """
        return Confusion(
            true_pass=self.true_pass + other.true_pass,
            false_fail=self.false_fail + other.false_fail,
            false_pass=self.false_pass + other.false_pass,
            true_fail=self.true_fail + other.true_fail,
        )
