"""The examples in the docstrings are true."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import attribution.statistics as package

NAMES = sorted(module.name for module in pkgutil.iter_modules(package.__path__))


@pytest.mark.parametrize("name", NAMES)
def test_examples_hold(name: str) -> None:
    module = importlib.import_module(f"{package.__name__}.{name}")
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def names_of(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]


FUNCTIONS = {
    f"{path.stem}.{node.name}": node
    for path in sorted(Path(package.__path__[0]).glob("*.py"))
    for node in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
}
# Whatever is computed at a level rests on a sample; these are given none.
NO_SAMPLE = {"interval.critical_value", "paired_means.t_quantile", "posterior.unknown", "projection.check_levels"}
ESTIMATES = [name for name, each in FUNCTIONS.items() if "level" in names_of(each) and name not in NO_SAMPLE]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_says_what_it_needs(name: str) -> None:
    function = FUNCTIONS[name]
    text = ast.get_docstring(function) or ""
    returns = ast.unparse(function.returns) if function.returns else "None"
    assert ">>>" in text
    assert "Args:" in text
    assert all(f"    {name}: " in text for name in names_of(function))
    assert ("Raises:" if returns == "None" else "Returns:") in text


@pytest.mark.parametrize("name", ESTIMATES)
def test_every_interval_says_what_it_rests_on(name: str) -> None:
    """Whatever is computed at a level: what one draw is, when not to trust it, and whose method it is."""
    text = " ".join((ast.get_docstring(FUNCTIONS[name]) or "").split())
    assert "draw" in text
    assert "not trust" in text or "not to be trusted" in text
    assert "References:" in text


def test_the_package_page_lists_every_module() -> None:
    page = package.__doc__ or ""
    assert sorted(line.split()[0] for line in page.splitlines()[2:] if line) == NAMES
