"""What level 2 would be if the labels of a set were mistaken independently of each other.

Most sets that two coders confuse differ in one label, and many cuts separate most of these
whatever the coders think. A decomposition tells something if it does better than that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..measure.results import Undefined
from .states import States

__all__ = ["independent_flips", "null_states", "why_no_null"]

Floats = NDArray[np.float64]

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
    tables = [independent_flips(m, states.members) for m in states.tables]
    return States(
        states.values, states.labels, states.members, states.pairs,
        np.array(tables).reshape(states.tables.shape),
    )  # fmt: skip


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
        (C, C) number of items, by the set of the first and that of the second coder.
    members : ndarray of bool
        (C, L) which set holds which label.

    Returns
    -------
    ndarray
        (C, C) expected number of items.

    Examples
    --------
    >>> table = np.array([[4.0, 1], [1, 2]])  # one label: nothing to be independent of
    >>> independent_flips(table, np.array([[False], [True]])).tolist()
    [[4.0, 1.0], [1.0, 2.0]]
    """
    return (_passed_on(table, members) + _passed_on(table.T, members).T) / 2


def _passed_on(table: Floats, members: NDArray[np.bool_]) -> Floats:
    """Sets of the first coder, each label of them passed on to the second by itself."""
    given = table.sum(1)
    likely = np.ones(table.shape)
    for holds in members.T:
        without_with = np.array([~holds, holds], float)
        two = without_with @ table @ without_with.T
        share = two / np.maximum(two.sum(1, keepdims=True), 1e-300)
        likely *= share[holds[:, None].astype(int), holds.astype(int)]
    reached = likely.sum(1, keepdims=True)
    return np.asarray(given[:, None] * likely / np.where(reached > 0, reached, 1))
