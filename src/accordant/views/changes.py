"""The change of coefficients between two rounds or data sets, and what to know about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnosis.agreement import ComparisonPart
from ..fields import FIELDS, columns
from ..inference.comparison import Comparison
from ..numbers import joined, level_text
from .blocks import Block, Messages, Table
from .names import name_of
from .view import view

__all__ = ["changes", "pairing"]


@view(
    "pairing", of="compare", title="", place=10, whole=True,
    help="how the difference is tested, and what differs between the data sets",
)  # fmt: skip
def pairing(part: ComparisonPart) -> Iterator[Block]:
    """How the difference is tested, how to test it otherwise, what is hard to compare."""
    yield Messages(part.table.messages)


@view("changes", of="compare", title="Change of agreement", place=20, help="every coefficient")
def changes(part: ComparisonPart) -> Iterator[Block]:
    """Each coefficient before and after, with the interval and test of the difference."""
    rows = tuple(_row(row, of_sets=part.of_sets) for row in part.rows)
    methods = dict.fromkeys(row.method for row in part.rows if row.method)
    level = level_text(part.rows[0].level)
    notes = [f"{level} intervals of the difference: {'; '.join(methods)}."] if methods else []
    undefined: dict[str, list[str]] = {}
    for row, cells in zip(part.rows, rows, strict=True):
        if row.undefined:
            undefined.setdefault(str(row.undefined).rstrip("."), []).append(str(cells["name"]))
    notes += [f"{joined(names)}: undefined, {why}." for why, names in undefined.items()]
    shown = (
        FIELDS["name"].called("coefficient"),
        FIELDS["value"].called("before", key="before", help=""),
        FIELDS["value"].called("after", key="after", help=""),
        FIELDS["difference"].called("change", help=""),
        *columns("interval p_value"), FIELDS["n_items"].called("items", key="n_compared"),
    )  # fmt: skip
    keep = ("name", "difference", "interval", "p_value", "before", "after", "n_compared")
    yield Table("", shown, rows, tuple(notes), keep=keep)


def _row(row: Comparison, *, of_sets: bool) -> dict[str, Any]:
    name = name_of(row.coefficient, n_coders=row.n_coders, weights=row.weights, of_sets=of_sets)
    n = row.n_common if row.paired else row.n_before + row.n_after
    return {**row.to_rows()[0], "name": name, "n_compared": n}
