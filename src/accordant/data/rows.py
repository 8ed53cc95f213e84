"""One row for each cell that may hold an annotation: what all layouts are melted into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .labels import Place
from .table import Codes, Column, Table

__all__ = ["Rows", "numbered"]


@dataclass(frozen=True)
class Rows:
    """One row for each cell that may hold an annotation: N rows.

    ``coder`` is None if nobody knows who answered. ``status`` (N,) holds what a column of the
    file says, `BLANK` where it says nothing. ``weight`` (N,) says how strongly a label was given.
    """

    item: Column
    question: Column
    coder: Column | None
    label: Column
    place: Place
    status: Codes | None = None
    texts: Column | None = None  # (I,) over the items
    metadata: Mapping[str, Column] = field(default_factory=dict)  # (I,) each
    weight: NDArray[np.float64] | None = None

    def cut(self, keep: NDArray[np.integer[Any]], place: Place) -> Rows:
        """Some of the rows; ``place`` leads from their new positions to where they came from."""

        def of(c: Column) -> Column:
            return Column(c.name, c.codes[keep], c.words)

        return Rows(
            of(self.item), of(self.question), None if self.coder is None else of(self.coder),
            of(self.label), place, None if self.status is None else self.status[keep],
            self.texts, self.metadata, None if self.weight is None else self.weight[keep],
        )  # fmt: skip


def numbered(table: Table) -> Column:
    """(N,) ids for the rows of a table that has none: 1, 2, 3, …."""
    n = len(table)
    return Column("item", np.arange(n, dtype=np.int32), np.arange(1, n + 1))
