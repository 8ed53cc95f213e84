"""A table of raw cells, each column held as codes into its distinct cells.

All later work on words (missing tokens, numbers, categories) happens once for each distinct
cell, and all work on rows happens on arrays of integers.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError

BLANK = -1
BLANK_BYTE = 255
_WIDEST = 126  # span of numbers that fits a signed byte beside "no value"
_FEW = 24  # distinct codes up to which comparing is quicker than counting
Codes: TypeAlias = NDArray[np.integer[Any]]
Words: TypeAlias = Sequence[Any] | NDArray[Any]
Place: TypeAlias = Callable[[int], dict[str, Any]]  # row of annotations -> file, row, column


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    name : str
        The header.
    codes : ndarray
        (N,) positions in ``words``; `BLANK` for an empty cell.
    words : sequence
        (W,) the distinct cells: text without outer white space, numbers, tuples, or booleans
        where all are (1 and True are one key of a dict).
    order : tuple of str or number
        All categories in order, where the source says so: an ordered Categorical, an ordinal
        variable of SPSS.
    """

    name: str
    codes: Codes
    words: Words
    order: tuple[Any, ...] = ()

    def __len__(self) -> int:
        return len(self.codes)

    def at(self, rows: Codes) -> Column:
        """The cells of some rows."""
        return replace(self, codes=self.codes[rows])

    def cells(self, most: int | None = None) -> list[Any]:
        """(N,) the first cells; None where one is blank."""
        words = [*as_words(self.words), None]
        return [words[k] for k in self.codes[:most].tolist()]

    @property
    def blank(self) -> bool:
        """Whether no cell holds anything."""
        return len(self.words) == 0

    @cached_property
    def text(self) -> list[str]:
        """(W,) the distinct cells as text."""
        words = as_words(self.words)
        return [w if type(w) is str else str(w) if type(w) is int else plain(w) for w in words]

    @property
    def numeric(self) -> bool:
        """Whether the cells were numbers when they came (never for text files)."""
        return isinstance(self.words, np.ndarray)


@dataclass(frozen=True)
class Table:
    """Columns of equal length with the place each row came from.

    Parameters
    ----------
    source : str
        File or sheet for messages.
    columns : tuple of Column
        (M,) columns of N cells.
    row : callable
        From the position of a record to the row that an editor or a spreadsheet shows; None for
        data that were never a file.
    coder : str
        Name of the coder if the file or sheet belongs to one.
    notes : tuple of str
        What a user should know about the file.
    headed : bool
        False if the columns were given numbers because the file has no header.
    """

    source: str
    columns: tuple[Column, ...]
    row: Callable[[int], int | None] = lambda _: None
    coder: str = ""
    notes: tuple[str, ...] = ()
    headed: bool = True
    shown: Mapping[str, str] = field(default_factory=dict)  # column that we made -> the file's
    warnings: tuple[str, ...] = ()  # what may have been misread
    known: Mapping[str, bool] = field(default_factory=dict)  # column -> whether it holds answers
    described: Mapping[str, str] = field(default_factory=dict)  # column -> a survey's words for it

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        """(M,) the headers."""
        return tuple(c.name for c in self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Column:
        if name not in self._named:
            raise InputError(f"there is no column {name!r} here", file=self.source)
        return self._named[name]

    @cached_property
    def _named(self) -> dict[str, Column]:
        return {c.name: c for c in reversed(self.columns)}


def plain(cell: Any) -> str:
    """The text of a cell, the same whether it came as text or as a number.

    Examples
    --------
    >>> plain(3.0), plain(" a "), plain(2.5), plain(("x",)), plain(("x", "y"))
    ('3', 'a', '2.5', 'x', '["x", "y"]')
    """
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bool | np.bool_):
        return str(bool(cell))
    if isinstance(cell, float | np.floating):
        return str(int(cell)) if float(cell).is_integer() else repr(float(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return str(cell.date())
    if isinstance(cell, tuple):
        return plain(cell[0]) if len(cell) == 1 else _json([word_of(c) for c in cell])
    return str(cell)


def as_words(words: Words) -> Sequence[Any]:
    """Distinct cells as plain Python objects."""
    return words.tolist() if isinstance(words, np.ndarray) else words


def encode(name: str, cells: Any) -> Column:
    """A column from its cells: text, numbers, None; a sequence or a NumPy array."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "iuf":
        return _encode_numbers(name, cells)
    if isinstance(cells, np.ndarray) and cells.dtype.kind == "M":
        cells = cells.astype("M8[s]").astype(object)
    if isinstance(cells, np.ndarray):
        cells = cells.tolist()
    try:
        found = dict.fromkeys(cells)
    except TypeError:  # lists in cells
        cells = [_hashable(c) for c in cells]
        found = dict.fromkeys(cells)
    words: dict[Any, int] = {}
    position: dict[Any, int] = {}
    for cell in found:
        word = word_of(cell)
        position[cell] = BLANK if word is None else words.setdefault(word, len(words))
    codes = np.fromiter(map(position.__getitem__, cells), np.int32, len(cells))
    if words and all(isinstance(c, bool | np.bool_) for c in found if position[c] != BLANK):
        return Column(name, codes, tuple(word == "True" for word in words))
    kinds = {type(w) for w in words}
    if words and kinds <= {int, float} and all(abs(w) < 2**53 for w in words):
        return Column(name, codes, np.array(list(words)))
    return Column(name, codes, tuple(words))


def word_of(cell: Any) -> Any:
    """A cell as we keep it, None if it is empty."""
    if isinstance(cell, str):
        return cell.strip() or None
    if cell is None or type(cell).__name__ in ("NAType", "NaTType") or cell != cell:  # NaN
        return None
    if isinstance(cell, bool | np.bool_):
        return str(bool(cell))
    if isinstance(cell, np.generic):
        cell = cell.item()
    if type(cell) in (int, float):
        return cell
    if isinstance(cell, tuple | frozenset):
        return _hashable(cell)
    return plain(cell)


def _hashable(cell: Any) -> Any:
    """A list of labels as a tuple; anything deeper, such as spans of a text, as JSON."""
    if isinstance(cell, np.ndarray):
        cell = cell.tolist()
    if isinstance(cell, set | frozenset):
        cell = sorted(cell, key=str)
    if isinstance(cell, dict):
        return _json(cell)
    if not isinstance(cell, list | tuple):
        return cell
    if any(isinstance(c, list | tuple | dict | set | frozenset | np.ndarray) for c in cell):
        return _json(cell)
    labels = tuple(word_of(c) for c in cell if word_of(c) is not None)
    return labels if labels or not len(cell) else None  # [null] is missing, [] an answer


def _json(cell: Any) -> str:
    return json.dumps(cell, ensure_ascii=False, default=_listed)


def _listed(cell: Any) -> Any:
    """What JSON has no word for, in JSON's words."""
    if isinstance(cell, np.ndarray | np.generic):
        return cell.tolist()
    return sorted(cell, key=str) if isinstance(cell, set | frozenset) else str(cell)


# ---------------------------------------------------------------------- numbers


def with_blanks(name: str, cells: NDArray[Any], blank: NDArray[np.bool_]) -> Column:
    """A column of numbers of which some are blank, whatever stands there."""
    given = encode(name, cells[~blank])
    codes = np.full(len(cells), BLANK, np.int32)
    codes[~blank] = given.codes
    return Column(name, codes, given.words)


def _encode_numbers(name: str, cells: NDArray[Any]) -> Column:
    """(N,) numbers; not-a-number is blank."""
    if not len(cells):
        return Column(name, np.zeros(0, np.int32), ())
    small = encode_bytes(cells)
    if small is not None:
        return Column(name, small[0].view(np.int8), small[1].astype(np.int64))
    if cells.dtype.kind == "f":
        blank = np.isnan(cells)
        if blank.any():
            return with_blanks(name, cells, blank)
        whole = (np.abs(cells) < 2**53).all() and (cells == np.floor(cells)).all()
        cells = cells.astype(np.int64) if whole else cells
    low, high = cells.min(), cells.max()
    if cells.dtype.kind == "f" or int(high) - int(low) > max(4 * len(cells), 1 << 16):
        words, codes = np.unique(cells, return_inverse=True)
        return Column(name, codes.astype(np.int32), words)
    shifted = cells.astype(np.int64) - int(low)
    seen = np.zeros(int(high) - int(low) + 1, bool)
    seen[shifted] = True
    place = (np.cumsum(seen) - 1).astype(np.int32)
    return Column(name, place[shifted], np.flatnonzero(seen) + int(low))


def encode_bytes(cells: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[Any]] | None:
    """Codes of an array of whole numbers that lie close together, a byte a cell; else None.

    Codes have the shape of the array, `BLANK_BYTE` for not-a-number; they are positions in the
    distinct numbers, which are sorted.

    Examples
    --------
    >>> codes, words = encode_bytes(np.array([[1.0, 5.0], [np.nan, 5.0]]))
    >>> codes.tolist(), words.tolist()
    ([[0, 1], [255, 1]], [1.0, 5.0])
    """
    if cells.size == 0 or cells.dtype.kind not in "iuf":
        return None
    blank = np.isnan(cells) if cells.dtype.kind == "f" else None
    if blank is not None and blank.any():
        cells = np.where(blank, cells.flat[int(np.argmin(blank))], cells)
    low, high = cells.min(), cells.max()
    if not 0 <= high - low <= _WIDEST or low != np.floor(low):  # not if all are blank
        return None
    codes = _shifted(cells, low)
    if codes is None:
        return None
    if blank is not None:
        codes[blank] = BLANK_BYTE
    span = int(high - low) + 1
    found = np.flatnonzero(times_of(codes, span))
    if len(found) < span:
        lookup = np.full(256, BLANK_BYTE, np.uint8)
        lookup[found] = np.arange(len(found))
        codes = lookup.take(codes)
    return codes, (found + low).astype(cells.dtype)


def times_of(codes: NDArray[np.uint8], n: int) -> NDArray[np.integer[Any]]:
    """(n,) how often each of the first codes occurs."""
    if n <= _FEW:
        return np.array([np.count_nonzero(codes == k) for k in range(n)], np.int64)
    return np.bincount(codes.reshape(-1), minlength=BLANK_BYTE + 1)[:n]


def _shifted(cells: NDArray[Any], low: Any) -> NDArray[np.uint8] | None:
    """``cells - low`` in bytes, or None if a number is not whole."""
    shifted = cells - low
    codes = np.asarray(shifted.astype(np.uint8))
    return codes if cells.dtype.kind != "f" or np.array_equal(codes, shifted) else None


def merge(columns: Iterable[Column], name: str = "") -> Column:
    """Columns below one another, with one list of distinct cells."""
    parts = list(columns)
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    if all(p.words is first.words for p in parts):
        return Column(name or first.name, np.concatenate([p.codes for p in parts]), first.words)
    words: dict[Any, int] = {}
    codes = []
    for part, cells in zip(parts, cells_of(parts), strict=True):
        new = [words.setdefault(w, len(words)) for w in cells]
        codes.append(np.array([*new, BLANK], np.int32)[part.codes])
    numbers = all(p.numeric or p.blank for p in parts)
    merged: Words = np.array(list(words)) if numbers and words else tuple(words)
    return Column(name or first.name, np.concatenate(codes), merged)


def cells_of(columns: Sequence[Column]) -> list[Sequence[Any]]:
    """The distinct cells of each column: booleans are text beside others, since True equals 1."""
    truths = {not c.numeric and isinstance(c.words[0], bool) for c in columns if not c.blank}
    cells = [as_words(c.words) for c in columns]
    if len(truths) < 2:
        return cells
    return [[str(w) if isinstance(w, bool) else w for w in each] for each in cells]


# ---------------------------------------------------------------------- rows of annotations


@dataclass(frozen=True)
class Rows:
    """One row for each cell that may hold an annotation: N rows.

    ``coder`` is None if nobody knows who answered. ``status`` is what a column of the file says
    of each annotation, ``occasion`` when it was given: the first time, or again.
    """

    item: Column
    question: Column
    coder: Column | None
    label: Column
    place: Place
    status: Column | None = None
    occasion: Column | None = None
    texts: Sequence[str] | None = None  # (I,) over the items
    metadata: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # (I,) each

    def cut(self, keep: NDArray[np.integer[Any]]) -> Rows:
        """The rows at some positions."""
        cut: dict[str, Any] = {role: column.at(keep) for role, column in self.columns().items()}
        return replace(self, **cut, place=lambda k: self.place(int(keep[k])))

    def columns(self) -> dict[str, Column]:
        """The columns (N,) that there are, by their role."""
        roles = ("item", "question", "coder", "label", "status", "occasion")
        return {role: column for role in roles if (column := getattr(self, role)) is not None}


def numbered(table: Table) -> Column:
    """(N,) ids for the rows of a table that has none: 1, 2, 3, …."""
    n = len(table)
    return Column("item", np.arange(n, dtype=np.int32), np.arange(1, n + 1))


def keys_of(
    item: Codes, question: Codes, coder: Codes | None, n_questions: int, n_coders: int
) -> NDArray[np.int64]:
    """(N,) one number for each item, question and coder."""
    key = item.astype(np.int64) * n_questions
    key += question
    if coder is not None:
        key *= n_coders
        key += coder
    return key


def repeats(keys: Sequence[Codes], order: Codes | None = None) -> NDArray[np.int64]:
    """(N,) how many rows with the same keys come before each, as they stand or by ``order``.

    Examples
    --------
    >>> repeats([np.array([7, 8, 7, 7])]).tolist()
    [0, 0, 1, 2]
    """
    at = np.lexsort([*([] if order is None else [order]), *keys])
    new = np.zeros(len(at), bool)
    new[:1] = True
    for key in keys:
        new[1:] |= key[at][1:] != key[at][:-1]
    start = np.flatnonzero(new)
    before = np.empty(len(at), np.int64)
    before[at] = np.arange(len(at)) - np.repeat(start, np.diff(np.r_[start, len(at)]))
    return before
