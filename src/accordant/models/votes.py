"""The annotations of one question as a sparse table: what every model of coders starts from."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..arrays import Bools, Floats, Ints
from ..data.annotations import NO_VALUE, Annotations, Status
from ..errors import RequestError
from ..scheme import Scheme, Value

__all__ = ["UNKNOWN", "Votes", "votes"]


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
        (N,) positions in the three above. A label may be K: an abstention that is counted as
        an answer of its own (see ``answers``).
    times : ndarray
        (N,) how often the coder gave the item this label; more than 1 for repeated annotations.
    known : ndarray of int
        (I,) the category of each control item, `UNKNOWN` of others.
    scheme : Scheme
    abstained : ndarray of int
        (C,) how often each coder was asked and gave no label.
    left_out : mapping of str to int
        What did not enter, and how often.
    informative : bool
        Whether abstentions are annotations with the label K.
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
    abstained: Ints
    left_out: Mapping[str, int] = field(default_factory=dict)
    informative: bool = False

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
        """K, what may be true."""
        return len(self.categories)

    @property
    def n_answers(self) -> int:
        """O, what a coder may say: the categories, and abstention where it is informative."""
        return self.n_categories + self.informative

    @cached_property
    def by_item(self) -> Any:
        """(I, C * O) sparse: how often the coder said this of the item."""
        from scipy.sparse import csr_array  # 0.2 s at start that nobody else needs

        cells = self.coder * np.int32(self.n_answers) + self.label
        shape = (self.n_items, self.n_coders * self.n_answers)
        return csr_array((self.times, cells, self.item_start), shape=shape)

    @cached_property
    def item_start(self) -> Ints:
        """(I + 1,) where the annotations of each item start."""
        return np.searchsorted(self.item, np.arange(self.n_items + 1, dtype=np.int32)).astype(
            np.int32
        )

    @cached_property
    def counts(self) -> Floats:
        """(I, K) how many coders gave each category to each item."""
        of_answer = np.eye(self.n_answers, self.n_categories)
        return np.asarray(self.by_item @ np.tile(of_answer, (self.n_coders, 1)))

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
        said = self.label < self.n_categories
        cell = self.item[said].astype(np.int64) * self.n_categories + self.label[said]
        n = self.n_items * self.n_categories
        return _sums(cell, weight[said], n).reshape(self.n_items, -1)

    def answers(self, weight: Floats) -> Floats:
        """(C, O) sum of the weights (N,) of the annotations of each coder with each answer."""
        cell = self.coder.astype(np.int64) * self.n_answers + self.label
        return _sums(cell, weight, self.n_coders * self.n_answers).reshape(self.n_coders, -1)

    def right(self, known: Ints) -> tuple[Floats, Floats]:
        """(C,) annotations of items with a known category (I,), not -1; (C,) how many are right."""
        on = (known[self.item] != UNKNOWN) & (self.label < self.n_categories)
        hit = on & (self.label == known[self.item])
        n = _sums(self.coder[on], self.times[on], self.n_coders)
        return n, _sums(self.coder[hit], self.times[hit], self.n_coders)

    def on(self, items: Ints) -> Votes:
        """The annotations of some items, by their positions; items and coders stay."""
        wanted = np.zeros(self.n_items, bool)
        wanted[items] = True
        return self.without(~wanted[self.item])

    def refuse_abstentions(self, model: str) -> None:
        """Raise a `RequestError` if abstentions are answers, for models without a place for them.

        Parameters
        ----------
        model : str
            In words: 'the one-coin model'.
        """
        if self.informative:
            raise RequestError(
                f"{model} cannot take abstentions as answers",
                parameter="abstentions",
                do=[
                    Action("", {"abstentions": "missing"}),
                    Action("", {"model": "dawid_skene"}),
                    Action("", {"model": "pooled"}),
                ],
            )

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
    abstentions: str = "missing",
) -> Votes:
    """The annotations of one question, ready for models.

    Parameters
    ----------
    data : Annotations
        Of a single question.
    known : mapping of item to category, optional
        Control items, see `gold.known_labels`.
    without : sequence of str
        Coders that are not coders here, such as one who holds the right labels.
    abstentions : {'missing', 'informative'}
        What it means if a coder was asked and gave no label: nothing, or an answer of its own
        that some categories draw more than others.

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
    if abstentions not in ("missing", "informative"):
        raise RequestError(
            f"choose 'missing' or 'informative', not {abstentions!r}", parameter="abstentions"
        )
    informative = abstentions == "informative"
    scheme = data.schemes[0]
    columns = data.columns
    categories, code = _codes(data, scheme, known or {})
    names, new_coder = _people(data, without)
    label, coder = code[columns.value], new_coder[columns.coder]
    skipped = (columns.status == Status.SKIPPED) & (coder >= 0)
    abstained = np.bincount(coder[skipped], minlength=len(names))
    if informative:
        label = np.where(skipped, np.int32(len(categories)), label)
    item = columns.item
    keep = (label >= 0) & (coder >= 0)
    if not keep.all():
        item, coder, label = item[keep], coder[keep], label[keep]
    used = np.bincount(item, minlength=len(data.items)) > 0
    if not used.any():
        raise RequestError("nothing was annotated, so there is nothing to learn from")
    present = np.bincount(coder, minlength=len(names)) > 0
    control = _control(data, known or {}, categories)[used]
    items, left_out = data.items, dict[str, int]()
    if not used.all():
        item, items = _renumbered(used)[item], _of_mask(items, used)
        left_out["items without a label"] = int((~used).sum())
    if not present.all():
        coder, names = _renumbered(present)[coder], tuple(_of_mask(names, present))
    return Votes(
        items,
        names,
        categories,
        *_grouped(item, coder, label, len(items), len(names), len(categories) + informative),
        control,
        scheme,
        abstained[present],
        left_out,
        informative,
    )


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


def _codes(
    data: Annotations, scheme: Scheme, known: Mapping[Hashable, Value]
) -> tuple[tuple[Value, ...], Ints]:
    """The categories (of sets: every set that was given), and (V + 1,) codes of the values."""
    if scheme.max_labels == 1:
        categories: tuple[Value, ...] = scheme.categories
    else:
        given = np.unique(data.answered.value)
        categories = tuple(data.values[k] for k in given.tolist())
    more = set(known.values()) - set(categories)
    categories = (*categories, *sorted(more, key=str))
    position = {value: k for k, value in enumerate(categories)}
    codes = [position.get(value, NO_VALUE) for value in data.values]
    return categories, np.array([*codes, NO_VALUE], np.int32)


def _control(
    data: Annotations, known: Mapping[Hashable, Value], categories: tuple[Value, ...]
) -> Ints:
    """(I,) the category of each control item, `UNKNOWN` of others."""
    control = np.full(len(data.items), UNKNOWN, np.int32)
    if known:
        where = {value: k for k, value in enumerate(categories)}
        items = data.items.tolist() if isinstance(data.items, np.ndarray) else data.items
        for k, name in enumerate(items):
            if name in known:
                control[k] = where[known[name]]
    return control


def _renumbered(used: Bools) -> Ints:
    """New positions of those that are used."""
    return (np.cumsum(used) - 1).astype(np.int32)


def _of_mask(names: Any, used: Bools) -> Any:
    chosen = np.flatnonzero(used)
    return names[chosen] if isinstance(names, np.ndarray) else [names[i] for i in chosen.tolist()]


def _grouped(
    item: Ints, coder: Ints, label: Ints, n_items: int, n_coders: int, n_answers: int
) -> tuple[Ints, Ints, Ints, Floats]:
    """Sorted by item, coder and label; the same label by the same coder once, with its times."""
    from scipy.sparse import coo_array, csr_array

    cells = coder * np.int32(n_answers) + label
    ones = np.ones(len(item))
    shape = (n_items, n_coders * n_answers)
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
    who = columns // np.int32(n_answers)
    return rows, who, columns - who * np.int32(n_answers), table.data


def _sums(of: Ints, x: Floats, n: int) -> Floats:
    return np.asarray(np.bincount(of, x, n), np.float64)
