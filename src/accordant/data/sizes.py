"""How many labels annotations hold: what a reader of multi-label data must see first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from .annotations import Annotations
from .options import Options

__all__ = ["set_sizes", "told_of_sets"]


def set_sizes(data: Annotations, question: str) -> NDArray[np.integer[Any]]:
    """(n + 1,) how many annotations of a question hold 0, 1, …, n labels.

    Examples
    --------
    >>> from accordant import read
    >>> set_sizes(read([[("a",), ("a", "b")], [(), ("b",)]]), "").tolist()
    [1, 2, 1]
    """
    if data.grid is not None:
        codes = data.grid.reshape(-1)
    else:
        columns = data.answered
        codes = columns.value[columns.question == data.questions.index(question)]
    times = np.bincount(codes.astype(np.intp) + 1, minlength=len(data.values) + 1)[1:]
    sizes = np.array([len(v) if isinstance(v, tuple) else 1 for v in data.values], np.intp)
    found: NDArray[np.integer[Any]] = np.bincount(sizes, times).astype(np.int64)
    return np.trim_zeros(found, "b")


def told_of_sets(data: Annotations, options: Options) -> Annotations:
    """The annotations with a note on how many labels they hold, if they may hold several."""
    notes = tuple(_notes(data, options))
    if not notes or data.reading.notes[-len(notes) :] == notes:
        return data
    return replace(data, reading=replace(data.reading, notes=(*data.reading.notes, *notes)))


def _notes(data: Annotations, options: Options) -> Iterator[str]:
    several = [q for q, s in zip(data.questions, data.schemes, strict=True) if s.max_labels != 1]
    for question in several:
        sizes = set_sizes(data, question)
        total = max(int(sizes.sum()), 1)
        each = [f"{_labels(k)} in {100 * n / total:.1f} %" for k, n in enumerate(sizes) if n]
        about = f"question {question!r}: " if question else ""
        yield f"{about}labels of an annotation: {', '.join(each)}"
    if several and data.reading.blanks and options.blank is None and () not in data.values:
        yield Notice(
            "blank cells count as missing",
            Action("", {"blank": "empty"}, "if a blank cell says that no label applies"),
        )


def _labels(n: int) -> str:
    return str(n) if n else "none"
