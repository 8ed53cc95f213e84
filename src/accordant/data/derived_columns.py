"""Columns that follow from the labels: a majority, whether all are equal, a mean, how many.

They are found by computing, whatever they are called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lgamma, log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .evidence import Facts, Keys

Ints = NDArray[np.int64]
MAJORITY = "the most frequent label"
SURE = 10.0  # bits: by chance less than one in twenty of the fifty statistics that are tried
MOST_LEFT_OUT = 8  # coders of whom each is held against the others
MOST_CATEGORIES = 40
MOST_WORDS = 500
FULL = 2.0  # bits at most for a column without blanks beside others with some
A_FEW = 100  # items
_SHARES = (1.0, 100.0)  # as a part of 1, or in per cent


@dataclass(frozen=True)
class Statistic:
    """What may be computed from the labels of each item (I,).

    Either a number; or, of labels, which (I, K) are most frequent, of which several may be tied.
    ``groups``: the items of one value, which a column may call anything.
    """

    says: str
    value: NDArray[np.floating[Any]] | Ints | NDArray[np.bool_]
    labels: NDArray[np.bool_] | None = None
    groups: bool = False

    def matches(self, cells: Keys, words: Sequence[str], labels: Sequence[str]) -> list[Matches]:
        """(I,) where a column says the same, by each way to write it."""
        if self.labels is not None:
            place = {w: k for k, w in enumerate(labels)}
            own = np.array([*(place.get(w, -1) for w in words), -1])[cells]
            tied = self.labels.sum(1) > 1
            said = (own >= 0) & self.labels[np.arange(len(own)), own]
            return [Matches(said | (tied & (own < 0)), ~tied)]
        found = []
        x = np.array([*map(_number, words), np.nan])[cells]
        step = 10.0 ** -max((len(w.rstrip("%").partition(".")[2]) for w in words), default=0)
        if not np.isnan(x).any():
            several = np.isfinite(self.value)
            found = [
                Matches(np.abs(x - each * self.value) <= 0.51 * step + 1e-9, several)
                for each in _SHARES
            ]
        if self.groups:
            _, group = np.unique(self.value, return_inverse=True)
            table = np.zeros((int(group.max()) + 1, len(words) + 1))
            np.add.at(table, (group, cells), 1)
            usual = table.argmax(1)
            ways = len(table) * log2(max(2, int(np.count_nonzero(table.sum(0)))))
            said = usual[group] == np.where(cells < 0, len(words), cells)
            found.append(Matches(said, np.ones(len(said), bool), ways))
        return found


@dataclass(frozen=True)
class Matches:
    """(I,) where a column says what a statistic does, and where that could have been otherwise.

    ``ways``: bits for how many ways there were to call the groups of a statistic.
    """

    said: NDArray[np.bool_]
    told: NDArray[np.bool_]
    ways: float = 0.0


def _number(word: str) -> float:
    try:
        return float(word.rstrip("%"))
    except ValueError:
        return np.nan


def statistics(counts: Ints, labels: Sequence[str]) -> Iterator[Statistic]:
    """What may be computed from how often (I, K) items have each label; two at least an item."""
    n, top = counts.sum(1), counts.max(1)
    share = counts / n[:, None]
    different = (counts > 0).sum(1)
    yield Statistic("whether all labels are equal", different == 1, groups=True)
    yield Statistic("how many different labels there are", different, groups=True)
    yield Statistic("the share of the most frequent label", share.max(1), groups=True)
    yield Statistic(MAJORITY, top, labels=counts == top[:, None])
    yield Statistic("the number of labels", n, groups=True)
    yield Statistic("the number of the most frequent label", top)
    yield Statistic("the share of pairs that agree", (counts * (counts - 1.0)).sum(1) / n / (n - 1))
    entropy = -(share * np.log(np.where(counts > 0, share, 1))).sum(1)
    for base in (1.0, log(2)):
        yield Statistic("the entropy of the labels", entropy / base)
    for k, label in enumerate(labels if len(labels) <= MOST_CATEGORIES else ()):
        yield Statistic(f"how often {label!r} was given", counts[:, k])
        yield Statistic(f"the share of {label!r}", share[:, k])
    x = np.array([*map(_number, labels)])
    if np.isnan(x).any():
        return
    total, mean = counts @ x, share @ x
    order = np.argsort(x)
    past = np.cumsum(counts[:, order], 1)

    def at(rank: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(x[order][(past > np.floor(rank)[:, None]).argmax(1)])

    yield Statistic("the mean of the labels", mean)
    yield Statistic("the median of the labels", (at((n - 1) / 2) + at(n / 2)) / 2)
    yield Statistic("the sum of the labels", total)
    low, high = at(n * 0.0), at(n - 1.0)
    yield Statistic("the lowest label", low)
    yield Statistic("the highest label", high)
    yield Statistic("the range of the labels", high - low)
    variance = np.maximum(share @ x**2 - mean**2, 0) * n / (n - 1)
    yield Statistic("the standard deviation of the labels", np.sqrt(variance))


@dataclass(frozen=True)
class Labels:
    """The labels of coders: (C, I) codes into ``words``, or -1; (I, K) how often each is given."""

    codes: Keys
    words: list[str]
    counts: Ints
    every: int = 1

    @classmethod
    def of(cls, coders: Sequence[Facts], every: int = 1) -> Labels:
        """Those in every so-manieth row of some columns, unless they are too many to be labels."""
        if any(c.n_values > MOST_WORDS for c in coders):
            return cls(np.zeros((0, 0), np.int64), [], np.zeros((0, 0), np.int64))
        known = np.unique(np.concatenate([c.values for c in coders]))
        place = np.full(int(known.max(initial=0)) + 2, -1)
        place[known] = np.arange(len(known))
        codes = place[np.stack([c.keys[::every] for c in coders])]
        words = [coders[0].words[k] for k in known.tolist()]
        return cls(codes, words, counted(codes, len(words)), every)

    def tell(self, column: Facts) -> tuple[str, float]:
        """What another column says that follows from the labels, and bits for that.

        The accident against which it is held is another coder: the others follow from that one and
        the rest as often, and it gives none as often as they do.
        """
        if not 0 < len(self.words) <= MOST_WORDS or column.n_values > MOST_WORDS:
            return "", 0.0
        words = [column.words[k] for k in column.values.tolist()]
        place = np.full(int(column.keys.max(initial=0)) + 2, -1)
        place[column.values] = np.arange(len(words))
        cells = place[column.keys[:: self.every]]
        says, bits = follows(cells, words, self.counts, self.words)
        if not bits or not {*words} <= {*self.words}:
            return says, bits
        own = np.array([*map(self.words.index, words), -1])[cells]
        whole = self.counts + counted(own[None], len(self.words))
        found = [_hits(says, each, whole, self.words) for each in self.codes[:MOST_LEFT_OUT]]
        usual = max((hits + 1) / (told + 2) for hits, told in found)
        n = self.counts.sum(1)
        alone = (n == 1) & (self.counts.argmax(1) == own)
        times = _hits(says, own, whole, self.words)[1]
        times += int(alone.sum()) * bool(alone[n == 1].all())
        full = bool(((own >= 0) == (n > 0)).all())
        given = float((self.codes >= 0).mean())
        never_blank = min(FULL, -len(own) * log2(given)) if full else 0.0
        return says, min(bits, never_blank - times * log2(usual))


def _hits(says: str, own: Keys, counts: Ints, words: list[str]) -> tuple[int, int]:
    """How often a coder says what follows from the labels of the others, of how many times."""
    rest = counts - counted(own[None], len(words))
    rows = (own >= 0) & (rest.sum(1) > 1)
    own, rest = own[rows], rest[rows]
    found = [s for s in statistics(rest, words) if s.says == says] if len(own) else []
    each = [m for s in found for m in s.matches(own, words, words)]
    return max(((int(m.said[m.told].sum()), int(m.told.sum())) for m in each), default=(0, 0))


def counted(codes: Keys, n_labels: int) -> Ints:
    """(I, K) how often each label is given to each item, from (C, I) codes; -1 is none."""
    n_items = codes.shape[1]
    at = np.arange(n_items) * n_labels + codes
    found = np.bincount(at[codes >= 0], minlength=n_items * n_labels)
    return found.reshape(n_items, n_labels).astype(np.int64)


def follows(
    cells: Keys, words: Sequence[str], counts: Ints, labels: Sequence[str]
) -> tuple[str, float]:
    """What a column says that follows from all labels of each item, and bits for that; or ''.

    It must hold for all items that have two labels or more. The accident against which it is held
    is a column of the same cells in another order: there are so many orders.

    Parameters
    ----------
    cells : ndarray
        (I,) codes into ``words``, which are folded; -1 is a blank.
    counts : ndarray
        (I, K) how often each of the folded ``labels`` was given.
    """
    rows = counts.sum(1) > 1
    cells, counts = cells[rows], counts[rows]
    if len(cells) < 3 or (len(cells) > 2 * A_FEW and not _some(cells, words, counts, labels)):
        return "", 0.0
    here, at = np.unique(cells, return_inverse=True)  # without cells of other items
    words = [words[k] for k in here[here >= 0].tolist()]
    cells = at - int(here[0] < 0)
    if len(words) == 1 and (counts.sum(1) == _number(words[0])).all() and (cells >= 0).all():
        return "the number of labels", SURE
    for statistic in statistics(counts, labels):
        for match in statistic.matches(cells, words, labels):
            bits = orders(cells[match.told]) - match.ways
            if match.said.all() and bits > 0:
                return statistic.says, bits
    return "", 0.0


def _some(cells: Keys, words: Sequence[str], counts: Ints, labels: Sequence[str]) -> bool:
    """Whether anything follows for the first items, as it must if it does for all."""
    first = slice(A_FEW)
    return any(
        bool(m.said.all())
        for s in statistics(counts[first], labels)
        for m in s.matches(cells[first], words, labels)
    )


def orders(cells: Keys) -> float:
    """Bits for the number of orders in which some cells may stand.

    Examples
    --------
    >>> round(2 ** orders(np.array([0, 0, 1, 1])))
    6
    """
    times = np.unique(cells, return_counts=True)[1]
    return (lgamma(len(cells) + 1) - sum(lgamma(n + 1) for n in times.tolist())) / log(2)
