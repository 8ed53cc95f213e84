"""In which way a coder differs from the others: how its annotations stand beside theirs.

They are compared pair by pair and item by item.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Floats, Ints
from ..counts.counts import Counts
from ..measure.confusion import given_values, pairs_of
from ..measure.shares import LabelOrder, held_labels
from ..measure.weights import Weights
from ..scheme import Value

__all__ = ["Beside", "How", "Manner", "beside", "manner"]

How: TypeAlias = Literal[
    "leans", "random", "shifted", "constant", "swapped", "narrow", "more_labels", "fewer_labels",
    "apart",
]  # fmt: skip

ALMOST_ALL = 0.98  # of a coder's annotations: a single value; our convention
NO_RELATION = 0.1  # corrected agreement with the others; our convention
LEANING = 1 / 3  # of a coder's disagreements are about one value, in one direction
MAIN = 0.8  # of what is lost in one value is gained in another: these two are exchanged
ONE_SIDED = 2  # times as often higher as lower; our convention
SWAPPED = 2 / 3  # of what others call one thing the coder calls the other, and the other way round
FEWEST = 3  # items of each of two categories that are swapped
HARDLY = 0.01  # of a coder's items lie beyond the end of its scale; our convention
BEYOND = 0.05  # of the others' lie there; our convention
MOST_VALUES = 1000  # of which two may be swapped
MORE = 0.2  # labels on an item; our convention
SINGLE = 0.5  # of the labels that are added are one and the same: it is this label, not more labels


@dataclass(frozen=True)
class Manner:
    """How a coder differs from the others, in items that others annotated too.

    Parameters
    ----------
    how : str
        ``'leans'``: it gives one value too often or too seldom; ``'random'``: nearly without regard
        to what the others give; ``'shifted'``: higher, or lower, values; ``'constant'``: always the
        same value; ``'swapped'``: of two values, each where the others give the other one;
        ``'narrow'``: only the middle of an ordered scale; ``'more_labels'``, ``'fewer_labels'``: on
        an item, than the others give; ``'apart'``: in another way.
    value : Value or None
        The value that it gives too often, too seldom, or always; or one of two that are swapped.
    n, back : float
        Items on which it gives the value and most of the others do not, and the other way round;
        or on which it is higher than most of them, and lower; or gives more labels, and fewer; or
        items on which it gives one of two swapped values where most of the others give the other,
        and on which it gives the same as they.
    instead : Value or None
        What the others give most often where it gives ``value``, or what it gives where they do.
    corrected : float
        Agreement with the others corrected for chance, as kappa does.
    own, others : float
        Mean number of labels, or share of the items beyond what it uses of a scale.
    used, never : tuple
        The values of a narrow scale, and those that only others use.
    """

    how: How
    value: Value | None = None
    n: float = 0.0
    back: float = 0.0
    instead: Value | None = None
    corrected: float = np.nan
    own: float = np.nan
    others: float = np.nan
    used: tuple[Value, ...] = field(default=())
    never: tuple[Value, ...] = field(default=())

    @property
    def seldom(self) -> bool:
        """Whether it gives the value too seldom."""
        return self.n < self.back


def manner(
    counts: Counts, coder: str, w: Weights, *, ordered: bool = False, labels: LabelOrder = None
) -> Manner:
    """How the annotations of a coder stand beside those of the others.

    Parameters
    ----------
    counts : Counts
        The annotations of the coder, and of those with whom it is compared.
    coder : str
    w : Weights
    ordered : bool
        Whether values have an order.
    labels : sequence, optional
        The order of the labels that sets hold.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> right = ["a", "b", "a", "c"] * 10
    >>> counts = count(read([right, right, ["b", "b", "a", "c"] * 10]))
    >>> found = manner(counts, "coder 3", weights_for("identity", counts))
    >>> found.how, found.value, found.instead, found.n, found.back
    ('leans', 'b', 'a', 10.0, 0.0)
    """
    pairs = beside(counts, coder)
    if not len(pairs.own):
        return Manner("apart")
    corrected = _corrected(pairs, counts.n_values, w)
    found = _constant(pairs, counts) or _swapped(pairs, counts)
    if found is None and corrected <= NO_RELATION:  # nearly without regard to what the others give
        found = Manner("random")
    if ordered and not counts.of_sets:
        found = found or _narrow(pairs, counts) or _shifted(pairs)
    return replace(found or _leaning(pairs, counts, labels), corrected=corrected)


def _corrected(pairs: Beside, k: int, w: Weights) -> float:
    """Agreement with the others corrected for chance, each item counting once."""
    whole, weight = pairs.n_items, pairs.weight
    mine, theirs = (
        np.bincount(v, weights=weight, minlength=k) / whole for v in (pairs.own, pairs.other)
    )
    expected = float(w.expected(mine, theirs))
    agreed = float(weight @ w.at(pairs.own, pairs.other)) / whole
    return (agreed - expected) / (1 - expected) if expected < 1 else np.nan


def _constant(pairs: Beside, counts: Counts) -> Manner | None:
    """Nearly always the same value."""
    mine = np.bincount(pairs.value, weights=pairs.times, minlength=counts.n_values)
    top = int(mine.argmax())
    holds = np.arange(counts.n_values) == top
    others = float(pairs.times @ pairs.among_others(holds.astype(float))) / pairs.n_items
    if not mine[top] >= ALMOST_ALL * pairs.n_items or others >= ALMOST_ALL:
        return None
    n, back = pairs.sides(holds)
    return Manner("constant", counts.values[top], n, back, _instead(pairs, counts, top, more=True))


def _swapped(pairs: Beside, counts: Counts) -> Manner | None:
    """Two values, each given where most of the others give the other one."""
    if counts.of_sets or counts.n_values > MOST_VALUES:
        return None
    table = pairs.of_majority(counts.n_values)
    of = table.sum(1)
    share = np.divide(table, of[:, None], out=np.zeros_like(table), where=of[:, None] > 0)
    np.fill_diagonal(share, 0)
    both = np.minimum(share, share.T)
    both[(np.minimum(table, table.T) < FEWEST)] = 0
    a, b = divmod(int(both.argmax()), counts.n_values)
    if both[a, b] < SWAPPED:
        return None
    return Manner(
        "swapped", counts.values[a], float(table[a, b] + table[b, a]),
        float(table[a, a] + table[b, b]), counts.values[b],
    )  # fmt: skip


def _narrow(pairs: Beside, counts: Counts) -> Manner | None:
    """Only the middle of the scale, whose ends the others use."""
    k, whole = counts.n_values, pairs.n_items
    mine = np.bincount(pairs.value, weights=pairs.times, minlength=k) / whole
    theirs = np.bincount(pairs.other, weights=pairs.weight, minlength=k) / whole
    low = int(np.flatnonzero(np.cumsum(mine) > HARDLY)[0])
    high = k - 1 - int(np.flatnonzero(np.cumsum(mine[::-1]) > HARDLY)[0])
    if min(theirs[:low].sum(), theirs[high + 1 :].sum()) < BEYOND:
        return None
    out = np.ones(k, bool)
    out[low : high + 1] = False
    values = counts.values
    return Manner(
        "narrow", n=float(whole * theirs[out].sum()),
        own=float(mine[out].sum()), others=float(theirs[out].sum()),
        used=tuple(values[v] for v in np.flatnonzero(~out & (mine > 0))),
        never=tuple(values[v] for v in np.flatnonzero(out & (theirs > 0))),
    )  # fmt: skip


def _shifted(pairs: Beside) -> Manner | None:
    """Higher values than the others, or lower ones."""
    if len(np.unique(np.append(pairs.own, pairs.other))) < 3:
        return None
    high, low = pairs.heights()
    if not max(high, low) >= max(1, ONE_SIDED * min(high, low)):
        return None
    return Manner("shifted", n=high, back=low)


def _leaning(pairs: Beside, counts: Counts, labels: LabelOrder) -> Manner:
    """The label that most of the coder's disagreements are about, in one direction."""
    values: tuple[Value, ...] = counts.values
    weight, own, other = pairs.weight, pairs.own, pairs.other
    held = np.zeros((0, 0), bool)
    if counts.of_sets:
        values, held = held_labels(counts, labels)
        net = np.asarray(weight @ (held[own].astype(float) - held[other]))
    else:
        k = len(values)
        more, less = (np.bincount(v, weights=weight, minlength=k) for v in (own, other))
        net = np.asarray(more - less, float)
    plain = Manner("apart")
    if not len(values):
        return plain
    k = int(net.argmax())
    if net[k] < MAIN * -net.min():  # of two values that change places, the one that is gained
        k = int(net.argmin())
    if counts.of_sets:
        found = _label_count(pairs, held, net, k)
        if found is not None:
            return found
    differ = float(weight @ (own != other))
    n, back = pairs.sides(held[:, k] if counts.of_sets else np.arange(len(values)) == k)
    if not differ or abs(net[k]) < LEANING * differ or (n - back) * net[k] <= 0:
        return plain
    instead = None if counts.of_sets else _instead(pairs, counts, k, more=n > back)
    return Manner("leans", values[k], n, back, instead)


def _label_count(pairs: Beside, held: Bools, net: Floats, k: int) -> Manner | None:
    """More labels on an item than the others give, or fewer; unless it is a single label."""
    n_labels = held.sum(1).astype(float)
    others = pairs.among_others(n_labels)
    beyond = n_labels[pairs.value] - others
    mean = float(pairs.times @ beyond) / pairs.n_items
    n, back = (float(pairs.times @ (beyond * side > 1e-9)) for side in (1, -1))
    if abs(mean) < MORE or max(n, back) < ONE_SIDED * min(n, back):
        return None
    if net[k] * mean > 0 and abs(net[k]) > SINGLE * abs(net.sum()):
        return None
    return Manner(
        "more_labels" if mean > 0 else "fewer_labels", n=n, back=back,
        own=float(pairs.times @ n_labels[pairs.value]) / pairs.n_items,
        others=float(pairs.times @ others) / pairs.n_items,
    )  # fmt: skip


def _instead(pairs: Beside, counts: Counts, value: int, *, more: bool) -> Value | None:
    """What the others give most where the coder gives the value, or the coder where they do."""
    one, two = (pairs.own, pairs.other) if more else (pairs.other, pairs.own)
    weight = pairs.weight * (one == value) * (two != value)
    n = np.bincount(two, weights=weight, minlength=counts.n_values)
    return counts.values[int(n.argmax())] if n.any() else None


MOST_PAIRS = 2_000_000


@dataclass(frozen=True, eq=False)
class Beside:
    """A coder beside each other coder of its items: M pairs of annotations, N kinds of items.

    ``own``, ``other`` (M,) the values of a pair, ``at`` (M,) which kind of items it is of;
    ``value`` (N,) the coder's value, ``times`` (N,) how many items, ``size`` (N,) how many others
    annotated them. An item is a coder's annotation that somebody else made too.
    """

    own: Ints
    other: Ints
    at: Ints
    value: Ints
    times: Floats
    size: Floats

    @cached_property
    def weight(self) -> Floats:
        """(M,) what a pair counts, so that each item counts once."""
        return np.asarray((self.times / self.size)[self.at])

    @property
    def n_items(self) -> float:
        """Items that the coder and somebody else annotated."""
        return float(self.times.sum())

    def among_others(self, holds: NDArray[Any]) -> Floats:
        """(N,) mean of something (V,) known of each value over the annotations of the others."""
        total = np.bincount(self.at, weights=holds[self.other], minlength=len(self.value))
        return np.asarray(total / self.size)

    def sides(self, holds: Bools) -> tuple[float, float]:
        """Items on which the coder gives one of the values (V,) and most others do not, and back.

        Items on which the others are divided evenly are on neither side.
        """
        others, mine = self.among_others(holds.astype(float)), holds[self.value]
        few, many = others < 0.5 - 1e-9, others > 0.5 + 1e-9
        return float(self.times @ (mine & few)), float(self.times @ (~mine & many))

    def heights(self) -> tuple[float, float]:
        """Items on which the coder is higher than most of the others are, and lower."""
        up = np.bincount(
            self.at, weights=np.sign(self.own - self.other), minlength=len(self.value)
        )  # fmt: skip
        return float(self.times @ (up > 0)), float(self.times @ (up < 0))

    def of_majority(self, n_values: int) -> Floats:
        """(V, V) items that most others give value r and the coder value c, by r and c."""
        key = self.at * np.int64(n_values) + self.other
        cells, n = np.unique(key, return_counts=True)
        at, value = np.divmod(cells, n_values)
        most = n > self.size[at] / 2
        at, value = at[most], value[most]
        table = np.bincount(
            value * np.int64(n_values) + self.value[at], weights=self.times[at],
            minlength=n_values**2,
        )  # fmt: skip
        return np.asarray(table.reshape(n_values, n_values), float)


def beside(counts: Counts, coder: str) -> Beside:
    """The annotations of a coder beside those of the others; of very many every second, third ….

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> found = beside(count(read([["a", "a"], ["a", "b"], ["a", "b"]])), "coder 1")
    >>> found.sides(np.array([True, False])), found.n_items
    ((1.0, 0.0), 2.0)
    """
    if counts.coder is None:
        none = np.zeros(0, np.int64)
        return Beside(none, none, none, none, np.zeros(0), np.zeros(0))
    row, own, other = pairs_of(counts, coder, None)
    kinds, at = np.unique(row, return_inverse=True)
    step = max(1, -(-len(row) // MOST_PAIRS))
    kept, kinds = at % step == 0, kinds[::step]
    return Beside(
        own[kept], other[kept], at[kept] // step, given_values(counts, coder)[kinds],
        counts.times[kinds].astype(float), (counts.size[kinds] - 1).astype(float),
    )  # fmt: skip
