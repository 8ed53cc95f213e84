"""Which categories are disputed with which, beside what chance would spread over them.

Two ideas of chance stand beside each other, and a pattern must be more than either: coders who
guess take any two categories for each other as often as their shares say (p_a p_b), and coders who
slip reach any other category equally often (p_a + p_b). On ordered scales neighbours are taken for
each other more often than ends, so each distance has its own share of the disputes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import DENSE_CELLS, Counts
from ..measure.confusion import Confusion, n_cells, pooled_confusion
from ..measure.shares import held_labels
from ..measure.weights import Weights
from ..scheme import Scheme, Value

__all__ = ["MOST_DISPUTED", "Disputes", "at_least", "disputes"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Mask = NDArray[np.bool_]

MOST_DISPUTED = 100  # more values are measurements, or too many to tell pairs apart


@dataclass(frozen=True, eq=False)
class Disputes:
    """Disagreements by pairs of categories; K used categories, of sets their labels.

    All tables are symmetric: a cell and its mirror image say the same about one pair.

    Parameters
    ----------
    values : tuple
        (K,) the categories; of sets the labels, and last `NO_FURTHER`.
    of_labels : bool
    table : ndarray
        (K, K) pairs of annotations; off the diagonal of the two categories, on it twice the pairs
        that agree.
    votes : ndarray
        (K, K) disputed items. An item has one vote, divided among its disagreements: the
        annotations of an item depend on each other, items do not.
    given : ndarray
        (K,) how often each category was given to items with several annotations; 0 for
        `NO_FURTHER`.
    kind : ndarray
        (K, K) the kind of each pair: on ordered scales how many steps the two are apart, in
        tables of labels whether one of them is `NO_FURTHER`.
    cost : ndarray
        (K, K) how much a disagreement counts, 0 to 1.
    """

    values: tuple[Value, ...]
    of_labels: bool
    table: Floats
    votes: Floats
    given: Floats
    kind: Ints
    cost: Floats

    @cached_property
    def share(self) -> Floats:
        """(K,) share of each category."""
        return np.asarray(self.given / self.given.sum())

    @property
    def n_taken(self) -> int:
        """How many of the values are categories: no label at all is none."""
        return len(self.values) - self.of_labels

    @cached_property
    def every(self) -> Mask:
        """(K, K) all pairs of two categories."""
        return ~np.eye(len(self.values), dtype=bool)

    @cached_property
    def n(self) -> float:
        """How many pairs of annotations differ; of sets, how many cells they fill."""
        return float(np.triu(self.table, 1).sum())

    @cached_property
    def n_items(self) -> float:
        """How many items are disputed."""
        return float(np.triu(self.votes, 1).sum())

    def position(self, value: Value) -> int:
        """Where a value stands."""
        return self.values.index(value)

    def without(self, left: Mask, pairs: Any) -> Mask:
        """The pairs that are left if some (value, value) have been told."""
        left = left.copy()
        for a, b in pairs:
            i, j = self.position(a), self.position(b)
            left[i, j] = left[j, i] = False
        return left

    def nulls(self, left: Mask) -> Floats:
        """(2, K, K) share of the votes that each pair has by guesses and by slips.

        Each kind of pairs keeps its share of all votes; only its spread over the pairs is that of
        chance. The shares of all pairs add up to 1.
        """
        p = self.share
        ideas = np.stack([np.outer(p, p), p[:, None] + p])
        if self.of_labels:  # a label is left out as often as it is given, or added by a slip
            ideas[0, :, -1] = ideas[0, -1] = p
            ideas[1, :, -1] = ideas[1, -1] = np.append(np.ones(len(p) - 1), 0)
        found = np.zeros_like(ideas)
        total = float((self.votes * left).sum())
        for kind in np.unique(self.kind[left]):
            these = left & (self.kind == kind)
            own = (self.votes * these).sum() / total if total else 0.0
            sums = (ideas * these).sum((1, 2))
            found += ideas * these * (2 * own / np.where(sums, sums, 1))[:, None, None]
        return found

    def expected(self, left: Mask) -> Floats:
        """(K, K) the larger of the two shares of each pair."""
        return np.asarray(self.nulls(left).max(0))

    def at_stake(self, excess: Floats) -> float:
        """Share of all disagreement that an excess (K, K) of pairs of annotations makes up."""
        whole = float((self.table * self.cost * self.every).sum())
        return float((excess * self.cost * self.every).sum()) / whole if whole else 0.0


def at_least(x: NDArray[Any] | float, n: float, share: NDArray[Any] | float) -> Any:
    """Upper tail of the binomial distribution, for a sum of votes that need not be whole.

    A sum of votes between 0 and 1 spreads less than as many whole ones (Hoeffding 1963), so the
    test keeps its level.

    Examples
    --------
    >>> float(at_least(3, 3, 0.5)), float(at_least(0, 3, 0.5))
    (0.125, 1.0)
    """
    from scipy.special import bdtrc

    whole, of = np.floor(np.asarray(x) + 1e-9), np.int64(np.ceil(n - 1e-9))
    tail = bdtrc(np.clip(whole - 1, 0, None), of, np.clip(share, 0, 1))
    return np.where(whole <= 0, 1.0, np.where(whole > of, 0.0, tail))


def disputes(
    counts: Counts, confusion: Confusion, metric: Weights, scheme: Scheme
) -> Disputes | None:
    """Disagreements by pairs of categories; None if there are none, or too many categories.

    Parameters
    ----------
    counts : Counts
    confusion : Confusion
        The pooled table of ``counts``.
    metric : Weights
        What counts as agreement.
    scheme : Scheme

    Examples
    --------
    >>> from accordant import diagnose, read
    >>> found = diagnose(read([["a", "b", "a", "c"], ["a", "b", "b", "c"]])).pooled.disputes
    >>> found.values, found.votes.tolist()
    (('a', 'b', 'c'), [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    """
    bare, sets = counts.anonymous.pairable, counts.of_sets
    given = np.asarray(bare.sum_by_value(np.ones(bare.n_patterns)))
    if sets:
        given = np.append(given @ held_labels(counts, confusion.values[:-1])[1], 0)  # type: ignore[arg-type]
    used = np.flatnonzero(given)
    if sets:
        used = np.append(used, len(given) - 1)
    if not 2 <= len(used) <= MOST_DISPUTED or bare.n_patterns * len(used) > DENSE_CELLS:
        return None
    cut = np.ix_(used, used)
    table = confusion.table[cut]
    if not np.triu(table, 1).any():
        return None
    order = confusion.values[:-1] if sets else ()
    differ = _n_differing(bare, order)
    weight = np.divide(1, differ, out=np.zeros_like(differ), where=differ > 0)
    cells = pooled_confusion(bare.drawn(bare.times * weight), labels=order or None)  # type: ignore[arg-type]
    votes = cells.table[cut]
    kind: Ints = np.zeros((len(used), len(used)), np.int64)
    cost: Floats = np.ones(kind.shape)
    if sets:
        kind[-1] = kind[:, -1] = 1
    else:
        kind = _steps(used, counts.n_values, scheme.scale)
        a, b = np.meshgrid(used, used, indexing="ij")
        cost = 1 - np.asarray(metric.at(a.ravel(), b.ravel()), float).reshape(a.shape)
        cost = (cost + cost.T) / 2
    return Disputes(
        tuple(confusion.values[k] for k in used), sets, table,
        (votes + votes.T) * ~np.eye(len(used), dtype=bool), given[used], kind, cost,
    )  # fmt: skip


def _n_differing(bare: Counts, labels: tuple[Value, ...]) -> Floats:
    """(P,) how many ordered pairs of annotations differ; of sets, how many cells they fill."""
    if not bare.of_sets:
        return np.asarray(bare.size.astype(float) ** 2 - bare.sum_entries(np.square(bare.n)))
    return n_cells(bare, held_labels(bare, labels)[1])  # type: ignore[arg-type]


def _steps(used: Ints, n: int, scale: str) -> Ints:
    """(K, K) how many places of the scheme two categories are apart; 0 if it has no order."""
    if scale == "nominal":
        return np.zeros((len(used), len(used)), np.int64)
    apart = np.abs(used[:, None] - used)
    return np.asarray(np.minimum(apart, n - apart) if scale == "circular" else apart)
