"""Groups of coders who read two labels differently: how far each agrees within and between."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from ..inference.exact_tests import exact_interval
from ..results import Result
from ..scheme import Value
from .pairs import CoderPairs
from .view import View

__all__ = ["CoderGroup", "coder_groups"]


@dataclass(frozen=True, eq=False)
class CoderGroup(Result):
    """Coders who give one label where others give another.

    Parameters
    ----------
    group : int
        From 1; two for each pair of labels.
    coders : tuple of str
    label, instead : Value
        What the group gives, and what the others give there.
    n_pairs : int
        Pairs of annotations of one item by two coders of the group.
    within, between : float
        Agreement of two of the group, and of one of them with one of the other group.
    low, high : float
        Exact interval of ``within``, as if it were of the mean number of common items: pairs of
        annotations of one item say less than as many items.
    """

    group: int
    coders: tuple[str, ...]
    label: Value
    instead: Value
    n_pairs: int
    within: float
    between: float
    low: float
    high: float

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "coder_group": self.group,
                "coders": self.coders,
                "label": self.label,
                "instead": self.instead,
                "n_pairs": self.n_pairs,
                "within": self.within,
                "low": self.low,
                "high": self.high,
                "between": self.between,
            }
        ]


def coder_groups(view: View) -> tuple[CoderGroup, ...]:
    """The groups that explain disagreement, two for each pair of labels.

    Examples
    --------
    >>> from accordant import diagnose, read
    >>> random = np.random.default_rng(0)
    >>> right = random.integers(0, 4, (400, 1))
    >>> slips = random.random((400, 6)) < 0.1
    >>> given = np.where(slips, random.integers(0, 4, (400, 6)), right)
    >>> two_ways = (right == 0) | (right == 1)
    >>> given[:, :3] = np.where(two_ways & (given[:, :3] == 1), 0, given[:, :3])
    >>> found = coder_groups(diagnose(read(given.T.tolist())).pooled)
    >>> [(x.coders[0], x.label, x.instead) for x in found]
    [('coder 4', 1, 0), ('coder 1', 0, 1)]
    """
    return tuple(_groups(view))


def _groups(view: View) -> Iterator[CoderGroup]:
    number = 0
    for found in view.causes.found:
        if found.code != "coder_groups":
            continue
        one = tuple(found.facts["coders"])
        two = tuple(c for c in view.counts.coders if c not in one)
        first, second = found.facts["first"], found.facts["second"]
        for own, other, label, instead in (
            (one, two, second, first),
            (two, one, first, second),
        ):
            number += 1
            n, within, common = _agreement(view.pairs, list(combinations(own, 2)))
            _, between, _ = _agreement(view.pairs, list(product(own, other)))
            low, high = math.nan, math.nan
            if n:
                low, high = (
                    float(x[0]) for x in exact_interval([within * common], [common], view.level)
                )
            yield CoderGroup(number, own, label, instead, n, within, between, low, high)


def _agreement(pairs: CoderPairs, chosen: list[tuple[str, str]]) -> tuple[int, float, float]:
    """How many pairs of annotations, their agreement, and the mean number of common items."""
    place = {name: k for k, name in enumerate(pairs.coders)}
    at = [(place[a], place[b]) for a, b in chosen if a in place and b in place]
    if not at:
        return 0, math.nan, math.nan
    a, b = np.array(at).T
    n, share = pairs.n_common[a, b], np.nan_to_num(pairs.percent[a, b])
    total = float(n.sum())
    return int(total), float(n @ share / total) if total else math.nan, float(n.mean())
