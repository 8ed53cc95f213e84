"""How far each pair of coders agrees who give sets of labels: boot-match, precision, recall.

The measures of Marchal et al. (2022) are about two coders. Of more coders a pooled figure is a mean
over pairs, and its precision and recall are the same; here each pair stands for itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..counts.counts import Counts
from ..measure.coefficients import COEFFICIENTS
from ..measure.distances import weights_for
from ..measure.results import Undefined
from ..measure.undefined import why_undefined
from ..numbers import count_of
from ..results import Result
from .meetings import n_meetings
from .pairs import CoderPairs

__all__ = ["MOST_MEASURED", "SetAgreement", "SetPairs", "set_pairs"]

MOST_MEASURED = 50  # pairs: exact chance of large sets of many labels takes a tenth of a second


@dataclass(frozen=True)
class SetAgreement(Result):
    """Two coders on the items that both annotated; chance is that of these items.

    Parameters
    ----------
    first, second : str
    n_common : int
        Items that both annotated.
    observed, expected : float
        Of boot-match: how often they share a label or both give none, and how often they would
        by label draw.
    boot_match, boot_precision, boot_recall : float
        Corrected for chance; NaN where undefined. Precision is about the labels of the first
        coder, recall about those of the second.
    undefined : Undefined or None
        Why there is no boot-match.
    """

    first: str
    second: str
    n_common: int
    observed: float
    expected: float
    boot_match: float
    boot_precision: float
    boot_recall: float
    undefined: Undefined | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [dict(self.__dict__)]


@dataclass(frozen=True)
class SetPairs(Result):
    """The pairs of coders with the most common items, in the order of the data.

    Parameters
    ----------
    pairs : tuple of SetAgreement
    n_left_out : int
        Pairs with common items that are not measured.
    """

    pairs: tuple[SetAgreement, ...]
    n_left_out: int = 0

    @property
    def reason(self) -> str:
        """Why pairs are left out; empty if none is."""
        if not self.n_left_out:
            return ""
        return (
            f"{count_of(self.n_left_out, 'more pair')} of coders with common items "
            f"{'is' if self.n_left_out == 1 else 'are'} left out, because the exact chance of "
            f"many pairs takes long: the {len(self.pairs):,} with the most common items are shown."
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each pair."""
        return [row for pair in self.pairs for row in pair.to_rows()]


def set_pairs(counts: Counts, pairs: CoderPairs, *, most: int = MOST_MEASURED) -> SetPairs:
    """Measure every pair of coders, or those with the most common items.

    Parameters
    ----------
    counts : Counts
        Whose values are sets of labels.
    pairs : CoderPairs
        Of the same counts: which coders met on how many items.
    most : int
        Pairs that are measured.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.diagnosis.diagnose import diagnose
    >>> rows = [["a,b", "a", "b"], ["a", "a", "b"], ["b", "a", "a,b"]]
    >>> for pair in diagnose(read(rows, separator=",")).pooled.set_pairs.pairs:
    ...     print(pair.first, pair.second, round(pair.boot_match, 3))
    coder 1 coder 2 1.0
    coder 1 coder 3 1.0
    coder 2 coder 3 0.0
    """
    if counts.coder is None:
        return SetPairs(())
    place = {name: c for c, name in enumerate(counts.coders)}
    one, other = np.triu_indices(len(pairs.coders), 1)
    n = pairs.n_common[one, other]
    chosen = np.sort(np.argsort(-n, kind="stable")[: min(most, int((n > 0).sum()))])
    measured = tuple(
        _measured(counts, place[pairs.coders[a]], place[pairs.coders[b]])
        for a, b in zip(one[chosen], other[chosen], strict=True)
    )
    return SetPairs(measured, n_meetings(counts) - len(measured))


def _measured(counts: Counts, first: int, second: int) -> SetAgreement:
    two = counts.of_coders(np.array([first, second])).pairable
    boot = COEFFICIENTS["boot"]
    match, precision, recall = (
        boot.parts(two, weights_for(name, two)) for name in ("overlap", "precision", "recall")
    )
    observed, expected = float(match.observed), float(match.expected)
    return SetAgreement(
        two.coders[0], two.coders[1], int(two.n_items), observed, expected, float(match.value),
        float(precision.value), float(recall.value), why_undefined(boot, two, observed, expected),
    )  # fmt: skip
