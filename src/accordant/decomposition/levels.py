"""Both levels of agreement of two coders, for many bipartitions of the values.

Level 1 asks which side a value is on. Level 2 asks for the value itself, of the items whose two
values are on the same side (Levi & Shenhav 2022, section 3.1): of sets each label for itself, of
categories which one of all. Both follow from a few numbers that are quadratic in the bipartition.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .closed_forms import ClosedForm
from .forms import Forms, apart

__all__ = ["Agreement", "Levels", "over_labels"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

NOTHING = 1e-9  # a smaller share of the items is rounding: no item is left


class Agreement(NamedTuple):
    """Two levels at N bipartitions; W labels, or 1 where the values are categories.

    ``first`` (N,) and ``of_label`` (W, N) with 0 where they are undefined, ``first_known`` and
    ``label_known`` saying where they are defined; ``kept`` (N,) items that level 2 rests on.
    """

    first: Floats
    first_known: Bools
    of_label: Floats
    label_known: Bools
    kept: Floats


class Levels:
    """A table of two coders, ready to be cut.

    Parameters
    ----------
    table : ndarray
        (C, C) number of items, by the value of the first and that of the second coder.
    members : ndarray of bool
        (C, L) which set holds which label; no column where values are categories.
    form : ClosedForm
    """

    def __init__(self, table: Floats, members: Bools, form: ClosedForm) -> None:
        self.table, self.members, self.form = table, members, form
        self.n = float(table.sum())
        self.row, self.column = table.sum(1), table.sum(0)
        self.own = form.own and not np.array_equal(table, table.T)

    @property
    def n_labels(self) -> int:
        """L."""
        return int(self.members.shape[1])

    def agreement(self, numbers: Floats) -> Agreement:
        """Both levels from the numbers (F, N) of `forms` or `at`, which are written on."""
        (first, first_known), (label, known, kept) = self.first(numbers), self.second(numbers)
        return Agreement(first, first_known, label, known, kept)

    def first(self, numbers: Floats) -> tuple[Floats, Bools]:
        """(N,) agreement on the side, 0 where it is undefined; and where it is defined."""
        per_item = 1 / max(self.n, 1e-300)
        half = numbers[2] * per_item if self.own else None
        spread = _binary(numbers[1] * per_item, half)
        value, known = self.form.value(1 - numbers[0] * per_item, spread, self.n, 2)
        return value, known if self.n else np.zeros_like(known)

    def second(self, numbers: Floats) -> tuple[Floats, Bools, Floats]:
        """(W, N) agreement on each label, and where it is defined; (N,) the items kept."""
        kept, rest = numbers[0], numbers[2 + self.own :]
        some = kept > NOTHING * self.n
        every = bool(some.all())
        if not every:  # what is left of no item is rounding
            kept, rest = np.where(some, kept, 0), np.where(some, rest, 0)
        per_kept = 1 / np.where(some, kept, 1)
        if self.n_labels:
            rest *= per_kept
            differ, mean, *half = rest.reshape(-1, self.n_labels, rest.shape[1])
            spread, k = _binary(mean, half[0] if half else None), 2
        else:
            differ = ((kept - np.trace(self.table)) * per_kept)[None]
            spread, k = 1 - rest * per_kept * per_kept, len(self.table)
        value, known = self.form.value(differ, spread, kept, k)
        if not every:
            value *= some
            known &= some
        return value, known, kept

    # ------------------------------------------------------------------ the numbers

    @cached_property
    def forms(self) -> Forms:
        """Items kept, the mean margin of side 0 (and half the difference), then level 2.

        Level 2 is, of sets, for every label the items kept that differ in it, then its mean
        margins (and half the differences); of categories Σ_k r_k c_k over the margins of the
        items kept.
        """
        rest = self._labels() if self.n_labels else self._categories()
        return Forms.stacked([self.first_forms, rest])

    @cached_property
    def first_forms(self) -> Forms:
        """Those of level 1 alone."""
        margins = [(self.row + self.column) / 2, (self.row - self.column) / 2][: 1 + self.own]
        no_square = np.zeros((1, *self.table.shape))
        return Forms.stacked(
            [_kept(self.table[None]), *(Forms(np.zeros(1), x[None], no_square) for x in margins)]
        )

    def _labels(self) -> Forms:
        b = self.members.T
        one, other = b[:, :, None].astype(float), b[:, None, :].astype(float)
        weights = [one != other, (one + other) / 2, (one - other) / 2][: 2 + self.own]
        return _kept(np.concatenate([w * self.table for w in weights]))

    def _categories(self) -> Forms:
        """Σ_k r_k c_k over own sides: quadratic, since what is cubic in it cancels.

        With a = Ms and r = M1 a state's row sum over its own side is a_k on side 0 and
        r_k − a_k on side 1, and s_k a_k b_k + (1 − s_k)(r_k − a_k)(c_k − b_k)
        = a_k b_k + (1 − s_k)(r_k c_k − r_k b_k − c_k a_k).
        """
        m, m2 = self._both_ways
        r, c = m.sum(1), m2.sum(1)
        square = m.T @ m2 + r[:, None] * m2 + c[:, None] * m
        linear = -(r * c) - r @ m2 - c @ m
        return Forms.of([r @ c], linear[None], square[None])

    @property
    def _both_ways(self) -> tuple[Floats, Floats]:
        """The table by row and by column; their mean, twice, where coders share the margins."""
        if self.own:
            return self.table, self.table.T
        mean = (self.table + self.table.T) / 2
        return mean, mean

    def at(self, sides: Bools) -> Floats:
        """The same numbers (F, N) by counting, for bipartitions (N, C) and any number of states."""
        x = sides.astype(float)
        row, column = self._on_own_side(self.table, sides, x), None
        kept = row.sum(1)
        margins = [x @ ((self.row + self.column) / 2), x @ ((self.row - self.column) / 2)]
        if self.own or self.n_labels:
            column = self._on_own_side(self.table.T, sides, x)
        if self.n_labels and column is not None:
            with_label = self.members.astype(float)
            r, c = (row @ with_label).T, (column @ with_label).T
            differ = r + c - 2 * self._both(sides, x)
            second = [differ, (r + c) / 2, (r - c) / 2][: 2 + self.own]
        elif column is not None:
            second = [(row * column).sum(1)[None]]
        else:
            mean = self._on_own_side(self._both_ways[0], sides, x)
            second = [(mean * mean).sum(1)[None]]
        return np.concatenate([kept[None], *(y[None] for y in margins[: 1 + self.own]), *second])

    @staticmethod
    def _on_own_side(m: Floats, sides: Bools, x: Floats) -> Floats:
        """(N, C) row sums over the columns on the side of the row's state."""
        inside = x @ m.T
        return np.where(sides, inside, m.sum(1) - inside)

    def _both(self, sides: Bools, x: Floats) -> Floats:
        """(L, N) items kept where both coders gave a label."""
        found = np.empty((self.n_labels, len(sides)))
        for label, holds in enumerate(self.members.T):
            m = self.table[np.ix_(holds, holds)]
            found[label] = self._on_own_side(m, sides[:, holds], x[:, holds]).sum(1)
        return found


def over_labels(of_label: Floats, known: Bools) -> tuple[Floats, Bools]:
    """(N,) the mean over the labels (W, N), 0 where no label has a value; and where one has.

    Examples
    --------
    >>> mean, known = over_labels(np.array([[0.5, 0], [0.7, 0]]), np.array([[True, False]] * 2))
    >>> mean.tolist(), known.tolist()
    ([0.6, 0.0], [True, False])
    """
    if known.all():
        return of_label.sum(0) / len(of_label), np.ones(of_label.shape[1], bool)
    n_known = known.sum(0)
    return of_label.sum(0) / np.maximum(n_known, 1), n_known > 0


def _kept(tables: Floats) -> Forms:
    """What of each table stays on one side."""
    cut = apart(tables)
    return Forms(tables.sum((1, 2)), -cut.linear, -cut.quadratic)


def _binary(mean: Floats, half: Floats | None) -> Floats:
    """p(1 − q) + q(1 − p), given (p + q) / 2 and, where they differ, (p − q) / 2."""
    found = mean * mean
    np.subtract(mean, found, out=found)
    if half is not None:
        found += half * half
    found *= 2
    return found
