"""The public call and the result: the first CrowdTruth measures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._version import __version__
from ...data.read import read
from ...diagnosis.words import label_text
from ...validation import checked
from ..each import Each
from ..votes import votes
from .of_vectors import OfVectors
from .original import Originals, originals
from .tables import ScoreTable, named
from .vectors import vectors

__all__ = ["CrowdTruthOriginal", "crowdtruth_original"]

Floats = NDArray[np.float64]


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
    measures : Originals
        All measures as arrays.
    """

    measures: Originals
    told_as: ClassVar[str] = "crowdtruth_original"

    @cached_property
    def item_category(self) -> Floats:
        """(I, K) cosine of the sum of all vectors with that of the category alone.

        (sentence–relation score)
        """
        n_items, _, n = self.vectors.shape
        table = np.zeros((n_items, n))
        table[self.vectors.cell_item, self.vectors.cell_category] = self.measures.cell_score
        return table

    @property
    def item_clarity(self) -> Floats:
        """(I,) the highest score of a category of the item (sentence clarity): 1 if all agree."""
        return self.measures.clarity

    @property
    def category_similarity(self) -> Floats:
        """(K, K) P(column | row): share of the items with the one that have the other too.

        An item has a category if a coder gave it (relation similarity). NaN if nobody did.
        """
        return self.measures.similarity

    @property
    def category_ambiguity(self) -> Floats:
        """(K,) the highest similarity to another category (relation ambiguity)."""
        return self.measures.ambiguity

    @property
    def category_clarity(self) -> Floats:
        """(K,) the highest score that an item has of the category (relation clarity)."""
        return self.measures.category_clarity

    @property
    def disagreement_with_items(self) -> Floats:
        """(C,) mean of 1 − cosine with the sum of the others (worker–sentence disagreement)."""
        return self.measures.with_items

    @property
    def disagreement_with_coders(self) -> Floats:
        """(C,) mean of 1 − cosine with each other coder (worker–worker disagreement).

        First over the items that two share, then over the coders.
        """
        return self.measures.with_coders

    @property
    def labels_per_item(self) -> Floats:
        """(C,) how many labels the coder gives to an item (average annotations per sentence)."""
        return self.measures.n_labels

    # ------------------------------------------------------------------ tables

    @property
    def of_items(self) -> ScoreTable:
        """One row for each item."""
        v = self.vectors
        return ScoreTable(
            {"item": named(v.items), "clarity": self.item_clarity, "n_coders": v.per_item}
        )

    @property
    def of_coders(self) -> ScoreTable:
        """One row for each coder."""
        v = self.vectors
        return ScoreTable({
            "coder": v.coders,
            "disagreement_with_items": self.disagreement_with_items,
            "disagreement_with_coders": self.disagreement_with_coders,
            "labels_per_item": self.labels_per_item,
            "n_items": v.per_coder,
            "n_shared_items": v.n_shared,
        })  # fmt: skip

    @property
    def of_categories(self) -> ScoreTable:
        """One row for each category, with the one that it is most similar to."""
        texts = list(map(label_text, self.categories))
        apart = np.nan_to_num(self.category_similarity, nan=-1)
        np.fill_diagonal(apart, -1)
        near = [
            None if np.isnan(x) else texts[k]
            for x, k in zip(self.category_ambiguity.tolist(), apart.argmax(1).tolist(), strict=True)
        ]
        return ScoreTable({
            "category": texts,
            "clarity": self.category_clarity,
            "ambiguity": self.category_ambiguity,
            "most_similar": near,
            "n_annotations": self.vectors.per_category,
        })  # fmt: skip

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item, coder and category; what does not apply is None."""
        keys = (
            "clarity", "ambiguity", "disagreement_with_items", "disagreement_with_coders",
            "labels_per_item",
        )  # fmt: skip
        parts = (
            ("item", self.of_items, self.vectors.per_item),
            ("coder", self.of_coders, self.vectors.per_coder),
            ("category", self.of_categories, self.vectors.per_category),
        )
        return [
            {
                "question": self.question,
                "of": of,
                "name": row[of],
                **{key: row.get(key) for key in keys},
                "n_annotations": n,
            }
            for of, table, counts in parts
            for row, n in zip(table.to_rows(), counts.tolist(), strict=True)
        ]

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the measures."""
        return f"accordant {__version__} | crowdtruth 1.0 | data {self.data.fingerprint[:12]}"


@checked
def crowdtruth_original(data: Any, **reading: Any) -> CrowdTruthOriginal | Each[CrowdTruthOriginal]:
    """Clarity of items, ambiguity of categories and disagreement of coders (CrowdTruth 1.0)."""
    annotations = read(data, **reading)
    found = []
    for question in annotations.questions:
        own = annotations.of_question(question)
        seen = vectors(votes(own))
        found.append(CrowdTruthOriginal(question or None, own, seen, originals(seen)))
    return found[0] if len(found) == 1 else Each(tuple(found))
