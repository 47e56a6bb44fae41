"""The options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from reports.report_commands import DEFAULT_STORE

DB = Annotated[Path, typer.Option("--db", envvar="FOUNDLOST_DB", help="The store, one DuckDB file.", show_default=True)]
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else there.")]
LABELS = Annotated[
    str | None,
    typer.Option(
        "--labels", help="Label set. Default: the run's inline gold, else the only set that judges its questions."
    ),
]
MIN_GRADE = Annotated[float, typer.Option("--min-grade", help="Lowest grade that counts as gold.")]
REQUIRE = Annotated[
    Literal["any", "all"] | None,
    typer.Option(
        "--require", help="'any' gold document, or 'all'. Default: one of each labelled evidence group, else any."
    ),
]
TRUNCATED = Annotated[
    Literal["lost", "kept"],
    typer.Option("--truncated", help="Whether a truncated piece of gold counts: 'lost' or 'kept'."),
]
LEVEL = Annotated[float, typer.Option("--level", help="Confidence level of the intervals.")]
JUDGE = Annotated[str | None, typer.Option("--judge", help="Whose outcomes count, where several judges gave some.")]
BASELINE_REPEAT = Annotated[
    str | None,
    typer.Option("--baseline-repeat", help="A second run of the unchanged build: how many answers flip by chance."),
]
RECALL = Annotated[float | None, typer.Option("--recall", help="Recall the fix is to reach, 0 to 1.")]
RECALL_FROM = Annotated[
    str | None, typer.Option("--recall-from", help="A run, outcomes or not, whose recall the fix has shown.")
]
RECALL_RANGE = Annotated[
    tuple[float, float] | None, typer.Option("--recall-range", help="Lowest and highest recall the fix may reach.")
]
RECOVERED_PASS = Annotated[
    float | None, typer.Option("--recovered-pass", help="Pass rate of recovered questions, if it is known to differ.")
]
MIN_GAIN = Annotated[float | None, typer.Option("--min-gain", help="Smallest gain worth the fix, e.g. .05.")]
NO_ORACLE = Annotated[
    bool, typer.Option("--no-oracle", help="Do not use the answers of an oracle experiment for recovered questions.")
]

DEFAULT_DB = Path(DEFAULT_STORE)
