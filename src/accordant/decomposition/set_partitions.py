"""All ways to put C states into blocks, and how many there are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..numbers import count_of

__all__ = ["MOST_PARTITIONS", "n_partitions", "set_partitions"]

MOST_PARTITIONS = 1_000_000
"""All partitions of 11 states are 678,570, of 12 states 4,213,597."""


def n_partitions(n_states: int, n_blocks: int | None = None) -> int:
    """How many partitions there are: a Stirling number of the second kind, or C − 1 of them.

    Partitions into one block, and into blocks of one state, are not counted unless they are asked
    for: neither divides the work in two.

    Examples
    --------
    >>> n_partitions(8), n_partitions(8, 2), n_partitions(8, 4)
    (4138, 127, 1701)
    """
    row = [1]  # Stirling numbers of 0 states
    for _ in range(n_states):
        row = [
            0,
            *(
                b * row[b] + row[b - 1] if b < len(row) else row[b - 1]
                for b in range(1, len(row) + 1)
            ),
        ]
    if n_blocks is None:
        return sum(row[2:n_states])
    return row[n_blocks] if 0 <= n_blocks <= n_states else 0


def set_partitions(n_states: int, n_blocks: int | None = None) -> NDArray[np.uint8]:
    """(N, C) the block of each state in all partitions, in lexicographic order.

    Blocks are numbered by their first state, so that each partition stands there once
    (restricted growth strings: Knuth, The Art of Computer Programming 4A, section 7.2.1.5).

    Parameters
    ----------
    n_states : int
        C.
    n_blocks : int, optional
        So many blocks; by default 2 to C − 1.

    Raises
    ------
    RequestError
        If there are too many, or so many blocks are not possible.

    Examples
    --------
    >>> set_partitions(3).tolist(), len(set_partitions(8)), len(set_partitions(8, 3))
    ([[0, 0, 1], [0, 1, 0], [0, 1, 1]], 4138, 966)
    """
    if n_blocks is not None and not 2 <= n_blocks <= n_states:
        raise RequestError(
            f"{count_of(n_states, 'value')} cannot be put into {count_of(n_blocks, 'block')}: "
            f"give a number from 2 to {n_states}"
        )
    n = n_partitions(n_states, n_blocks)
    if n > MOST_PARTITIONS:
        raise RequestError(
            f"there are {n:,} partitions of {n_states} values"
            + (f" into {n_blocks} blocks" if n_blocks else "")
            + f", more than the {MOST_PARTITIONS:,} that are looked at: give fewer blocks, or "
            "leave out or merge rare values"
        )
    least, most = (2, n_states - 1) if n_blocks is None else (n_blocks, n_blocks)
    found = np.zeros((1, 1 if n_states else 0), np.uint8)
    used = np.ones(len(found), np.int64)  # blocks so far
    for state in range(1, n_states):
        choices = np.minimum(used + 1, most)
        row = np.repeat(np.arange(len(found)), choices)
        starts = np.cumsum(choices) - choices
        new = np.arange(len(row)) - starts[row]
        now = np.maximum(used[row], new + 1)
        possible = now + (n_states - 1 - state) >= least
        row, new, used = row[possible], new[possible], now[possible]
        found = np.concatenate([found[row], new[:, None].astype(np.uint8)], 1)
    return found if n else found[:0]
