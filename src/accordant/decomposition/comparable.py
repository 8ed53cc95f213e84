"""What makes bipartitions comparable: how much disagreement a cut holds, and how much it would.

Large sides hold more disagreement than small ones, and a cut between neighbours more than one
between strangers, whatever the coders did. So beside the share that a cut explains stand the share
that chance would put there, the share that independent slips in the labels would, and the share of
all single slips that it separates.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .bipartitions import Bipartitions
from .forms import Forms, apart
from .null import null_states, why_no_null
from .states import States

__all__ = ["Comparables", "information"]

Floats = NDArray[np.float64]

CELLS = 2_000_000  # bipartitions x states at a time
SAME = 1e-12  # a smaller share of the items on which two coders differ is rounding


class Comparables:
    """Shares that are quadratic in a cut: explained, chance, flip and the share of side 0.

    Pairs of coders who never differ have no disagreement to explain and are left out of the
    first two.

    Parameters
    ----------
    states : States
    own : bool
        Whether chance draws from the coders' own margins or from those that they share.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> found = Comparables(states(count(read([["a", "a", "c"], ["a", "b", "b"]]))), own=True)
    >>> found.at(np.array([[True, False, False]]))[0].tolist()  # one of two differ in a or not
    [0.5]
    """

    def __init__(self, states: States, *, own: bool) -> None:
        self.states, self.own = states, own
        shape = (states.n_states, states.n_states)
        disagree, n_pairs = _disagreement(states)
        chance = np.zeros(shape)
        for m, n in zip(states.tables, states.n, strict=True):
            if n - np.trace(m) > SAME * max(n, 1):
                chance += _by_chance(m, own)
        neighbours = self._neighbours()
        self.explains, self.flips = n_pairs > 0, bool(neighbours.any())
        every = np.stack([
            disagree,
            chance / max(n_pairs, 1),
            neighbours / (neighbours.sum() or 1),
        ])  # fmt: skip
        share = Forms(np.zeros(1), self.share[None], np.zeros((1, *shape)))
        self.forms = Forms.stacked([apart(every), share])

    def at(self, sides: NDArray[np.bool_]) -> Floats:
        """(4, N) the shares at bipartitions (N, C)."""
        return self.forms.at(sides)

    @cached_property
    def slips(self) -> Forms:
        """(1,) what `explained` would be if labels were mistaken independently of each other.

        Only where `has_slips`.
        """
        return apart(_disagreement(null_states(self.states))[0][None])

    def walked(self, which: Bipartitions, name: str) -> Floats:
        """(N,) the values of one form, ``slips`` or ``beyond_slips``."""
        found, form = np.empty(len(which)), getattr(self, name)
        for where, of in which.walk([form]):
            found[where] = of(0)[0]
        return found

    @property
    def beyond_slips(self) -> Forms:
        """(1,) explained less that share: one quadratic form again, so it is searched as fast."""
        explained, slips = self.forms, self.slips
        return Forms(
            np.zeros(1),
            explained.linear[:1] - slips.linear,
            explained.quadratic[:1] - slips.quadratic,
        )

    @property
    def has_slips(self) -> bool:
        """Whether there are labels to slip in, and disagreement to compare with."""
        return self.explains and why_no_null(self.states) is None

    @property
    def share(self) -> Floats:
        """(C,) share of each state in the annotations, every pair of coders counting the same."""
        s = self.states
        used = s.n > 0
        if not used.any():
            return np.zeros(s.n_states)
        both = (s.tables.sum(1) + s.tables.sum(2))[used] / (2 * s.n[used, None])
        return np.asarray(both.mean(0))

    def _neighbours(self) -> Floats:
        """(C, C) weight of a slip from a set into one that differs in one label, else 0.

        Every annotation slips once in each label, so sets weigh as they occur. Slips into
        a set that nobody gave are left out: no side holds it. On an ordered scale a slip is one
        step up or down, to the next value that occurs.
        """
        if self.states.ordered:
            place = np.arange(self.states.n_states)
            return np.asarray((np.abs(place[:, None] - place) == 1) * self.share[:, None])
        b = self.states.members.astype(float)
        size = b.sum(1)
        one = size[:, None] + size - 2 * (b @ b.T) == 1
        return np.asarray(one * self.share[:, None])


def _disagreement(states: States) -> tuple[Floats, int]:
    """(C, C) how the disagreement of two coders spreads over the cells, the mean over the pairs.

    Every pair of coders who differ anywhere counts the same. And how many these are.
    """
    found, n_pairs = np.zeros((states.n_states, states.n_states)), 0
    for m, n in zip(states.tables, states.n, strict=True):
        differ = n - np.trace(m)
        if differ > SAME * max(n, 1):
            n_pairs += 1
            found += m / differ
    return found / max(n_pairs, 1), n_pairs


def _by_chance(table: Floats, own: bool) -> Floats:
    """(C, C) distribution of two different values drawn from the margins, off the diagonal."""
    n = table.sum()
    p, q = table.sum(1) / n, table.sum(0) / n
    if not own:
        p = q = (p + q) / 2
    return np.asarray(p[:, None] * q / (1 - p @ q))


def information(states: States, which: Bipartitions) -> Floats:
    """(N,) share of what the coders leave each other unknown that lies between the sides.

    (H(f(A) | B) + H(f(B) | A)) / (H(A | B) + H(B | A)), where A and B are the values that two
    coders gave and f the side of a value; the mean over the pairs of coders that leave anything
    unknown. Between 0 and 1.
    """
    total, n_known = np.zeros(len(which)), 0
    for m in states.tables:
        left = 2 * _xlogx(m).sum() - _xlogx(m.sum(0)).sum() - _xlogx(m.sum(1)).sum()
        if not -left > 1e-12 * max(m.sum(), 1):
            continue
        n_known += 1
        step = max(1, CELLS // states.n_states)
        for low in range(0, len(which), step):
            where = slice(low, low + step)
            x = which.take(where).sides.astype(float)
            total[where] += (_unknown_side(m, x) + _unknown_side(m.T, x)) / -left
    return total / n_known if n_known else np.full(len(which), np.nan)


def _unknown_side(m: Floats, x: Floats) -> Floats:
    """(N,) n times the entropy of the side of the first value, the second being known."""
    one = x @ m
    every = m.sum(0)
    return np.asarray(_xlogx(every).sum() - (_xlogx(one) + _xlogx(every - one)).sum(1))


def _xlogx(x: Floats) -> Floats:
    return np.asarray(x * np.log(np.where(x > 0, x, 1)))
