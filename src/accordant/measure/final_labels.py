"""The labels that all coders of an item share: what is left if one final label is wanted.

Marchal et al. (2022) take the intersection of the label sets as the final annotation. Here it is
the intersection over all coders who annotated the item, whether two or more.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..data.annotations import Annotations
from ..results import Result
from ..scheme import Label
from .sets import label_sets
from .shares import LabelOrder, entropy, held_labels, shares_of

KINDS = ("no common label", "one common label", "several common labels", "empty by agreement")
"""By the codes of `Intersections.kind`."""


@dataclass(frozen=True, eq=False)
class Intersections:
    """What the label sets of an item have in common, by pattern. P patterns, F final sets.

    Parameters
    ----------
    labels : tuple
        (L,) the labels of ``members``, in the order of the scheme.
    members : ndarray of bool
        (F, L) which final set holds which label.
    code : ndarray of int
        (P,) the final set, -1 with fewer than two annotations.
    kind : ndarray of int
        (P,) position in `KINDS`, -1 with fewer than two annotations.
    """

    labels: tuple[Label, ...]
    members: NDArray[np.bool_]
    code: Ints
    kind: Ints

    @property
    def size(self) -> Ints:
        """(P,) number of labels in common, -1 with fewer than two annotations."""
        return np.asarray(np.append(self.members.sum(1), -1)[self.code])

    @property
    def found(self) -> NDArray[np.bool_]:
        """(P,) whether there is a label in common."""
        return np.asarray((self.kind == 1) | (self.kind == 2))


def intersections(counts: Counts, order: LabelOrder = None) -> Intersections:
    """What all coders of an item gave to it.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> data = read([["a,b", "a", "a"], ["a", "a,b", "b"]], separator=",")
    >>> counts = count(data)
    >>> [KINDS[k] for k in intersections(counts).kind[counts.pattern_of].tolist()]
    ['one common label', 'one common label', 'no common label']
    """
    labels, _ = held_labels(counts, order)
    sets, several = label_sets(counts.values), counts.size >= 2
    code, kind = np.full((2, counts.n_patterns), -1)
    if not several.any() or not sets.labels:
        nothing = np.zeros((int(several.any()), len(labels)), bool)
        return Intersections(labels, nothing, np.where(several, 0, -1), np.where(several, 3, -1))
    common = np.bitwise_and.reduceat(sets.packed[counts.value], counts.start[:-1], axis=0)
    words, code[several] = _distinct(common[several])
    members = np.zeros((len(words), len(labels)), bool)
    held = np.unpackbits(words.view(np.uint8), axis=1)[:, : len(sets.labels)].astype(bool)
    members[:, [labels.index(label) for label in sets.labels]] = held
    largest = np.maximum.reduceat(sets.size[counts.value], counts.start[:-1])[several]
    kind[several] = np.where(largest == 0, 3, np.minimum(members.sum(1), 2)[code[several]])
    return Intersections(labels, members, code, kind)


def _distinct(rows: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], Ints]:
    """The distinct rows of (N, W) words, and which of them each row is: (N,)."""
    if rows.shape[1] == 1:  # one word: ten times as quick as whole rows
        found, of = np.unique(rows[:, 0], return_inverse=True)
        return found[:, None], of
    found, of = np.unique(rows, axis=0, return_inverse=True)
    return found, of.reshape(-1)


@dataclass(frozen=True, eq=False)
class FinalLabels(Result):
    """The final labels of all items, beside all labels that were given. L categories.

    Parameters
    ----------
    categories : tuple
        (L,) categories of the scheme.
    n_given : ndarray of int
        (L,) how often each was given to the items that two coders or more annotated.
    n_final : ndarray of int
        (L,) in the final set of how many items it is.
    n_none, n_one, n_several, n_empty : int
        Items whose coders share no label, one, several; and items to which all of them gave the
        empty set, so that the final set is empty by agreement.
    items : FinalItems
        The final set of each item.
    """

    categories: tuple[Label, ...]
    n_given: Ints
    n_final: Ints
    n_none: int
    n_one: int
    n_several: int
    n_empty: int
    items: FinalItems

    @property
    def n_items(self) -> int:
        """Items with two annotations or more."""
        return self.n_none + self.n_with_label + self.n_empty

    @property
    def n_with_label(self) -> int:
        """Items whose coders share a label."""
        return self.n_one + self.n_several

    @property
    def n_categories(self) -> int:
        """Categories that occur in final sets."""
        return int(np.count_nonzero(self.n_final))

    @property
    def share_given(self) -> Floats:
        """(L,) share of each category among all labels given."""
        return shares_of(self.n_given)

    @property
    def share_final(self) -> Floats:
        """(L,) share of each category among the final labels."""
        return shares_of(self.n_final)

    @property
    def ratio(self) -> Floats:
        """(L,) how many times more common a category is among final labels; NaN if not given."""
        given = self.share_given
        return np.asarray(self.share_final / np.where(given > 0, given, np.nan))

    @property
    def entropy(self) -> float:
        """Of the final labels, in bits (Marchal et al. 2022, eq. 5); NaN if there are none."""
        return float(entropy(self.n_final))

    @property
    def entropy_given(self) -> float:
        """Of all labels given to the same items, in bits."""
        return float(entropy(self.n_given))

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each category."""
        names = ("n_given", "share_given", "n_final", "share_final", "ratio")
        columns = {name: getattr(self, name).tolist() for name in names}
        return [
            {"category": category} | {name: columns[name][k] for name in names}
            for k, category in enumerate(self.categories)
        ]


@dataclass(frozen=True, eq=False)
class FinalItems(Result):
    """The final set of each item; several questions about an item are places of their own.

    Parameters
    ----------
    data : Annotations
    counts : Counts
    sets : tuple of tuple
        (F,) the final sets that occur, their labels in the order of the scheme.
    by_pattern, kind_by_pattern : ndarray of int
        (P,) position in ``sets`` and in `KINDS`; -1 with fewer than two annotations.
    """

    data: Annotations
    counts: Counts
    sets: tuple[tuple[Label, ...], ...]
    by_pattern: Ints
    kind_by_pattern: Ints

    @cached_property
    def code(self) -> Ints:
        """(I·Q,) position in ``sets``, -1 for an item with fewer than two annotations."""
        return np.append(self.by_pattern, -1)[self.counts.pattern_of]

    @cached_property
    def kind(self) -> Ints:
        """(I·Q,) position in `KINDS`, -1 for an item with fewer than two annotations."""
        return np.append(self.kind_by_pattern, -1)[self.counts.pattern_of]

    def of(self, position: int) -> tuple[Label, ...] | None:
        """The final set of an item; None with fewer than two annotations."""
        code = int(self.code[position])
        return None if code < 0 else self.sets[code]

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item with two annotations or more."""
        items, questions = self.data.items, self.data.questions
        names: list[Hashable] = items.tolist() if isinstance(items, np.ndarray) else list(items)
        chosen = np.flatnonzero(self.code >= 0)
        n = np.append(self.counts.size, 0)[self.counts.pattern_of[chosen]].tolist()
        return [
            {
                "item": names[place // len(questions)],
                "question": questions[place % len(questions)] or None,
                "n_annotations": m,
                "final": self.sets[code],
                "n_labels": len(self.sets[code]),
                "kind": KINDS[kind],
            }
            for place, m, code, kind in zip(
                chosen.tolist(),
                n,
                self.code[chosen].tolist(),
                self.kind[chosen].tolist(),
                strict=True,
            )
        ]


def final_labels(data: Annotations, counts: Counts, found: Intersections) -> FinalLabels:
    """The final labels of ``data``, of which ``counts`` are the counts."""
    _, members = held_labels(counts, found.labels)
    compared = found.code >= 0
    n_of_set = sums(found.code[compared], counts.times[compared], len(found.members))
    final = tuple(tuple(found.labels[k] for k in np.flatnonzero(row)) for row in found.members)
    none, one, several, empty = (int(counts.times @ (found.kind == k)) for k in range(len(KINDS)))
    return FinalLabels(
        found.labels,
        np.rint(counts.pool @ members).astype(int),
        np.rint(n_of_set @ found.members).astype(int),
        none,
        one,
        several,
        empty,
        FinalItems(data, counts, final, found.code, found.kind),
    )
