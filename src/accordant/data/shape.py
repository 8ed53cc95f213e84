"""What the cells of a table say about it when the names do not."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from .labels import MISSING, is_number
from .names import tidy
from .separators import guess, parts
from .table import BLANK, Codes, Column

__all__ = [
    "identifies_rows",
    "looks_like_time",
    "numbers",
    "prose",
    "wordy",
]

_SAMPLE = 500
_OWN = 12  # rows from which words that all differ are no labels
_TIME = re.compile(r"\d{4}-\d\d-\d\d([T ]\d.*)?|\d{1,2}/\d{1,2}/\d{2,4}( .*)?|\d\d:\d\d(:\d\d)?")


def _sample(column: Column) -> list[str]:
    if isinstance(column.words, np.ndarray):
        return [str(w) for w in column.words[:_SAMPLE].tolist()]
    if _lists(column):
        cells = [w if isinstance(w, tuple) else (w,) for w in column.words[:_SAMPLE]]
        return list(dict.fromkeys(str(x) for cell in cells for x in cell))
    return [str(w) for w in column.words[:_SAMPLE]]


def _lists(column: Column) -> bool:
    """Whether some cells are lists of labels."""
    return not column.numeric and any(isinstance(w, tuple) for w in column.words)


def _labels(column: Column) -> list[str]:
    """Some of the cells, taken apart where they clearly hold several labels."""
    found = _sample(column)
    split = guess(found)
    if split is None or not split.clear:
        return found
    return list(dict.fromkeys(p for w in found for p in parts(w, split.mark) if p))


def numbers(column: Column) -> bool:
    """Whether every cell that is not blank is a number."""
    if column.numeric:
        return True
    found = [w for w in _sample(column) if w not in MISSING]
    return bool(found) and all(map(is_number, found)) and not _lists(column)


def wordy(column: Column) -> bool:
    """Whether cells are several words long."""
    found = _sample(column)
    return bool(found) and sum(" " in w for w in found) * 2 > len(found)


def prose(column: Column) -> bool:
    """Whether a column holds sentences rather than labels: long cells, hardly two the same."""
    if column.numeric:
        return False
    return _like_prose(column, _sample(column)) and _like_prose(column, _labels(column))


def _like_prose(column: Column, found: Sequence[str]) -> bool:
    if len(found) < 3 or len(column.words) * 2 < len(column):
        long = sum(map(len, found)) > 50 * len(found)
        return bool(found) and long and sum(w.count(" ") for w in found) > 6 * len(found)
    spaces = sum(w.count(" ") for w in found) / len(found)
    return spaces >= 2 or sum(map(len, found)) > 40 * len(found)


def looks_like_time(column: Column) -> bool:
    """Whether the cells are dates or times."""
    found = _sample(column)
    return bool(found) and all(map(_TIME.fullmatch, found))


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
