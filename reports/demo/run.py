"""Runs the demo: writes the sample, reads it in as a user would, and renders what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from attribution.project import project
from attribution.results import Attribution, Projection
from reports.demo.sample import BUILDS, LABELS, write_sample
from reports.publish import publish_attribution
from traces.imports import import_documents, import_labels
from traces.ingest import ingest_run
from traces.store import TraceStore

RECALL_GOAL = 0.85
MIN_GAIN = 0.05


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demo made: the store, the reports by build, and the two results worth printing."""

    store: Path
    reports: dict[str, Path]
    attribution: Attribution
    projection: Projection


def run_demo(folder: Path) -> Demo:
    """Write the sample into ``folder``, store it, attribute both builds, project a fix of the first, and render.

    The demo's own store in that folder is made anew; nothing else there is touched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "demo.duckdb"
    for leftover in (database, database.with_suffix(".duckdb.wal")):
        leftover.unlink(missing_ok=True)
    files = write_sample(folder)
    with TraceStore.write(database) as store:
        import_documents(store, files["documents"])
        for build in BUILDS:
            ingest_run(store, [files[build]], run_id=build)
        import_labels(store, files["labels"], name=LABELS, kind="made up")
    reports = {build: folder / f"attribution-{build}.html" for build in BUILDS}
    with TraceStore.read(database) as store:
        found = {build: publish_attribution(store, build, path) for build, path in reports.items()}
        projection = project(store, BUILDS[0], recall=RECALL_GOAL, min_gain=MIN_GAIN)
    return Demo(database, reports, found[BUILDS[0]], projection)
