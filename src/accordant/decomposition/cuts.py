"""Bipartitions of an annotation scheme, scored: agreement on both levels and what to make of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bipartitions import Bipartitions, Countable
from .closed_forms import closed_form
from .comparable import Comparables, information
from .figures import Figures
from .levels import Agreement, Levels, over_labels
from .null import null_states, why_no_null
from .states import States

__all__ = ["Scores", "score", "score_all"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Scores(Figures):
    """N bipartitions of C states with L labels, scored on G pairs of coders.

    Means over the pairs leave out those without a value, NaN if there is none. What takes long
    is worked out when it is asked for.

    Parameters
    ----------
    states : States
    coefficient : str
        Key of the coefficient.
    which : Bipartitions
    first : ndarray
        (N,) agreement on the side of a value.
    second : ndarray
        (N,) agreement given the same side: the mean over the labels of sets that have a value, or
        the coefficient over all categories; of each pair of coders, then the mean over the pairs.
    by_label : ndarray
        (N, L) agreement on each label, given the same side.
    explained : ndarray
        (N,) share of the items on which two coders differ that they put on different sides, the
        mean over the pairs of coders; of a pooled table the share of the pairs of annotations that
        differ. Between 0 and 1.
    chance : ndarray
        (N,) the same share for draws by chance, from the margins of the coders: their own for κ,
        those that they share for all others.
    flip : ndarray
        (N,) share of all slips in one label that the cut separates, sets weighing as they occur:
        1 for parity, 1 / L for a label. On an ordered scale the share of all slips by one step; NaN
        for other categories.
    smaller : ndarray
        (N,) share of the annotations on the side that has fewer.
    n_undefined : ndarray of int
        (N,) coefficients without a value, over both levels and all pairs.
    """

    states: States
    coefficient: str
    which: Bipartitions
    first: Floats
    second: Floats
    by_label: Floats
    explained: Floats
    chance: Floats
    flip: Floats
    smaller: Floats
    n_undefined: Ints

    def __len__(self) -> int:
        return len(self.which)

    @property
    def codes(self) -> Ints:
        """(N,) bit j is set where state j is on the side without the last state."""
        return self.which.codes

    @property
    def sides(self) -> Bools:
        """(N, C) whether a state is on side 0."""
        return self.which.sides

    @cached_property
    def information(self) -> Floats:
        """(N,) share of the uncertainty that coders leave each other that is about the side."""
        return information(self.states, self.which)

    @cached_property
    def explained_by_slips(self) -> Floats:
        """(N,) what `explained` would be, had labels been mistaken independently of each other.

        NaN for categories.
        """
        compare = Comparables(self.states, own=closed_form(self.coefficient).own)
        return compare.walked(self.which, "slips") if compare.has_slips else self.nothing

    @cached_property
    def null(self) -> Scores | None:
        """The same bipartitions, had the labels been mistaken independently of each other.

        None where values are categories: `accordant.decomposition.null.why_no_null` says why.
        """
        if why_no_null(self.states):
            return None
        return score_all(null_states(self.states), self.which, self.coefficient)

    def _agreements(self) -> Iterator[tuple[slice, Iterator[Agreement], Floats]]:
        return _agreements(self.states, self.which, self.coefficient)

    def take(self, which: Any) -> Scores:
        """Some of them: indices or a mask (N,)."""
        arrays = {
            name: getattr(self, name)[which]
            for name in (
                "first", "second", "by_label", "explained", "chance", "flip", "smaller",
                "n_undefined",
            )
        }  # fmt: skip
        found = replace(self, which=self.which.take(which), **arrays)
        if self.__dict__.get("null") is not None:
            found.__dict__["null"] = self.__dict__["null"].take(which)
        if "explained_by_slips" in self.__dict__:
            found.__dict__["explained_by_slips"] = self.explained_by_slips[which]
        return found


def score(states: States, sides: Any, coefficient: str = "kappa") -> Scores:
    """Bipartitions scored on both levels (Levi & Shenhav 2022, sections 3.1 and 4.1).

    Parameters
    ----------
    states : States
    sides : array_like of bool
        (N, C) True where a state is on side 0. Which side is which changes no score.
    coefficient : str
        ``'percent'``, ``'s'``, ``'pi'``, ``'kappa'``, ``'alpha'`` or ``'ac'``.

    Returns
    -------
    Scores

    Raises
    ------
    RequestError
        If the sides do not fit the states, or there is no such coefficient.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> none, a, b, both = (), ("a",), ("b",), ("a", "b")
    >>> data = read([[none, none, a, a, both, none], [none, none, a, b, b, a]])
    >>> found = states(count(data))
    >>> found.values
    ((), ('b',), ('a',), ('a', 'b'))
    >>> any_label = score(found, [[True, False, False, False]])
    >>> any_label.first.round(3).tolist(), any_label.explained.round(3).tolist()
    ([0.667], [0.333])
    """
    return score_all(states, Bipartitions.of_sides(sides, states.n_states), coefficient)


def _agreements(
    states: States, which: Bipartitions, coefficient: str, comparables: Comparables | None = None
) -> Iterator[tuple[slice, Iterator[Agreement], Floats]]:
    """A few bipartitions at a time: the agreement of each pair of coders, and what compares."""
    form = closed_form(coefficient)
    levels = [Levels(m, states.members, form) for m in states.tables]
    numbers: list[Countable] = [*levels, *([comparables] if comparables else [])]
    for where, of in which.walk(numbers):
        each = (level.agreement(of(g)) for g, level in enumerate(levels))
        yield where, each, of(len(levels)) if comparables else np.empty((0, 0))


def score_all(states: States, which: Bipartitions, coefficient: str) -> Scores:
    """`score` for bipartitions given in any way."""
    form = closed_form(coefficient)
    n, n_labels, g = len(which), states.members.shape[1], len(states.pairs)
    comparables = Comparables(states, own=form.own)
    first, second, explained, chance, flip, smaller = np.empty((6, n))
    by_label, n_undefined = np.empty((n_labels, n)), np.empty(n, np.int64)
    for where, each, shares in _agreements(states, which, form.key, comparables):
        size = where.stop - where.start
        total = Means(size, max(n_labels, 1))
        for found in each:
            total.add(found)
        first[where], second[where], label = total.means()
        if n_labels:
            by_label[:, where] = label
        n_undefined[where] = g * (1 + max(n_labels, 1)) - total.n_first - total.n_label.sum(0)
        explained[where], chance[where], flip[where] = np.clip(shares[:3], 0, 1)
        smaller[where] = np.minimum(shares[3], 1 - shares[3])
    if not comparables.explains:
        explained[:] = chance[:] = np.nan
    if not comparables.flips:
        flip[:] = np.nan
    return Scores(
        states, form.key, which, first, second, by_label.T, explained, chance, flip, smaller,
        n_undefined,
    )  # fmt: skip


class Means:
    """Sums over the pairs of coders that have a value, and how many have."""

    def __init__(self, n: int, n_labels: int) -> None:
        self.first, self.second = np.zeros((2, n))
        self.n_first, self.n_second = np.zeros((2, n), np.int32)
        self.label, self.n_label = np.zeros((n_labels, n)), np.zeros((n_labels, n), np.int32)

    def add(self, found: Agreement) -> None:
        """One more pair of coders."""
        second, known = over_labels(found.of_label, found.label_known)
        self.first += found.first
        self.n_first += found.first_known
        self.second += second
        self.n_second += known
        self.label += found.of_label
        self.n_label += found.label_known

    def means(self) -> tuple[Floats, Floats, Floats]:
        """(N,) of both levels and (L, N) of the labels; NaN where no pair has a value."""
        return (
            _mean(self.first, self.n_first),
            _mean(self.second, self.n_second),
            _mean(self.label, self.n_label),
        )


def _mean(total: Floats, n: NDArray[np.int32]) -> Floats:
    return np.asarray(np.where(n > 0, total / np.maximum(n, 1), np.nan))
