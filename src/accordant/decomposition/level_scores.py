"""Values in blocks, scored: agreement on both levels, and what makes partitions comparable.

Level 1 asks in which block a value is. Level 2 asks for the value itself, of the items whose two
values are in the same block (Levi & Shenhav 2022, section 3.1): of sets each label for itself, of
categories which one of all. Both follow from the sums of a table over the columns in the block of
each row, so that many partitions cost a few products of matrices, whatever the number of blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..errors import RequestError
from .contingency import States
from .figures import ClosedForm, closed_form

ROUNDINGS = ("levi2022",)
EXACT = 12  # digits after which a float is rounding: the exact number it stands for

Number = Decimal | None
NOTHING = 1e-9  # a smaller share of the items is rounding: no item is left


@dataclass(frozen=True, eq=False)
class LevelScores:
    """N partitions of C states with L labels, scored on G pairs of coders.

    What is undefined is NaN. Means over the pairs of coders leave it out.

    Parameters
    ----------
    states : States
    blocks : ndarray of int
        (N, C) the block of each state.
    first_by_pair : ndarray
        (G, N) agreement on the block of a value.
    by_label_by_pair : ndarray
        (G, N, L) agreement on each label given the same block; of categories on all of them, L = 1.
    n_kept : ndarray
        (G, N) items of each pair of coders that level 2 rests on.
    """

    states: States
    blocks: Ints
    first_by_pair: Floats
    by_label_by_pair: Floats
    n_kept: Floats

    @cached_property
    def second_by_pair(self) -> Floats:
        """(G, N) agreement given the same block, the mean over the labels that have a value."""
        return mean_of_known(self.by_label_by_pair, 2)

    @cached_property
    def first(self) -> Floats:
        """(N,) the mean over the pairs of coders."""
        return mean_of_known(self.first_by_pair, 0)

    @cached_property
    def second(self) -> Floats:
        """(N,) the mean over the pairs of coders."""
        return mean_of_known(self.second_by_pair, 0)

    @cached_property
    def flip(self) -> Floats:
        """(N,) share of all slips in one label that go from block to block.

        Sets weigh as they occur: 1 for parity, 1 / L for a label. On an ordered scale the share of
        all slips by one step; NaN for other categories.
        """
        weight = _neighbours(self.states)
        total = weight.sum()
        return crossed(weight, self.blocks) / total if total else np.full(len(self.blocks), np.nan)

    @cached_property
    def smaller(self) -> Floats:
        """(N,) share of the annotations in the block that has the fewest."""
        share = self.states.share
        held = [np.where(x.any(1), x @ share, np.nan) for x in _inside(self.blocks)]
        return (
            np.asarray(np.nanmin(held, axis=0))
            if share.any()
            else np.full(len(self.blocks), np.nan)
        )


def score(states: States, blocks: Any, coefficient: str = "kappa") -> LevelScores:
    """Partitions scored on both levels (Levi & Shenhav 2022, sections 3.1 and 4.1).

    Parameters
    ----------
    states : States
    blocks : array_like of int
        (N, C) the block of each state; how blocks are numbered changes nothing.
    coefficient : str
        ``'percent'``, ``'s'``, ``'pi'``, ``'kappa'``, ``'alpha'`` or ``'ac'``.

    Raises
    ------
    RequestError
        If there is no such coefficient.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.contingency import cells_of
    >>> none, a, b, both = (), ("a",), ("b",), ("a", "b")
    >>> data = read([[none, none, a, a, both, none], [none, none, a, b, b, a]])
    >>> found = cells_of(count(data)).states
    >>> found.values
    ((), ('b',), ('a',), ('a', 'b'))
    >>> any_label = score(found, [[0, 1, 1, 1]])
    >>> any_label.first.round(3).tolist(), any_label.n_kept.tolist()
    ([0.667], [[5.0]])
    """
    blocks = np.asarray(blocks, np.int64)
    form = closed_form(coefficient)
    inside = _inside(blocks)
    n_blocks = np.array([x.any(1) for x in inside]).sum(0)
    n_labels = max(states.members.shape[1], 1)
    shape = (len(states.pairs), len(blocks))
    first, kept = np.full((2, *shape), np.nan)
    labels = np.full((*shape, n_labels), np.nan)
    for g, table in enumerate(states.tables):
        kept[g], labels[g] = _second(table, states.members, inside, n_blocks, form)
        first[g] = _first(table, kept[g], inside, n_blocks, form)
    return LevelScores(states, blocks, first, labels, kept)


def _first(
    table: Floats, kept: Floats, inside: list[Floats], n_blocks: Ints, form: ClosedForm
) -> Floats:
    """(N,) agreement on the block."""
    value, n = np.full(len(kept), np.nan), float(table.sum())
    if not n:
        return value
    row, column = _shared(table.sum(1) / n, table.sum(0) / n, form)
    differ = 1 - kept / n
    apart = 1 - np.array([(x @ row) * (x @ column) for x in inside]).sum(0)
    for k in np.unique(n_blocks[n_blocks > 1]):  # some coefficients rest on their number
        these = n_blocks == k
        found, known = form.value(differ[these], apart[these], n, int(k))
        value[these] = np.where(known, found, np.nan)
    return value


def _second(
    table: Floats, members: Bools, inside: list[Floats], n_blocks: Ints, form: ClosedForm
) -> tuple[Floats, Floats]:
    """(N,) items kept, and (N, L) agreement on the labels, or (N, 1) on the categories."""
    row, column = _on_own_block(table, inside), _on_own_block(table.T, inside)
    kept = row.sum(1)
    some = (kept > NOTHING * table.sum()) & (n_blocks < len(table))  # else nothing is left to ask
    each = np.where(some, kept, 1)
    if not members.shape[1]:
        row, column = _shared(row / each[:, None], column / each[:, None], form)
        differ, apart = 1 - np.trace(table) / each, 1 - (row * column).sum(1)
        value, known = form.value(differ, apart, kept, len(table))
        return kept, np.where(known & some, value, np.nan)[:, None]
    label = members.astype(float)
    row, column = row @ label, column @ label
    both = [
        _on_own_block(table[np.ix_(x, x)], [part[:, x] for part in inside]).sum(1)
        for x in members.T
    ]
    differ = (row + column - 2 * np.array(both).T) / each[:, None]
    row, column = _shared(row / each[:, None], column / each[:, None], form)
    apart = row * (1 - column) + column * (1 - row)
    value, known = form.value(differ, apart, kept[:, None], 2)
    return kept, np.where(known & some[:, None], value, np.nan)


def _on_own_block(table: Floats, inside: list[Floats]) -> Floats:
    """(N, C) sums of each row over the columns in the block of the row's state."""
    return np.asarray(sum(x * (x @ table.T) for x in inside))


def _inside(blocks: Ints) -> list[Floats]:
    """For each block (N, C): 1 for the states in it."""
    return [(blocks == b).astype(float) for b in range(int(blocks.max(initial=0)) + 1)]


def _shared(row: Floats, column: Floats, form: ClosedForm) -> tuple[Floats, Floats]:
    """What chance draws from: the margins of each coder, or those that they share."""
    if form.own:
        return row, column
    both = (row + column) / 2
    return both, both


def _neighbours(states: States) -> Floats:
    """(C, C) weight of a slip from a set into one that differs in one label, else 0.

    Every annotation slips once in each label, so sets weigh as they occur. Slips into a set that
    nobody gave are left out: no block holds it. On an ordered scale a slip is one step up or down,
    to the next value that occurs.
    """
    if states.ordered:
        place = np.arange(states.n_states)
        apart = np.abs(place[:, None] - place)
    else:
        apart = (states.members[:, None] != states.members).sum(2)
    return np.asarray((apart == 1) * states.share[:, None])


# ------------------------------------------------------------------ sums over what is divided


def crossed(table: Floats, blocks: Ints) -> Floats:
    """(..., N) the sums of tables (..., C, C) over the cells with states in different blocks.

    Examples
    --------
    >>> crossed(np.array([[5.0, 1], [2, 5]]), np.array([[0, 1], [0, 0]])).tolist()
    [3.0, 0.0]
    """
    first, *others = _inside(blocks)
    if len(others) == 1:  # what one side shares with itself and the other is all that it has
        both = table + table.swapaxes(-2, -1)
        return np.asarray(np.einsum("...nc,nc->...n", first @ both, others[0]))
    kept = sum(np.einsum("...nc,nc->...n", x @ table, x) for x in (first, *others))
    return np.asarray(table.sum((-2, -1))[..., None] - kept)


def every_crossed(table: Floats, precision: type[np.floating[Any]] = np.float64) -> Floats:
    """(2^(C − 1),) the same for all bipartitions, by code; 0 for the first, which divides nothing.

    State j is on side 0 where bit j of the code is set; the last state never is. The states of the
    lower bits and those of the higher ones are two lists of subsets, x and y, and with w the sums
    of both ways between two states,

        f(x, y) = f(x) + f(y) − 2 Σ_ij y_i w_ij x_j:

    one product of two thin matrices.

    Examples
    --------
    >>> every_crossed(np.array([[0, 1.0, 2], [0, 0, 4], [0, 0, 0]])).tolist()
    [0.0, 3.0, 5.0, 6.0]
    """
    both = table + table.T
    np.fill_diagonal(both, 0)
    free = len(both) - 1
    low = free // 2
    x, y = (sides_of(np.arange(2**m), m).astype(float) for m in (low, free - low))
    total = both.sum(1)
    of_x = x @ total[:low] - np.einsum("nc,nc->n", x @ both[:low, :low], x)
    of_y = y @ total[low:free] - np.einsum("nc,nc->n", y @ both[low:free, low:free], y)
    left = np.column_stack([-2 * y @ both[low:free, :low], of_y, np.ones(len(y))])
    right = np.vstack([x.T, np.ones(len(x)), of_x])
    return np.asarray(left.astype(precision) @ right.astype(precision)).ravel()


def sides_of(codes: Any, n_states: int) -> Bools:
    """(N, C) the sides that codes stand for: state j is on side 0 where bit j is set.

    Examples
    --------
    >>> sides_of([1, 6], 3).tolist()
    [[True, False, False], [False, True, True]]
    """
    code = np.asarray(codes, np.int64)[:, None]
    return ((code >> np.arange(n_states)) & 1).astype(bool)


def mean_of_known(values: Floats, axis: int) -> Floats:
    """The mean over an axis of what is not NaN; NaN where nothing is."""
    known = ~np.isnan(values)
    n = known.sum(axis)
    total = np.where(known, values, 0).sum(axis)
    return np.asarray(np.where(n > 0, total / np.maximum(n, 1), np.nan))


def mean_of_pairs(by_pair: Floats) -> float:
    """The mean over the pairs of coders that have a value; NaN if none has."""
    return float(mean_of_known(by_pair, 0))


# ------------------------------------------------------------------ as a paper prints them


@dataclass(frozen=True)
class Rounding:
    """How Levi & Shenhav (2022) round, with decimal arithmetic and half up.

    The figure of each pair of coders is rounded to two digits before the pairs are averaged, and
    the mean is rounded again. The mean over the labels is taken of the figures printed in the table
    of all bipartitions (Appendix A), of means over the pairs before they are rounded in the tables
    of the ten best (Tables 5 and 6): hence four averages differ between the two in the paper.

    Parameters
    ----------
    of_printed : bool
        Whether the mean over the labels is that of the appendix.
    digits : int
    factor : int
        100 for percentages.
    """

    of_printed: bool = False
    digits: int = 2
    factor: int = 1

    def one(self, x: float) -> Number:
        """A figure of one pair of coders as it is printed; None if it is undefined."""
        return None if math.isnan(x) else half_up(_exact(x * self.factor), self.digits)

    def mean(self, by_pair: Floats) -> Number:
        """The mean over the pairs of coders, of their rounded figures, not rounded itself."""
        return _mean(self.one(float(x)) for x in by_pair)

    def row(self, values: Floats, pair: int | None = None) -> tuple[list[str], str]:
        """Each label, and the mean over the labels, of a pair of coders or of all pairs.

        Of (W, G) figures; where a level has no labels, the list has its one figure.
        """
        if pair is None:
            each = [self.mean(by_pair) for by_pair in values]
        else:
            each = [self.one(float(x)) for x in values[:, pair]]
        shown = [None if x is None else half_up(x, self.digits) for x in each]
        mean = _mean(shown if self.of_printed else each)
        last = None if mean is None else half_up(mean, self.digits)
        return [_text(x) for x in shown], _text(last)

    def key(self, scores: LevelScores, rank: str) -> Floats:
        """(N,) what the bipartitions of a table are ordered by, from the lowest on.

        The tables of the ten best are in the order of means of rounded figures: Table 6 is in no
        other order that we tried.
        """
        if rank == "first":
            return _means(self._hundredths(scores.first_by_pair), 0)
        return -_means(_means(self._hundredths(scores.by_label_by_pair), 0), -1)

    def _hundredths(self, x: Floats) -> Floats:
        """Rounded half up, in units of the last digit."""
        scaled = np.round(np.abs(x) * self.factor * 10.0**self.digits, EXACT - 3)
        return np.asarray(np.copysign(np.floor(scaled + 0.5), x))


def rounding_of(name: str | None, *, of_printed: bool = False) -> Rounding | None:
    """The rounding of a name; None for none.

    Raises
    ------
    RequestError
        If there is no such rounding.
    """
    if name is None:
        return None
    if name not in ROUNDINGS:
        raise RequestError(f"unknown rounding {name!r}: choose {', '.join(ROUNDINGS)} or None")
    return Rounding(of_printed)


def half_up(x: Decimal, digits: int = 2) -> Decimal:
    """Rounded half up, as people do.

    Examples
    --------
    >>> half_up(Decimal("0.645")), half_up(Decimal("89.95"), 1)
    (Decimal('0.65'), Decimal('90.0'))
    """
    return x.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def _means(x: Floats, axis: int) -> Floats:
    """Means over an axis of what is defined; NaN where nothing is."""
    return np.asarray(np.round(mean_of_known(x, axis), EXACT - 3))


def _exact(x: float) -> Decimal:
    return Decimal(repr(round(float(x), EXACT)))


def _mean(numbers: Iterable[Number]) -> Number:
    known = [x for x in numbers if x is not None]
    return sum(known, Decimal(0)) / len(known) if known else None


def _text(x: Number) -> str:
    return "" if x is None else str(x)
