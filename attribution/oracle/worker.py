"""One process that answers questions: a line of JSON in, a line of JSON out, and never a wait without an end."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from threading import Event
from typing import IO

from traces.sources import MAX_LINE

_CHUNK = 2**16
_KEPT_OF_STDERR = 2_000
_LOOK_UP_SECONDS = 0.1
_GRACE_SECONDS = 2.0


class WorkerError(Exception):
    """A worker did not answer as it should; it cannot be asked again."""


class StoppedError(Exception):
    """Everything is to end; the question is left open."""


class Worker:
    """A running program, in a process group of its own so that nothing it starts outlives it.

    Args:
        command: the program and its arguments.

    Raises:
        OSError: the program cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the user's own command, without a shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            # a Python program would keep its answers back until a buffer is full
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._in, self._out, self._err = _pipes(self._process)
        for stream in (self._in, self._out, self._err):
            os.set_blocking(stream.fileno(), False)
        self._said = b""
        self._complaints = b""

    def ask(self, question: bytes, timeout: float, stopped: Event) -> bytes:
        """Send one line and return the line that comes back; blank lines are passed over.

        Args:
            question: the line, with its end.
            timeout: seconds to wait.
            stopped: ends the wait when it is set.

        Raises:
            WorkerError: no answer in time, the program ended, or its line has no end.
            StoppedError: ``stopped`` was set.
        """
        deadline = time.monotonic() + timeout
        unsent = memoryview(question)
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._in, selectors.EVENT_WRITE)
            waiting.register(self._out, selectors.EVENT_READ)
            if not self._err.closed:
                waiting.register(self._err, selectors.EVENT_READ)
            while True:
                while b"\n" in self._said:
                    line, _, self._said = self._said.partition(b"\n")
                    if line.strip():
                        if unsent:
                            raise WorkerError("it answered before it had read the question")
                        return line
                if len(self._said) > MAX_LINE:
                    raise WorkerError("its line has no end")
                left = deadline - time.monotonic()
                if left <= 0:
                    raise WorkerError(f"no answer within {timeout:g} seconds{self._last_words()}")
                if stopped.is_set():
                    raise StoppedError
                for key, _ in waiting.select(min(left, _LOOK_UP_SECONDS)):
                    if key.fileobj is self._in:
                        unsent = self._send(unsent, waiting)
                    elif key.fileobj is self._out:
                        self._listen()
                    else:
                        self._note_complaints(waiting)

    def _send(self, unsent: memoryview, waiting: selectors.BaseSelector) -> memoryview:
        try:
            unsent = unsent[os.write(self._in.fileno(), unsent[:_CHUNK]) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:
            waiting.unregister(self._in)  # it has ended, which its output will say
            return unsent
        if not unsent:
            waiting.unregister(self._in)
        return unsent

    def _listen(self) -> None:
        chunk = os.read(self._out.fileno(), _CHUNK)
        if not chunk:
            raise WorkerError(f"{self._end()}{self._last_words()}")
        self._said += chunk

    def _note_complaints(self, waiting: selectors.BaseSelector | None) -> None:
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self._err.fileno(), _CHUNK)
            self._complaints = (self._complaints + chunk)[-_KEPT_OF_STDERR:]
            if not chunk and waiting is not None:
                waiting.unregister(self._err)
                self._err.close()

    def _end(self) -> str:
        time.sleep(_LOOK_UP_SECONDS)  # its output closes a moment before it ends
        if not self._err.closed:
            self._note_complaints(None)
        self.kill()
        code = self._process.returncode
        return "it closed its output" if code == -signal.SIGKILL else f"it ended with exit code {code}"

    def _last_words(self) -> str:
        lines = [line for line in self._complaints.decode(errors="replace").splitlines() if line.strip()]
        return f", its last words: {lines[-1].strip()[:200]}" if lines else ""

    def finish(self) -> None:
        """Let the program end by itself, for there are no more questions; then make sure that it has."""
        self._in.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the program and all it has started, and wait until it is gone."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for stream in (self._in, self._out, self._err):
            stream.close()
        self._process.wait()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None  # noqa: S101 - they were asked for
    assert process.stdout is not None  # noqa: S101
    assert process.stderr is not None  # noqa: S101
    return process.stdin, process.stdout, process.stderr
