"""Which partitions are looked at: all bipartitions where that is possible, else some of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..measure.numbers import count_of, decimal, joined
from .bipartitions import Bipartitions, appendix_order, smaller_side
from .comparable import Comparables
from .cuts import CRITERIA, Scores
from .families import named_families
from .ground import Groups
from .local import SEARCHED, local_search
from .printing import Rounding
from .stability import criterion_values
from .states import States
from .streaming import MOST_STATES, STREAMED, best
from .subsets import exhaustive

__all__ = ["RANKS", "SEARCHES", "Found", "Search", "every_bipartition", "explore"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Progress: TypeAlias = Callable[[int, int], None] | None
Search: TypeAlias = Literal["auto", "exhaustive", "families", "local"]

SEARCHES: tuple[Search, ...] = get_args(Search)
RANKS = (*CRITERIA, "sides", "rule")
"""By a criterion; ``'sides'``: small sides first; ``'rule'``: simple rules first."""

LISTED = 1 << 16  # so many bipartitions are all scored in full
PATIENCE = 1 << 28  # bipartitions x forms that are worked out in a few seconds
RARE = 0.01  # share of the annotations


@dataclass(frozen=True, eq=False)
class Found:
    """What a search brought.

    Parameters
    ----------
    which : Bipartitions
        The best, the best first; with their smaller side as side 0.
    n_scored : int
        How many were looked at.
    exhaustive : bool
        Whether these are all there are.
    how : str
        How the search was limited, in a sentence.
    compared : Bipartitions
        Those among which places are counted when items are drawn anew.
    """

    which: Bipartitions
    n_scored: int
    exhaustive: bool
    how: str
    compared: Bipartitions


def explore(
    states: States,
    *,
    coefficient: str,
    rank: str,
    most: int,
    search: str = "auto",
    hierarchy: Groups | None = None,
    minimum_share: float | None = None,
    rng: Any = 0,
    rounding: Rounding | None = None,
    progress: Progress = None,
) -> Found:
    """Search the bipartitions of the values (Levi & Shenhav 2022, section 4.1).

    All 2^(C − 1) − 1 of them are looked at where that takes a moment, or for ``'exhaustive'``
    however long it takes. Otherwise those with a short rule, since a reader can act on them; a
    local search from many starts tells how much better one without a rule would be, and with
    ``'local'`` its best are listed too.

    Parameters
    ----------
    rank : str
        One of `RANKS`.
    most : int
        How many to keep.
    search : {'auto', 'exhaustive', 'families', 'local'}
    hierarchy : Groups, optional
        Groups of categories, which are looked at beside what has a short rule of its own.
    rounding : Rounding, optional
        Rank as a paper does that ranks rounded figures.
    minimum_share : float, optional
        Leave out bipartitions whose smaller side holds a smaller share of the annotations. By
        default 0.01 where there are too many to score all in full: rare values win any search.

    Raises
    ------
    RequestError
        If there are too many values for an exhaustive search, or no such search or ranking.
    """
    _check(rank, search, most, minimum_share)
    n_all = 2 ** (states.n_states - 1) - 1
    every = search == "exhaustive" or (search == "auto" and _affordable(states, rank))
    if rank == "rule" or search == "families" or not every:
        return _limited(
            states, coefficient, rank, most, search, hierarchy, minimum_share, rng, progress
        )
    if n_all <= LISTED:
        return _all_scored(states, coefficient, rank, most, minimum_share or 0.0, rounding)
    return _streamed(states, coefficient, rank, most, minimum_share, progress)


def _check(rank: str, search: str, most: int, minimum_share: float | None) -> None:
    if rank not in RANKS:
        raise RequestError(f"unknown rank {rank!r}: choose from {', '.join(RANKS)}")
    if search not in SEARCHES:
        raise RequestError(f"unknown search {search!r}: choose from {', '.join(SEARCHES)}")
    if isinstance(most, bool) or not isinstance(most, int | np.integer) or most < 1:
        raise RequestError(f"most is a whole number from 1 up, not {most!r}")
    if minimum_share is not None and not 0 <= minimum_share <= 0.5:
        raise RequestError(f"minimum_share must lie between 0 and 0.5, not {minimum_share!r}")


def _affordable(states: States, rank: str) -> bool:
    """Whether looking at all bipartitions takes a moment only."""
    if states.n_states > MOST_STATES:
        return False
    n_all, pairs = 2 ** (states.n_states - 1), len(states.pairs)
    if n_all <= LISTED:
        return True
    if rank not in STREAMED:
        return False
    each = {"first": pairs + 1, "second": 1 + pairs * (2 + 3 * max(len(states.labels), 1))}
    forms = each.get(rank, 3) if rank != "gain" else 2 * each["second"]
    return bool(n_all * forms <= PATIENCE)


# ------------------------------------------------------------------ all of them


def every_bipartition(states: States) -> Bipartitions | None:
    """All bipartitions, if they can be listed."""
    few = 2 ** (states.n_states - 1) - 1 <= LISTED
    return Bipartitions.every(states.n_states) if few else None


def _all_scored(
    states: States,
    coefficient: str,
    rank: str,
    most: int,
    minimum_share: float,
    rounding: Rounding | None,
) -> Found:
    scores = exhaustive(states, coefficient)
    order = ranked(scores, rank, rounding)
    n_rare = 0
    if minimum_share:
        enough = scores.smaller[order] >= minimum_share - 1e-12
        n_rare = int((~enough).sum())
        order = order[enough]
    c = count_of(states.n_states, "value")
    how = f"all {count_of(len(scores), 'bipartition')} of {c} were scored"
    if n_rare:
        how += (
            f"; {n_rare:,} with less than {minimum_share:g} of the annotations on one side are "
            "left out"
        )
    every = Bipartitions.every(states.n_states)
    which = Bipartitions.of_sides(smaller_side(every.sides[order[:most]]), states.n_states)
    compared = every if not n_rare else every.take(np.sort(order))
    return Found(which, len(scores), True, how, compared)


def ranked(scores: Scores, rank: str, rounding: Rounding | None = None) -> NDArray[np.int64]:
    """(N,) the bipartitions in the order asked for; ties in the order of the appendix."""
    appendix = appendix_order(scores.sides)
    if rank == "sides":
        return appendix
    key = None if rounding is None else rounding.key(scores, rank)
    if key is not None:
        return np.asarray(appendix[np.argsort(key[appendix], kind="stable")])
    return np.asarray(appendix[scores.take(appendix).ranked(rank)])


def _streamed(
    states: States,
    coefficient: str,
    rank: str,
    most: int,
    minimum_share: float | None,
    progress: Progress,
) -> Found:
    c, n_all = states.n_states, 2 ** (states.n_states - 1) - 1
    if rank not in STREAMED:
        raise RequestError(
            f"{count_of(c, 'value')} have {n_all:,} bipartitions, too many to rank all of them by "
            f"{rank!r}: rank by {joined(STREAMED, 'or')}, or choose search='local'"
        )
    if c > MOST_STATES:
        raise RequestError(
            f"{count_of(c, 'value')} have 2^{c - 1} bipartitions, too many to look at each (at "
            f"most {MOST_STATES} values): choose search='local' or 'families', or name partitions"
        )
    least = RARE if minimum_share is None else minimum_share
    keep = max(most, 50)
    found = best(states, rank, keep, least, coefficient, progress)
    how = f"all {n_all:,} bipartitions of {count_of(c, 'value')} were gone through"
    if least:
        how += f"; what has less than {least:g} of the annotations on one side is left out"
    sides = smaller_side(found.sides)
    return Found(
        Bipartitions.of_sides(sides[:most], c), n_all, True, how, Bipartitions.of_sides(sides, c)
    )


# ------------------------------------------------------------------ some of them


def _limited(
    states: States,
    coefficient: str,
    rank: str,
    most: int,
    search: str,
    hierarchy: Groups | None,
    minimum_share: float | None,
    rng: Any,
    progress: Progress,
) -> Found:
    """Those with a short rule, and the best that a local search finds."""
    c = states.n_states
    named = named_families(states.values, states.labels, hierarchy)
    sides, told = named.sides, f"{count_of(len(named), 'bipartition')} with a short rule"
    rare = RARE if 2 ** (c - 1) > LISTED else 0.0
    least = rare if minimum_share is None else minimum_share
    searched, ending = None, _not_all(c)
    if search != "families" and rank in SEARCHED:
        searched = local_search(
            states, rank, most=most, minimum_share=least, coefficient=coefficient, rng=rng
        )
    elif search == "local":
        raise RequestError(
            f"bipartitions cannot be searched by {rank!r}: choose from {', '.join(SEARCHED)}"
        )
    if search == "local" and searched is not None:
        sides = _unique(np.concatenate([sides, smaller_side(searched.scores.sides)]))
        told, ending = f"{told}, and those that a search found", searched.told
    elif searched is not None and len(searched.scores):
        best_found = float(getattr(searched.scores, rank)[0])
        ending += (
            f" The best that a search among all of them found has no short rule and {rank} "
            f"{decimal(best_found)} (search='local')."
        )
    which = Bipartitions.of_sides(sides, c)
    order = np.arange(len(sides))
    if rank in CRITERIA:
        value = criterion_values(states, which, coefficient, rank)
        order = np.argsort(-CRITERIA[rank] * np.round(value, 12), kind="stable")
    elif rank == "sides":
        order = appendix_order(sides)
    if least:
        share = np.minimum(*_shares_of_sides(states, sides))
        order = order[share[order] >= least - 1e-12]
        told += f"; what has less than {least:g} of the annotations on one side is left out"
    if named.limited:
        told += f"; {named.limited}"
    kept = which.take(order[: max(most, 50)])
    return Found(which.take(order[:most]), len(sides), False, f"{told}. {ending}", kept)


def _shares_of_sides(states: States, sides: Bools) -> tuple[Floats, Floats]:
    """(N,) the share of the annotations on side 0, and on side 1."""
    share = sides @ Comparables(states, own=True).share
    return share, 1 - share


def _not_all(c: int) -> str:
    n = 2 ** (c - 1) - 1
    shown = f"{n:,}" if c <= 40 else f"2^{c - 1}"
    return f"The {shown} bipartitions of all {c} values were not gone through."


def _unique(sides: Bools) -> Bools:
    """Each bipartition once, in the order in which they stand."""
    _, first = np.unique(np.packbits(sides, axis=1), axis=0, return_index=True)
    return np.asarray(sides[np.sort(first)])
