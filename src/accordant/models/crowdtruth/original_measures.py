"""The first CrowdTruth measures: clarity of items, ambiguity of categories, disagreement of coders.

Aroyo & Welty (2013). Nothing is weighted and nothing is iterated: the annotations of an item are
added to one vector, and everything is a cosine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..._version import __version__
from ...actions import Action
from ...arrays import Floats
from ...counts.row_keys import sums
from ...data.annotations import Annotations
from ...errors import RequestError
from ..question_results import Each
from .annotation_vectors import OfVectors, ScoreTable, Vectors, of_questions

__all__ = ["CrowdTruthOriginal", "crowdtruth_original"]

MOST = 5000  # categories whose similarities are a table


@dataclass(frozen=True, eq=False, repr=False)
class CrowdTruthOriginal(OfVectors):
    """Clarity of items, ambiguity of categories, disagreement of coders; by `crowdtruth_original`.

    I items, C coders, K categories. The names of Aroyo & Welty (2013) stand in brackets.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of this question.
    vectors : Vectors
        The annotations as vectors.
    """

    told_as: ClassVar[str] = "crowdtruth_original"

    @cached_property
    def _total(self) -> Floats:
        """(L,) the sum of all vectors of an item."""
        return sums(self.vectors.cell, self.vectors.share, len(self.vectors.cell_item))

    @cached_property
    def _score(self) -> Floats:
        """(L,) cosine of the sum of all vectors of an item with the category alone."""
        cell_item = self.vectors.cell_item
        return self._total / np.sqrt(np.bincount(cell_item, self._total**2))[cell_item]

    @cached_property
    def item_category(self) -> Floats:
        """(I, K) cosine of the sum of all vectors with that of the category alone.

        (sentence–relation score)
        """
        return self.vectors.table(self._score)

    @cached_property
    def item_clarity(self) -> Floats:
        """(I,) the highest score of a category of the item (sentence clarity): 1 if all agree."""
        found = np.zeros(len(self.items))
        np.maximum.at(found, self.vectors.cell_item, self._score)
        return found

    @cached_property
    def category_similarity(self) -> Floats:
        """(K, K) P(column | row): share of the items with the one that have the other too.

        An item has a category if a coder gave it (relation similarity). NaN if nobody did.
        """
        from scipy.sparse import csr_array

        v = self.vectors
        n_items, _, n = v.shape
        ones = np.ones(len(v.cell_item))
        held = csr_array((ones, (v.cell_category, v.cell_item)), shape=(n, n_items))
        together = (held @ held.T).toarray()
        alone = together.diagonal()[:, None]
        return np.where(alone > 0, together / np.where(alone > 0, alone, 1), np.nan)

    @cached_property
    def _others(self) -> Floats:
        """(K, K) similarity to other categories; −∞ to itself and of categories nobody gave."""
        found = np.nan_to_num(self.category_similarity, nan=-np.inf)
        np.fill_diagonal(found, -np.inf)
        return found

    @cached_property
    def category_ambiguity(self) -> Floats:
        """(K,) the highest similarity to another category (relation ambiguity)."""
        found = self._others.max(1, initial=-np.inf)
        return np.where(np.isfinite(found), found, np.nan)

    @cached_property
    def category_clarity(self) -> Floats:
        """(K,) the highest score that an item has of the category (relation clarity)."""
        found = np.full(len(self.categories), np.nan)
        np.fmax.at(found, self.vectors.cell_category, self._score)
        return found

    @cached_property
    def disagreement_with_items(self) -> Floats:
        """(C,) mean of 1 − cosine with the sum of the others (worker–sentence disagreement)."""
        v = self.vectors
        rest = self._total[v.reach_cell] - v.reach_share
        product = np.bincount(v.reach_row, v.reach_share * rest, len(v.item))
        own = np.sqrt(np.bincount(v.row, v.share**2, len(v.item)))
        other = np.sqrt(np.bincount(v.reach_row, rest**2, len(v.item)))
        shared = v.shared[v.item]
        apart = 1 - product[shared] / (own * other)[shared]
        return _over(sums(v.coder[shared], apart, len(v.coders)), v.n_shared)

    @cached_property
    def disagreement_with_coders(self) -> Floats:
        """(C,) mean of 1 − cosine with each other coder (worker–worker disagreement).

        First over the items that two share, then over the coders.
        """
        from scipy.sparse import csr_array

        v = self.vectors
        n_items, n_coders, _ = v.shape
        unit = v.share / np.sqrt(np.bincount(v.row, v.share**2))[v.row]
        shape = (n_coders, len(v.cell_item))
        given = csr_array((unit, (v.coder[v.row], v.cell)), shape=shape)
        annotated = csr_array((np.ones(len(v.item)), (v.coder, v.item)), shape=(n_coders, n_items))
        likeness, together = given @ given.T, (annotated @ annotated.T).tocsr()
        together.setdiag(0)
        together.eliminate_zeros()
        fellows: Any = np.diff(together.indptr)
        together.data = 1 / together.data
        alike = np.asarray(likeness.multiply(together).sum(1)).ravel()
        return _over(fellows - alike, fellows)

    @cached_property
    def labels_per_item(self) -> Floats:
        """(C,) how many labels the coder gives to an item (average annotations per sentence)."""
        v = self.vectors
        label = np.array([c != () for c in v.categories])[v.category]  # the empty set is none
        given = sums(v.coder[v.row[label]], v.share[label], len(v.coders))
        return given / np.maximum(v.per_coder, 1)

    # ------------------------------------------------------------------ tables

    @property
    def of_items(self) -> ScoreTable:
        """One row for each item."""
        v = self.vectors
        return ScoreTable(
            {"item": v.names[0], "clarity": self.item_clarity, "n_coders": v.per_item}
        )

    @property
    def of_coders(self) -> ScoreTable:
        """One row for each coder."""
        v = self.vectors
        return ScoreTable(
            {
                "coder": v.coders,
                "disagreement_with_items": self.disagreement_with_items,
                "disagreement_with_coders": self.disagreement_with_coders,
                "labels_per_item": self.labels_per_item,
                "n_items": v.per_coder,
                "n_shared_items": v.n_shared,
            }
        )

    @property
    def of_categories(self) -> ScoreTable:
        """One row for each category, with the one that it is most similar to."""
        texts = self.vectors.names[2]
        known = np.isfinite(self.category_ambiguity).tolist()
        nearest = self._others.argmax(1).tolist()
        return ScoreTable(
            {
                "category": texts,
                "clarity": self.category_clarity,
                "ambiguity": self.category_ambiguity,
                "most_similar": [
                    texts[k] if x else None for k, x in zip(nearest, known, strict=True)
                ],
                "n_annotations": self.vectors.per_category,
            }
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item, coder and category; what does not apply is None."""
        keys = (
            "clarity",
            "ambiguity",
            "disagreement_with_items",
            "disagreement_with_coders",
            "labels_per_item",
        )
        tables = self.of_items, self.of_coders, self.of_categories
        return [row for _, _, row in self.rows_of(*tables, keys=keys)]

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the measures."""
        return f"accordant {__version__} | crowdtruth 1.0 | data {self.data.fingerprint[:12]}"


def crowdtruth_original(data: Any, **reading: Any) -> CrowdTruthOriginal | Each[CrowdTruthOriginal]:
    """Clarity of items, ambiguity of categories and disagreement of coders (CrowdTruth 1.0)."""

    def measured(question: str | None, data: Annotations, found: Vectors) -> CrowdTruthOriginal:
        n = len(found.categories)
        if n > MOST:
            raise RequestError(
                f"there are {n:,} categories: these measures are for closed tasks, in which all "
                "items have the same few",
                do=[Action("crowdtruth", {"task": "open"}, "for an open task")],
            )
        return CrowdTruthOriginal(question, data, found)

    return of_questions(data, reading, measured)


def _over(x: Floats, n: Any) -> Floats:
    """Means; NaN of nothing, and no −0.000 by rounding."""
    return np.where(n > 0, np.maximum(x, 0) / np.maximum(n, 1), np.nan)
