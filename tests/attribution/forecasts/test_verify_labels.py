"""Claims about the labels: what an audit finds that they lack, and documents that nobody judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attribution.forecasts.verify import verify
from tests.attribution.forecasts.made import (
    EXAMPLE,
    after_of,
    before_of,
    kinds_of,
    of,
    sealed,
    store_before,
)
from tests.attribution.made_runs import add_run, write_lines
from traces.imports import import_labels


@pytest.mark.parametrize(
    ("searched", "surprises", "verdict"),
    [(0, 0, "not tested"), (60, 0, "held"), (60, 30, "refuted"), (10, 1, "cannot tell")],
)
def test_an_audit_bounds_what_the_labels_miss(tmp_path: Path, searched: int, surprises: int, verdict: str) -> None:
    kinds = kinds_of(EXAMPLE)
    audit: list[dict[str, Any]] = [{"query_id": f"q{i}", "doc_id": "new"} for i in range(surprises)]
    audit += [{"query_id": f"q{i}", "grade": 0} for i in range(surprises, searched)]
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds), run="after")
        if audit:
            import_labels(store, write_lines(tmp_path / "audit.jsonl", audit), name="audit", kind="audit")
        found = verify(store, "f", "after")
    assert of(found, "audit").verdict == verdict
    if searched:
        realised = of(found, "audit").realised
        assert realised is not None
        assert (realised.count, realised.n) == (surprises, searched)


def test_an_audit_that_finds_what_the_labels_have_is_no_surprise(tmp_path: Path) -> None:
    audit = [{"query_id": f"q{i}", "doc_id": "g"} for i in range(50)]
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds_of(EXAMPLE)), run="after")
        import_labels(store, write_lines(tmp_path / "audit.jsonl", audit), name="audit", kind="audit")
        found = verify(store, "f", "after")
    assert of(found, "audit").verdict == "held"


def test_unjudged_documents_that_become_frequent_refute(tmp_path: Path) -> None:
    """Labels made from the earlier run's lists file what a new retriever finds as still missing."""
    kinds = kinds_of(EXAMPLE)
    judgments = [
        {"query_id": f"q{i}", "doc_id": doc, "grade": int(doc == "g")} for i in range(len(kinds)) for doc in "gx"
    ]
    bare = [{k: v for k, v in each.items() if k != "gold"} for each in before_of(kinds)]
    later = [{k: v for k, v in each.items() if k != "gold"} for each in after_of(kinds)]
    for each in later[:60]:
        each["stages"] = {name: [*docs, "new"] for name, docs in each["stages"].items()}
    with store_before(tmp_path, bare) as store:
        import_labels(store, write_lines(tmp_path / "l.jsonl", judgments), name="pool")
        assert sealed(store, margin=0.04).forecast.unjudged.count == 0
        sealed(store, "wide", margin=0.04, unjudged_limit=0.2)
        add_run(store, tmp_path, later, run="after")
        found, wide = verify(store, "f", "after"), verify(store, "wide", "after")
    assert of(found, "unjudged").realised is not None
    assert (of(found, "unjudged").realised.count, of(found, "unjudged").realised.n) == (60, 460)  # type: ignore[union-attr]
    assert (of(found, "unjudged").verdict, of(wide, "unjudged").verdict) == ("refuted", "held")
