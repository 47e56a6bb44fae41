"""What a load did, on the terminal and as JSON."""

from __future__ import annotations

from reports import numbers
from reports.text.table import print_line, say, write
from traces.report import IngestReport


def print_load(report: IngestReport, *, as_json: bool) -> None:
    """Print one line about a load; notes and refused records go to stderr."""
    for note in report.notes:
        say(f"note: {note}")
    for issue in report.issues:
        say(f"refused: {issue.text()}")
    unseen = report.quarantined - len(report.issues)
    if unseen > 0:
        say(f"refused: {numbers.plural(unseen, 'more record')}; all are in the store's table ingest_issues")
    if as_json:
        write(report.to_json())
        return
    what = f"{report.kind} {report.target}".strip()
    if report.skipped_same_bytes:
        print_line(f"{what}: these bytes are stored already; nothing changed")
    else:
        refused = f", {numbers.count(report.quarantined)} refused" if report.quarantined else ""
        print_line(f"{what}: {numbers.plural(report.records, 'record')} stored{refused}")
