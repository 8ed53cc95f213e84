"""One category against all others, at a cost that follows how often it was given.

Items without the category differ only in who annotated them. They are grouped by that once; for
each category only the patterns that hold it are looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..counts.grouping import Groups, group_keys, group_rows
from ..scheme import Label

__all__ = ["AgainstRest", "labels_of"]

Ints = NDArray[np.integer[Any]]


def labels_of(value: Any) -> tuple[Label, ...]:
    """The labels of a value: itself, or those of a set."""
    return value if isinstance(value, tuple) else (value,)


@dataclass(frozen=True, eq=False)
class AgainstRest:
    """Annotations to be read as 'with the category' (1) or 'without' (0)."""

    counts: Counts

    @cached_property
    def _presence(self) -> Groups:
        """Patterns grouped by who annotated (or by how many, if that is all that is known)."""
        counts = self.counts
        if counts.coder is None:
            return group_keys(counts.size, int(counts.size.max(initial=0)) + 1)
        return group_rows(counts.start, counts.coder)

    def of(self, category: Label) -> Counts:
        """The counts of one category; they no longer know which item shows which pattern."""
        counts, groups = self.counts, self._presence
        holds = np.array([category in labels_of(v) for v in counts.values])
        mine = np.unique(counts.row[holds[counts.value]])
        without = np.bincount(groups.of, weights=counts.times, minlength=len(groups.first))
        without -= np.bincount(
            groups.of[mine], weights=counts.times[mine], minlength=len(groups.first)
        )
        rest = groups.first[without > 0]
        size = np.diff(counts.start)
        start = np.concatenate([[0], np.cumsum(size[np.concatenate([mine, rest])])])
        own, other = self._entries(mine), self._entries(rest)
        entry = np.concatenate([own, other])
        given = np.concatenate([holds[counts.value[own]], np.zeros(len(other), bool)])
        two = Counts(
            start,
            None if counts.coder is None else counts.coder[entry],
            given.astype(np.int64),
            counts.n[entry],
            np.concatenate([counts.times[mine], without[without > 0]]),
            counts.coders,
            (f"not {category}", category),
            np.zeros(0, np.int64),
            counts.declared,
        )
        # without coders a value stands once in a pattern: add up the labels read as the rest
        return two if two.coder is not None else two.merged(np.arange(2), two.values)

    def _entries(self, rows: Ints) -> Ints:
        """Positions of the entries of patterns, in their order."""
        start, size = self.counts.start[:-1][rows], np.diff(self.counts.start)[rows]
        first = np.cumsum(size) - size
        return np.asarray(np.arange(size.sum()) + np.repeat(start - first, size))
