"""The runs a store holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.traces.made import everything, ingest, trace, write
from traces.errors import UsageError
from traces.imports import import_documents, import_labels, import_outcomes
from traces.runs import drop_run, list_runs, require_run, run_stages
from traces.store import TraceStore


def test_runs_are_listed_in_the_order_they_came(store: TraceStore, tmp_path: Path) -> None:
    assert list_runs(store) == []
    header = {"run": {"build": "7", "model": "m", "prompt": "p", "judge": "j", "synthetic": "s"}}
    ingest(store, tmp_path, header, trace("q1"), trace("q1", repeat=1, passed=None, score=1), "{", run_id="z")
    ingest(store, tmp_path, trace("q2", passed=False), run_id="z", name="more")
    ingest(store, tmp_path, trace("q1", passed=None), run_id="a", name="a")
    first, second = list_runs(store)
    assert first == {
        "run_id": "z",
        "build": "7",
        "created_at": None,
        "model": "m",
        "prompt": "p",
        "judge": "j",
        "synthetic": "s",
        "stages": ["candidates", "reranked", "packed"],
        "questions": 2,
        "repeats": 3,
        "passed": 1,
        "failed": 1,
        "unknown": 1,
        "quarantined": 1,
        "sources": 2,
    }
    assert (second["run_id"], second["passed"], second["failed"], second["unknown"]) == ("a", 0, 0, 0)


def test_stages_are_given_in_order_with_their_cutoffs(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace(), cuts={"packed": 3}, run_id="r")
    assert run_stages(store, "r")[2] == {"stage": "packed", "position": 3, "cutoff": 3}
    assert run_stages(store, "none") == []


def test_an_unknown_run_is_refused_with_advice(store: TraceStore, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        require_run(store, "nightly")
    assert (caught.value.slug, caught.value.hint) == ("unknown-run", "there are none yet")
    for name in ("nightly-1", "nightly-2", "weekly"):
        ingest(store, tmp_path, trace(), run_id=name, name=name)
    require_run(store, "weekly")
    with pytest.raises(UsageError) as caught:
        require_run(store, "nightly")
    assert caught.value.hint == "did you mean nightly-2, nightly-1?"
    with pytest.raises(UsageError) as caught:
        require_run(store, "zzz")
    assert caught.value.hint == "there are nightly-1, nightly-2, weekly"


def test_a_dropped_run_leaves_the_others_as_they_were_and_can_be_ingested_again(
    store: TraceStore, tmp_path: Path
) -> None:
    record = trace("q1", gold=["d1"], tags={"lang": "en"}, stages=[{"stage": "packed", "query": "x", "items": ["d1"]}])
    ingest(store, tmp_path, trace("q1", gold=["d2"]), run_id="kept", name="kept")
    import_labels(store, write(tmp_path, '{"query_id": "q1", "doc_id": "d1"}', name="labels"), name="team")
    import_documents(store, write(tmp_path, '{"doc_id": "d1"}', name="documents"))
    before = everything(store)
    ingest(store, tmp_path, record, "{", run_id="gone", name="gone")
    outcomes = write(tmp_path, '{"query_id": "q1", "passed": true, "judge": "other"}', name="outcomes")
    import_outcomes(store, outcomes, run_id="gone")
    held = everything(store)

    drop_run(store, "gone")
    after = everything(store)
    gone = [row for row in after.pop("sources") if row not in before["sources"]]
    assert [row[1] for row in gone] == ["dropped", "dropped"]
    before.pop("sources")
    seen = {row[:2] for row in after.pop("dropped_outcomes")}
    assert seen == {("gone", row[4]) for row in gone}  # only that its outcomes were seen is kept
    assert before.pop("dropped_outcomes") == []
    assert after == before

    report = ingest(store, tmp_path, record, "{", run_id="gone", name="gone")
    assert not report.skipped_same_bytes
    import_outcomes(store, outcomes, run_id="gone")
    again = everything(store)
    kept = set(held) - {"sources", "dropped_outcomes"}
    assert {table: len(again[table]) for table in kept} == {table: len(held[table]) for table in kept}
    assert again["hits"] == held["hits"]


def test_numbers_of_dropped_sources_are_not_used_again(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace(gold=["d1"]), run_id="a", labels="team")
    drop_run(store, "a")
    assert store.value("SELECT count(*) FROM judgments WHERE label_set = 'team'") == 1
    ingest(store, tmp_path, trace(), run_id="b", name="b")
    assert store.rows("SELECT source_id, kind FROM sources ORDER BY source_id") == [
        {"source_id": 1, "kind": "dropped"},
        {"source_id": 2, "kind": "run"},
    ]


def test_an_unknown_run_cannot_be_dropped(store: TraceStore) -> None:
    with pytest.raises(UsageError, match="there is no run 'x'"):
        drop_run(store, "x")
