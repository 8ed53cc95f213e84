"""Who speaks more like the other humans, item by item: the human who is left out, or the model.

A human j is left out of an item. S(x) says how near the label x comes to those of the other
humans; the sign of S(human) - S(model) is all that the alternative annotator test looks at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...actions import Action
from ...errors import RequestError
from ...scheme import Value, number
from .sides import NOT_SAID, Sides

__all__ = ["ALIGNMENTS", "MISSING", "Alignment", "Scoring", "nearer", "scoring_of", "unmoved"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Signs: TypeAlias = NDArray[np.int8]
Alignment: TypeAlias = str | Callable[[Value, list[Value]], float]
Scoring: TypeAlias = Callable[[Ints, Ints], Floats]

ALIGNMENTS = ("accuracy", "neg_rmse", "similarity")
MISSING = np.int8(9)  # sign where nothing can be compared
SAME = 1e-12  # of what was added up: scores that differ by less are equal, nobody loses by rounding
MOST_VALUES = 2000  # beyond it no table of all values is made


def scoring_of(sides: Sides, alignment: str) -> Scoring:
    """How near two values are: what is averaged over the other humans.

    Of 'neg_rmse' it is the squared distance with a minus: −√ of the mean rises with the mean, so
    that the sign of a difference is the same.

    Raises
    ------
    RequestError
        If there is no such alignment, or a label is no number and distances are asked for.
    """
    if alignment == "accuracy":
        return lambda a, b: np.asarray(a == b, dtype=float)
    if alignment == "similarity":
        return sides.w.at
    if alignment != "neg_rmse":
        raise RequestError(
            f"unknown alignment {alignment!r}: choose one of {', '.join(map(repr, ALIGNMENTS))}, "
            "or give a function of a label and the list of the other humans' labels"
        )
    numbers = [None if isinstance(v, tuple) else number(v) for v in sides.counts.values]
    if None in numbers:
        odd = sides.counts.values[numbers.index(None)]
        raise RequestError(
            f"'neg_rmse' needs labels that are numbers, and {odd!r} is none",
            parameter="alignment",
            do=[
                Action("", {"alignment": "accuracy"}),
                Action("", {"alignment": "similarity"}, "by the weights of the scale"),
            ],
        )
    scores = np.array(numbers, float)
    return lambda a, b: -((scores[a] - scores[b]) ** 2)


def nearer(sides: Sides, said: Ints, alignment: Alignment) -> Signs:
    """For each annotation of a human whether the human or the model is nearer to the others.

    Parameters
    ----------
    sides : Sides
    said : ndarray of int
        (I, M) what each model said.
    alignment : {'accuracy', 'neg_rmse', 'similarity'} or callable
        See `scoring_of`; a function gets a label and the list of the other humans' labels.

    Returns
    -------
    ndarray of int8
        (N, M) 1 if the human is, −1 if the model is, 0 for a tie; `MISSING` where no other human
        annotated the item or the model did not.
    """
    others = sides.n_humans[sides.item] - 1
    there = (others > 0)[:, None] & (said[sides.item] != NOT_SAID)
    if callable(alignment):
        gap, size = _by_function(sides, said, alignment, there)
    else:
        gap, size = _gap(sides, said, scoring_of(sides, alignment))
    sign = np.where(np.abs(gap) <= SAME * size, 0, np.sign(gap)).astype(np.int8)
    return np.where(there, sign, MISSING)


def _gap(sides: Sides, said: Ints, near: Scoring) -> tuple[Floats, Floats]:
    """(N, M) how much nearer the human is, summed over the other humans; and how large it may be.

    Everything is summed over the different values of an item, not over pairs of annotations.
    """
    cell_item, cell_value, n, of = sides.cells
    start, n_cells = sides.cell_start, len(cell_item)
    width = np.diff(start)[cell_item]  # how many cells each cell meets
    one = np.repeat(np.arange(n_cells), width)
    end = np.cumsum(width)
    other = np.repeat(start[cell_item], width) + np.arange(len(one)) - np.repeat(end - width, width)
    met = n[other] * near(cell_value[one], cell_value[other])
    total = np.bincount(one, met, n_cells)
    largest = np.bincount(one, np.abs(met), n_cells)
    human = (total - near(cell_value, cell_value))[of]
    gap = np.empty((len(sides.item), said.shape[1]))
    size = np.empty_like(gap)
    for m, column in enumerate(said.T):
        label = np.where(column == NOT_SAID, 0, column)
        met = n * near(label[cell_item], cell_value)
        total = np.bincount(cell_item, met, sides.n_items)[sides.item]
        gap[:, m] = human - (total - near(label[sides.item], sides.value))
        size[:, m] = largest[of] + np.abs(total)
    return gap, size


def _by_function(
    sides: Sides,
    said: Ints,
    score: Callable[[Value, list[Value]], float],
    there: NDArray[np.bool_],
) -> tuple[Floats, Floats]:
    """(N, M) each by calling a function; each different question is asked once."""
    values: Sequence[Value] = sides.counts.values
    start = np.searchsorted(sides.item, np.arange(sides.n_items + 1))
    asked: dict[tuple[int, tuple[int, ...]], float] = {}
    gap, size = np.zeros(there.shape), np.zeros(there.shape)
    for r in np.flatnonzero(there.any(1)).tolist():
        i = int(sides.item[r])
        own = r - int(start[i])
        every = sides.value[start[i] : start[i + 1]].tolist()
        others = tuple(sorted(every[:own] + every[own + 1 :]))

        def scored(code: int, others: tuple[int, ...] = others) -> float:
            if (code, others) not in asked:
                found = score(values[code], [values[k] for k in others])
                asked[code, others] = _number(found)
            return asked[code, others]

        human = scored(int(sides.value[r]))
        for m in np.flatnonzero(there[r]).tolist():
            model = scored(int(said[i, m]))
            gap[r, m], size[r, m] = human - model, abs(human) + abs(model)
    return gap, size


def _number(x: Any) -> float:
    try:
        found = float(x)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise RequestError(
            f"the alignment function gave {x!r}: it must give a finite number, higher for a label "
            "that is nearer to those of the other humans"
        )
    return found


def unmoved(sides: Sides, alignment: Alignment) -> Ints:
    """(U,) the labels with which an answer that never changes comes nearest to the humans.

    Several if they come equally near; none if there are too many values to try.
    """
    _, value, n, _ = sides.cells
    times = np.bincount(value, n, sides.n_values)
    if callable(alignment):
        score = times.astype(float)
    elif sides.n_values > MOST_VALUES:
        return np.empty(0, np.int64)
    else:
        every = np.arange(sides.n_values)
        near = scoring_of(sides, alignment)(every[:, None], every[None, :])
        score = near @ times
    return np.flatnonzero(score >= score.max() - SAME * np.abs(score).max())
