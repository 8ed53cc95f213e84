"""Bipartitions of more values than can be gone through: the best that a search finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..numbers import count_of, percent
from .bipartitions import smaller_side
from .closed_forms import closed_form
from .comparable import Comparables
from .criteria import CRITERIA, criterion_for
from .cuts import Scores, score
from .forms import Forms
from .levels import Levels, over_labels
from .null import null_states
from .states import States

__all__ = ["RESTARTS", "SEARCHED", "Search", "local_search"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Judge: TypeAlias = Callable[[Floats], Floats]

SEARCHED = ("beyond_slips", "excess", "explained", "lift", "first", "second", "gain")
"""The criteria that can be searched by: what is quadratic in a bipartition, or made of that."""

RESTARTS = 200
"""Single starts find the best of 20 values one time in seven; of 200 hardly ever none does."""

NEIGHBOURHOODS = 3  # of how many ends what is near is looked at too
CELLS = 4_000_000  # numbers worked out at a time
NEAR = 1e-12  # values that are equal but for rounding
BARRED = 1e6  # what a side that is too small costs


@dataclass(frozen=True, eq=False)
class Search:
    """The best bipartitions that a search found; there may be better ones.

    Parameters
    ----------
    scores : Scores
        (N,) the best first: bipartitions that no change of a single value makes better, and those
        one change away from the best few of them.
    criterion : str
    n_starts : int
        From how many random bipartitions it went.
    n_best : int
        How many of them ended at the best; few of many is a warning.
    n_ends : int
        At how many different bipartitions they ended.
    minimum_share : float
        Least share of the annotations on the smaller side.
    """

    scores: Scores
    criterion: str
    n_starts: int
    n_best: int
    n_ends: int
    minimum_share: float

    @property
    def told(self) -> str:
        """How it was searched, in one sentence."""
        n = self.scores.states.n_states
        if not self.n_ends:
            return (
                f"Found none: no bipartition that was tried has {percent(self.minimum_share)} of "
                "the annotations on either side and a value."
            )
        return (
            f"Best found, not the best of all {_how_many(n)} bipartitions of "
            f"{count_of(n, 'value')}: from {count_of(self.n_starts, 'random bipartition')} single "
            f"values changed sides as long as that helped ({self.criterion}), with at least "
            f"{percent(self.minimum_share)} of the annotations on either side; "
            f"{self.n_best:,} of them ended at the best one."
        )


def local_search(
    states: States,
    criterion: str = "excess",
    *,
    most: int = 20,
    minimum_share: float = 0.01,
    coefficient: str = "kappa",
    restarts: int = RESTARTS,
    rng: np.random.Generator | int = 0,
) -> Search:
    """Bipartitions that cannot be made better by moving one value, from many random starts.

    Of each the value moves that helps most, until none helps (steepest ascent); all starts go at
    once. With up to 40 states `accordant.decomposition.streaming.best` goes through all of them.

    Parameters
    ----------
    states : States
    criterion : str
        One of `SEARCHED`; of ``'first'`` the lowest, of all others the highest are the best.
    most : int
        How many to keep.
    minimum_share : float
        Least share of the annotations on the smaller side: without it a rare value wins.
    coefficient : str
        As for `accordant.decomposition.cuts.score`.
    restarts : int
    rng : Generator or int
        The same seed gives the same result.

    Raises
    ------
    RequestError
        If there is no such criterion or coefficient, or a number does not fit.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> data = read([["a", "a", "b", "c", "d", "d"], ["a", "b", "b", "c", "c", "d"]])
    >>> found = local_search(states(count(data)), "excess", most=1)
    >>> found.scores.sides.astype(int).tolist(), found.scores.explained.tolist()
    ([[1, 0, 1, 0]], [1.0])
    """
    if criterion_for(states, criterion) not in SEARCHED:
        raise RequestError(
            f"bipartitions cannot be searched by {criterion!r}: choose from {', '.join(SEARCHED)}"
        )
    if most < 1 or restarts < 1:
        name, n = ("most", most) if most < 1 else ("restarts", restarts)
        raise RequestError(f"a whole number from 1 up, not {n}", parameter=name)
    if not 0 <= minimum_share <= 0.5:
        raise RequestError(
            f"the share of the smaller side is between 0 and 0.5, not {minimum_share}",
            parameter="minimum_share",
        )
    n = states.n_states
    if n < 2:
        nothing = score(states, np.zeros((0, n), bool), coefficient)
        return Search(nothing, criterion, restarts, 0, 0, minimum_share)
    starts = np.random.default_rng(rng).random((restarts, n)) < 0.5
    forms, judge = _objective(states, criterion, coefficient, minimum_share)
    ends, values = _climb(starts, forms, judge)
    values = np.round(values, 12)
    kept = values > -BARRED / 2
    ends, values = smaller_side(ends[kept]), values[kept]
    different, first, times = np.unique(ends, axis=0, return_index=True, return_counts=True)
    order = np.lexsort((first, -values[first]))
    scores = score(states, _with_near(different[order][: max(most, NEIGHBOURHOODS)]), coefficient)
    scores = scores.take(scores.smaller >= minimum_share - NEAR)
    ranked = scores.ranked(criterion)
    known = ~np.isnan(getattr(scores, criterion)[ranked])
    scores = scores.take(ranked[known][:most])
    n_best = int(times[order[0]]) if len(order) else 0
    return Search(scores, criterion, restarts, n_best, len(different), minimum_share)


def _how_many(n_states: int) -> str:
    n = 2 ** (n_states - 1) - 1
    return f"{n:,}" if n < 1e9 else f"10^{len(str(n)) - 1}"


def _with_near(sides: Bools) -> Bools:
    """(N, C) bipartitions, and what the first few become when one value moves; each once."""
    n = sides.shape[1]
    near = (sides[:NEIGHBOURHOODS, None] ^ np.eye(n, dtype=bool)).reshape(-1, n)
    every = smaller_side(np.concatenate([sides, near]))
    _, first = np.unique(every, axis=0, return_index=True)
    found = every[np.sort(first)]
    return np.asarray(found[found.any(1) & ~found.all(1)])


def _climb(sides: Bools, forms: Forms, judge: Judge) -> tuple[Bools, Floats]:
    """Change one value at a time, the best one, as long as it helps; (R, C) and (R,)."""
    sides = sides.copy()
    values = judge(forms.at(sides))
    going = np.arange(len(sides))
    while len(going):
        flip, best = _steps(sides[going], forms, judge)
        better = best > values[going] + NEAR
        going, flip = going[better], flip[better]
        sides[going, flip] ^= True
        values[going] = best[better]
    return sides, values


def _steps(sides: Bools, forms: Forms, judge: Judge) -> tuple[NDArray[np.int64], Floats]:
    """(R,) which single change is the best, and what it leads to."""
    n = sides.shape[1]
    flip, best = np.empty(len(sides), np.int64), np.empty(len(sides))
    step = max(1, CELLS // max(len(forms) * n, 1))
    for low in range(0, len(sides), step):
        x = sides[low : low + step].astype(float)
        now = forms.at(sides[low : low + step])  # (F, R)
        change = (1 - 2 * x) * (forms.linear[:, None] + 2 * (x @ forms.quadratic))  # (F, R, C)
        values = judge((now[:, :, None] + change).reshape(len(forms), -1)).reshape(x.shape)
        flip[low : low + step] = values.argmax(1)
        best[low : low + step] = values.max(1)
    return flip, best


def _objective(
    states: States, criterion: str, coefficient: str, minimum_share: float
) -> tuple[Forms, Judge]:
    """Forms (F,) of a bipartition, and what makes a value to be raised of them: (F, N) → (N,).

    Without a value a bipartition is worth nothing, and less the more its smaller side lacks.
    """
    form = closed_form(coefficient)
    compare = Comparables(states, own=form.own)
    levels = [Levels(m, states.members, form) for m in states.tables]
    sign = CRITERIA[criterion]
    if criterion in ("excess", "explained", "lift"):
        parts = [compare.forms.only([0, 1])]
    elif criterion == "beyond_slips":
        parts = [compare.beyond_slips] if compare.has_slips else []
    elif criterion == "first":
        parts = [level.first_forms for level in levels]
    else:
        if criterion == "gain":
            levels += [Levels(m, states.members, form) for m in null_states(states).tables]
        parts = [level.forms for level in levels]

    def value(numbers: Floats) -> Floats:
        if criterion == "beyond_slips":
            return numbers[0] if parts else np.full(numbers.shape[1], np.nan)
        if criterion in ("excess", "explained", "lift"):
            if not compare.explains:
                return np.full(numbers.shape[1], np.nan)
            explained, chance = numbers
            if criterion == "lift":
                return np.asarray(explained / np.where(chance > NEAR, chance, np.nan))
            return np.asarray(explained - chance if criterion == "excess" else explained)
        found, known, at = np.zeros((2, numbers.shape[1])), np.zeros((2, numbers.shape[1])), 0
        for g, (level, part) in enumerate(zip(levels, parts, strict=True)):
            mine = numbers[at : at + len(part)].copy()
            at += len(part)
            if criterion == "first":
                of, there = level.first(mine)
            else:
                of, there = over_labels(*level.second(mine)[:2])
            found[g // len(states.tables)] += of
            known[g // len(states.tables)] += there
        mean = found / np.where(known > 0, known, np.nan)
        if criterion != "gain":
            return np.asarray(mean[0])
        return np.asarray(mean[0] - mean[1])

    def judge(numbers: Floats) -> Floats:
        share = numbers[-1]
        lacking = minimum_share - np.minimum(share, 1 - share)
        found = sign * value(numbers[:-1])
        bad = (lacking > NEAR) | np.isnan(found)
        return np.where(bad, -BARRED * (1 + np.maximum(lacking, 0)), found)

    return Forms.stacked([*parts, compare.forms.only([3])]), judge
