"""What the cells of a table say about it when the names do not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from .labels import MISSING, is_number
from .names import coder_like, tidy
from .separators import guess, parts
from .table import BLANK, Codes, Column, Table

__all__ = [
    "SUMS",
    "alike",
    "constant_per",
    "contingency_names",
    "counting",
    "id_column",
    "identifies_rows",
    "is_contingency",
    "is_counts",
    "long_by_structure",
    "looks_like_time",
    "may_be_counts",
    "nested",
    "numbers",
    "one_row_per_item",
    "prose",
    "unique_pairs",
    "wordy",
]

SUMS = ("total", "sum", "n")  # columns beside counts that add them up
_SAMPLE = 500
_MOST = 10**6  # coders that an item may have
_SURE = 6  # rows of equal sum that are no accident
_OWN = 12  # rows from which words that all differ are no labels
_OBJECT = re.compile(r"\{(?=.*:)|\{\s*\}?$|\[\s*[{\[]", re.DOTALL)
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


def nested(column: Column) -> bool:
    """Whether the cells are JSON objects or lists of them, not labels."""
    found = _sample(column)
    return bool(found) and all(_OBJECT.match(w) for w in found)


def _key(table: Table, *names: str | None) -> Codes:
    """(N,) one number for each combination of cells."""
    key = np.zeros(len(table), np.int64)
    for name in names:
        if name:
            column = table[name]
            key = key * (len(column.words) + 1) + column.codes + 1
    return key


def one_row_per_item(table: Table, item: str, question: str | None) -> bool:
    """Whether no item (and question) has two rows; rows that name no item do not count."""
    if question is None:
        return len(table[item].words) == np.count_nonzero(table[item].codes != BLANK)
    return unique_pairs(table, item, question)


def unique_pairs(table: Table, *names: str | None) -> bool:
    """Whether no combination of cells occurs twice."""
    known = [n for n in names if n]
    if len(known) == 1:
        return len(table[known[0]].words) == len(table)
    key = np.sort(_key(table, *known))
    return bool((key[1:] != key[:-1]).all())


def constant_per(table: Table, name: str, item: str) -> bool:
    """Whether a column says the same in every row of an item."""
    return constant(table[name].codes, table[item].codes, len(table[item].words))


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


def id_column(table: Table) -> str | None:
    """The first column if its cells are all different and none is a label of another column."""
    if not table.columns or len(table) < 2:
        return None
    for column in table.columns[:1]:
        full = len(column.words) == len(column) and not (column.codes == BLANK).any()
        if full:
            others = [set(c.text) for c in table.columns if c is not column]
            if not any(set(column.text) & o for o in others if len(o) < len(column)) or _counter(
                column
            ):
                return column.name
    return None


def _counter(column: Column) -> bool:
    """Whether the cells count 1, 2, 3, … or 0, 1, 2, …."""
    text = column.text
    return text in ([str(k) for k in range(len(text))], [str(k + 1) for k in range(len(text))])


def long_by_structure(table: Table, item: str | None = None) -> tuple[str, str, str] | None:
    """Item, coder and label of three columns, if their cells leave one way to tell."""
    columns = [c for c in table.columns if not c.blank]
    if len(columns) != 3 or len(table) < 4:
        return None
    found = []
    for a, b, c in permutations(columns):
        if item and a.name != item:
            continue
        few = 2 <= len(b.words) < len(a.words) and len(c.words) < len(table)
        full = (a.codes != BLANK).all() and (b.codes != BLANK).all()
        if (
            few
            and full
            and len(a.words) < len(table)
            and len(a.words) * len(b.words) >= len(table)
            and unique_pairs(table, a.name, b.name)
        ):
            found.append((-(len(table) / (len(a.words) * len(b.words))), a.name, b.name, c.name))
    if not found:
        return None
    found.sort(key=lambda f: f[0])
    if len(found) > 1 and found[0][0] == found[1][0] and {found[0][1:3]} != {found[1][1:3]}:
        return None
    return found[0][1:]


def alike(columns: Sequence[Column]) -> list[str]:
    """The largest group of columns that hold the same labels, in order."""
    sets = [{w for w in _labels(c) if w not in MISSING} for c in columns]
    group = list(range(len(columns)))

    def root(k: int) -> int:
        while group[k] != k:
            k = group[k]
        return k

    for i in range(len(columns)):
        for j in range(i):
            if _share(columns[i], columns[j], sets[i], sets[j]):
                group[root(i)] = root(j)
    roots = [root(k) for k in range(len(columns))]
    if not roots:
        return []
    best = max(set(roots), key=lambda r: (roots.count(r), -r))
    return [c.name for c, r in zip(columns, roots, strict=True) if r == best]


def _share(a: Column, b: Column, one: set[str], other: set[str]) -> bool:
    if not one or not other:
        return False
    if len(one) > 20 and len(other) > 20 and numbers(a) and numbers(b):
        x, y = ([float(w) for w in s if is_number(w) or w[:1].isdigit()] for s in (one, other))
        if not x or not y:
            return False
        overlap = min(max(x), max(y)) - max(min(x), min(y))
        return overlap * 10 >= 3 * (max(max(x), max(y)) - min(min(x), min(y)))
    return 2 * len(one & other) >= min(len(one), len(other))


# ---------------------------------------------------------------------- tables of counts


def counting(column: Column) -> bool:
    """Whether a column holds whole numbers from 0 up."""
    if column.numeric:
        words = np.asarray(column.words)
        return words.dtype.kind in "iu" and bool((words >= 0).all())
    found = _sample(column)
    return bool(found) and all(w.isdigit() and is_number(w) for w in found) and not _lists(column)


def contingency_names(table: Table) -> tuple[list[str], list[str]] | None:
    """Labels of the rows and of the columns of a contingency table, totals apart."""
    first, rest = table.columns[0], table.columns[1:]
    if len(first.words) != len(table) or (first.codes == BLANK).any():
        return None
    rows = [first.text[k] for k in first.codes.tolist() if tidy(first.text[k]) not in _TOTALS]
    columns = [c.name for c in rest if tidy(c.name) not in _TOTALS]
    return rows, columns


_TOTALS = ("total", "sum", "all", "totals", "σ", "")


def is_contingency(table: Table) -> bool:
    """Whether rows and columns carry the same labels and the cells are counts."""
    if len(table.columns) < 3:
        return False
    found = contingency_names(table)
    if found is None:
        return False
    rows, columns = found
    same = len(rows) > 1 and set(rows) == set(columns)
    return same and all(counting(c) for c in table.columns[1:] if tidy(c.name) not in _TOTALS)


def is_counts(table: Table, item: str | None) -> bool:
    """Whether each row says how many coders chose each category.

    The alternative is a column of numeric labels for each coder. Three things tell them apart.
    Every item has about the same number of annotations, so that most rows have the same sum; no
    row has a larger one. Some category was chosen by nobody for some item. And where all coders
    of an item chose one category, its count is the sum of the row: labels of coders would sum to
    more as soon as two of them give the highest one.
    """
    counts, names = _tallies(table, item)
    if len(counts) < 2 or len(table) < 3 or not (counts == 0).any():
        return False
    sums = counts.sum(0)
    most = int(sums.max())
    same = int(np.count_nonzero(sums == most))
    unanimous = int(counts.max()) == most
    if most < 2 or sums.min() < 1 or 2 * same < len(table):
        return False
    if all(map(coder_like, names)):
        return unanimous and same == len(table) and all(len(n) == 1 for n in names)
    varied = len(np.unique(counts, axis=1).T) > 2
    return unanimous or (same == len(table) >= _SURE and varied)


def may_be_counts(table: Table, item: str | None) -> bool:
    """Whether a table that is read as wide has something of a table of counts."""
    counts, names = _tallies(table, item)
    if len(counts) < 2 or not (counts == 0).any() or any(map(coder_like, names)):
        return False
    sums = counts.sum(0)
    usual = np.unique(sums, return_counts=True)[1].max()
    return bool(sums.min() >= 1 and sums.max() >= 2) and (
        int(counts.max()) == int(sums.max()) or 2 * int(usual) >= len(table) > 2
    )


def _tallies(table: Table, item: str | None) -> tuple[NDArray[np.int64], list[str]]:
    """(K, N) the whole numbers beside the item ids, and the names of their columns."""
    nothing: tuple[NDArray[np.int64], list[str]] = np.zeros((0, 0), np.int64), []
    if item is None and table.headed and not numbers(table.columns[0]):
        item = table.columns[0].name
    cells = [c for c in table.columns if c.name != item and tidy(c.name) not in SUMS]
    if item is None or not cells or not all(map(counting, cells)):
        return nothing
    if any(int(w) > _MOST for c in cells for w in c.words):
        return nothing
    if any((c.codes == BLANK).any() for c in cells) or not unique_pairs(table, item):
        return nothing
    return np.stack([_integers(c) for c in cells]), [c.name for c in cells]


def _integers(column: Column) -> Codes:
    words = np.array([*(int(w) for w in column.words), 0], np.int64)
    return words[column.codes]
