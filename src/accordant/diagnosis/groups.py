"""Whether coders disagree more on some groups of items: by genre, source, length."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.tables import evenly
from ..data.annotations import Annotations
from ..measure.coefficients import COEFFICIENTS
from ..measure.registry import item_agreement
from ..measure.weights import Weights
from ..numbers import decimal
from ..results import Result
from ..scheme import number

TEXT_LENGTH = "length of the text"
FEW_ITEMS = 10  # of a group, and beside it; fewer say nothing about it
MOST_VALUES = 20  # of a column; more are cut into quarters if they are numbers, else left out
MOST_COLUMNS = 30
MOST_CELLS = 20_000_000  # patterns x groups


@dataclass(frozen=True, eq=False)
class ItemGroup:
    """Items that have something in common.

    Parameters
    ----------
    column, value : str
        The column, and what stands there for the items: ``'genre'``, ``'poetry'``.
    n_items, n_known : int
        Items with two or more annotations: of the group, and all those with something in the
        column, of which `share` and `excess` are.
    agreement, elsewhere : float
        Mean agreement on an item, in the group and on all other items.
    alpha : float
        Alpha of the group alone; NaN where undefined or not computed.
    share : float
        Share of all disagreement that is in the group.
    excess : float
        Share of all disagreement that would be gone if coders agreed there as elsewhere.
    items : ndarray
        (n,) positions of the items that were looked at, in the data.
    """

    column: str
    value: str
    n_items: int
    n_known: int
    agreement: float
    elsewhere: float
    alpha: float
    share: float
    excess: float
    items: Ints


@dataclass(frozen=True, eq=False)
class ItemGroups(Result):
    """Groups of items by what is known about them, the columns as in the data.

    Parameters
    ----------
    each : tuple of ItemGroup
    n_used, n_all : int
        Items that were looked at, and items of the data.
    """

    each: tuple[ItemGroup, ...]
    n_used: int
    n_all: int

    def __iter__(self) -> Iterator[ItemGroup]:
        return iter(self.each)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each group."""
        return [
            {
                "column": g.column,
                "value": g.value,
                "n_items": g.n_items,
                "agreement": g.agreement,
                "elsewhere": g.elsewhere,
                "alpha": g.alpha,
                "share": g.share,
                "excess": g.excess,
            }
            for g in self.each
        ]


def groups(
    data: Annotations, counts: Counts, w: Weights, metric: Weights | None = None
) -> ItemGroups | None:
    """Agreement on the items of each group that the columns about items form.

    A column with 2 to 20 values forms a group for each; numbers with more values, and the length
    of the texts, are cut into four groups of about the same size. Other columns form none, nor do
    those that hold something for each coder (``'anna: time'``).

    Parameters
    ----------
    data : Annotations
    counts : Counts
        The counts of these data.
    w : Weights
    metric : Weights, optional
        The weights of alpha, by default the same.

    Returns
    -------
    ItemGroups or None
        None for several questions together, and where nothing is known about items.

    Notes
    -----
    Whether a group is harder beyond chance is told by the findings.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> rows = {"item": list(range(40)), "genre": ["prose", "verse"] * 20}
    >>> data = read(rows | {"x": ["a"] * 40, "y": ["a", "b"] * 19 + ["a", "a"]}, coder=["x", "y"])
    >>> found = groups(data, count(data), weights_for("identity", count(data)))
    >>> [(g.value, g.n_items, g.agreement) for g in found]
    [('prose', 20, 1.0), ('verse', 20, 0.05)]
    """
    if counts.n_questions > 1 or not counts.n_pairable:
        return None
    if data.texts is None and not data.metadata:
        return None
    items = evenly(len(data.items))
    items = items[np.append(counts.size >= 2, False)[counts.pattern_of[items]]]
    y = 1 - item_agreement(counts, w)[counts.pattern_of[items]]
    size = counts.size[counts.pattern_of[items]].astype(float)
    found: list[ItemGroup] = []
    for name, code, values in columns_of(data, items):
        found += _groups(name, code, values, items, y, size, counts, metric or w)
    return ItemGroups(tuple(found), len(items), int(counts.n_pairable)) if found else None


def columns_of(
    data: Annotations, items: Ints, *, texts: bool = True
) -> Iterator[tuple[str, Ints, tuple[str, ...]]]:
    """Name, (I,) group of each of some items or -1, and names of the groups, of each column.

    Examples
    --------
    >>> from accordant import read
    >>> rows = {"item": [1, 2, 3], "genre": ["prose", "verse", None], "x": "aba", "y": "abb"}
    >>> data = read({k: list(v) for k, v in rows.items()}, coder=["x", "y"])
    >>> [(name, of.tolist(), names) for name, of, names in columns_of(data, np.arange(3))]
    [('genre', [0, 1, -1], ('prose', 'verse'))]
    """
    of_coders = tuple(f"{c}: " for c in data.coders)
    chosen = items.tolist()
    names = [n for n in data.metadata if n not in data.reading.derived]
    names = [n for n in names if not n.startswith(of_coders)][:MOST_COLUMNS]
    for name in names:
        column = data.metadata[name]
        made = _grouped([column[i] for i in chosen])
        if made is not None:
            yield name, *made
    if texts and data.texts is not None:
        made = _quarters(np.array([len(data.texts[i] or "") for i in chosen], float))
        if made is not None:
            yield TEXT_LENGTH, *made


def _grouped(cells: Sequence[Any]) -> tuple[Ints, tuple[str, ...]] | None:
    """(I,) the group of each cell, -1 if blank, and their names; None if it forms no groups."""
    names: dict[str, int] = {}
    code = np.full(len(cells), -1)
    for i, cell in enumerate(cells):
        if cell is None or cell != cell or (text := str(cell).strip()) == "":
            continue
        code[i] = names.setdefault(text, len(names))
        if len(names) > MOST_VALUES:
            found = [number(c) if c is not None else math.nan for c in cells]
            numbers = all(x is not None for x in found)
            return _quarters(np.array(found, float)) if numbers else None
    return (code, tuple(names)) if len(names) >= 2 else None


def _quarters(x: Floats) -> tuple[Ints, tuple[str, ...]] | None:
    """Four groups by the quartiles, fewer where values are equal."""
    known = ~np.isnan(x)
    if not known.any():
        return None
    cuts = np.unique(np.quantile(x[known], [0.25, 0.5, 0.75], method="higher"))
    low, high = float(x[known].min()), float(x[known].max())
    cuts = cuts[cuts > low]
    if not len(cuts):
        return None
    code = np.where(known, np.searchsorted(cuts, np.where(known, x, low), side="right"), -1)
    ends = [low, *cuts.tolist(), high]
    last = len(cuts)
    names = tuple(
        f"{_short(a)} up to {_short(b)}" if g == last else f"{_short(a)} to below {_short(b)}"
        for g, (a, b) in enumerate(pairwise(ends))
    )
    return code, names


def _short(x: float) -> str:
    return f"{x:,.0f}" if x == int(x) else decimal(x)


def _groups(
    column: str,
    code: Ints,
    names: tuple[str, ...],
    items: Ints,
    y: Floats,
    size: Floats,
    counts: Counts,
    metric: Weights,
) -> Iterator[ItemGroup]:
    """The groups of a column, beside all other items of which the column says something."""
    known = code >= 0
    items, y, size, code = items[known], y[known], size[known], code[known]
    g = len(names)
    n = np.bincount(code, minlength=g)
    total = np.bincount(code, weights=y, minlength=g)
    mass, weight = (np.bincount(code, weights=x, minlength=g) for x in (size * y, size))
    whole = float(mass.sum())
    alpha = _alphas(counts, metric, code, items, g)
    for k in np.flatnonzero((n >= FEW_ITEMS) & (len(y) - n >= FEW_ITEMS)).tolist():
        rest = len(y) - int(n[k])
        elsewhere = (whole - mass[k]) / (weight.sum() - weight[k])
        more = mass[k] - weight[k] * elsewhere
        yield ItemGroup(
            column=column,
            value=names[k],
            n_items=int(n[k]),
            n_known=len(y),
            agreement=float(1 - total[k] / n[k]),
            elsewhere=float(1 - (y.sum() - total[k]) / rest),
            alpha=float(alpha[k]),
            share=float(mass[k] / whole) if whole else 0.0,
            excess=float(max(0.0, more) / whole) if whole else 0.0,
            items=items[code == k],
        )


def _alphas(counts: Counts, metric: Weights, code: Ints, items: Ints, g: int) -> Floats:
    """(G,) alpha of each group alone."""
    p = counts.n_patterns
    if g * p > MOST_CELLS:
        return np.full(g, np.nan)
    cell = code * np.int64(p) + counts.pattern_of[items]
    times = np.bincount(cell, minlength=g * p).astype(float).reshape(g, p)
    return np.asarray(COEFFICIENTS["alpha"].parts(counts.drawn(times), metric).value)
