"""Whether coders come to agree less, or more, in the course of the annotation."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..counts.tables import evenly, one_by_one, value_table
from ..data.annotations import Annotations
from ..inference.distributions import normal_tail
from ..measure.registry import item_agreement
from ..measure.weights import Weights
from ..results import Result
from ..scheme import Value
from .apart import beside_the_others, others_say
from .exact_tests import tail_bound
from .order import Order, order_of
from .trend import rank_within, trend

__all__ = ["FEW_ITEMS", "Drift", "Stretches", "UseTrend", "drift"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

FEW_ITEMS = 30  # of a coder; below, a trend is not looked for
PARTS = ("first fifth", "second fifth", "third fifth", "fourth fifth", "last fifth")
OWN = 0.5  # of a change beside the others is in the coder's own use; our convention
WORTH_A_TEST = 2.0  # standard errors; below, no bound of a tail is small
MOST_CELLS = 4_000_000  # annotations x values that are gone through for the use of values


@dataclass(frozen=True, eq=False)
class Stretches:
    """Agreement in each of S stretches of the annotation, by coder.

    ``names`` (S,); ``n`` (C, S) items, ``own`` (C, S) mean agreement of the coder with the
    others, ``among`` (C, S) that of the others among themselves; NaN where there is none.
    """

    names: tuple[str, ...]
    n: Floats
    own: Floats
    among: Floats


@dataclass(frozen=True)
class UseTrend:
    """How the use of a value changes most.

    The coder gives ``value`` to ``first`` more of the items than the others do in the first
    stretch, and to ``last`` more in the last one; ``p_value`` is corrected for the choice of the
    value. ``own`` says that the coder's own use changes, and not only that of the others.
    """

    value: Value
    first: float
    last: float
    p_value: float
    own: bool


@dataclass(frozen=True, eq=False)
class Drift(Result):
    """Agreement in the order of annotation. C coders.

    Parameters
    ----------
    order : Order
        In which order the items were annotated, as far as it is known.
    coders : tuple of str
        (C,) names.
    n_items : ndarray
        (C,) items that the coder and two others annotated.
    change : ndarray
        (C,) how much more the coder disagrees with the others than these among themselves at the
        end than at the beginning, by a straight line; NaN with too few items.
    p_value : ndarray
        (C,) two-sided; NaN with too few items.
    stretches : Stretches
        Fifths of the items of each coder, or the batches.
    use : tuple of UseTrend or None
        (C,) the value whose use changes most; None if unknown.
    common_change, common_p : float
        How much the disagreement of all coders rises from the first to the last item.
    common : tuple of float
        Mean agreement in each fifth, or batch, of the items.
    n_used, n_all : int
        Items that were looked at, and items of the data: of many only every second, third ….
    common_n : tuple of int
        Items in each fifth, or batch.
    odd : tuple of (int, float)
        (C,) of batches: the one in which the coder is furthest from the others, and the
        probability of that or more in as many of its items drawn at random, corrected for the
        number of batches; empty without batches.
    own_change : ndarray
        (C,) how much more the coder disagrees at the end than at the beginning, whatever the
        others do.
    items_change, items_p : ndarray
        (C,) how much more the others disagree among themselves at the end than at the beginning,
        and the p-value of that: the items themselves differ along the order.
    """

    order: Order
    coders: tuple[str, ...]
    n_items: Floats
    change: Floats
    p_value: Floats
    stretches: Stretches
    use: tuple[UseTrend | None, ...]
    common_change: float
    common_p: float
    common: tuple[float, ...]
    n_used: int
    n_all: int
    common_n: tuple[int, ...] = ()
    own_change: Floats = field(default_factory=lambda: np.zeros(0))
    items_change: Floats = field(default_factory=lambda: np.zeros(0))
    items_p: Floats = field(default_factory=lambda: np.zeros(0))
    odd: tuple[tuple[int, float], ...] = ()

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder."""
        return [
            {
                "coder": name,
                "n_items": int(self.n_items[c]),
                "first": _end(self.stretches.own[c], 0),
                "last": _end(self.stretches.own[c], -1),
                "others_first": _end(self.stretches.among[c], 0),
                "others_last": _end(self.stretches.among[c], -1),
                "change": float(self.change[c]),
                "p_value": float(self.p_value[c]),
                "value": use.value if use else None,
                "value_first": use.first if use else math.nan,
                "value_last": use.last if use else math.nan,
                "value_p": use.p_value if use else math.nan,
            }
            for c, (name, use) in enumerate(zip(self.coders, self.use, strict=True))
        ]


def _end(x: Floats, at: int) -> float:
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
        None for several questions together, unknown coders, or fewer than `FEW_ITEMS` items that
        two coders annotated.

    Notes
    -----
    What is followed is the disagreement of the coder with the others less that of the others
    among themselves on the same item, so that hard items do not count as drift. The trend is
    judged within items that the others label alike, over all orders of these (`trend`).

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> right = ["a", "b"] * 50
    >>> tired = right[:50] + ["a"] * 50
    >>> data = read([right, right, tired])
    >>> found = drift(data, count(data), weights_for("identity", count(data)))
    >>> found.stretches.own[2].round(2).tolist(), bool(found.p_value[2] < 0.001)
    ([1.0, 1.0, 0.75, 0.5, 0.5], True)
    """
    if counts.coder is None or counts.n_questions > 1 or counts.n_pairable < FEW_ITEMS:
        return None
    items = evenly(len(data.items))
    found = order_of(data, order, items)
    item, entry = one_by_one(counts, items)
    own, among = beside_the_others(counts, w)
    place = found.at(item, counts.coder[entry])
    keep = ~np.isnan(place) & ~np.isnan(own[entry])
    item, entry, place = item[keep], entry[keep], place[keep]
    common = _common(counts, w, found, items, item, place)
    three = ~np.isnan(among[entry])
    entry, place = entry[three], place[three]
    coder, n_coders = counts.coder[entry], counts.n_coders
    rank = rank_within(place, coder)
    n = np.bincount(coder, minlength=n_coders).astype(float)
    few = n < FEW_ITEMS
    alike = others_say(counts)[entry]
    seen = trend((own - among)[entry], rank, coder, alike, n_coders)
    own_seen = trend(own[entry], rank, coder, alike, n_coders)
    items_seen = trend(among[entry], rank, coder, np.zeros_like(coder), n_coders)
    part = place.astype(np.int64) if found.batches else _fifth(rank)
    return Drift(
        order=found,
        coders=counts.coders,
        n_items=n,
        change=np.where(few, np.nan, seen.slope),
        p_value=np.where(few, np.nan, _two_sided(seen.z)),
        stretches=_stretches(found, coder, part, 1 - own[entry], 1 - among[entry], n_coders),
        use=_uses(counts, entry, rank, alike, part, few),
        n_used=len(items),
        n_all=len(data.items),
        own_change=own_seen.slope,
        items_change=items_seen.slope,
        items_p=_two_sided(items_seen.z),
        odd=_odd(found, (own - among)[entry], coder, part, few),
        **common,
    )


def _two_sided(z: Floats) -> Floats:
    return np.array([min(1.0, 2 * normal_tail(abs(float(x)))) for x in z])


def _fifth(rank: Floats) -> Ints:
    return np.minimum((rank * len(PARTS)).astype(np.int64), len(PARTS) - 1)


def _stretches(
    order: Order, coder: Ints, part: Ints, own: Floats, among: Floats, n_coders: int
) -> Stretches:
    names = order.batches or PARTS
    shape = (n_coders, len(names))
    cell = coder * np.int64(shape[1]) + part
    n = np.bincount(cell, minlength=shape[0] * shape[1]).astype(float)
    over = np.where(n > 0, n, np.nan)
    tables = [np.bincount(cell, weights=x, minlength=len(n)) / over for x in (own, among)]
    return Stretches(names, n.reshape(shape), tables[0].reshape(shape), tables[1].reshape(shape))


def _odd(
    order: Order, x: Floats, coder: Ints, part: Ints, few: NDArray[np.bool_]
) -> tuple[tuple[int, float], ...]:
    """For each coder the batch with the largest sum of x beyond its mean."""
    if not order.batches:
        return ()
    found = []
    for c in range(len(few)):
        own, batch = x[coder == c], part[coder == c]
        best = (0, 1.0)
        for b in np.unique(batch).tolist() if not few[c] else []:
            n, total = int((batch == b).sum()), float(own[batch == b].sum())
            error = np.sqrt(own.var() * n * (1 - n / len(own)))
            if total - n * own.mean() > WORTH_A_TEST * error:
                value, times = np.unique(np.round(own, 12), return_counts=True)
                zero = np.zeros(len(value), np.int64)
                p = tail_bound(value, times / len(own), zero, np.array([float(n)]), total)
                best = min(best, (b, min(1.0, len(order.batches) * p)), key=lambda at: at[1])
        found.append(best)
    return tuple(found)


def _common(
    counts: Counts, w: Weights, order: Order, items: Ints, item: Ints, place: Floats
) -> dict[str, Any]:
    """The trend of the disagreement of all coders, item by item."""
    if order.place.ndim == 1:
        at = order.place
    else:  # each coder has an order of its own: an item stands where its coders had it on average
        n = np.bincount(item, minlength=len(items))
        sums = np.bincount(item, weights=place, minlength=len(items))
        at = np.where(n > 0, sums / np.maximum(n, 1), np.nan)
    pattern = counts.pattern_of[items]
    known = (pattern >= 0) & ~np.isnan(at)
    known[known] = counts.size[pattern[known]] >= 2
    pattern, at = pattern[known], at[known]
    zero = np.zeros(len(at), np.int64)
    rank = rank_within(at, zero)
    agreed = item_agreement(counts, w)[pattern]
    first = others_say(counts)[counts.start[:-1]][pattern]
    seen = trend(1 - agreed, rank, zero, first, 1)
    part = at.astype(np.int64) if order.batches else _fifth(rank)
    names = order.batches or PARTS
    n = np.bincount(part, minlength=len(names))
    mean = np.bincount(part, weights=agreed, minlength=len(names)) / np.where(n > 0, n, np.nan)
    few = len(at) < FEW_ITEMS
    return {
        "common_change": math.nan if few else float(seen.slope[0]),
        "common_p": math.nan if few else float(_two_sided(seen.z)[0]),
        "common": tuple(mean.tolist()),
        "common_n": tuple(n.tolist()),
    }


def _uses(
    counts: Counts, entry: Ints, rank: Floats, alike: Ints, part: Ints, few: NDArray[np.bool_]
) -> tuple[UseTrend | None, ...]:
    """For each coder the value whose use, beside that of the others, changes most."""
    n_coders, k = counts.n_coders, counts.n_values
    busy = counts.of_sets or len(entry) * k > MOST_CELLS or counts.n_patterns * k > MOST_CELLS
    if busy or counts.coder is None or not len(entry):
        return (None,) * n_coders
    table, row, coder = value_table(counts), counts.row[entry], counts.coder[entry]
    others = np.maximum(counts.size[row] - 1, 1)
    more, z, slope = [], np.zeros((k, n_coders)), np.zeros((k, n_coders))
    for v in range(k):
        own = counts.value[entry] == v
        more.append(own - (table[row, v] - own) / others)
        seen = trend(more[-1], rank, coder, alike, n_coders)
        z[v], slope[v] = seen.z, seen.slope
    best, ends = np.abs(z).argmax(0), (0, int(part.max()))
    moves = {
        v: trend((counts.value[entry] == v).astype(float), rank, coder, alike, n_coders).slope
        for v in np.unique(best).tolist()
    }
    found: list[UseTrend | None] = []
    for c in range(n_coders):
        v = int(best[c])
        if few[c] or not z[v, c]:
            found.append(None)
            continue
        each = [more[v][(coder == c) & (part == end)] for end in ends]
        first, last = (float(x.mean()) if len(x) else math.nan for x in each)
        p = min(1.0, k * float(_two_sided(z[v, c : c + 1])[0]))
        own = bool(moves[v][c] / slope[v, c] >= OWN) if slope[v, c] else False
        found.append(UseTrend(counts.values[v], first, last, p, own))
    return tuple(found)
