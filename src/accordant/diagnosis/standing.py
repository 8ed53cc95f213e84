"""Which coders stand apart from the others, and whether they always did or came to do so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..measure.weights import Weights
from .apart import Apart, all_disagreement, apart, rest_of
from .camps import Camps
from .drift import Drift, drift
from .spots import Spot, spots

__all__ = ["Standing", "WhoDrifts", "WhoIsApart", "sorted_items", "standing"]

CLEAR_CHANGE = 0.05  # of agreement from the first item to the last; our convention
OWN = 0.5  # of a change beside the others is in the coder's own curve; our convention
SORTED = 0.05  # level of the test whether items are in an order of their own
ONE_AT_A_TIME = 10  # of so few coders one who is apart makes others look apart
MOST_ROUNDS = 10
MOST_SPOTTED = 3  # coders who are looked at in each group of items
FEW_ROUNDS = 3  # of many coders all who are apart are taken out at once


@dataclass(frozen=True)
class WhoIsApart:
    """A coder who agrees less with the others than these among themselves.

    ``agreement`` with the others, that of the ``others`` among themselves on the same
    ``n_items`` items, ``share`` of all disagreement that is beyond theirs, ``p_value`` not
    corrected for the number of coders. ``compared`` are the others; ``camp`` says that these are
    a camp. Whoever is told before is not among them. ``spot`` is the group of items on which it
    is so, if it is hardly so elsewhere; ``only`` says that the figures are those of this group.
    """

    coder: str
    agreement: float
    others: float
    n_items: int
    share: float
    p_value: float
    compared: tuple[str, ...]
    camp: bool = False
    spot: Spot | None = None
    only: bool = False


@dataclass(frozen=True)
class WhoDrifts:
    """A coder who moves away from the others, or towards them, in the course of the annotation.

    ``seen`` is the drift of the coders who were compared, ``at`` the coder's place in it,
    ``share`` of all disagreement that is beyond what the coder's better end would give;
    ``p_value`` is corrected for the number of coders that were tested.
    ``what`` says how it shows: in agreement, in the use of a value, or in one batch.
    """

    coder: str
    seen: Drift
    at: int
    share: float
    p_value: float
    what: str


@dataclass(frozen=True, eq=False)
class Standing:
    """How coders stand to each other.

    Parameters
    ----------
    camps : Camps or None
        Camps, if coders fall into any that are clearly apart.
    drifts : tuple of WhoDrifts
    apart : tuple of WhoIsApart
        Coders who are apart in another way, those with most disagreement first.
    rest : Drift or None
        The drift of the coders who do not drift by themselves, for what they have in common.
    """

    camps: Camps | None = None
    drifts: tuple[WhoDrifts, ...] = ()
    apart: tuple[WhoIsApart, ...] = ()
    rest: Drift | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Coders who drift or are apart."""
        return (*(d.coder for d in self.drifts), *(a.coder for a in self.apart))


def standing(
    data: Annotations,
    counts: Counts,
    w: Weights,
    camps: Camps,
    drifting: Drift | None,
    *,
    order: str | None = None,
    level: float = 0.01,
) -> Standing:
    """Find camps, coders who drift, and coders who are apart.

    Parameters
    ----------
    data, counts, w
    camps : Camps
    drifting : Drift or None
        Of all coders.
    order : str, optional
        The metadata column with the order of annotation.
    level : float
        Of each of the three tests, for all coders together (Bonferroni).

    Notes
    -----
    One coder who is apart makes the others look as if they were, the less so the more they are. So
    the clearest one is taken out and the others are looked at again. A coder who drifts is
    not also told as apart. Where there are camps, their members are compared with their own camp;
    coders who belong to none are apart if they are apart from each camp.

    Examples
    --------
    >>> from accordant import diagnose, read
    >>> right = ["a", "b", "c"] * 30
    >>> data = read([right, right, right, right[1:] + right[:1]])
    >>> [(a.coder, a.agreement, a.others) for a in diagnose(data).pooled.standing.apart]
    [('coder 4', 0.0, 1.0)]
    """
    if counts.coder is None or counts.n_coders < 3 or counts.n_questions > 1:
        return Standing(rest=drifting)
    found = camps if camps.clear(level) else None
    whole = all_disagreement(counts, w)
    if not whole:
        return Standing(rest=drifting)
    drifts, rest, last = _drifts(data, counts, w, drifting, whole, order, level)
    kept, told = rest if rest.n_coders >= 3 else counts, {d.coder for d in drifts}

    def look(part: Counts) -> tuple[WhoIsApart, ...]:
        return _apart(part, w, whole, told, level / counts.n_coders)

    sides = look(kept) if found is None else _beside_camps(kept, found, look)
    if found is None:
        sides = _spotted(data, kept, w, whole, sides, told, level)
    return Standing(found, drifts, sides, last)


def _drifts(
    data: Annotations, counts: Counts, w: Weights, seen: Drift | None, whole: float,
    order: str | None, level: float,
) -> tuple[tuple[WhoDrifts, ...], Counts, Drift | None]:  # fmt: skip
    """Who drifts, the other coders, and what is left of drift without those who do."""
    told: list[WhoDrifts] = []
    n_coders = counts.n_coders
    while seen is not None and counts.n_coders >= 3 and len(told) < MOST_ROUNDS:
        sides = apart(counts, w, whole)
        found = [] if sides is None else _clear(seen, sides, whole, level, n_coders)
        if not found:
            break
        told += found[:1] if n_coders <= ONE_AT_A_TIME else found
        counts = rest_of(counts, {x.coder for x in told} & set(counts.coders))
        seen = drift(data, counts, w, order)
        if n_coders > ONE_AT_A_TIME:
            break
    return tuple(sorted(told, key=lambda x: -x.share)), counts, seen


def _clear(seen: Drift, sides: Apart, whole: float, level: float, n_coders: int) -> list[WhoDrifts]:
    """Coders whose drift is clear, the clearest first.

    Of coders who are known to be apart it is one more question whether they drift: their tests
    are corrected for the number of such coders only.
    """
    far = sides.p_value < level / n_coders
    tests = np.where(far, max(1, int(far.sum())), n_coders)
    found = []
    for c in range(len(seen.coders)):
        if sorted_items(seen, c):
            continue
        each = {
            "agreement": float(seen.p_value[c] * tests[c]) if _moves(seen, sides, c) else 1.0,
            "use": _use_changes(seen, c) * n_coders,
            "batch": (seen.odd[c][1] if seen.odd else 1.0) * n_coders,
        }
        what = min(each, key=lambda name: (each[name] >= level, list(each).index(name)))
        if each[what] < level:
            share = _share(seen, sides, c, what, whole)
            found.append(WhoDrifts(seen.coders[c], seen, c, share, each[what], what))
    return sorted(found, key=lambda x: (x.p_value, -x.share))


def sorted_items(seen: Drift, c: int) -> bool:
    """Whether the items get harder or easier by themselves, as much as the coder drifts.

    In the order of the data this speaks for items that were sorted, not for time. Never so where
    the order is known.
    """
    if seen.order.known:
        return False
    moved = abs(float(np.nan_to_num(seen.items_change[c])))
    return bool(seen.items_p[c] < SORTED and moved > abs(float(np.nan_to_num(seen.change[c]))) / 2)


def _moves(seen: Drift, sides: Apart, c: int) -> bool:
    """Whether the change is more than a detail of the coder, and is seen in plain figures too.

    The coder's own curve must move, and more than that of the others among themselves: beside one
    who comes to disagree, the others seem to come to agree.
    """
    change, excess = float(seen.change[c]), float(np.nan_to_num(sides.excess[c]))
    if not abs(change) >= max(CLEAR_CHANGE, abs(excess) / 2):
        return False
    if not float(seen.own_change[c]) / change >= OWN:
        return False
    known = np.flatnonzero(seen.stretches.n[c])
    first, last = seen.stretches.own[c][known[[0, -1]]]
    among = seen.stretches.among[c][known[[0, -1]]]
    beside = (last - among[1]) - (first - among[0])
    return bool((last - first) * -change > 0 and beside * -change > 0)


def _use_changes(seen: Drift, c: int) -> float:
    """p-value of the change in the use of a value, if it is worth a word."""
    use = seen.use[c]
    if use is None or not abs(use.last - use.first) >= CLEAR_CHANGE:
        return 1.0
    return use.p_value if use.own else 1.0


def _share(seen: Drift, sides: Apart, c: int, what: str, whole: float) -> float:
    """Share of all disagreement that would be gone if the coder had always been as at its best."""
    n, own = float(sides.n_items[c]), float(sides.own[c])
    if what == "agreement":
        beyond = abs(float(seen.change[c])) / 2
    elif what == "batch":
        at = seen.odd[c][0]
        n *= float(seen.stretches.n[c, at] / max(seen.stretches.n[c].sum(), 1))
        beyond = own - float(1 - seen.stretches.own[c, at])
        beyond = max(0.0, -beyond)
    else:
        use = seen.use[c]
        ends = [0.0] if use is None else [abs(x) for x in (use.first, use.last) if x == x]
        beyond = (max(ends, default=0.0) - min(ends, default=0.0)) / 2
    found = max(2 * n * min(beyond, own) / whole, float(sides.share[c]))
    return min(1.0, found)


def _beside_camps(
    counts: Counts, found: Camps, look: Callable[[Counts], tuple[WhoIsApart, ...]]
) -> tuple[WhoIsApart, ...]:
    """Members who are apart from their camp, and others who are apart from every camp.

    Of the latter it is told how they stand to the nearest camp.
    """
    every = set(counts.coders)
    told = [
        replace(x, camp=True)
        for names in found.names
        for x in look(rest_of(counts, every - set(names)))
    ]
    for name in sorted(
        every - {n for names in found.names for n in names}, key=counts.coders.index
    ):
        sides = []
        for names in found.names:
            seen = look(rest_of(counts, every - {name, *names}))
            sides += [replace(x, camp=True) for x in seen if x.coder == name]
        if len(sides) == len(found.names):
            told.append(min(sides, key=lambda x: x.share))
    return tuple(sorted(told, key=lambda x: -x.share))


def _spotted(
    data: Annotations, counts: Counts, w: Weights, whole: float, sides: tuple[WhoIsApart, ...],
    told: set[str], level: float,
) -> tuple[WhoIsApart, ...]:  # fmt: skip
    """Those who are apart, with the items on which they are; and who is apart on some items."""
    if not data.metadata or len(sides) > MOST_SPOTTED:
        return sides
    every = set(counts.coders)
    found = []
    for x in sides:
        part = rest_of(counts, every - {x.coder, *x.compared})
        seen = spots(data, part, w, whole, level=level, only=x.coder)
        found.append(replace(x, spot=seen[0]) if seen else x)
    rest = rest_of(counts, {x.coder for x in sides} & every)
    for spot in spots(data, rest, w, whole, level=level):
        if spot.coder not in told and len(found) < MOST_SPOTTED:
            others = tuple(name for name in rest.coders if name != spot.coder)
            found.append(
                WhoIsApart(
                    spot.coder, spot.agreement, spot.others, spot.n_items, spot.share,
                    spot.p_value, others, spot=spot, only=True,
                )
            )  # fmt: skip
    return tuple(sorted(found, key=lambda x: -x.share))


def _apart(
    counts: Counts, w: Weights, whole: float, told: set[str], level: float
) -> tuple[WhoIsApart, ...]:
    """Who is apart, those with most disagreement first; ``level`` is that of one test."""
    found: list[WhoIsApart] = []
    for _ in range(MOST_ROUNDS if counts.n_coders <= ONE_AT_A_TIME else FEW_ROUNDS):
        seen = apart(counts, w, whole)
        if seen is None:
            break
        new = [
            _one(seen, c)
            for c in np.flatnonzero(seen.p_value < level).tolist()
            if seen.coders[c] not in told
        ]
        if not new:
            break
        new.sort(key=lambda a: -a.share)
        found += new[:1] if counts.n_coders <= ONE_AT_A_TIME else new
        counts = rest_of(counts, {a.coder for a in found} & set(counts.coders))
    return tuple(sorted(found, key=lambda a: -a.share))


def _one(seen: Apart, c: int) -> WhoIsApart:
    return WhoIsApart(
        seen.coders[c], float(1 - seen.own[c]), float(1 - seen.among[c]), int(seen.n_items[c]),
        float(seen.share[c]), float(seen.p_value[c]),
        tuple(name for name in seen.coders if name != seen.coders[c]),
    )  # fmt: skip
