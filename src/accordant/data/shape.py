"""What the cells of a table say about it when the names do not."""

from __future__ import annotations

import numpy as np

from .evidence import Facts
from .names import tidy
from .table import BLANK, Codes, Column

__all__ = [
    "identifies_rows",
    "looks_like_time",
    "numbers",
    "prose",
    "wordy",
]

_OWN = 12  # rows from which words that all differ are no labels


def numbers(column: Column) -> bool:
    """Whether the cells are numbers."""
    return Facts.of(column).kind == "number"


def looks_like_time(column: Column) -> bool:
    """Whether the cells are dates or times."""
    return Facts.of(column).kind == "time"


def prose(column: Column) -> bool:
    """Whether a column holds sentences rather than labels: long cells, hardly two the same."""
    found = column.text[:500]
    words = sum(w.count(" ") for w in found) > 6 * len(found)
    return Facts.of(column).kind == "prose" or words


def wordy(column: Column) -> bool:
    """Whether cells are several words long."""
    found = column.text[:500]
    return bool(found) and sum(" " in w for w in found) * 2 > len(found)


def identifies_rows(column: Column) -> bool:
    """Whether every row has its own word: an assignment, a link; no two rows could agree."""
    if column.numeric or len(column.words) < len(column) or len(column) < 2:
        return False
    return len(column) >= _OWN or tidy(column.name).endswith(("id", "link", "url"))


def constant(codes: Codes, item: Codes, n_items: int) -> bool:
    """Whether ``codes`` (N,) have one value for each item, blanks apart."""
    keep = codes != BLANK
    return bool((first_per(codes, item, n_items)[item[keep]] == codes[keep]).all())


def first_per(codes: Codes, item: Codes, n_items: int) -> Codes:
    """(n_items,) the first code of each item that is not blank."""
    keep = codes != BLANK
    found = np.full(n_items + 1, BLANK, np.int32)
    found[item[keep][::-1]] = codes[keep][::-1]
    return found[:-1]
