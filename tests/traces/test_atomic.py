"""All of a file or nothing: the same bytes again, kills, full disks, locks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.traces.made import RUN, Heard, everything, ingest, trace, write
from traces.errors import InputError, StoreError
from traces.ingest import ingest_run
from traces.store import TraceStore


def many(folder: Path, count: int, *, answer: int = 0) -> Path:
    """Write traces of 101 items each, with a random answer of so many bytes, which does not compress."""
    stages = {"candidates": [{"doc_id": f"document-{n}", "score": n / 7} for n in range(100)], "packed": ["document-1"]}
    held = f'"stages": {json.dumps(stages)}, "passed": true, "gold": ["document-1"]'
    path = folder / "many.jsonl"
    with path.open("w") as file:
        for number in range(count):
            file.write(f'{{"query_id": "q{number}", "answer": "{os.urandom(answer // 2).hex()}", {held}}}\n')
    return path


def test_the_same_bytes_again_change_no_table(tmp_path: Path) -> None:
    path = write(tmp_path, {"run": {"build": "7"}}, trace("q1", gold=["d1"]), trace("q1"), trace("q2", latency=3))
    with TraceStore.write(tmp_path / "s.duckdb") as store:
        first = ingest_run(store, [path], run_id=RUN)
        before = everything(store)
        again = ingest_run(store, [path], run_id=RUN)
        assert everything(store) == before
    assert not first.skipped_same_bytes
    assert again.skipped_same_bytes
    assert (again.records, again.quarantined, again.counts) == (0, 0, {})
    assert again.notes == (f"these bytes are stored already, nothing was changed: {path}",)


def test_the_same_bytes_under_another_name_change_nothing(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace())
    before = everything(store)
    assert ingest(store, tmp_path, trace(), name="copy.jsonl").skipped_same_bytes
    assert everything(store) == before


def test_the_same_bytes_may_go_to_another_run(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace())
    assert ingest(store, tmp_path, trace(), run_id="other").records == 1


def test_the_same_bytes_with_other_options_are_refused_with_what_to_do(store: TraceStore, tmp_path: Path) -> None:
    ingest(store, tmp_path, trace())
    before = everything(store)
    with pytest.raises(InputError) as caught:
        ingest(store, tmp_path, trace(), cuts={"packed": 1})
    assert (caught.value.slug, caught.value.hint) == ("other-options", f"run 'foundlost drop {RUN}' first")
    assert everything(store) == before


def test_new_files_are_taken_beside_known_ones(store: TraceStore, tmp_path: Path) -> None:
    known, new = write(tmp_path, trace("q1"), name="a"), write(tmp_path, trace("q2"), name="b")
    ingest_run(store, [known], run_id=RUN)
    report = ingest_run(store, [known, new, new], run_id=RUN)
    assert (report.records, report.skipped_same_bytes, len(report.sources), len(report.notes)) == (1, False, 3, 2)


KILLED = """
import sys
from traces.ingest import ingest_run
from traces.store import TraceStore

class Slow:
    def start(self, total, name): print("started", flush=True)
    def advance(self, read): print("read", flush=True)
    def done(self): pass

with TraceStore.write(sys.argv[1]) as store:
    ingest_run(store, [sys.argv[2]], run_id="killed", progress=Slow())
"""


@pytest.mark.parametrize("after", [1, 4, 9])
def test_a_kill_in_the_middle_leaves_nothing_half_written(tmp_path: Path, after: int) -> None:
    database = tmp_path / "s.duckdb"
    with TraceStore.write(database) as store:
        ingest(store, tmp_path, trace("q1", gold=["d1"]))
        before = everything(store)
    path = many(tmp_path, 12_000)
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(database), str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    for _ in range(after):
        assert child.stdout.readline()
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert child.returncode == -signal.SIGKILL
    with TraceStore.write(database) as store:
        assert everything(store) == before
        assert ingest_run(store, [path], run_id="killed").records == 12_000
        assert store.value("SELECT count(*) FROM hits WHERE run_id = 'killed'") == 24_000


def test_an_error_in_the_middle_leaves_nothing_and_the_store_usable(
    store: TraceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("traces.trace_rows.BATCH_TRACES", 2)
    before = everything(store)
    path = write(tmp_path, *(trace(f"q{n}") for n in range(20)), name="whole.jsonl")

    class Interrupting(Heard):
        def advance(self, read_bytes: int) -> None:
            """Break off at the end of the file, when all but the last batch is in the store."""
            super().advance(read_bytes)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest_run(store, [path], run_id=RUN, progress=Interrupting())
    assert everything(store) == before
    assert ingest_run(store, [path], run_id=RUN).records == 20


FULL = """
import resource, signal, sys
from traces.errors import StoreError
from traces.ingest import ingest_run
from traces.store import TraceStore

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))
try:
    with TraceStore.write(sys.argv[1]) as store:
        ingest_run(store, [sys.argv[2]], run_id="full")
except StoreError as error:
    print(error.slug)
"""


@pytest.mark.parametrize("answer", [0, 1_000])  # the write-ahead log fills the room, or the file itself does
def test_a_full_disk_is_told_and_leaves_what_was_there(tmp_path: Path, answer: int) -> None:
    database = tmp_path / "s.duckdb"
    with TraceStore.write(database) as store:
        ingest(store, tmp_path, trace("q1"))
        before = everything(store)
    path = many(tmp_path, 12_000, answer=answer)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(database), str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "disk-full\n"
    with TraceStore.read(database) as store:
        assert everything(store) == before


HOLDING = """
import sys, time
from traces.store import TraceStore
with getattr(TraceStore, sys.argv[2])(sys.argv[1]):
    print("open", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize(("holding", "wanted"), [("write", "write"), ("write", "read"), ("read", "write")])
def test_a_store_another_process_holds_is_waited_for_then_the_holder_named(
    tmp_path: Path, holding: str, wanted: str
) -> None:
    database = tmp_path / "s.duckdb"
    TraceStore.write(database).close()
    child = subprocess.Popen([sys.executable, "-c", HOLDING, str(database), holding], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == b"open\n"
        started = time.monotonic()
        with pytest.raises(StoreError) as caught:
            getattr(TraceStore, wanted)(database, wait=0.3)
        assert time.monotonic() - started >= 0.3
        assert caught.value.slug == "store-locked"
        assert f"process {child.pid} has the store open" in caught.value.what
    finally:
        child.kill()
        child.wait()
        if child.stdout is not None:
            child.stdout.close()
    TraceStore.write(database, wait=5).close()


def test_a_store_is_opened_once_its_holder_lets_go(tmp_path: Path) -> None:
    database = tmp_path / "s.duckdb"
    TraceStore.write(database).close()
    script = HOLDING.replace("sleep(60)", "sleep(0.5)")
    child = subprocess.Popen([sys.executable, "-c", script, str(database), "write"], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"open\n"
    TraceStore.write(database, wait=30).close()
    assert child.wait() == 0
    child.stdout.close()


def test_readers_do_not_block_each_other(tmp_path: Path) -> None:
    database = tmp_path / "s.duckdb"
    TraceStore.write(database).close()
    child = subprocess.Popen([sys.executable, "-c", HOLDING, str(database), "read"], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == b"open\n"
        TraceStore.read(database, wait=0).close()
    finally:
        child.kill()
        child.wait()
        if child.stdout is not None:
            child.stdout.close()
