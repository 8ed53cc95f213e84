"""Why coders disagree: explanations one after the other, each net of those before.

The explanation with the best score is told, explained and the null fitted again, until none is
beyond what the null would show. One culprit has one explanation: what else is found about a coder
becomes a part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..inference.null import Explained, Null, Patterns, fit_null
from . import category_explanations, coder_explanations, place_explanations
from .deviations import Changes, Deviations, Timeline
from .explanation import KINDS, Explanation

__all__ = ["Explanations", "explain", "span"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST = 25  # explanations
LEAST = 0.01  # of all deviations: less is not told
MANY, CLEAR = 10, 10.0  # coders who are told together, and nats from which they are
MOSTLY = 0.5  # of what a coder deviates too much; less is not told in its place
DROPPED = frozenset({"coder", "shifted", "swapped", "narrow"})
"""Kinds whose coder is left out of what follows: the others are judged without."""
IN_TIME = frozenset({"stretch", "trend"})
"""A trend and a stretch are one cause."""
ONCE = IN_TIME | {"unequal", "higher"}
ITEMS = IN_TIME | {"item_group"}


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
    timeline: Timeline
    changes: Changes
    difficulty: Floats
    explained: list[Explained] = field(default_factory=list)
    found: list[Explanation] = field(default_factory=list)
    null: Null | None = None

    def fitted(self) -> Deviations:
        """The table with what was told explained."""
        self.null = fit_null(
            self.patterns, self.members, ordinal=self.ordinal, explained=self.explained,
            start=self.null,
        )  # fmt: skip
        return Deviations(
            self.null, self.changes, self.ordinal, self.groups, self.timeline, self.difficulty
        )

    def candidates(self, at: Deviations) -> list[Explanation]:
        """What is beyond the bound, not told and worth telling; the clearest first."""
        known = {x.key for told in self.found for x in (told, *told.parts)}
        once = {x.kind for x in self.found} & ONCE
        found = []
        for name, kind in KINDS.items():
            if name in once or (name in IN_TIME and once & IN_TIME):
                continue
            found += [x for x in kind.find(at) if x.key not in known and x.share >= LEAST]
        return sorted(found, key=lambda x: -x.score)

    def tell(self, one: Explanation) -> None:
        """Add an explanation, and leave its deviations out of what follows."""
        same = [
            i for i, x in enumerate(self.found) if len(one.coders) == 1 and x.coders == one.coders
        ]
        if same:
            first = self.found[same[0]]
            self.found[same[0]] = replace(first, parts=(*first.parts, one))
        else:
            self.found.append(one)
        if one.kind in ("chain", "family") and self.numbers and not self.ordinal:
            self.ordinal, self.null, self.explained = True, None, []
        elif one.kind in DROPPED and one.place[:1] != ("ordinary",):
            self.patterns = self.patterns.without(self.patterns.coder == one.coders[0])
        elif one.kind in ITEMS:
            self._harder(one)
        elif one.kind in ("coder_stretch", "coder_trend"):
            self.patterns, there = self.patterns.parted(self._span(one))
            out = (self.patterns.coder == one.coders[0]) & there[self.patterns.row]
            self.patterns = self.patterns.without(out)
        elif one.cells is not None and one.kind != "coder":
            factor = one.observed / max(one.expected, 1e-9)
            self.explained.append(Explained(one.cells, factor))

    def _span(self, one: Explanation) -> Bools:
        """(I,) the items of a place."""
        if one.kind == "item_group":
            name, group = one.place
            return np.asarray(self.groups[name] == group)
        return span(self.timeline, one)

    def _harder(self, one: Explanation) -> None:
        more = one.observed / max(one.expected, 1e-9)
        if one.kind == "trend":
            way = 1 if one.place[0] == "rises" else -1
            slope = 2 * min(max(more - 1, 0), 0.95)
            rank = self.timeline.of_items()[0]
            self.difficulty *= np.maximum(1 + way * slope * rank, 0.05)
        else:  # odds, since shares of all deviations are compared
            self.difficulty[self._span(one)] *= more * (
                max(one.of - one.expected, 1e-9) / max(one.of - one.observed, 1.0)
            )


def span(timeline: Timeline, one: Explanation) -> Bools:
    """(I,) the items of a stretch, or of the half to which a trend rises."""
    if one.coders and timeline.rank.ndim == 2:
        rank, bins = timeline.rank[:, one.coders[0]], timeline.bin[:, one.coders[0]]
    else:
        rank, bins = timeline.of_items()
    if len(one.place) == 1:
        return np.asarray(rank > 0 if one.place[0] == "rises" else rank < 0)
    low, high = one.place
    if low == "from":
        return np.asarray(bins >= high)
    return np.asarray((bins >= (0 if low == "until" else low)) & (bins < high))


def explain(
    patterns: Patterns,
    members: Bools,
    *,
    ordinal: bool = False,
    numbers: bool = False,
    groups: Mapping[str, Ints] | None = None,
    times: Floats | None = None,
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
    times : ndarray, optional
        (I,) or (I, C) when annotations were made, in any unit; by default the order of the items.

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
    timeline = Timeline.of(np.arange(n) if times is None else times)
    search = _Search(
        patterns, members, ordinal, numbers, groups or {}, timeline, Changes.of(members), np.ones(n)
    )
    at = first = search.fitted()
    for _ in range(MOST):
        candidates = search.candidates(at)
        if not candidates:
            break
        for one in _next(candidates, patterns.n_coders):
            search.tell(one)
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
    """Where a coder is the best, a part of the coder's annotations says more, if it is the rule.

    Of one who guesses, some label is given or left out too often as well, but that is not all; a
    change in time explains the rest of the coder's annotations by itself.
    """
    if best.kind != "coder":
        return best
    least = MOSTLY * best.share
    parts = (x for x in candidates if x.kind != "coder" and x.coders == best.coders)
    return next((x for x in parts if not x.labels or x.share >= least), best)


_DEFINED = (category_explanations, coder_explanations, place_explanations)
