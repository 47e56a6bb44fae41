"""Programs that answer an exported sample: good, slow, crashing, talking nonsense. All of them are real processes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from attribution.oracle.answerer import Command, Unanswered, answer_exported
from attribution.oracle.answers_file import AnswersFile, answers_path
from attribution.oracle.export import export_oracle
from attribution.oracle.exported import ExportedFile, read_exported
from tests.attribution.made_runs import RUN
from tests.attribution.oracle.made_misses import asked, program, store_with_misses
from tests.traces.made import Heard
from traces.errors import FoundlostError, InputError, UsageError
from traces.progress import Silent

MISSES = [f"q{i:02d}" for i in range(6, 14)]


@pytest.fixture
def exported(tmp_path: Path) -> tuple[Path, ExportedFile]:
    path = tmp_path / "misses.jsonl"
    with store_with_misses(tmp_path) as store:
        path.write_text("".join(f"{line}\n" for line in export_oracle(store, RUN).lines()))
    return path, read_exported(path)


def command(
    folder: Path, name: str, *, timeout: float = 20.0, retries: int = 2, workers: int = 4, more: Sequence[str] = ()
) -> Command:
    words = [sys.executable, "-S", str(program(folder, name)), *more]
    return Command(words=words, timeout=timeout, retries=retries, workers=workers)


def answered(path: Path) -> dict[str, bool]:
    records = [json.loads(line) for line in answers_path(path).read_text().splitlines()]
    assert len(records) == len({record["query_id"] for record in records})
    return {record["query_id"]: record["passed"] for record in records}


def running(marker: Path) -> list[int]:
    """Return the processes that mention a folder on their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            pid = int(entry.name)
            words = (entry / "cmdline").read_bytes()
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            if str(marker).encode() in words and pid != os.getpid() and state != "Z":
                found.append(pid)
    return found


def zombies() -> list[str]:
    """Return the children of this process that have ended and were not waited for."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            if state == "Z" and int(parent) == os.getpid():
                found.append(entry.name)
    return found


@pytest.fixture(autouse=True)
def nothing_is_left_behind(tmp_path: Path) -> Iterator[None]:
    yield
    assert running(tmp_path) == []
    assert zombies() == []


def test_a_good_program_answers_everything_once(tmp_path: Path, exported: tuple[Path, ExportedFile]) -> None:
    heard = Heard()
    path, left = answer_exported(*exported, command(tmp_path, "good"), heard)
    assert (path, left) == (answers_path(exported[0]), [])
    assert answered(exported[0]) == {query: query < "q10" for query in MISSES}
    assert sorted(asked(tmp_path)) == MISSES
    assert (heard.started, heard.read, heard.ended) == ([(8, "misses.jsonl")], 8, 1)
    first = json.loads(path.read_text().splitlines()[0])
    assert (first["sample"], first["repeat"], first["answer"]) == (exported[1].sample, 0, "A")


@pytest.mark.parametrize("name", ["slow once", "crashes once", "half lines", "chatty", "without flush"])
def test_what_can_be_put_up_with_is(tmp_path: Path, exported: tuple[Path, ExportedFile], name: str) -> None:
    _, left = answer_exported(*exported, command(tmp_path, name, timeout=2.0), Silent())
    assert left == []
    assert len(answers_path(exported[0]).read_text().splitlines()) == 8
    again = {"slow once", "crashes once"}
    assert len(asked(tmp_path)) == (9 if name in again else 8)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nonsense", "not JSON"),
        ("never starts", "it ended with exit code 7"),
        ("half a line and out", "it ended with exit code 0"),
        ("no verdict", "its answer says neither passed nor score"),
        ("closes its output", "it closed its output"),
    ],
)
def test_a_program_that_never_answers_leaves_every_question_open(
    tmp_path: Path, exported: tuple[Path, ExportedFile], name: str, reason: str
) -> None:
    _, left = answer_exported(*exported, command(tmp_path, name, retries=1), Silent())
    assert [one.query_id for one in left] == MISSES
    assert all(reason in one.reason for one in left), left
    assert answers_path(exported[0]).read_text() == ""
    if name in ("nonsense", "no verdict"):
        assert sorted(asked(tmp_path)) == sorted(MISSES * 2)


def test_a_program_in_the_wrong_order_is_believed_nothing(tmp_path: Path, exported: tuple[Path, ExportedFile]) -> None:
    _, left = answer_exported(*exported, command(tmp_path, "one behind", workers=1), Silent())
    assert [one.query_id for one in left] == MISSES
    assert left[0] == Unanswered("q06", "it answered 'q99' when asked 'q06'")
    assert answers_path(exported[0]).read_text() == ""


def test_a_second_answer_is_never_taken_for_the_next_question(
    tmp_path: Path, exported: tuple[Path, ExportedFile]
) -> None:
    _, left = answer_exported(*exported, command(tmp_path, "twice"), Silent())
    assert left == []
    assert answered(exported[0]) == dict.fromkeys(MISSES, True)


def test_one_question_that_cannot_be_answered_costs_that_question(
    tmp_path: Path, exported: tuple[Path, ExportedFile]
) -> None:
    _, left = answer_exported(*exported, command(tmp_path, "crashes on one"), Silent())
    assert [one.query_id for one in left] == ["q08"]
    assert left[0].reason == "it ended with exit code 1, its last words: cannot do \x1b[31mq08"
    assert set(answered(exported[0])) == set(MISSES) - {"q08"}
    assert asked(tmp_path).count("q08") == 3


def test_slow_programs_run_side_by_side_and_end_in_time(tmp_path: Path, exported: tuple[Path, ExportedFile]) -> None:
    began = time.monotonic()
    slow = command(tmp_path, "always slow", timeout=0.5, retries=0, workers=8)
    _, left = answer_exported(*exported, slow, Silent())
    assert time.monotonic() - began < 4.0
    assert {one.reason for one in left} == {"no answer within 0.5 seconds"}


def test_a_program_that_does_not_listen_is_ended(tmp_path: Path, exported: tuple[Path, ExportedFile]) -> None:
    """Its pipe is full long before a question of 5 MB is through."""
    path, sample = exported
    long = [type(question)(question.query_id, 0, b"x" * 5_000_000 + b"\n") for question in sample.questions[:1]]
    deaf = command(tmp_path, "deaf", timeout=1.0, retries=0)
    _, left = answer_exported(path, ExportedFile(sample.sample, RUN, tuple(long)), deaf, Silent())
    assert [one.reason for one in left] == ["no answer within 1 seconds"]


def test_what_a_worker_started_does_not_outlive_it(tmp_path: Path, exported: tuple[Path, ExportedFile]) -> None:
    slow = command(tmp_path, "leaves a child", timeout=1.5, retries=0)
    answer_exported(*exported, slow, Silent())
    children = [int(path.name.partition("-")[2]) for path in tmp_path.glob("child-*")]
    assert children
    patience = time.monotonic() + 10.0  # one that has been killed may still be seen dying
    while (left := [pid for pid in children if b"sleep" in _words(pid)]) and time.monotonic() < patience:
        time.sleep(0.05)
    assert left == []


def _words(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_the_same_call_goes_on_with_what_is_missing(tmp_path: Path, exported: tuple[Path, ExportedFile]) -> None:
    path, sample = exported
    answer_exported(path, sample, command(tmp_path, "crashes on one", retries=0), Silent())
    before = answers_path(path).read_bytes()
    answer_exported(path, sample, command(tmp_path, "good"), Silent())
    assert answers_path(path).read_bytes().startswith(before)
    assert set(answered(path)) == set(MISSES)
    assert sorted(asked(tmp_path)) == sorted([*MISSES, "q08"])
    answer_exported(path, sample, command(tmp_path, "good"), Silent())
    assert len(asked(tmp_path)) == 9


@pytest.mark.parametrize("torn", ['{"query_id": "q1', '{"query_id": "q13", "passed": true}', "\x00\x00"])
def test_a_last_line_that_a_crash_tore_is_asked_again(
    tmp_path: Path, exported: tuple[Path, ExportedFile], torn: str
) -> None:
    path, sample = exported
    whole = json.dumps({"sample": sample.sample, "query_id": "q06", "repeat": 0, "passed": False}) + "\n"
    answers_path(path).write_text(whole + torn)
    answer_exported(path, sample, command(tmp_path, "good"), Silent())
    assert answers_path(path).read_text().startswith(whole)
    assert answered(path) == {query: query < "q10" for query in MISSES} | {"q06": False}
    assert sorted(asked(tmp_path)) == MISSES[1:]


def test_answers_to_another_sample_are_not_touched(tmp_path: Path, exported: tuple[Path, ExportedFile]) -> None:
    path, sample = exported
    answers_path(path).write_text('{"sample": "other", "query_id": "q06", "passed": true}\n')
    with pytest.raises(InputError) as refused:
        answer_exported(path, sample, command(tmp_path, "good"), Silent())
    assert (refused.value.slug, refused.value.where) == ("other-answers", f"{answers_path(path)}:1")
    assert asked(tmp_path) == []


def test_two_at_once_do_not_write_the_same_answers(tmp_path: Path, exported: tuple[Path, ExportedFile]) -> None:
    path, sample = exported
    with AnswersFile(answers_path(path), sample.sample), pytest.raises(UsageError) as refused:
        answer_exported(path, sample, command(tmp_path, "good"), Silent())
    assert refused.value.slug == "answers-locked"


@pytest.mark.parametrize(
    ("text", "numbers", "slug"),
    [
        ("", (1.0, 0, 1), "bad-option"),
        ("python 'open", (1.0, 0, 1), "bad-option"),
        ("no-such-program-anywhere --fast", (1.0, 0, 1), "no-program"),
        ("/dev/null", (1.0, 0, 1), "no-program"),
        ("cat", (0.0, 0, 1), "bad-option"),
        ("cat", (float("nan"), 0, 1), "bad-option"),
        ("cat", (1.0, -1, 1), "bad-option"),
        ("cat", (1.0, 0, 0), "bad-option"),
    ],
)
def test_a_command_that_cannot_be_run_is_one_clear_fault(text: str, numbers: tuple[float, int, int], slug: str) -> None:
    timeout, retries, workers = numbers
    with pytest.raises(FoundlostError) as refused:
        Command.parse(text, timeout=timeout, retries=retries, workers=workers)
    assert refused.value.slug == slug


def test_no_shell_reads_the_command() -> None:
    assert Command.parse("echo '$HOME' ; ls", timeout=1.0, retries=0, workers=1).words == ["echo", "$HOME", ";", "ls"]


_ROOT = Path(__file__).resolve().parents[3]
_CALL = """
import sys
from pathlib import Path
from reports.cli import run
run(["oracle", "import", sys.argv[1], "--run", "run", "--db", sys.argv[2], "--command", sys.argv[3], "--retries", "0"])
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_stopped_from_outside_it_leaves_no_process_and_goes_on_later(tmp_path: Path, number: int) -> None:
    path, db = tmp_path / "misses.jsonl", tmp_path / "s.duckdb"
    _stored(db, tmp_path, path)
    text = f"{sys.executable} -S {program(tmp_path, 'slow once')}"
    caller = subprocess.Popen(
        [sys.executable, "-c", _CALL, str(path), str(db), text],
        cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while not (answers_path(path).exists() and len(answers_path(path).read_text().splitlines()) == 7):
        assert time.monotonic() < deadline, caller.communicate()
        time.sleep(0.05)
    assert len(running(tmp_path)) > 1
    caller.send_signal(number)
    out, err = caller.communicate(timeout=10)
    assert (caller.returncode, out) == (130, "")
    assert err.splitlines()[-1].startswith("foundlost: interrupted")
    assert running(tmp_path) == []
    assert len(answered(path)) == 7
    done = subprocess.run(
        [sys.executable, "-c", _CALL, str(path), str(db), text], cwd=_ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "oracle run: 8 records stored\n"), done.stderr
    assert asked(tmp_path).count("q07") == 2
    assert len(asked(tmp_path)) == 9


class Impatient(Heard):
    """Is interrupted at the third answer, while that is being dealt with."""

    def advance(self, read_bytes: int) -> None:
        """Add up, and break off."""
        super().advance(read_bytes)
        if self.read == 3:
            raise KeyboardInterrupt


def test_broken_off_between_two_answers_it_leaves_no_process(
    tmp_path: Path, exported: tuple[Path, ExportedFile]
) -> None:
    with pytest.raises(KeyboardInterrupt) as broken:
        answer_exported(*exported, command(tmp_path, "slow once", workers=2), Impatient())
    assert running(tmp_path) == []
    assert len(answered(exported[0])) == 3
    assert broken.value.__traceback__ is not None  # the frames are alive, so nothing was tidied up by chance


def test_killed_outright_its_workers_end_with_their_input(tmp_path: Path) -> None:
    path, db = tmp_path / "misses.jsonl", tmp_path / "s.duckdb"
    _stored(db, tmp_path, path)
    text = f"{sys.executable} -S {program(tmp_path, 'good')}"
    idle = program(tmp_path, "good").with_name("idle.py")
    idle.write_text("import sys, time\nfor line in sys.stdin: pass\n")
    caller = subprocess.Popen(
        [sys.executable, "-c", _CALL, str(path), str(db), text.replace("good.py", "idle.py")],
        cwd=_ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while len(running(tmp_path)) < 5:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    caller.kill()
    caller.wait()
    while running(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert running(tmp_path) == []


def _stored(db: Path, folder: Path, path: Path) -> None:
    """Put the run into a store on disk and export its misses."""
    from tests.attribution.made_runs import write_lines
    from tests.attribution.oracle.made_misses import records, texts
    from traces.imports import import_documents
    from traces.ingest import ingest_run
    from traces.store import TraceStore

    with TraceStore.write(db) as store:
        ingest_run(store, [write_lines(folder / "run.jsonl", records())], run_id=RUN)
        import_documents(store, write_lines(folder / "documents.jsonl", texts()))
        path.write_text("".join(f"{line}\n" for line in export_oracle(store, RUN).lines()))
