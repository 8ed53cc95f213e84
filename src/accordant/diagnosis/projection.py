"""What the annotations would be if one thing were settled: one rule for each kind of lever.

The rules look at patterns of annotation, so a lever is one pass over the counts. `settled` puts the
same decisions back into the annotations, for everybody to check.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ..arrays import Bools, Ints
from ..counts.count import count
from ..counts.counts import Counts
from ..counts.row_keys import entries_of
from ..data.annotations import NO_VALUE, Annotations
from ..errors import RequestError, unknown
from ..measure.sets import unranked
from ..measure.shares import held_labels
from ..scheme import Label, Value
from .groups import columns_of
from .words import label_text, quoted

__all__ = ["KINDS", "Edit", "Kind", "Lever", "Places", "Settling", "settled"]

Kind: TypeAlias = Literal["pair", "category", "coder", "group", "items"]
KINDS: tuple[Kind, ...] = get_args(Kind)
NOBODY = -1  # the value that follows where an item has no further one


@dataclass(frozen=True)
class Lever:
    """One thing that can be settled.

    Parameters
    ----------
    kind : {'pair', 'category', 'coder', 'group', 'items'}
    of : tuple
        Two categories; a category; a coder; a metadata column and its value; or positions of
        items (as in `Items.named`).

    Examples
    --------
    >>> Lever("pair", ("a", "b")).name, Lever("group", ("genre", "news")).name
    ('“a” and “b”', 'genre “news”')
    """

    kind: Kind
    of: tuple[Any, ...]

    @property
    def name(self) -> str:
        """What is settled, in words."""
        if self.kind == "pair":
            return f"{quoted(self.of[0])} and {quoted(self.of[1])}"
        if self.kind == "group":
            return f"{label_text(self.of[0])} {quoted(self.of[1])}"
        if self.kind == "items":
            n = len(self.of)
            return "the hardest item" if n == 1 else f"the {n:,} hardest items"
        return quoted(self.of[0])


@dataclass(frozen=True, eq=False)
class Edit:
    """Counts, and the values that their annotations get.

    Parameters
    ----------
    counts : Counts
        P patterns, E entries. Items that a lever picks out have patterns of their own.
    value : ndarray of int
        (E,) the new value of each entry.
    values : tuple
        What ``value`` refers to: those of the counts, and new sets of labels behind them.
    """

    counts: Counts
    value: Ints
    values: tuple[Value, ...]

    @property
    def n_items(self) -> int:
        """Items on which an annotation changes: as many have to be discussed."""
        changed = np.zeros(self.counts.n_patterns, bool)
        changed[self.counts.row[self.value != self.counts.value]] = True
        return round(float(self.counts.times @ changed))

    @cached_property
    def after(self) -> Counts:
        """The counts with the new values."""
        counts, value, values = self.counts, self.value, self.values
        if counts.of_sets:  # sets are counted as far as they occur
            used = np.flatnonzero(np.bincount(value, minlength=len(values)))
            value, values = np.searchsorted(used, value), tuple(values[k] for k in used)
        if counts.coder is not None:
            return replace(counts, value=value, values=values)
        return _joined(counts, value, values)


def _joined(counts: Counts, value: Ints, values: tuple[Value, ...]) -> Counts:
    """Anonymous counts with other values: what became equal is one entry of its pattern."""
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
class Settling:
    """The rules. P patterns, E entries, K values.

    Where two values are equally frequent on an item, the one that was given more often on all
    items wins; among equals of these the first of the scheme.

    Parameters
    ----------
    counts : Counts
    labels : tuple
        The categories in the order of the scheme.
    ranked : bool
        Whether sets of the same labels in another order are different values.
    """

    counts: Counts
    labels: tuple[Label, ...]
    ranked: bool = False

    def edit(self, lever: Lever, chosen: Bools | None = None) -> Edit:
        """What settling one thing changes.

        Parameters
        ----------
        lever : Lever
        chosen : ndarray of bool, optional
            (I·Q,) the items of a lever of kind ``'group'`` or ``'items'``, see `Places`.

        Notes
        -----
        - *pair*: on every item where both categories were given, all annotations that are one of
          the two become the one of them that was given more often there.
        - *category*: on every item where some gave it and some did not, all get it if at least
          half did (so of two coders both). Else those who gave it get the most frequent other
          value of the item.
        - *coder*: the coder's annotation becomes the most frequent one of the other coders of the
          item; the coder's own stays if it is among these.
        - *group*, *items*: all annotations of each of these items become its most frequent one.

        Of sets of labels a *category* is a label. It is settled alone: all sets of the item get
        it if at least half hold it, else it is taken from all. Of a *pair* both labels are
        settled so, on the items where one coder gave the one and another the other instead.
        """
        if lever.kind in ("group", "items"):
            if chosen is None:
                raise ValueError(f"a lever of kind {lever.kind!r} needs to know its items")
            return self._of_items(chosen)
        if lever.kind == "coder":
            return self._of_coder(lever.of[0])
        if self.counts.of_sets:
            return self._of_labels(lever.of)
        if lever.kind == "pair":
            return self._of_pair(*(self._code(x) for x in lever.of))
        return self._of_category(self._code(lever.of[0]))

    # ------------------------------------------------------------------ single labels

    def _of_pair(self, a: int, b: int) -> Edit:
        counts = self.counts
        is_a, is_b = counts.value == a, counts.value == b
        n_a, n_b = counts.sum_entries(counts.n * is_a), counts.sum_entries(counts.n * is_b)
        first = (n_a > n_b) | ((n_a == n_b) & (self._place[a] < self._place[b]))
        moved = np.flatnonzero((is_a | is_b) & ((n_a > 0) & (n_b > 0))[counts.row])
        return self._moved(moved, np.where(first[counts.row[moved]], a, b))

    def _of_category(self, c: int) -> Edit:
        counts = self.counts
        mine = counts.value == c
        n = counts.sum_entries(counts.n * mine)
        disputed = (n > 0) & (n < counts.size)
        given = disputed & (2 * n >= counts.size)
        best, _ = self._best
        other = np.where(best[:, 0] == c, best[:, 1], best[:, 0])
        moved = np.flatnonzero(given[counts.row] | (mine & (disputed & ~given)[counts.row]))
        row = counts.row[moved]
        return self._moved(moved, np.where(given[row], c, other[row]))

    def _of_coder(self, name: str) -> Edit:
        counts = self.counts
        if counts.coder is None:
            raise RequestError("the data do not say which coder gave which label")
        if name not in counts.coders:
            raise unknown("coder", name, counts.coders)
        best, n_best = self._best
        mine = np.flatnonzero(counts.coder == counts.coders.index(name))
        row, own = counts.row[mine], counts.value[mine]
        # the most frequent value but the coder's own, and how many others gave the own one
        second = (best[row, 0] == own).astype(np.intp)
        other, n_other = best[row, second], n_best[row, second]
        same = np.zeros(counts.n_patterns, np.int64)
        same[row] = own
        n_same = counts.sum_entries(counts.n * (counts.value == same[counts.row]))[row] - 1
        moves = n_other > n_same
        return self._moved(mine[moves], other[moves])

    def _of_items(self, chosen: Bools) -> Edit:
        counts, rows = _set_apart(self.counts, chosen)
        inside = replace(self, counts=counts)
        best, _ = inside._best
        moved = np.flatnonzero(rows[counts.row])
        return inside._moved(moved, best[counts.row[moved], 0])

    # ------------------------------------------------------------------ labels of sets

    def _of_labels(self, labels: Iterable[Label]) -> Edit:
        counts = self.counts
        holds = [self._holds(label) for label in labels]
        rows = np.ones(counts.n_patterns, bool)
        if len(holds) == 2:
            a, b = (h[counts.value] for h in holds)
            rows &= counts.sum_entries(counts.n * (a & ~b)) > 0
            rows &= counts.sum_entries(counts.n * (b & ~a)) > 0
        target = np.stack([h[counts.value] for h in holds])  # (1 or 2, E)
        for own in target:
            n = counts.sum_entries(counts.n * own)
            majority = (2 * n >= counts.size) & (n > 0)
            own[:] = np.where(rows[counts.row], majority[counts.row], own)
        return self._with_labels(tuple(labels), target)

    def _with_labels(self, labels: tuple[Label, ...], target: Bools) -> Edit:
        """Sets that hold or do not hold some labels, as ``target`` (1 or 2, E) says."""
        counts = self.counts
        bit, kinds = 1 << np.arange(len(labels)), 1 << len(labels)
        now = (bit @ np.stack([self._holds(label) for label in labels]))[counts.value]
        wanted = bit @ target
        moved = np.flatnonzero(wanted != now)
        cell, of = np.unique(counts.value[moved] * kinds + wanted[moved], return_inverse=True)
        values = list(counts.values)
        code = {_as_key(v, self.ranked): k for k, v in enumerate(values)}
        new = np.empty(len(cell), np.int64)
        for i, (k, bits) in enumerate(divmod(x, kinds) for x in cell.tolist()):
            value = self._changed(values[k], labels, bits)
            new[i] = code.setdefault(_as_key(value, self.ranked), len(values))
            if new[i] == len(values):
                values.append(value)
        return self._moved(moved, new[of.reshape(-1)], tuple(values))

    def _changed(self, value: Any, labels: tuple[Label, ...], bits: int) -> tuple[Label, ...]:
        """The set with those of the labels whose bit is set, and without the others."""
        wanted = [x for i, x in enumerate(labels) if bits >> i & 1]
        kept = [x for x in value if x not in labels or x in wanted]
        found = [*kept, *(x for x in wanted if x not in kept)]
        return tuple(found if self.ranked else sorted(found, key=self._position.__getitem__))

    def _holds(self, label: Label) -> Bools:
        """(K,) which values hold a label."""
        self._check(label)
        labels, members = held_labels(self.counts, self.labels)
        return members[:, labels.index(label)]

    @cached_property
    def _position(self) -> dict[Label, int]:
        return {label: k for k, label in enumerate(self.labels)}

    @cached_property
    def _place(self) -> Ints:
        """(K,) 0 for the value that wins every tie."""
        counts, k = self.counts, self.counts.n_values
        order = np.arange(k)
        if counts.of_sets:
            each = [tuple(self._position[x] for x in labels) for labels in counts.values]  # type: ignore[union-attr]
            keys = each if self.ranked else [tuple(sorted(x)) for x in each]
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

    def _moved(self, entries: Ints, value: Ints, values: tuple[Value, ...] | None = None) -> Edit:
        new = self.counts.value.copy()
        new[entries] = value
        return Edit(self.counts, new, values or self.counts.values)

    def _code(self, category: Label) -> int:
        self._check(category)
        return self.counts.values.index(category)

    def _check(self, category: Label) -> None:
        if category not in self._position:
            known = ", ".join(map(str, self.labels[:20]))
            raise RequestError(f"there is no category {category!r}: the scheme has {known}")


def _set_apart(counts: Counts, chosen: Bools) -> tuple[Counts, Bools]:
    """The same counts with patterns of their own for chosen items, and (P,) which these are."""
    inside = chosen & (counts.pattern_of >= 0)
    n = np.bincount(counts.pattern_of[inside], minlength=counts.n_patterns)
    own, rest = np.flatnonzero(n), np.flatnonzero(counts.times > n)
    rows = np.concatenate([rest, own])
    entry, start = entries_of(counts.start, rows)
    number = np.full((2, counts.n_patterns + 1), -1)  # the last is for items without a pattern
    number[0, rest], number[1, own] = np.arange(len(rest)), len(rest) + np.arange(len(own))
    apart = replace(
        counts,
        start=start,
        coder=None if counts.coder is None else counts.coder[entry],
        value=counts.value[entry],
        n=counts.n[entry],
        times=np.concatenate([(counts.times - n)[rest], n[own].astype(float)]),
        pattern_of=number[inside.astype(np.intp), counts.pattern_of],
    )
    return apart, np.arange(len(rows)) >= len(rest)


@dataclass(frozen=True, eq=False)
class Places:
    """The items that levers pick out by their metadata or their position.

    Where several questions are pooled, each question about an item is a place of its own, as in
    `Items`: I·Q places.
    """

    data: Annotations

    def of(self, lever: Lever) -> Bools | None:
        """(I·Q,) the items that a lever is about by name, None if it is about all.

        Raises
        ------
        RequestError
            If no such column tells groups of items apart.
        """
        n_questions = len(self.data.questions)
        if lever.kind == "items":
            found = np.zeros(len(self.data.items) * n_questions, bool)
            found[list(lever.of)] = True
            return found
        if lever.kind != "group":
            return None
        column, value = lever.of
        if column not in self.columns:
            have = ", ".join(self.columns) or "none"
            raise RequestError(f"there is no column {column!r} that forms groups of items: {have}")
        code, names = self.columns[column]
        group = names.index(value) if value in names else len(names)
        return np.repeat(code == group, n_questions)

    @cached_property
    def columns(self) -> dict[str, tuple[Ints, tuple[str, ...]]]:
        """(I,) the group of each item and the names of the groups, by column of the metadata."""
        every = np.arange(len(self.data.items))
        found = columns_of(self.data, every, texts=False)
        return {name: (code, names) for name, code, names in found}


def settled(data: Annotations, lever: Lever, *, ranked: bool = False) -> Annotations:
    """The annotations as they would be if one thing were settled.

    Parameters
    ----------
    data : Annotations
    lever : Lever
        What is settled; `Settling.edit` says how.
    ranked : bool
        Whether sets of the same labels in another order are different values.

    Returns
    -------
    Annotations
        The same items and coders; only labels change. Coefficients of these annotations are what
        `levers` says they would be.

    Raises
    ------
    RequestError
        If the data have no such category, coder or column.

    Examples
    --------
    >>> from accordant import read
    >>> data = read([["a", "b", "c", "a"], ["a", "c", "b", "b"], ["a", "c", "b", "a"]])
    >>> [row["label"] for row in settled(data, Lever("pair", ("b", "c"))).to_rows()][3:6]
    ['c', 'c', 'c']
    """
    counts = count(data) if ranked else unranked(count(data))
    scheme = data.scheme
    edit = Settling(counts, scheme.categories, ranked).edit(lever, Places(data).of(lever))
    keys = {_as_key(v, ranked): k for k, v in enumerate(counts.values)}
    code = np.array([keys.get(_as_key(v, ranked), NO_VALUE) for v in data.values])
    rows = data.answered
    place = rows.item.astype(np.int64) * len(data.questions) + rows.question
    old, pattern = code[rows.value], edit.counts.pattern_of[place]
    counted = np.flatnonzero((old >= 0) & (pattern >= 0))
    who = np.array([counts.coders.index(c) if c in counts.coders else 0 for c in data.coders])
    at = _entries(edit.counts, who[rows.coder[counted]], pattern[counted], old[counted])
    new = old.copy()
    new[counted] = edit.value[at]
    changed = new != old
    return _with_values(data, changed, new[changed], edit.values)


def _as_key(value: Any, ranked: bool) -> Any:
    """What makes two values the same."""
    if not isinstance(value, tuple):
        return value
    return value if ranked else frozenset(value)


def _entries(counts: Counts, coder: Ints, pattern: Ints, value: Ints) -> Ints:
    """(N,) the entries that annotations are counted in.

    ``coder`` (N,) are positions among the coders of the counts; without them an annotation is
    found by its value.
    """
    width, own, wanted = counts.n_values, counts.value, value
    if counts.coder is not None:
        width, own, wanted = counts.n_coders, counts.coder, coder
    key = counts.row * np.int64(width) + own
    order = np.argsort(key, kind="stable")
    return np.asarray(order[np.searchsorted(key[order], pattern * np.int64(width) + wanted)])


def _with_values(
    data: Annotations, changed: Bools, new: Ints, values: tuple[Value, ...]
) -> Annotations:
    """Annotations of which some, a mask over the answered ones, have other values."""
    known = {v: k for k, v in enumerate(data.values)}
    more = tuple(v for v in dict.fromkeys(values[k] for k in np.unique(new)) if v not in known)
    known |= {v: len(data.values) + k for k, v in enumerate(more)}
    code = np.array([known.get(v, NO_VALUE) for v in values])[new]
    rows = data.answered
    if data.grid is not None:
        grid = data.grid.astype(
            np.result_type(data.grid.dtype, np.min_scalar_type(-len(known) - 1))
        )
        grid[rows.item[changed], rows.coder[changed]] = code
        return replace(data, values=(*data.values, *more), layout=grid)
    value = data.columns.value.astype(np.int64)
    value[np.flatnonzero(value != NO_VALUE)[changed]] = code
    layout = replace(data.columns, value=value)
    return replace(data, values=(*data.values, *more), layout=layout)
