"""From the probability of each label to a set of labels: three rules, with ties made explicit.

Whatever the rule, the best set of k labels holds the k most probable ones, so a rule only has to
say how many. For the expected overlap this follows by exchange: if l is more probable than m, a
set with l in the place of m overlaps more with the truth on average, labels being independent.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError

__all__ = ["RULES", "Decided", "Rule", "decided"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Rule: TypeAlias = Literal["marginal", "most probable", "jaccard"]
RULES: tuple[Rule, ...] = get_args(Rule)

TIE = 1e-9  # probabilities that differ by less are equal


class Decided(NamedTuple):
    """Which labels an item has; I items, L labels.

    Parameters
    ----------
    members : ndarray of bool
        (I, L) labels that are in the set, whichever way ties are broken.
    open : ndarray of bool
        (I, L) labels that may be in it or not: a tie.
    """

    members: NDArray[np.bool_]
    open: NDArray[np.bool_]


def decided(p: Floats, rule: Rule, least: int = 0, most: int | None = None) -> Decided:
    """The set of each item.

    Parameters
    ----------
    p : ndarray
        (I, L) probability of each label.
    rule : {'marginal', 'most probable', 'jaccard'}
        'marginal': labels that are more probable than not; fewest wrong labels on average.
        'most probable': the most probable set among those with a number of labels that is
        allowed. 'jaccard': the set that overlaps most with the truth on average, among the same.
    least, most : int
        How few and how many labels a set may have; 'marginal' does not ask.

    Returns
    -------
    Decided

    Raises
    ------
    RequestError
        If there is no such rule.

    Notes
    -----
    Labels are taken as independent, given what the coders said. Dembczyński et al. (2012) on why
    the loss decides about the rule.

    Examples
    --------
    >>> p = np.array([[0.9, 0.4, 0.35], [0.3, 0.2, 0.1]])
    >>> for rule in RULES:
    ...     print(rule, decided(p, rule, least=1).members.astype(int).tolist())
    marginal [[1, 0, 0], [0, 0, 0]]
    most probable [[1, 0, 0], [1, 0, 0]]
    jaccard [[1, 0, 0], [1, 0, 0]]
    """
    if rule not in RULES:
        known = ", ".join(map(repr, RULES))
        raise RequestError(f"choose one of {known}, not {rule!r}", parameter="decide")
    n = p.shape[1]
    order = np.argsort(-p, axis=1, kind="stable")
    ordered = np.take_along_axis(p, order, 1)
    top = n if most is None else min(most, n)
    if rule == "jaccard":
        few, many = _best_sizes(ordered, min(least, n), top)
    else:
        few, many = (ordered > 0.5 + TIE).sum(1), (ordered >= 0.5 - TIE).sum(1)
        if rule == "most probable":
            few, many = np.clip(few, min(least, n), top), np.clip(many, min(least, n), top)
    few, many = _widened(ordered, few, many)
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(n), p.shape), 1)
    return Decided(rank < few[:, None], (rank >= few[:, None]) & (rank < many[:, None]))


def _widened(p: Floats, few: Ints, many: Ints) -> tuple[Ints, Ints]:
    """The sizes, so that labels that are equally probable are all open or none."""
    edges = np.pad(p, ((0, 0), (1, 1)), constant_values=((0, 0), (2, -2)))
    rows = np.arange(len(p))
    inside, outside = edges[rows, few], edges[rows, few + 1]
    some = few < many
    first = np.where(some, outside, inside)  # the most probable label that is open
    last = np.where(some, edges[rows, many], outside)
    open_ = some | (inside - outside <= TIE)
    few = np.where(open_, (p > first[:, None] + TIE).sum(1), few)
    return few, np.where(open_, (p >= last[:, None] - TIE).sum(1), many)


def _best_sizes(p: Floats, least: int, most: int) -> tuple[Ints, Ints]:
    """Fewest and most labels of the sets with the highest expected Jaccard index.

    Of the first k labels A are true, of the others B: the index is A / (k + B), and A and B are
    independent, so its expectation is E[A] · E[1 / (k + B)]. Two empty sets agree in full.
    """
    n_items, n = p.shape
    value = np.full((n_items, n + 1), -np.inf)
    beyond = np.zeros((n_items, n + 1))  # probability that b of the labels after k are true
    beyond[:, 0] = 1
    within = np.cumsum(p, axis=1)
    for k in range(n, 0, -1):
        value[:, k] = within[:, k - 1] * (beyond / (k + np.arange(n + 1))).sum(1)
        q = p[:, k - 1 : k]
        beyond[:, 1:] = beyond[:, 1:] * (1 - q) + beyond[:, :-1] * q
        beyond[:, :1] *= 1 - q
    value[:, 0] = beyond[:, 0]
    value[:, :least] = value[:, most + 1 :] = -np.inf
    best = value >= value.max(1, keepdims=True) - TIE
    return best.argmax(1), n - best[:, ::-1].argmax(1)
