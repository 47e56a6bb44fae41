"""The demo command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reports.demo.run import RECALL_GOAL, run_demo
from reports.demo.sample import BUILDS, ORIGIN
from reports.numbers import percent, points, rate
from reports.text.attribution import print_attribution
from reports.text.table import print_line


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("demo")(demo)


def demo(
    folder: Annotated[Path, typer.Argument(help="Where to write the sample, its store and the reports.")] = Path(
        "demo"
    ),
) -> None:
    """Run everything on a made-up sample: two builds in, failures attributed, a fix projected, reports out."""
    made = run_demo(folder)
    print_line(f"Made-up data: {ORIGIN}.")
    print_line()
    print_attribution(made.attribution.model_copy(update={"by": []}))  # the report has them
    found = made.projection
    if found.projection.estimate is not None and found.gain.estimate is not None and found.recall.estimate is not None:
        print_line()
        print_line(
            f"A fix that lifts recall from {rate(found.recall.estimate)} to {rate(RECALL_GOAL)} is worth "
            f"{points(found.gain.estimate)} points: pass rate {rate(found.projection.estimate, 3)}."
        )
    if made.attribution.failed:
        lost = sum(f.failed for f in made.attribution.fates[:-1]) / made.attribution.failed
        print_line(f"{percent(lost)} of the failures lost their evidence before the model saw it.")
    print_line()
    for build in BUILDS:
        print_line(f"report on {build}: {made.reports[build]}")
    print_line(f"store: {made.store}  (try: foundlost attribute {BUILDS[0]} --by intent --db {made.store})")
