"""Values that are sets of labels: their members, and how much two sets agree.

How far two sets agree follows from three numbers: the size of each and the size of their
intersection. A single label is a set of one. Two empty sets agree in full, on every measure; an
empty set and another one do not agree at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..scheme import Label, Value
from .weights import Elementwise, Weights

KEEP = 2048  # up to this many values the matrix of weights is kept: 32 MB
CACHED = 250_000  # weights of pairs of sets held at a time: they stay in the cache
MOST_LABELS = 8  # of larger sets the sums over subsets lose digits: 3^8 times the last one
MOST_SUBSETS = 20_000_000  # of all values together: 240 MB


@dataclass(frozen=True, eq=False)
class LabelSets:
    """The values as sets.

    Parameters
    ----------
    labels : tuple
        (L,) every label that a value holds.
    members : ndarray of bool
        (K, L) which value holds which label.
    values : tuple
        (K,) the values; the order of the labels in a tuple is their rank.
    """

    labels: tuple[Label, ...]
    members: Bools
    values: tuple[Value, ...]

    @property
    def size(self) -> Ints:
        """(K,) number of labels of each value."""
        return np.asarray(np.count_nonzero(self.members, axis=1))

    @property
    def repeated(self) -> bool:
        """Whether two values are the same set, its labels ranked in another order."""
        return len(np.unique(self.packed, axis=0)) < len(self.values)

    @property
    def packed(self) -> NDArray[np.uint64]:
        """(K, W) the members as bits of 64-bit words."""
        n_words = -(-len(self.labels) // 64)
        padded = np.zeros((len(self.members), 64 * n_words), bool)
        padded[:, : len(self.labels)] = self.members
        return np.packbits(padded, axis=1).view(np.uint64)

    def by_size(self) -> Floats:
        """(K, S + 1) 1 where value k has s labels."""
        return np.asarray(self.size[:, None] == np.arange(self.size.max(initial=0) + 1), float)

    def votes(self, shares: Sequence[float] | None = None) -> Floats:
        """(K, L + 1) one vote for each value, divided over its labels.

        Equally, or by rank: the first label gets the first share and so on, the rest of the
        shares falling to nobody; they are scaled to one vote. The last column is the vote for
        the empty set.
        """
        vote = np.zeros((len(self.values), len(self.labels) + 1))
        if shares is None:
            vote[:, :-1] = self.members / np.maximum(self.size, 1)[:, None]
        else:
            position = {label: k for k, label in enumerate(self.labels)}
            for k, value in enumerate(self.values):
                ranked = [position[x] for x in _labels_of(value)][: len(shares)]
                vote[k, ranked] = shares[: len(ranked)]
            vote /= np.maximum(vote.sum(1, keepdims=True), 1e-300)
        vote[self.size == 0, -1] = 1
        return vote


@lru_cache(maxsize=8)
def label_sets(values: tuple[Value, ...]) -> LabelSets:
    """The values as sets of labels; a value that is not a set is a set of one.

    Examples
    --------
    >>> found = label_sets((("a",), ("a", "b"), ()))
    >>> found.labels, found.size.tolist()
    (('a', 'b'), [1, 2, 0])
    """
    each = [_labels_of(v) for v in values]
    labels = tuple(dict.fromkeys(x for own in each for x in own))
    position = {label: k for k, label in enumerate(labels)}
    members = np.zeros((len(values), len(labels)), bool)
    row = np.repeat(np.arange(len(values)), [len(own) for own in each])
    members[row, [position[x] for own in each for x in own]] = True
    return LabelSets(labels, members, values)


def _labels_of(value: Value) -> tuple[Label, ...]:
    return value if isinstance(value, tuple) else (value,)


def unranked(counts: Counts) -> Counts:
    """The counts with one value for each set, in whichever order its labels were given.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([[("a", "b"), ("b",)], [("b", "a"), ("b",)]], layout="ranked"))
    >>> counts.values, unranked(counts).values
    ((('b',), ('a', 'b'), ('b', 'a')), (('b',), ('a', 'b')))
    """
    if not counts.of_sets or not label_sets(counts.values).repeated:
        return counts
    packed = label_sets(counts.values).packed
    _, first, of = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)  # in the order in which the sets first occur
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return counts.merged(rank[of.reshape(-1)], tuple(counts.values[k] for k in first[order]))


# ------------------------------------------------------------------ how much two sets agree


def _or_empty(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Part / whole, and 1 where there is no whole: two empty sets."""
    return np.asarray(np.where(whole == 0, 1.0, part / np.where(whole == 0, 1, whole)))


def _both_empty(a: NDArray[Any], b: NDArray[Any]) -> Bools:
    return np.asarray((a == 0) & (b == 0))


def _identity(a: NDArray[Any], b: NDArray[Any], r: NDArray[Any]) -> Floats:
    return np.asarray((r == a) & (r == b), float)


def _overlap(a: NDArray[Any], b: NDArray[Any], r: NDArray[Any]) -> Floats:
    return np.asarray((r > 0) | _both_empty(a, b), float)


def _precision(a: NDArray[Any], b: NDArray[Any], r: NDArray[Any]) -> Floats:
    return np.where(_both_empty(a, b), 1.0, r / np.maximum(a, 1))


def _recall(a: NDArray[Any], b: NDArray[Any], r: NDArray[Any]) -> Floats:
    return _precision(b, a, r)


def _f1(a: NDArray[Any], b: NDArray[Any], r: NDArray[Any]) -> Floats:
    return _or_empty(2 * r, a + b)


def _jaccard(a: NDArray[Any], b: NDArray[Any], r: NDArray[Any]) -> Floats:
    return _or_empty(r, a + b - r)


def _passonneau(a: NDArray[Any], b: NDArray[Any], r: NDArray[Any]) -> Floats:
    """1 for equal sets, 2/3 if one holds the other, 1/3 if they overlap, else 0."""
    level = np.where(a + b == 2 * r, 3, np.where(r == np.minimum(a, b), 2, 1))
    return np.asarray(np.where((r > 0) | _both_empty(a, b), level, 0) / 3)


def _masi(a: NDArray[Any], b: NDArray[Any], r: NDArray[Any]) -> Floats:
    """The levels of Passonneau times Jaccard (Passonneau 2006)."""
    return _jaccard(a, b, r) * _passonneau(a, b, r)


def _divided(a: NDArray[Any], b: NDArray[Any], r: NDArray[Any]) -> Floats:
    return _or_empty(r, a * b) * ((r > 0) | _both_empty(a, b))


SCORES: dict[str, Score] = {
    "overlap": _overlap,
    "precision": _precision,
    "recall": _recall,
    "f1": _f1,
    "jaccard": _jaccard,
    "masi": _masi,
    "passonneau": _passonneau,
    "divided-vote": _divided,
    "identity": _identity,
}


# ------------------------------------------------------------------ as weights


@dataclass(frozen=True, eq=False)
class OfSets(Elementwise):
    """Weights that follow from the sizes of two sets and of their intersection."""

    sets: LabelSets
    score: Score

    @classmethod
    def of(cls, name: str, values: tuple[Value, ...], score: Score) -> OfSets:
        """The weights of a score for values."""
        sets = label_sets(values)
        packed, size = sets.packed, sets.size

        def weight(a: Ints, b: Ints) -> Floats:
            both = np.bitwise_count(packed[a] & packed[b]).sum(-1, dtype=np.int64)
            return score(size[a], size[b], both)

        return cls(name, len(values), weight, sets, score)

    @cached_property
    def _terms(self) -> Terms:
        return Terms(self.score, int(self.sets.size.max(initial=0)))

    @cached_property
    def symmetric(self) -> bool:
        table = self._terms.by_overlap
        return bool((table == table.swapaxes(0, 1)).all())

    @property
    def symmetrised(self) -> OfSets:
        if self.symmetric:
            return self
        score = self.score

        def mean(a: NDArray[Any], b: NDArray[Any], r: NDArray[Any]) -> Floats:
            return np.asarray((score(a, b, r) + score(b, a, r)) / 2)

        return OfSets.of(self.name, self.sets.values, mean)

    def apply(self, p: Floats) -> Floats:
        if self.n_values <= KEEP:
            return np.asarray(p @ self._table.T)
        key = p.tobytes()
        if key not in self._last:  # a value and its error ask for the same
            rows = p.reshape(-1, self.n_values)
            way = self._by_blocks if self._subsets is None else self._by_subsets
            self._last.clear()
            self._last[key] = way(rows).reshape(p.shape)
        return self._last[key]

    @cached_property
    def _last(self) -> dict[bytes, Floats]:
        return {}

    def _by_blocks(self, p: Floats) -> Floats:
        """(N, K) W p for rows of p: overlaps of some values with all, and weights from a table."""
        size = self.sets.size.astype(np.int32)
        members, n = self.sets.members.astype(np.float32), np.int32(size.max(initial=0) + 1)
        table = self._terms.by_overlap.ravel()
        total, step = np.empty(p.shape), max(1, CACHED // self.n_values)
        for start in range(0, self.n_values, step):
            some = slice(start, start + step)
            cell = (members[some] @ members.T).astype(np.int32)  # whole numbers: exact
            cell += n * (n * size[some, None] + size)
            total[:, some] = p @ table.take(cell).T
        return total

    def _by_subsets(self, p: Floats) -> Floats:
        """The same: a subset of b labels that two sets share counts by g(s1, s2, b) (`Terms`).

        What all sets of a size that hold a subset weigh is added up once for all that share it.
        """
        size, total = self.sets.size, np.empty(p.shape)
        g = self._terms.by_degree
        for row, weight in zip(total, p, strict=True):
            mass = self.sets.by_size() * weight[:, None]
            row[:] = g[size, :, 0] @ mass.sum(0)
            for b, holds in enumerate(self._subsets or (), 1):
                row += (g[size, :, b] * (holds @ (holds.T @ mass))).sum(1)
        return total

    @cached_property
    def _subsets(self) -> tuple[Any, ...] | None:
        """For b = 1, 2 ... (K, n) sparse, 1 where a value holds a subset; None if too many."""
        size = self.sets.size
        largest = int(size.max(initial=0))
        if largest > MOST_LABELS or (2.0**size).sum() > MOST_SUBSETS:
            return None
        return tuple(_holding(self.sets, b) for b in range(1, largest + 1))

    @cached_property
    def _table(self) -> Floats:
        every = np.arange(self.n_values)
        return self.at(every[:, None], every)


def _holding(sets: LabelSets, b: int) -> Any:
    """(K, n) sparse: 1 where a value holds a subset of b labels, of those that any value holds."""
    from scipy.sparse import csr_array  # many different sets only: not worth 0.2 s at start

    value, subset = [], []
    for size in range(b, int(sets.size.max(initial=0)) + 1):
        own = np.flatnonzero(sets.size == size)
        labels = np.nonzero(sets.members[own])[1].reshape(len(own), size)
        chosen = np.array(list(combinations(range(size), b)))
        value.append(np.repeat(own, len(chosen)))
        subset.append(labels[:, chosen].reshape(-1, b))
    _, number = _numbered(np.concatenate(subset), len(sets.labels))
    row = np.concatenate(value)
    shape = (len(sets.values), int(number.max(initial=-1)) + 1)
    return csr_array((np.ones(len(row)), (row, number)), shape=shape)


def _numbered(rows: Ints, n: int) -> tuple[Ints, Ints]:
    """Different rows (N, b) of numbers below n, and for each row (N,) which of them it is."""
    if n ** rows.shape[1] < 2**62:
        rows = rows @ (n ** np.arange(rows.shape[1]))
        return np.unique(rows, return_inverse=True)
    found, of = np.unique(rows, axis=0, return_inverse=True)
    return found, of.reshape(-1)


@dataclass(frozen=True, eq=False)
class DividedVote(Weights):
    """A label set is one vote divided over its labels (Rosenberg & Binkowski 2004).

    The weight of two sets is the probability that a label drawn from each is the same, so that
    a set of several labels agrees with itself by less than 1.

    ``votes`` (K, L + 1) the vote of each value; ``equal`` if its labels have equal parts of it.
    """

    votes: Floats
    equal: bool = True

    @classmethod
    def of(
        cls, name: str, values: tuple[Value, ...], shares: Sequence[float] | None = None
    ) -> DividedVote:
        """Votes divided equally, or by the rank of the labels in each value."""
        return cls(name, len(values), label_sets(values).votes(shares), shares is None)

    def apply(self, p: Floats) -> Floats:
        return np.asarray((p @ self.votes) @ self.votes.T)

    def pairs(self, counts: Counts) -> Floats:
        counts = counts.anonymous
        own = (self.votes**2).sum(1)
        total = -counts.sum_entries(counts.n * own[counts.value])
        for label in range(self.votes.shape[1]):
            total += (
                sums(counts.row, counts.n * self.votes[counts.value, label], counts.n_patterns) ** 2
            )
        return total

    def at(self, a: Ints, b: Ints) -> Floats:
        a, b = np.broadcast_arrays(a, b)
        total = np.zeros(a.shape)
        for vote in self.votes.T:  # never (..., L) at once
            total += vote[a] * vote[b]
        return total


# ------------------------------------------------------------------ scores as numbers
#
# How much two sets agree, f(s1, s2, r), follows from their sizes and the number r of labels in
# both. Label draw needs it as f = sum over b of g(s1, s2, b) C(r, b), because C(r, b) counts the
# sets of b labels that both include.

Score: TypeAlias = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], Floats]
"""Of the size of each and of their intersection, elementwise."""


@dataclass(frozen=True, eq=False)
class Terms:
    """A score for sets of at most ``most`` labels, as numbers."""

    score: Score
    most: int

    @cached_property
    def _possible(self) -> Bools:
        """(S + 1, S + 1, S + 1) whether two sets of such sizes can have so many in common."""
        s1, s2, r = np.indices(3 * (self.most + 1,))
        return np.asarray(r <= np.minimum(s1, s2))

    @cached_property
    def by_overlap(self) -> Floats:
        """(S + 1, S + 1, S + 1) the score by both sizes and overlap; 0 where impossible."""
        table = np.zeros(self._possible.shape)
        table[self._possible] = self.score(*np.nonzero(self._possible))
        return table

    @cached_property
    def by_degree(self) -> Floats:
        """(S + 1, S + 1, S + 1) g(s1, s2, b) with score = sum over b of g C(r, b)."""
        g = self.by_overlap @ inverse_binomials(self.most).T * self._possible
        g[np.abs(g) < 4e-16 * 2.0 ** np.arange(self.most + 1)] = 0  # what rounding leaves of zero
        if self._is_straight:
            g[..., 2:] = 0
        return g

    @property
    def _is_straight(self) -> bool:
        """Whether each further label in common adds as much: then single labels say it all.

        Seen directly, because rounding in g grows with the size of the sets.
        """
        bend = np.diff(self.by_overlap, 2, axis=-1)[self._possible[..., 2:]]
        return bool((np.abs(bend) < 1e-14).all())

    @cached_property
    def degree(self) -> int:
        """The largest b that counts."""
        return _last(self.by_degree)


def inverse_binomials(n: int) -> Floats:
    """(n + 1, n + 1) (-1)^(b - r) C(b, r): from moments of C(r, b) to probabilities of r."""
    return np.array([[(-1.0) ** (b - r) * comb(b, r) for r in range(n + 1)] for b in range(n + 1)])


def _last(x: Floats) -> int:
    """The last index of the last axis where anything differs from zero."""
    return int(np.flatnonzero(x.any((0, 1))).max(initial=0))
