"""Oracle experiments in the store: which answers were drawn, so that leaving out inconvenient ones shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from traces.rows import REPEAT, Rows
from traces.store import TraceStore


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample of answers whose evidence was missing.

    Attributes:
        sample_id: made from all that decides what is in it, so the same draw has the same id.
        run_id: the run.
        label_set: the label set that says what the evidence is.
        version: its version.
        policy: what counts as evidence that arrived, as canonical JSON.
        seed: of the draw.
        missing: answers of the run whose evidence was missing.
    """

    sample_id: str
    run_id: str
    label_set: str
    version: int
    policy: str
    seed: int
    missing: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """One answer drawn, as ``oracle_samples`` describes it."""

    query_id: str
    repeat: int
    stratum: str
    stratum_size: int
    stratum_drawn: int
    weight: float
    gold_left_out: int


def add_sample(store: TraceStore, sample: Sample, drawn: Sequence[Drawn]) -> None:
    """Write down a sample, in a transaction; one that is there already becomes the latest again."""
    moment = datetime.now(UTC).replace(tzinfo=None)
    mine = {"sample": sample.sample_id, "moment": moment}
    if store.value("SELECT count(*) FROM oracle_samples WHERE sample_id = $sample", {"sample": sample.sample_id}):
        store.connection.execute("UPDATE oracle_samples SET created_at = $moment WHERE sample_id = $sample", mine)
        return
    fixed: dict[str, str | int | None] = {
        "sample_id": sample.sample_id,
        "run_id": sample.run_id,
        "label_set": sample.label_set,
        "version": sample.version,
        "policy": sample.policy,
        "missing": sample.missing,
    }
    types = {"stratum": "VARCHAR", "stratum_size": "INTEGER", "stratum_drawn": "INTEGER", "weight": "DOUBLE"}
    rows = Rows(
        "oracle_samples", fixed, **REPEAT, **types, gold_left_out="INTEGER", seed="BIGINT", created_at="TIMESTAMP"
    )
    for one in drawn:
        rows.add(
            one.query_id,
            one.repeat,
            one.stratum,
            one.stratum_size,
            one.stratum_drawn,
            one.weight,
            one.gold_left_out,
            sample.seed,
            moment,
        )
    rows.flush(store)


def samples_of(store: TraceStore, run_id: str) -> list[Sample]:
    """Return the samples of a run, the latest first."""
    rows = store.rows(
        """SELECT sample_id, run_id, min(label_set) AS label_set, min(version) AS version, min(policy) AS policy,
                  min(seed) AS seed, min(missing) AS missing
           FROM oracle_samples WHERE run_id = $run GROUP BY sample_id, run_id
           ORDER BY max(created_at) DESC, sample_id""",
        {"run": run_id},
    )
    return [Sample(**row) for row in rows]


def drawn_in(store: TraceStore, sample_id: str) -> list[Drawn]:
    """Return the answers of a sample, by question."""
    rows = store.rows(
        """SELECT query_id, repeat, stratum, stratum_size, stratum_drawn, weight, gold_left_out
           FROM oracle_samples WHERE sample_id = $sample ORDER BY query_id, repeat""",
        {"sample": sample_id},
    )
    return [Drawn(**row) for row in rows]
