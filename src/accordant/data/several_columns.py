"""Coders that several columns name together: a model and its seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from .names import role_of, words_of
from .options import Options
from .table import BLANK, Column, Table

__all__ = ["OCCASIONS", "coder_of_columns"]

# What tells runs of one model, or occasions of one person, apart.
OCCASIONS = frozenset(
    (
        "seed",
        "run",
        "replicate",
        "repetition",
        "iteration",
        "epoch",
        "temperature",
        "prompt",
        "template",
        "version",
        "checkpoint",
        "session",
        "round",
        "attempt",
    )
)


def coder_of_columns(table: Table, options: Options) -> tuple[Table, Options]:
    """The table with one column for coders whom several columns name, if the user gives such.

    Columns of coders hold labels, and so share words; columns that name coders together do not,
    and one of them is called as coders, or their runs, are.
    """
    names = options.coder
    if len(names) < 2 or options.layout not in (None, "long") or not {*names} <= {*table.names}:
        return table, options
    columns = [table[n] for n in names]
    called = any(role_of(n) == "coder" or OCCASIONS & {*words_of(n)} for n in names)
    words = [{*c.text} for c in columns]
    if not called or any(a & b for a, b in combinations(words, 2)):
        return table, options
    made = _joined(" ".join(names), columns)
    if 2 * len(made.words) > len(table):
        return table, options
    kept = tuple(c for c in table.columns if c.name not in names)
    note = f"columns {', '.join(map(repr, names))} name the coders together"
    told = replace(table, columns=(*kept, made), notes=(*table.notes, note))
    return told, replace(options, coder=(made.name,))


def _joined(name: str, columns: Sequence[Column]) -> Column:
    """A column of what the cells of several say together; blank where one of them is."""
    cells = np.stack([c.codes for c in columns])
    distinct, codes = np.unique(cells, axis=1, return_inverse=True)
    words = [
        " ".join(c.text[k] for c, k in zip(columns, row, strict=True) if k != BLANK)
        for row in distinct.T.tolist()
    ]
    blank = (cells == BLANK).any(0)
    return Column(name, np.where(blank, BLANK, codes.reshape(-1)).astype(np.int32), tuple(words))
