"""Imports point one way, heavy libraries load late, and the command notices when its packages are shadowed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import foundlost

ROOT = Path(foundlost.__file__).resolve().parent
MAY_IMPORT = {"traces": set(), "attribution": {"traces"}, "reports": {"traces", "attribution"}}
PACKAGES = set(MAY_IMPORT)


def imports_of(file: Path) -> set[str]:
    """Return the top-level names a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_imports_point_one_way(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    allowed = MAY_IMPORT[package] | {package}
    wrong = {str(f.relative_to(ROOT)): sorted(imports_of(f) & PACKAGES - allowed) for f in files}
    assert {file: names for file, names in wrong.items() if names} == {}


def test_statistics_know_neither_store_nor_models() -> None:
    for file in (ROOT / "attribution" / "statistics").glob("*.py"):
        assert imports_of(file) & {"traces", "duckdb", "pydantic"} == set(), file.name


def test_only_the_store_connects_to_duckdb() -> None:
    connecting = [
        str(file.relative_to(ROOT))
        for package in PACKAGES
        for file in (ROOT / package).rglob("*.py")
        if "duckdb.connect(" in file.read_text(encoding="utf-8")
    ]
    assert connecting == ["traces/store.py"]


def test_the_command_starts_without_the_heavy_libraries() -> None:
    script = (
        "import sys, reports.cli; print([m for m in ('scipy.stats', 'scipy.optimize', 'pyspark') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_package_that_shadows_ours_is_named_clearly(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "__init__.py").write_text("")
    script = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]; import foundlost; foundlost.main()"
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("foundlost: shadowed-package: 'reports' would be imported from")
    assert len(done.stderr.splitlines()) == 1


def test_nothing_is_shadowed_here() -> None:
    assert foundlost.shadowed() == []
