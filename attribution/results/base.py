"""What every result shares: the base model and its JSON, the caveats, the label set and the policy."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

FateName = Literal["never_found", "lost", "reached"]


class Result(BaseModel):
    """Base of every result: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python data; optional parts that do not apply are left out, undefined numbers stay ``None``."""
        kept: dict[str, Any] = _without_absent(self.model_dump(mode="json", by_alias=True))
        return kept

    def to_json(self) -> str:
        """Return one JSON object; NaN and infinity are refused rather than written."""
        return json.dumps(self.to_dict(), ensure_ascii=True, allow_nan=False)


_ABSENT_WHEN_NONE = {"n_effective", "reason"}


def _without_absent(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_absent(v) for k, v in value.items() if not (v is None and k in _ABSENT_WHEN_NONE)}
    if isinstance(value, list):
        return [_without_absent(v) for v in value]
    return value


class Warn(Result):
    """One thing a reader must know before using the numbers.

    ``questions`` is how many questions it concerns, where that can be counted.
    """

    code: str
    message: str
    questions: int | None = None


class Labels(Result):
    """The label set a result was computed with."""

    name: str | None
    version: int
    kinds: list[str]
    questions: int
    judgments: int
    annotators: int
    conflicts: int
    oldest: datetime | None
    newest: datetime | None


class Policy(Result):
    """Every convention that decides what counts as evidence reaching a stage.

    ``require`` is ``any`` (one gold document is enough), ``groups`` (one of each labelled evidence group) or ``all``
    (every group, and every gold document outside a group). ``truncated`` says whether a truncated piece counts as
    ``lost`` or ``kept``.
    """

    min_grade: float
    require: Literal["any", "groups", "all"]
    truncated: Literal["lost", "kept"]
    level: float
    weighted: bool
    judge: str | None
