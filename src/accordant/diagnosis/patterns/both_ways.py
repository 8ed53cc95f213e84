"""Whether two categories are taken for each other both ways, or one for the other."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...measure.confusion import Confusion
from ...numbers import count_of
from ...scheme import Value
from ..view import View
from ..words import quoted
from .one_way import one_ways

__all__ = ["EVEN", "BothWays", "both_ways"]

EVEN = 0.5  # as often the other way: then it goes both ways, and `one_way` does not tell it


@dataclass(frozen=True)
class BothWays:
    """How often a pair of categories is confused one way and the other; NaN if it is not known.

    Of two coders these are the two cells, and ``told`` says so. Of many every coder stands on
    both sides of it: the more and the less frequent direction of each coder, added up for those
    who differ so on enough items.
    """

    there: float
    back: float
    told: str = ""

    @property
    def both(self) -> bool:
        """Whether it goes both ways: one at least half as often as the other."""
        return self.there > 0 and self.back >= EVEN * self.there

    @property
    def mostly_one(self) -> bool:
        """Whether two coders confuse the two mostly one way."""
        return bool(self.told) and not self.both


def both_ways(view: View, a: Value, b: Value) -> BothWays:
    """Whether a is taken for b as well as b for a.

    Examples
    --------
    >>> from accordant import diagnose, read
    >>> data = read([["a"] * 9, ["a"] * 2 + ["b"] * 7], coders_in="rows")
    >>> both_ways(diagnose(data).pooled, "a", "b").told
    '“coder 1” gave “a” where “coder 2” gave “b” 7 times, and 0 vice versa'
    """
    if len(view.confusions) == 1:
        return _of_two(view.confusions[0], a, b)
    if view.counts.coder is None:
        return BothWays(math.nan, math.nan)
    sides = [x for x in one_ways(view) if {x.first, x.second} == {a, b}]
    return BothWays(sum(x.n for x in sides), sum(x.back for x in sides))


def _of_two(table: Confusion, a: Value, b: Value) -> BothWays:
    i, j = table.values.index(a), table.values.index(b)
    n, m = float(table.table[i, j]), float(table.table[j, i])
    if n < m:
        a, b, n, m = b, a, m, n
    first, second = quoted(table.first), quoted(table.second)
    told = (
        f"{first} gave {quoted(a)} where {second} gave {quoted(b)} {count_of(n, 'time')}, and "
        f"{m:,.0f} vice versa"
    )
    return BothWays(n, m, told)
