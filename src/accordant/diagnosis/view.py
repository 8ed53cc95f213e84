"""What a diagnosis looks at: annotations of one question, and everything counted from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from ..counts.count import count
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..inference.categories import Categories, categories
from ..inference.margins import Indices, indices
from ..inference.measurement import fitting_weights
from ..measure.confusion import Confusion, contingencies, contingency, pooled_confusion, tabular
from ..measure.coverage import Coverage, coverage
from ..measure.distances import WeightsLike
from ..measure.registry import item_agreement
from ..measure.sets import DividedVote, unranked
from ..measure.weights import Weights
from ..scheme import Label, Scheme
from .category_merges import Merging, merging
from .causes import Causes, causes
from .coders import Coders, Consistency, coders, consistency
from .drift import Drift, drift
from .groups import Groups, groups
from .items import Items, items
from .label_sets import Structure, structure
from .levers import Levers, levers
from .pairs import CoderPairs, Direction, SetPairs, coder_pairs, directions, set_pairs
from .scores import Scores, scores
from .sequence import Sequence, sequence

__all__ = ["View", "orders"]

MOST_STEPS = 20  # of a numeric scale whose values are still categories

_View = TypeVar("_View", bound="View")


@dataclass(frozen=True, eq=False)
class View:
    """Annotations of one question, or of all pooled. Everything is computed when it is used.

    Parameters
    ----------
    question : str or None
        None for the pooled part, or if there is a single question without a name.
    data : Annotations
        The annotations of these questions.
    weights : WeightsLike or None
        None for those that fit the scale.
    level : float
        Confidence level of all intervals.
    order : str or None
        The metadata column (time, batch, position) that says in which order items were annotated,
        one for all coders (``'batch'``) or one for each (``'created_at'``, for the columns
        ``'ann: created_at'``, ``'bob: created_at'``); None for the order of the data.
    gold : str or None
        The coder whose labels count as right.
    """

    question: str | None
    data: Annotations
    weights: WeightsLike | None = None
    level: float = 0.95
    order: str | None = None
    gold: str | None = None

    def of_coders(self: _View, names: Iterable[str]) -> _View:
        """The same view of some coders only."""
        return replace(self, data=self.data.of_coders(names))

    @property
    def alpha(self) -> float:
        """Alpha with the weights that fit; of label sets by MASI."""
        return self.coders.alpha

    def stake_of(self, off: float) -> float:
        """By how much alpha would rise if so many annotations agreed with those of their item."""
        paired = self.counts.size >= 2
        d = 1 - item_agreement(self.counts, self.w)[paired]
        whole = float((self.counts.times * self.counts.size)[paired] @ d)
        share = min(1.0, 2 * max(0.0, float(off)) / whole) if whole else 0.0
        return max(0.0, float((1 - self.alpha) * share))

    @cached_property
    def scheme(self) -> Scheme:
        """The scheme of the question, or the union of all."""
        return self.data.scheme

    @property
    def continuous(self) -> bool:
        """Whether values are measurements, of which single ones are not looked at."""
        scales = ("interval", "ratio", "circular")
        return self.scheme.scale in scales and self.counts.n_values > MOST_STEPS

    @cached_property
    def counts(self) -> Counts:
        """The counted annotations; ranked labels are one set unless the weights use the ranks."""
        counts = count(self.data)
        return counts if self._by_rank else unranked(counts)

    @property
    def _by_rank(self) -> bool:
        """Whether the weights may look at the ranks of labels."""
        return callable(self.weights) or (isinstance(self.weights, str) and ":" in self.weights)

    @cached_property
    def w(self) -> Weights:
        """What counts as agreement of two annotations; of two label sets MASI."""
        if self.counts.of_sets:  # by identity most sets are as far apart as they can be
            return self.metric
        return fitting_weights(self.counts, self.scheme, self.weights)

    @cached_property
    def metric(self) -> Weights:
        """What counts as agreement for alpha."""
        return fitting_weights(self.counts, self.scheme, self.weights, metric=True)

    @cached_property
    def coverage(self) -> Coverage:
        """Who annotated what."""
        return coverage(self.data, self.counts)

    @cached_property
    def confusion(self) -> Confusion | None:
        """All pairs of annotations; None if there are too many values for a table."""
        return pooled_confusion(self.counts, labels=self._labels) if tabular(self.counts) else None

    @cached_property
    def confusions(self) -> tuple[Confusion, ...]:
        """The contingency table of each pair of coders, as far as they can be shown."""
        return contingencies(self.counts, labels=self._labels) if tabular(self.counts) else ()

    def contingency(self, first: str | None = None, second: str | None = None) -> Confusion:
        """The contingency table of two coders, of labels in the order of the scheme."""
        return contingency(self.counts, first, second, labels=self._labels)

    @property
    def _labels(self) -> tuple[Label, ...]:
        return self.scheme.categories

    @cached_property
    def indices(self) -> tuple[Indices, ...]:
        """What the margins do to kappa, for each pair of coders; of no use for label sets."""
        if self.counts.of_sets:
            return ()
        return tuple(indices(c, level=self.level) for c in self.confusions)

    @cached_property
    def directions(self) -> tuple[Direction, ...]:
        """Which way the coders of each pair differ, where one value is higher than another."""
        return directions(self.counts, self.scheme, self.question)

    @cached_property
    def categories(self) -> Categories:
        """Each category against the rest."""
        return categories(self.counts, level=self.level, labels=self._labels)

    @cached_property
    def coders(self) -> Coders:
        """Each coder."""
        return coders(self.counts, self.w, self.metric, self._labels)

    @cached_property
    def pairs(self) -> CoderPairs:
        """Each pair of coders."""
        return coder_pairs(self.counts, self.w)

    @cached_property
    def items(self) -> Items:
        """Each item."""
        return items(self.data, self.counts, self.w)

    @cached_property
    def levers(self) -> Levers:
        """What alpha would be if one thing were settled."""
        return levers(self.data, self.counts, self.weights, of=self.items)

    @cached_property
    def groups(self) -> Groups | None:
        """Groups of items by what is known about them; None if nothing is."""
        return groups(self.data, self.counts, self.w, self.metric)

    @cached_property
    def causes(self) -> Causes:
        """Why coders disagree."""
        return causes(self.data, self.counts, self.metric, self.coders, order=self.order)

    @cached_property
    def drift(self) -> Drift | None:
        """Agreement in the order of annotation."""
        return drift(self.data, self.counts, self.w, self.order)

    @cached_property
    def sequence(self) -> Sequence | None:
        """Whether the item before sways coders; None where the order is not known."""
        return sequence(self.data, self.counts, self.order)

    @cached_property
    def consistency(self) -> Consistency | None:
        """Contradictory answers to identical texts; None if no coder saw a text twice."""
        return consistency(self.data, self.counts, self.level)

    @cached_property
    def merging(self) -> Merging:
        """What alpha would be if two categories were one, and what that would cost."""
        return merging(self.counts, self.scheme, self.weights)

    @cached_property
    def scores(self) -> Scores | None:
        """Precision, recall and F1 of each coder against the gold coder, or else the others."""
        gold = self.gold if self.gold in self.counts.coders else None
        return scores(self.counts, gold=gold, labels=self._labels)

    @cached_property
    def structure(self) -> Structure | None:
        """Sizes of label sets, asymmetry and final labels; None for single labels."""
        if not self.counts.of_sets:
            return None
        vote = fitting_weights(self.counts, self.scheme, self.weights) if self._by_rank else None
        return structure(self.data, self.counts, vote if isinstance(vote, DividedVote) else None)

    @cached_property
    def set_pairs(self) -> SetPairs | None:
        """Boot-match, precision and recall of each pair of coders; None for single labels."""
        return set_pairs(self.counts, self.pairs) if self.counts.of_sets else None


def orders(data: Annotations) -> tuple[str, ...]:
    """The names that may say in which order items were annotated.

    Examples
    --------
    >>> from accordant import read
    >>> rows = [(1, "ann", "x", 9, "a"), (1, "bob", "y", 3, "a"), (2, "ann", "y", 5, "b")]
    >>> table = [dict(zip(("item", "coder", "label", "time", "batch"), r)) for r in rows]
    >>> orders(read(table))
    ('batch', 'time')
    """
    own = {f"{coder}: ": None for coder in data.coders}
    found = dict.fromkeys(name for name in data.metadata if not name.startswith(tuple(own)))
    for name in data.metadata:
        start = next((x for x in own if name.startswith(x)), None)
        if start is not None:
            found[name.removeprefix(start)] = None
    return tuple(found)
