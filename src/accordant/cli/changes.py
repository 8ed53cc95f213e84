"""The change of coefficients between two rounds or data sets, as a table for readers."""

from __future__ import annotations

from collections.abc import Sequence

from ..inference.comparison import Comparison
from ..measure.numbers import count_of, joined, level_text
from ..reports.document import Column, Table
from ..reports.names import name_of

__all__ = ["changes_table", "how_paired"]

COLUMNS = (
    Column("question", "question"),
    Column("name", "coefficient"),
    Column("before", "before", "value"),
    Column("after", "after", "value"),
    Column("difference", "change", "value"),
    Column("interval", "interval", "interval"),
    Column("p_value", "p", "p"),
    Column("n", "items", "count"),
)


def how_paired(rows: Sequence[Comparison]) -> str:
    """How the difference was tested, in a sentence."""
    if not rows or not rows[0].paired:
        return "the items are taken as different ones, so the test is unpaired"
    row = rows[-1]
    same = count_of(row.n_common, "item is", "items are")
    others = row.n_before + row.n_after - 2 * row.n_common
    gone = f", {count_of(others, 'other')} left out" if others else ""
    return (
        f"{same} in both{gone}: the test is paired (--unpaired if equal names do not mean "
        "equal items)"
    )


def changes_table(rows: Sequence[Comparison], *, of_sets: bool = False) -> Table:
    """The columns that a reader should see, with what to know beneath."""
    several = any(row.question for row in rows)
    shown = [
        {
            **row.to_rows()[0],
            "question": row.question or ("pooled" if several else None),
            "name": name_of(
                row.coefficient, n_coders=row.n_coders, weights=row.weights, of_sets=of_sets
            ),
            "interval": (row.low, row.high),
            "n": row.n_common if row.paired else row.n_before + row.n_after,
        }
        for row in rows
    ]
    methods = dict.fromkeys(row.method for row in rows if row.method)
    notes = [f"{level_text(rows[0].level)} intervals: {'; '.join(methods)}"] if methods else []
    reasons: dict[str, list[str]] = {}
    for row, cells in zip(rows, shown, strict=True):
        if row.undefined:
            of = f" of {row.question}" if row.question else ""
            reasons.setdefault(row.undefined, []).append(f"{cells['name']}{of}")
    said = [f"— {joined(names)}: {why}." for why, names in reasons.items()]
    return Table("Change", COLUMNS if several else COLUMNS[1:], tuple(shown), (*said, *notes))
