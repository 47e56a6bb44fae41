"""The ledger: what is changed, taken out, put in or swapped in the store shows, and takes nothing else down."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from attribution.forecasts.record import record
from attribution.forecasts.sealed import canonical
from attribution.forecasts.stored import find_forecast, stored_forecasts, stored_verdicts
from attribution.forecasts.verify import verify
from tests.attribution.forecasts.made import EXAMPLE, after_of, before_of, kinds_of, sealed, store_before
from tests.attribution.made_runs import add_run
from traces.chain import FORECASTS, digest
from traces.errors import InputError
from traces.forecasts import add_sealed, last_seal
from traces.store import TraceStore

NAMES = ("one", "two", "three")


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a store with three forecasts, each judged by the same run."""
    folder = tmp_path_factory.mktemp("ledger")
    kinds = kinds_of(EXAMPLE)
    with TraceStore.write(folder / "made.duckdb") as opened:
        add_run(opened, folder, before_of(kinds), run="before")
        for name in NAMES:
            sealed(opened, name, margin=0.04)
        add_run(opened, folder, after_of(kinds), run="after")
        for name in NAMES:
            verify(opened, name, "after")
    return folder / "made.duckdb"


@pytest.fixture
def store(judged: Path, tmp_path: Path) -> Iterator[TraceStore]:
    """Return a copy of that store, to do anything to."""
    with TraceStore.write(shutil.copy(judged, tmp_path / "copy.duckdb")) as opened:
        yield opened


def seal_of(store: TraceStore, name: str) -> str:
    return find_forecast(store, name).sha256


def rewritten(store: TraceStore, name: str, old: str, new: str) -> None:
    """Change what a stored forecast says, and seal it anew, as one would who knows how."""
    (row,) = [each.row for each in stored_forecasts(store) if each.row.name == name]
    body = row.body.replace(old, new)
    assert body != row.body
    store.connection.execute("UPDATE forecasts SET body = ?, sha256 = ? WHERE name = ?", [body, digest(body), name])


def told(store: TraceStore) -> dict[str, str | None]:
    return {each.row.name: each.fault for each in stored_forecasts(store)}


def test_an_untouched_ledger_is_whole(store: TraceStore) -> None:
    found = record(store)
    assert all(line.believed and line.first is not None for line in found.forecasts)
    assert found.warnings == []
    assert found.calibration.judged == 3
    assert [each.row.number for each in stored_verdicts(store)] == [1, 2, 3]
    previous = [each.content and each.content.previous for each in stored_verdicts(store)]
    assert previous == [None, *(each.row.sha256 for each in stored_verdicts(store)[:2])]


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("DELETE FROM forecasts WHERE name = 'one'", {"one": "taken out", "two": "sealed before it"}),
        ("DELETE FROM forecasts WHERE name = 'two'", {"two": "taken out", "three": "sealed before it"}),
        ("DELETE FROM forecasts WHERE name = 'three'", {"three": "taken out"}),
        ("DELETE FROM forecasts", dict.fromkeys(NAMES, "taken out")),
        ("UPDATE forecasts SET sealed_at = '2020-01-01' WHERE name = 'one'", {"one": "the time stored"}),
        ("UPDATE forecasts SET sealed_at = NULL WHERE name = 'one'", {"one": "the time stored"}),
        ("UPDATE forecasts SET sealed_at = '290000-01-01' WHERE name = 'one'", {"one": "the time stored"}),
        ("UPDATE forecasts SET sealed_at = 'infinity' WHERE name = 'one'", {"one": "the time stored"}),
        ("UPDATE forecasts SET previous = NULL WHERE name = 'two'", {"two": "the predecessor stored"}),
        ("UPDATE forecasts SET name = 'other' WHERE name = 'two'", {"two": "the name stored"}),
        ("UPDATE forecasts SET name = NULL WHERE name = 'two'", {"two": "the name stored"}),
        ("UPDATE forecasts SET forecast_id = 9 WHERE name = 'three'", {"three": "its number"}),
        ("UPDATE forecasts SET forecast_id = NULL WHERE name = 'three'", {"three": "its number"}),
        ("UPDATE forecasts SET body = '{' WHERE name = 'three'", {"three": "its text"}),
        ("UPDATE forecasts SET body = NULL WHERE name = 'three'", {"three": "its text"}),
        ("UPDATE forecasts SET body = '\"x\"' WHERE name = 'three'", {"three": "its text"}),
        ("UPDATE forecasts SET sha256 = NULL WHERE name = 'three'", {"three": "its text"}),
        ("INSERT INTO forecasts SELECT * FROM forecasts WHERE name = 'three'", {"three": "there twice"}),
        ("DELETE FROM seals WHERE name = 'two' AND kind = 'forecast'", {"two": "never gave"}),
    ],
)
def test_whatever_is_done_to_a_row_shows_at_it_and_the_rest_stays(
    store: TraceStore, statement: str, broken: dict[str, str]
) -> None:
    store.connection.execute(statement)
    faults = {name: fault for name, fault in told(store).items() if fault is not None}
    assert set(faults) == set(broken)
    assert all(words in faults[name] for name, words in broken.items())
    found = record(store)
    assert {line.name for line in found.forecasts if not line.intact} == set(broken)
    assert {line.name for line in found.forecasts if line.intact} == set(NAMES) - set(broken)
    assert all(line.first is not None for line in found.forecasts if line.intact)
    assert {warn.code for warn in found.warnings} == {"forecast_tampered"}
    for name in broken:
        with pytest.raises(InputError) as refused:
            find_forecast(store, name)
        assert refused.value.slug == "forecast-tampered"
    for name in set(NAMES) - set(broken):
        assert find_forecast(store, name).forecast.name == name


def test_one_taken_out_with_its_seal_shows_at_the_next(store: TraceStore) -> None:
    first = seal_of(store, "one")
    store.connection.execute("DELETE FROM forecasts WHERE name = 'two'")
    store.connection.execute("DELETE FROM seals WHERE name = 'two'")
    assert told(store) == {"one": None, "three": "the forecast sealed before it has been taken out or changed"}
    store.connection.execute("UPDATE forecasts SET previous = ? WHERE name = 'three'", [first])
    assert "the predecessor stored" in str(told(store)["three"])


def test_two_that_are_swapped_both_show(store: TraceStore) -> None:
    store.connection.execute(
        "UPDATE forecasts SET name = CASE name WHEN 'one' THEN 'three' ELSE 'one' END WHERE name <> 'two'"
    )
    assert {name for name, fault in told(store).items() if fault} == {"one", "three"}
    store.connection.execute("UPDATE forecasts SET name = CASE forecast_id WHEN 1 THEN 'one' ELSE name END")
    store.connection.execute("UPDATE forecasts SET name = CASE forecast_id WHEN 3 THEN 'three' ELSE name END")
    store.connection.execute("UPDATE forecasts SET forecast_id = 4 - forecast_id")
    assert all(told(store).values())


def test_one_that_is_rewritten_and_sealed_anew_shows(store: TraceStore) -> None:
    rewritten(store, "three", '"recall_target":[0.85,0.85]', '"recall_target":[0.8,0.8]')
    assert told(store)["three"] == "this store never gave its seal"


def test_one_that_cannot_be_read_says_which_field(store: TraceStore) -> None:
    rewritten(store, "three", '"recall_target":[0.85,0.85]', '"recall_target":"high"')
    store.connection.execute(
        """UPDATE seals SET sha256 = (SELECT sha256 FROM forecasts AS f WHERE f.name = seals.name)
           WHERE kind = 'forecast'"""
    )
    assert str(told(store)["three"]).startswith("this foundlost cannot read it: recall_target: ")


def test_one_put_in_behind_the_last_shows(store: TraceStore) -> None:
    late = find_forecast(store, "three").forecast
    forged = late.model_copy(update={"name": "four", "previous": last_seal(store, FORECASTS)})
    early = forged.model_copy(update={"sealed_at": find_forecast(store, "one").forecast.sealed_at})
    body = canonical(early.to_dict())
    add_sealed(store, FORECASTS, name="four", sealed_at=early.sealed_at, previous=early.previous, body=body)
    assert told(store)["four"] == "its time lies before that of the one before it"
    store.connection.execute("DELETE FROM seals WHERE name = 'four'")
    assert told(store)["four"] == "this store never gave its seal"


def test_sealing_goes_on_behind_a_broken_one(store: TraceStore) -> None:
    store.connection.execute("DELETE FROM forecasts WHERE name = 'three'")
    sealed(store, "four", margin=0.04)
    assert {name for name, fault in told(store).items() if fault} == {"three"}
    store.connection.execute("UPDATE forecasts SET body = '{' WHERE name = 'four'")
    sealed(store, "five", margin=0.04)
    assert told(store)["five"] is None


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("UPDATE verdicts SET body = replace(body, 'cannot tell', 'held') WHERE forecast = 'two'", {"two"}),
        ("UPDATE verdicts SET body = '{' WHERE forecast = 'two'", {"two"}),
        ("UPDATE verdicts SET body = NULL WHERE forecast = 'two'", {"two"}),
        ("UPDATE verdicts SET forecast = 'one' WHERE forecast = 'two'", {"two"}),
        ("UPDATE verdicts SET verified_at = '2020-01-01' WHERE forecast = 'two'", {"two"}),
        ("DELETE FROM verdicts WHERE forecast = 'two'", {"two", "three"}),
        ("DELETE FROM verdicts WHERE forecast = 'three'", {"three"}),
        ("DELETE FROM verdicts", set(NAMES)),
        ("INSERT INTO verdicts SELECT * FROM verdicts WHERE forecast = 'three'", {"three"}),
    ],
)
def test_a_verdict_that_is_changed_or_taken_out_shows_and_is_not_given_again(
    store: TraceStore, statement: str, broken: set[str]
) -> None:
    store.connection.execute(statement)
    found = record(store)
    assert {line.name for line in found.forecasts if not line.verdicts_intact} == broken
    assert all((line.first is None) == (line.name in broken) for line in found.forecasts)
    assert all(line.intact for line in found.forecasts)
    assert found.calibration.judged == 3 - len(broken)
    assert {warn.code for warn in found.warnings} == {"verdict_tampered"}
    for name in broken:
        with pytest.raises(InputError) as refused:
            verify(store, name, "after")
        assert refused.value.slug == "verdict-tampered"
    for name in set(NAMES) - broken:
        assert not verify(store, name, "after").new


def test_a_verdict_that_is_rewritten_and_sealed_anew_shows(store: TraceStore) -> None:
    row = stored_verdicts(store)[2].row
    body = row.body.replace("cannot tell", "held")
    store.connection.execute("UPDATE verdicts SET body = ?, sha256 = ? WHERE forecast = 'three'", [body, digest(body)])
    assert stored_verdicts(store)[2].fault == "this store never gave its seal"


def test_verdicts_with_something_allowed_are_counted_apart_and_give_way(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds)[:-5], run="short")
        assert verify(store, "f", "short", allow=("questions",)).allowed == ["questions"]
        found = record(store)
        assert found.forecasts[0].first is not None
        assert (found.calibration.judged, found.calibration.allowed, found.calibration.mean_error) == (0, 1, None)
        add_run(store, tmp_path, after_of(kinds), run="after")
        verify(store, "f", "after")
        found = record(store)
    assert found.forecasts[0].first is not None
    assert (found.forecasts[0].first.after, found.forecasts[0].verdicts) == ("after", 2)
    assert (found.calibration.judged, found.calibration.allowed) == (1, 0)
