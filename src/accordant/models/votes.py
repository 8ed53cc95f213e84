"""The annotations of one question as a sparse table: what every model of coders starts from."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..arrays import Bools, Floats, Ints
from ..data.annotations import NO_VALUE, Annotations
from ..errors import RequestError
from ..scheme import Scheme, Value

UNKNOWN = -1  # category of an item that is no control item
EQUAL = 1e-9  # votes that differ by less, being weighted, are as many


@dataclass(frozen=True, eq=False)
class Votes:
    """Who gave which label to what. I items, C coders, K categories, N annotations.

    Nothing here depends on the order of the rows that were read: coders stand in the order of
    their names, annotations by item, coder and label.

    Parameters
    ----------
    items : sequence
        (I,) names of the items that were annotated.
    coders : tuple of str
        (C,) names.
    categories : tuple
        (K,) what may be true of an item, in the order of the scheme.
    item, coder, label : ndarray of int
        (N,) positions in the three above.
    times : ndarray
        (N,) how often the coder gave the item this label; more than 1 for repeated annotations.
    known : ndarray of int
        (I,) the category of each control item, `UNKNOWN` of others.
    scheme : Scheme
    drawn : ndarray of bool, optional
        (I,) whether an item with a known category was drawn at random, and not chosen by need:
        only these tell how far a model can be believed. None where all are taken as drawn.
    """

    items: Sequence[Hashable] | NDArray[Any]
    coders: tuple[str, ...]
    categories: tuple[Value, ...]
    item: Ints
    coder: Ints
    label: Ints
    times: Floats
    known: Ints
    scheme: Scheme
    drawn: Bools | None = None

    def __len__(self) -> int:
        """Number of annotations, repeated ones counted each time."""
        return int(self.times.sum())

    @property
    def names(self) -> list[Any]:
        """(I,) items as plain values, not as those of an array."""
        return self.items.tolist() if isinstance(self.items, np.ndarray) else list(self.items)

    @property
    def n_items(self) -> int:
        """I."""
        return len(self.items)

    @property
    def n_coders(self) -> int:
        """C."""
        return len(self.coders)

    @property
    def n_categories(self) -> int:
        """K."""
        return len(self.categories)

    @cached_property
    def by_item(self) -> Any:
        """(I, C * K) sparse: how often the coder said this of the item."""
        from scipy.sparse import csr_array  # 0.2 s at start that nobody else needs

        cells = self.coder * np.int32(self.n_categories) + self.label
        shape = (self.n_items, self.n_coders * self.n_categories)
        return csr_array((self.times, cells, self.item_start), shape=shape)

    @cached_property
    def item_start(self) -> Ints:
        """(I + 1,) where the annotations of each item start."""
        places = np.arange(self.n_items + 1, dtype=np.int32)
        return np.searchsorted(self.item, places).astype(np.int32)

    @cached_property
    def counts(self) -> Floats:
        """(I, K) how many coders gave each category to each item."""
        return np.asarray(self.by_item @ np.tile(np.eye(self.n_categories), (self.n_coders, 1)))

    @cached_property
    def per_coder(self) -> Floats:
        """(C,) annotations of each coder."""
        return _sums(self.coder, self.times, self.n_coders)

    @cached_property
    def per_item(self) -> Floats:
        """(I,) annotations of each item."""
        return _sums(self.item, self.times, self.n_items)

    @cached_property
    def shares(self) -> Floats:
        """(I, K) share of each category among the labels of the item; equal where there is none."""
        n = self.counts @ np.ones(self.n_categories)  # much faster than a sum across
        found = self.counts / np.maximum(n, 1)[:, None]
        found[n == 0] = 1 / self.n_categories
        return found

    @cached_property
    def majority(self) -> Ints:
        """(I,) the category with most votes; -1 for a tie or no vote."""
        top = self.counts.max(1, keepdims=True)
        tied = (self.counts >= top - EQUAL).sum(1) > 1
        return np.where(tied | (top[:, 0] <= 0), -1, self.counts.argmax(1))

    @cached_property
    def order(self) -> Ints:
        """(I,) the items by the text of their names: random draws follow it.

        Then neither the order of rows nor the type of names changes what is drawn.
        """
        return np.argsort(np.array([str(x) for x in self.items]), kind="stable")

    @cached_property
    def place(self) -> Ints:
        """(I,) where each item stands in `order`."""
        return np.argsort(self.order)

    @cached_property
    def pair(self) -> Ints:
        """(N,) the number of the coder and the item together, from 0 up, in the order of rows."""
        new = (np.diff(self.item, prepend=-1) != 0) | (np.diff(self.coder, prepend=-1) != 0)
        return np.cumsum(new) - 1

    def tally(self, weight: Floats) -> Floats:
        """(I, K) sum of the weights (N,) of the annotations with each label."""
        cell = self.item.astype(np.int64) * self.n_categories + self.label
        return _sums(cell, weight, self.n_items * self.n_categories).reshape(self.n_items, -1)

    def answers(self, weight: Floats) -> Floats:
        """(C, K) sum of the weights (N,) of the annotations of each coder with each label."""
        cell = self.coder.astype(np.int64) * self.n_categories + self.label
        return _sums(cell, weight, self.n_coders * self.n_categories).reshape(self.n_coders, -1)

    def right(self, known: Ints) -> tuple[Floats, Floats]:
        """(C,) annotations of items with a known category (I,), not -1; (C,) how many are right."""
        on = known[self.item] != UNKNOWN
        hit = on & (self.label == known[self.item])
        n = _sums(self.coder[on], self.times[on], self.n_coders)
        return n, _sums(self.coder[hit], self.times[hit], self.n_coders)

    def on(self, items: Ints) -> Votes:
        """The annotations of some items, by their positions; items and coders stay."""
        wanted = np.zeros(self.n_items, bool)
        wanted[items] = True
        return self.without(~wanted[self.item])

    def with_known(self, known: Ints) -> Votes:
        """The same annotations with other control items (I,)."""
        return replace(self, known=known)

    def without(self, hidden: Bools) -> Votes:
        """The annotations without those of a mask (N,); items and coders stay."""
        keep = ~hidden
        return replace(
            self,
            item=self.item[keep],
            coder=self.coder[keep],
            label=self.label[keep],
            times=self.times[keep],
        )


def votes(
    data: Annotations,
    *,
    known: Mapping[Hashable, Value] | None = None,
    without: Sequence[str] = (),
) -> Votes:
    """The annotations of one question, ready for models.

    Parameters
    ----------
    data : Annotations
        Of a single question.
    known : mapping of item to category, optional
        Control items, see `gold.gold_labels`.
    without : sequence of str
        Coders that are not coders here, such as one who holds the right labels.

    Returns
    -------
    Votes

    Raises
    ------
    RequestError
        If several questions are mixed, or nothing was annotated.

    Examples
    --------
    >>> from accordant import read
    >>> found = votes(read([["a", "b", "a"], ["a", "b", "b"]]))
    >>> found.counts.tolist()
    [[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]]
    """
    if len(data.questions) != 1:
        raise RequestError(
            "a model is of one question",
            do=[Action("of_question", {"question": name}) for name in data.questions[:1]],
        )
    scheme, columns, known = data.schemes[0], data.columns, known or {}
    categories: tuple[Value, ...] = scheme.categories
    if scheme.max_labels != 1:  # every set that was given
        categories = tuple(data.values[k] for k in np.unique(data.answered.value).tolist())
    categories = (*categories, *sorted(set(known.values()) - set(categories), key=str))
    position = {value: k for k, value in enumerate(categories)}
    code = np.array([*(position.get(v, NO_VALUE) for v in data.values), NO_VALUE], np.int32)
    names, new_coder = _people(data, without)
    item, label, coder = columns.item, code[columns.value], new_coder[columns.coder]
    keep = (label >= 0) & (coder >= 0)
    if not keep.all():
        item, coder, label = item[keep], coder[keep], label[keep]
    used = np.bincount(item, minlength=len(data.items)) > 0
    if not used.any():
        raise RequestError("nothing was annotated")
    items = data.items
    if not used.all():
        chosen = np.flatnonzero(used)
        item = _renumbered(used)[item]
        items = (
            items[chosen] if isinstance(items, np.ndarray) else [items[i] for i in chosen.tolist()]
        )
    present = np.bincount(coder, minlength=len(names)) > 0
    if not present.all():
        coder = _renumbered(present)[coder]
        names = tuple(name for name, here in zip(names, present, strict=True) if here)
    control = np.full(len(items), UNKNOWN, np.int32)
    if known:
        of = items.tolist() if isinstance(items, np.ndarray) else items
        control[:] = [position[known[name]] if name in known else UNKNOWN for name in of]
    rows = _grouped(item, coder, label, len(items), len(names), len(categories))
    return Votes(items, names, categories, *rows, control, scheme)


def _people(data: Annotations, without: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The coders in the order of their names, and (C,) who each coder of the data is; -1: nobody.

    The occasions of a person are one coder, counted each time.
    """
    persons = data.persons or data.coders
    out = set(without)
    who = [None if {name, p} & out else p for name, p in zip(data.coders, persons, strict=True)]
    names = tuple(sorted({p for p in who if p is not None}))
    position = {name: k for k, name in enumerate(names)}
    return names, np.array([-1 if p is None else position[p] for p in who], np.int32)


def _renumbered(used: Bools) -> Ints:
    return (np.cumsum(used) - 1).astype(np.int32)


def _grouped(
    item: Ints, coder: Ints, label: Ints, n_items: int, n_coders: int, n_categories: int
) -> tuple[Ints, Ints, Ints, Floats]:
    """Sorted by item, coder and label; the same label by the same coder once, with its times."""
    from scipy.sparse import coo_array, csr_array

    cells = coder * np.int32(n_categories) + label
    ones = np.ones(len(item))
    shape = (n_items, n_coders * n_categories)
    if (item[1:] >= item[:-1]).all():
        start = np.zeros(n_items + 1, np.int32)
        np.cumsum(np.bincount(item, minlength=n_items), out=start[1:])
        table = csr_array((ones, cells, start), shape=shape)
    else:
        table = coo_array((ones, (item, cells)), shape=shape).tocsr()
    table.sum_duplicates()  # also sorts, row by row
    n = np.diff(table.indptr)
    rows = np.repeat(np.arange(n_items, dtype=np.int32), n)
    columns = table.indices.astype(np.int32, copy=False)
    who = columns // np.int32(n_categories)
    return rows, who, columns - who * np.int32(n_categories), table.data


def _sums(of: Ints, x: Floats, n: int) -> Floats:
    return np.asarray(np.bincount(of, x, n), np.float64)
