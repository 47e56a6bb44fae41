"""What all tests share: where the real cases are, and the rule that a continuous-integration run skips nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"


@pytest.fixture(scope="session")
def cases() -> Path:
    """Return the folder of real pipelines beside the checkout; skip where there is none."""
    folder = Path(os.environ.get("FOUNDLOST_CASES", CASES))
    if not folder.is_dir():
        pytest.skip("the real cases are not beside this checkout")
    return folder


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the golden files anew."""
    parser.addoption("--update-golden", action="store_true", help="write tests/reports/golden/ anew")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Turn a run with skipped tests into a failed one where FOUNDLOST_NO_SKIPS is set."""
    if not os.environ.get("FOUNDLOST_NO_SKIPS") or exitstatus != pytest.ExitCode.OK:
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped"):
        reporter.write_line("tests were skipped, and FOUNDLOST_NO_SKIPS is set", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
