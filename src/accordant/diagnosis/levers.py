"""What agreement would be if one thing were settled: where to begin, and what it brings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..errors import RequestError
from ..inference.measurement import compared
from ..measure.coefficients import find
from ..measure.confusion import pooled_confusion, tabular
from ..measure.distances import WeightsLike
from ..measure.registry import Coefficient, Parts
from ..measure.results import Undefined
from ..measure.undefined import why_undefined
from ..measure.weights import Identity, Weights
from ..numbers import count_of, decimal, joined, tied
from ..results import Result
from ..scheme import Label, Scheme
from .groups import FEW_ITEMS
from .items import Items
from .items import items as each_item
from .pairs import busiest
from .projection import KINDS, Edit, Kind, Lever, Places, Settling

__all__ = ["CEILING", "MOST", "WORDS", "Levers", "Step", "Trial", "Yardstick", "levers"]

Bools = NDArray[np.bool_]

MOST_WORK = 40_000_000  # entries that are gone through: one to two seconds
PAIRS_PER_ENTRY = 10  # so many pairs of sets are compared while one entry is gone through


@dataclass(frozen=True)
class Step(Result):
    """One thing settled, and what that does.

    Parameters
    ----------
    lever : Lever
        What is settled.
    n_items : int
        Items on which an annotation changes: as many have to be discussed.
    n_settled : int
        Pairs of annotations that differed and are now the same.
    before, after : float
        The coefficient; NaN where undefined.
    undefined : Undefined or None
        Why there is no value after.
    """

    lever: Lever
    n_items: int
    n_settled: int
    before: float
    after: float
    undefined: Undefined | None = None

    @property
    def kind(self) -> Kind:
        """Of the lever."""
        return self.lever.kind

    @property
    def name(self) -> str:
        """Of the lever, in words."""
        return self.lever.name

    @property
    def gain(self) -> float:
        """How much the coefficient rises."""
        return self.after - self.before

    @property
    def gain_per_ten(self) -> float:
        """How much it rises for every ten items that have to be discussed."""
        return 10 * self.gain / self.n_items if self.n_items else math.nan

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "kind": self.kind,
                "settled": self.name,
                "n_items": self.n_items,
                "n_settled": self.n_settled,
                "before": self.before,
                "after": self.after,
                "gain": self.gain,
                "gain_per_ten_items": self.gain_per_ten,
                "undefined": str(self.undefined) if self.undefined else None,
            }
        ]


@dataclass(frozen=True, eq=False)
class Yardstick:
    """One coefficient of counts that change.

    Parameters
    ----------
    coefficient : Coefficient
    scheme : Scheme
    weights : WeightsLike or None
        None for those that fit the scale.
    """

    coefficient: Coefficient
    scheme: Scheme
    weights: WeightsLike | None = None
    _kept: dict[str, tuple[Any, Weights]] = field(default_factory=dict, repr=False)

    def parts(self, counts: Counts) -> Parts:
        """A_o, A_e and the value."""
        known = self._kept.get("w")
        if known is not None and known[0] is counts.values:
            return self.coefficient.parts(counts, known[1])
        values = counts.values
        counts, w = compared(self.coefficient, counts, self.scheme, self.weights)
        if counts.values is values and w.name != "ordinal-metric":  # whose distances are the pool's
            self._kept["w"] = values, w
        return self.coefficient.parts(counts, w)

    def view(self, counts: Counts) -> Counts:
        """Counts that know no more than the coefficient needs: fewer patterns."""
        counts, w = compared(self.coefficient, counts, self.scheme, self.weights)
        return self.coefficient.view(counts, w)[0]

    def undefined(self, counts: Counts, parts: Parts) -> Undefined | None:
        """Why there is no value."""
        return why_undefined(self.coefficient, counts, float(parts.observed), float(parts.expected))


@dataclass(frozen=True, eq=False)
class Trial:
    """Counts on which levers are tried, each by itself."""

    yardstick: Yardstick
    counts: Counts
    ranked: bool

    @cached_property
    def _settling(self) -> Settling:
        return Settling(self.counts, self.yardstick.scheme.categories, self.ranked)

    @cached_property
    def _before(self) -> tuple[float, float]:
        """The coefficient, and the number of pairs of annotations that differ."""
        return float(self.yardstick.parts(self.counts).value), _n_different(self.counts)

    @property
    def room(self) -> int:
        """How many levers of each kind there is time for."""
        n_sets = self.counts.n_values if self.counts.of_sets else 0
        work = len(self.counts.value) + n_sets**2 // PAIRS_PER_ENTRY
        return max(1, MOST_WORK // (len(KINDS) * max(1, work)))

    def of(self, lever: Lever, chosen: Bools | None) -> tuple[Step, Edit]:
        """What a lever does."""
        edit = self._settling.edit(lever, chosen)
        value, different = self._before
        parts = self.yardstick.parts(edit.after)
        n_settled = round(different - _n_different(edit.after))
        why = self.yardstick.undefined(edit.after, parts)
        return Step(lever, edit.n_items, n_settled, value, float(parts.value), why), edit


def _n_different(counts: Counts) -> float:
    """Pairs of annotations of an item that are not the same."""
    bare = counts.anonymous
    return float(bare.times @ (bare.size**2 - bare.sum_entries(bare.n**2))) / 2


MOST: Mapping[Kind, int] = {"pair": 60, "category": 60, "coder": 50, "group": 60, "items": 3}
"""How many levers of each kind are tried: those with most at stake."""

CEILING = (
    "an upper bound: every such disagreement is taken as resolved on these same items; do not "
    "report it as reliability"
)
"""What every figure of something settled is."""

NEXT = 20  # levers that a further step of a plan chooses from: those that bring most by themselves
NOTHING = 1e-12  # a gain that is rounding
HARDEST = (10, 25, 50)  # items that are settled as a yardstick for the other levers
WORDS: Mapping[Kind, tuple[str, str]] = {
    "pair": ("pair of categories", "pairs of categories"),
    "category": ("category", "categories"),
    "coder": ("coder", "coders"),
    "group": ("group of items", "groups of items"),
    "items": ("number of items", "numbers of items"),
}
"""What levers of each kind are."""


@dataclass(frozen=True, eq=False)
class Levers(Result):
    """Everything that can be settled, pairs of categories first.

    What is broad (all of a category, a coder, a genre) brings more merely by being broad, so levers
    are ranked among their kind.

    Parameters
    ----------
    steps : tuple of Step
        Each lever by itself: pairs of categories, categories, coders, groups, items; within a kind
        what brings most first. Levers that would leave no variation, so that the coefficient is
        undefined, stand last of their kind.
    yardstick : Yardstick
        The coefficient.
    counts : Counts
    value : float
        The coefficient as it is.
    undefined : Undefined or None
        Why there is none; then there are no levers.
    left_out : mapping of str to int
        Kind of lever to how many were not tried, since they are too many.

    Examples
    --------
    >>> from accordant import diagnose
    >>> found = diagnose([list("aabbcca"), list("abbbcac"), list("abbacab")]).pooled.levers
    >>> for step in found.of_kind("pair"):
    ...     print(f"{step.name}: {step.before:.3f} to {step.after:.3f}, items: {step.n_items}")
    “a” and “b”: 0.375 to 0.720, items: 3
    “a” and “c”: 0.375 to 0.552, items: 2
    “b” and “c”: 0.375 to 0.429, items: 1
    """

    steps: tuple[Step, ...]
    yardstick: Yardstick
    counts: Counts
    data: Annotations
    value: float
    undefined: Undefined | None = None
    left_out: Mapping[Kind, int] = field(default_factory=dict)
    ranked: bool = False

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def coefficient(self) -> Coefficient:
        """What is measured."""
        return self.yardstick.coefficient

    @cached_property
    def places(self) -> Places:
        """The items that levers pick out."""
        return Places(self.data)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of levers that there are."""
        return tuple(kind for kind in KINDS if self.of_kind(kind))

    @property
    def n_pairs(self) -> int:
        """How many pairs of categories are disputed."""
        return len(self.of_kind("pair")) + self.left_out.get("pair", 0)

    @property
    def note(self) -> str:
        """What was left out; empty if nothing was."""
        if not self.left_out:
            return ""
        found = joined(count_of(n, *WORDS[kind]) for kind, n in self.left_out.items())
        return f"Not computed, because the possible gain is smaller: {found}."

    @property
    def of_two(self) -> bool:
        """Whether no item has more than two annotations, so that there are no majorities."""
        return bool(self.counts.size.max(initial=0) <= 2)

    @property
    def rule(self) -> str:
        """What settling does, and how ties are broken."""
        if self.of_two:
            return (
                "Projection: two annotations of an item have no majority. Where they differ by "
                "the pair, both become the category that is more frequent over all items (in a "
                "tie, the first of the scheme). A category that one coder gave is given by both."
            )
        return (
            "Projection: disputed annotations become the majority category of the item; in a tie, "
            "the category that is more frequent over all items. A category that half of the coders "
            "gave is given by all."
        )

    def of_kind(self, *kinds: Kind) -> tuple[Step, ...]:
        """The levers of some kinds, what brings most first."""
        return tuple(step for step in self.steps if step.kind in kinds)

    def plan(self, most: int = 3, kinds: Sequence[Kind] = ("pair",)) -> tuple[Step, ...]:
        """What to settle one after the other: each time what then brings most.

        Every step is computed from what the steps before it have left. Pairs of categories by
        default: to draw one line is something that coders can do in a meeting. Broad levers
        always bring more (all of a category, of a coder, of a genre), because they settle
        everything at once; they say where disagreement is rather than what to do about it.

        Parameters
        ----------
        most : int
            Number of steps. Fewer are given where nothing is left that brings anything.
        kinds : sequence of str
            Kinds of levers to choose from.

        Raises
        ------
        RequestError
            If there is no such kind.
        """
        for kind in kinds:
            if kind not in KINDS:
                raise RequestError(f"unknown kind {kind!r}: choose from {', '.join(KINDS)}")
        found: list[Step] = []
        counts = self.counts if "coder" in kinds else self.yardstick.view(self.counts)
        rest = [step.lever for step in sorted(self.of_kind(*kinds), key=_merit)]
        wanted = rest[:1]  # each by itself is known already
        while wanted and len(found) < most:
            trial = Trial(self.yardstick, counts, self.ranked)
            tried = [trial.of(lever, self.places.of(lever)) for lever in wanted]
            step, edit = min(tried, key=lambda t: _merit(t[0]))
            if not step.gain > NOTHING:
                break
            found.append(step)
            counts = edit.after
            rest.remove(step.lever)
            wanted = rest[:NEXT]
        return tuple(found)

    def chooses(self, steps: Sequence[Step]) -> bool:
        """Whether steps are a choice: all pairs of categories there are, are none."""
        if not steps or any(step.kind != "pair" for step in steps):
            return bool(steps)
        return len(steps) < self.n_pairs and steps[-1].after < 1 - NOTHING

    def in_words(self, steps: Sequence[Step] | None = None) -> str:
        """What to settle first, by default by `plan`; empty if there is nothing to choose."""
        steps = self.plan() if steps is None else steps
        if self.chooses(steps):
            how_many = "this" if len(steps) == 1 else f"these {len(steps)}"
            change = f"{decimal(steps[0].before)} → {decimal(steps[-1].after)}"
            return (
                f"Settle {how_many} first: {_listed(steps)}. {self.coefficient.symbol}: {change}."
            )
        pairs = self.of_kind("pair")
        if not steps or not pairs or len(self.categories) < 3:
            return ""
        if self.n_pairs == 1:
            return f"Only one pair of categories is disputed: {_listed(pairs)}."
        first = pairs[0]
        return (
            f"All pairs there are, what brings most first: {_listed(pairs)}. The first by itself: "
            f"{self.coefficient.symbol} {decimal(first.before)} → {decimal(first.after)}."
        )

    def sentence(self, steps: Sequence[Step] | None = None) -> str:
        """What to settle first, and what the figure is; empty if there is nothing to choose."""
        told = self.in_words(steps)
        return f"{told} That is {CEILING}." if "→" in told else told

    @property
    def categories(self) -> tuple[Label, ...]:
        """The categories of the scheme."""
        return self.yardstick.scheme.categories

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each lever."""
        return [row for step in self.steps for row in step.to_rows()]


def levers(
    data: Annotations,
    counts: Counts,
    weights: WeightsLike | None = None,
    *,
    coefficient: str = "alpha",
    of: Items | None = None,
) -> Levers:
    """What agreement would be if one thing were settled, for everything that can be.

    Pairs of categories, categories, coders (if there are three), groups of ten items or more that
    a column of the metadata forms (`columns_of`), and for comparison the hardest items.
    Those with most at stake are tried, as many as `MOST` says and time allows.

    Parameters
    ----------
    data : Annotations
    counts : Counts
        Of the same annotations.
    weights : str, array_like, callable or Distance, optional
        By default those that fit the scale.
    coefficient : str
        What is to rise.
    of : Items, optional
        The items, if they are known already.

    Returns
    -------
    Levers

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> data = read([["a", "b", "c", "a", "c"], ["a", "c", "b", "a", "c"]])
    >>> found = levers(data, count(data), coefficient="percent")
    >>> print(found.sentence())
    Only one pair of categories is disputed: “b” and “c” (2 items).
    """
    yardstick = Yardstick(find(coefficient), data.scheme, weights)
    parts = yardstick.parts(counts)
    by_rank = callable(weights) or (isinstance(weights, str) and ":" in weights)
    ranked = counts.of_sets and data.scheme.ranked and by_rank
    found = Levers((), yardstick, counts, data, float(parts.value), ranked=ranked)
    if math.isnan(found.value):
        return replace(found, undefined=yardstick.undefined(counts, parts))
    of = of or each_item(data, counts, Identity("identity", counts.n_values))
    bare, whole = (Trial(yardstick, x, ranked) for x in (yardstick.view(counts), counts))
    steps: list[Step] = []
    left_out: dict[Kind, int] = {}
    for kind, (wanted, n) in _candidates(found.places, counts, of).items():
        trial = whole if kind == "coder" else bare
        tried = [Lever(kind, x) for x in wanted[: min(MOST[kind], trial.room)]]
        steps += [trial.of(lever, found.places.of(lever))[0] for lever in tried]
        if n > len(tried):
            left_out[kind] = n - len(tried)
    steps = [step for step in steps if step.n_items]
    steps.sort(key=lambda step: (KINDS.index(step.kind), _merit(step)))
    return replace(found, steps=tuple(steps), left_out=left_out)


def _merit(step: Step) -> tuple[bool, float, int]:
    """What brings most comes first, with equal gains what takes least."""
    return math.isnan(step.gain), -tied(step.gain), step.n_items


def _listed(steps: Sequence[Step]) -> str:
    return joined((f"{s.name} ({count_of(s.n_items, 'item')})" for s in steps), most=4)


# ------------------------------------------------------------------ what can be settled


def _candidates(
    places: Places, counts: Counts, items: Items
) -> dict[Kind, tuple[list[tuple[Any, ...]], int]]:
    """What levers of each kind are of, those with most at stake first, and how many there are."""
    found: dict[Kind, tuple[list[tuple[Any, ...]], int]] = {}
    if tabular(counts):
        table = pooled_confusion(counts, labels=places.data.scheme.categories)
        apart = table.table - np.diag(np.diag(table.table))
        n_values = len(table.values) - table.of_labels
        disputed = apart[:n_values].sum(1)
        order = np.argsort(-tied(disputed), kind="stable")[: np.count_nonzero(disputed)]
        n_pairs = np.count_nonzero(np.triu(apart + apart.T, 1)[:n_values, :n_values])
        found["pair"] = [x[:2] for x in table.mix_ups(MOST["pair"])], int(n_pairs)
        found["category"] = [(table.values[k],) for k in order], len(order)
    if counts.coder is not None and counts.n_coders > 2:
        names = [(counts.coders[c],) for c in busiest(counts, MOST["coder"])]
        found["coder"] = names, counts.n_coders
    groups = [
        (name, value, n)
        for name, (code, values) in places.columns.items()
        for value, n in zip(
            values, np.bincount(code[code >= 0], minlength=len(values)).tolist(), strict=True
        )
        if n >= FEW_ITEMS
    ]
    largest = [x[:2] for x in sorted(groups, key=lambda x: -x[2])]
    found["group"] = largest, len(largest)
    hardest = items.hardest(max(HARDEST)).tolist()
    some = [tuple(hardest[:n]) for n in HARDEST if n < items.n_disputed]
    found["items"] = some, len(some)
    return found
