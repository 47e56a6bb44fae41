"""The ledger of sources: which bytes went where, with which options, so that the same ones are not taken twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from traces.errors import InputError
from traces.store import TraceStore

SAME_BYTES = "these bytes are stored already, nothing was changed"


@dataclass(frozen=True, slots=True)
class Arrival:
    """One source about to be taken in.

    Args:
        kind: what it brings: ``run``, ``labels``, ``outcomes``, ``oracle``, ``questions`` or ``documents``.
        target: the run or the label set it goes to, empty where there is only one place.
        name: what the user called it.
        sha256: fingerprint of its bytes.
        size: bytes on disk.
        options: whatever changes what is stored.
    """

    kind: str
    target: str
    name: str
    sha256: str
    size: int
    options: Mapping[str, Any]

    @property
    def options_text(self) -> str:
        """The options as they are kept."""
        return json.dumps(dict(self.options), sort_keys=True, ensure_ascii=False)


def is_stored(store: TraceStore, arrival: Arrival) -> bool:
    """Tell whether these bytes went to this place before, with these options.

    Raises:
        InputError: they did, with other options, which cannot both hold.
    """
    found = store.rows(
        "SELECT options FROM sources WHERE kind = $kind AND target = $target AND sha256 = $sha256",
        {"kind": arrival.kind, "target": arrival.target, "sha256": arrival.sha256},
    )
    if any(row["options"] == arrival.options_text for row in found):
        return True
    if found and arrival.kind == "run":
        raise InputError(
            "other-options",
            f"the same bytes are in run '{arrival.target}' already, read with other options",
            where=arrival.name,
            hint=f"run 'foundlost drop {arrival.target}' first",
        )
    return False


def next_source(store: TraceStore) -> int:
    """Return the number of the next source; numbers count from 1 and are never used again."""
    return int(store.value("SELECT coalesce(max(source_id), 0) + 1 FROM sources"))


def enter(store: TraceStore, source_id: int, arrival: Arrival, *, records: int, quarantined: int) -> None:
    """Write a source into the ledger, in the transaction that stores its rows."""
    store.connection.execute(
        """INSERT INTO sources (source_id, kind, target, name, sha256, options, bytes, records, quarantined, loaded_at)
           VALUES ($source_id, $kind, $target, $name, $sha256, $options, $bytes, $records, $quarantined, $loaded_at)""",
        {
            "source_id": source_id,
            "kind": arrival.kind,
            "target": arrival.target,
            "name": PurePath(arrival.name).name,  # where it lay is nobody's business but its owner's
            "sha256": arrival.sha256,
            "options": arrival.options_text,
            "bytes": arrival.size,
            "records": records,
            "quarantined": quarantined,
            "loaded_at": datetime.now(UTC).replace(tzinfo=None),
        },
    )
