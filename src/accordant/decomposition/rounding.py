"""Figures as a paper prints them: rounded, averaged and subtracted in its order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from ..arrays import Floats
from ..errors import RequestError
from .levels import Level
from .scores import Scores, mean_of_known

__all__ = ["ROUNDINGS", "Rounding", "half_up", "rounding_of"]


ROUNDINGS = ("levi2022",)
EXACT = 12  # digits after which a float is rounding: the exact number it stands for

Number = Decimal | None


@dataclass(frozen=True)
class Rounding:
    """How Levi & Shenhav (2022) round, with decimal arithmetic and half up.

    The figure of each pair of coders is rounded to two digits before the pairs are averaged, and
    the mean is rounded again. The mean over the labels is taken of the figures printed in the table
    of all bipartitions (Appendix A), of means over the pairs before they are rounded in the tables
    of the ten best (Tables 5 and 6): hence four averages differ between the two in the paper.

    Parameters
    ----------
    of_printed : bool
        Whether the mean over the labels is that of the appendix.
    digits : int
    factor : int
        100 for percentages.
    """

    of_printed: bool = False
    digits: int = 2
    factor: int = 1

    def one(self, x: float) -> Number:
        """A figure of one pair of coders as it is printed; None if it is undefined."""
        return None if math.isnan(x) else half_up(_exact(x * self.factor), self.digits)

    def mean(self, level: Level, label: int) -> Number:
        """The mean over the pairs of coders, of their rounded figures, not rounded itself."""
        return _mean(self.one(float(x)) for x in level.values[label])

    def row(self, level: Level, pair: int | None = None) -> tuple[list[str], str]:
        """Each label, and the mean over the labels, of a pair of coders or of all pairs.

        Where a level has no labels, the list has its one figure.
        """
        n = len(level.values)
        if pair is None:
            each = [self.mean(level, k) for k in range(n)]
        else:
            each = [self.one(float(level.values[k, pair])) for k in range(n)]
        shown = [None if x is None else half_up(x, self.digits) for x in each]
        mean = _mean(shown if self.of_printed else each)
        last = None if mean is None else half_up(mean, self.digits)
        return [_text(x) for x in shown], _text(last)

    def key(self, scores: Scores, rank: str) -> Floats:
        """(N,) what the bipartitions of a table are ordered by, from the lowest on.

        The tables of the ten best are in the order of means of rounded figures: Table 6 is in no
        other order that we tried.
        """
        if rank == "first":
            return _means(self._hundredths(scores.first_by_pair), 0)
        return -_means(_means(self._hundredths(scores.by_label_by_pair), 0), -1)

    def _hundredths(self, x: Floats) -> Floats:
        """Rounded half up, in units of the last digit."""
        scaled = np.round(np.abs(x) * self.factor * 10.0**self.digits, EXACT - 3)
        return np.asarray(np.copysign(np.floor(scaled + 0.5), x))


def rounding_of(name: str | None, *, of_printed: bool = False) -> Rounding | None:
    """The rounding of a name; None for none.

    Raises
    ------
    RequestError
        If there is no such rounding.
    """
    if name is None:
        return None
    if name not in ROUNDINGS:
        raise RequestError(f"unknown rounding {name!r}: choose {', '.join(ROUNDINGS)} or None")
    return Rounding(of_printed)


def half_up(x: Decimal, digits: int = 2) -> Decimal:
    """Rounded half up, as people do.

    Examples
    --------
    >>> half_up(Decimal("0.645")), half_up(Decimal("89.95"), 1)
    (Decimal('0.65'), Decimal('90.0'))
    """
    return x.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def _means(x: Floats, axis: int) -> Floats:
    """Means over an axis of what is defined; NaN where nothing is."""
    return np.asarray(np.round(mean_of_known(x, axis), EXACT - 3))


def _exact(x: float) -> Decimal:
    return Decimal(repr(round(float(x), EXACT)))


def _mean(numbers: Iterable[Number]) -> Number:
    known: Sequence[Decimal] = [x for x in numbers if x is not None]
    return sum(known, Decimal(0)) / len(known) if known else None


def _text(x: Number) -> str:
    return "" if x is None else str(x)
