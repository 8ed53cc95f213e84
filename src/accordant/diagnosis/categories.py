"""Agreement on each category: the category against all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.coefficients import COEFFICIENTS
from ..measure.results import Undefined
from ..measure.weights import Identity
from ..results import Result
from ..scheme import Label
from .against_rest import AgainstRest, labels_of
from .confusion import MOST_VALUES
from .estimate import Estimate, coefficient_of, ratio_of
from .held_labels import LabelOrder, held_labels
from .shares import distribution

__all__ = [
    "MOST_CATEGORIES", "Categories", "CategoryAgreement", "categories",
    "category_labels", "specific_agreement",
]  # fmt: skip

Floats = NDArray[np.float64]

MOST_CATEGORIES = 100  # the most frequent ones are broken down; the rest is counted
KEYS = ("percent", "pi", "kappa", "alpha", "ac")


@dataclass(frozen=True)
class CategoryAgreement(Result):
    """One category against all others.

    Parameters
    ----------
    category : Label
    n_annotations, share : int, float
        How often it was given, and its share of all annotations.
    n_items, n_disputed : int
        Items to which somebody gave it, and those of them on which others disagree.
    by_coder : tuple of int
        How often each coder gave it; empty if the coders are not known.
    specific, negative : Estimate
        If one coder gave it, how likely another one did (positive agreement); if one did not,
        how likely another did not (negative agreement).
    percent, pi, kappa, alpha, ac : Estimate
        Coefficients of the category against the rest, nominal.
    """

    category: Label
    n_annotations: int
    share: float
    n_items: int
    n_disputed: int
    by_coder: tuple[int, ...]
    specific: Estimate
    negative: Estimate
    percent: Estimate
    pi: Estimate
    kappa: Estimate
    alpha: Estimate
    ac: Estimate

    def to_rows(self) -> list[dict[str, Any]]:
        """One row; ``undefined`` says why there is no alpha."""
        row: dict[str, Any] = {
            "category": self.category,
            "n_annotations": self.n_annotations,
            "share": self.share,
            "n_items": self.n_items,
            "n_disputed": self.n_disputed,
        }
        for name in ("specific", "negative", *KEYS):
            row |= getattr(self, name).to_row(name)
        return [row | {"undefined": str(self.alpha.undefined) if self.alpha.undefined else None}]


@dataclass(frozen=True)
class Categories(Result):
    """Every category against the rest, in the order of the scheme.

    Parameters
    ----------
    rows : tuple of CategoryAgreement
        The categories that somebody used.
    unused : tuple
        Categories of the scheme that nobody used.
    left_out : int
        How many of the rarest used categories are not broken down.
    coders : tuple of str
        The coders of ``by_coder``.
    """

    rows: tuple[CategoryAgreement, ...]
    unused: tuple[Label, ...]
    left_out: int
    coders: tuple[str, ...]

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each used category."""
        return [row for r in self.rows for row in r.to_rows()]


def categories(
    counts: Counts,
    *,
    level: float = 0.95,
    most: int = MOST_CATEGORIES,
    labels: LabelOrder = None,
) -> Categories:
    """Break agreement down by category.

    Where annotations are sets of labels, a category stands against annotations without it;
    ``labels`` gives their order, and those that nobody used.
    Thousands of values are measurements, not categories, and are not broken down.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> data = read([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    >>> [(r.category, r.specific.value) for r in categories(count(data)).rows]
    [('a', 0.8), ('b', 0.6666666666666666)]
    """
    every = category_labels(counts, labels)
    n = distribution(counts, every).n
    used = np.flatnonzero(n)
    most = 0 if len(used) > MOST_VALUES else most
    shown = np.sort(used[np.argsort(-n[used], kind="stable")[:most]])
    against = AgainstRest(counts)
    rows = tuple(_category(against.of(every[k]), level) for k in shown)
    unused = tuple(every[k] for k in np.flatnonzero(n == 0))
    return Categories(rows, unused, len(used) - len(shown), counts.coders)


def category_labels(counts: Counts, labels: LabelOrder = None) -> tuple[Label, ...]:
    """The categories: the values, or the labels that the values are sets of."""
    if counts.of_sets:
        return held_labels(counts, labels)[0]
    return tuple(v for v in counts.values if not isinstance(v, tuple))


def specific_agreement(counts: Counts, code: int, *, level: float = 0.95) -> Estimate:
    """If one coder gave the value, how likely another coder of the item gave it too.

    For two coders the positive agreement 2a / (2a + b + c) of Cicchetti & Feinstein (1990); for
    any number of coders, some of them missing, Uebersax (1982): pairs with the value on both
    sides among pairs with it on one.
    """
    bare = counts.anonymous
    n = bare.sum_entries(bare.n * (bare.value == code))
    nothing = Undefined(
        "not_given", f"no coder gave {bare.values[code]!r} to an item that another annotated"
    )
    return ratio_of(bare, n * (n - 1), n * (bare.size - 1), nothing, level=level)


def _category(two: Counts, level: float) -> CategoryAgreement:
    """The breakdown of one category, from counts of it against the rest."""
    bare = two.anonymous
    given = bare.sum_entries(bare.n * bare.value)
    total = float(bare.times @ given)
    w = Identity("identity", 2)
    measured = {
        key: coefficient_of(COEFFICIENTS[key], two if key == "kappa" else bare, w, level=level)
        for key in KEYS
    }
    return CategoryAgreement(
        labels_of(two.values[1])[0],
        int(total),
        total / float(two.n_annotations),
        int(bare.times @ (given > 0)),
        int(bare.times @ ((given > 0) & (given < bare.size))),
        () if two.coder is None else tuple(int(n) for n in two.by_coder[:, 1]),
        specific_agreement(bare, 1, level=level),
        specific_agreement(bare, 0, level=level),
        **measured,
    )
