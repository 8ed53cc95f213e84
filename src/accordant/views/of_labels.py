"""What is said of a table of labels, where annotations are sets of them."""

from __future__ import annotations

import numpy as np

from ..diagnosis.words import isolated, label_text, quoted
from ..measure.confusion import Confusion
from ..numbers import count_of

__all__ = ["ANOTHER", "OTHERS", "added", "labels_cell", "labels_notes", "labels_title"]

OTHERS = "all others"
ANOTHER = "another coder"


def added(table: Confusion) -> str:
    """Which label one coder most often adds to those of another; empty for single labels."""
    if not table.of_labels:
        return ""
    alone = (table.table[:-1, -1] + table.table[-1, :-1]) / (1 if table.first else 2)
    if not alone.any():
        return ""
    k = int(alone.argmax())
    return (
        f"Added most often to the labels of another: {quoted(table.values[k])} "
        f"({count_of(alone[k], 'time')})."
    )


def labels_title(table: Confusion) -> str:
    """Whether coders differ by adding labels or by taking one for another."""
    if not table.n:
        return "No common items"
    by_row, by_column = float(table.table[:-1, -1].sum()), float(table.table[-1, :-1].sum())
    against = float(table.table[:-1, :-1].sum() - np.trace(table.table[:-1, :-1]))
    if table.first:
        first, second = isolated(table.first), isolated(table.second or "another coder")
        return (
            f"{_begun(second)} adds {count_of(by_column, 'label')} to those of {first}, {first} "
            f"{by_row:,.0f} to those of {second}; {count_of(against, 'time')} one label stands "
            "against another"
        )
    return (
        f"{count_of((by_row + by_column) / 2, 'time')} one coder adds a label to those of "
        f"another, {count_of(against / 2, 'time')} one label stands against another"
    )


def labels_cell(table: Confusion, k: int, other: int) -> str:
    """What stands in a cell, in words."""
    row, column = (isolated(label_text(table.values[j])) for j in (k, other))
    last = len(table.values) - 1
    first, second = table.first or "one coder", table.second or "another"
    if k == other:
        return f"Neither gave a label: {first} and {second}" if k == last else f"Both gave {row}"
    if other == last:
        return f"{_begun(first)} added {row} to the labels of {second}"
    if k == last:
        return f"{_begun(second)} added {column} to the labels of {first}"
    return f"Only {first} gave {row}, only {second} {column}"


def _begun(name: str) -> str:
    """The words for an unknown coder where a sentence begins; names stay as they are."""
    begun = {"one coder": "One coder", "another": "Another coder", "another coder": "Another coder"}
    return begun.get(name, name)


def labels_notes(table: Confusion) -> tuple[str, ...]:
    """How to read the table."""
    side = "" if table.first else " Rows: one coder; columns: another."
    return (
        "On the diagonal: labels that both gave. Elsewhere: the label of the row was given by one "
        "only, that of the column by the other only. “Nothing more”: the other gave no label that "
        f"this one did not give too.{side} An item with several labels may stand in several cells.",
    )
