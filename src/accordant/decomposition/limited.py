"""Those bipartitions that have a short rule, and the best of all that have none beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..numbers import count_of, decimal
from .bipartitions import Bipartitions, appendix_order, smaller_side, unlike
from .comparable import Comparables
from .criteria import CRITERIA
from .families import Families, named_families
from .ground import Groups
from .local import SEARCHED, Search, local_search
from .space import Space, criterion_values
from .states import States
from .streaming import MOST_STATES, STREAMED, best

__all__ = ["MANY", "RARE", "Limited", "limited"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Progress: TypeAlias = Callable[[int, int], None] | None
Listed: TypeAlias = tuple[
    Bipartitions, int, bool, str, Space | None, Bipartitions | None
]  # what `Found` is made of

MANY = 12
"""Of so many categories the best bipartitions are long lists of names."""

RARE = 0.01  # share of the annotations
CONFUSED = 1000  # pairs of categories that are looked at where there are too many


@dataclass(frozen=True, eq=False)
class Limited:
    """What is asked of a limited search: see `accordant.decomposition.exploring.explore`.

    ``affordable`` says whether going through all bipartitions takes a moment only.
    """

    coefficient: str
    rank: str
    most: int
    search: str
    hierarchy: Groups | None
    minimum_share: float | None
    rng: Any
    progress: Progress
    affordable: bool

    def least(self, states: States) -> float:
        """The least share of the annotations on the smaller side.

        Of so many categories that hardly one has a hundredth, half of what each has in the mean.
        """
        if self.minimum_share is not None:
            return self.minimum_share
        if states.of_sets:
            return RARE if 2 ** (states.n_states - 1) > 1 << 16 else 0.0
        return min(RARE, 0.5 / states.n_states) if states.n_states >= MANY else 0.0


def limited(states: States, asked: Limited) -> Listed:
    """The fields of `accordant.decomposition.exploring.Found`.

    Raises
    ------
    RequestError
        If a local search cannot go by the ranking.
    """
    c, least = states.n_states, asked.least(states)
    named = named_families(
        states.values, states.labels, asked.hierarchy, ordered=states.ordered,
        confused=_confused(states) if not states.of_sets else (),
    )  # fmt: skip
    competing = _common(states, named.sides, least)
    sides, told = competing, _told(states, named)
    ending = [_not_all(states)]
    better, n_more = None, 0
    if asked.search == "local":
        found = _searched(states, asked, asked.most, RARE)
        sides = _unique(np.concatenate([sides, smaller_side(found.scores.sides)]))
        told, ending = f"{told}, and those that a search found", [found.told]
    elif asked.search == "auto" and not states.ordered and asked.rank in CRITERIA:
        better, n_more, sentence = _best_of_all(states, asked, competing)
        ending = [sentence or ending[0]]
    order = _order(states, sides, asked)
    if least:
        told += f"; what has less than {least:.2g} of the annotations on one side is left out"
        order = order[unlike(sides[order], _share(states), least, asked.most)]
    if named.limited:
        told += f"; {named.limited}"
    if not len(order):
        ending.append("None of these is left: merge rare values, or name partitions.")
    space = None if asked.search == "local" else Space(c, Bipartitions.of_sides(competing, c))
    which = Bipartitions.of_sides(sides[order[: asked.most]], c)
    return which, len(sides) + n_more, False, f"{told}. {' '.join(ending)}", space, better


def _told(states: States, named: Families) -> str:
    if states.ordered:
        return f"the {count_of(len(named), 'cut point')} of an ordered scale"
    return f"{count_of(len(named), 'bipartition')} with a short rule"


def _order(states: States, sides: Bools, asked: Limited) -> Ints:
    which = Bipartitions.of_sides(sides, states.n_states)
    if asked.rank in CRITERIA:
        value = criterion_values(states, which, asked.coefficient, asked.rank)
        return np.argsort(-CRITERIA[asked.rank] * np.round(value, 12), kind="stable")
    return appendix_order(sides) if asked.rank == "sides" else np.arange(len(sides))


def _share(states: States) -> Floats:
    return Comparables(states, own=True).share


def _common(states: States, sides: Bools, least: float) -> Bools:
    """Those with enough annotations on either side.

    Of categories without the pairs one of which is rare: the other alone is nearly the same.
    """
    share = _share(states)
    of_side = sides @ share
    enough = np.minimum(of_side, 1 - of_side) >= least - 1e-12
    if least and not states.of_sets and not states.ordered:
        rare = (sides & (share < least)).any(1) & (sides.sum(1) == 2)
        enough &= ~rare
    return np.asarray(sides[enough])


def _confused(states: States) -> list[tuple[int, int]]:
    """The pairs of values that stand for each other most often, the most frequent first."""
    both = np.triu((states.tables + states.tables.swapaxes(1, 2)).sum(0), 1)
    order = np.argsort(-both, axis=None, kind="stable")[:CONFUSED]
    first, second = np.unravel_index(order, both.shape)
    used = both[first, second] > 0
    return list(zip(first[used].tolist(), second[used].tolist(), strict=True))


# ------------------------------------------------------------------ the best without a rule


def _searched(states: States, asked: Limited, most: int, least: float) -> Search:
    if asked.rank not in SEARCHED:
        raise RequestError(
            f"bipartitions cannot be searched by {asked.rank!r}: choose from {', '.join(SEARCHED)}"
        )
    least = least if asked.minimum_share is None else asked.minimum_share
    return local_search(
        states, asked.rank, most=most, minimum_share=least, coefficient=asked.coefficient,
        rng=asked.rng,
    )  # fmt: skip


def _best_of_all(
    states: States, asked: Limited, named: Bools
) -> tuple[Bipartitions | None, int, str]:
    """The best of all if it has no short rule, how many were gone through, and a sentence."""
    c, n_more = states.n_states, 0
    if asked.affordable and asked.rank in STREAMED:
        least = RARE if asked.minimum_share is None else asked.minimum_share
        found = best(states, asked.rank, 1, least, asked.coefficient, asked.progress)
        n_more = 2 ** (c - 1) - 1
        how, again = f"the best of all {n_more:,} bipartitions", "an exhaustive search"
    elif asked.rank in SEARCHED:
        found = _searched(states, asked, 1, RARE).scores
        how = f"the best that a search among all {_how_many(states)} bipartitions found"
        again = "a local search"
    else:
        return None, 0, ""
    if not len(found):
        return None, n_more, ""
    side, value = smaller_side(found.sides[:1]), float(getattr(found, asked.rank)[0])
    if (named == side).all(1).any():
        return None, n_more, f"{how[0].upper()}{how[1:]} is among them."
    of = Bipartitions.of_sides(side, c)
    return of, n_more, (
        f"{how[0].upper()}{how[1:]} has no short rule and {asked.rank} {decimal(value)} "
        f"({again} lists similar ones)."
    )  # fmt: skip


def _how_many(states: States) -> str:
    n = 2 ** (states.n_states - 1) - 1
    return f"{n:,}" if states.n_states <= 40 else f"2^{states.n_states - 1}"


def _not_all(states: States) -> str:
    told = (
        f"The {_how_many(states)} bipartitions of all {states.n_states} values were not enumerated"
    )
    if states.ordered:
        told += (
            ": those would win that separate every step between neighbours, such as odd from even"
        )
        told += "; an exhaustive search ranks them too" if states.n_states <= MOST_STATES else ""
    return f"{told}."


def _unique(sides: Bools) -> Bools:
    """Each bipartition once, in the order in which they stand."""
    _, first = np.unique(np.packbits(sides, axis=1), axis=0, return_index=True)
    return np.asarray(sides[np.sort(first)])
