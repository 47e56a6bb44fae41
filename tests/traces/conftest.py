"""Stores for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from traces.store import TraceStore


@pytest.fixture
def store() -> Iterator[TraceStore]:
    """Return an empty store in memory."""
    with TraceStore.in_memory() as opened:
        yield opened
