"""The change of coefficients between two rounds or data sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..fields import FIELDS, columns
from ..inference.comparison import Comparison
from ..numbers import joined, level_text
from ..public import ComparisonTable
from .document import Block, Messages, Table
from .names import name_of
from .view import view

__all__ = ["change"]

KEEP = ("question", "name", "difference", "interval", "p_value", "before", "after")


@view("change", of="compare", title="Change", place=20)
def change(found: ComparisonTable) -> Iterator[Block]:
    """Each coefficient before and after, with the test of the difference."""
    several = any(row.question for row in found.rows)
    rows = tuple(_row(row, found, several=several) for row in found.rows)
    yield Messages(found.messages)
    value = FIELDS["value"]
    keys = (
        *columns("question" if several else ()), FIELDS["name"].called("coefficient"),
        value.called("before", key="before", help=""), value.called("after", key="after", help=""),
        FIELDS["difference"].called("change"),
        *columns("interval p_value"), FIELDS["n"].called("items"),
    )  # fmt: skip
    notes = tuple(_notes(found))
    yield Table("", keys, rows, notes, keep=KEEP, every=tuple(found.to_rows()))


def _row(row: Comparison, found: ComparisonTable, *, several: bool) -> dict[str, Any]:
    n = row.n_common if row.paired else row.n_before + row.n_after
    return {
        **row.to_rows()[0], "name": _name(row, found), "n": n,
        "question": row.question or ("pooled" if several else None),
    }  # fmt: skip


def _name(row: Comparison, found: ComparisonTable) -> str:
    return name_of(
        row.coefficient, n_coders=row.n_coders, weights=row.weights, of_sets=found.of_sets
    )


def _notes(found: ComparisonTable) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for row in found.rows:
        if row.undefined:
            of = f" of {row.question}" if row.question else ""
            reasons.setdefault(row.undefined, []).append(f"{_name(row, found)}{of}")
    yield from (f"{joined(names)}: {why}." for why, names in reasons.items())
    methods = dict.fromkeys(row.method for row in found.rows if row.method)
    if methods:
        yield f"{level_text(found.rows[0].level)} intervals: {'; '.join(methods)}."
