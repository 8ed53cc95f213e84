"""How good the best of many partitions is where there is no pattern at all to find.

The best of many is picked for being extreme. So beside its excess stands what the best of as many
reaches by chance: the same disputes, but about values drawn anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numbers import decimal
from .comparable import Comparables
from .null import null_states
from .places import Cells
from .space import SECONDS, Space, rounds
from .states import States

__all__ = ["N_DRAWS", "ByChance", "best_by_chance"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

N_DRAWS = 100
FEWEST = 20  # draws of which one is the highest of twenty
PER_LINE = 1e-7  # seconds for two values drawn anew and counted, measured
PER_VALUE = 7e-8  # and for one value that an item in dispute may have


@dataclass(frozen=True)
class ByChance:
    """The best of a search over disputes without a pattern.

    Parameters
    ----------
    criterion : str
        ``'excess'`` or ``'beyond_slips'``.
    usual, rarely : float
        Its median, and what it exceeds in one of twenty draws.
    n_draws, n_compared : int
        How often it was searched, among how many bipartitions.
    """

    criterion: str
    usual: float
    rarely: float
    n_draws: int
    n_compared: int

    def __str__(self) -> str:
        without = {
            "excess": "if coders were as often at odds, but about values drawn by chance",
            "beyond_slips": "if coders slipped in each label independently of the others",
        }[self.criterion]
        name = self.criterion.replace("_", " ")
        return (
            f"{without}, the best of {self.n_compared:,} would still reach {name} "
            f"{decimal(self.usual)}, and more than {decimal(self.rarely)} in one case of twenty "
            f"({self.n_draws} draws)"
        )


def best_by_chance(
    cells: Cells,
    space: Space,
    coefficient: str,
    criterion: str,
    *,
    n_draws: int = N_DRAWS,
    rng: Any = 0,
) -> ByChance | None:
    """What the best of a search reaches where there is no pattern to find.

    Categories: of every item in dispute it stays who agrees with whom, and the values are drawn
    anew, by how often they are given, no two of them the same. Sets of labels: items are drawn from
    the tables of independent slips (`accordant.decomposition.null`).

    Parameters
    ----------
    cells : Cells
    space : Space
        What is searched.
    coefficient : str
    criterion : str
        ``'excess'`` of categories, ``'beyond_slips'`` of sets of labels; else there is none.
    n_draws : int
        Fewer where each takes long.
    rng : int or Generator

    Returns
    -------
    ByChance or None
        None where there is no such comparison or it would take too long. Slips of more than two
        coders of an item depend on each other in ways that their tables do not tell.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.bipartitions import Bipartitions
    >>> from accordant.decomposition.places import cells_of
    >>> from accordant.decomposition.states import states
    >>> counted = count(read([list("abcd") * 9, list("abcd") * 8 + list("bcda")]))
    >>> cells = cells_of(counted, states(counted))
    >>> found = best_by_chance(cells, Space(4, Bipartitions.every(4)), "kappa", "excess")
    >>> found.n_compared, 0 < found.usual <= found.rarely <= 1
    (7, True)
    """
    states = cells.states
    fitting = "beyond_slips" if states.labels else "excess"
    if len(space) < 2 or cells.counts is None or criterion != fitting:
        return None
    generator = np.random.default_rng(rng)
    redraw = _Slips.of(cells) if states.labels else _Disputes(cells)
    if redraw is None:
        return None
    n = rounds(n_draws, space.seconds(states, criterion) + redraw.seconds, FEWEST)
    found = []
    for _ in range(n):
        drawn = space.best(redraw.states(generator), coefficient, criterion, 1)
        found += drawn.values[:1].tolist()
    if len(found) < FEWEST:
        return None
    usual, rarely = np.quantile(found, [0.5, 0.95])
    return ByChance(criterion, float(usual), float(rarely), len(found), len(space))


class _Slips:
    """Sets of labels: every item of a pair of coders drawn from independent slips."""

    def __init__(self, cells: Cells) -> None:
        self.of_cells, self.seconds = cells.states, PER_LINE * cells.states.tables.size
        null = null_states(cells.states).tables
        total = np.maximum(null.sum((1, 2), keepdims=True), 1e-300)
        self.share = (null / total).reshape(len(null), -1)

    @classmethod
    def of(cls, cells: Cells) -> _Slips | None:
        """None where an item has more than two annotations."""
        if cells.pattern is None or len(np.unique(cells.pattern)) < len(cells.pattern):
            return None
        return cls(cells)

    def states(self, rng: np.random.Generator) -> States:
        """One draw."""
        s = self.of_cells
        drawn = [rng.multinomial(round(float(n)), p) for n, p in zip(s.n, self.share, strict=True)]
        return replace(s, tables=np.array(drawn, float).reshape(s.tables.shape))


class _Disputes:
    """Categories: the values of the items in dispute drawn anew, who agrees with whom kept.

    A slot is one of the different values of an item, a line two coders of it.
    """

    def __init__(self, cells: Cells) -> None:
        s = self.of_cells = cells.states
        pattern, cell, weight = cells.pattern, cells.cell, cells.weight
        if cells.counts is None or pattern is None or cell is None or weight is None:
            raise ValueError("no items stand behind these tables")
        disputed = cells.anywhere(cells.differ)
        n_items, n_lines = (disputed * cells.counts.times).sum(), cells.counts.times[pattern]
        self.seconds = PER_LINE * float((disputed[pattern] * n_lines).sum())
        self.seconds += PER_VALUE * float(n_items) * s.n_states
        if self.seconds * FEWEST > SECONDS:
            return
        self.kept = cells.tables(np.where(disputed, 0, cells.counts.times))
        line = np.flatnonzero(disputed[pattern])
        key = pattern[line] * s.n_states
        ends = np.concatenate([key + cells.first[cell[line]], key + cells.second[cell[line]]])
        slots, end = np.unique(ends, return_inverse=True)
        of_pattern = slots // s.n_states
        starts = np.searchsorted(of_pattern, np.arange(cells.counts.n_patterns + 1))
        times = np.where(disputed, cells.counts.times, 0).astype(np.int64)
        # Items, one after the other, each with the slots of its pattern.
        self.width = np.repeat(np.diff(starts), times)
        self.start = np.concatenate([[0], np.cumsum(self.width)])
        item = np.concatenate([[0], np.cumsum(times)])  # the first item of each pattern
        repeated = times[pattern[line]]
        each = np.repeat(np.arange(len(line)), repeated)
        copy = np.arange(len(each)) - np.repeat(np.cumsum(repeated) - repeated, repeated)
        of_item = item[pattern[line]][each] + copy
        offset = self.start[of_item] - starts[pattern[line]][each]
        self.one = end[: len(line)][each] + offset
        self.other = end[len(line) :][each] + offset
        self.pair, self.weight = cells.pair[cell[line]][each], weight[line][each]
        shown = np.repeat(starts[:-1], times) - self.start[:-1]  # by each item
        self.given = slots[np.arange(self.start[-1]) + np.repeat(shown, self.width)] % s.n_states
        self.share = Comparables(s, own=False).share

    def states(self, rng: np.random.Generator) -> States:
        """One draw."""
        s = self.of_cells
        value = self.values(rng)
        c = s.n_states
        cell = (self.pair * c + value[self.one]) * c + value[self.other]
        drawn = np.bincount(cell, self.weight, s.tables.size).reshape(s.tables.shape)
        return replace(s, tables=self.kept + drawn)

    def values(self, rng: np.random.Generator) -> Ints:
        """The values of all slots, those of an item different from each other."""
        value: Ints = np.empty(len(self.given), np.int64)
        c = len(self.share)
        for width in np.unique(self.width).tolist():
            start = self.start[:-1][self.width == width]
            if width <= 2:  # p_a p_b, as chance takes it
                two = np.outer(self.share, self.share) * (1 - np.eye(c))
                cell = rng.choice(c * c, len(start), p=(two / two.sum()).ravel())
                drawn = np.stack(np.divmod(cell, c), axis=1)[:, :width]
            else:  # one after the other, of those that are left
                with np.errstate(divide="ignore"):
                    when = rng.standard_exponential((len(start), c)) / self.share
                drawn = np.argsort(when, axis=1)[:, :width]
            value[start[:, None] + np.arange(width)] = drawn
        return value
