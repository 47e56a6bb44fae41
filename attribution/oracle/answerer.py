"""Having an exported sample answered by a program: several workers at once, each question tried again if need be."""

from __future__ import annotations

import contextlib
import queue
import shlex
import shutil
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from attribution.oracle.answers_file import AnswersFile, answers_path
from attribution.oracle.exported import ExportedFile, Question
from attribution.oracle.worker import StoppedError, Worker, WorkerError
from traces.errors import RecordError, UsageError
from traces.gate import OracleAnswer
from traces.imports import answer_gate
from traces.progress import Progress

Found = OracleAnswer | str
"""An answer, or why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """How a sample is answered.

    Attributes:
        words: the program and its arguments.
        timeout: seconds a question may take.
        retries: how often a question is asked again after a fault.
        workers: processes at a time.
    """

    words: Sequence[str]
    timeout: float = 120.0
    retries: int = 2
    workers: int = 4

    @classmethod
    def parse(cls, text: str, *, timeout: float, retries: int, workers: int) -> Command:
        """Read a command line, which no shell will see.

        Raises:
            UsageError: a quote is not closed, there is no such program, or a number is out of range.
        """
        if not (timeout > 0 and retries >= 0 and workers >= 1):
            what = "--timeout is above 0, --retries not negative, --workers at least 1"
            raise UsageError("bad-option", f"{what}, not {timeout:g}, {retries} and {workers}")
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise UsageError("bad-option", f"--command cannot be read: {str(error).lower()}") from error
        if not words:
            raise UsageError("bad-option", "--command names no program")
        if shutil.which(words[0]) is None:
            raise UsageError("no-program", f"there is no program '{words[0]}' to run", hint="check --command")
        return cls(words=words, timeout=timeout, retries=retries, workers=workers)


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that no try brought an answer to, with what went wrong at the last."""

    query_id: str
    reason: str


def answer_exported(
    path: Path, exported: ExportedFile, command: Command, progress: Progress
) -> tuple[Path, list[Unanswered]]:
    """Have the questions of an exported sample answered that are not yet, each answer written down as it comes.

    StoppedError in any way, the same call goes on with what is missing. No worker outlives it.

    Args:
        path: the exported file; the answers go to a file beside it.
        exported: what is in it.
        command: who answers.
        progress: told how many questions there are and how many are over.

    Returns:
        The file of the answers, and the questions left without one.

    Raises:
        UsageError: the answers cannot be written, or a worker cannot be started.
        InputError: the file of the answers belongs to another sample.
    """
    with AnswersFile(answers_path(path), exported.sample) as answers:
        todo = [question for question in exported.questions if question.query_id not in answers.answered]
        crew = _Crew(exported.sample, todo, command)
        unanswered = []
        progress.start(len(exported.questions), path.name)
        try:
            progress.advance(len(exported.questions) - len(todo))
            # closed at once on any fault: a generator left to itself would keep the workers going
            with contextlib.closing(crew.results()) as results:
                for question, found in results:
                    if isinstance(found, OracleAnswer):
                        answers.add(found, question.repeat)
                    else:
                        unanswered.append(Unanswered(question.query_id, found))
                    progress.advance(1)
        finally:
            progress.done()
    return answers.path, sorted(unanswered, key=lambda one: one.query_id)


class _Crew:
    """Workers side by side, each with a thread that asks it one question at a time."""

    def __init__(self, sample: str, questions: Sequence[Question], command: Command) -> None:
        self._sample = sample
        self._command = command
        self._left = len(questions)
        self._todo: queue.SimpleQueue[Question] = queue.SimpleQueue()
        for question in questions:
            self._todo.put(question)
        self._found: queue.SimpleQueue[tuple[Question, Found] | BaseException] = queue.SimpleQueue()
        self._stopped = threading.Event()

    def results(self) -> Generator[tuple[Question, Found]]:
        """Yield each question with its answer, or why there is none, in the order they come."""
        threads = [threading.Thread(target=self._work) for _ in range(min(self._command.workers, self._left))]
        with _signals_as_interrupts():
            try:
                for thread in threads:
                    thread.start()
                for _ in range(self._left):
                    found = self._found.get()
                    if isinstance(found, BaseException):
                        raise found
                    yield found
            except OSError as error:
                raise UsageError("no-program", f"the program cannot be run: {error.strerror}") from error
            finally:
                self._stopped.set()
                for thread in threads:
                    if thread.ident is not None:
                        thread.join()

    def _work(self) -> None:
        """Ask until there are no more questions; whatever happens, end the worker."""
        worker: Worker | None = None
        gate = answer_gate()
        try:
            while True:
                question = self._todo.get_nowait()
                found: Found = ""
                for _ in range(self._command.retries + 1):
                    worker = worker or Worker(self._command.words)
                    try:
                        line = worker.ask(question.line, self._command.timeout, self._stopped)
                        found = self._checked(question, gate.read(line))
                        break
                    except (WorkerError, RecordError) as fault:
                        found = fault.reason if isinstance(fault, RecordError) else str(fault)
                        worker.kill()
                        worker = None
                self._found.put((question, found))
        except queue.Empty:
            if worker is not None:
                worker.finish()
        except StoppedError:
            pass
        except BaseException as error:  # noqa: BLE001 - told to the thread that waits for results
            self._found.put(error)
        finally:
            if worker is not None:
                worker.kill()

    def _checked(self, question: Question, answer: OracleAnswer) -> OracleAnswer:
        """Return an answer if it is one to this question.

        Raises:
            WorkerError: it is to another, or says neither passed nor score.
        """
        if str(answer.query_id) != question.query_id or answer.repeat not in (None, question.repeat):
            raise WorkerError(f"it answered '{answer.query_id}' when asked '{question.query_id}'")
        if answer.sample not in (None, self._sample):
            raise WorkerError(f"it answered for sample '{answer.sample}'")
        if answer.passed is None and answer.score is None:
            raise WorkerError("its answer says neither passed nor score")
        return answer


@contextlib.contextmanager
def _signals_as_interrupts() -> Iterator[None]:
    """Let a request to end, or a terminal that closes, unwind as Ctrl-C does, so that the workers are ended."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread gets signals
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature of a handler
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
