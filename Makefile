# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint format bench setup clean

demo: .venv/installed           ## set up and run the demo; writes ./demo
	$(BIN)/foundlost demo demo

test: .venv/installed-dev browser  ## set up and run every test
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

lint: .venv/installed-dev       ## style, format, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/installed-dev     ## put the code into the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/installed-dev      ## measure; prints ratios and the machine
	$(BIN)/python -m benchmarks

setup: .venv/installed          ## the command alone, at .venv/bin/foundlost

.PHONY: browser
browser:                        # the report is looked at in a real browser, driven by a node that needs libatomic
	@{ command -v chromium && ldconfig -p | grep libatomic.so.1; } >/dev/null || \
		scripts/system-package chromium libatomic1 fonts-dejavu-core

.venv/bin/python:
	PYTHON="$(PYTHON)" scripts/make-venv

.venv/installed: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/installed-dev: .venv/installed
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

clean:                          ## remove what the other targets made
	rm -rf .venv demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
