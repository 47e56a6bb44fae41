"""The command line: a thin face over the public functions, one file a group of commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import duckdb
import typer

from reports.cli import attribution, demo, forecast, gate, imports, metrics, oracle, runs, traces
from reports.cli import report as reporting
from reports.text.table import say
from traces.errors import FoundlostError

INTERRUPTED = 130
_INTERRUPTED = "foundlost: interrupted: nothing of the unfinished step was kept"

app = typer.Typer(
    name="foundlost",
    help="Says at which stage a retrieval pipeline lost each failed question, and what a fix is worth.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group in (demo, traces, imports, runs, attribution, metrics, oracle, forecast, gate, reporting):
    group.register(app)


def run(arguments: Sequence[str]) -> None:
    """Run one command and leave the process with its exit code.

    0 done; 1 a check says no; 2 bad usage or bad input; 3 the store cannot be used.
    """
    sys.exit(_exit_code(list(arguments)))


def _exit_code(arguments: list[str]) -> int:
    try:
        code = app(arguments, prog_name="foundlost", standalone_mode=False)
    except FoundlostError as fault:
        say(f"foundlost: {fault.line()}")
        return fault.exit_code
    except duckdb.Error as fault:
        say(f"foundlost: store-failed: {str(fault).splitlines()[0]}; nothing was changed by this command")
        return 3
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the interpreter's last flush is quiet
        return 1
    except OSError as fault:
        say(f"foundlost: system: {fault.strerror or fault}" + (f" ({fault.filename})" if fault.filename else ""))
        return 2
    except (KeyboardInterrupt, typer.Abort):
        say(_INTERRUPTED)
        return INTERRUPTED
    except Exception as fault:
        # Usage faults of the command parser; their class is not public, their message method is.
        if isinstance(fault, RuntimeError) and "interrupted" in str(fault):  # Ctrl-C inside a DuckDB call
            say(_INTERRUPTED)
            return INTERRUPTED
        message = getattr(fault, "format_message", None)
        if message is None:
            raise
        say(f"foundlost: usage: {message().rstrip('.')}; see 'foundlost {' '.join(_command_words(arguments))} --help'")
        return 2
    if code == INTERRUPTED:  # the command parser turns Ctrl-C into this code
        say(_INTERRUPTED)
    return code if isinstance(code, int) else 0


def _command_words(arguments: Sequence[str]) -> list[str]:
    words: list[str] = []
    for word in arguments[:2]:
        if word.startswith("-") or not word.replace("-", "").isalpha():
            break
        words.append(word)
    return words
