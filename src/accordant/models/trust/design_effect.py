"""How much less the annotations of an item tell together than a model of independent coders says.

Coders are more alike than their errors explain: they stumble over the same items. What of this
can be seen is the correlation of their answers beyond the estimated truth. It is only a part,
since the estimated truth goes where the coders go: where all err together, nothing is seen at all.
How much is not seen had to be learned where the truth is known; see `HIDDEN`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..estimators.pooling import answers_by_truth
from ..votes import Votes

__all__ = ["CERTAIN", "HIDDEN", "SPREAD", "DesignEffect", "design_effect", "drawn_together"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

HIDDEN = 5.0
"""Of tau = 1 / (1 + HIDDEN * sqrt((n - 1) * excess)): fitted to eleven public data sets with known
labels (the entailments and event orders of Snow et al. 2008, Bluebirds, web search, weather tweets,
film polarity, ZenCrowd, products, tweet sentiment, faces, TREC 2011) and four models (Dawid-Skene
by maximum likelihood, pooled and variational; one coin). Where a set was left out of the fit, its
log-loss was on average 8 % above the best that any tau gives it; without tempering it is three
times the best."""

SPREAD = 0.5
"""Standard deviation of the logarithm of the best tau around that rule, over these sets."""

CERTAIN = 1.645  # standard errors above chance: 5 % of crowds of independent coders lie beyond
SHOWN = 2.0  # standard errors that a planted dependence must add, to say that it would be seen
DRAWN = 2.0  # annotations by which each row of a coder's confusion is drawn to that of all
CELLS = 4_000_000  # annotations x answers that are looked at; more tell nothing new
UNLIKELY = 1e-3  # beliefs below it do not enter


@dataclass(frozen=True)
class DesignEffect:
    """What correlated errors do to the evidence.

    Parameters
    ----------
    correlation : float
        Of the answers of two coders of an item, beyond the estimated truth; NaN if no item has two.
    per_item : float
        Annotations that an annotation shares its item with, and itself: Σ n² / Σ n.
    n_items : int
        Items with two annotations or more that were looked at.
    by_chance : float
        The correlation that independent coders would show here. It is mostly below 0, since the
        estimated truth goes where the coders go, and far below where each gave little.
    error : float
        Standard error of the difference of the two, clustered by items.
    planted : float
        What the correlation would be if on every fifth item half of the coders saw another
        category; NaN if that was not tried.
    """

    correlation: float
    per_item: float
    n_items: int
    by_chance: float = 0.0
    error: float = 0.0
    planted: float = math.nan

    @property
    def beyond(self) -> float:
        """The correlation beyond that of independent coders."""
        return self.correlation - self.by_chance

    @property
    def certain(self) -> bool:
        """Whether independent coders would hardly look so alike (one-sided, 5 %)."""
        return self.beyond > CERTAIN * self.error

    @property
    def blind(self) -> bool:
        """Whether coders who err together could look as independent as these do."""
        if self.excess or math.isnan(self.planted):
            return False
        return self.planted - self.by_chance < SHOWN * self.error

    @property
    def excess(self) -> float:
        """What of the correlation chance does not explain; 0 if it is not `certain`.

        It is never more than the correlation itself, by which `HIDDEN` was found.
        """
        size = min(self.correlation, self.beyond)
        if not (self.certain and size > CERTAIN * self.error):
            return 0.0
        return math.sqrt(size**2 - (CERTAIN * self.error) ** 2)

    @property
    def seen(self) -> float:
        """1 + (n - 1) excess: by how much the evidence is inflated that can be seen to be."""
        return 1 + (self.per_item - 1) * self.excess

    @property
    def tau(self) -> float:
        """What the evidence of an annotation is worth; 1 where nothing can be seen."""
        return 1 / (1 + HIDDEN * math.sqrt(self.seen - 1))


def design_effect(votes: Votes, q: Floats) -> DesignEffect:
    """The correlation of coders' answers that the estimated truth leaves.

    Parameters
    ----------
    votes : Votes
    q : ndarray
        (I, K) beliefs, not tempered.

    Returns
    -------
    DesignEffect
        Not yet compared with chance: see `by_chance.compared`.

    Notes
    -----
    With e = (answer is o) - P(coder answers o | truth k), the correlation is

        Σ_i Σ_k q_ik Σ_o Σ_{j≠j'} e_ij e_ij'  /  Σ_i Σ_k q_ik Σ_o Σ_{j≠j'} sd_j sd_j'

    over the pairs of annotations of each item; the probabilities come from the beliefs, each row
    drawn to that of all coders as if by two annotations. It is 0 if coders are independent given
    the truth, whatever the confusions. The design effect 1 + (n - 1) correlation is that of samples
    in clusters (Kish 1965).

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> table = votes(read([["a", "b", "a", "b"], ["a", "b", "a", "b"], ["a", "b", "b", "a"]]))
    >>> design_effect(table, table.shares).per_item
    3.0
    """
    n = votes.per_item
    per_item = float((n**2).sum() / n.sum())
    several = np.flatnonzero(np.diff(votes.item_start) > 1)
    if not len(several):
        return DesignEffect(math.nan, per_item, 0)
    confusion = drawn_together(answers_by_truth(votes, q))
    chosen = _some(votes, several)
    up, down = np.zeros(votes.n_items), np.zeros(votes.n_items)
    for k in range(q.shape[1]):
        items = chosen[q[chosen, k] > UNLIKELY]
        if len(items):
            excess, most = _pairs(votes, items, confusion[:, k])
            up[items] += q[items, k] * excess
            down[items] += q[items, k] * most
    total = float(down.sum())
    if not total > 0:
        return DesignEffect(math.nan, per_item, len(chosen))
    correlation = float(up.sum()) / total
    error = math.sqrt(float(((up - correlation * down) ** 2).sum())) / total
    return DesignEffect(correlation, per_item, len(chosen), error=error)


def drawn_together(counts: Floats) -> Floats:
    """(C, K, O) confusion of each coder, drawn to that of all.

    Parameters
    ----------
    counts : ndarray
        (C, K, O) annotations by what is true.
    """
    pooled = counts.sum(0) + 0.01
    pooled /= pooled.sum(-1, keepdims=True)
    found = counts + DRAWN * pooled
    return np.asarray(found / found.sum(-1, keepdims=True))


def _some(votes: Votes, items: Ints) -> Ints:
    """The items, or of very many some that do not depend on the order of rows."""
    total = int(np.diff(votes.item_start)[items].sum())
    step = -(-total * votes.n_answers // CELLS)
    if step <= 1:
        return items
    wanted = np.zeros(votes.n_items, bool)
    wanted[items] = True
    ordered = votes.order[wanted[votes.order]]
    return np.sort(ordered[::step])


def _pairs(votes: Votes, items: Ints, confusion: Floats) -> tuple[Floats, Floats]:
    """(n,) the products over pairs of annotations of each item, and their bound."""
    start = votes.item_start
    width = start[items + 1] - start[items]
    begin = np.cumsum(width) - width
    at = np.arange(int(width.sum())) - np.repeat(begin - start[items], width)
    p = confusion[votes.coder[at]]
    e = -p
    e[np.arange(len(at)), votes.label[at]] += 1
    var = p * (1 - p)

    def total(x: Floats) -> Floats:
        return np.asarray(np.add.reduceat(x, begin, axis=0))

    excess = (total(e) ** 2 - total(e * e)).sum(1)
    most = (total(np.sqrt(var)) ** 2 - total(var)).sum(1)
    return excess, most
