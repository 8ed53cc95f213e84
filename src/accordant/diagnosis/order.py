"""In which order items were annotated: by a column about them, or as they stand in the data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.annotations import Annotations
from ..scheme import number

__all__ = ["FEW_BATCHES", "Order", "columns_of_coders", "order_like", "order_of", "places"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

FEW_BATCHES = 12  # so many different values of a column are batches, more are times or positions
THE_DATA = "the order of the data"
ORDERS = frozenset({
    "annotated", "batch", "created", "date", "day", "month", "order", "position", "round",
    "session", "time", "timestamp", "wave", "week",
})  # fmt: skip


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
