"""The best of very many bipartitions: all are looked at, a few are kept.

For 32 combinations of five labels there are two billion bipartitions. They pass by in blocks that
fit the cache; of each block only what beats the best so far is looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from .bipartitions import Bipartitions, blocks
from .closed_forms import CERTAIN, closed_form
from .comparable import Comparables
from .criteria import CRITERIA, criterion_for
from .cuts import Scores, score_all
from .forms import Forms
from .levels import Levels, over_labels
from .null import null_states
from .states import States

__all__ = ["MOST_STATES", "STREAMED", "best"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Progress: TypeAlias = Callable[[int, int], None] | None
Part: TypeAlias = tuple[slice, Floats, Floats]

MOST_STATES = 40  # 5e11 bipartitions: 40 minutes by excess, 8 hours by level 2
STREAMED = ("beyond_slips", "excess", "explained", "lift", "first", "second", "gain")
"""The criteria by which bipartitions can be streamed."""

TOLD = 1 << 20  # bipartitions between two reports of progress
QUICK_BITS = 15  # blocks where a few forms are all there is to work out


def best(
    states: States,
    criterion: str = "excess",
    most: int = 20,
    minimum_share: float = 0.01,
    coefficient: str = "kappa",
    progress: Progress = None,
) -> Scores:
    """The best bipartitions by a criterion, found by looking at all 2^(C − 1) − 1 of them.

    Parameters
    ----------
    states : States
        At most 40 states. All 32 combinations of five labels take ten seconds by excess, and two
        minutes by level 2 for each pair of coders.
    criterion : str
        One of `STREAMED`; of ``'first'`` the lowest, of all others the highest are the best.
    most : int
        How many to keep.
    minimum_share : float
        Bipartitions whose smaller side holds a smaller share of the annotations are left out:
        what is rare is nearly always extreme.
    coefficient : str
        As for `score`.
    progress : callable, optional
        Called with the number of bipartitions done and that of all. An exception that it raises,
        or an interruption from the keyboard, ends the search.

    Returns
    -------
    Scores
        (N,) the best first, ties in order of code; fewer than ``most`` if there are no more with
        a value.

    Raises
    ------
    RequestError
        If there are too many states, or no such criterion or coefficient; ``'beyond_slips'`` and
        ``'gain'`` need sets of labels.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> data = read([["a", "a", "b", "c", "d", "d"], ["a", "b", "b", "c", "c", "d"]])
    >>> found = best(states(count(data)), "excess", most=1)
    >>> found.sides.astype(int).tolist(), found.explained.tolist()
    ([[1, 0, 1, 0]], [1.0])
    """
    _check(states, criterion, most, minimum_share)
    sign, kept = CRITERIA[criterion], Kept(most)
    every = 2 ** max(states.n_states - 1, 0) - 1
    told = 0
    for where, value, share in _values(states, criterion, coefficient):
        chosen = np.flatnonzero(sign * value > kept.worst)
        enough = np.minimum(share[chosen], 1 - share[chosen]) >= minimum_share - 1e-12
        chosen = chosen[enough]
        if len(chosen):
            kept.add(chosen + (where.start + 1), sign * value[chosen])
        if progress is not None and (where.stop - told >= TOLD or where.stop == every):
            told = where.stop
            progress(told, every)
    found = score_all(states, Bipartitions.of_codes(kept.codes, states.n_states), coefficient)
    return found.take(found.ranked(criterion))


def _check(states: States, criterion: str, most: int, minimum_share: float) -> None:
    if criterion_for(states, criterion) not in STREAMED:
        raise RequestError(
            f"bipartitions cannot be streamed by {criterion!r}: choose from {', '.join(STREAMED)}"
        )
    if states.n_states > MOST_STATES:
        raise RequestError(
            f"{states.n_states} values have too many bipartitions to look at each "
            f"(at most {MOST_STATES} values)"
        )
    if most < 1:
        raise RequestError(f"a whole number from 1 up, not {most}", parameter="most")
    if not 0 <= minimum_share <= 0.5:
        raise RequestError(
            f"the share of the smaller side is between 0 and 0.5, not {minimum_share}",
            parameter="minimum_share",
        )


class Kept:
    """The best codes so far; of equal values the lowest codes."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.codes, self.values = np.empty(0, np.int64), np.empty(0)

    @property
    def worst(self) -> float:
        """What a later code must exceed."""
        return float(self.values[-1]) + 5e-13 if len(self.values) == self.most else -np.inf

    def add(self, codes: Ints, values: Floats) -> None:
        """Some more codes, higher than those before; values that differ by 1e-12 are equal."""
        codes = np.concatenate([self.codes, codes])
        values = np.concatenate([self.values, np.round(values, 12)])
        order = np.lexsort((codes, -values))[: self.most]
        self.codes, self.values = codes[order], values[order]


# ------------------------------------------------------------------ criteria


def _values(states: States, criterion: str, coefficient: str) -> Iterator[Part]:
    """The criterion and the share of side 0, block by block; NaN where undefined."""
    form = closed_form(coefficient)
    compare = Comparables(states, own=form.own)
    if criterion in ("excess", "explained", "lift"):
        return _comparable(compare, criterion) if compare.explains else iter(())
    share = compare.forms.only([3])
    if criterion == "beyond_slips":
        return _beyond_slips(compare, share) if compare.has_slips else iter(())
    levels = [Levels(m, states.members, form) for m in states.tables]
    if criterion == "first":
        return _first(levels, share)
    if criterion == "second":
        return _second(levels, [], share)
    null = [Levels(m, states.members, form) for m in null_states(states).tables]
    return _second(levels, null, share)


def _comparable(compare: Comparables, criterion: str) -> Iterator[Part]:
    forms = compare.forms.only([0, 1, 3])
    for where, of in blocks([forms], compare.states.n_states, QUICK_BITS):
        explained, chance, share = of(0)
        if criterion == "excess":
            explained = np.subtract(explained, chance, out=explained)
        elif criterion == "lift":
            explained = explained / np.where(chance > CERTAIN, chance, np.nan)
        yield where, explained, share


def _beyond_slips(compare: Comparables, share: Forms) -> Iterator[Part]:
    forms = Forms.stacked([compare.beyond_slips, share])
    for where, of in blocks([forms], compare.states.n_states, QUICK_BITS):
        value, side = of(0)
        yield where, value, side


def _first(levels: list[Levels], share: Forms) -> Iterator[Part]:
    forms = [share, *(level.first_forms for level in levels)]
    for where, of in blocks(forms, share.linear.shape[1]):
        total = Mean(where.stop - where.start)
        for g, level in enumerate(levels, 1):
            total.add(*level.first(of(g)))
        yield where, total.value, of(0)[0]


def _second(levels: list[Levels], null: list[Levels], share: Forms) -> Iterator[Part]:
    """Level 2, less that of the null if there is one."""
    both = [*levels, *null]
    forms = [share, *(level.forms for level in both)]
    for where, of in blocks(forms, share.linear.shape[1]):
        total, total_null = Mean(where.stop - where.start), Mean(where.stop - where.start)
        for g, level in enumerate(both, 1):
            value, known, _ = level.second(of(g))
            (total if g <= len(levels) else total_null).add(*over_labels(value, known))
        value = total.value - total_null.value if null else total.value
        yield where, value, of(0)[0]


class Mean:
    """The mean of those pairs of coders that have a value."""

    def __init__(self, n: int) -> None:
        self.total, self.n_known = np.zeros(n), np.zeros(n, np.int32)

    def add(self, value: Floats, known: NDArray[np.bool_]) -> None:
        """One more pair: 0 where it has no value."""
        self.total += value
        self.n_known += known

    @property
    def value(self) -> Floats:
        """(n,) NaN where no pair has a value."""
        if self.n_known.all():
            return self.total / self.n_known
        return np.where(self.n_known > 0, self.total / np.maximum(self.n_known, 1), np.nan)
