"""A report in short as the body of a mail."""

from __future__ import annotations

from reports.html import render
from reports.view.summary import Summary, full_report


def mail(report: Summary, *, file: str) -> str:
    """Return a report in short as HTML that a mail program shows: no script, no style, nothing to load.

    Args:
        report: what it says.
        file: name of the file with all of it, which goes along as an attachment.
    """
    return render("mail.html", view=report, full=full_report(file))
