"""What a reader can count: each annotation beside the label that most others of its item gave.

Findings are found by a model, but what they say is counted here, in the table itself. *The others'
label* of an annotation is the label that more of the other coders of the item gave than any other;
where two lead there is none, and the annotation does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..inference.item_patterns import Patterns

NONE = -1
CELLS = 1 << 22  # of a table that is held at a time


class Tally(NamedTuple):
    """``n`` of ``of`` for those whom a finding is about, and for the others."""

    n: int
    of: int
    others_n: int
    others_of: int

    @property
    def more(self) -> bool:
        """Whether the share is larger than that of the others."""
        return self.n * self.others_of > self.others_n * self.of


@dataclass(frozen=True, eq=False)
class Beside:
    """Annotations beside the others' label. P patterns, E entries, C coders, K values, L labels.

    Parameters
    ----------
    rows : Patterns
    held : ndarray of bool
        (K, L) which value holds which label.
    """

    rows: Patterns
    held: Bools

    @cached_property
    def weight(self) -> Ints:
        """(E,) how many annotations an entry stands for."""
        return np.asarray(np.rint(self.rows.weight[self.rows.row]), np.int64)

    @cached_property
    def most(self) -> Ints:
        """(E,) the others' label among single labels; -1 where there is none."""
        rows, n = self.rows, self.rows.n_values
        found = np.full(len(rows.row), NONE)
        step = max(1, CELLS // max(n, 1))
        for start in range(0, len(found), step):
            part = slice(start, start + step)
            given = rows.given[rows.row[part]]
            given[np.arange(len(given)), rows.value[part]] -= 1
            top = given.max(1, initial=0)
            single = (given == top[:, None]).sum(1) == 1
            found[part] = np.where(single & (top > 0), given.argmax(1), NONE)
        return found

    def tally(self, coders: Ints, of: Bools, n: Bools) -> Tally:
        """Annotations that fit ``of`` and of these ``n`` (E,): of some coders, and of the rest."""
        mine = np.isin(self.rows.coder, coders)
        w = self.weight
        return Tally(
            *(int(w[x].sum()) for x in (mine & of & n, mine & of, ~mine & of & n, ~mine & of))
        )

    @property
    def known(self) -> Bools:
        """(E,) whether there is an others' label."""
        return np.asarray(self.most != NONE)

    @cached_property
    def differs(self) -> Bools:
        """(E,) whether an annotation differs from the others' label."""
        return np.asarray(self.known & (self.most != self.rows.value))

    def of_coder(self, c: int, cells: Bools, of: Bools | None = None) -> Tally:
        """How often a coder deviates in some cells (K, K) from the others' label, where it could.

        Where it could is by default where the others' label is one from which a cell leads.
        """
        most = np.maximum(self.most, 0)
        leads: Bools = np.asarray(cells.any(1))
        of = self.known & leads[most] if of is None else of
        return self.tally(np.array([c]), of, self.differs & cells[most, self.rows.value])

    def swaps(self, c: int, a: int, b: int) -> Tally:
        """How often a coder gives one of two labels where the others' label is the other one."""
        two = np.asarray(np.isin(self.most, (a, b)))
        return self.tally(np.array([c]), two, self.differs & np.isin(self.rows.value, (a, b)))

    def on_both(self, coders: Ints, a: int, b: int) -> Tally:
        """How often some coders give a, on items to which a and b were given; and the rest."""
        return self.tally(coders, self.both(a, b), self.rows.value == a)

    def both(self, a: int, b: int) -> Bools:
        """(E,) whether both labels were given to the item."""
        there: Bools = np.asarray(self.rows.given[:, [a, b]].all(1))
        return there[self.rows.row]

    @cached_property
    def _of_two(self) -> Ints:
        """(2, P) what each of two coders gave; -1 for nothing."""
        value = np.full((2, len(self.rows.weight)), NONE)
        value[self.rows.coder, self.rows.row] = self.rows.value
        return value

    def _times(self, patterns: Bools) -> int:
        return round(float(self.rows.weight[patterns].sum()))

    def two(self, a: int, b: int) -> tuple[int, int]:
        """Of two coders: items to which the first gives a and the second b; and either way."""
        x, y = self._of_two
        one, other = (x == a) & (y == b), (x == b) & (y == a)
        return self._times(one), self._times(one | other)

    def above(self, *, up: bool) -> tuple[int, int]:
        """Of two coders: items on which the first is above the second, or below; that differ."""
        x, y = self._of_two
        differ = (x != y) & (x >= 0) & (y >= 0)
        return self._times(differ & ((x > y) == up)), self._times(differ)

    def n_items(self, shown: Bools) -> int:
        """Items of some annotations (E,)."""
        return self._times(np.bincount(self.rows.row[shown], minlength=len(self.rows.weight)) > 0)

    def pairs(self) -> Floats:
        """(P,) pairs of annotations of an item that differ."""
        rows = self.rows
        return np.asarray((rows.size**2 - (rows.given**2).sum(1)) / 2)

    def between(self, links: tuple[tuple[int, int], ...]) -> tuple[int, int]:
        """Pairs of annotations of an item that are between linked labels, and all that differ."""
        rows = self.rows
        linked = sum((rows.given[:, a] * rows.given[:, b] for a, b in links), np.zeros(1))
        return round(float(rows.weight @ linked)), round(float(rows.weight @ self.pairs()))

    def on_items(self, items: Bools) -> Tally:
        """Pairs of annotations that differ, of all pairs: on some items (I,), and on the rest."""
        rows = self.rows
        at = np.append(rows.weight * 0 + np.arange(len(rows.weight)), NONE).astype(np.int64)
        pattern = at[rows.pattern]
        there = np.bincount(pattern[items & (pattern >= 0)], minlength=len(rows.weight))
        rest = np.rint(rows.weight) - there
        differ, every = self.pairs(), rows.size * (rows.size - 1) / 2
        return Tally(*(round(float(w @ x)) for w in (there, rest) for x in (differ, every)))
