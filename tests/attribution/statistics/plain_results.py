"""What every result must be, whatever the counts."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from attribution.statistics.interval import Interval


def check_plain(found: Any) -> None:
    """A result is plain JSON without NaN, every estimate within its limits."""
    plain = dataclasses.asdict(found)
    json.dumps(plain, allow_nan=False, default=list)
    parts = [found, *(getattr(found, field.name) for field in dataclasses.fields(found))]
    for each in parts:
        if not isinstance(each, Interval):
            continue
        lower, upper = each.bounds
        assert lower <= upper
        assert each.estimate is not None or each.reason is not None
        if each.estimate is not None:
            assert type(each.estimate) is float
            assert lower <= each.estimate <= upper
