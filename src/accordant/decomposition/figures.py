"""The figures of scored partitions that follow from what was counted, however many blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .closed_forms import CERTAIN
from .criteria import CRITERIA, criterion_of
from .levels import Agreement, over_labels
from .states import States

__all__ = ["Figures"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Figures(ABC):
    """N partitions of C states with L labels, scored on G pairs of coders.

    A result declares what it counted; what follows from it stands here, once for partitions into
    two and into more blocks.
    """

    states: States
    first: Floats
    second: Floats
    by_label: Floats
    explained: Floats
    chance: Floats

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    @abstractmethod
    def explained_by_slips(self) -> Floats:
        """(N,) what `explained` would be, had labels been mistaken independently of each other."""

    @property
    @abstractmethod
    def null(self) -> Figures | None:
        """The same partitions, had the labels been mistaken independently; None for categories."""

    @abstractmethod
    def _agreements(self) -> Iterator[tuple[slice, Iterator[Agreement], Any]]:
        """A few partitions at a time: the agreement of each pair of coders."""

    @property
    def nothing(self) -> Floats:
        """(N,) NaN."""
        return np.full(len(self), np.nan)

    # ------------------------------------------------------------------ comparable

    @property
    def excess(self) -> Floats:
        """(N,) explained − chance: 0 for a cut that knows nothing, comparable over all cuts."""
        return self.explained - self.chance

    @property
    def lift(self) -> Floats:
        """(N,) explained / chance: how much denser disagreement lies here than by chance."""
        return np.asarray(self.explained / np.where(self.chance > CERTAIN, self.chance, np.nan))

    @property
    def beyond_slips(self) -> Floats:
        """(N,) explained − explained_by_slips: 0 if slips in single labels are all there is.

        Both are means over the same pairs of coders. NaN for categories.
        """
        return self.explained - self.explained_by_slips

    @property
    def null_first(self) -> Floats:
        """(N,) the first level of `null`; NaN without one."""
        return self.nothing if self.null is None else self.null.first

    @property
    def null_second(self) -> Floats:
        """(N,) the second level of `null`; NaN without one."""
        return self.nothing if self.null is None else self.null.second

    @property
    def gain(self) -> Floats:
        """(N,) second − null_second: what the partition settles beyond its mere shape."""
        return self.second - self.null_second

    # ------------------------------------------------------------------ by pair of coders

    @property
    def first_by_pair(self) -> Floats:
        """(G, N) `first` of each pair of coders."""
        return self._by_pair[0]

    @property
    def second_by_pair(self) -> Floats:
        """(G, N) `second` of each pair of coders."""
        return self._by_pair[1]

    @property
    def by_label_by_pair(self) -> Floats:
        """(G, N, L) `by_label` of each pair of coders."""
        return self._by_pair[2]

    @property
    def n_kept(self) -> Floats:
        """(G, N) items of each pair of coders that level 2 rests on."""
        return self._by_pair[3]

    @cached_property
    def _by_pair(self) -> tuple[Floats, Floats, Floats, Floats]:
        g, n, n_labels = len(self.states.pairs), len(self), self.by_label.shape[1]
        first, second, kept = np.empty((3, g, n))
        label = np.empty((g, n, n_labels))
        for where, each, _ in self._agreements():
            for pair, found in enumerate(each):
                mean, known = over_labels(found.of_label, found.label_known)
                first[pair, where] = np.where(found.first_known, found.first, np.nan)
                second[pair, where] = np.where(known, mean, np.nan)
                kept[pair, where] = found.kept
                if n_labels:
                    of_label = np.where(found.label_known, found.of_label, np.nan)
                    label[pair, where] = of_label.T
        return first, second, label, kept

    # ------------------------------------------------------------------ ranking

    def ranked(self, criterion: str) -> Ints:
        """(N,) the partitions from the best on; ties as they stand, those without a value last.

        Values that differ by less than 1e-12 are ties.

        Raises
        ------
        RequestError
            If there is no such criterion.
        """
        sign = CRITERIA[criterion_of(criterion)]
        return np.argsort(-sign * np.round(getattr(self, criterion), 12), kind="stable")
