"""Why coders disagree: explanations one after the other, each net of those before.

The explanation with the best score is told, explained and the null fitted again, until none is
beyond what the null would show. One culprit has one explanation: what else is found about a coder
becomes a part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..inference.item_patterns import Patterns
from ..inference.null import Explained, Null, fit_null, surprise
from ..numbers import tied
from . import category_explanations, coder_explanations, place_explanations
from .deviations import Changes, Deviations, Timeline
from .explanation import KINDS, NOMINAL, Explanation

__all__ = ["Explanations", "explain", "span"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST = 25  # explanations
LEAST = 0.01  # of all deviations: less is not told
ONE_WAY, NOT_CLEAR = 0.35, 3.5  # of the excess of a direction, and standard errors: none
ASYMMETRIC = 2.5  # standard errors between the two directions
HALF, WIDER = 0.5, 1.3  # of an explanation must be in what takes its place, or is new
NEARLY = 0.75  # of what a coder gives too often is for one label: a cell
MANY, CLEAR = 10, 10.0  # coders who are told together, and nats from which they are
DROPPED = frozenset({"coder", "shifted", "swapped", "narrow"})
"""Kinds whose coder is left out of what follows: the others are judged without."""
IN_TIME = frozenset({"stretch", "trend"})
"""A trend and a stretch are one cause."""
LINKS = frozenset({"pair", "chain"})
ENDS = 2  # of a chain
CONFUSED = LINKS | {"one_way", "family"}
MANNERS = frozenset(
    {
        "coder_gives",
        "coder_omits",
        "swapped",
        "shifted",
        "narrow",
        "set_size",
    }
)
"""Kinds that say what a coder does who deviates too often."""
OVER_TIME = frozenset({"coder_trend", "coder_stretch"})
"""Kinds that say when: their excess is that over the coder's own mean."""
ALONG = frozenset({"shifted", "narrow"})
CELLS = frozenset({"coder_gives", "coder_omits", "coder_cell"})
ONCE = IN_TIME | {"unequal", "higher", "set_size_of_two"}
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
            self.patterns,
            self.members,
            ordinal=self.ordinal,
            explained=self.explained,
            start=self.null,
        )
        return Deviations(
            self.null, self.changes, self.ordinal, self.groups, self.timeline, self.difficulty
        )

    def candidates(self, at: Deviations) -> list[Explanation]:
        """What is beyond the bound, not told and worth telling; the clearest first."""
        known = {x.key for told in self.found for x in (told, *told.parts)}
        once = {x.kind for x in self.found} & ONCE
        confused = [set(x.labels) for x in self.found if x.kind in CONFUSED]
        found: list[Explanation] = []
        for name, kind in KINDS.items():
            if name in once or (name in IN_TIME and once & IN_TIME):
                continue
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
        """What says more about the coder of an explanation, if it is clear of this coder alone.

        How a coder differs who does so too often; that cells at both ends of a scale are one
        manner; and from where on a coder gives one label for another.
        """
        if len(one.coders) != 1:
            return one
        excess = one.observed - one.expected
        if one.kind == "coder":
            return self._among(at, one, one.coders, MANNERS | OVER_TIME, HALF * excess)
        if one.kind in CELLS and self.ordinal:
            least = WIDER if one.kind == "coder_cell" else 1
            one = self._among(at, one, one.coders, ALONG, least * excess)
        if one.kind == "coder_cell":
            return self._among(at, one, (*one.coders, *one.labels), {"coder_change"}, HALF * excess)
        if one.kind in OVER_TIME:
            return self._among(at, one, one.coders, {"coder_change"}, HALF * excess)
        return one

    def _among(
        self, at: Deviations, one: Explanation, focus: tuple[int, ...], kinds: Set[str], most: float
    ) -> Explanation:
        """The best of some kinds that holds so much excess; else the explanation itself."""
        near = replace(at, focus=focus, kinds=len(kinds))
        ways = (x for name in kinds for x in KINDS[name].find(near))
        known = {x.key for told in self.found for x in (told, *told.parts)}
        found = [
            x
            for x in ways
            if (x.kind in OVER_TIME or x.observed - x.expected >= most) and x.key not in known
        ]
        return max(found, key=lambda x: tied(x.score), default=one)

    def directed(self, one: Explanation) -> Explanation:
        """A pair of labels, or one of its directions if that holds nearly all of its excess.

        Where two of three coders changed a into b, the third seems to change b into a: only a
        null that knows the pair can tell the directions apart.
        """
        if one.kind != "pair" or self.null is None or not (self.null.patterns.size > 2).any():
            return one
        a, b = one.labels
        n = self.null.patterns.n_coders
        ways = [np.repeat(self.changes.cells(*way)[None], n, 0) for way in ((a, b), (b, a))]
        factor = one.observed / max(one.expected, 1e-9)
        null = fit_null(
            self.patterns,
            self.members,
            ordinal=self.ordinal,
            start=self.null,
            explained=[*self.explained, *(Explained(way, factor) for way in ways)],
        )
        told = null.explained[-2:]
        observed = [float(null.deviations[way].sum()) for way in ways]
        expected = [
            float(null.expected[way].sum()) / max(x.factor, 1e-9)
            for way, x in zip(ways, told, strict=True)
        ]
        exposed = null.exposure.sum(0) @ self.changes.held[:, [a, b]] + 1
        excess = (np.array(observed) - expected) / exposed  # a rare label is seldom confused
        k = int(excess[1] > excess[0])
        error = np.sqrt(expected[1 - k] + 1) / exposed[1 - k]
        apart = (excess[k] - excess[1 - k]) / np.sqrt(((np.array(observed) + 1) / exposed**2).sum())
        if excess[1 - k] > min(ONE_WAY * excess[k], NOT_CLEAR * error) or apart < ASYMMETRIC:
            return one
        return replace(
            one,
            kind="one_way",
            labels=(b, a) if k else (a, b),
            cells=ways[k],
            observed=observed[k],
            expected=expected[k],
        )

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
        in_order = one.kind in ("chain", "family") and _neighbours(one.labels)
        if in_order and self.numbers and not self.ordinal:
            self.ordinal, self.null, self.explained = True, None, []
        elif self._dropped(one):
            self.patterns = self.patterns.without(self.patterns.coder == one.coders[0])
        elif one.kind in ITEMS:
            self._harder(one)
        elif one.kind in OVER_TIME | {"coder_change"}:
            self.patterns, there = self.patterns.parted(self._span(one))
            out = (self.patterns.coder == one.coders[0]) & there[self.patterns.row]
            if one.kind == "coder_change":
                out &= self.changes.held[self.patterns.value, one.labels[1]]
            self.patterns = self.patterns.without(out)
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
        of_label = one.kind in ("coder_gives", "coder_omits") and not self.changes.plain
        return one.place[:1] != ("ordinary",) and (one.kind in DROPPED or of_label)

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
    timeline = Timeline.of(np.arange(n) if times is None else times, known=times is not None)
    search = _Search(
        patterns, members, ordinal, numbers, groups or {}, timeline, Changes.of(members), np.ones(n)
    )
    at = first = search.fitted()
    for _ in range(MOST):
        candidates = search.candidates(at)
        if not candidates:
            break
        for one in _next(candidates, patterns.n_coders):
            search.tell(search.directed(search.described(one, at)))
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

    Of one who guesses, some label is given or left out too often as well, but that is not all; a
    change in time explains the rest of the coder's annotations by itself. A label that is given
    too often for one other label is a cell. A cell is better known with the place from which, or
    up to which, the coder gave it.
    """
    same = [x for x in candidates if x.coders == best.coders]
    if best.kind == "coder":
        least = HALF * best.share
        parts = (x for x in same if x.kind != "coder")
        best = next((x for x in parts if not x.labels or x.share >= least), best)
    if best.kind == "coder_gives":
        cells = (x for x in same if x.kind == "coder_cell" and x.labels[1] == best.labels[0])
        part = (x for x in cells if NEARLY * best.share <= x.share < best.share)
        best = next(part, best)
    if best.kind in CELLS:
        at = {best.labels[-1]} if best.kind == "coder_gives" else set(best.labels)
        changes = (x for x in same if x.kind == "coder_change" and at <= set(x.labels))
        best = next(changes, best)
    return best


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
    return bool(found > len(at.observed) * np.log(2) - np.log(NOMINAL))


_DEFINED = (category_explanations, coder_explanations, place_explanations)
