"""What a scheme would show if the labels of a set were mistaken independently of each other.

Most sets that two coders confuse differ in one label, and many cuts separate most of these
whatever the coders think. A decomposition tells something if it does better than that.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..measure.results import Undefined
from .states import States

__all__ = ["Slips", "independent_flips", "null_states", "why_no_null"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

TINY = 1e-300  # nobody gave, or kept, the label: 0 / TINY is 0

NO_LABELS = Undefined(
    "no_labels", "values are categories: only labels of sets can be mistaken one by one"
)


def why_no_null(states: States) -> Undefined | None:
    """The reason why there is no null, or None if there is one.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> print(why_no_null(states(count(read([["a", "b"], ["b", "b"]])))))
    values are categories: only labels of sets can be mistaken one by one
    """
    return None if states.members.shape[1] else NO_LABELS


def null_states(states: States) -> States:
    """The same states, each table replaced by what independent flips of the labels give."""
    return replace(states, tables=independent_flips(states.tables, states.members))


def independent_flips(table: Floats, members: NDArray[np.bool_]) -> Floats:
    """The table of two coders if each label were passed on independently of the others.

    Half of the items take their set from the first coder's distribution, and the second coder
    gives each label with the share observed where the first gave it, or did not; the other half
    the other way round:

        M0(s, t) = ½ (r_s Π_l P(t_l | s_l) + c_t Π_l P(s_l | t_l)).

    If every combination of the labels occurs, the 2 x 2 table of each label is the observed one:
    the coders agree on each label as they did, and only how their slips go together is lost.
    Flips into a set that nobody gave are left out, and the other flips of the same set are scaled
    up for them.

    Parameters
    ----------
    table : ndarray
        (..., C, C) number of items, by the set of the first and that of the second coder.
    members : ndarray of bool
        (C, L) which set holds which label.

    Returns
    -------
    ndarray
        (..., C, C) expected number of items.

    Examples
    --------
    >>> table = np.array([[4.0, 1], [1, 2]])  # one label: nothing to be independent of
    >>> independent_flips(table, np.array([[False], [True]])).tolist()
    [[4.0, 1.0], [1.0, 2.0]]
    """
    back = _passed_on(table.swapaxes(-1, -2), members)
    return np.asarray((_passed_on(table, members) + back.swapaxes(-1, -2)) / 2)


def _passed_on(table: Floats, members: Bools) -> Floats:
    """Sets of the first coder, each label of them passed on to the second by itself."""
    return np.asarray(table.sum(-1)[..., None] * _likely(table, members))


def _likely(table: Floats, members: Bools) -> Floats:
    """(..., C, C) how likely the second coder gives a set, the first having given another."""
    likely = np.ones(table.shape)
    for holds in members.T:
        two = _of_label(table, holds)
        share = two / np.maximum(two.sum(-1, keepdims=True), TINY)
        likely *= share[..., holds[:, None].astype(int), holds.astype(int)]
    reached = likely.sum(-1, keepdims=True)
    return np.asarray(likely / np.where(reached > 0, reached, 1))


def _of_label(table: Floats, holds: Bools) -> Floats:
    """(..., 2, 2) items without and with a label, by the first and the second coder."""
    without_with = np.array([~holds, holds], float)
    return np.asarray(without_with @ table @ without_with.T)


# ------------------------------------------------------------------ how sure it is


class Slips:
    """What independent slips put on some cells of the tables, and how far each item moves it.

    Parameters
    ----------
    tables : ndarray
        (G, C, C) number of items of pairs of coders, by the sets that they gave.
    members : ndarray of bool
        (C, L) which set holds which label.

    Examples
    --------
    >>> slips = Slips(np.array([[[4.0, 1], [1, 2]]]), np.array([[False], [True]]))
    >>> up = np.array([[False, True], [False, False]])
    >>> slips.shares(up).tolist()
    [0.5]
    >>> g, first, second = np.zeros(4, int), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> slips.slopes(up, g, first, second).tolist()  # one more of two makes it two of three
    [0.0, 0.25, -0.25, 0.0]
    """

    def __init__(self, tables: Floats, members: Bools) -> None:
        self.members = members
        self.both = [_Passed(tables, members), _Passed(tables.swapaxes(-1, -2), members)]
        null = independent_flips(tables, members)
        self.differ = ~np.eye(len(members), dtype=bool)
        self.total = null[:, self.differ].sum(1)
        self.null = null

    def shares(self, apart: Bools) -> Floats:
        """(G,) the share of their disagreement that lies on the cells (C, C); NaN for none."""
        some = np.where(self.total > 0, self.total, np.nan)
        return np.asarray(self.null[:, apart].sum(1) / some)

    def slopes(self, apart: Bools, pair: Ints, first: Ints, second: Ints) -> Floats:
        """(E,) how the share moves with an item more in each cell: its table, row and column."""
        share = np.nan_to_num(self.shares(apart))
        weight = apart - share[:, None, None] * self.differ
        forth, back = self.both
        found = forth.slopes(weight, pair, first, second)
        found += back.slopes(weight.swapaxes(-1, -2), pair, second, first)
        return np.asarray(found / np.maximum(2 * self.total, TINY)[pair])


class _Passed:
    """Slopes of the sets of the first coder, passed on to the second.

    An item more in a cell raises its row; of every label it raises the share of what it shows
    there, less the more items its first set has.
    """

    def __init__(self, tables: Floats, members: Bools) -> None:
        self.members, self.given = members, tables.sum(-1)[..., None]
        self.likely = _likely(tables, members)
        self.two = [_of_label(tables, holds) for holds in members.T]

    def slopes(self, weight: Floats, pair: Ints, first: Ints, second: Ints) -> Floats:
        """(E,) slopes of the sum of ``weight`` (G, C, C) times what is passed on."""
        mean = (weight * self.likely).sum(-1)  # of the weight, over what a set is passed on as
        pull = self.given * self.likely * (weight - mean[..., None])
        found: Floats = mean[pair, first]
        for holds, two in zip(self.members.T, self.two, strict=True):
            pulls, has = _of_label(pull, holds), holds.astype(int)
            each = pulls / np.maximum(two, TINY)
            each -= pulls.sum(-1, keepdims=True) / np.maximum(two.sum(-1, keepdims=True), TINY)
            found += each[pair, has[first], has[second]]
        return found
