"""All bipartitions of a scheme, each scored."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from .bipartitions import Bipartitions
from .cuts import Scores, score_all
from .states import States

__all__ = ["MOST_STATES", "every_side", "exhaustive"]

MOST_STATES = 22  # 2,097,151 bipartitions, about 250 MB of scores


def every_side(n_states: int) -> NDArray[np.bool_]:
    """(2^(C − 1) − 1, C) the sides of all bipartitions; the last state is never on side 0.

    Examples
    --------
    >>> every_side(3).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [1, 1, 0]]
    """
    return Bipartitions.every(n_states).sides


def exhaustive(states: States, coefficient: str = "kappa") -> Scores:
    """All 2^(C − 1) − 1 bipartitions of the states that occur, scored, in order of code.

    Parameters
    ----------
    states : States
        At most 22 states; `accordant.decomposition.streaming.best` finds the best of more.
    coefficient : str
        As for `score`.

    Raises
    ------
    RequestError
        If there are too many states, or no such coefficient.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> data = read([["a", "a", "b", "c", "c"], ["a", "b", "b", "c", "b"]])
    >>> found = exhaustive(states(count(data)))
    >>> found.sides.astype(int).tolist(), found.explained.tolist()
    ([[1, 0, 0], [0, 1, 0], [1, 1, 0]], [0.5, 1.0, 0.5])
    """
    if states.n_states > MOST_STATES:
        raise RequestError(
            f"{states.n_states} values have {2 ** (states.n_states - 1) - 1:,} bipartitions: "
            f"too many to score each (at most {MOST_STATES} values)"
        )
    return score_all(states, Bipartitions.every(states.n_states), coefficient)
