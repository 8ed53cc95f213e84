"""The scores of CrowdTruth 2.0 of one question, with what is undefined and why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..._version import __version__
from ...diagnosis.finding import Finding
from ...diagnosis.words import label_text
from .of_vectors import OfVectors
from .remarks import remarks
from .rounds import FLOOR, Scores
from .tables import ScoreTable, named

__all__ = ["CrowdTruth", "Task"]

Floats = NDArray[np.float64]
Task: TypeAlias = Literal["closed", "open"]

ALONE = "one coder only annotated it"
NOBODY = "no other coder annotated any of the coder's items"
UNUSED = "nobody gave it: the score is the floor of CrowdTruth"
OPEN = "categories have no quality in an open task"


@dataclass(frozen=True, eq=False, repr=False)
class CrowdTruth(OfVectors):
    """Quality of items, coders and categories, each judged by the others; made by `crowdtruth`.

    I items, C coders, K categories. Every score is from 0 to 1. CrowdTruth's own abbreviations
    stand in brackets.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of this question.
    vectors : Vectors
        The annotations as vectors.
    task : {'closed', 'open'}
        Whether the categories are the same for all items.
    tolerance : float
        The change at which to stop.
    scores, first : Scores
        After the last round, and after the first, in which everybody counts the same (what
        CrowdTruth calls initial).
    change : float
        The largest change in the last round.
    n_iterations : int
        How many rounds there were.
    """

    task: Task
    tolerance: float
    scores: Scores
    first: Scores
    change: float
    n_iterations: int
    told_as: ClassVar[str] = "crowdtruth"

    @property
    def converged(self) -> bool:
        """Whether the rounds ended because no score changed by as much as ``tolerance``."""
        return self.change < self.tolerance

    # ------------------------------------------------------------------ scores

    @cached_property
    def item_quality(self) -> Floats:
        """(I,) how much the coders of an item agree (UQS); NaN where there is one coder only."""
        return np.where(self.vectors.shared, self.scores.item, np.nan)

    @cached_property
    def coder_quality(self) -> Floats:
        """(C,) ``agreement_with_coders`` x ``agreement_with_items`` (WQS).

        NaN for a coder none of whose items another coder annotated. Low quality is disagreement
        with others, be it by mistake or by conviction.
        """
        return self._of_coders(self.scores.coder)

    @cached_property
    def agreement_with_coders(self) -> Floats:
        """(C,) mean likeness to each other coder of the same items (WWA)."""
        return self._of_coders(self.scores.with_coders)

    @cached_property
    def agreement_with_items(self) -> Floats:
        """(C,) mean likeness to all other coders of an item taken together (WUA, or WSA)."""
        return self._of_coders(self.scores.with_items)

    @cached_property
    def category_quality(self) -> Floats:
        """(K,) how probably a coder gives the category where another one gave it (AQS).

        NaN in an open task; 1e-8, the floor of CrowdTruth, for a category that nobody gave.
        """
        if self.task == "open":
            return np.full(len(self.categories), np.nan)
        return self.scores.category

    @cached_property
    def item_category(self) -> Floats:
        """(I, K) share of an item's coders who gave the category, weighted by quality (UAS).

        0 where all coders of the item have quality 0, and NaN where nothing is known of them.
        """
        n_items, _, n = self.vectors.shape
        cells = self.vectors.cell_item.astype(np.int64) * n + self.vectors.cell_category
        found = np.zeros(n_items * n)
        found[cells] = self._cell_scores(self.scores.coder)
        table = found.reshape(n_items, n)
        table[self._unknown_items] = np.nan
        return table

    def _cell_scores(self, weight: Floats) -> Floats:
        """(L,) weighted share of each cell."""
        v = self.vectors
        given = np.bincount(v.cell, weight[v.coder[v.row]] * v.share, len(v.cell_item))
        every = np.bincount(v.item, weight[v.coder], len(v.items))
        return np.asarray(given / np.maximum(every, FLOOR)[v.cell_item])

    @cached_property
    def _unknown_items(self) -> NDArray[np.bool_]:
        """(I,) items of which no coder has a quality."""
        v = self.vectors
        known = (v.n_shared > 0)[v.coder]
        return np.asarray(np.bincount(v.item[known], minlength=len(v.items)) == 0)

    def _of_coders(self, x: Floats) -> Floats:
        return np.where(self.vectors.n_shared > 0, x, np.nan)

    # ------------------------------------------------------------------ tables

    @property
    def of_items(self) -> ScoreTable:
        """One row for each item: its quality, in the end and after the first round."""
        v = self.vectors
        return ScoreTable({
            "item": named(v.items),
            "quality": self.item_quality,
            "first_quality": np.where(v.shared, self.first.item, np.nan),
            "n_coders": v.per_item,
            "undefined": [None if x else ALONE for x in v.shared.tolist()],
        })  # fmt: skip

    @property
    def of_coders(self) -> ScoreTable:
        """One row for each coder: quality and its two factors."""
        v = self.vectors
        return ScoreTable({
            "coder": v.coders,
            "quality": self.coder_quality,
            "agreement_with_coders": self.agreement_with_coders,
            "agreement_with_items": self.agreement_with_items,
            "first_quality": self._of_coders(self.first.coder),
            "n_items": v.per_coder,
            "n_shared_items": v.n_shared,
            "undefined": [None if n else NOBODY for n in v.n_shared.tolist()],
        })  # fmt: skip

    @property
    def of_categories(self) -> ScoreTable:
        """One row for each category: its quality."""
        n = self.vectors.per_category
        return ScoreTable({
            "category": list(map(label_text, self.categories)),
            "quality": self.category_quality,
            "n_annotations": n,
            "undefined": [
                OPEN if self.task == "open" else None if k else UNUSED for k in n.tolist()
            ],
        })  # fmt: skip

    @property
    def of_item_categories(self) -> ScoreTable:
        """One row for each item and category that a coder gave it: weighted and plain share."""
        v = self.vectors
        order = np.lexsort((v.cell_category, v.cell_item))
        items, texts = named(v.items), list(map(label_text, v.categories))
        score = self._cell_scores(self.scores.coder)
        score[self._unknown_items[v.cell_item]] = np.nan
        return ScoreTable({
            "item": [items[i] for i in v.cell_item[order].tolist()],
            "category": [texts[k] for k in v.cell_category[order].tolist()],
            "score": score[order],
            "share": self._cell_scores(np.ones(len(v.coders)))[order],
        })  # fmt: skip

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item, coder and category: its quality and what this rests on."""
        v, nothing = self.vectors, (None, None)
        pairs = zip(
            self.agreement_with_coders.tolist(), self.agreement_with_items.tolist(), strict=True
        )
        parts = (
            ("item", "UQS", named(v.items), self.of_items, v.per_item.tolist(), None),
            ("coder", "WQS", list(v.coders), self.of_coders, v.per_coder.tolist(), list(pairs)),
            ("category", "AQS", list(map(label_text, v.categories)), self.of_categories,
             v.per_category.tolist(), None),
        )  # fmt: skip
        return [
            {
                "question": self.question,
                "of": of,
                "name": name,
                "quality": row["quality"],
                "agreement_with_coders": with_coders,
                "agreement_with_items": with_items,
                "n_annotations": n,
                "crowdtruth": short,
                "undefined": row["undefined"],
            }
            for of, short, names, table, counts, factors in parts
            for name, row, n, (with_coders, with_items) in zip(
                names, table.to_rows(), counts, factors or [nothing] * len(names), strict=True
            )
        ]

    # ------------------------------------------------------------------ shown

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of these scores must know."""
        return remarks(
            self.question, self.vectors, self.scores, self.n_iterations, self.converged,
            self.change,
        )  # fmt: skip

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the scores."""
        return (
            f"accordant {__version__} | crowdtruth 2.0: {self.task}; tolerance {self.tolerance:g} "
            f"| data {self.data.fingerprint[:12]}"
        )


def _mean(x: Floats) -> float:
    known = x[~np.isnan(x)]
    return float(known.mean()) if len(known) else float("nan")
