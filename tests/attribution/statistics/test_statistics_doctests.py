"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from types import FunctionType

import pytest

import attribution.statistics as package

NAMES = sorted(module.name for module in pkgutil.iter_modules(package.__path__))


@pytest.mark.parametrize("name", NAMES)
def test_examples_hold(name: str) -> None:
    module = importlib.import_module(f"{package.__name__}.{name}")
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_every_public_function_says_what_it_needs(name: str) -> None:
    module = importlib.import_module(f"{package.__name__}.{name}")
    for function in vars(module).values():
        if not isinstance(function, FunctionType) or function.__module__ != module.__name__:
            continue
        if function.__name__.startswith("_"):
            continue
        text = function.__doc__ or ""
        assert "Args:" in text, function.__name__
        assert "Raises:" in text or "Returns:" in text, function.__name__


def test_the_package_page_lists_every_module() -> None:
    page = package.__doc__ or ""
    assert sorted(line.split()[0] for line in page.splitlines()[2:] if line) == NAMES
