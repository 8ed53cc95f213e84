"""A score of label sets as numbers: by the sizes and the overlap of two sets, and as moments.

How much two sets agree, f(s1, s2, r), follows from their sizes and the number r of labels in
both. Label draw needs it as f = sum over b of g(s1, s2, b) C(r, b), because C(r, b) counts the
sets of b labels that both include.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Floats

__all__ = ["Score", "Terms", "inverse_binomials"]

Score: TypeAlias = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], Floats]
"""Weight of two sets, given the size of each and of their intersection: elementwise."""


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
