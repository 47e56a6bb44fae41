"""Every report of a store in one folder, each with links to the others that concern it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from attribution.choices import Choices
from attribution.forecasts.record import record
from attribution.results import Attribution, ForecastLine
from reports.links import Related, href
from reports.make_again import all_command
from reports.publish import (
    Beside,
    make_folder,
    publish_attribution,
    publish_forecast,
    publish_planning,
    told_if_broken,
)
from reports.safe_text import file_names
from reports.wording import cut_name, link
from traces.errors import FoundlostError
from traces.runs import list_runs
from traces.store import TraceStore


@dataclass(frozen=True, slots=True)
class Published:
    """What was written: the planning report, the attribution of each run, the report of each forecast.

    ``found`` has the attributions that could be made; ``faults`` why a page says instead that there is no report.
    """

    planning: Path
    runs: dict[str, Path]
    forecasts: dict[str, Path]
    found: dict[str, Attribution]
    faults: dict[Path, FoundlostError]


def publish_all(
    store: TraceStore, folder: Path, choices: Choices | None = None, *, target: float | None = None
) -> Published:
    """Write the planning report, and one report for each run and each forecast, linked to each other.

    Where a report cannot be made, a page that says why stands in its place, and the others are written.

    Args:
        store: an open store; reading is enough.
        folder: where to; it is made where there is none. Nothing in it is deleted.
        choices: conventions, as for each report by itself.
        target: a pass rate that is asked for, drawn on the planning report and the forecasts.

    Raises:
        UsageError: a file cannot be written.
    """
    choices = choices or Choices()
    make_folder(folder)
    lines = record(store).forecasts
    done = _places(folder, [str(row["run_id"]) for row in list_runs(store)], [line.name for line in lines])
    command = all_command(folder, choices, target=target, store=store.path)
    for run, path in done.runs.items():
        related = _beside_run(done, run, lines)
        with _told_instead(done, f"Failure attribution, {run}", path, command, related):
            data = publish_attribution(store, run, path, choices, beside=Beside(command=command, related=related))
            done.found[run] = data.results.attribution
    for line in lines:
        path, related = done.forecasts[line.name], _beside_forecast(done, line)
        with _told_instead(done, f"Forecast {line.name}", path, command, related):
            publish_forecast(store, line.name, path, target=target, beside=Beside(command=command, related=related))
    related = _links(done, runs=done.runs, forecasts=done.forecasts)
    with _told_instead(done, "Planning", done.planning, command, related):
        beside = Beside(command=command, related=related)
        publish_planning(store, done.planning, choices, target=target, beside=beside)
    return done


@contextmanager
def _told_instead(done: Published, title: str, path: Path, command: str, related: Sequence[Related]) -> Iterator[None]:
    """Where the report in hand cannot be made, write the page that says so, and go on."""
    try:
        with told_if_broken(title, path, command, related):
            yield
    except FoundlostError as fault:
        if fault.slug == "cannot-write":
            raise
        done.faults[path] = fault


def _places(folder: Path, runs: Sequence[str], forecasts: Sequence[str]) -> Published:
    """Return where each report goes: names are safe, and differ even where case does not count."""
    wanted = ["planning", *(f"attribution-{run}" for run in runs), *(f"forecast-{name}" for name in forecasts)]
    planning, *others = (folder / f"{name}.html" for name in file_names(wanted))
    return Published(
        planning=planning,
        runs=dict(zip(runs, others, strict=False)),
        forecasts=dict(zip(forecasts, others[len(runs) :], strict=True)),
        found={},
        faults={},
    )


def _beside_run(done: Published, run: str, lines: Sequence[ForecastLine]) -> tuple[Related, ...]:
    """Return the planning report, and the forecasts made from a run or judged by it."""
    concerned = [line.name for line in lines if run in _runs_of(line)]
    return _links(done, planning=True, forecasts=concerned)


def _beside_forecast(done: Published, line: ForecastLine) -> tuple[Related, ...]:
    """Return the planning report, and the attribution of the runs a forecast was made from and judged by."""
    return _links(done, planning=True, runs=[run for run in _runs_of(line) if run in done.runs])


def _runs_of(line: ForecastLine) -> list[str]:
    runs = [line.run, None if line.first is None else line.first.after]
    return [run for run in runs if run is not None]


def _links(
    done: Published, *, planning: bool = False, runs: Iterable[str] = (), forecasts: Iterable[str] = ()
) -> tuple[Related, ...]:
    """Return the links of a page; all lie in one folder, so a file name is the whole way."""
    kinds = [
        ("All builds and forecasts:", [("Planning", done.planning)] if planning else []),
        ("Attribution:", [(run, done.runs[run]) for run in runs]),
        ("Forecasts:", [(name, done.forecasts[name]) for name in forecasts]),
    ]
    return tuple(
        Related(label, tuple(link(cut_name(name), href(path, done.planning)) for name, path in named))
        for label, named in kinds
        if named
    )
