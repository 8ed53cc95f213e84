"""What is thought of coders before their annotations are seen, as annotations made up for them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from ..arrays import Floats
from .emission import rows_of

__all__ = [
    "AT_FIRST",
    "HEAVY",
    "WEAKEST",
    "Prior",
    "heavy",
    "learned",
    "strength_of",
]


HEAVY = 0.7  # of a made-up row, the share on the diagonal
AT_FIRST = 2.0  # annotations in a row before any strength is learned
WEAKEST, STRONGEST = 0.5, 5.0  # beyond, labels that are unsure make coders look alike
LONGEST = 2.0  # factor by which a strength changes in a round
LEAST = 1e-4  # annotations in all, below which they say nothing of a strength
NEAR = 1e-4  # how far ahead the bend of the likelihood is looked at


@dataclass(frozen=True, eq=False)
class Prior:
    """Dirichlet priors, given as annotations that are added to what was counted.

    Parameters
    ----------
    cells : ndarray
        (C, K, O), or (1, K, O) for the same in all coders: annotations added to each cell. The
        parameter of the Dirichlet density is 1 more.
    items : ndarray
        (K,) items added to each category.
    held : tuple of int
        Categories whose rows are not learned: they are `heavy` rows for every coder, whatever
        was counted.
    """

    cells: Floats
    items: Floats = field(default_factory=lambda: np.zeros(1))
    held: tuple[int, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is added: maximum likelihood."""
        return not self.cells.any() and not self.items.any()

    def holding(self, held: tuple[int, ...], strength: float = 0.0) -> Prior:
        """The same with rows that are not learned; ``strength`` annotations in each of them."""
        if not held:
            return self
        cells = self.cells.copy()
        cells[:, held] = strength * heavy(*cells.shape[1:])[list(held)]
        return replace(self, cells=cells, held=held)

    def rows(self, counts: Floats) -> Floats:
        """(C, K, O) confusion matrices: shares of what was counted and what is added."""
        found = rows_of(counts + self.cells)
        if self.held:
            found[:, self.held] = heavy(*found.shape[1:])[list(self.held)]
        return found

    def log_density(self, log_confusion: Floats, log_prevalence: Floats) -> float:
        """The log density at log probabilities (C, K, O) and (K,), up to a constant."""
        items = np.broadcast_to(self.items, log_prevalence.shape)
        if len(self.cells) == 1:  # the same for all coders: their logarithms are summed first
            log_confusion = np.einsum("cko->ko", log_confusion)[None]
        cells = np.broadcast_to(self.cells, log_confusion.shape)
        return float(np.vdot(cells, log_confusion) + np.vdot(items, log_prevalence))


def heavy(n_categories: int, n_answers: int) -> Floats:
    """(K, O) rows with a share of 0.7 on the diagonal, the rest on the other answers alike.

    The rule is the same for every K, so that a prior never outvotes a coder merely because there
    are many categories.

    Examples
    --------
    >>> heavy(2, 3).round(3).tolist()
    [[0.7, 0.15, 0.15], [0.15, 0.7, 0.15]]
    """
    off = (1 - HEAVY) / max(n_answers - 1, 1)
    row = np.full((n_categories, n_answers), off)
    np.fill_diagonal(row, HEAVY if n_answers > 1 else 1.0)
    return row


def learned(counts: Floats, strength: float) -> Floats:
    """(1, K, O) a row of ``strength`` annotations that fall as those of all coders together.

    One annotation by nobody is added to each row, most of it right, so that there is no exact
    zero, and a category of which nothing is known means what it is called.

    Parameters
    ----------
    counts : ndarray
        (C, K, O) expected annotations of each coder.
    strength : float
        Annotations in a row.
    """
    pooled = counts.sum(0) + heavy(*counts.shape[1:])
    return np.asarray(strength * pooled / pooled.sum(1, keepdims=True))[None]


def strength_of(counts: Floats, cells: Floats) -> float:
    """How alike the coders are: annotations in a row of the prior that explain them best.

    One step towards the maximum for the precision of a Dirichlet-multinomial whose mean is known
    (Minka 2000): of Newton, by the logarithm of the precision, where the likelihood is concave and
    the step not longer than a factor of `LONGEST`; otherwise Minka's fixed point. The fixed point
    alone creeps: it took thousands of rounds where labels are rare.

    Parameters
    ----------
    counts : ndarray
        (C, K, O) expected annotations of each coder.
    cells : ndarray
        (1, K, O) the prior so far, rows of equal sums.

    Returns
    -------
    float
        Between 0.5 and 5; the strength of ``cells`` where there are no annotations: their
        likelihood tends to 1 for every strength.

    Examples
    --------
    >>> alike = np.array([[[8.0, 2.0]], [[8.0, 2.0]]])
    >>> strength_of(alike, learned(alike, 2.0)) > 2 > strength_of(
    ...     np.array([[[9.0, 0.0]], [[0.0, 9.0]]]), learned(alike, 2.0)
    ... )
    True
    """
    from scipy.special import digamma

    strength = float(cells[0, 0].sum())
    if counts.sum() < LEAST:
        return strength
    mean, rows = cells / strength, counts.sum(2)

    def parts(s: float) -> tuple[float, float]:
        seen = np.einsum("cko->ko", digamma(counts + s * mean)) - len(counts) * digamma(s * mean)[0]
        total = digamma(rows + s).sum() - rows.size * digamma(s)
        return float(np.vdot(mean[0], seen)), float(total)

    seen, total = parts(strength)
    if total <= 0:
        return strength
    slope = strength * (seen - total)  # of the log-likelihood, by log strength
    ahead, ahead_total = parts(strength * (1 + NEAR))
    bend = (strength * (1 + NEAR) * (ahead - ahead_total) - slope) / math.log1p(NEAR)
    longest = math.log(LONGEST)
    step = -slope / bend if bend < 0 else math.inf
    if abs(step) > longest:
        step = math.copysign(longest, slope) if bend < 0 else math.log(seen / total)
    return float(np.clip(strength * math.exp(step), WEAKEST, STRONGEST))
