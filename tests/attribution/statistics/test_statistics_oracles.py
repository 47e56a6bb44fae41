"""Every reference value is reproduced by the function that claims to compute it."""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.attribution.statistics import rejected_methods

DATA = Path(__file__).parents[2] / "data"
CASES: list[dict[str, Any]] = [
    case
    for path in sorted(DATA.glob("statistics_oracles*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))
]
# Every oracle_adapters*.py beside this file says in COMPUTED how its cases are computed.
ADAPTERS = [
    importlib.import_module(f"{__package__}.{path.stem}") for path in Path(__file__).parent.glob("oracle_adapters*.py")
]
COMPUTED: dict[str, Callable[[Any], Any]] = {name: how for each in ADAPTERS for name, how in each.COMPUTED.items()}


def flat(values: Any) -> list[float]:
    return [each for value in values for each in flat(value)] if isinstance(values, list) else [values]


def agrees(found: Any, expected: Any, tolerance: float) -> bool:
    if isinstance(expected, dict):
        return all(agrees(found[key], value, tolerance) for key, value in expected.items())
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(agrees, found, expected, [tolerance] * len(expected)))
    if isinstance(expected, str | bool) or expected is None:
        return bool(found == expected)
    return isinstance(found, int | float) and math.isfinite(found) and abs(found - expected) <= tolerance


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_every_reference_value_is_reproduced(case: dict[str, Any]) -> None:
    name = case["id"]
    if name in rejected_methods.REFERENCES:
        reference, ours, distance = rejected_methods.REFERENCES[name]
        found = reference(case["inputs"])
        # Another method for the same quantity: it must come close to ours without being it.
        gaps = [abs(a - b) for a, b in zip(found, ours(case["inputs"]), strict=True)]
        assert 0.0 < max(gaps) <= distance
        expected = flat(case["expected"])
    else:
        found, expected = COMPUTED[name](case["inputs"]), case["expected"]
    assert agrees(found, expected, case["tolerance"]), f"{name}: {found} against {expected}"


def test_no_implementation_is_left_without_a_case() -> None:
    assert len(COMPUTED) == sum(len(each.COMPUTED) for each in ADAPTERS)
    assert {case["id"] for case in CASES} == COMPUTED.keys() | rejected_methods.REFERENCES.keys()
