"""Tables of items for `accordant diagnose --show`: which are hard, and what they have in common."""

from __future__ import annotations

from ..diagnosis.diagnose import Part
from ..views.document import Column
from .asked import Asked
from .at_length import item_rows
from .breakdown import Breakdown
from .confusing import ITEM_COLUMNS

__all__ = ["groups", "items"]


def items(part: Part, asked: Asked) -> Breakdown:
    """The items on which coders disagree most."""
    found = part.items
    named = found.named(found.hardest(asked.most or max(1, found.n_disputed)))
    rows = [row for item in named for row in item.to_rows()]
    for row in rows:
        del row["question"]
    some = any(item.text for item in named)
    why = () if rows else ("coders differ on no item",)
    columns = ITEM_COLUMNS if some else ITEM_COLUMNS[:-1]
    return Breakdown(rows, columns, why, fewer=item_rows(named))


def groups(part: Part, asked: Asked) -> Breakdown:
    """Groups of items that something known about them tells apart, the hardest first."""
    found = part.groups
    columns = (
        Column("column", "column"),
        Column("value", "value"),
        Column("n_items", "items", "count"),
        Column("agreement", "A_o", "share"),
        Column("elsewhere", "elsewhere", "share"),
        Column("alpha", "α", "value"),
        Column("excess", "excess", "share"),
        Column("p_value", "p", "p"),
    )
    if found is None or not found.each:
        return Breakdown([], columns, ("nothing is known about items that would form groups",))
    rows = sorted(found.to_rows(), key=lambda row: (row["p_value"], -row["excess"]))
    return Breakdown(
        rows,
        columns,
        (
            "excess: the share of all disagreement that would be gone if coders agreed there as "
            "elsewhere; p: at most, not corrected for the number of groups",
        ),
    )
