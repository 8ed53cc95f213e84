"""Scores as tables: one for items, one for coders, one for categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...results import Result

__all__ = ["ScoreTable", "named"]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(Result):
    """One row for each item, coder or category, with all that is said of it.

    Parameters
    ----------
    columns : dict of str to sequence or ndarray
        By name, in the order of the table, each as long as the others.
    """

    columns: dict[str, Sequence[Any] | NDArray[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.to_rows())

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows."""
        names = list(self.columns)
        lists = [x.tolist() if isinstance(x, np.ndarray) else x for x in self.columns.values()]
        return [dict(zip(names, row, strict=True)) for row in zip(*lists, strict=True)]


def named(items: Any) -> list[Any]:
    """Names as plain objects."""
    return list(items.tolist() if isinstance(items, np.ndarray) else items)
