"""One partition of a scheme: agreement on both levels, what it explains, the items behind it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays import Ints
from ..numbers import count_of
from ..results import Result
from .basis import Basis, Rounding, label_column
from .chains import Steps, steps
from .figures import Figure, shares
from .levels import Level, first_level, level_together, pair_text, second_level
from .partition import Partition
from .scores import Scores, score
from .slips import Beyond
from .tables import DisputedItem, disputed

__all__ = ["Decomposition"]


@dataclass(frozen=True, eq=False)
class Decomposition(Result):
    """A partition of the values, with agreement on both levels (Levi & Shenhav 2022, section 3).

    Level 1 asks in which block of the partition a value is. Level 2 asks for the value itself,
    among the items on which two coders agree on level 1: of sets every label for itself, of
    categories all of them at once. Figures are worked out when they are asked for.

    Parameters
    ----------
    basis : Basis
    partition : Partition
        What level 1 asks.
    rank : int or None
        Its place among those that were looked at.
    n_compared : int
        Among how many it was found.
    deeper : tuple of Partition
        Further levels, each of which divides the blocks of the one before; see `steps`.

    Examples
    --------
    >>> import accordant as ac
    >>> from accordant.data import examples
    >>> plot = ac.decompose(examples.load("levi2022_neat"), by="any label")[0]
    >>> print(plot.first.mean)
    0.696 [0.664, 0.728]
    >>> print(plot.explained, round(plot.flip, 2))
    0.515 [0.475, 0.556] 0.5
    """

    basis: Basis
    partition: Partition
    rank: int | None = None
    n_compared: int = 1
    deeper: tuple[Partition, ...] = ()

    @property
    def rule(self) -> str:
        """What level 1 asks, in words."""
        return self.partition.rule

    @cached_property
    def block(self) -> Ints:
        """(C,) the block of each value."""
        return self.partition.of(self.basis.values)

    # ------------------------------------------------------------------ agreement

    @cached_property
    def first(self) -> Level:
        """Agreement on level 1."""
        b = self.basis
        if b.together is not None:
            return level_together(b.together, b.counts, b.cells.states, self.block, 1, b.confidence)
        return first_level(b.cells, b.form, self.block, b.confidence)

    @cached_property
    def second(self) -> Level:
        """Agreement on level 2, given agreement on level 1."""
        b = self.basis
        if b.together is not None:
            return level_together(b.together, b.counts, b.cells.states, self.block, 2, b.confidence)
        return second_level(b.cells, b.form, self.block, b.confidence)

    # ------------------------------------------------------------------ what it explains

    @cached_property
    def _shares(self) -> dict[str, Figure]:
        b = self.basis
        return shares(b.cells, b.form, self.block, b.confidence)

    @property
    def explained(self) -> Figure:
        """Share of the items on which two coders differ that level 1 separates.

        The mean over the pairs of coders; where all of them are counted in one table, the share of
        the pairs of annotations that differ.
        """
        return self._shares["explained"]

    @property
    def chance(self) -> Figure:
        """The share that draws by chance would put there."""
        return self._shares["chance"]

    @property
    def excess(self) -> Figure:
        """Explained less chance: comparable over partitions of any size."""
        return self._shares["excess"]

    @property
    def lift(self) -> Figure:
        """Explained over chance."""
        return self._shares["lift"]

    @cached_property
    def beyond(self) -> Beyond:
        """How far it lies beyond what slips alone would show."""
        slips = self.basis.slips
        if slips is None:
            return Beyond(math.nan, math.nan, 0, math.nan, self.n_compared)
        return slips.beyond(self.block[None], self.n_compared)[0]

    @property
    def explained_by_slips(self) -> float:
        """The share that level 1 would separate if coders only slipped and guessed."""
        return self.beyond.expected

    @property
    def beyond_slips(self) -> Figure:
        """Explained less explained by slips, which counts as known: what is not mere shape."""
        e, by = self.explained, self.explained_by_slips
        return Figure(e.value - by, e.se, e.low - by, e.high - by, e.n, e.undefined)

    @cached_property
    def _scores(self) -> Scores:
        return score(self.basis.cells.states, self.block[None], self.basis.form.key)

    @cached_property
    def _by_slips(self) -> Scores | None:
        """The same partition, had coders only slipped and guessed as often as they differ."""
        b = self.basis
        if b.slips is None:
            return None
        return score(b.slips.states(b.cells.states), self.block[None], b.form.key)

    @property
    def flip(self) -> float:
        """The flip baseline: share of all slips in one label that level 1 separates anyway.

        On an ordered scale the share of all slips by one step; NaN for other categories.
        """
        return float(self._scores.flip[0])

    @property
    def null_first(self) -> float:
        """Level 1 if coders only slipped and guessed."""
        return math.nan if self._by_slips is None else float(self._by_slips.first[0])

    @property
    def null_second(self) -> float:
        """Level 2 if coders only slipped and guessed."""
        return math.nan if self._by_slips is None else float(self._by_slips.second[0])

    @property
    def gain(self) -> float:
        """Level 2 less that of slips alone, of the mean over the pairs of coders."""
        return float(self._scores.second[0]) - self.null_second

    @property
    def smaller(self) -> float:
        """Share of the annotations in the smallest block."""
        return float(self._scores.smaller[0])

    @cached_property
    def steps(self) -> Steps:
        """What each level adds: level 1, the deeper ones, and the value itself."""
        b = self.basis
        nothing = np.full_like(b.cells.states.tables.sum(0), math.nan)
        spread = nothing if b.slips is None else b.slips.spread
        return steps(b.cells, b.form, (self.partition, *self.deeper), spread, b.confidence)

    # ------------------------------------------------------------------ items

    def items(self, level: int = 1, most: int | None = None) -> tuple[DisputedItem, ...]:
        """The items on which coders differ on level 1, or on level 2 only, with their texts.

        Examples
        --------
        >>> import accordant as ac
        >>> found = ac.decompose([["a", "b", "a", "c"], ["a", "c", "c", "c"]], by="a")
        >>> [item.item for item in found[0].items(1)], [item.item for item in found[0].items(2)]
        ([3], [2])
        """
        b = self.basis
        return disputed(b.data, b.counts, b.cells, self.block, self.partition.names, level, most)

    @cached_property
    def _n_disputed(self) -> tuple[int, int]:
        c = self.basis.cells
        apart = c.anywhere(self.block[c.first] != self.block[c.second])
        within = c.anywhere(c.differ) & ~apart
        times = c.counts.times
        return round(float(times @ apart)), round(float(times @ within))

    @property
    def n_first(self) -> int:
        """Items on which two coders differ on level 1."""
        return self._n_disputed[0]

    @property
    def n_second(self) -> int:
        """Items on which coders agree on level 1, and two of them differ on level 2."""
        return self._n_disputed[1]

    @property
    def undefined(self) -> str | None:
        """Which coefficients have no value and are left out of the means, and why."""
        told: dict[str, list[str]] = {}
        for level in (self.first, self.second):
            for label, pair, why in level.undefined:
                where = f"{level.name}, {label}" if label is not None else level.name
                told.setdefault(f"{where}: {why}", []).append(pair_text(pair))
        parts = [f"{sentence} ({', '.join(pairs)})" for sentence, pairs in told.items()]
        return "; ".join(parts) or None

    # ------------------------------------------------------------------ rows

    def to_rows(self) -> list[dict[str, Any]]:
        """One row; a column for each label holds agreement on it on level 2.

        With a rounding only the columns that are printed: the sides, both levels and the labels.
        """
        blocks = self.partition.blocks
        row: dict[str, Any] = {
            "question": self.basis.question,
            "rank": self.rank,
            "rule": self.rule,
            "n_blocks": len(blocks),
            "side_0": self.basis.text(blocks[0]),
            "side_1": " | ".join(map(self.basis.text, blocks[1:])),
        }
        if self.basis.rounding is not None:
            return [row | self._printed(self.basis.rounding, None)]
        first, second = self.first.mean, self.second.mean
        row |= _ends("first", first)
        row |= {label_column(x): self.second.figure(x).value for x in self.second.labels}
        row |= _ends("second", second) | _ends("explained", self.explained)
        row |= {"chance": self.chance.value, "lift": self.lift.value}
        row |= _ends("excess", self.excess) | {"explained_by_slips": self.explained_by_slips}
        row |= _ends("beyond_slips", self.beyond_slips)
        row |= {
            "beyond": self.beyond.score,
            "flip_baseline": self.flip,
            "null_first": self.null_first,
            "null_second": self.null_second,
            "gain": self.gain,
            "smaller_side": self.smaller,
            "n_items": self.basis.n_items,
            "n_kept": second.n,
            "n_level_1": self.n_first,
            "n_level_2": self.n_second,
            "undefined": self.undefined,
        }
        return [row]

    def by_pair(self) -> list[dict[str, Any]]:
        """One row for each pair of coders, then their mean: both levels, as in Table 3."""
        pairs: list[tuple[str, str] | None] = [*self.first.pairs, None]
        return [self._of_pair(pair) for pair in pairs]

    def _printed(self, how: Rounding, pair: int | None) -> dict[str, Any]:
        """Both levels and the labels, as Levi & Shenhav print them."""
        _, first = how.row(self.first, pair)
        each, second = how.row(self.second, pair)
        labels = dict(zip(map(label_column, self.second.labels), each, strict=False))
        return {"first": first} | labels | {"second": second}

    def _of_pair(self, pair: tuple[str, str] | None) -> dict[str, Any]:
        if self.basis.rounding is not None:
            number = None if pair is None else self.first.pairs.index(pair)
            printed = self._printed(self.basis.rounding, number)
            return {"pair": None if pair is None else pair_text(pair)} | printed
        first, second = self.first.figure(pair=pair), self.second.figure(pair=pair)
        row: dict[str, Any] = {
            "pair": None if pair is None else pair_text(pair),
        } | _ends("first", first)
        for label in self.second.labels:
            row[label_column(label)] = self.second.figure(label, pair).value
        return row | _ends("second", second) | {"n_items": first.n, "n_kept": second.n}

    def __str__(self) -> str:
        second = self.second.mean
        of = "" if math.isnan(second.value) else f", level 2 {second}"
        return (
            f"{self.rule}: level 1 {self.first.mean}{of}; explains "
            f"{self.explained.value:.3f} of the disagreement, chance {self.chance.value:.3f} "
            f"({count_of(self.basis.n_items, 'item')})"
        )

    __repr__ = __str__

    def __iter__(self) -> Iterator[Level]:
        return iter((self.first, self.second))


def _ends(name: str, figure: Figure) -> dict[str, float]:
    """The value of a figure and the ends of its interval."""
    return {name: figure.value, f"{name}_low": figure.low, f"{name}_high": figure.high}
