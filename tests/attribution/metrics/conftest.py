"""Where published runs and judgments of the peers' own tests are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples" / "trec"


@pytest.fixture(scope="session")
def trec_samples() -> Path:
    """Return the folder of published TREC files beside the checkout; skip where there is none."""
    folder = Path(os.environ.get("FOUNDLOST_TREC_SAMPLES", SAMPLES))
    if not folder.is_dir():
        pytest.skip("the published TREC files are not beside this checkout")
    return folder
