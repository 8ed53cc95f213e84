"""Items dealt to coders: how many annotate each item, or how many each coder annotates.

Loads are exact. Pairs of coders come to share items as evenly as the loads allow, so that agreement
can be estimated for every pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from random import Random

from ..errors import RequestError, unknown
from .sentences import counted

__all__ = ["dealt", "smallest_overlap"]


def dealt(
    items: Sequence[str],
    coders: Sequence[str],
    *,
    overlap: int = 0,
    quota: Mapping[str, int] | None = None,
    seed: int = 0,
) -> dict[str, tuple[str, ...]]:
    """Which items each coder annotates.

    Parameters
    ----------
    items, coders : sequence of str
    overlap : int
        How many coders annotate each item; 0: as the quotas say, as evenly as they allow.
    quota : mapping of str to int, optional
        Coder → how many items. With an overlap others share evenly what is left; without, every
        coder needs one.
    seed : int
        The same one deals the same way.

    Returns
    -------
    dict of str to tuple of str
        Coder → items, in their order.

    Raises
    ------
    RequestError
        If the numbers cannot be met.

    Examples
    --------
    >>> of = dealt("abcdef", ["ana", "bob", "cleo"], overlap=2)
    >>> {coder: len(each) for coder, each in of.items()}, smallest_overlap(of)
    ({'ana': 4, 'bob': 4, 'cleo': 4}, (('ana', 'bob'), 2))
    """
    rng, wanted = Random(seed), dict(quota or {})
    sizes = _sizes(len(items), coders, overlap, wanted)
    total, order = sum(sizes.values()), list(range(len(items)))
    rng.shuffle(order)
    left, names = dict(sizes), list(coders)
    weight = dict.fromkeys(permutations(names, 2), 0.0)  # what two share, as a part of their loads
    found: dict[str, list[int]] = {coder: [] for coder in names}
    for k, item in enumerate(order):
        rest = len(order) - k
        rng.shuffle(names)
        chosen = _chosen(names, -(-total // rest), rest, left, weight)
        for coder in chosen:
            found[coder].append(item)
            left[coder] -= 1
            total -= 1
        for pair in permutations(chosen, 2):
            weight[pair] += 1 / (sizes[pair[0]] * sizes[pair[1]])
    return {coder: tuple(items[i] for i in sorted(each)) for coder, each in found.items()}


def smallest_overlap(assigned: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], int]:
    """The two coders who share the fewest items, and how many these are."""
    of = {coder: set(items) for coder, items in assigned.items()}
    each = ((pair, len(of[pair[0]] & of[pair[1]])) for pair in combinations(of, 2))
    return min(each, key=lambda one: one[1])


def _chosen(
    names: Sequence[str],
    n: int,
    rest: int,
    left: Mapping[str, int],
    weight: Mapping[tuple[str, str], float],
) -> list[str]:
    """Who annotates the next item: who must take every one that is left, then who shares least.

    Any choice with the first can be completed. Coders with the same claim take turns.
    """
    chosen = [coder for coder in names if left[coder] == rest]
    free = [coder for coder in names if 0 < left[coder] < rest]
    if n - len(chosen) > 1:  # the two who lack most to share what chance would have them share
        two = min(combinations(free, 2), key=lambda pair: weight[pair])
        chosen += two
        free = [coder for coder in free if coder not in two]
    while len(chosen) < n:
        best = min(free, key=lambda coder: sum(weight[coder, one] for one in chosen))
        free.remove(best)
        chosen.append(best)
    return chosen


def _sizes(n: int, coders: Sequence[str], overlap: int, quota: dict[str, int]) -> dict[str, int]:
    """How many items each coder gets; a RequestError where the numbers cannot be met."""
    for coder, size in quota.items():
        if coder not in coders:
            raise unknown("coder", coder, coders, "the project has")
        if not 0 < size <= n:
            raise RequestError(f"{coder} cannot get {counted(size, 'item')}: there are {n:,}")
    others = [coder for coder in coders if coder not in quota]
    if len(coders) < 2 or not n:
        raise RequestError("items are dealt among two coders or more, once there are items")
    if not overlap:
        if others:
            raise RequestError(f"no quota for {others[0]}: give all coders one, or an overlap")
        if (total := sum(quota.values())) < n:
            raise RequestError(f"the quotas come to {total:,}, and there are {n:,} items")
        return {coder: quota[coder] for coder in coders}
    if not 0 < overlap <= len(coders):
        raise RequestError(f"an item cannot go to {overlap} of {len(coders)} coders")
    rest = overlap * n - sum(quota.values())
    if rest < len(others) or rest > len(others) * n:
        room = "is left for the others" if rest >= 0 else "too many"
        raise RequestError(
            f"{n:,} items for {overlap} coders each are {overlap * n:,} annotations: with these "
            f"quotas {abs(rest):,} {room}, {len(others)} of {len(coders)} coders"
        )
    return quota | {
        coder: rest // len(others) + (k < rest % len(others)) for k, coder in enumerate(others)
    }
