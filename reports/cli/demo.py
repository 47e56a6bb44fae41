"""The demo command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reports.demo.run import FORECAST, Demo, run_demo
from reports.demo.sample import BUILDS, ORIGIN
from reports.numbers import percent, points, rate, rate_range
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
    """Run everything on a made-up sample: builds in, failures attributed, a fix forecast and judged, reports out."""
    made = run_demo(folder)
    print_line(f"Made-up data: {ORIGIN}.")
    print_line()
    print_attribution(made.attribution.model_copy(update={"by": []}))  # the report has them
    print_line()
    _tell(made)
    print_line()
    for build in BUILDS:
        print_line(f"report on {build}: {made.reports[build]}")
    print_line(f"report on the forecast: {made.reports['forecast']}")
    print_line(f"report for planning: {made.reports['planning']}")
    print_line(f"store: {made.store}  (try: foundlost attribute {BUILDS[0]} --by intent --db {made.store})")


def _tell(made: Demo) -> None:
    """Print where the failures are, what was forecast of a fix before the second build, and what came of it."""
    if made.attribution.failed:
        lost = sum(f.failed for f in made.attribution.fates[:-1]) / made.attribution.failed
        print_line(f"{percent(lost)} of the failures lost their evidence before the model saw it.")
    forecast, verdict = made.sealed.forecast, made.verdict
    known = (forecast.recall.estimate, forecast.gain.estimate, forecast.projection.estimate)
    recall, gain, expected = known
    came = verdict.observed_pass.estimate
    if recall is None or gain is None or expected is None or came is None:
        return
    print_line(
        f"Sealed before {BUILDS[1]} was read in: recall from {rate(recall)} to {rate(forecast.recall_target[0])} takes "
        f"the pass rate to {rate(expected, 3)} ({rate_range(*forecast.projection.bounds)}), {points(gain)} points."
    )
    print_line(
        f"{BUILDS[1]} came to {rate(came, 3)} at recall {rate(verdict.recall_observed)}: the forecast {FORECAST} "
        f"{_ENDED[verdict.verdict]}, {points(verdict.error.total)} points off."
    )


_ENDED = {
    "held": "held",
    "refuted": "is refuted",
    "cannot tell": "cannot be told to hold or not",
    "not tested": "was not tested",
}
