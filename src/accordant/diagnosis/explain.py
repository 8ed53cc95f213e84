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

from ..inference.null import Explained, Null, fit_null
from . import category_explanations, coder_explanations, place_explanations
from .deviations import Changes, Deviations
from .explanation import KINDS, Explanation

__all__ = ["Explanations", "explain"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST = 25  # explanations
LEAST = 0.01  # of all deviations: less is not told
DROPPED = frozenset({"coder", "shifted", "swapped", "narrow"})
"""Kinds whose coder is left out of what follows: the others are judged without."""
ITEMS = frozenset({"stretch", "trend", "item_group"})


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

    grid: Ints
    members: Bools
    ordinal: bool
    groups: Mapping[str, Ints]
    times: Floats
    changes: Changes
    difficulty: Floats
    explained: list[Explained] = field(default_factory=list)
    found: list[Explanation] = field(default_factory=list)
    null: Null | None = None

    def fitted(self) -> Deviations:
        """The table with what was told explained."""
        self.null = fit_null(
            self.grid, self.members, ordinal=self.ordinal, explained=self.explained,
            start=self.null,
        )  # fmt: skip
        return Deviations(
            self.null, self.changes, self.grid, self.ordinal, dict(self.groups), self.times,
            self.difficulty,
        )  # fmt: skip

    def candidates(self, at: Deviations) -> list[Explanation]:
        """The best of each kind that is not told and worth telling."""
        known = {x.key for told in self.found for x in (told, *told.parts)}
        found = []
        for kind in KINDS.values():
            new = (x for x in kind(at) if x.key not in known and x.share >= LEAST)
            one = max(new, key=lambda x: x.score, default=None)
            if one is not None:
                found.append(one)
        return found

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
        if one.kind in DROPPED and one.place[:1] != ("ordinary",):
            self.grid[:, one.coders[0]] = -1
        elif one.kind in ITEMS:
            self._harder(one)
        elif one.kind in ("coder_stretch", "coder_trend"):
            self._leave_out(one)
        elif one.cells is not None and one.kind != "coder":
            factor = one.observed / max(one.expected, 1e-9)
            self.explained.append(Explained(one.cells, factor))
        self.grid[(self.grid >= 0).sum(1) < 2] = -1

    def _span(self, one: Explanation) -> Bools:
        """(I,) the items of a place."""
        if one.kind == "item_group":
            name, group = one.place
            return np.asarray(self.groups[name] == group)
        times = self.times[:, one.coders[0]] if one.coders else self.times.mean(1)
        if len(one.place) == 1:
            return np.asarray(times > 0 if one.place[0] == "rises" else times < 0)
        rank = np.empty(len(times), int)
        rank[np.argsort(times, kind="stable")] = np.arange(len(times))
        return np.asarray((rank >= one.place[0]) & (rank < one.place[1]))

    def _harder(self, one: Explanation) -> None:
        if one.kind == "trend":
            ends = one.observed / max(one.expected, 1e-9)
            slope = 2 * np.clip(ends - 1, 0, 0.95)
            way = 1 if one.place[0] == "rises" else -1
            self.difficulty *= np.maximum(1 + way * slope * self.times.mean(1), 0.05)
            return
        self.difficulty[self._span(one)] *= one.observed / max(one.expected, 1e-9)

    def _leave_out(self, one: Explanation) -> None:
        self.grid[self._span(one), one.coders[0]] = -1


def explain(
    grid: Ints,
    members: Bools,
    *,
    ordinal: bool = False,
    groups: Mapping[str, Ints] | None = None,
    times: Floats | None = None,
) -> Explanations:
    """Explanations of disagreement.

    Parameters
    ----------
    grid : ndarray of int
        (I, C) the value that each coder gave each item, -1 for none.
    members : ndarray of bool
        (K, L) which value holds which label; for single labels the identity.
    ordinal : bool
        Whether the values are in order.
    groups : mapping of str to ndarray of int, optional
        Groups of items (I,), -1 for none, by the name of what they have in common.
    times : ndarray, optional
        (I,) or (I, C) when annotations were made, in any unit; by default the order of the rows.

    Returns
    -------
    Explanations

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> latent = random.integers(0, 4, (300, 1))
    >>> slips = random.random((300, 3)) < 0.1
    >>> grid = np.where(slips, (latent + random.integers(1, 4, (300, 3))) % 4, latent)
    >>> explain(grid, np.eye(4, dtype=bool)).found
    ()
    >>> slips = (random.random((300, 3)) < 0.3) & (latent == 1)
    >>> [(x.kind, x.labels) for x in explain(np.where(slips, 2, grid), np.eye(4, dtype=bool)).found]
    [('one_way', (1, 2))]
    """
    grid = np.array(grid, np.int64)
    grid[(grid >= 0).sum(1) < 2] = -1
    search = _Search(
        grid, members, ordinal, groups or {}, _ranks(grid, times), Changes.of(members),
        np.ones(len(grid)),
    )  # fmt: skip
    at = first = search.fitted()
    for _ in range(MOST):
        candidates = search.candidates(at)
        best = max(candidates, key=lambda x: x.score, default=None)
        if best is None:
            break
        search.tell(_narrowest(best, candidates))
        at = search.fitted()
    return Explanations(tuple(search.found), first, at)


def _narrowest(best: Explanation, candidates: list[Explanation]) -> Explanation:
    """Where a coder is the best, a part of the coder's annotations says more, if there is one."""
    if best.kind != "coder":
        return best
    parts = (x for x in candidates if x.kind != "coder" and x.coders == best.coders)
    return max(parts, key=lambda x: x.score, default=best)


def _ranks(grid: Ints, times: Floats | None) -> Floats:
    """(I, C) ranks from -1 to 1, those of equal times alike."""
    n, many = grid.shape
    if times is None:
        return np.repeat(np.linspace(-1, 1, n)[:, None], many, 1) if n > 1 else np.zeros(grid.shape)
    times = np.asarray(times, float)
    times = np.repeat(times[:, None], many, 1) if times.ndim == 1 else times
    found = np.zeros(grid.shape)
    for c in range(many):
        known = np.isfinite(times[:, c])
        _, inverse, count = np.unique(times[known, c], return_inverse=True, return_counts=True)
        middle = np.cumsum(count) - (count + 1) / 2
        found[known, c] = 2 * middle[inverse] / max(known.sum() - 1, 1) - 1
    return found


_DEFINED = (category_explanations, coder_explanations, place_explanations)
