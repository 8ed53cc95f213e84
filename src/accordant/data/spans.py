"""Spans of texts: where coders marked what, with offsets in code points."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

_COLUMNS = ("item", "question", "coder", "start", "end", "label")
TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, eq=False)
class Spans:
    """Every span that a coder marked, and which texts each coder went through.

    S spans, L texts that a coder went through.

    Parameters
    ----------
    items : tuple of str
        The texts; where each token of a text is an item of the annotations, still the texts.
    questions, coders, labels : tuple of str
        What the codes stand for.
    item, question, coder, start, end, label : ndarray
        (S,) codes, and where a span begins and ends, in code points of its text.
    looked : ndarray
        (L, 3) text, question and coder: answered, with spans or without.
    """

    items: tuple[str, ...]
    questions: tuple[str, ...]
    coders: tuple[str, ...]
    labels: tuple[str, ...]
    item: NDArray[np.int32]
    question: NDArray[np.int32]
    coder: NDArray[np.int32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    label: NDArray[np.int32]
    looked: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.item)

    def only(
        self,
        items: Collection[str] | None = None,
        questions: Collection[str] | None = None,
        coders: Collection[str] | None = None,
    ) -> Spans:
        """The spans of some texts, questions and coders."""
        asked = ((self.items, items), (self.questions, questions), (self.coders, coders))
        chosen = [
            np.array([some is None or n in some for n in names], bool) for names, some in asked
        ]
        keep = chosen[0][self.item] & chosen[1][self.question] & chosen[2][self.coder]
        seen = np.all([c[k] for c, k in zip(chosen, self.looked.T, strict=True)], axis=0)
        kept: dict[str, Any] = {name: getattr(self, name)[keep] for name in _COLUMNS}
        return replace(self, looked=self.looked[seen], **kept)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each span: item, question, coder, start, end, label."""
        rows = zip(*(getattr(self, name).tolist() for name in _COLUMNS), strict=True)
        named = (
            (self.items[i], self.questions[q], self.coders[c], start, end, self.labels[k])
            for i, q, c, start, end, k in rows
        )
        return [dict(zip(_COLUMNS, row, strict=True)) for row in named]

    def told(self) -> str:
        """Everything as text, the same whatever the order."""
        seen = [(self.items[i], self.questions[q], self.coders[c]) for i, q, c in self.looked]
        return repr((sorted(map(repr, self.to_rows())), sorted(seen)))


# ------------------------------------------------------------------ offsets and tokens


def utf16_starts(text: str) -> list[int]:
    """The offset of each code point in UTF-16 code units, and that of the end.

    Examples
    --------
    >>> utf16_starts("a😊b")
    [0, 1, 3, 4]
    """
    if max(text, default="") <= "\uffff":
        return [*range(len(text) + 1)]
    at, starts = 0, [0]
    for c in text:
        at += 2 if c > "\uffff" else 1
        starts.append(at)
    return starts


class Offsets:
    """Offsets in another unit as offsets in code points.

    Examples
    --------
    >>> to = Offsets(utf16_starts("a😊b"))
    >>> to(3), to(9), to(2)
    (2, None, None)
    """

    def __init__(self, starts: Sequence[int]) -> None:
        self._plain = len(starts) - 1 if starts[-1] == len(starts) - 1 else -1
        self._of = {} if self._plain >= 0 else {at: k for k, at in reversed([*enumerate(starts)])}

    def __call__(self, at: int) -> int | None:
        """The offset in code points; None if it is inside a character or outside of the text."""
        return (at if 0 <= at <= self._plain else None) if self._plain >= 0 else self._of.get(at)


def tokens_of(text: str) -> tuple[tuple[int, int], ...]:
    """Words and marks of a text, where a platform gives no tokens.

    Examples
    --------
    >>> tokens_of("So it is.")
    ((0, 2), (3, 5), (6, 8), (8, 9))
    """
    return tuple(m.span() for m in TOKEN.finditer(text))
