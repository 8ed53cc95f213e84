"""What α would be if one source of disagreement were resolved: where to begin, what it brings.

The rules look at patterns of annotation, so that each trial is one pass over the counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ..arrays import Bools, Ints
from ..counts.counts import Counts
from ..inference.measurement import compared
from ..measure.coefficient_value import Undefined
from ..measure.coefficients import COEFFICIENTS
from ..measure.confusion import pooled_confusion, tabular
from ..measure.distances import WeightsLike
from ..measure.registry import Parts
from ..measure.shares import held_labels
from ..measure.undefined import why_undefined
from ..messages import quoted
from ..numbers import count_of, joined, tied
from ..results import Record, Result
from ..scheme import Label, Scheme, Value
from .coder_pairs import busiest

Kind: TypeAlias = Literal["pair", "category", "coder"]
KINDS: tuple[Kind, ...] = get_args(Kind)
WORDS: Mapping[Kind, tuple[str, str]] = {
    "pair": ("pair of categories", "pairs of categories"),
    "category": ("category", "categories"),
    "coder": ("coder", "coders"),
}
MOST = 60  # steps of a kind that are tried: those with most at stake
MOST_WORK = 40_000_000  # entries that are gone through: one to two seconds
PAIRS_PER_ENTRY = 10  # so many pairs of sets are compared while one entry is gone through
MOST_PLANNED = 3  # steps of a plan
NEXT = 20  # steps that a plan chooses from: those that bring most by themselves
NOTHING = 1e-12  # a gain that is rounding
NOBODY = -1  # the value that follows where an item has no further one


@dataclass(frozen=True)
class Resolved(Record):
    """One thing resolved, and what that does.

    Parameters
    ----------
    kind : {'pair', 'category', 'coder'}
    of : tuple
        Two categories, a category or a coder.
    n_items : int
        Items on which an annotation changes: as many have to be discussed.
    before, after : float
        α; NaN where undefined.
    undefined : Undefined or None
        Why there is no value after.
    """

    row_of = "kind name n_items before after gain gain_per_ten_items undefined"

    kind: Kind
    of: tuple[Any, ...]
    n_items: int
    before: float
    after: float
    undefined: Undefined | None = None

    @property
    def name(self) -> str:
        """What is resolved, in words."""
        return " and ".join(map(quoted, self.of))

    @property
    def gain(self) -> float:
        """How much α rises."""
        return self.after - self.before

    @property
    def gain_per_ten_items(self) -> float:
        """How much it rises for every ten items that have to be discussed."""
        return 10 * self.gain / self.n_items if self.n_items else math.nan


@dataclass(frozen=True, eq=False)
class WhatIf(Result):
    """Everything that can be resolved, each by itself.

    What is broad (all of a category, a coder) brings more merely by being broad, so steps are
    ranked among their kind.

    Parameters
    ----------
    steps : tuple of Resolved
        Pairs of categories, categories, coders; within a kind what brings most first. What would
        leave no variation, so that α is undefined, stands last of its kind.
    value : float
        α as it is; where it is undefined there are no steps.
    left_out : mapping of str to int
        Kind to how many were not tried, since they are too many.

    Examples
    --------
    >>> from accordant import diagnose
    >>> found = diagnose([list("aabbcca"), list("abbbcac"), list("abbacab")]).pooled.what_if
    >>> for step in found.of_kind("pair"):
    ...     print(f"{step.name}: {step.before:.3f} to {step.after:.3f}, items: {step.n_items}")
    “a” and “b”: 0.375 to 0.720, items: 3
    “a” and “c”: 0.375 to 0.552, items: 2
    “b” and “c”: 0.375 to 0.429, items: 1
    """

    steps: tuple[Resolved, ...]
    value: float
    measure: _Alpha
    counts: Counts
    left_out: Mapping[Kind, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Resolved]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def of_kind(self, *kinds: Kind) -> tuple[Resolved, ...]:
        """The steps of some kinds, what brings most first."""
        return tuple(step for step in self.steps if step.kind in kinds)

    @property
    def note(self) -> str:
        """What was left out; empty if nothing was."""
        if not self.left_out:
            return ""
        found = joined(count_of(n, *WORDS[kind]) for kind, n in self.left_out.items())
        return f"Not computed, because the possible gain is smaller: {found}."

    @cached_property
    def plan(self) -> tuple[Resolved, ...]:
        """Up to three pairs of categories, one after the other: each time what then brings most.

        To draw one line is something that coders can do in a meeting. Every step is computed from
        what the steps before it have left. Never all pairs there are, which would be no choice.
        """
        found: list[Resolved] = []
        counts = self.measure.view(self.counts)
        rest = sorted(self.of_kind("pair"), key=_merit)
        most = min(MOST_PLANNED, len(rest) + self.left_out.get("pair", 0) - 1)
        wanted = rest[:1]  # each by itself is known already
        while wanted and len(found) < most:
            trial = _Trial(self.measure, counts)
            tried = [trial.of("pair", step.of) for step in wanted]
            step, after = min(tried, key=lambda t: _merit(t[0]))
            if not step.gain > NOTHING or step.after > 1 - NOTHING:
                break
            found.append(step)
            counts = after
            rest = [x for x in rest if x.of != step.of]
            wanted = rest[:NEXT]
        return tuple(found)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each step."""
        return [row for step in self.steps for row in step.to_rows()]


def what_if(counts: Counts, scheme: Scheme, weights: WeightsLike | None = None) -> WhatIf:
    """What α would be if one thing were resolved, for everything that can be.

    Pairs of categories, categories, and coders if there are three; those with most at stake are
    tried, as many as time allows. Nothing where weights look at the ranks of labels.
    """
    measure = _Alpha(scheme, weights)
    value = float(measure.parts(counts).value)
    by_rank = callable(weights) or (isinstance(weights, str) and ":" in weights)
    found = WhatIf((), value, measure, counts)
    if math.isnan(value) or (counts.of_sets and scheme.ranked and by_rank):
        return found
    bare, whole = (_Trial(measure, x) for x in (measure.view(counts), counts))
    steps: list[Resolved] = []
    left_out: dict[Kind, int] = {}
    for kind, (wanted, n) in _candidates(counts, scheme.categories).items():
        trial = whole if kind == "coder" else bare
        use = trial.counts
        work = len(use.value) + use.of_sets * use.n_values**2 // PAIRS_PER_ENTRY
        tried = wanted[: min(MOST, max(1, MOST_WORK // (len(KINDS) * max(1, work))))]
        steps += [trial.of(kind, of)[0] for of in tried]
        if n > len(tried):
            left_out[kind] = n - len(tried)
    steps = [step for step in steps if step.n_items]
    steps.sort(key=lambda step: (KINDS.index(step.kind), _merit(step)))
    return replace(found, steps=tuple(steps), left_out=left_out)


def _merit(step: Resolved) -> tuple[bool, float, int]:
    """What brings most comes first, with equal gains what takes least."""
    return math.isnan(step.gain), -tied(step.gain), step.n_items


def _candidates(
    counts: Counts, labels: tuple[Label, ...]
) -> dict[Kind, tuple[list[tuple[Any, ...]], int]]:
    """What can be resolved of each kind, what has most at stake first, and how many there are."""
    found: dict[Kind, tuple[list[tuple[Any, ...]], int]] = {}
    if tabular(counts):
        table = pooled_confusion(counts, labels=labels)
        apart = table.table - np.diag(np.diag(table.table))
        n_values = len(table.values) - table.of_labels
        disputed = apart[:n_values].sum(1)
        order = np.argsort(-tied(disputed), kind="stable")[: np.count_nonzero(disputed)]
        n_pairs = np.count_nonzero(np.triu(apart + apart.T, 1)[:n_values, :n_values])
        found["pair"] = [x[:2] for x in table.mix_ups(MOST)], int(n_pairs)
        found["category"] = [(table.values[k],) for k in order], len(order)
    if counts.coder is not None and counts.n_coders > 2:
        found["coder"] = [(counts.coders[c],) for c in busiest(counts, MOST)], counts.n_coders
    return found


@dataclass(frozen=True, eq=False)
class _Alpha:
    """α of counts that change."""

    scheme: Scheme
    weights: WeightsLike | None = None

    def parts(self, counts: Counts) -> Parts:
        """A_o, A_e and the value."""
        return COEFFICIENTS["alpha"].parts(*self._compared(counts))

    def view(self, counts: Counts) -> Counts:
        """Counts that know no more than α needs: fewer patterns."""
        return COEFFICIENTS["alpha"].view(*self._compared(counts))[0]

    def _compared(self, counts: Counts) -> tuple[Counts, Any]:
        return compared(COEFFICIENTS["alpha"], counts, self.scheme, self.weights)


def _with_values(counts: Counts, value: Ints, values: tuple[Value, ...]) -> Counts:
    """Counts with other values; what became equal in anonymous counts is one entry."""
    if counts.of_sets:  # sets are counted as far as they occur
        used = np.flatnonzero(np.bincount(value, minlength=len(values)))
        value, values = np.searchsorted(used, value), tuple(values[k] for k in used)
    if counts.coder is not None:
        return replace(counts, value=value, values=values)
    cell = counts.row * np.int64(len(values)) + value
    order = np.argsort(cell, kind="stable")  # quick: they are nearly in order
    cell = cell[order]
    first = np.flatnonzero(np.diff(cell, prepend=-1))
    row, value = np.divmod(cell[first], len(values))
    return replace(
        counts,
        start=np.searchsorted(row, np.arange(counts.n_patterns + 1)),
        value=value,
        n=np.add.reduceat(counts.n[order], first) if len(first) else counts.n,
        values=values,
    )


@dataclass(frozen=True, eq=False)
class _Trial:
    """What annotations become if one thing is resolved, and what α is then.

    P patterns, E entries, K values.

    - *pair*: on every item where both categories were given, all annotations that are one of the
      two become the one of them that was given more often there.
    - *category*: on every item where some gave it and some did not, all get it if at least half
      did (so of two coders both). Else those who gave it get the most frequent other value.
    - *coder*: the coder's annotation becomes the most frequent one of the other coders of the item;
      the coder's own stays if it is among these.

    Where two values are equally frequent on an item, the one that was given more often on all
    items wins; among equals of these the first of the scheme. Of sets of labels a category is a
    label: all sets of the item get it if at least half hold it, else it is taken from all. Of a
    pair both labels are resolved so, on the items where one coder gave the one and another the
    other instead.
    """

    measure: _Alpha
    counts: Counts

    @property
    def labels(self) -> tuple[Label, ...]:
        """The categories in the order of the scheme."""
        return self.measure.scheme.categories

    @cached_property
    def before(self) -> float:
        """α as it is."""
        return float(self.measure.parts(self.counts).value)

    def of(self, kind: Kind, of: tuple[Any, ...]) -> tuple[Resolved, Counts]:
        """What resolving one thing does, and the counts after it."""
        counts = self.counts
        value, values = self._resolved(kind, of)
        changed = np.zeros(counts.n_patterns, bool)
        changed[counts.row[value != counts.value]] = True
        after = _with_values(counts, value, values)
        then, alpha = self.measure.parts(after), COEFFICIENTS["alpha"]
        why = why_undefined(alpha, after, float(then.observed), float(then.expected))
        n_items = round(float(counts.times @ changed))
        return Resolved(kind, of, n_items, self.before, float(then.value), why), after

    def _resolved(self, kind: Kind, of: tuple[Any, ...]) -> tuple[Ints, tuple[Value, ...]]:
        """(E,) the new value of each entry, and what they refer to."""
        counts = self.counts
        if kind == "coder":
            return self._coder(counts.coders.index(of[0])), counts.values
        if counts.of_sets:
            return self._labels(of)
        if kind == "pair":
            return self._pair(*(counts.values.index(x) for x in of)), counts.values
        return self._category(counts.values.index(of[0])), counts.values

    def _pair(self, a: int, b: int) -> Ints:
        counts = self.counts
        is_a, is_b = counts.value == a, counts.value == b
        n_a, n_b = counts.sum_entries(counts.n * is_a), counts.sum_entries(counts.n * is_b)
        first = (n_a > n_b) | ((n_a == n_b) & (self._place[a] < self._place[b]))
        moved = (is_a | is_b) & ((n_a > 0) & (n_b > 0))[counts.row]
        return np.where(moved, np.where(first[counts.row], a, b), counts.value)

    def _category(self, c: int) -> Ints:
        counts = self.counts
        mine = counts.value == c
        n = counts.sum_entries(counts.n * mine)
        disputed = (n > 0) & (n < counts.size)
        given = disputed & (2 * n >= counts.size)
        best, _ = self._best
        other = np.where(best[:, 0] == c, best[:, 1], best[:, 0])
        moved = given[counts.row] | (mine & (disputed & ~given)[counts.row])
        target = np.where(given[counts.row], c, other[counts.row])
        return np.where(moved, target, counts.value)

    def _coder(self, c: int) -> Ints:
        counts, (best, n_best) = self.counts, self._best
        mine = np.flatnonzero(counts.coder == c)
        row, own = counts.row[mine], counts.value[mine]
        # the most frequent value but the coder's own, and how many others gave the own one
        second = (best[row, 0] == own).astype(np.intp)
        other, n_other = best[row, second], n_best[row, second]
        same = np.zeros(counts.n_patterns, np.int64)
        same[row] = own
        n_same = counts.sum_entries(counts.n * (counts.value == same[counts.row]))[row] - 1
        value = counts.value.copy()
        value[mine] = np.where(n_other > n_same, other, own)
        return value

    def _labels(self, labels: Sequence[Label]) -> tuple[Ints, tuple[Value, ...]]:
        counts = self.counts
        names, members = held_labels(counts, self.labels)
        held = np.stack([members[:, names.index(x)][counts.value] for x in labels])  # (1 or 2, E)
        rows = np.ones(counts.n_patterns, bool)
        if len(held) == 2:
            a, b = held
            rows &= counts.sum_entries(counts.n * (a & ~b)) > 0
            rows &= counts.sum_entries(counts.n * (b & ~a)) > 0
        target = held.copy()
        for own in target:
            n = counts.sum_entries(counts.n * own)
            majority = (2 * n >= counts.size) & (n > 0)
            own[:] = np.where(rows[counts.row], majority[counts.row], own)
        return self._with_labels(tuple(labels), held, target)

    def _with_labels(
        self, labels: tuple[Label, ...], held: Bools, target: Bools
    ) -> tuple[Ints, tuple[Value, ...]]:
        """Sets that hold or do not hold some labels, as ``target`` says."""
        counts, kinds = self.counts, 1 << len(labels)
        bit = 1 << np.arange(len(labels))
        now, wanted = bit @ held, bit @ target
        moved = np.flatnonzero(wanted != now)
        cell, of = np.unique(counts.value[moved] * kinds + wanted[moved], return_inverse=True)
        position = {label: k for k, label in enumerate(self.labels)}
        values: list[Any] = list(counts.values)
        code = {frozenset(v): k for k, v in enumerate(values)}
        new = np.empty(len(cell), np.int64)
        for i, (k, bits) in enumerate(divmod(x, kinds) for x in cell.tolist()):
            kept = frozenset(values[k]) - frozenset(labels)
            value = kept | {x for j, x in enumerate(labels) if bits >> j & 1}
            new[i] = code.setdefault(value, len(values))
            if new[i] == len(values):
                values.append(tuple(sorted(value, key=position.__getitem__)))
        value_of = counts.value.copy()
        value_of[moved] = new[of.reshape(-1)]
        return value_of, tuple(values)

    @cached_property
    def _place(self) -> Ints:
        """(K,) 0 for the value that wins every tie."""
        counts, k = self.counts, self.counts.n_values
        order = np.arange(k)
        if counts.of_sets:
            position = {label: i for i, label in enumerate(self.labels)}
            each: list[Any] = list(counts.values)
            keys = [sorted(position[x] for x in labels) for labels in each]
            order[sorted(range(k), key=keys.__getitem__)] = np.arange(k)
        n = counts.sum_by_value(np.ones(counts.n_patterns))
        place = np.empty(k, np.int64)
        place[np.lexsort((order, -n))] = np.arange(k)
        return place

    @cached_property
    def _best(self) -> tuple[Ints, Ints]:
        """(P, 2) the most frequent value of a pattern and the next, and (P, 2) how many gave it."""
        counts = self.counts
        cell = counts.row * np.int64(counts.n_values) + self._place[counts.value]
        if counts.coder is None:
            n, found = counts.n, cell
        else:
            found, n = np.unique(cell, return_counts=True)
        row, place = np.divmod(found, max(1, counts.n_values))
        order = np.lexsort((place, -n, row))
        row, value, n = row[order], np.argsort(self._place)[place[order]], n[order]
        start = np.searchsorted(row, np.arange(counts.n_patterns + 1))
        best = np.full((counts.n_patterns, 2), NOBODY)
        n_best = np.zeros((counts.n_patterns, 2), np.int64)
        for i in range(2):
            there = np.flatnonzero(np.diff(start) > i)
            best[there, i], n_best[there, i] = value[start[there] + i], n[start[there] + i]
        return best, n_best
