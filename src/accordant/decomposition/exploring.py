"""Which partitions are looked at: all bipartitions where that is possible, else some of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..errors import RequestError
from ..numbers import count_of
from .bipartitions import Bipartitions, appendix_order, smaller_side, unlike
from .comparable import Comparables
from .criteria import CRITERIA, criterion_for
from .cuts import Scores
from .ground import Groups
from .limited import MANY, RARE, Limited, limited
from .printing import Rounding
from .space import Space
from .states import States
from .streaming import MOST_STATES, STREAMED, best
from .subsets import exhaustive

__all__ = ["RANKS", "SEARCHES", "Found", "Search", "every_bipartition", "explore", "ranking"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Progress: TypeAlias = Callable[[int, int], None] | None
Search: TypeAlias = Literal["auto", "exhaustive", "families", "local"]

SEARCHES: tuple[Search, ...] = get_args(Search)
RANKS = ("auto", *CRITERIA, "sides", "rule")
"""``'auto'``: see `ranking`. By a criterion. ``'sides'``: small sides first; ``'rule'``: simple
rules first."""

LISTED = 1 << 16  # so many bipartitions are all scored in full
PATIENCE = 1 << 28  # bipartitions x forms that are worked out in a few seconds
MOST_COMPARED = 200  # rows that are told apart from copies


def ranking(states: States, rank: str | None) -> str:
    """The ranking that is meant: for None and ``'auto'`` the one that fits the values.

    Sets of labels: ``'beyond_slips'``, since slips in single labels alone put most disagreement on
    some cuts. Categories: ``'excess'``.

    Raises
    ------
    RequestError
        If there is no such ranking, or it needs sets of labels.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> ranking(states(count(read([["a", "b"], ["b", "b"]]))), None)
    'excess'
    """
    if rank in (None, "auto"):
        return "beyond_slips" if states.members.shape[1] else "excess"
    if rank not in RANKS:
        raise RequestError(f"unknown rank {rank!r}: choose from {', '.join(RANKS)}")
    return criterion_for(states, rank) if rank in CRITERIA else str(rank)


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
    space : Space or None
        What competes when items are drawn anew; None where it was chosen by these very items.
    best_of_all : Bipartitions or None
        Where only those with a short rule are listed: one without that is better.
    """

    which: Bipartitions
    n_scored: int
    exhaustive: bool
    how: str
    space: Space | None
    best_of_all: Bipartitions | None = None


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

    Of few values all 2^(C − 1) − 1 of them are listed, and of any number for ``'exhaustive'``,
    however long it takes. Of many values those with a short rule, since a reader can act on them,
    and the best of all beside them: gone through where that takes a moment, else found by a local
    search from many starts, whose best ``'local'`` lists too. Of an ordered scale the cut points,
    low values against high ones.

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
        default 0.01 where there are many: rare values win any search. Less where there are so many
        categories that most are rarer.

    Raises
    ------
    RequestError
        If there are too many values for an exhaustive search, or no such search or ranking.
    """
    _check(search, most, minimum_share)
    rank = ranking(states, rank)
    n_all = 2 ** (states.n_states - 1) - 1
    every = search == "exhaustive" or (search == "auto" and _listed(states, rank))
    if rank == "rule" or not every:
        asked = Limited(
            coefficient, rank, most, search, hierarchy, minimum_share, rng, progress,
            n_all <= LISTED or _affordable(states, rank),
        )  # fmt: skip
        return Found(*limited(states, asked))
    if n_all <= LISTED:
        return _all_scored(states, coefficient, rank, most, minimum_share, rounding)
    return _streamed(states, coefficient, rank, most, minimum_share, progress)


def _check(search: str, most: int, minimum_share: float | None) -> None:
    if search not in SEARCHES:
        raise RequestError(f"unknown search {search!r}: choose from {', '.join(SEARCHES)}")
    if isinstance(most, bool) or not isinstance(most, int | np.integer) or most < 1:
        raise RequestError(f"most is a whole number from 1 up, not {most!r}")
    if minimum_share is not None and not 0 <= minimum_share <= 0.5:
        raise RequestError(f"minimum_share must lie between 0 and 0.5, not {minimum_share!r}")


def _listed(states: States, rank: str) -> bool:
    """Whether the best of all bipartitions are what a reader wants to see.

    Those of many categories are long lists of names; on an ordered scale those win that separate
    every step between neighbours, as parity does.
    """
    if rank != "sides" and not states.of_sets:
        return not states.ordered and states.n_states < MANY
    return every_bipartition(states) is not None


def _affordable(states: States, rank: str) -> bool:
    """Whether going through all bipartitions takes a moment only."""
    if states.n_states > MOST_STATES:
        return False
    n_all, pairs = 2 ** (states.n_states - 1), len(states.pairs)
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
    minimum_share: float | None,
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
    competing = every if not n_rare else every.take(np.sort(order))
    if rank in CRITERIA and rounding is None and states.n_states >= MANY:
        least = RARE if minimum_share is None else minimum_share
        order, told = _without_copies(states, every, order, most, least)
        how += told
    which = Bipartitions.of_sides(smaller_side(every.sides[order[:most]]), states.n_states)
    return Found(which, len(scores), True, how, Space(states.n_states, competing))


def _without_copies(
    states: States, of: Bipartitions, order: Ints, most: int, least: float
) -> tuple[Ints, str]:
    """The first few of an order that differ by more than rare values, and that it was done."""
    if most > MOST_COMPARED or not least:
        return order, ""
    looked = order[: 50 * most]
    kept = unlike(of.take(looked).sides, Comparables(states, own=True).share, least, most)
    told = f"; what differs from one before by less than {least:.2g} of the annotations is left out"
    return looked[kept], told if kept.max(initial=-1) >= len(kept) else ""


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
            f"{rank!r}",
            do=[
                *(Action("", {"rank": key}) for key in STREAMED),
                Action("", {"search": "local"}),
            ],
        )
    if c > MOST_STATES:
        raise RequestError(
            f"{count_of(c, 'value')} have 2^{c - 1} bipartitions, too many to look at each (at "
            f"most {MOST_STATES} values)",
            do=[
                Action("", {"search": "local"}),
                Action("", {"search": "families"}),
                Action("", {"by": ...}, "to name partitions"),
            ],
        )
    least = RARE if minimum_share is None else minimum_share
    found = best(states, rank, max(10 * most, 200), least, coefficient, progress)
    how = f"all {n_all:,} bipartitions of {count_of(c, 'value')} were gone through"
    if least:
        how += f"; what has less than {least:.2g} of the annotations on one side is left out"
    order, told = _without_copies(states, found.which, np.arange(len(found)), most, least)
    sides = smaller_side(found.sides[order[:most]])
    space = Space(c, None, least)
    return Found(Bipartitions.of_sides(sides, c), n_all, True, how + told, space)
