"""In which order items were annotated, and how far each coder agrees in its course."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.tables import evenly, one_by_one
from ..data.annotations import Annotations
from ..measure.weights import Weights
from ..results import Result
from ..scheme import number
from .coders import agreement_with_others

__all__ = [
    "FEW_BATCHES",
    "FEW_ITEMS",
    "Drift",
    "Order",
    "beside_the_others",
    "columns_of_coders",
    "drift",
    "order_like",
    "order_of",
    "places",
]

FEW_BATCHES = 12  # so many different values of a column are batches, more are times or positions
THE_DATA = "the order of the data"
ORDERS = frozenset(
    {
        "annotated",
        "batch",
        "created",
        "date",
        "day",
        "month",
        "order",
        "position",
        "round",
        "session",
        "time",
        "timestamp",
        "wave",
        "week",
    }
)


@dataclass(frozen=True, eq=False)
class Order:
    """The order of annotation of some items. I items, C coders.

    Parameters
    ----------
    name : str
        The column, or 'the order of the data'.
    known : bool
        Whether it is told by the data, and not only how the items stand there.
    place : ndarray
        (I,) or (I, C) rank of each item (for each coder), equal where the column is; NaN where it
        is blank.
    batches : tuple of str
        The values of the column in order if they are few; else empty.
    """

    name: str
    known: bool
    place: Floats
    batches: tuple[str, ...] = ()

    def at(self, item: Ints, coder: Ints) -> Floats:
        """(N,) the place of each annotation."""
        return self.place[item] if self.place.ndim == 1 else self.place[item, coder]


def order_of(data: Annotations, order: str | None, items: Ints) -> Order:
    """The order in which some items (positions in ``data.items``) were annotated.

    By the column ``order``, or by the columns that hold it for each coder (``'anna: time'``).
    Without a name by the dates of each coder, if there is one column of them for each; else as
    the items stand in the data.

    Examples
    --------
    >>> from accordant import read
    >>> rows = {"item": [1, 2, 3], "day": ["day 10", "day 9", "day 9"], "x": "aba", "y": "abb"}
    >>> data = read({name: list(column) for name, column in rows.items()}, coder=["x", "y"])
    >>> found = order_of(data, "day", np.arange(3))
    >>> found.place.tolist(), found.batches
    ([1.0, 0.0, 0.0], ('day 9', 'day 10'))
    """
    order = order if order is not None else _dated(data)
    if order is None:
        return Order(THE_DATA, False, items.astype(float))
    if order in data.metadata:
        column = data.metadata[order]
        place, names = places([column[i] for i in items.tolist()])
        return Order(order, True, place, names if 2 <= len(names) <= FEW_BATCHES else ())
    own = columns_of_coders(data, order)
    if not own:
        return Order(THE_DATA, False, items.astype(float))
    both, chosen = np.full((len(items), len(data.coders)), np.nan), items.tolist()
    for c, coder in enumerate(data.coders):
        if coder in own:
            both[:, c], _ = places([own[coder][i] for i in chosen])
    return Order(order, True, both)


def order_like(name: str) -> bool:
    """Whether the name of a column says that it may hold the order of annotation.

    Examples
    --------
    >>> order_like("batch_no"), order_like("Week 2"), order_like("genre"), order_like("sometimes")
    (True, True, False, False)
    """
    return not ORDERS.isdisjoint(re.findall(r"[a-z]+", name.casefold()))


def columns_of_coders(data: Annotations, name: str) -> Mapping[str, Sequence[Any]]:
    """The columns that hold something for each coder, as ``'anna: time'``, by coder."""
    return {
        c: data.metadata[f"{c}: {name}"] for c in data.coders if f"{c}: {name}" in data.metadata
    }


def _dated(data: Annotations) -> str | None:
    """The only name of columns that hold dates for each coder."""
    start = f"{data.coders[0]}: " if data.coders else ""
    names = [n.removeprefix(start) for n in data.metadata if start and n.startswith(start)]
    found = [n for n in names if all(map(_starts_with_date, columns_of_coders(data, n).values()))]
    every = [n for n in found if len(columns_of_coders(data, n)) == len(data.coders)]
    return every[0] if len(every) == 1 else None


def _starts_with_date(column: Sequence[Any]) -> bool:
    cell = next((c for c in column if not _blank(c)), None)
    return cell is not None and number(cell) is None and _date(cell) is not None


def places(cells: Sequence[Any]) -> tuple[Floats, tuple[str, ...]]:
    """(I,) the rank of each cell among the different ones, NaN if blank, and these in order.

    Numbers are ordered as numbers, dates as dates, text so that 'batch 2' comes before 'batch 10'.

    Examples
    --------
    >>> places(["batch 10", None, "batch 2"])
    (array([ 1., nan,  0.]), ('batch 2', 'batch 10'))
    >>> places(["2024-03-01", "2023-12-31T23:59"])[0].tolist(), places([10, 9])[0].tolist()
    ([1.0, 0.0], [1.0, 0.0])
    """
    different = {c for c in cells if not _blank(c)}
    rank: dict[Any, float] = {}
    names: list[str] = []
    last: Any = None
    for cell, key in _sorted(different):
        if not names or key != last:
            names.append(str(cell))
        last = key
        rank[cell] = float(len(names) - 1)
    found = np.array([rank.get(c, np.nan) if not _blank(c) else np.nan for c in cells], float)
    return found, tuple(names)


def _blank(cell: Any) -> bool:
    return cell is None or cell != cell or (isinstance(cell, str) and not cell.strip())


def _sorted(cells: set[Any]) -> list[tuple[Any, Any]]:
    """The cells with their keys, in order."""
    keys: dict[Any, Any] = {c: number(c) for c in cells}
    if any(k is None for k in keys.values()):
        keys = {c: _date(c) for c in cells}
    if any(k is None for k in keys.values()):
        keys = {c: _natural(str(c)) for c in cells}
    return sorted(keys.items(), key=lambda pair: (pair[1], str(pair[0])))


def _date(cell: Any) -> float | None:
    """Seconds of an ISO date or time; times without a zone are read as of one zone."""
    if isinstance(cell, datetime):
        found = cell
    else:
        try:
            found = datetime.fromisoformat(str(cell).strip())
        except ValueError:
            return None
    if found.tzinfo is not None:
        return found.timestamp()
    return (found - datetime(1970, 1, 1)).total_seconds()


def _natural(text: str) -> list[tuple[int, float, str]]:
    """Text in pieces, numbers in it as numbers."""
    parts = re.split(r"(\d+)", text.casefold())
    return [(0, float(p), "") if p.isdigit() else (1, 0.0, p) for p in parts if p]


FEW_ITEMS = 30  # of a coder; below, no change is shown
PARTS = ("first fifth", "second fifth", "third fifth", "fourth fifth", "last fifth")


@dataclass(frozen=True, eq=False)
class Drift(Result):
    """Agreement in the order of annotation. C coders, S parts.

    Whether agreement changes beyond chance is told by the findings.

    Parameters
    ----------
    order : Order
        In which order the items were annotated, as far as it is known.
    coders : tuple of str
        (C,) names.
    parts : tuple of str
        (S,) fifths of the items of each coder, or the batches.
    n : ndarray
        (C, S) items that the coder and two others annotated.
    own, among : ndarray
        (C, S) mean agreement of the coder with the others, and of these among themselves; NaN
        where there are no items.
    """

    order: Order
    coders: tuple[str, ...]
    parts: tuple[str, ...]
    n: Floats
    own: Floats
    among: Floats

    @property
    def n_items(self) -> Floats:
        """(C,) items of each coder in all parts."""
        return np.asarray(self.n.sum(1))

    @property
    def change(self) -> Floats:
        """(C,) how much more the coder falls behind the others in the last part than in the first.

        The agreement of the others among themselves is taken off, so that hard items do not count
        as drift; NaN with fewer than `FEW_ITEMS` items.
        """
        behind = self.among - self.own
        found = np.array([_end(row, -1) - _end(row, 0) for row in behind])
        return np.where(self.n_items < FEW_ITEMS, np.nan, found)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder."""
        return [
            {
                "coder": name,
                "n_items": int(self.n_items[c]),
                "first": _end(self.own[c], 0),
                "last": _end(self.own[c], -1),
                "others_first": _end(self.among[c], 0),
                "others_last": _end(self.among[c], -1),
                "change": float(self.change[c]),
            }
            for c, name in enumerate(self.coders)
        ]


def _end(x: Floats, at: int) -> float:
    """The first (0) or last (-1) part that is known."""
    known = x[~np.isnan(x)]
    return float(known[at]) if len(known) else math.nan


def drift(data: Annotations, counts: Counts, w: Weights, order: str | None = None) -> Drift | None:
    """Agreement of each coder with the others along the order of annotation.

    Parameters
    ----------
    data : Annotations
    counts : Counts
        The counts of these data.
    w : Weights
    order : str, optional
        The metadata column with the order (numbers, dates, batches); by default the order of the
        data.

    Returns
    -------
    Drift or None
        None for several questions together, unknown coders, fewer than `FEW_ITEMS` items that two
        coders annotated, or none that three did.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> right = ["a", "b"] * 50
    >>> tired = right[:50] + ["a"] * 50
    >>> data = read([right, right, tired])
    >>> found = drift(data, count(data), weights_for("identity", count(data)))
    >>> found.own[2].round(2).tolist(), found.change.tolist()
    ([1.0, 1.0, 0.75, 0.5, 0.5], [-0.25, -0.25, 0.5])
    """
    if counts.coder is None or counts.n_questions > 1 or counts.n_pairable < FEW_ITEMS:
        return None
    items = evenly(len(data.items))
    found = order_of(data, order, items)
    own, among = beside_the_others(counts, w)
    item, entry = one_by_one(counts, items)
    place = found.at(item, counts.coder[entry])
    keep = ~np.isnan(place) & ~np.isnan(among[entry])
    entry, place = entry[keep], place[keep]
    if not len(entry):
        return None
    coder, names = counts.coder[entry], found.batches or PARTS
    part = place.astype(np.int64) if found.batches else _fifth(place, coder)
    shape = (counts.n_coders, len(names))
    cell = coder * np.int64(shape[1]) + part
    n = np.bincount(cell, minlength=shape[0] * shape[1]).astype(float)
    over = np.where(n > 0, n, np.nan)
    with_others, of_others = (
        (1 - np.bincount(cell, weights=x[entry], minlength=len(n)) / over).reshape(shape)
        for x in (own, among)
    )
    return Drift(found, counts.coders, names, n.reshape(shape), with_others, of_others)


def beside_the_others(counts: Counts, w: Weights) -> tuple[Floats, Floats]:
    """(E,) mean disagreement of an annotation with the others of its item, and of these others.

    NaN where nobody else, or only one other coder, annotated the item.
    """
    agreed = agreement_with_others(counts, w.symmetrised)
    m = counts.size[counts.row].astype(float)
    total = counts.sum_entries(agreed)[counts.row]
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(m > 1, 1 - agreed / (m - 1), np.nan)
        among = np.where(m > 2, 1 - (total - 2 * agreed) / ((m - 1) * (m - 2)), np.nan)
    return own, among


def _fifth(place: Floats, coder: NDArray[Any]) -> Ints:
    """(N,) in which fifth of the coder's places each one stands; equal places stand together."""
    order = np.lexsort((place, coder))
    p, c = place[order], coder[order]
    tie = np.cumsum(np.concatenate([[True], (p[1:] != p[:-1]) | (c[1:] != c[:-1])])) - 1
    middle = np.bincount(tie, weights=np.arange(len(p))) / np.bincount(tie)
    n = np.bincount(c)
    rank = (middle[tie] - (np.cumsum(n) - n)[c]) / np.maximum(n[c] - 1, 1)
    found = np.empty(len(p), np.int64)
    found[order] = np.minimum((rank * len(PARTS)).astype(np.int64), len(PARTS) - 1)
    return found
