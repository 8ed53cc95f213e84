"""Whether the label of the item before sways a coder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.tables import MOST_ITEMS, filled, one_by_one, value_table
from ..data.annotations import Annotations
from ..inference.distributions import normal_tail
from ..results import Result
from ..scheme import number
from .drift import Order, order_of

__all__ = ["FEW_STEPS", "Sequence", "sequence"]

FEW_STEPS = 50  # from an item to the next; with fewer nothing is said about a coder
NEAR, FAR = 1, (5, 6, 7, 8)  # the item before, and items that should have no effect any more
ALIKE = 0.05  # level of the test whether neighbouring items are alike
MOST_CELLS = 8_000_000  # annotations x values


@dataclass(frozen=True, eq=False)
class Sequence(Result):
    """How often each coder repeats its last label, beyond what the item explains. C coders.

    Parameters
    ----------
    order : Order
        The order that was taken for that of the annotation.
    coders : tuple of str
        (C,) names.
    n_steps : ndarray
        (C,) items with an item before, on which others said something.
    repeats, others : ndarray
        (C,) share of the steps with the label of the item before; and share of the other coders
        of the item who gave it this label.
    effect : ndarray
        (C,) how much more often the coder repeats its last label than the label of items further
        back, after what the others say is taken off: above 0 it carries labels on, below 0 it
        avoids them; NaN with too few steps.
    p_value : ndarray
        (C,) two-sided; NaN with too few steps.
    alike_p : float
        p-value of neighbouring items being labelled more alike, or less, than items further away.
        If they are, as the sentences of a text may be, an effect of the label before cannot be
        told from one of the items.
    """

    order: Order
    coders: tuple[str, ...]
    n_steps: Floats
    repeats: Floats
    others: Floats
    effect: Floats
    p_value: Floats
    alike_p: float

    @property
    def mixed(self) -> bool:
        """Whether neighbouring items are no more alike than others, so that effects can be told."""
        return not self.alike_p < ALIKE

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder."""
        return [
            {
                "coder": name,
                "n_steps": int(self.n_steps[c]),
                "repeats": float(self.repeats[c]),
                "others": float(self.others[c]),
                "effect": float(self.effect[c]),
                "p_value": float(self.p_value[c]),
            }
            for c, name in enumerate(self.coders)
        ]


def sequence(data: Annotations, counts: Counts, order: str | None = None) -> Sequence | None:
    """Look for labels that are carried over, or avoided, from one item to the next.

    Parameters
    ----------
    data : Annotations
    counts : Counts
        The counts of these data.
    order : str, optional
        The metadata column with the order of annotation.

    Returns
    -------
    Sequence or None
        None where the order is not known: neither a column is named, nor do the data hold dates
        for each coder, nor are item ids numbers that rise. None as well for label sets, several
        questions together, unknown coders, batches, and data too large for it.

    Notes
    -----
    For each annotation: whether it is the label that the coder gave to the item before, less the
    share of the other coders of this item who gave that label, less the mean of this difference
    over items that the others label alike. So neither the items nor a liking for a label count. The
    same is done with the items five to eight places before, and subtracted: what lasts longer than
    a few items is drift.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> right = ["a", "b", "b", "a", "a", "b", "a", "b"] * 20
    >>> carried = [x if i % 5 else y for i, (x, y) in enumerate(zip(right, ["a", *right]))]
    >>> rows = {"item": list(range(160)), "x": right, "y": right, "z": carried}
    >>> data = read({name: list(column) for name, column in rows.items()}, coder=["x", "y", "z"])
    >>> found = sequence(data, count(data))
    >>> bool(found.effect[2] > 0), bool(found.p_value[2] < 0.01)
    (True, True)
    """
    if counts.coder is None or counts.n_questions > 1 or counts.of_sets:
        return None
    if len(data.items) > MOST_ITEMS or counts.n_patterns * counts.n_values > MOST_CELLS:
        return None
    items = np.arange(len(data.items))
    found = order_of(data, order, items)
    if found.batches or not (found.known or _rising(data)):
        return None
    item, entry = one_by_one(counts, items)
    coder = counts.coder[entry]
    place = found.at(item, coder)
    keep = ~np.isnan(place) & (counts.size[counts.row[entry]] > 1)
    entry, coder, place = entry[keep], coder[keep], place[keep]
    at = np.lexsort((place, coder))
    entry, coder = entry[at], coder[at]
    if not len(entry) or len(entry) * counts.n_values > MOST_CELLS:
        return None
    return _Steps.of(counts, entry, coder).result(found)


def _rising(data: Annotations) -> bool:
    """Whether item ids are numbers, each larger than the one before."""
    last = -math.inf
    for name in data.items:
        x = number(name) if isinstance(name, int | float | str) else _plain(name)
        if x is None or x <= last:
            return False
        last = x
    return True


def _plain(name: Any) -> float | None:
    """A number of an array as a float."""
    return float(name) if isinstance(name, np.number) else None


@dataclass(frozen=True, eq=False)
class _Steps:
    """The annotations of each coder in their order. N rows.

    ``coder``, ``value`` (N,); ``others`` (N, K) share of the other coders who gave each value;
    ``said`` (N,) what most of them gave, of a tie the first; ``more`` (N, K) the coder's value less
    ``others``, less the mean of this where the others said the same.
    """

    coders: tuple[str, ...]
    coder: Ints
    value: Ints
    others: Floats
    said: Ints
    more: Floats

    @classmethod
    def of(cls, counts: Counts, entry: Ints, coder: Ints) -> _Steps:
        row, value = counts.row[entry], counts.value[entry]
        own = np.zeros((len(entry), counts.n_values))
        own[np.arange(len(entry)), value] = 1
        table = filled(value_table(counts)[row])
        others = (table - own) / np.maximum(counts.size[row] - 1, 1)[:, None]
        said = others.argmax(1)
        more = _centred(own - others, coder * np.int64(counts.n_values) + said)
        return cls(counts.coders, coder, value, others, said, more)

    def before(self, lag: int) -> NDArray[np.bool_]:
        """(N,) whether the coder has an item so many places before."""
        same = np.roll(self.coder, lag) == self.coder
        same[:lag] = False
        return np.asarray(same)

    def result(self, order: Order) -> Sequence:
        """The effect for each coder."""
        every = np.arange(len(self.value))
        ok = np.all([self.before(lag) for lag in (NEAR, *FAR)], axis=0)
        back = {lag: np.roll(self.value, lag) for lag in (NEAR, *FAR)}
        far = np.mean([self.more[every, back[lag]] for lag in FAR], axis=0)
        x = self.more[every, back[NEAR]] - far
        c = self.coder[ok]
        n = np.bincount(c, minlength=len(self.coders)).astype(float)
        few, over = n < FEW_STEPS, np.where(n > 0, n, np.nan)

        def mean(values: NDArray[Any]) -> Floats:
            return np.asarray(np.bincount(c, weights=values[ok], minlength=len(n)) / over)

        effect = mean(x)
        p = _two_sided(effect, np.sqrt(mean(x * x) / over))
        return Sequence(
            order=order,
            coders=self.coders,
            n_steps=n,
            repeats=mean(self.value == back[NEAR]),
            others=mean(self.others[every, back[NEAR]]),
            effect=np.where(few, np.nan, effect),
            p_value=np.where(few, np.nan, p),
            alike_p=self._alike(ok),
        )

    def _alike(self, ok: NDArray[np.bool_]) -> float:
        """p-value of neighbouring items being more, or less, alike than items further away."""
        if not ok.any():
            return math.nan
        busiest = np.bincount(self.coder[ok]).argmax()
        same = {lag: self.said == np.roll(self.said, lag) for lag in (NEAR, *FAR)}
        x = same[NEAR] - np.mean([same[lag] for lag in FAR], axis=0)
        x = x[ok & (self.coder == busiest)]
        mean, error = np.array([x.mean()]), np.array([np.sqrt((x * x).mean() / len(x))])
        return float(_two_sided(mean, error)[0])


def _two_sided(mean: Floats, error: Floats) -> Floats:
    z = np.where(error > 0, mean / np.where(error > 0, error, 1), 0.0)
    return np.array([min(1.0, 2 * normal_tail(abs(float(t)))) for t in np.nan_to_num(z)])


def _centred(x: Floats, key: Ints) -> Floats:
    """Rows (N, K) less the mean row of their kind."""
    _, of = np.unique(key, return_inverse=True)
    n = np.bincount(of)
    means = [np.bincount(of, weights=column) / n for column in x.T]
    return np.asarray(x - np.stack(means, axis=1)[of])
