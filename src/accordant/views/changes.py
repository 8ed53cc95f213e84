"""The change of coefficients between two rounds or data sets, and what to know about it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..fields import FIELDS
from ..inference.coefficient_table import ComparisonPart
from ..inference.comparison import Comparison
from ..numbers import level_text
from .blocks import Block, Keys, Table, told
from .names import name_of, undefined_notes
from .view import view

__all__ = ["changes", "pairing"]


@view("pairing", of="compare", title="", place=10, whole=True)
def pairing(part: ComparisonPart) -> Iterator[Block]:
    """How the difference is tested, and what differs between the data sets."""
    yield from map(told, part.table.messages)


@view(
    "changes",
    of="compare",
    title="Change of agreement",
    place=20,
)
def changes(part: ComparisonPart) -> Iterator[Block]:
    """Every coefficient."""
    rows = [_row(row, of_sets=part.of_sets) for row in part.rows]
    methods = "; ".join(dict.fromkeys(row.method for row in part.rows if row.method))
    level = level_text(part.rows[0].level)
    notes = (
        f"{level} intervals of the difference: {methods}." if methods else "",
        *undefined_notes(
            (str(row["name"]), each)
            for each, row in zip(part.rows, rows, strict=True)
            if math.isnan(each.difference)
        ),
    )
    value = FIELDS["value"]
    keys: Keys = (
        "name*",
        *(value.called(key, key=key, help="") for key in ("before", "after")),
        "difference* interval* p_value*",
        FIELDS["n_items"].called("items", key="n_compared"),
    )
    called = {"name": "coefficient", "difference": "change"}
    yield Table.of(keys, rows, notes, called=called)


def _row(row: Comparison, *, of_sets: bool) -> dict[str, Any]:
    name = name_of(row.coefficient, n_coders=row.n_coders, weights=row.weights, of_sets=of_sets)
    n = row.n_common if row.paired else row.n_before + row.n_after
    return {**row.to_rows()[0], "name": name, "n_compared": n}
