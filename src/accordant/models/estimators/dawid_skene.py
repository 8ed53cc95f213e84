"""Dawid & Skene (1979): a confusion matrix for each coder, or one number, found by EM."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...arrays import Floats
from ...errors import RequestError
from ..em import STILL, How, Iteration, climb, moved
from ..emission import (
    Confusions,
    OneCoin,
    answers_by_truth,
    competence_of,
    items_by_truth,
    logs,
    rows_of,
)
from ..estimate import Estimate, believed
from ..model import model, preset
from ..solutions import anchor, best_of, part_of, repurposed
from ..votes import Votes

ENOUGH = 1e-5  # annotations of a cell that a round of learning the prior still moves


@model(
    "Dawid–Skene",
    "dawid1979",
    aliases=("ds",),
)
def dawid_skene(votes: Votes, how: How, *, prior: str | float = "none") -> Estimate:
    """Each coder has a confusion matrix, the same for every item; errors are independent.

    Parameters
    ----------
    votes : Votes
    how : How
    prior : 'none', 'pooled' or float
        What is added to the counts of each coder. 'none': nothing (maximum likelihood; exact
        zeros stay). A number: as many annotations in each cell, and items in each category, such
        as 0.01 (Passonneau & Carpenter 2014). 'pooled': some annotations in each row that fall as
        those of all coders together, as many as the coders are alike.

    Returns
    -------
    Estimate
        The objective is the log-likelihood, with a prior the log posterior up to a constant.

    Notes
    -----
    EM as in Dawid & Skene (1979, eq. 2.3–2.5). A prior of 1 in each cell adds K annotations to
    each row and outvotes coders who gave few. The prior 'pooled' is learned first and then stays
    as it is, so that the objective never falls. It is worth 0.5 to 5 annotations in a row: more
    makes coders alike who are not.

    With a prior, a category that the solution from the votes uses for something else than coders
    do is held to its label: its rows are assumed, 7 of 10 right. Not so by maximum likelihood, nor
    with a number as prior and no restarts: that is the procedure of the papers, and the finding
    ``repurposed_category`` tells where it has led.
    """
    given = _given(votes, prior)
    how = _never_back(how)

    def holding(held: tuple[int, ...]) -> Prior:
        return (_learned(votes, how, held) if given is None else given).holding(held)

    free = given is not None and (how.restarts == 0 or given.empty)
    made, first = _from_votes(votes, how, holding, free=free)
    return best_of(votes, how, lambda start, how: _climbed(votes, start, how, made), first=first)


def _from_votes(
    votes: Votes, how: How, holding: Callable[[tuple[int, ...]], Prior], *, free: bool
) -> tuple[Prior, Estimate]:
    """The prior, which holds some categories to their labels, and the solution from the votes.

    These are the ones that the model uses for something else if it is left to itself. A ``free``
    model is: it was asked for what others published, and a finding tells of it.
    """
    held: tuple[int, ...] = ()
    while True:
        prior = holding(held)
        first = _climbed(votes, anchor(votes), part_of(how, 0), prior)
        lost = [] if free else [one.category for one in repurposed(votes, first.probabilities)]
        if set(lost) <= set(held):
            return prior, first
        held = tuple(sorted({*held, *lost}))


def _never_back(how: How) -> How:
    """Progress that stands still where something is done once more."""
    report, most = how.progress, 0
    if report is None:
        return how

    def told(done: int, total: int) -> None:
        nonlocal most
        most = max(most, done)
        report(most, total)

    return replace(how, progress=told)


def _given(votes: Votes, prior: str | float) -> Prior | None:
    """The prior that was asked for; None if it is to be learned."""
    if prior == "pooled":
        return None
    number = 0.0 if prior == "none" else prior
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number < np.inf:
        raise RequestError(
            f"'none', 'pooled' or a number of annotations from 0 up, not {prior!r}",
            parameter="prior",
        )
    k = votes.n_categories
    return Prior(np.full((1, k, k), float(number)), np.full(k, float(number)))


def _one(votes: Votes) -> Floats:
    """(K,) one item, a part of it in each category: none is impossible."""
    return np.full(votes.n_categories, 1 / votes.n_categories)


def _maximised(counts: Floats, q: Floats, prior: Prior) -> tuple[Confusions, Floats]:
    """The M step: confusion matrices and prevalence (K,)."""
    prevalence = items_by_truth(q) + prior.items
    return Confusions(prior.rows(counts)), prevalence / prevalence.sum()


def _learned(votes: Votes, how: How, held: tuple[int, ...]) -> Prior:
    """The prior of all coders together: it and the labels are learned from each other.

    Rounds go on until both stand still, or the prior alone: a few items in doubt, which the climb
    settles, do not move it. All starts then share it, so that they can be compared.
    """
    q, old, items = anchor(votes), np.zeros(1), _one(votes)
    free = np.setdiff1d(np.arange(votes.n_categories), held)
    cells = learned(answers_by_truth(votes, q), AT_FIRST)
    for _ in range(how.max_iterations):
        counts = answers_by_truth(votes, q)
        cells = learned(counts, strength_of(counts[:, free], cells[:, free]))
        emission, prevalence = _maximised(counts, q, Prior(cells, items).holding(held))
        new, _ = believed(votes, prevalence, emission.log_likelihood(votes), overwrite=True)
        change = moved(cells, old)
        still = change < ENOUGH or (change < STILL and moved(new, q) < STILL)
        q, old = new, cells
        if how.progress is not None:
            how.progress(0, how.max_iterations * (how.restarts + 1))
        if still:
            break
    return Prior(cells, items)


def _climbed(votes: Votes, start: Floats, how: How, prior: Prior) -> Estimate:
    """EM under a prior that stays."""

    def step(q: Floats) -> Iteration:
        emission, prevalence = _maximised(answers_by_truth(votes, q), q, prior)
        new, value = believed(votes, prevalence, emission.log_likelihood(votes), overwrite=True)
        if not prior.empty:
            value += prior.log_density(emission.logs, logs(prevalence))
        return Iteration(new, value)

    kind: Any = "log-likelihood" if prior.empty else "log posterior"
    q, run = climb(step, start, how, kind, strides=True)
    emission, prevalence = _maximised(answers_by_truth(votes, q), q, prior)
    confusion = emission.probabilities
    competence = competence_of(confusion, prevalence)
    return Estimate(q, prevalence, emission, competence, run, confusion)


preset(
    "pooled",
    "Dawid–Skene, pooled",
    dawid_skene,
    "dawid1979",
    "paun2018",
    options={"prior": "pooled"},
    says="Each coder has a confusion matrix, shrunk towards that of all coders by a few "
    "annotations.",
)
preset(
    "map",
    "Dawid–Skene, smoothed",
    dawid_skene,
    "dawid1979",
    "passonneau2014",
    options={"prior": 0.01},
    says="Each coder has a confusion matrix, with a hundredth of an annotation added to each cell.",
)


MATRICES = 30  # categories; up to here products with whole matrices are the fastest


@model(
    "One coin",
    "dawid1979",
    "demartini2012",
    aliases=("zencrowd",),
)
def one_coin(votes: Votes, how: How) -> Estimate:
    """Each coder is right with one probability, whatever is true; errors fall on any category.

    Parameters
    ----------
    votes : Votes
    how : How

    Returns
    -------
    Estimate
        By maximum likelihood. Its confusion matrices have equal diagonals, and equal cells beside
        them.

    Notes
    -----
    Dawid & Skene's model with K (K − 1) parameters of a coder made 1. It fits where coders give
    few annotations, or where no category is easier to miss than another; ZenCrowd (Demartini et
    al. 2012) is its relative. EM; the M step is a count of expected right annotations.
    """
    k = votes.n_categories
    n = votes.per_coder

    def maximised(q: Floats) -> tuple[Floats, Floats]:
        right = _right(votes, q)
        accuracy = rows_of(np.stack([right, n - right], -1))[:, 0]
        prevalence = items_by_truth(q)
        return accuracy, prevalence / prevalence.sum()

    def step(q: Floats) -> Iteration:
        accuracy, prevalence = maximised(q)
        one = _matrices(accuracy, k) if k <= MATRICES else _emission(accuracy, k)
        new, value = believed(votes, prevalence, one.log_likelihood(votes), overwrite=True)
        return Iteration(new, value)

    def run(start: Floats, how: How) -> Estimate:
        q, found = climb(step, start, how, strides=True)
        accuracy, prevalence = maximised(q)
        one = _emission(accuracy, k)
        table = _matrices(accuracy, k).probabilities
        return Estimate(q, prevalence, one, accuracy, found, table)

    return best_of(votes, how, run)


def _emission(accuracy: Floats, n_categories: int) -> OneCoin:
    return OneCoin(lambda item, coder: accuracy[coder], n_categories)


def _matrices(accuracy: Floats, n_categories: int) -> Confusions:
    """The same as confusion matrices."""
    coders = np.arange(len(accuracy))
    return Confusions(_emission(accuracy, n_categories).table(coders, coders))


def _right(votes: Votes, q: Floats) -> Floats:
    """(C,) expected number of right annotations."""
    if votes.n_categories > MATRICES:
        right = votes.times * q[votes.item, votes.label]
        return np.asarray(np.bincount(votes.coder, right, votes.n_coders))
    return np.asarray(np.einsum("ckk->c", answers_by_truth(votes, q)))


# ------------------------------------------------------------------ priors


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
