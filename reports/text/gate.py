"""A gate on the terminal, which in continuous integration is a log that the host reads as well."""

from __future__ import annotations

from attribution.results import Gate
from reports.gate_words import failing_slices, seen, slice_name, standing, tally, why
from reports.text.table import print_line, print_table, print_warnings


def print_gate(found: Gate) -> None:
    """Print a gate: every rule with what was seen, the slices that fail, and how the rules were read."""
    against = f" against {found.baseline}" if found.baseline is not None else ""
    print_line(f"Gate on {found.run}{against}: {found.verdict} ({tally(found)})")
    print_line()
    print_table(
        ("verdict", "rule", "seen", "why"),
        [(each.verdict, each.rule, seen(each.observed, drop=each.drop), why(each)) for each in found.rules],
    )
    failing = failing_slices(found)
    if failing:
        print_line()
        print_table(
            ("fails for", "rule", "seen", "why"),
            [
                (f"- {slice_name(each)}", rule.rule, seen(each.observed, drop=rule.drop), why(each))
                for rule, each in failing
            ],
        )
    print_line()
    print_line(standing(found))
    if found.allowed:
        print_line(f"Allowed by name: {', '.join(found.allowed)}")
    print_warnings(found.warnings)
