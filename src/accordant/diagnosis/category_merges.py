"""What merging two categories would do to agreement, and what it would cost.

Merging always raises percent agreement, and it is never free: what the two categories told apart
is told no more. Alpha is 1 - D_o / D_e. Merging takes a part of both, so it rises only where the
two are confused more than their prevalence explains.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..counts.counts import Counts
from ..inference.categories import labels_of
from ..measure.coefficients import find
from ..measure.confusion import pooled_confusion, tabular
from ..measure.distances import WeightsLike, weights_for
from ..measure.registry import observed_agreement
from ..measure.results import Undefined
from ..measure.shares import distribution
from ..numbers import count_of, joined, points, tied
from ..results import Record, Result
from ..scheme import Label, Scheme, Value
from .levers import Yardstick
from .words import label_text, listed, quoted, worded

__all__ = ["MOST", "Merge", "Merging", "merged", "merging"]

MOST = 60  # pairs of categories that are tried: those most often confused


@dataclass(frozen=True)
class Merge(Record):
    """Two categories read as one.

    Parameters
    ----------
    first, second : Label
        Categories.
    before, after : float
        The coefficient; NaN where undefined.
    percent_before, percent_after : float
        How often two coders give the same value.
    percent_expected : float
        What percent agreement would be if the two were confused only as often as their
        prevalence explains: disagreements then fall on pairs of categories as chance would have
        it, and alpha does not change. NaN for sets of labels: two sets that differ in several
        labels do not say which pair of them the disagreement belongs to.
    bits_before, bits_after : float
        Entropy of the labels: what they tell.
    n_given_up : int
        Pairs of annotations that agreed on one of the two, and would no longer be told from
        those that agreed on the other.
    n_categories : int
        Categories that are left of those in use.
    undefined : Undefined or None
        Why there is no coefficient after.
    """

    row_of = (
        "first second before after gain percent_before percent_after percent_expected bits_before "
        "bits_lost share_lost n_given_up n_categories undefined"
    )

    first: Label
    second: Label
    before: float
    after: float
    percent_before: float
    percent_after: float
    percent_expected: float
    bits_before: float
    bits_after: float
    n_given_up: int
    n_categories: int
    undefined: Undefined | None = None
    symbol: str = "α"

    @property
    def gain(self) -> float:
        """How much the coefficient rises."""
        return self.after - self.before

    @property
    def bits_lost(self) -> float:
        """Information that the labels no longer give."""
        return self.bits_before - self.bits_after

    @property
    def share_lost(self) -> float:
        """The same as a share of what they gave."""
        return self.bits_lost / self.bits_before if self.bits_before > 0 else math.nan

    @property
    def sentence(self) -> str:
        """What is gained and what is lost."""
        if math.isnan(self.after):
            return f"Merging {listed((self.first, self.second))} is {self.no_way_out}."
        expected = self.percent_expected - self.percent_before
        anyway = f"; two of their size bring {points(expected)} anyway"
        return worded(
            "Merging {pair} {verb} {m.symbol} from {m.before:.3} to {m.after:.3}. Percent "
            "agreement changes by {rise} points{anyway}. It costs {m.share_lost:%} of what the "
            "labels tell ({m.bits_lost:.2} of {m.bits_before:.2} bits): {m.n_given_up:pair} of "
            "annotations that {m.n_given_up:agrees|agree} on one of the two could no longer be "
            "told from those that agree on the other, and {m.n_categories:category} "
            "{m.n_categories:is|are} left.",
            {
                "m": self,
                "verb": "raises" if self.gain > 0 else "lowers",
                "pair": listed((self.first, self.second)),
                "rise": points(self.percent_after - self.percent_before),
                "anyway": "" if math.isnan(expected) else anyway,
            },
        )

    @property
    def no_way_out(self) -> str:
        """Why there is no coefficient after; empty if there is one."""
        if not math.isnan(self.after):
            return ""
        why = "merging leaves one category" if self.n_categories == 1 else str(self.undefined)
        return f"no way out: {why.rstrip('.')}"


@dataclass(frozen=True, eq=False)
class Merging(Result):
    """Every two confused categories merged, what raises the coefficient most first.

    Parameters
    ----------
    merges : tuple of Merge
        Each by itself.
    yardstick : Yardstick
        The coefficient.
    reason : str
        Why no categories are merged, or which pairs were left out; empty if neither.
    """

    merges: tuple[Merge, ...]
    yardstick: Yardstick
    reason: str = ""

    def __iter__(self) -> Iterator[Merge]:
        return iter(self.merges)

    def __len__(self) -> int:
        return len(self.merges)

    @property
    def expects(self) -> bool:
        """Whether it is known what two categories of their size bring anyway."""
        return any(not math.isnan(merge.percent_expected) for merge in self.merges)

    @property
    def no_ways_out(self) -> tuple[str, ...]:
        """A sentence for each reason why merges leave no coefficient, naming these."""
        named: dict[str, list[str]] = {}
        for merge in self.merges:
            if merge.no_way_out:
                pair = f"{quoted(merge.first)} with {quoted(merge.second)}"
                named.setdefault(merge.no_way_out, []).append(pair)
        return tuple(f"{joined(pairs, most=5)}: {why}." for why, pairs in named.items())

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each pair."""
        return [row for merge in self.merges for row in merge.to_rows()]


def merging(
    counts: Counts,
    scheme: Scheme,
    weights: WeightsLike | None = None,
    *,
    coefficient: str = "alpha",
) -> Merging:
    """What merging categories would do, for every two that are confused.

    Only names can be merged. Two steps of a scale leave a scale whose distances somebody has to
    decide on, and so do weights of one's own; then there is nothing but a reason.

    Parameters
    ----------
    counts : Counts
    scheme : Scheme
    weights : str, array_like, callable or Distance, optional
        By default those that fit the scale.
    coefficient : str
        What is to rise.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> data = read([list("aaabbbcccd"), list("aababbcccd")])
    >>> found = merging(count(data), data.scheme).merges[0]
    >>> found.first, found.second, found.n_given_up, found.n_categories
    ('a', 'b', 4, 3)
    >>> print(f"{found.before:.3f} to {found.after:.3f} for {found.bits_lost:.2f} bits")
    0.736 to 1.000 for 0.60 bits
    """
    yardstick = Yardstick(find(coefficient), scheme, weights)
    reason = _reason(counts, scheme, weights)
    if reason:
        return Merging((), yardstick, reason)
    parts = yardstick.parts(counts)
    if math.isnan(float(parts.value)):
        why = yardstick.undefined(counts, parts)
        return Merging((), yardstick, f"{yardstick.coefficient.name} is undefined: {why}.")
    found, n_confused = _every(yardstick, counts)
    if n_confused > len(found):
        pairs = count_of(n_confused - len(found), "further pair")
        reason = f"The {len(found)} most confused pairs are shown; {pairs} left out."
    return Merging(tuple(sorted(found, key=_merit)), yardstick, reason)


def _reason(counts: Counts, scheme: Scheme, weights: WeightsLike | None) -> str:
    """Why categories cannot be merged; empty if they can."""
    if not tabular(counts):
        return "There are too many values to merge any two of them."
    if not counts.of_sets and weights is None and scheme.scale != "nominal":
        return (
            f"On the {scheme.scale} scale categories stand at distances, and merging two of them "
            "needs a decision on the new ones."
        )
    named = isinstance(weights, str) and ":" not in weights
    if weights is None or (named and (counts.of_sets or _w(counts, weights) == "identity")):
        return ""
    return "The weights say how far categories are apart, and not how far merged ones would be."


def _w(counts: Counts, weights: WeightsLike) -> str:
    return weights_for(weights, counts).name


def _merit(merge: Merge) -> tuple[bool, float, float]:
    """What raises the coefficient most comes first, with equal gains what costs least."""
    return math.isnan(merge.gain), -tied(merge.gain), tied(merge.bits_lost)


def _every(yardstick: Yardstick, counts: Counts) -> tuple[list[Merge], int]:
    """Each of the most confused pairs merged by itself, and how many pairs are confused."""
    bare, found = yardstick.view(counts), []
    table = pooled_confusion(counts, labels=yardstick.scheme.categories)
    names = tuple(v for v in table.values if not isinstance(v, tuple))
    labels, k = distribution(counts, names), len(names)
    before, percent = float(yardstick.parts(counts).value), _percent(bare)
    agreed = dict(zip(names, np.diag(table.table) / 2, strict=False))
    pairs: list[Any] = table.mix_ups(MOST)
    for a, b, _, _ in pairs:
        after = merged(bare, a, b)
        parts = yardstick.parts(after)
        merge = Merge(
            first=a,
            second=b,
            before=before,
            after=float(parts.value),
            percent_before=percent,
            percent_after=_percent(after),
            percent_expected=percent + (1 - percent) * _share_of_chance(bare, a, b),
            bits_before=labels.entropy,
            bits_after=distribution(after).entropy,
            n_given_up=round(agreed[a] + agreed[b]),
            n_categories=int(np.count_nonzero(labels.n)) - 1,
            undefined=yardstick.undefined(after, parts),
            symbol=yardstick.coefficient.symbol,
        )
        found.append(merge)
    return found, int(np.count_nonzero(np.triu(table.table[:k, :k], 1)))


def _share_of_chance(counts: Counts, a: Label, b: Label) -> float:
    """Of the disagreement, if it falls on pairs of categories as chance has it; NaN for sets.

    A pair has the share 2 n_a n_b / (n^2 - sum of n_k^2) of the expected disagreement of alpha;
    without as much of the observed one alpha stays where it is.
    """
    if counts.of_sets:
        return math.nan
    pool = counts.pool
    n_a, n_b = (pool[counts.values.index(x)] for x in (a, b))
    return float(2 * n_a * n_b / (pool.sum() ** 2 - pool @ pool))


def _percent(counts: Counts) -> float:
    w = weights_for("identity", counts)
    return float(observed_agreement(counts, w))


def merged(counts: Counts, a: Label, b: Label) -> Counts:
    """The counts with one category for two, which stands where the first of them stood.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([["a,b", "a", "c"], ["a,c", "b", "b"]], separator=","))
    >>> merged(counts, "a", "b").values
    (('a / b',), ('c',), ('a / b', 'c'))
    """
    name = f"{label_text(a)} / {label_text(b)}"
    taken = {x for value in counts.values for x in labels_of(value)}
    while name in taken:
        name = f"({name})"
    renamed = [_renamed(value, (a, b), name) for value in counts.values]
    keys = [frozenset(v) if isinstance(v, tuple) else v for v in renamed]
    code = {key: k for k, key in enumerate(dict.fromkeys(keys))}
    first = dict(zip(reversed(keys), reversed(renamed), strict=True))
    return counts.merged(np.array([code[key] for key in keys]), tuple(first[key] for key in code))


def _renamed(value: Value, two: tuple[Label, Label], name: str) -> Value:
    if not isinstance(value, tuple):
        return name if value in two else value
    return tuple(dict.fromkeys(name if x in two else x for x in value))
