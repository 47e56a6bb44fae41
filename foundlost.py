"""The ``foundlost`` command, and a guard for its import names.

The three folders of the project are three top-level packages: traces, attribution, reports. Such common names can be
taken by another installed package, and Python would then import the wrong one without a word. This module lies beside
them, so it can tell (docs/adr/0001).
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

PACKAGES = ("traces", "attribution", "reports")


def shadowed(home: Path | None = None) -> list[str]:
    """Return one clause for each of our packages that Python would import from somewhere else.

    Args:
        home: the folder that holds our packages; the one this file lies in by default.
    """
    home = home or Path(__file__).resolve().parent
    found = []
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        places = list(spec.submodule_search_locations or []) if spec else []
        origin = Path(places[0]).resolve() if places else None
        if origin != home / name:
            where = origin or (spec.origin if spec else None) or "nowhere"
            found.append(f"'{name}' would be imported from {where} instead of {home / name}")
    return found


def main() -> None:
    """Run the command line."""
    if clauses := shadowed():
        sys.stderr.write(
            f"foundlost: shadowed-package: {'; '.join(clauses)}; "
            "install foundlost into an environment of its own, or leave the folder that holds the other package\n"
        )
        raise SystemExit(2)
    from reports.cli import run

    run(sys.argv[1:])


def load_ipython_extension(ipython: Any) -> None:
    """Show results as tables in a notebook, on ``%load_ext foundlost``."""
    if clauses := shadowed():
        raise ImportError("; ".join(clauses))
    from reports.notebook import enable

    enable(ipython)


def unload_ipython_extension(ipython: Any) -> None:
    """Show results as before, on ``%unload_ext foundlost``."""
    from reports.notebook import disable

    disable(ipython)


if __name__ == "__main__":
    main()
