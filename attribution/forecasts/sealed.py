"""The seal: canonical JSON of a forecast, its digest, and the file it is exported to and read from."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from attribution.results import Forecast, Sealed
from traces.chain import digest
from traces.errors import InputError


def canonical(content: dict[str, Any]) -> str:
    """Return JSON that is the same for the same content: keys sorted, ASCII, no spaces, NaN refused.

    >>> canonical({"b": 1.50, "a": [None, True]})
    '{"a":[null,true],"b":1.5}'
    """
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def seal_of(forecast: Forecast) -> Sealed:
    """Return a forecast with its seal."""
    return Sealed(sha256=digest(canonical(forecast.to_dict())), forecast=forecast)


def exported(sealed: Sealed) -> str:
    """Return the text of the file a forecast is exported to: readable, and checked when it is read."""
    content = {"schema": sealed.schema_, "sha256": sealed.sha256, "forecast": sealed.forecast.to_dict()}
    return json.dumps(content, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def read_exported(path: Path) -> Sealed:
    """Read a forecast file.

    Raises:
        InputError: it cannot be read, is no forecast, is not what was sealed, or says it was sealed later than now.
    """
    where = path.name
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError("no-file", "there is no such file", where=where) from error
    except OSError as error:
        raise InputError("unreadable", error.strerror or type(error).__name__, where=where) from error
    except (ValueError, RecursionError) as error:
        raise InputError("not-a-forecast", "the file is not JSON", where=where) from error
    if not isinstance(content, dict) or not isinstance(content.get("forecast"), dict) or "sha256" not in content:
        hint = "give a file that 'foundlost forecast seal -o' or 'forecast show -o' wrote"
        raise InputError("not-a-forecast", "the file holds no sealed forecast", where=where, hint=hint)
    try:
        intact = digest(canonical(content["forecast"])) == content["sha256"]
    except ValueError:  # NaN and infinity, which no sealed forecast holds
        intact = False
    if not intact:
        raise InputError(
            "forecast-tampered",
            "the forecast is not what was sealed: its text does not give its sha256",
            where=where,
            hint="restore the file from the repository it was committed to",
        )
    try:
        sealed = Sealed(sha256=content["sha256"], forecast=Forecast.model_validate(content["forecast"]))
    except ValidationError as error:
        hint = "seal it with foundlost, or upgrade foundlost if a newer one sealed it"
        raise InputError("not-a-forecast", first_fault(error), where=where, hint=hint) from error
    when = sealed.forecast.sealed_at
    if when > datetime.now(UTC):
        told = f"the file says that it was sealed on {when:%Y-%m-%d %H:%M} UTC, which is yet to come"
        raise InputError("clock-back", told, where=where, hint="set the clock right, or seal the forecast again")
    return sealed


def first_fault(error: ValidationError) -> str:
    """Return the first of the fields that cannot be read, and what is wrong with it."""
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
