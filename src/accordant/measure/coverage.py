"""Who annotated what: coverage, gaps, and how the labels are distributed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..counts.count import count
from ..counts.counts import Counts
from ..counts.tables import n_groups
from ..data.annotations import Annotations
from ..results import Record
from ..scheme import Value
from .shares import Distribution, coder_entropy, distribution, labels_by_coder


@dataclass(frozen=True)
class CoderCoverage(Record):
    """What one coder annotated.

    ``share`` is that of all annotated items, ``n_alone`` counts items nobody else annotated,
    ``n_values`` the labels it used; ``top`` is the label given most often (None if it gave none),
    ``top_share`` to which share of its items.
    """

    coder: str
    n_items: int
    share: float
    n_alone: int
    n_values: int
    entropy: float
    top: Any
    top_share: float


@dataclass(frozen=True, eq=False)
class Coverage(Record):
    """Who annotated what, for one question or pooled.

    Parameters
    ----------
    question : str or None
    counts : Counts
    n_items : int
        Items of the data (times questions, if pooled).
    statuses : dict
        How often each status of an annotation occurs.
    distribution : Distribution
        The labels of all coders together.
    """

    row_of = (
        "question n_items n_annotated n_pairable n_single n_empty n_coders n_annotations "
        "missing_share"
    )

    question: str | None
    counts: Counts
    n_items: int
    statuses: dict[str, int]
    distribution: Distribution

    @property
    def n_annotated(self) -> int:
        """Items with at least one annotation."""
        return int(self.counts.n_items)

    @property
    def n_pairable(self) -> int:
        """Items with at least two annotations."""
        return int(self.counts.n_pairable)

    @property
    def n_single(self) -> int:
        """Items with one annotation."""
        return self.n_annotated - self.n_pairable

    @property
    def n_empty(self) -> int:
        """Items without an annotation."""
        return self.n_items - self.n_annotated

    @property
    def n_coders(self) -> int:
        """Coders with at least one annotation."""
        return self.counts.n_coders

    @property
    def n_annotations(self) -> int:
        """Annotations that enter agreement."""
        return int(self.counts.n_annotations)

    @property
    def missing_share(self) -> float:
        """Share of annotated items x coders without an annotation."""
        cells = self.n_annotated * self.n_coders
        return 1 - self.n_annotations / cells if cells else float("nan")

    @property
    def mean_labels(self) -> float:
        """Mean number of labels of an annotation."""
        n = self.n_annotations
        return float(self.distribution.n.sum()) / n if n else float("nan")

    @cached_property
    def per_item(self) -> list[tuple[int, int]]:
        """(number of annotations, number of items), for items without one too."""
        n = np.bincount(self.counts.size, weights=self.counts.times)
        found = [(m, int(times)) for m, times in enumerate(n) if times]
        return [(0, self.n_empty), *found] if self.n_empty else found

    @cached_property
    def coders(self) -> tuple[CoderCoverage, ...]:
        """What each coder annotated; empty if the coders are not known."""
        return _coders(self.counts, self.distribution.values)

    @cached_property
    def n_groups(self) -> int:
        """Groups of coders that share no item with each other, not even through others."""
        return n_groups(self.counts)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row; how many labels an annotation holds only where it may hold several."""
        row = super().to_rows()[0] | {
            "n_values": len(self.distribution.values),
            "entropy": self.distribution.entropy,
            "statuses": ", ".join(f"{n:,} {s}" for s, n in self.statuses.items()),
        }
        return [row | ({"mean_labels": self.mean_labels} if self.counts.of_sets else {})]


def coverage(data: Annotations, counts: Counts | None = None) -> Coverage:
    """Who annotated what; several questions count together.

    Examples
    --------
    >>> from accordant import read
    >>> found = coverage(read([["a", "b", None], ["a", "b", "b"]]))
    >>> found.per_item, found.n_single, [c.n_items for c in found.coders]
    ([(1, 1), (2, 2)], 1, [2, 3])
    """
    counts = count(data) if counts is None else counts
    name = (data.questions[0] or None) if len(data.questions) == 1 else None
    n_items = len(data.items) * len(data.questions)
    shown = distribution(counts, data.scheme.categories)
    return Coverage(name, counts, n_items, data.statuses(), shown)


def _coders(counts: Counts, labels: tuple[Value, ...]) -> tuple[CoderCoverage, ...]:
    if counts.coder is None:
        return ()
    times = counts.times[counts.row]
    n = np.bincount(counts.coder, weights=times, minlength=counts.n_coders)
    alone = np.bincount(
        counts.coder, weights=times * (counts.size == 1)[counts.row], minlength=counts.n_coders
    )
    owner, label, given = labels_by_coder(counts, labels)  # type: ignore[arg-type]
    used = np.bincount(owner, minlength=counts.n_coders)
    order = np.lexsort((-given, owner))
    first = np.searchsorted(owner[order], np.arange(counts.n_coders))
    best = np.append(order, -1)[first]  # -1: sets without a label only, at the end
    names, most = (*labels, None), np.append(given, 0)
    top = np.where(used > 0, np.append(label, -1)[best], -1)
    bits = coder_entropy(counts)
    return tuple(
        CoderCoverage(
            counts.coders[c],
            int(n[c]),
            float(n[c] / counts.n_items),
            int(alone[c]),
            int(used[c]),
            float(bits[c]),
            names[top[c]],
            float(most[best[c]] / n[c]) if used[c] else 0.0,
        )
        for c in range(counts.n_coders)
    )
