"""Whether coders fall into groups that share no item, so that nothing compares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...actions import FILE, Action
from ...diagnosis.finding import Finding
from ...diagnosis.words import listed
from ...numbers import count_of, joined
from ..votes import UNKNOWN, Votes

__all__ = ["disjoint", "parts_of"]

Ints = NDArray[np.integer[Any]]

SHOWN = 3  # groups


def parts_of(votes: Votes) -> Ints:
    """(C,) the part of each coder: coders of different parts share no item, however indirectly.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> rows = [["a", "b", None], ["a", "a", None], [None, None, "b"], [None, None, "a"]]
    >>> parts_of(votes(read(rows))).tolist()
    [0, 0, 1, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = votes.n_coders + votes.n_items
    edges = (votes.coder.astype(np.int64), votes.item.astype(np.int64) + votes.n_coders)
    graph = coo_array((np.ones(len(votes.coder), np.int8), edges), shape=(n, n))
    found = connected_components(graph, directed=False)[1][: votes.n_coders]
    return np.asarray(np.unique(found, return_inverse=True)[1])


def disjoint(votes: Votes) -> Iterator[Finding]:
    """The finding that coders of different parts cannot be compared.

    Control items connect whoever annotated some of them: what is known is the same for all.

    Parameters
    ----------
    votes : Votes

    Yields
    ------
    Finding
        ``disjoint_coders``.
    """
    of = parts_of(votes)
    n_parts = int(of.max(initial=0)) + 1
    if n_parts < 2:
        return
    part = of[votes.coder]
    controlled = np.unique(part[votes.known[votes.item] != UNKNOWN])
    free = n_parts - len(controlled)
    if free + (len(controlled) > 0) < 2:
        return
    n_items = np.array([len(np.unique(votes.item[part == g])) for g in range(n_parts)])
    size = np.bincount(of, minlength=n_parts)
    names = [sorted(votes.coders[c] for c in np.flatnonzero(of == g)) for g in range(n_parts)]
    order = sorted(range(n_parts), key=lambda g: (-size[g], -n_items[g], names[g]))
    each = joined(
        (
            f"{listed(names[g], most=3)} ({count_of(int(n_items[g]), 'item')})"
            for g in order
        ),
        most=SHOWN,
    )  # fmt: skip
    alone = int((size == 1).sum())
    also = (
        f" {count_of(alone, 'coder shares', 'coders share')} no item with anybody." if alone else ""
    )
    yield Finding(
        "disjoint_coders",
        "warning",
        f"The design is disconnected: coders fall into {n_parts:,} parts that share no item, "
        f"{each}.{also} Coders of different parts cannot be compared: an accuracy says how far a "
        "coder agrees with the own part, and a part whose coders make the same errors looks as "
        "good as one that makes none. Labels rest on the coders of their own part; only the "
        "prevalence and the typical coder are estimated from all parts.",
        "Give some of the same items to coders of every part, or control items to all of them. "
        "Until then fit each part separately, and compare coders within it only.",
        {"parts": tuple(tuple(names[g]) for g in order), "n": n_parts, "alone": alone},
        title="Disconnected design",
        do=(Action("", {"gold": FILE}, "control items"),),
    )
