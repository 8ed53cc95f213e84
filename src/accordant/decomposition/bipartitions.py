"""Two sides of a scheme: many bipartitions, given one by one, by code, or all there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from .forms import Blocks, Forms

__all__ = [
    "Bipartitions", "Countable", "appendix_order", "blocks", "code_of", "sides_of", "smaller_side",
    "unlike",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Step: TypeAlias = tuple[slice, Callable[[int], Floats]]

MOST_STATES = 63  # bits of a code
BITS = 13  # of a block: 8,192 bipartitions, some forms of which fit the second-level cache
CELLS = 2_000_000  # bipartitions x states looked at together where they are given one by one


class Countable(Protocol):
    """Numbers that are quadratic in a bipartition, F of them."""

    @property
    def forms(self) -> Forms:
        """The numbers as forms."""

    def at(self, sides: Bools, /) -> Floats:
        """(F, N) the numbers of bipartitions (N, C)."""


def sides_of(codes: Any, n_states: int) -> Bools:
    """(N, C) the sides that codes stand for: state j is on side 0 where bit j is set.

    Examples
    --------
    >>> sides_of([1, 6], 3).tolist()
    [[True, False, False], [False, True, True]]
    """
    code = np.asarray(codes, np.int64)[:, None]
    return ((code >> np.arange(n_states)) & 1).astype(bool)


def code_of(sides: Bools) -> Ints:
    """(N,) the code of each bipartition: of its side without the last state.

    Raises
    ------
    RequestError
        If there are more than 63 states.

    Examples
    --------
    >>> code_of(np.array([[True, False, False], [True, False, True]])).tolist()
    [1, 2]
    """
    n_states = sides.shape[1]
    if n_states > MOST_STATES:
        raise RequestError(f"bipartitions of more than {MOST_STATES} states have no code")
    if not n_states:
        return np.zeros(len(sides), np.int64)
    without_last = sides ^ sides[:, -1:]
    return np.asarray(without_last @ (np.int64(1) << np.arange(n_states, dtype=np.int64)))


def smaller_side(sides: Bools) -> Bools:
    """(N, C) the same bipartitions with the smaller side first, as Levi & Shenhav print them.

    Of two sides of equal size the one with the first state is side 0 (2022, appendix A).

    Examples
    --------
    >>> smaller_side(np.array([[False, True, True], [True, False, False]])).tolist()
    [[True, False, False], [True, False, False]]
    """
    n_states = sides.shape[1]
    if not n_states:
        return sides
    size = 2 * np.count_nonzero(sides, axis=1)
    return np.asarray(sides ^ ((size > n_states) | (size == n_states) & ~sides[:, 0])[:, None])


def appendix_order(sides: Bools) -> Ints:
    """(N,) the bipartitions by the size of their smaller side, then by its states.

    The order of appendix A of Levi & Shenhav (2022).

    Examples
    --------
    >>> found = smaller_side(sides_of([1, 2, 3], 3))
    >>> found[appendix_order(found)].astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    smaller = smaller_side(sides)
    return np.lexsort((*~smaller.T[::-1], np.count_nonzero(smaller, axis=1)))


def unlike(sides: Bools, share: Floats, least: float, most: int) -> Ints:
    """The first ``most`` bipartitions that are not nearly one before: (n,) their places.

    Two are nearly the same if what stands on different sides holds a smaller share of the
    annotations than ``least``: a rare value changes no score, and fills a list with copies.

    Parameters
    ----------
    sides : ndarray of bool
        (N, C) in their order.
    share : ndarray
        (C,) share of each state in the annotations.

    Examples
    --------
    >>> sides = np.array([[True, False, False], [True, False, True], [False, True, False]])
    >>> unlike(sides, np.array([0.5, 0.495, 0.005]), 0.01, 20).tolist()
    [0]
    >>> unlike(sides, np.array([0.5, 0.3, 0.2]), 0.01, 20).tolist()  # the third is the second
    [0, 1]
    """
    kept: list[int] = []
    for k, side in enumerate(sides):
        if len(kept) == most:
            break
        apart = (sides[kept] ^ side) @ share
        if not (np.minimum(apart, share.sum() - apart) < least - 1e-12).any():
            kept.append(k)
    return np.array(kept, np.int64)


class Bipartitions:
    """N ways to part C states into two sides. Made by `every`, `of_codes` and `of_sides`."""

    def __init__(
        self, n_states: int, n: int, codes: Ints | None = None, sides: Bools | None = None
    ) -> None:
        self.n_states, self._n = n_states, n
        if codes is not None:
            self.__dict__["codes"] = codes
        if sides is not None:
            self.__dict__["sides"] = sides
        self.is_every = codes is None and sides is None

    @classmethod
    def every(cls, n_states: int) -> Bipartitions:
        """All 2^(C − 1) − 1 bipartitions, the last state always on side 1, in order of code."""
        return cls(n_states, 2 ** max(n_states - 1, 0) - 1)

    @classmethod
    def of_codes(cls, codes: Any, n_states: int) -> Bipartitions:
        """Those of some codes (N,)."""
        found = np.asarray(codes, np.int64)
        return cls(n_states, len(found), codes=found)

    @classmethod
    def of_sides(cls, sides: Any, n_states: int) -> Bipartitions:
        """Those of some sides (N, C), as they are given.

        Raises
        ------
        RequestError
            If the sides do not have one column for each state.
        """
        found = np.asarray(sides, bool)
        if found.ndim != 2 or found.shape[1] != n_states:
            raise RequestError(
                f"sides of shape {found.shape} do not fit {n_states} states: give (N, {n_states})"
            )
        return cls(n_states, len(found), sides=found)

    def __len__(self) -> int:
        return self._n

    @cached_property
    def codes(self) -> Ints:
        """(N,) the code of each."""
        return np.arange(1, self._n + 1) if self.is_every else code_of(self.sides)

    @cached_property
    def sides(self) -> Bools:
        """(N, C) whether a state is on side 0."""
        return sides_of(self.codes, self.n_states)

    def take(self, which: Any) -> Bipartitions:
        """Some of them: indices or a mask."""
        if "sides" in self.__dict__:
            return Bipartitions.of_sides(self.sides[which], self.n_states)
        return Bipartitions.of_codes(self.codes[which], self.n_states)

    def walk(self, numbers: Sequence[Countable]) -> Iterator[Step]:
        """A few bipartitions at a time, and a function that gives the i-th of ``numbers`` there.

        What it gives is (F, n), to be written on at will.
        """
        if self.is_every:
            return blocks([x.forms for x in numbers], self.n_states)
        return self._some_sides(numbers)

    def _some_sides(self, numbers: Sequence[Countable]) -> Iterator[Step]:
        step = max(1, CELLS // max(self.n_states, 1))
        for low in range(0, self._n, step):
            where = slice(low, min(low + step, self._n))
            sides = self.take(where).sides
            yield where, lambda i, sides=sides: numbers[i].at(sides)  # type: ignore[misc]


def blocks(forms: Sequence[Forms], n_states: int, most_bits: int = BITS) -> Iterator[Step]:
    """All codes in order, a block at a time; the code 0, where nothing is cut, is left out.

    The slices count the codes from 1 on.
    """
    free = max(n_states - 1, 0)
    bits = min(most_bits, free)
    found: dict[int, Blocks] = {}

    def at(i: int, code: int) -> Floats:
        if i not in found:
            found[i] = Blocks(forms[i], bits)
        return found[i].at(code)[:, 1:] if code == 0 else found[i].at(code)

    for code in range(0, 1 << free, 1 << bits):
        where = slice(max(code - 1, 0), code + (1 << bits) - 1)
        if where.stop > where.start:
            yield where, lambda i, code=code: at(i, code)  # type: ignore[misc]
