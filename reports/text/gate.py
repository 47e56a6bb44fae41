"""A gate on the terminal, which in continuous integration is a log that the host reads as well."""

from __future__ import annotations

from attribution.results import Gate
from reports.gate_words import failing_slices, seen, slice_name, standing, tally, why
from reports.text.table import print_line, print_table, print_warnings


def print_gate(found: Gate) -> None:
    """Print a gate: every rule with what was seen, the slices that fail, and how the rules were read."""
    against = f" against {found.baseline}" if found.baseline is not None else ""
    print_line(inert(f"Gate on {found.run}{against}: {found.verdict} ({tally(found)})"))
    print_line()
    print_table(
        ("verdict", "rule", "seen", "why"),
        [
            (each.verdict, inert(each.rule), seen(each.observed, drop=each.drop), inert(why(each)))
            for each in found.rules
        ],
    )
    failing = failing_slices(found)
    if failing:
        print_line()
        print_table(
            ("fails for", "rule", "seen", "why"),
            [
                (f"- {inert(slice_name(each))}", inert(rule.rule), seen(each.observed, drop=rule.drop), why(each))
                for rule, each in failing
            ],
        )
    print_line()
    print_line(standing(found))
    if found.allowed:
        print_line(f"Allowed by name: {', '.join(found.allowed)}")
    print_warnings([each.model_copy(update={"message": inert(each.message)}) for each in found.warnings])


def inert(text: str) -> str:
    """Return a name with nothing in it that a host's log could take for a command.

    A cell that is folded begins a line of its own, and a line that begins with two colons, or holds ``##[``, is one.
    """
    return text.replace("::", ": :").replace("##[", "## [")
