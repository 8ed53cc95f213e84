"""Columns of a file to be written: codes into cells, so that each cell is spelt once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .table import Codes, as_words

__all__ = ["Field", "Sheet", "separator_for", "set_text"]


@dataclass(frozen=True)
class Field:
    """One column: N cells.

    Parameters
    ----------
    name : str
        The header.
    words : sequence
        (W,) text, numbers or None, not necessarily distinct.
    codes : ndarray, optional
        (N,) positions in ``words``, -1 for an empty cell; None if ``words`` are the cells.
    """

    name: str
    words: Sequence[Any] | NDArray[Any]
    codes: Codes | None = None

    def __len__(self) -> int:
        return len(self.words if self.codes is None else self.codes)

    def cells(self) -> list[Any]:
        """(N,) the cells."""
        words = list(as_words(self.words))
        if self.codes is None:
            return words
        words.append(None)
        return [words[k] for k in self.codes.tolist()]

    @property
    def lists(self) -> bool:
        """Whether some cells are sets of labels."""
        return not isinstance(self.words, np.ndarray) and any(
            isinstance(w, tuple) for w in self.words
        )

    def as_lists(self) -> Field:
        """The same column with every cell a JSON list; a single label is a list of one."""
        words = [
            None if w is None else json.dumps(w if isinstance(w, tuple) else [w])
            for w in self.words
        ]
        return Field(self.name, words, self.codes)

    def as_text(self, separator: str) -> Field:
        """The same column with its sets of labels as text."""
        words = [set_text(w, separator) if isinstance(w, tuple) else w for w in self.words]
        return Field(self.name, words, self.codes)

    def array(self) -> NDArray[Any]:
        """(N,) numbers, masked where empty, or objects: text and None."""
        words = list(as_words(self.words))
        blank = np.array([w is None for w in words] + [True])
        kinds = {type(w) for w in words if w is not None}
        codes = np.arange(len(words)) if self.codes is None else self.codes
        if kinds == {int} and all(w is None or abs(w) < 2**63 for w in words):
            cells = np.array([0 if w is None else w for w in words] + [0], np.int64)
        elif kinds and kinds <= {int, float}:
            cells = np.array([0 if w is None else w for w in words] + [0], np.float64)
        else:
            cells = np.array([None if w is None else str(w) for w in words] + [None], object)
            return np.asarray(cells[codes])
        empty = blank[codes]
        return np.ma.MaskedArray(cells[codes], empty) if empty.any() else cells[codes]


Sheet: TypeAlias = tuple[Field, ...]


def set_text(labels: Sequence[Any], separator: str) -> str:
    """A set of labels as `read` takes it from a cell of text.

    Examples
    --------
    >>> set_text(("a", "b"), ";"), set_text(("a",), ";"), set_text((), ";")
    ('a;b', 'a', '[]')
    """
    return separator.join(map(str, labels)) or "[]"


def separator_for(values: Iterable[Any]) -> str:
    """What can stand between the labels of sets since no label contains it."""
    text = "".join(str(x) for v in values if isinstance(v, tuple) for x in v)
    return next((mark for mark in (*_SEPARATORS, *map(chr, range(0x2500, 0x2580)))
                 if mark not in text), ";")  # fmt: skip


_SEPARATORS = (";", "|", "#", "/", "+", "&", "~")
