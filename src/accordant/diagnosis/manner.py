"""In which way a coder differs from the others: how its annotations stand beside theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.weights import Weights
from ..scheme import Value
from .held_labels import LabelOrder, held_labels

__all__ = ["How", "Manner", "manner"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

How: TypeAlias = Literal["leans", "random", "shifted", "constant", "apart"]

ALMOST_ALL = 0.98  # of a coder's annotations: a single value; our convention
NO_RELATION = 0.1  # corrected agreement with the others; our convention
LEANING = 1 / 3  # of a coder's disagreements are about one value, in one direction
MAIN = 0.8  # of what is lost in one value is gained in another: these two are exchanged
ONE_SIDED = 2  # times as often higher as lower; our convention
MOST_PAIRS = 5_000_000


@dataclass(frozen=True)
class Manner:
    """How a coder differs from the others, in pairs of annotations of the same item.

    Parameters
    ----------
    how : {'leans', 'random', 'shifted', 'constant', 'apart'}
        It gives one value too often or too seldom; nearly without regard to what the others give;
        higher, or lower, values; always the same value; or in another way.
    value : Value or None
        The value that it gives too often, too seldom, or always.
    n, back : float
        Pairs in which it gives the value and the other does not, and the other way round; or in
        which it is higher, and lower.
    instead : Value or None
        What the others give most often where it gives ``value``, or what it gives where they do.
    corrected : float
        Agreement with the others corrected for chance, as kappa does.
    """

    how: How
    value: Value | None
    n: float
    back: float
    instead: Value | None
    corrected: float

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
    ('leans', 'b', 'a', 20.0, 0.0)
    """
    own, other, times = _beside(counts, counts.coders.index(coder))
    if not len(own):
        return Manner("apart", None, 0.0, 0.0, None, np.nan)
    k, whole = counts.n_values, float(times.sum())
    mine, theirs = (np.bincount(v, weights=times, minlength=k) / whole for v in (own, other))
    expected = float(w.expected(mine, theirs))
    agreed = float(times @ w.at(own, other)) / whole
    corrected = (agreed - expected) / (1 - expected) if expected < 1 else np.nan
    top = int(mine.argmax())
    if mine[top] >= ALMOST_ALL > theirs[top]:
        instead = _most(other, times * (own == top) * (other != top), counts)
        n = float(times @ ((own == top) & (other != top)))
        back = float(times @ ((own != top) & (other == top)))
        return Manner("constant", counts.values[top], n, back, instead, corrected)
    if corrected <= NO_RELATION:
        return Manner("random", None, 0.0, 0.0, None, corrected)
    if ordered and not counts.of_sets and k > 2:
        high, low = float(times @ (own > other)), float(times @ (own < other))
        if max(high, low) >= ONE_SIDED * min(high, low):
            return Manner("shifted", None, high, low, None, corrected)
    return _leaning(counts, own, other, times, corrected, labels)


def _beside(counts: Counts, coder: int) -> tuple[Ints, Ints, Floats]:
    """(M,) values of a coder and of each other coder of the item, and how often they stand so.

    Of very many patterns every second, third … is taken.
    """
    if counts.coder is None:
        return counts.value[:0], counts.value[:0], np.zeros(0)
    its = np.flatnonzero(counts.coder == coder)
    its = its[:: max(1, -(-int(counts.size[counts.row[its]].sum()) // MOST_PAIRS))]
    row = counts.row[its]
    size = np.diff(counts.start)[row]
    begin = np.cumsum(size) - size
    at = np.repeat(np.arange(len(its)), size)
    entry = counts.start[:-1][row][at] + np.arange(len(at)) - begin[at]
    others = entry != its[at]
    at, entry = at[others], entry[others]
    return counts.value[its[at]], counts.value[entry], counts.times[row[at]].astype(float)


def _leaning(
    counts: Counts, own: Ints, other: Ints, times: Floats, corrected: float, labels: LabelOrder
) -> Manner:
    """The label that most of the coder's disagreements are about, in one direction."""
    values: tuple[Value, ...] = counts.values
    differ = float(times @ (own != other))
    if counts.of_sets:
        values, held = held_labels(counts, labels)
        mine, theirs = held[own], held[other]
        more, less = times @ (mine & ~theirs), times @ (theirs & ~mine)
    else:
        apart = times * (own != other)
        more, less = (_by_value(v, apart, len(values)) for v in (own, other))
    net = more - less
    k = int(net.argmax())
    if net[k] < MAIN * -net.min():  # of two values that change places, the one that is gained
        k = int(net.argmin())
    n, back = float(more[k]), float(less[k])
    if not differ or abs(n - back) < LEANING * differ:
        return Manner("apart", None, 0.0, 0.0, None, corrected)
    instead = None
    if not counts.of_sets:
        one, two = (own, other) if n >= back else (other, own)
        instead = _most(two, times * (one == k) * (two != k), counts)
    return Manner("leans", values[k], n, back, instead, corrected)


def _by_value(value: Ints, times: Floats, k: int) -> Floats:
    return np.bincount(value, weights=times, minlength=k).astype(float)


def _most(value: Ints, times: Floats, counts: Counts) -> Value | None:
    n = np.bincount(value, weights=times, minlength=counts.n_values)
    return counts.values[int(n.argmax())] if n.any() else None
