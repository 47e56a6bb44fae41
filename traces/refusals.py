"""Why a record is refused, in plain words: one field path and one short clause.

The fast gate only says no; its error names no keys. The clause comes from the pydantic models, whose errors list every
branch of every union. The deepest path is the branch that fitted best, so that is the one to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from traces.errors import RecordError

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

SLUG = "bad-record"
_WANTED = {
    "bool_type": "true or false",
    "date_from_datetime_parsing": "a date and time",
    "datetime_from_date_parsing": "a date and time (ISO 8601)",
    "datetime_parsing": "a date and time (ISO 8601)",
    "datetime_type": "a date and time (ISO 8601)",
    "dict_type": "an object",
    "float_type": "a number",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": "an object",
    "string_type": "text",
}
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a fraction"),
    (str, "text"),
    (list, "a list"),
    (dict, "an object"),
)


def from_parser(error: msgspec.DecodeError | RecursionError | UnicodeError) -> RecordError:
    """Say why a line is not JSON at all."""
    if isinstance(error, RecursionError):
        return RecordError(SLUG, "nested too deeply to read")
    text = str(error)
    if "truncated" in text:
        return RecordError("not-json", "not JSON: the line ends in the middle of a value")
    if "surrogate" in text:
        return RecordError("not-json", "not JSON: half of a surrogate pair, so not a character")
    if "UTF-8" in text or isinstance(error, UnicodeError):
        return RecordError("not-json", "not UTF-8 text", hint="recode the file as UTF-8")
    if "out of range" in text:
        return RecordError(SLUG, "a number is too large to hold")
    return RecordError("not-json", f"not JSON: {text.removeprefix('JSON is malformed: ')}")


def from_model(error: ValidationError, value: Any) -> RecordError:
    """Say which field of ``value`` the pydantic model refused, and why."""
    told = [(_path(detail, value), detail) for detail in error.errors(include_url=False)]
    best = max(told, key=lambda entry: len(entry[0]))[0]
    details = [detail for path, detail in told if path == best]
    return RecordError(SLUG, _clause(details), field=_written(best) or None)


def _path(detail: ErrorDetails, value: Any) -> tuple[int | str, ...]:
    """Keep the steps that lead through the value; the others are names of union branches."""
    path: list[int | str] = []
    location = detail["loc"]
    for number, step in enumerate(location, start=1):
        absent = detail["type"] == "missing" and number == len(location)
        if isinstance(value, dict) and (step in value or absent):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
        else:
            continue
        path.append(step)
    return tuple(path)


def _written(path: Sequence[int | str]) -> str:
    text = ""
    for step in path:
        name = step if step != "" else '""'
        text += f"[{step}]" if isinstance(step, int) else f".{name}" if text else str(name)
    return text


def _clause(details: Sequence[ErrorDetails]) -> str:
    """Put the faults of one place into words; one that is not about the kind of value says more than those that are."""
    telling = [detail for detail in details if detail["type"] not in _WANTED]
    if not telling:
        wanted = dict.fromkeys(_WANTED[detail["type"]] for detail in details)
        return f"should be {' or '.join(wanted)}, is {kind_of(details[0]['input'])}"
    detail = telling[0]
    context = detail.get("ctx", {})
    match detail["type"]:
        case "missing":
            return "is required"
        case "extra_forbidden":
            return "is not a field of this record"
        case "string_too_short":
            return "is empty"
        case "string_too_long":
            return f"is longer than {context['max_length']:,} characters"
        case "finite_number":
            return "is not a finite number"
        case "greater_than_equal":
            return f"is below {context['ge']}"
        case "greater_than":
            return f"should be above {context['gt']:g}"
        case "less_than_equal":
            return f"is above {context['le']:,}"
        case "value_error":
            return str(context["error"])
        case _:
            return detail["msg"][:1].lower() + detail["msg"][1:]


def kind_of(value: Any) -> str:
    """Name the JSON kind of a value, with the value itself where it is short."""
    if value is None:
        return "null"
    for kind, name in _KINDS:
        if isinstance(value, kind):
            shown = msgspec.json.encode(value).decode(errors="replace") if not isinstance(value, list | dict) else ""
            return f"{name} ({shown})" if 0 < len(shown) <= 40 else name
    return type(value).__name__
