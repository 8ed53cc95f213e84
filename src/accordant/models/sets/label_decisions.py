"""Sets of labels made of the probability of each label, and how well they fit known ones.

Whatever the rule, the best set of k labels holds the k most probable ones, so a rule only has to
say how many. For the expected overlap this follows by exchange: if l is more probable than m, a
set with l in the place of m overlaps more with the truth on average, labels being independent.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from ...arrays import Bools, Floats, Ints
from ...errors import unknown
from ...results import Result
from ...scheme import Label, Value
from ..estimate import TIE
from ..gold import ALL_MATCHED, Unmatched

__all__ = ["RULES", "Decided", "Rule", "SetScores", "decided", "members_of", "set_scores"]

Rule: TypeAlias = Literal["marginal", "most probable", "jaccard"]
RULES: tuple[Rule, ...] = get_args(Rule)


class Decided(NamedTuple):
    """Which labels an item has; I items, L labels."""

    members: Bools  # (I, L) labels that are in the set, whichever way ties are broken
    open: Bools  # (I, L) labels that may be in it or not: a tie


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
        raise unknown("rule", rule, map(repr, RULES), "choose from", parameter="decide")
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


# ------------------------------------------------------------------ beside known sets


@dataclass(frozen=True, repr=False)
class SetScores(Result):
    """How well decided sets fit known ones.

    Parameters
    ----------
    n_items : int
        Items of which both are there.
    n_tied : int
        Items with a label that a tie leaves open; it counts as not in the set.
    exact : float
        Share of the items whose set is just the known one.
    jaccard : float
        Mean over items of labels in both sets / labels in either; 1 for two empty sets.
    wrong : float
        Share of wrong decisions about a label of an item (Hamming loss).
    f1 : float
        F1 of all decisions together (micro).
    mean_f1 : float
        Mean of the F1 of the labels that are true of an item (macro).
    by_label : tuple of dict
        For each label its number of items, precision, recall and F1; NaN where undefined.
    unmatched : Unmatched
        Items with a known set that are no items of the data.
    """

    n_items: int
    n_tied: int
    exact: float
    jaccard: float
    wrong: float
    f1: float
    mean_f1: float
    by_label: tuple[dict[str, Any], ...]
    unmatched: Unmatched = ALL_MATCHED
    told_as: ClassVar[str] = "scores"
    question: ClassVar[None] = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each label."""
        return list(self.by_label)


def set_scores(
    items: list[Any],
    categories: tuple[Label, ...],
    members: Bools,
    tied: Bools,
    known: Mapping[Hashable, Value],
    unmatched: Unmatched = ALL_MATCHED,
) -> SetScores:
    """Decided sets beside known ones.

    Parameters
    ----------
    items : list
        (I,) names.
    categories : tuple
        (L,) labels.
    members : ndarray of bool
        (I, L) which label is in the set of which item.
    tied : ndarray of bool
        (I,) whether a tie leaves a label open.
    known : mapping
        Item → set of labels, or a label.
    unmatched : Unmatched
        Items with a known set that are no items of the data.
    """
    sets = {item: set(members_of(value)) for item, value in known.items()}
    beyond = {x for s in sets.values() for x in s} - set(categories)
    labels = (*categories, *sorted(beyond, key=str))  # true of an item, though nobody gave them
    where = [k for k, item in enumerate(items) if item in sets]
    said = np.zeros((len(where), len(labels)), bool)
    said[:, : len(categories)] = members[where]
    true = np.array([[x in sets[items[k]] for x in labels] for k in where], bool)
    true = true.reshape(said.shape)
    shared, either = (said & true).sum(1), (said | true).sum(1)
    both, n_decided, n_true = (x.sum(0) for x in (said & true, said, true))
    with np.errstate(invalid="ignore"):
        f1 = 2 * both / (n_decided + n_true)
        columns: dict[str, Any] = {
            "label": np.array(labels, object),
            "n_true": n_true,
            "n_decided": n_decided,
            "precision": both / n_decided,
            "recall": both / n_true,
            "f1": f1,
        }
        micro = float(2 * both.sum() / (n_decided + n_true).sum())
    rows = zip(*(x.tolist() for x in columns.values()), strict=True)
    return SetScores(
        len(where),
        int(np.count_nonzero(tied[where])),
        _mean((said == true).all(1)),
        _mean(np.where(either > 0, shared / np.maximum(either, 1), 1.0)),
        _mean(said != true),
        micro,
        _mean(f1[n_true > 0]),
        tuple(dict(zip(columns, row, strict=True)) for row in rows),
        unmatched,
    )


def members_of(value: Value) -> tuple[Label, ...]:
    """The labels of a set, or the label."""
    return value if isinstance(value, tuple) else (value,)


def _mean(x: Any) -> float:
    return float(np.mean(x)) if x.size else math.nan
