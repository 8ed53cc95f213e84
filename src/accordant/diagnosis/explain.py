"""Why coders disagree: explanations one after the other, each net of those before.

The explanation with the best score is told, explained and the null fitted again, until none is
beyond what the null would show. One culprit has one explanation: what else is found about a coder
becomes a part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..inference.item_patterns import Patterns
from ..inference.null import Explained, Null, fit_null, surprise
from ..numbers import tied
from . import category_explanations, coder_explanations  # noqa: F401 - they define the kinds
from .deviations import Changes, Deviations
from .explanation import KINDS, LINK, Explanation

__all__ = ["Explanations", "explain"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST = 25  # explanations
LEAST = 0.01  # of all deviations: less is not told
HALF = 0.5  # of an explanation must be in what takes its place, or is new
MANY, CLEAR = 10, 10.0  # coders who are told together, and nats from which they are
LINKS = frozenset({"pair", "chain"})
ENDS = 2  # of a chain
MANNERS = frozenset({"coder_gives", "swapped", "shifted", "set_size"})
"""Kinds that say what a coder does who deviates too often."""


@dataclass(frozen=True, eq=False)
class Explanations:
    """What was found, and the last null, which no explanation exceeds.

    Parameters
    ----------
    found : tuple of Explanation
        In the order in which they were found: the clearest first.
    first, last : Deviations
        Before anything was told, and after.
    """

    found: tuple[Explanation, ...]
    first: Deviations
    last: Deviations


@dataclass(eq=False)
class _Search:
    """What has been told, and what is left."""

    patterns: Patterns
    members: Bools
    ordinal: bool
    numbers: bool
    groups: Mapping[str, Ints]
    changes: Changes
    difficulty: Floats
    explained: list[Explained] = field(default_factory=list)
    found: list[Explanation] = field(default_factory=list)
    null: Null | None = None

    def fitted(self) -> Deviations:
        """The table with what was told explained."""
        self.null = fit_null(
            self.patterns,
            self.members,
            ordinal=self.ordinal,
            explained=self.explained,
            start=self.null,
        )
        return Deviations(self.null, self.changes, self.ordinal, self.groups, self.difficulty)

    def candidates(self, at: Deviations) -> list[Explanation]:
        """What is beyond the bound, not told and worth telling; the clearest first."""
        known = {x.key for told in self.found for x in (told, *told.parts)}
        confused = [set(x.labels) for x in self.found if x.kind in LINKS]
        found: list[Explanation] = []
        for name, kind in KINDS.items():
            new = (x for x in kind.find(at) if x.key not in known and x.share >= LEAST)
            if name == "coder_groups" and not self.changes.plain:  # all confuse them in one item
                new = (x for x in new if not any(set(x.labels) <= pair for pair in confused))
            found += (x for x in new if self._new(x, at))
        return sorted(_rivals(found, at), key=lambda x: -tied(x.score))

    def _new(self, one: Explanation, at: Deviations) -> bool:
        """Whether an explanation of a coder is not about deviations of the coder told already."""
        if len(one.coders) != 1 or one.cells is None:
            return True
        left = one.cells.copy()
        for told in self.found:
            for x in (told, *told.parts):
                if x.coders == one.coders and x.cells is not None:
                    left &= ~x.cells
        return bool(at.observed[left].sum() >= HALF * at.observed[one.cells].sum())

    def described(self, one: Explanation, at: Deviations) -> Explanation:
        """What a coder does who deviates too often, if it is clear of this coder alone."""
        if one.kind == "coder":
            kinds, least = MANNERS, HALF
        elif one.kind == "coder_gives" and self.ordinal:
            kinds, least = frozenset({"shifted"}), 1.0
        else:
            return one
        near = replace(at, focus=one.coders[0], kinds=len(kinds))
        known = {x.key for told in self.found for x in (told, *told.parts)}
        most = least * (one.observed - one.expected)
        found = (
            x
            for name in sorted(kinds)
            for x in KINDS[name].find(near)
            if x.observed - x.expected >= most and x.key not in known
        )
        return max(found, key=lambda x: tied(x.score), default=one)

    def tell(self, one: Explanation) -> None:
        """Add an explanation, and leave its deviations out of what follows."""
        same = [
            i for i, x in enumerate(self.found) if len(one.coders) == 1 and x.coders == one.coders
        ]
        if same:
            first = self.found[same[0]]
            self.found[same[0]] = replace(first, parts=(*first.parts, one))
        elif not self._joined(one):
            self.found.append(self._named(one))
        in_order = one.kind == "chain" and _neighbours(one.labels)
        if in_order and self.numbers and not self.ordinal:
            self.ordinal, self.null, self.explained = True, None, []
        elif self._dropped(one):
            self.patterns = self.patterns.without(self.patterns.coder == one.coders[0])
        elif one.kind == "item_group":
            self._harder(one)
        elif one.cells is not None and one.kind != "coder":
            factor = one.observed / max(one.expected, 1e-9)
            self.explained.append(Explained(one.cells, factor))

    def _joined(self, one: Explanation) -> bool:
        """Whether a confusion shares a label with others that were told: then they are one."""
        same = [
            x
            for x in self.found
            if {x.kind, one.kind} <= LINKS and not set(x.labels).isdisjoint(one.labels)
        ]
        if not same:
            return False
        whole = same[0]
        for other in (*same[1:], one):
            whole = self._with(whole, other)
        self.found = [whole if x is same[0] else x for x in self.found if x not in same[1:]]
        return True

    def _with(self, first: Explanation, one: Explanation) -> Explanation:
        """Two confusions as one; what confuses no further labels is explained by the first."""
        known = {frozenset(pair) for pair in first.pairs}
        links = tuple(pair for pair in one.pairs if frozenset(pair) not in known)
        if not links or first.cells is None or one.cells is None or self.null is None:
            return first
        there = self.null.deviations
        new = there[one.cells & ~first.cells].sum() / max(there[one.cells].sum(), 1e-9)
        return self._named(
            replace(
                first,
                cells=first.cells | one.cells,
                links=(*first.pairs, *links),
                observed=first.observed + new * one.observed,
                expected=first.expected + new * one.expected,
                of=first.of + one.of,
                share=first.share + new * one.share,
            )
        )

    def _named(self, one: Explanation) -> Explanation:
        """Linked pairs of labels as a chain, unless an order is known in which they are none."""
        if one.kind not in LINKS or len(one.pairs) == 1:
            return one
        path, nothing = _path(one.pairs), None if self.changes.plain else self.changes.n - 1
        known = self.ordinal or self.numbers
        if path and nothing not in path and (_neighbours(path) or not known):
            return replace(one, kind="chain", labels=path, links=())
        labels = tuple(dict.fromkeys(label for pair in one.pairs for label in pair))
        return replace(one, kind="pair", labels=labels, links=one.pairs)

    def _dropped(self, one: Explanation) -> bool:
        """Whether the others are judged without the coder of an explanation.

        In sets what a coder does with one label changes many sets, each in its own measure.
        """
        if len(one.coders) != 1 or one.place == ("ordinary",):
            return False
        of_label = one.kind == "coder_gives" and not self.changes.plain
        return of_label or one.kind in ("coder", "shifted", "swapped")

    def _harder(self, one: Explanation) -> None:
        """Items of a group by the odds, since shares of all deviations are compared."""
        name, group = one.place
        more = one.observed / max(one.expected, 1e-9)
        left = max(one.of - one.expected, 1e-9) / max(one.of - one.observed, 1.0)
        self.difficulty[self.groups[name] == group] *= more * left


def _path(pairs: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The labels of pairs that form one chain, from the end with the lower label; else none."""
    near: dict[int, list[int]] = {}
    for a, b in pairs:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    ends = sorted(label for label, others in near.items() if len(others) == 1)
    if len(ends) != ENDS or max(map(len, near.values())) > ENDS:
        return ()
    path = [ends[0]]
    while further := [label for label in near[path[-1]] if label not in path]:
        path += further
    return tuple(path) if len(path) == len(near) else ()


def _neighbours(labels: tuple[int, ...]) -> bool:
    """Whether labels follow each other in the order of all labels."""
    return tuple(sorted(labels)) in (labels, labels[::-1]) and (
        max(labels) - min(labels) == len(labels) - 1
    )


def explain(
    patterns: Patterns,
    members: Bools,
    *,
    ordinal: bool = False,
    numbers: bool = False,
    groups: Mapping[str, Ints] | None = None,
) -> Explanations:
    """Explanations of disagreement.

    Parameters
    ----------
    patterns : Patterns
        The annotations.
    members : ndarray of bool
        (K, L) which value holds which label; for single labels the identity.
    ordinal : bool
        Whether the values are in order.
    numbers : bool
        Whether they are numbers in order: once neighbours are seen to be confused along several of
        them, they are taken for a scale.
    groups : mapping of str to ndarray of int, optional
        Groups of items (I,), -1 for none, by the name of what they have in common.

    Returns
    -------
    Explanations

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> latent = random.integers(0, 4, (300, 1))
    >>> slips = random.random((300, 3)) < 0.1
    >>> grid = np.where(slips, (latent + random.integers(1, 4, (300, 3))) % 4, latent)
    >>> explain(Patterns.of_grid(grid, 4), np.eye(4, dtype=bool)).found
    ()
    >>> slips = (random.random((300, 3)) < 0.3) & (latent == 1)
    >>> changed = Patterns.of_grid(np.where(slips, 2, grid), 4)
    >>> [(x.kind, x.labels) for x in explain(changed, np.eye(4, dtype=bool)).found]
    [('pair', (1, 2))]
    """
    n = len(patterns.pattern)
    search = _Search(
        patterns, members, ordinal, numbers, groups or {}, Changes.of(members), np.ones(n)
    )
    at = first = search.fitted()
    for _ in range(MOST):
        candidates = search.candidates(at)
        if not candidates:
            break
        for one in _next(candidates, patterns.n_coders):
            search.tell(search.described(one, at))
        at = search.fitted()
    return Explanations(tuple(search.found), first, at)


def _next(candidates: list[Explanation], n_coders: int) -> list[Explanation]:
    """The best one; of many coders also what is clear about others of them."""
    best = _narrowest(candidates[0], candidates)
    if len(best.coders) != 1 or n_coders < MANY:
        return [best]
    each = {best.coders: best}
    for one in candidates:
        if len(one.coders) == 1 and one.score > CLEAR:
            each.setdefault(one.coders, _narrowest(one, candidates))
    return list(each.values())


def _narrowest(best: Explanation, candidates: list[Explanation]) -> Explanation:
    """Where a coder is the best, what says more about the coder's annotations, if anything does.

    Of one who guesses, some label is given too often as well, but that is not all.
    """
    if best.kind != "coder":
        return best
    same = (x for x in candidates if x.coders == best.coders and x.kind != "coder")
    return next((x for x in same if not x.labels or x.share >= HALF * best.share), best)


def _rivals(found: list[Explanation], at: Deviations) -> Iterator[Explanation]:
    """The same without groups of coders over a pair that all confuse, or else without the pair."""
    pairs = {frozenset(x.labels): x for x in found if x.kind == "pair"}
    groups = [x for x in found if x.kind == "coder_groups" and frozenset(x.labels) in pairs]
    parted = {
        x.key for x in groups if at.changes.plain and _parted(pairs[frozenset(x.labels)], x, at)
    }
    without = {pairs[frozenset(x.labels)].key if x.key in parted else x.key for x in groups}
    return (x for x in found if x.key not in without)


def _parted(pair: Explanation, groups: Explanation, at: Deviations) -> bool:
    """Whether groups of coders hold more of a pair than coders who all confuse it would show."""
    if pair.cells is None:
        return False
    once, twice = (float(x[pair.cells[0]].sum()) for x in (at.null.once, at.null.twice))
    share = groups.expected / max(pair.expected, 1e-9)
    found = surprise(np.array(groups.observed), pair.observed, share, (twice + 1) / (once + 1))
    return bool(found > len(at.observed) * np.log(2) - np.log(LINK))
