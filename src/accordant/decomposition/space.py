"""What a search goes through, so that it can be repeated on other tables of the same values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .bipartitions import Bipartitions
from .closed_forms import closed_form
from .comparable import Comparables
from .criteria import CRITERIA, OF_SETS
from .cuts import score_all
from .states import States
from .streaming import best

__all__ = ["SECONDS", "Best", "Space", "criterion_values", "rounds"]

Floats = NDArray[np.float64]

SHARES = ("explained", "excess", "lift", "beyond_slips")
SECONDS = 1.0  # that repeating a search may take in all, by what follows
PER_FORM = 6e-9  # seconds for a form of one bipartition of many, measured
PER_CELL = 4e-10  # and for one value of one bipartition that is given by its sides, squared
PER_SEARCH = 4e-4  # for whatever is to be set up
PER_COUNT = 5e-9  # and for each cell of a table
PER_SLIP = 1.5e-8  # with independent slips for each label too
FEWEST = 50  # rounds that say something


@dataclass(frozen=True, eq=False)
class Space:
    """The bipartitions that compete.

    Parameters
    ----------
    n_states : int
        C.
    which : Bipartitions or None
        Those, chosen before anything was scored; None for all, which pass by.
    minimum_share : float
        Where all pass by: the least share of the annotations on the smaller side.
    """

    n_states: int
    which: Bipartitions | None = None
    minimum_share: float = 0.0

    def __len__(self) -> int:
        return 2 ** (self.n_states - 1) - 1 if self.which is None else len(self.which)

    def seconds(self, states: States, criterion: str) -> float:
        """How long one search takes, roughly and the same on every machine."""
        labels = max(len(states.labels), 1)
        each = {"first": 2, "second": 2 + 3 * labels, "gain": 4 + 6 * labels, "information": 8}
        n_forms = 3 if criterion in SHARES else 1 + len(states.pairs) * each[criterion]
        first = PER_SEARCH + states.tables.size * PER_COUNT
        if criterion in OF_SETS:
            first += states.tables.size * labels * PER_SLIP
        if self.which is None or self.which.is_every:
            return first + len(self) * n_forms * PER_FORM
        return first + len(self) * n_forms * self.n_states**2 * PER_CELL

    def best(self, states: States, coefficient: str, criterion: str, most: int) -> Best:
        """The best of them on some tables.

        Examples
        --------
        >>> from accordant import read
        >>> from accordant.counts.count import count
        >>> from accordant.decomposition.states import states
        >>> found = states(count(read([["a", "a", "b", "c"], ["a", "b", "b", "a"]])))
        >>> few = Space(3, Bipartitions.of_sides([[True, False, False], [False, True, False]], 3))
        >>> few.best(found, "kappa", "explained", 1).which.sides.tolist()
        [[True, False, False]]
        """
        sign = CRITERIA[criterion]
        if self.which is None:
            found = best(states, criterion, most, self.minimum_share, coefficient)
            return Best(found.which, sign * np.round(getattr(found, criterion), 12), None)
        values = sign * np.round(criterion_values(states, self.which, coefficient, criterion), 12)
        known = np.flatnonzero(~np.isnan(values))
        if len(known) > most:
            last = np.partition(values[known], -most)[-most]
            known = known[values[known] >= last]
        order = known[np.argsort(-values[known], kind="stable")]
        return Best(self.which.take(order), values[order], order)


@dataclass(frozen=True, eq=False)
class Best:
    """The best of a space, ties with the last of them included where they are known.

    Parameters
    ----------
    which : Bipartitions
        N of them.
    values : ndarray
        (N,) the criterion, the highest first, whatever its direction.
    places : ndarray or None
        (N,) their places in the space, if it is listed.
    """

    which: Bipartitions
    values: Floats
    places: NDArray[np.int64] | None

    def credit(self, most: int) -> Floats:
        """(N,) how far each is among the best ``most``: those that tie for the last places share.

        Examples
        --------
        >>> four = Bipartitions.of_codes([1, 2, 3, 4], 4)
        >>> Best(four, np.array([0.5, 0.2, 0.2, 0.2]), None).credit(2).round(2).tolist()
        [1.0, 0.33, 0.33, 0.33]
        """
        if len(self.values) <= most:
            return np.ones(len(self.values))
        last = self.values[most - 1]
        above, tied = self.values > last, self.values == last
        return np.where(above, 1.0, tied * (most - above.sum()) / tied.sum())


def rounds(n: int, seconds: float, fewest: int = FEWEST) -> int:
    """How many of ``n`` repetitions of so many seconds can be done in the time; 0 for too few.

    Examples
    --------
    >>> rounds(300, 0.001), rounds(300, 0.01), rounds(300, 10)
    (300, 100, 0)
    """
    affordable = min(n, int(SECONDS / seconds))
    return affordable if affordable >= min(n, fewest) else 0


def criterion_values(
    states: States, which: Bipartitions, coefficient: str, criterion: str
) -> Floats:
    """(N,) one criterion of bipartitions, without what only others need."""
    if criterion not in SHARES:
        return np.asarray(getattr(score_all(states, which, coefficient), criterion))
    found = Comparables(states, own=closed_form(coefficient).own)
    if criterion == "beyond_slips":
        nothing = np.full(len(which), np.nan)
        return found.walked(which, "beyond_slips") if found.has_slips else nothing
    value = np.full(len(which), np.nan)
    if not found.explains:
        return value
    for where, of in which.walk([found.forms.only([0, 1])]):
        explained, chance = of(0)
        if criterion == "explained":
            value[where] = explained
        elif criterion == "excess":
            value[where] = explained - chance
        else:
            value[where] = explained / np.where(chance > 1e-12, chance, np.nan)
    return value
