"""What α would be if one source of disagreement were resolved: where to begin, what it brings.

The same edit of the counts as the gain of a finding: what exceeds random errors becomes what the
null holds for likely, random errors stay. So a pair or a coder has one figure on every page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ..arrays import Bools
from ..messages import quoted
from ..numbers import tied
from ..results import Record, Result
from .deviations import Edit
from .explanation import Explanation
from .explanations import Causes
from .set_explanations import OF_ALL

Kind: TypeAlias = Literal["pair", "category", "coder"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 20  # pairs whose gain is computed: those with most deviations beyond the null
MOST_PLANNED = 3  # steps of a plan
BEYOND = 2.0  # standard deviations: what is less may well be random
LEAST = 0.01  # of all deviations: less is not told
NOTHING = 1e-12  # a gain that is rounding


@dataclass(frozen=True)
class Resolved(Record):
    """One thing resolved, and what that does.

    Parameters
    ----------
    kind : {'pair', 'category', 'coder'}
    of : tuple
        Two categories, a category or a coder.
    n_items : int
        Items that show it: as many have to be discussed.
    before, after : float
        α, and what it would be.
    """

    row_of = "kind name n_items before after gain gain_per_ten_items"

    kind: Kind
    of: tuple[Any, ...]
    n_items: int
    before: float
    after: float

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
        """How much α rises for every ten items discussed."""
        return 10 * self.gain / self.n_items


@dataclass(frozen=True, eq=False)
class WhatIf(Result):
    """What resolving one thing would do, for what exceeds random errors.

    Parameters
    ----------
    steps : tuple of Resolved
        Pairs of categories, then categories, then coders; within each what brings most first.
    value : float
        α as it is; NaN where it is undefined: then there are no steps.

    Examples
    --------
    >>> from accordant import diagnose
    >>> right = list("abcd") * 30
    >>> mixed = [["b" if x == "a" and i % 3 == c else x for i, x in enumerate(right)]
    ...          for c in range(3)]
    >>> for step in diagnose(mixed).pooled.what_if.of_kind("pair"):
    ...     print(f"{step.name}: {step.before:.2f} to {step.after:.2f}, items: {step.n_items}")
    “a” and “b”: 0.77 to 0.99, items: 30
    """

    steps: tuple[Resolved, ...]
    value: float
    causes: Causes
    edits: Mapping[tuple[Any, ...], Edit]

    def __iter__(self) -> Iterator[Resolved]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def of_kind(self, *kinds: Kind) -> tuple[Resolved, ...]:
        """The steps of some kinds, what brings most first."""
        return tuple(step for step in self.steps if step.kind in kinds)

    @cached_property
    def plan(self) -> tuple[Resolved, ...]:
        """Up to three pairs of categories, one after the other: each time what then brings most.

        To draw one line is something that coders can do in a meeting. Every step is computed with
        the steps before it resolved. None where there are not two pairs to choose from.
        """
        rest, found = list(self.of_kind("pair")), list[Resolved]()
        if len(rest) < 2:
            return ()
        done: Edit | None = None
        after = [(rest[0].gain, rest[0])]  # what is first stands in the table already
        risen = 0.0
        while after and len(found) < MOST_PLANNED:
            gain, best = max(after, key=lambda x: tied(x[0]))
            if not gain - risen > NOTHING:
                break
            found.append(replace(best, before=self.value + risen, after=self.value + gain))
            risen, edit = gain, self.edits[best.of]
            done = edit if done is None else done | edit
            rest.remove(best)
            after = [(self.causes.risen(done | self.edits[x.of]), x) for x in rest]
        return tuple(found)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each step."""
        return [row for step in self.steps for row in step.to_rows()]


def what_if(causes: Causes, alpha: float) -> WhatIf:
    """What α would be if one thing were resolved, for what exceeds random errors."""
    if math.isnan(alpha) or causes.explained is None:
        return WhatIf((), alpha, causes, {})
    edits, n_items = dict[tuple[Any, ...], Edit](), dict[tuple[Any, ...], int]()
    kinds: dict[tuple[Any, ...], Kind] = {}
    for kind, of, edit, shown in (*_pairs(causes), *_told(causes)):
        if of not in edits:  # what a finding tells comes first
            kinds[of], edits[of], n_items[of] = kind, edit, causes.beside.n_items(shown)
    steps = [
        Resolved(kind, of, n_items[of], alpha, alpha + causes.risen(edits[of]))
        for of, kind in kinds.items()
    ]
    steps.sort(key=lambda x: (KINDS.index(x.kind), -tied(x.gain), x.n_items))
    return WhatIf(tuple(x for x in steps if x.gain > NOTHING), alpha, causes, edits)


def _told(causes: Causes) -> Iterator[tuple[Kind, tuple[Any, ...], Edit, Bools]]:
    """Coders and single labels of which a finding tells."""
    for one in causes.explained.found if causes.explained else ():
        if len(one.coders) == 1:
            yield "coder", (causes.coders[one.coders[0]],), causes.edit_of(one), causes.shows(one)
        elif one.kind in OF_ALL:
            yield "category", (causes.label(one.labels[0]),), causes.edit_of(one), causes.shows(one)


def _pairs(causes: Causes) -> Iterator[tuple[Kind, tuple[Any, ...], Edit, Bools]]:
    """Pairs of labels, and labels that are in several of them."""
    of_label: dict[int, list[tuple[Edit, Bools]]] = {}
    for a, b, edit in _beyond(causes):
        shown = causes.beside.both(a, b)
        yield "pair", (causes.label(a), causes.label(b)), edit, shown
        for label in (a, b):
            of_label.setdefault(label, []).append((edit, shown))
    for label, each in of_label.items():
        if len(each) > 1:
            edit = reduce(or_, (x for x, _ in each))
            yield "category", (causes.label(label),), edit, np.any([x for _, x in each], 0)


def _beyond(causes: Causes) -> Iterator[tuple[int, int, Edit]]:
    """Pairs that a finding tells of, and others about which coders differ beyond the null."""
    found = causes.explained
    if found is None:
        return
    at, told = found.last, dict[frozenset[int], Explanation]()
    for one in found.found:
        if len(one.coders) != 1 and one.kind not in ("shifted", "set_size", "item_group"):
            told |= {frozenset(pair): one for pair in one.pairs}
    d, e = at.changed
    d, e = np.triu(d + d.T, 1), np.triu(e + e.T, 1)
    z = (d - e) / np.sqrt((e + 1) * at.clumping)
    z = np.where(d - e >= LEAST * at.n, z, 0)
    first = np.argsort(-tied(z), axis=None, kind="stable")[:MOST].tolist()
    likely = (divmod(k, len(d)) for k in first if z.flat[k] >= BEYOND)
    for a, b in dict.fromkeys((*(tuple(sorted(pair)) for pair in told), *likely)):
        of = told.get(frozenset((a, b)))
        if of is not None and len(of.pairs) == 1:
            yield a, b, causes.edit_of(of)
            continue
        cells = at.mask(at.changes.cells(a, b) | at.changes.cells(b, a))
        part = 1 - e[a, b] / max(d[a, b], 1e-9) if of is None else 1 - 1 / at.null.factors
        yield a, b, causes.edit(at.null, np.where(cells, part, 0.0), (a, b))
