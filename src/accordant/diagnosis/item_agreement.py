"""How far coders agree on each item, and which items are the hardest."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.tables import positions_of
from ..data.annotations import Annotations
from ..errors import RequestError
from ..measure.registry import item_agreement
from ..measure.shares import item_entropy
from ..measure.weights import Weights
from ..messages import isolated, label_text, member
from ..numbers import joined, tied
from ..results import Record, Result
from ..scheme import Value

FEW = 2  # coders who are named where many annotated an item


@dataclass(frozen=True)
class NamedItem(Record):
    """An item with its name, its text and its annotations.

    Parameters
    ----------
    position : int
        Position in the arrays of `ItemAgreement`.
    item : hashable
        As it is called in the data.
    question : str or None
    text : str or None
        What the coders read.
    agreement, entropy : float
    labels : tuple of (str, Value)
        Coder and value, in the order of the coders.
    """

    row_of = "item question agreement entropy"

    position: int
    item: Hashable
    question: str | None
    text: str | None
    agreement: float
    entropy: float
    labels: tuple[tuple[str, Value], ...]

    def said(self, most: int = 8) -> str:
        """Who gave what; with more coders than ``most``, how many gave what.

        A value that one or two coders gave is told with their names.

        Examples
        --------
        >>> crowd = tuple((f"w{i}", "a" if i else "b") for i in range(25))
        >>> item = NamedItem(0, 7, None, None, 0.92, 0.24, crowd)
        >>> item.said()
        '24 gave a; w0 gave b'
        >>> item.said(most=30)[:18]
        'w0: b; w1: a; w2: '
        """
        if len(self.labels) <= most:
            return "; ".join(f"{member(c)}: {member(v)}" for c, v in self.labels)
        who: dict[Value, list[str]] = {}
        for coder, value in self.labels:
            who.setdefault(value, []).append(coder)
        each = sorted(who.items(), key=lambda pair: -len(pair[1]))
        told = [
            f"{f'{len(names)}' if len(names) > FEW else joined(map(member, names))} gave "
            f"{isolated(label_text(value))}"
            for value, names in each[:most]
        ]
        hidden = sum(len(names) for _, names in each[most:])
        return "; ".join([*told, *([f"{hidden} gave something else"] if hidden else [])])

    def to_rows(self) -> list[dict[str, Any]]:
        """One row, with the labels in one cell."""
        labels = ", ".join(f"{coder}: {label_text(value)}" for coder, value in self.labels)
        return [super().to_rows()[0] | {"labels": labels, "text": self.text}]


@dataclass(frozen=True, eq=False)
class ItemAgreement(Result):
    """Agreement on each item.

    Where several questions are pooled, each question about an item is a place of its own:
    place ``i * Q + q``.

    Parameters
    ----------
    data : Annotations
        The annotations of the same questions.
    counts : Counts
    by_pattern : ndarray
        (P,) mean agreement of two coders of the item, NaN with fewer than two.
    """

    data: Annotations
    counts: Counts
    by_pattern: Floats

    @cached_property
    def agreement(self) -> Floats:
        """(I·Q,) mean agreement of two coders of the item; NaN with fewer than two."""
        return self._of_items(self.by_pattern, np.nan)

    @cached_property
    def entropy(self) -> Floats:
        """(I·Q,) entropy in bits of the labels of the item; NaN without annotations."""
        return self._of_items(item_entropy(self.counts), np.nan)

    @cached_property
    def n_annotations(self) -> Ints:
        """(I·Q,) number of annotations of the item."""
        return self._of_items(self.counts.size, 0).astype(np.int64)

    def _of_items(self, x: NDArray[Any], nothing: float) -> Floats:
        return np.append(x.astype(float), nothing)[self.counts.pattern_of]

    @cached_property
    def levels(self) -> list[tuple[float, int]]:
        """How many items reach each level of agreement, the lowest first."""
        known = ~np.isnan(self.by_pattern)
        level, of = np.unique(np.round(self.by_pattern[known], 12), return_inverse=True)
        n = np.bincount(of, weights=self.counts.times[known], minlength=len(level))
        return [(float(x), int(m)) for x, m in zip(level, n, strict=True)]

    @property
    def n_disputed(self) -> int:
        """Items on which some coders differ."""
        return int(self.counts.times @ (self.by_pattern < 1 - 1e-12))

    def hardest(self, most: int = 20) -> Ints:
        """Positions of the items with the lowest agreement, for `named`.

        Among equals the most diverse come first, then those with the most coders. Items on
        which all agree are not among them.
        """
        order = np.lexsort(
            (-self.counts.size, -tied(item_entropy(self.counts)), tied(self.by_pattern))
        )
        order = order[self.by_pattern[order] < 1 - 1e-12]
        return positions_of(self.counts, order, most)

    def named(self, positions: Ints) -> tuple[NamedItem, ...]:
        """Items by position, with names, texts and labels.

        Positions come from `hardest`, or from `Confusion.items` for what stands behind a cell.
        """
        return tuple(self._named(int(p)) for p in np.asarray(positions))

    def _named(self, position: int) -> NamedItem:
        n = len(self.data.questions)
        item, question = divmod(position, n)
        pattern = self.counts.pattern_of[position]
        names = self.data.questions
        return NamedItem(
            position,
            _plain(self.data.items[item]),
            names[question] or None,
            None if self.data.texts is None else self.data.texts[item],
            float(self.by_pattern[pattern]) if pattern >= 0 else float("nan"),
            float(self.entropy[position]),
            self._labels(int(pattern)),
        )

    def _labels(self, pattern: int) -> tuple[tuple[str, Value], ...]:
        if pattern < 0:
            return ()
        counts = self.counts
        entries = range(counts.start[pattern], counts.start[pattern + 1])
        if counts.coder is None:
            each = [v for e in entries for v in [counts.value[e]] * int(counts.n[e])]
            return tuple((str(i + 1), counts.values[v]) for i, v in enumerate(each))
        return tuple(
            (counts.coders[counts.coder[e]], counts.values[counts.value[e]]) for e in entries
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each of the hardest items."""
        return [row for item in self.named(self.hardest()) for row in item.to_rows()]


def _plain(name: Hashable) -> Hashable:
    """An item that was numbered is an int, not an entry of an array."""
    return name.item() if isinstance(name, np.generic) else name


def items(data: Annotations, counts: Counts, w: Weights) -> ItemAgreement:
    """Agreement on each item of ``data``, of which ``counts`` are the counts.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> data = read([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    >>> found = items(data, count(data), weights_for("identity", count(data)))
    >>> found.agreement.tolist(), found.hardest(3).tolist()
    ([1.0, 1.0, 0.0, 1.0], [2])
    >>> [(item.item, item.agreement) for item in found.named(found.hardest(3))]
    [(3, 0.0)]
    """
    if len(counts.pattern_of) != len(data.items) * len(data.questions):
        raise RequestError("the counts are not those of the data")
    agreed = np.where(counts.size >= 2, item_agreement(counts, w), np.nan)
    return ItemAgreement(data, counts, agreed)
