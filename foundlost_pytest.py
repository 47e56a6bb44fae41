"""Pytest plugin: assert recall, pass rates and drops of a run in a test suite, on their ranges.

It lies beside `foundlost` and under a name of its own, because pytest loads it at the start of every suite in the
environment: such a suite may have a package called ``reports``, and must neither trip over ours nor wait for it. So
nothing of foundlost is imported until something is asserted.

    from foundlost_pytest import assert_no_drop, assert_recall

    def test_retrieval():
        assert_recall("nightly", stage="packed", at_least=0.55)
        assert_no_drop("nightly", "last-release", of="recall(packed)", at_most=0.03)
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NoReturn

import pytest

if TYPE_CHECKING:
    from attribution.choices import Choices
    from attribution.results import Gate

__all__ = ["assert_no_drop", "assert_pass_rate", "assert_recall", "assert_rule"]

Unsure = Literal["fail", "skip", "xfail"]
DEFAULT_DB = "foundlost.duckdb"
CHOICES: tuple[Unsure, ...] = ("fail", "skip", "xfail")


@dataclass(frozen=True)
class _Settings:
    """Where the store is and what a rule that cannot be told does to a test."""

    db: Path
    unsure: Unsure


_SETTINGS: list[_Settings] = []  # one a running session: pytest can run inside pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and their lines for the ini file."""
    group = parser.getgroup("foundlost", "assertions about retrieval runs")
    group.addoption("--foundlost-db", metavar="FILE", help="The foundlost store. Default: ini foundlost_db.")
    group.addoption(
        "--foundlost-cannot-tell", choices=CHOICES,
        help="What a rule that cannot be told does to its test. Default: ini foundlost_cannot_tell, else fail.",
    )  # fmt: skip
    parser.addini(
        "foundlost_db", "The foundlost store, from the root folder. Default: $FOUNDLOST_DB, else foundlost.duckdb."
    )
    parser.addini("foundlost_cannot_tell", "fail, skip or xfail: what a rule that cannot be told does to its test.")


def pytest_configure(config: pytest.Config) -> None:
    """Settle where the store is."""
    unsure = config.getoption("--foundlost-cannot-tell") or config.getini("foundlost_cannot_tell") or "fail"
    if unsure not in CHOICES:
        raise pytest.UsageError(f"foundlost_cannot_tell is one of {', '.join(CHOICES)}, not {unsure!r}")
    _SETTINGS.append(_Settings(_db(config), unsure))


def pytest_unconfigure() -> None:
    """Forget it."""
    if _SETTINGS:
        _SETTINGS.pop()


def _db(config: pytest.Config) -> Path:
    """Return the store: of the option as a shell would take it, of the ini file from the root folder."""
    if given := config.getoption("--foundlost-db"):
        return Path(given).absolute()
    if written := config.getini("foundlost_db"):
        return config.rootpath / str(written)
    return Path(os.environ.get("FOUNDLOST_DB", DEFAULT_DB)).absolute()


def assert_recall(
    run: str,
    *,
    at_least: float,
    stage: str | None = None,
    choices: Choices | None = None,
    db: Path | str | None = None,
    cannot_tell: Unsure | None = None,
) -> None:
    """Assert that the recall of a run is at least so much.

    Args:
        run: name of the run in the store.
        at_least: the recall, above 0 and below 1.
        stage: where; None for the last stage.
        choices: conventions; None for the defaults with ranges of 90%.
        db: the store; None for the one configured.
        cannot_tell: what the test does if this cannot be told; None for what is configured.

    Raises:
        AssertionError: it is not, or it cannot be told and that counts as failing.
        FoundlostError: there is no such store, run or stage.
    """
    __tracebackhide__ = True
    from attribution.gate.rules import BoundRule, Quantity

    rule = BoundRule(Quantity("recall", stage), ">=", float(at_least))
    assert_rule(run, str(rule), choices=choices, db=db, cannot_tell=cannot_tell)


def assert_pass_rate(
    run: str,
    *,
    at_least: float,
    choices: Choices | None = None,
    db: Path | str | None = None,
    cannot_tell: Unsure | None = None,
) -> None:
    """Assert that the pass rate of a run is at least so much; otherwise as `assert_recall`."""
    __tracebackhide__ = True
    assert_rule(run, f"pass >= {float(at_least)!r}", choices=choices, db=db, cannot_tell=cannot_tell)


def assert_no_drop(
    run: str,
    baseline: str,
    *,
    of: str = "pass",
    at_most: float = 0.0,
    choices: Choices | None = None,
    db: Path | str | None = None,
    cannot_tell: Unsure | None = None,
) -> None:
    """Assert that a run is not worse than its baseline, by more than so much, on the questions of both.

    Args:
        run: name of the run in the store.
        baseline: the run it must not fall behind.
        of: what: ``pass``, ``recall(STAGE)``, or a metric such as ``nDCG@10(reranked)``.
        at_most: the drop that is put up with, as a share. At 0 only a rise can be told.
        choices: as in `assert_recall`.
        db: as in `assert_recall`.
        cannot_tell: as in `assert_recall`.

    Raises:
        AssertionError: it is worse, or it cannot be told and that counts as failing.
        FoundlostError: there is no such store, run or stage, or the runs were judged otherwise than each other.
    """
    __tracebackhide__ = True
    rule = f"drop({of}) <= {float(at_most)!r}"
    assert_rule(run, rule, baseline=baseline, choices=choices, db=db, cannot_tell=cannot_tell)


def assert_rule(
    run: str,
    rule: str,
    *,
    baseline: str | None = None,
    choices: Choices | None = None,
    db: Path | str | None = None,
    cannot_tell: Unsure | None = None,
) -> None:
    """Assert that a run keeps a rule, written as for ``foundlost gate --rule``; otherwise as `assert_recall`."""
    __tracebackhide__ = True
    settings = _SETTINGS[-1] if _SETTINGS else _Settings(Path(DEFAULT_DB), "fail")
    found = _judged(Path(db) if db is not None else settings.db, run, rule, baseline, choices)
    if found.verdict == "pass":
        return
    told = _told(found)
    if found.verdict == "cannot tell":
        _unsure(cannot_tell or settings.unsure, told)
    raise AssertionError(told)


def _judged(db: Path, run: str, rule: str, baseline: str | None, choices: Choices | None) -> Gate:
    from foundlost import shadowed

    __tracebackhide__ = True
    if clauses := shadowed():
        raise ImportError(f"{'; '.join(clauses)}; install foundlost into an environment of its own")
    from attribution.gate.judge import gate
    from attribution.gate.rules_file import gather_rules
    from traces.store import TraceStore

    with TraceStore.read(db) as store:
        return gate(store, run, gather_rules([rule], None), baseline=baseline, choices=choices)


def _told(found: Gate) -> str:
    """Return the failure text: what was seen with its range and n, what would decide it, and the warnings."""
    from reports.gate_words import sentence
    from reports.safe_text import plain

    against = f" against {found.baseline}" if found.baseline is not None else ""
    lines = [f"run {found.run}{against}: {sentence(found.rules[0])}", f"range: {found.policy.level:.0%} interval"]
    labels = f"labels: {found.labels.name} v{found.labels.version}" if found.labels.name else "labels: none"
    notes = [f"note: {warning.message}" for warning in found.warnings]
    return "\n".join(plain(line, 1_000) for line in [*lines, labels, *notes])


def _unsure(what: Unsure, told: str) -> None:
    __tracebackhide__ = True
    if what == "skip":
        pytest.skip(told)
    if what == "xfail":
        _xfail(told)


def _xfail(told: str) -> NoReturn:
    __tracebackhide__ = True
    pytest.xfail(told)
