"""What rendering gives: the page, and what the other forms of the same report are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from reports.data import ReportData
from reports.view.summary import Summary

D = TypeVar("D", bound=ReportData)


@dataclass(frozen=True, slots=True)
class Rendered(Generic[D]):
    """One report: ``page`` is the HTML, ``data`` what it holds for programs, ``summary`` what it says in short."""

    page: str
    data: D
    summary: Summary
