"""The answers as they come, in a file that outlives a crash: each is on the disk before the next question is over."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from traces.errors import InputError, RecordError, UsageError
from traces.gate import OracleAnswer
from traces.imports import answer_gate


def answers_path(exported: Path) -> Path:
    """Return the file beside an exported sample that its answers go to."""
    return exported.with_name(f"{exported.name}.answers.jsonl")


class AnswersFile:
    """The answers to one sample, open for more; no other process can add to it meanwhile.

    Args:
        path: the file; it is made if it is not there.
        sample: the sample whose answers it holds.

    Raises:
        UsageError: it cannot be written, or another process is writing it.
        InputError: it holds the answers to another sample.
    """

    def __init__(self, path: Path, sample: str) -> None:
        self.path = path
        self._sample = sample
        try:
            self._file: BinaryIO = path.open("ab+")
        except OSError as error:
            raise UsageError("cannot-write", error.strerror or type(error).__name__, where=str(path)) from error
        try:
            self._lock()
            self.answered = self._take_up()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> AnswersFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, answer: OracleAnswer, repeat: int) -> None:
        """Append an answer and see it onto the disk."""
        record = {
            "sample": self._sample,
            "query_id": str(answer.query_id),
            "repeat": repeat,
            "answer": answer.answer,
            "passed": answer.passed,
            "score": answer.score,
            "judge": answer.judge,
        }
        line = json.dumps({name: value for name, value in record.items() if value is not None}, ensure_ascii=True)
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _lock(self) -> None:
        import fcntl  # not on every system, and no other command needs it

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(
                "answers-locked", "another process is writing these answers", where=str(self.path),
                hint="wait for it, or stop it",
            ) from error  # fmt: skip

    def _take_up(self) -> set[str]:
        """Return the questions answered already; a last line that a crash tore is cut off."""
        self._file.seek(0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            self._file.truncate(whole)
        gate, answered = answer_gate(), set()
        for number, line in enumerate(data[:whole].splitlines(), start=1):
            try:
                answer = gate.read(line)
            except RecordError:
                continue  # not ours; the import will say so, and the question is asked again
            if answer.sample is not None and answer.sample != self._sample:
                raise InputError(
                    "other-answers",
                    f"the file holds answers to sample '{answer.sample}', not to {self._sample}",
                    where=f"{self.path}:{number}",
                    hint="move it away; it is never overwritten",
                )
            answered.add(str(answer.query_id))
        return answered
