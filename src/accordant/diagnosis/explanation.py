"""What an explanation of disagreement is: a mask over deviations that holds more than its share.

Its count among comparable deviations is compared with the share that the null puts there. The
gain in likelihood is effect, test and criterion of choice in one: a wide mask that dilutes a narrow
one has the smaller gain, and a kind with many candidates pays for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import log
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools
from ..inference.null import surprise
from ..messages import MessageKind, catalogued
from ..numbers import tied
from .deviations import Deviations
from .finding import Remedy
from .others_label import Beside

NOMINAL = 0.125
"""Of all candidates of a step together. The bounds are loose: hardly any simulated data set without
a cause has an explanation (docs/reference/findings.md)."""
SELDOM, INSTEAD = ("seldom",), "instead of"  # places of a leaning
LINK = 0.15
"""Of the labels that may be the next link of a chain, or the division of the coders of a pair."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """Deviations that have a cause in common.

    Parameters
    ----------
    kind : str
        The name of its definition, e.g. ``'pair'``.
    coders : tuple of int
        Whom it is about; empty for all.
    labels : tuple of int
        Positions of the labels it is about, in the order in which the kind tells them.
    place : tuple
        A group of items, or the way of a shift or of a leaning.
    observed, expected : float
        Deviations, and those that the null puts there.
    of : float
        Comparable deviations.
    score : float
        -log p in nats, beyond the bound for all candidates.
    share : float
        The excess as a share of all deviations.
    cells : ndarray of bool or None
        (C, K, K) the deviations it is about; None for those of some items.
    parts : tuple of Explanation
        What else was found about the same coder.
    links : tuple of (int, int)
        Which labels are confused with each other, of several pairs that share labels.
    """

    kind: str
    coders: tuple[int, ...]
    labels: tuple[int, ...]
    place: tuple[Any, ...]
    observed: float
    expected: float
    of: float
    score: float
    share: float
    cells: NDArray[np.bool_] | None = None
    parts: tuple[Explanation, ...] = ()
    links: tuple[tuple[int, int], ...] = ()

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of labels of a pair, or of a chain, each in its order."""
        return self.links or tuple(pairwise(self.labels))

    @property
    def excess(self) -> float:
        """Deviations that would not be there without the cause.

        Of the ``of - excess`` that were left, the mask would hold the share that it is expected to.
        """
        left = max(self.of - self.expected, 1e-9) / max(self.of, 1e-9)
        return min((self.observed - self.expected) / left, self.observed)

    @property
    def direction(self) -> str | None:
        """The word for the way of a shift, or of a leaning."""
        if self.kind == "coder_gives":
            return "less" if self.place == SELDOM else "more"
        up = self.place == ("up",)
        if self.kind == "set_size":
            return "more" if up else "fewer"
        return None if self.kind != "shifted" else "higher" if up else "lower"

    @property
    def instead(self) -> tuple[int, ...]:
        """The label in place of which a coder gives another; empty where it is any."""
        return self.place[1:] if self.place[:1] == (INSTEAD,) else ()

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes it the same as another."""
        return self.kind, self.coders, self.labels, self.place


Search: TypeAlias = Callable[[Deviations], Iterator[Explanation]]
Counting: TypeAlias = Callable[[Any, Explanation, Any], Iterable[int]]


def usual_counts(
    beside: Beside, one: Explanation, items: Any, of: Bools | None = None
) -> Iterable[int]:
    """How often a coder deviates so; of all coders, pairs of annotations between linked labels."""
    if len(one.coders) == 1 and one.cells is not None:
        return beside.of_coder(one.coders[0], one.cells[one.coders[0]], of)
    return beside.between(one.pairs)


@dataclass(frozen=True)
class Kind:
    """A kind of explanation: how it is looked for and counted, and what is mended first.

    What is said of it stands under its name in the catalogue of messages.
    """

    find: Search
    remedy: Remedy
    counted: Counting


KINDS: dict[str, Kind] = {}
"""Every kind of explanation by its name, which is the code of its findings."""


def explanation(
    *,
    title: str,
    text: str,
    advice: str,
    remedy: Remedy,
    sources: tuple[str, ...] = ("artstein2008",),
    counted: Counting = usual_counts,
) -> Callable[[Search], Search]:
    """Register a kind of explanation, and its message, under the name of its function.

    ``counted`` gives ``n`` and ``of`` of the sentence, and those of the others, in the table.
    """

    def register(find: Search) -> Search:
        name = getattr(find, "__name__", "")
        KINDS[name] = Kind(find, remedy, counted)
        catalogued(MessageKind(name, "warning", title, text, sources=sources, advice=advice))
        return find

    return register


def cost(candidates: float, kinds: int = 0) -> float:
    """The bound for one of so many candidates of one of some kinds (by default all), in nats."""
    return log(max(candidates, 1) * (kinds or len(KINDS)) / NOMINAL)


@dataclass(frozen=True)
class Mask:
    """What a candidate is about."""

    coders: tuple[int, ...] = ()
    labels: tuple[int, ...] = ()
    place: tuple[Any, ...] = ()
    cells: NDArray[np.bool_] | None = field(default=None, compare=False)


MOST = 8  # candidates of a kind: the best may be told already


def best(
    at: Deviations,
    kind: str,
    candidates: float,
    observed: NDArray[Any],
    of: NDArray[Any] | float,
    share: NDArray[Any],
    clumping: NDArray[Any] | float,
    mask: Callable[..., Mask],
) -> Iterator[Explanation]:
    """The best candidates of a kind beyond the bound.

    Parameters
    ----------
    at : Deviations
    kind : str
    candidates : float
        How many there are, for the bound.
    observed, of, share, clumping : ndarray
        As in `surprise`, by candidate; of any number of axes.
    mask : callable
        Gives the `Mask` of a candidate, by its positions on the axes.
    """
    of, share = of + 0.0 * observed, share + 0.0 * observed
    focus, fewer = at.focus, at.null.patterns.n_coders if at.focus is not None else 1
    score = surprise(observed, of, share, clumping) - cost(candidates / fewer, at.kinds)
    score = np.where(observed > of * share, score, -np.inf)
    for flat in np.argsort(-tied(score), axis=None, kind="stable")[: MOST * fewer].tolist():
        where = np.unravel_index(flat, score.shape)
        if not score[where] > 0:
            return
        what = mask(*map(int, where))
        if focus is not None and what.coders != (focus,):
            continue
        o, e = float(observed[where]), float((of * share)[where])
        yield Explanation(
            kind,
            what.coders,
            what.labels,
            what.place,
            o,
            e,
            float(of[where]),
            float(score[where]),
            (o - e) / at.n,
            what.cells,
        )
