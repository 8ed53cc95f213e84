"""Decided sets of labels beside known ones."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...results import Result
from ...scheme import Label, Value
from ..gold import ALL_MATCHED, Unmatched

__all__ = ["SetScores", "set_scores"]

Bools = NDArray[np.bool_]


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
    items: Sequence[Any] | NDArray[Any],
    categories: tuple[Label, ...],
    members: Bools,
    tied: Bools,
    known: Mapping[Hashable, Value],
    unmatched: Unmatched = ALL_MATCHED,
) -> SetScores:
    """Decided sets beside known ones.

    Parameters
    ----------
    items : sequence
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

    Returns
    -------
    SetScores
    """
    sets = {
        item: set(value) if isinstance(value, tuple) else {value} for item, value in known.items()
    }
    beyond = {x for s in sets.values() for x in s} - set(categories)
    labels = (*categories, *sorted(beyond, key=str))  # true of an item, though nobody gave them
    where = [k for k, item in enumerate(items) if item in sets]
    names = [items[k] for k in where]
    said = np.zeros((len(where), len(labels)), bool)
    said[:, : len(categories)] = members[where]
    true = np.array([[x in sets[name] for x in labels] for name in names], bool)
    true = true.reshape(said.shape)
    both, either = (said & true).sum(1), (said | true).sum(1)
    rows = tuple(_of_label(label, said[:, k], true[:, k]) for k, label in enumerate(labels))
    each = [row["f1"] for row in rows if row["n_true"]]
    return SetScores(
        len(where),
        int(np.count_nonzero(tied[where])),
        _mean((said == true).all(1)),
        _mean(np.where(either > 0, both / np.maximum(either, 1), 1.0)),
        _mean(said != true),
        _f1(said, true),
        float(np.mean(each)) if each else math.nan,
        rows,
        unmatched,
    )


def _of_label(label: Label, said: Bools, true: Bools) -> dict[str, Any]:
    both = int(np.count_nonzero(said & true))
    n_said, n_true = int(said.sum()), int(true.sum())
    return {
        "label": label,
        "n_true": n_true,
        "n_decided": n_said,
        "precision": both / n_said if n_said else math.nan,
        "recall": both / n_true if n_true else math.nan,
        "f1": _f1(said, true),
    }


def _f1(said: Bools, true: Bools) -> float:
    n = int(said.sum() + true.sum())
    return 2 * int(np.count_nonzero(said & true)) / n if n else math.nan


def _mean(x: Any) -> float:
    return float(np.mean(x)) if x.size else math.nan
