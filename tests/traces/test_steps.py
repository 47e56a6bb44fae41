"""Named SQL steps: found by name, put in order, their parameters bound."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from traces.steps import compose
from traces.store import TraceStore

Package = Callable[..., tuple[str, ...]]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Package:
    """Return what makes an importable package of steps."""
    monkeypatch.syspath_prepend(str(tmp_path))
    made = 0

    def make(**texts: str) -> tuple[str, ...]:
        nonlocal made
        made += 1
        name = f"steps_of_{tmp_path.name.replace('-', '_')}_{made}"
        folder = tmp_path / name / "sql"
        folder.mkdir(parents=True)
        (folder.parent / "__init__.py").touch()
        for step, text in texts.items():
            (folder / f"{step}.sql").write_text(text)
        sys.modules.pop(name, None)
        return (name,)

    return make


def test_a_step_alone_is_its_own_text(package: Package) -> None:
    assert (
        compose(package(ones="-- grain: one row\nSELECT 1 AS n;\n"), "ones").sql == "-- grain: one row\nSELECT 1 AS n"
    )


def test_steps_it_rests_on_come_first_and_once(package: Package, store: TraceStore) -> None:
    steps = package(
        base="SELECT 2 AS n",
        double="SELECT 2 * n AS n FROM base",
        both="SELECT b.n AS n, d.n AS twice FROM base AS b, double AS d",
        unused="SELECT 1",
    )
    query = compose(steps, "both")
    assert query.sql.count("base AS (") == 1
    assert query.sql.index("base AS (") < query.sql.index("double AS (")
    assert "unused" not in query.sql
    assert store.step(steps, "both", {}) == [{"n": 2, "twice": 4}]


def test_steps_of_several_packages_are_known(package: Package, store: TraceStore) -> None:
    steps = package(base="SELECT 2 AS n") + package(top="SELECT n + 1 AS n FROM base")
    assert store.step(steps, "top", {}) == [{"n": 3}]


def test_a_given_step_is_a_table_already(package: Package, store: TraceStore) -> None:
    steps = package(base="SELECT 2 AS n", top="SELECT n + 1 AS n FROM base")
    store.keep_step(steps, "base", {})
    assert compose(steps, "top", given=frozenset(("base",))).sql == "SELECT n + 1 AS n FROM base"
    assert store.step(steps, "top", {}, given=frozenset(("base",))) == [{"n": 3}]


def test_words_in_comments_are_neither_steps_nor_parameters(package: Package) -> None:
    query = compose(package(base="SELECT 1", top="-- not base, nor $this\nSELECT 2 AS n"), "top")
    assert query.sql.startswith("-- not base")
    assert query.parameters == frozenset()


def test_parameters_are_bound_and_only_those_named(package: Package, store: TraceStore) -> None:
    steps = package(base="SELECT $low AS n", top="SELECT n FROM base WHERE n < $high")
    hostile = "'; DROP TABLE tags; --"
    assert compose(steps, "top").parameters == {"low", "high"}
    assert store.step(steps, "top", {"low": 1, "high": 2, "other": hostile}) == [{"n": 1}]
    assert store.step(package(text="SELECT $text AS t"), "text", {"text": hostile}) == [{"t": hostile}]
    with pytest.raises(KeyError, match="high"):
        store.step(steps, "top", {"low": 1})


def test_unknown_steps_and_circles_are_errors(package: Package) -> None:
    with pytest.raises(KeyError):
        compose(package(base="SELECT 1"), "top")
    with pytest.raises(ValueError, match="a -> b -> a"):
        compose(package(a="SELECT * FROM b", b="SELECT * FROM a"), "a")
