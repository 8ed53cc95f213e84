"""Whether an explanation is right: what was said of a data set against what is true of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from claims.worlds import Cause, World

__all__ = ["Explain", "Said", "Verdict", "is_true", "judged", "right", "said_of"]

IN_ORDER = ("one_way", "coder_cell", "coder_change")
"""Kinds that say which of two values is given for which."""
PLACELESS = ("coder_cell",)
"""Kinds that name the culprit of a change in time, though not since when."""
OF_ONE_CODER = ("coder", "shifted", "narrow", "swapped")
POOR, ORDINARY = 0.05, 0.02
"""How much more often than the median a coder deviates of whom that can be said."""
INSIDE, COVERED = 0.6, 0.25
"""Least part of a told stretch that is in the true one, and of the true one that is told."""


@dataclass(frozen=True)
class Said:
    """One explanation: what it is about, and how sure it is.

    ``values`` are labels where sets are compared. ``place`` is a stretch (first item, the one after
    the last), the name of a group of items, or what else the kind says of where.
    """

    kind: str
    coders: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    place: tuple[Any, ...] = ()
    score: float = 0


Explain = Callable[..., Sequence[Said]]


@dataclass(frozen=True)
class Verdict:
    """What is to be counted of one data set.

    ``warned``: something false was said. ``first``: the first explanation is right; ``near``: it
    is of another kind, but names the right coder or values. ``found``: all causes were found.
    ``spurious``: explanations that are neither the right one of a cause nor true.
    """

    warned: bool
    first: bool
    near: bool
    found: bool
    spurious: int


def said_of(world: World, explain: Explain) -> tuple[Said, ...]:
    """What an explainer says."""
    return tuple(explain(world.grid, world.members, ordinal=world.ordinal, groups=world.groups))


def judged(world: World, said: Sequence[Said]) -> Verdict:
    """Compare it with what is true.

    Each cause is told once: a second telling of the same culprit is spurious.
    """
    left = [e for e in said if not is_true(world, e)]
    n_false = len(left)
    found = 0
    for cause in world.causes:
        told = next((e for e in left if right(world, e, cause)), None)
        found += told is not None
        told = told or next((e for e in left if near(e, cause)), None)
        if told is not None:
            left.remove(told)
    first = next(iter(said), None)
    return Verdict(
        warned=n_false > 0,
        first=first is not None and any(right(world, first, c) for c in world.causes),
        near=first is not None and any(near(first, c) for c in world.causes),
        found=found == len(world.causes),
        spurious=len(left),
    )


def right(world: World, said: Said, cause: Cause) -> bool:
    """Whether an explanation is the right one of a cause."""
    return (
        said.kind in cause.kinds
        and _who(world, said, cause)
        and _what(said, cause)
        and (said.kind in PLACELESS or _where(said, cause))
    )


def near(said: Said, cause: Cause) -> bool:
    """Whether it names the right coder, values or place, though it is of another kind."""
    if cause.coders:
        return bool(said.coders) and set(said.coders) <= set(cause.coders)
    if cause.values:
        return not said.coders and bool(set(said.values) & set(cause.values))
    return not said.coders and bool(said.place) and _where(said, cause)


def is_true(world: World, said: Said) -> bool:
    """Whether it is true though it was not planted: a difference in ability."""
    of_odd = bool(said.coders) and set(said.coders) <= world.odd
    differs = ORDINARY if said.place == ("ordinary",) else POOR
    poor = np.flatnonzero(world.rates > np.median(world.rates) + differs)
    of_poor = said.kind == "coder" and set(said.coders) <= set(poor.tolist())
    planted = {c for cause in world.causes for c in cause.coders}
    return of_odd or (of_poor and not set(said.coders) & planted)


def _who(world: World, said: Said, cause: Cause) -> bool:
    one, told = set(cause.coders), set(said.coders)
    if said.kind == "coder_groups":
        return told in (one, set(range(world.grid.shape[1])) - one)
    return told == one


def _what(said: Said, cause: Cause) -> bool:
    told, true = tuple(said.values), cause.values
    if not true:
        return True
    if said.kind in IN_ORDER and not {"pair", "one_way"} <= set(cause.kinds):
        return told == true
    if said.kind == "chain":
        return told in (true, true[::-1])
    return sorted(told) == sorted(true)


def _where(said: Said, cause: Cause) -> bool:
    if not cause.place:
        return True
    place = said.place or ()
    if isinstance(cause.place[0], str):
        return cause.place[0] in [str(x) for x in place]
    ends = [int(x) for x in place if not isinstance(x, str)]
    if len(ends) < 2:  # a trend has no ends
        return said.kind.endswith("trend")
    shared = min(ends[1], cause.place[1]) - max(ends[0], cause.place[0])
    told, true = ends[1] - ends[0], cause.place[1] - cause.place[0]
    return shared >= INSIDE * told and shared >= COVERED * true
