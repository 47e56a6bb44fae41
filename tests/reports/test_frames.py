"""Results as data frames, in pandas and in polars: every number at full precision, what is undefined missing."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.compare import compare
from attribution.forecasts.record import record
from attribution.forecasts.verify import judge
from attribution.metrics.curves import curve
from attribution.metrics.evaluate import evaluate
from attribution.project import project
from attribution.results import Attribution, Gate, Result
from reports import frames
from reports.frames import Library, frame, parts, rows_of
from tests.attribution.forecasts.made import EXAMPLE, after_of, before_of, kinds_of, sealed
from tests.attribution.made_runs import add_run, made_store
from tests.reports import made_gate
from traces.errors import UsageError

LIBRARIES: tuple[Library, ...] = ("pandas", "polars")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    """Return one result of every kind that has rows, from a store."""
    kinds = kinds_of(EXAMPLE)
    folder = tmp_path_factory.mktemp("frames")
    before = [line | {"intent": "AB"[at % 2]} for at, line in enumerate(before_of(kinds))]
    with made_store(folder, before, run="before") as store:
        forecast = sealed(store)
        add_run(store, folder, after_of(kinds), run="after")
        return [
            attribute(store, "before", Choices(by=("intent",))),
            project(store, "before", recall_range=(0.8, 0.9)),
            compare(store, "before", "after"),
            evaluate(store, "before"),
            curve(store, "before", by="depth"),
            forecast,
            judge(store, forecast, "after"),
            record(store),
            made_gate.gate("nightly"),
        ]


def columns(found: Any) -> dict[str, list[Any]]:
    """Return a frame of either library as lists, a missing value as None."""
    if hasattr(found, "to_dicts"):
        rows = found.to_dicts()
    else:
        rows = found.astype(object).where(found.notna(), None).to_dict("records")
    return {name: [row[name] for row in rows] for name in found.columns}


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_part_of_every_result_becomes_a_frame(library: Library, results: list[Result]) -> None:
    assert {type(result) for result in results} == set(frames._PARTS)
    for result in results:
        for part in parts(result):
            rows = rows_of(result, part)
            found = frame(result, part, library=library)
            assert type(found).__module__.startswith(library)
            assert found.shape == (len(rows), len({name for row in rows for name in row}))
            assert len(rows) > 0


@pytest.mark.parametrize("library", LIBRARIES)
def test_numbers_are_those_of_the_result(library: Library, results: list[Result]) -> None:
    found = results[0]
    assert isinstance(found, Attribution)
    told = columns(frame(found, library=library))
    assert told["fate"][:4] == ["never_found", "lost", "lost", "reached"]
    share = found.fates[0].share_of_failures
    assert (told["share_of_failures"][0], told["share_of_failures_lower"][0]) == (share.estimate, share.lower)
    assert (told["share_of_failures_count"][0], told["share_of_failures_n"][0]) == (89, 117)
    assert told["value"] == [None] * 4 + ["A"] * 4 + ["B"] * 4
    stages = columns(frame(found, "stages", library=library))
    assert stages["recall"][2] == found.stages[2].recall.estimate


def test_what_is_undefined_is_missing_and_says_why() -> None:
    found: Gate = made_gate.gate("nightly")
    told = columns(frame(found, library="pandas"))
    assert told["observed"] == [0.58, 0.58, 0.03, None]
    rows = rows_of(found, "slices")
    assert [(row["rule"], row["verdict"]) for row in rows] == [
        ("recall(nightlystage) >= .7", word) for word in ("fail", "pass", "cannot tell")
    ]


def test_a_part_that_is_not_there_is_told_in_one_line(results: list[Result]) -> None:
    with pytest.raises(UsageError, match="unknown-part: a Attribution has no part 'stage'; did you mean stages"):
        rows_of(results[0], "stage")
    with pytest.raises(UsageError, match="unknown-part: a Policy has no rows"):
        rows_of(made_gate.gate("x").policy)


def test_pandas_is_taken_before_polars_and_neither_is_told(
    results: list[Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert type(frame(results[0])).__module__.startswith("pandas")
    real = importlib.util.find_spec
    for gone, left in ((("pandas",), "polars"), (("pandas", "polars"), None)):
        monkeypatch.setattr(importlib.util, "find_spec", lambda name, gone=gone: None if name in gone else real(name))
        if left is not None:
            assert type(frame(results[0])).__module__.startswith(left)
            continue
        with pytest.raises(UsageError, match="no-data-frames: pandas and polars are not installed"):
            frame(results[0])
        with pytest.raises(UsageError, match="no-data-frames: polars is not installed"):
            frame(results[0], library="polars")


def test_neither_library_is_loaded_before_it_is_asked_for(tmp_path: Path) -> None:
    late = ("pandas", "polars", "IPython")
    script = f"import sys, reports.frames, reports.notebook; print([m for m in {late} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
