"""How many labels coders give, who gives more, and whose labels become the final ones.

Marchal et al. (2022, sec. 6 and 8): the coder who gives fewer labels decides what the coders have
in common, and frequent labels are more common among final labels than among all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..data.annotations import Annotations
from ..inference.exact_tests import sign_test
from ..measure.confusion import Pairs, two_by_two
from ..measure.final_labels import FinalLabels, Intersections, final_labels, intersections
from ..measure.registry import observed_agreement
from ..measure.sets import SCORES, DividedVote, OfSets, Score, label_sets
from ..measure.shares import entropy, given_by_coder, held_labels
from ..results import Record, Result
from ..scheme import Label
from .coder_pairs import busiest

FEW_SEVERAL = 0.05
MOST_PAIRED = 25  # coders that are compared two by two: 300 pairs


@dataclass(frozen=True)
class CoderSets(Record):
    """The label sets of one coder, or of all together.

    Parameters
    ----------
    coder : str or None
        None for all coders together.
    n_by_size : tuple of int
        How many annotations hold 0, 1, 2, … labels, up to the largest set of all coders.
    n_by_label : tuple of int
        How often each category of the scheme was given.
    n_final : int
        Items of the coder, annotated by others too, whose coders all share a label.
    n_decides : int
        Those of them where this coder's set is the final set and another coder's set is larger:
        it decides the label. Of all coders together: where somebody does.
    n_decides_alone : int
        Those where every other coder's set is larger.
    n_others_alone : int
        Items of the coder where another coder decides alone.
    """

    row_of = (
        "share_several mean_labels n_labels entropy entropy_share n_final n_decides share_decides "
        "n_decides_alone share_decides_alone n_others_alone"
    )

    coder: str | None
    n_by_size: tuple[int, ...]
    n_by_label: tuple[int, ...]
    n_final: int
    n_decides: int
    n_decides_alone: int
    n_others_alone: int = 0

    @property
    def n_annotations(self) -> int:
        """Number of annotations."""
        return sum(self.n_by_size)

    @property
    def n_labels(self) -> int:
        """Number of labels in all annotations."""
        return sum(self.n_by_label)

    @property
    def share_by_size(self) -> tuple[float, ...]:
        """Share of the annotations with 0, 1, 2, … labels."""
        return tuple(_ratio(n, self.n_annotations) for n in self.n_by_size)

    @property
    def share_several(self) -> float:
        """Share of the annotations with two labels or more."""
        return _ratio(sum(self.n_by_size[2:]), self.n_annotations)

    @property
    def mean_labels(self) -> float:
        """Mean number of labels of an annotation."""
        return _ratio(self.n_labels, self.n_annotations)

    @property
    def entropy(self) -> float:
        """Of the label distribution, in bits (eq. 5)."""
        return float(entropy(self.n_by_label))

    @property
    def entropy_share(self) -> float:
        """Entropy as a share of the largest one possible, log2 K: 0 to 1."""
        k = len(self.n_by_label)
        return self.entropy / math.log2(k) if k > 1 else math.nan

    @property
    def share_decides(self) -> float:
        """Share of the items with a common label on which the coder decides it."""
        return _ratio(self.n_decides, self.n_final)

    @property
    def share_decides_alone(self) -> float:
        """Share of the items with a common label on which the coder alone decides it."""
        return _ratio(self.n_decides_alone, self.n_final)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row; ``n_2`` and ``share_2`` speak of annotations with two labels."""
        row: dict[str, Any] = {"coder": self.coder, "n_annotations": self.n_annotations}
        for size, (n, share) in enumerate(zip(self.n_by_size, self.share_by_size, strict=True)):
            row |= {f"n_{size}": n, f"share_{size}": share}
        return [row | super().to_rows()[0]]


@dataclass(frozen=True)
class SetPair(Record):
    """Two coders on the items that both annotated.

    Parameters
    ----------
    first, second : str
    n_common : int
        Items that both annotated.
    n_more, n_same, n_fewer : int
        Those to which the first gave more labels, as many, fewer labels than the second.
    p_value : float
        Exact sign test of more against fewer; NaN if they never differ.
    precision, recall : float
        Observed: mean share of the first coder's labels that the second gave too, and of the
        second coder's that the first gave too. Of two coders the one who gives more labels has
        the smaller share.
    """

    first: str
    second: str
    n_common: int
    n_more: int
    n_same: int
    n_fewer: int
    p_value: float
    precision: float
    recall: float


@dataclass(frozen=True, eq=False)
class Structure(Result):
    """How many labels coders give, who gives more, and the final labels.

    Parameters
    ----------
    categories : tuple
        The categories of the scheme: the order of `CoderSets.n_by_label`.
    everybody : CoderSets
        All coders together.
    coders : tuple of CoderSets
        Each coder; empty if the coders are not known.
    pairs : tuple of SetPair
        Pairs of coders with common items; of the busiest coders if there are many.
    n_left_out : int
        Coders that are not compared two by two.
    final : FinalLabels
    augmented_most : float
        The highest observed agreement of augmented κ that sets of these sizes allow, reached if
        every two agreed as far as their sizes let them: two sets of two labels agree by 1/2.
    """

    categories: tuple[Label, ...]
    everybody: CoderSets
    coders: tuple[CoderSets, ...]
    pairs: tuple[SetPair, ...]
    n_left_out: int
    final: FinalLabels
    augmented_most: float = math.nan

    @property
    def largest(self) -> int:
        """Number of labels of the largest set."""
        return len(self.everybody.n_by_size) - 1

    @property
    def few_several(self) -> bool:
        """Whether sets are single labels for all that measures can tell; our convention: 5 %."""
        return self.everybody.share_several < FEW_SEVERAL

    @property
    def decider(self) -> CoderSets | None:
        """The coder who alone decides most often; None if nobody does."""
        best = max(self.coders, key=lambda c: c.n_decides_alone, default=None)
        return best if best and best.n_decides_alone else None

    @property
    def p_decides(self) -> float:
        """Exact sign test of this coder against all others together, on the coder's items."""
        who, several = self.decider, len(self.coders) > 1
        return sign_test(who.n_decides_alone, who.n_others_alone) if who and several else math.nan

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder, and one for all together (``coder`` is None)."""
        return [row for c in (*self.coders, self.everybody) for row in c.to_rows()]


def structure(data: Annotations, counts: Counts, vote: DividedVote | None = None) -> Structure:
    """The structure of label sets.

    Parameters
    ----------
    data : Annotations
    counts : Counts
        The counts of ``data``, whose values are sets.
    vote : DividedVote, optional
        The weights of augmented κ; by default each label has an equal part of the vote.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> data = read([["a,b", "a", "a"], ["a", "a", "b"]], separator=",")
    >>> found = structure(data, count(data))
    >>> [c.n_by_size for c in found.coders], found.final.n_one, found.decider.coder
    ([(0, 2, 1), (0, 3, 0)], 2, 'coder 2')
    """
    found = intersections(counts, data.scheme.categories)
    everybody, coders = _coders(counts, found, data.scheme.categories)
    shown = busiest(counts, MOST_PAIRED)
    vote = vote or DividedVote.of("divided-vote", counts.values)

    most = OfSets.of("observed", counts.values, _largest_vote(counts, vote))
    return Structure(
        data.scheme.categories,
        everybody,
        coders,
        _pairs(counts, [counts.coders[c] for c in shown]),
        counts.n_coders - len(shown),
        final_labels(data, counts, found),
        float(observed_agreement(counts, most)),
    )


def _largest_vote(counts: Counts, vote: DividedVote) -> Score:
    """The divided vote of two sets that share all labels of the smaller one, the ranks alike.

    With equal parts it is 1 / max(a, b).
    """
    size = label_sets(counts.values).size
    sizes, example = np.unique(size, return_index=True)
    parts = np.zeros((size.max(initial=0) + 1, vote.votes.shape[1]))
    parts[sizes] = np.sort(vote.votes[example], axis=1)
    most = parts @ parts.T
    most[0, 1:] = most[1:, 0] = 0  # the empty set agrees with itself only
    return lambda a, b, r: np.asarray(most[a, b])


# ------------------------------------------------------------------ each coder


def _coders(
    counts: Counts, found: Intersections, categories: tuple[Label, ...]
) -> tuple[CoderSets, tuple[CoderSets, ...]]:
    """All coders together, and each of them."""
    by_size, (_, members) = label_sets(counts.values).by_size(), held_labels(counts, categories)
    given = counts.sum_by_value(np.ones(counts.n_patterns))
    decides, alone = _deciding(counts, found)
    everybody = CoderSets(
        None,
        _ints(given @ by_size),
        _ints(given @ members),
        *(
            int(counts.times @ (found.found & (counts.sum_entries(x) > 0)))
            for x in (np.ones(len(counts.value)), decides, alone)
        ),
    )
    if counts.coder is None:
        return everybody, ()
    owner, value, n = given_by_coder(counts)
    sizes, labels = (_summed(owner, n, x[value], counts.n_coders) for x in (by_size, members))
    times = (counts.times * found.found)[counts.row]
    others = (counts.sum_entries(alone) > 0)[counts.row] & ~alone
    each = [sums(counts.coder, times * x, counts.n_coders) for x in (1, decides, alone, others)]
    return everybody, tuple(
        CoderSets(counts.coders[c], _ints(sizes[c]), _ints(labels[c]), *_ints([x[c] for x in each]))
        for c in range(counts.n_coders)
    )


def _deciding(counts: Counts, found: Intersections) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(E,) whether a set is the final one and another set is larger; whether all others are.

    What all coders share is part of every set, so a set of that size is the final set.
    """
    size = label_sets(counts.values).size[counts.value]
    equal = (size == found.size[counts.row]) & found.found[counts.row]
    n_equal = counts.sum_entries(equal * counts.n)
    larger = n_equal < counts.size
    return equal & larger[counts.row], equal & (larger & (n_equal == 1))[counts.row]


def _summed(owner: Ints, n: Floats, table: NDArray[Any], n_coders: int) -> Floats:
    """(C, W) sums of ``n`` x the columns of ``table`` (E, W) by owner; never (C, V)."""
    return np.array([sums(owner, n * column, n_coders) for column in table.T]).T


def _ints(x: Any) -> tuple[int, ...]:
    return tuple(round(float(n)) for n in x)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


# ------------------------------------------------------------------ two coders


def _pairs(counts: Counts, shown: Sequence[str]) -> tuple[SetPair, ...]:
    """The pairs of some coders that share an item."""
    if counts.coder is None:
        return ()
    return tuple(_pair(counts, *pair) for pair in two_by_two(counts, shown))


def _pair(counts: Counts, one: str, other: str, pairs: Pairs) -> SetPair:
    row, first, second = pairs
    times = counts.times[row]
    sets = label_sets(counts.values)
    packed = sets.packed
    a, b = sets.size[first], sets.size[second]
    r = np.bitwise_count(packed[first] & packed[second]).sum(-1, dtype=np.int64)
    more, same, fewer = (int(times @ x) for x in (a > b, a == b, a < b))
    mean = {k: float(times @ SCORES[k](a, b, r) / times.sum()) for k in ("precision", "recall")}
    return SetPair(
        one,
        other,
        int(times.sum()),
        more,
        same,
        fewer,
        sign_test(more, fewer),
        mean["precision"],
        mean["recall"],
    )
