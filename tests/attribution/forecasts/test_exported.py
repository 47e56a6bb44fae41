"""The file a forecast is exported to: checked when it is read, as strictly as what is sealed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from attribution.forecasts.sealed import canonical, exported, read_exported
from tests.attribution.forecasts.made import sealed, store_before
from traces.chain import digest
from traces.errors import InputError


def test_a_file_is_checked_when_it_is_read(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        made = sealed(store)
    file = tmp_path / "f.json"
    file.write_text(exported(made), encoding="utf-8")
    assert read_exported(file) == made
    content = json.loads(exported(made))
    for change in ({"recall_target": [0.8, 0.8]}, {"name": "g"}, {"added": 1}):
        file.write_text(json.dumps(content | {"forecast": content["forecast"] | change}), encoding="utf-8")
        with pytest.raises(InputError) as refused:
            read_exported(file)
        assert refused.value.slug == "forecast-tampered"
    for text in ("", "[]", "{}", '{"forecast": 1, "sha256": "x"}', "[" * 100_000):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as refused:
            read_exported(file)
        assert refused.value.slug == "not-a-forecast"
    with pytest.raises(InputError, match="no-file"):
        read_exported(tmp_path / "absent.json")


def test_a_file_of_a_newer_form_says_so(tmp_path: Path) -> None:
    content = {"name": "f"}
    file = tmp_path / "f.json"
    whole = {"schema": "foundlost.sealed/1", "sha256": digest(canonical(content)), "forecast": content}
    file.write_text(json.dumps(whole), encoding="utf-8")
    with pytest.raises(InputError, match="upgrade") as refused:
        read_exported(file)
    assert refused.value.slug == "not-a-forecast"


def rewritten(file: Path, change: dict[str, Any]) -> None:
    """Change a forecast file, and seal it anew."""
    content = json.loads(file.read_text(encoding="utf-8"))
    forecast = content["forecast"] | change
    whole = content | {"sha256": digest(canonical(forecast)), "forecast": forecast}
    file.write_text(json.dumps(whole), encoding="utf-8")


def test_a_file_is_taken_as_strictly_as_what_is_sealed(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        made = sealed(store)
    content = made.forecast.to_dict()
    recall, falsifiers = content["recall"], content["falsifiers"]
    file = tmp_path / "f.json"
    for field, value in (
        ("recall_target", [7, 8]),
        ("recall_target", [0.9, 0.1]),
        ("recall", recall | {"estimate": 1.5}),
        ("recall", recall | {"lower": 0.9, "upper": 0.1}),
        ("recall", recall | {"count": recall["n"] + 1}),
        ("recall", recall | {"n": 10**400}),
        ("gain", content["gain"] | {"upper": 7}),
        ("budget", -1),
        ("budget", 0),
        ("min_gain", 1.5),
        ("unjudged_limit", -0.1),
        ("questions", -1),
        ("expected", content["expected"] | {"recovered": -3}),
        ("setting", content["setting"] | {"stages": []}),
        ("name", ""),
        ("sealed_at", "2026-01-01T00:00:00"),
        ("falsifiers", []),
        ("falsifiers", [*falsifiers, falsifiers[0]]),
        ("falsifiers", [falsifiers[0] | {"name": "unknown"}]),
        ("falsifiers", [falsifiers[0] | {"margin": -0.1}]),
        ("falsifiers", [falsifiers[0] | {"power": 2}]),
        ("falsifiers", [each | {"gates": False} for each in falsifiers]),
    ):
        file.write_text(exported(made), encoding="utf-8")
        rewritten(file, {field: value})
        with pytest.raises(InputError) as refused:
            read_exported(file)
        assert (refused.value.slug, len(refused.value.line().splitlines())) == ("not-a-forecast", 1), field


def test_the_time_in_a_file_is_read_in_utc_and_is_not_yet_to_come(tmp_path: Path) -> None:
    with store_before(tmp_path) as store:
        made = sealed(store)
    file = tmp_path / "f.json"
    file.write_text(exported(made), encoding="utf-8")
    rewritten(file, {"sealed_at": "2026-01-01T03:00:00+05:00"})
    assert read_exported(file).forecast.sealed_at == datetime(2025, 12, 31, 22, tzinfo=UTC)
    rewritten(file, {"sealed_at": "2099-01-01T00:00:00Z"})
    with pytest.raises(InputError, match="yet to come") as refused:
        read_exported(file)
    assert refused.value.slug == "clock-back"
