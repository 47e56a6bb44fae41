"""Runs the demo: writes the sample, reads it in as a user would, and renders what comes out.

The forecast is sealed on the first build before the second is read in, for only then does it foretell anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from attribution.forecasts.seal import Terms, seal
from attribution.forecasts.verify import verify
from attribution.results import Attribution, Sealed, VerdictFound
from reports.demo.sample import BUILDS, LABELS, write_sample
from reports.publish import publish_attribution, publish_forecast, publish_planning
from traces.imports import import_documents, import_labels
from traces.ingest import ingest_run
from traces.store import TraceStore

RECALL_GOAL = 0.85
MIN_GAIN = 0.05
FORECAST = "wider-search"
TERMS = Terms(min_gain=MIN_GAIN)


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demo made: the store, the reports by what they are about, and the results worth printing."""

    store: Path
    reports: dict[str, Path]
    attribution: Attribution
    sealed: Sealed
    verdict: VerdictFound


def run_demo(folder: Path) -> Demo:
    """Write the sample into ``folder``, store and attribute it, forecast a fix of the first build, judge, and render.

    The demo's own store in that folder is made anew; nothing else there is touched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "demo.duckdb"
    for leftover in (database, database.with_suffix(".duckdb.wal")):
        leftover.unlink(missing_ok=True)
    files = write_sample(folder)
    before, after = BUILDS
    with TraceStore.write(database) as store:
        import_documents(store, files["documents"])
        ingest_run(store, [files[before]], run_id=before)
        import_labels(store, files["labels"], name=LABELS, kind="made up")
        sealed = seal(store, before, FORECAST, recall=RECALL_GOAL, terms=TERMS)
        ingest_run(store, [files[after]], run_id=after)
        verdict = verify(store, FORECAST, after)
    reports = {build: folder / f"attribution-{build}.html" for build in BUILDS}
    reports |= {"forecast": folder / f"forecast-{FORECAST}.html", "planning": folder / "planning.html"}
    with TraceStore.read(database) as store:
        found = {build: publish_attribution(store, build, reports[build]) for build in BUILDS}
        publish_forecast(store, FORECAST, reports["forecast"])
        publish_planning(store, reports["planning"])
    return Demo(database, reports, found[before].results.attribution, sealed, verdict)
