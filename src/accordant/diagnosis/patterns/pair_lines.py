"""Pairs of categories beside their share of the disagreements by chance."""

from __future__ import annotations

import numpy as np

from ...measure.confusion import NO_FURTHER
from ...scheme import Value
from ..disputes import Disputes, Mask
from ..finding import Contrast
from ..words import quoted
from .telling import MOST_LINES

__all__ = ["pair_line", "pair_lines", "pair_name"]


def pair_lines(found: Disputes, left: Mask) -> tuple[Contrast, ...]:
    """The pairs with most disagreements, beside their share by chance."""
    a, b = np.nonzero(np.triu(left, 1))
    order = np.argsort(-found.table[a, b], kind="stable")[:MOST_LINES]
    return tuple(
        pair_line(found, i, j)
        for i, j in zip(a[order].tolist(), b[order].tolist(), strict=True)
    )  # fmt: skip


def pair_line(found: Disputes, i: int, j: int) -> Contrast:
    """A pair beside its share of all disagreements by chance."""
    expected = found.expected(found.every)
    return Contrast(
        pair_name(found.values[i], found.values[j]),
        int(found.table[i, j]), float(found.table[i, j] / found.n), float(expected[i, j]),
    )  # fmt: skip


def pair_name(a: Value, b: Value) -> str:
    """A pair of categories as a reader sees it.

    Examples
    --------
    >>> pair_name("a", "b"), pair_name("a", ())
    ('“a” or “b”', '“a” or no label')
    """
    if b == NO_FURTHER:
        return f"{quoted(a)} or no label"
    return pair_name(b, a) if a == NO_FURTHER else f"{quoted(a)} or {quoted(b)}"
