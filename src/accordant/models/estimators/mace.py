"""MACE (Hovy et al. 2013): a coder knows the answer, or spams."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...arrays import Floats, Ints
from ..em import Climb, How, Iteration, Objective, climb
from ..emission import divergence, expected_logs, rows_of
from ..estimate import Estimate, believed
from ..model import model, one_of
from ..solutions import best_of, starts
from ..votes import Votes

METHODS = ("vb", "em")
PREVALENCES = ("uniform", "learned")
MOST_CELLS = 20_000_000  # of confusion matrices; more than 160 MB is nothing to look at


@dataclass(frozen=True, eq=False)
class Spamming:
    """With a certain probability the true label, else one from the coder's own distribution.

    Parameters
    ----------
    knows : ndarray
        (C,) probability that the coder knows; under a distribution of it, its mean.
    strategy : ndarray
        (C, K) distribution of answers of a coder who does not; its mean.
    log_knows, log_spams, log_strategy : ndarray
        (C,), (C,) and (C, K): the expected logarithms, which beliefs about items rest on. Of
        parameters that are one number these are the logarithms of `knows`, 1 − `knows` and
        `strategy`.
    n_categories : int
    """

    knows: Floats
    strategy: Floats
    log_knows: Floats
    log_spams: Floats
    log_strategy: Floats
    n_categories: int

    @cached_property
    def log_guess(self) -> Floats:
        """(C, O) of spamming with this answer."""
        return self.log_spams[:, None] + self.log_strategy

    @cached_property
    def log_either(self) -> Floats:
        """(C, O) of this answer where it is true: known, or spammed."""
        return np.logaddexp(self.log_guess, self.log_knows[:, None])

    @property
    def gain(self) -> Floats:
        """(C, O) how much more probable this answer is where it is true, as a logarithm."""
        return np.asarray(self.log_either - self.log_guess)

    @property
    def known(self) -> Floats:
        """(C, O) probability that this answer was known if it is true."""
        return np.asarray(np.exp(self.log_knows[:, None] - self.log_either))

    def confusion(self) -> Floats:
        """(C, K, O)."""
        return self.table(np.empty(0, int), np.arange(len(self.knows)))

    def table(self, item: Ints, coder: Ints) -> Floats:
        """(n, K, O); the item does not matter."""
        spam = (1 - self.knows[coder])[:, None] * self.strategy[coder]
        found = np.repeat(spam[:, None, :], self.n_categories, axis=1)
        k = np.arange(self.n_categories)
        found[:, k, k] += self.knows[coder][:, None]
        return found

    def log_likelihood(self, votes: Votes) -> Floats:
        """(I, K) by two sums over annotations, without a table of N x K."""
        more = votes.tally(votes.times * self.gain[votes.coder, votes.label])
        guess = votes.times * self.log_guess[votes.coder, votes.label]
        base = np.bincount(votes.item, guess, votes.n_items)
        return np.asarray(more + base[:, None])


@model("MACE", "hovy2013")
def mace(votes: Votes, how: How, *, method: str = "vb", prevalence: str = "uniform") -> Estimate:
    """A coder knows the right label with some probability, and otherwise guesses in their own way.

    Parameters
    ----------
    votes : Votes
        Control items (``known``) keep their category, and competence is learned from them.
    how : How
        With ``restarts``, further starts in which each annotation is known or spammed by chance.
    method : {'vb', 'em'}
        Variational Bayes with the priors of the authors (0.5 annotations that a coder knew and
        0.5 that were spammed, 10 of each answer among the spam), or maximum a posteriori by EM,
        which adds .01 / K to every count.
    prevalence : {'uniform', 'learned'}
        All categories are equally frequent (Hovy et al. 2013), or as frequent as the annotations
        make them. Where one category is much more frequent than others, 'uniform' overrules
        majorities that are right.

    Returns
    -------
    Estimate
        ``coder_parameters`` are ``competence`` (C,), the probability that the coder knows, for 'vb'
        exp E log as MACE prints it, and ``strategy`` (C, O), the distribution of the coder's spam.
        ``competence`` of the estimate is the probability of being right, by spam or by knowledge.

    Raises
    ------
    RequestError
        If an option is none of those above.

    Notes
    -----
    The objective is the log posterior for 'em', for 'vb' the lower bound of the evidence, which is
    lower than what MACE prints by the divergence of the coders' distributions from their priors.

    Examples
    --------
    >>> import accordant as ac
    >>> rows = [["a", "b", "a", "b", "a", "b"]] * 3 + [["a", "a", "a", "a", "a", "a"]]
    >>> found = ac.fit(rows, "mace")
    >>> found.labels
    ['a', 'b', 'a', 'b', 'a', 'b']
    >>> found.estimate.coder_parameters["competence"].round(2).tolist()
    [0.91, 0.91, 0.91, 0.06]
    """
    one_of(METHODS, method=method)
    one_of(PREVALENCES, prevalence=prevalence)
    smoothing = 0.01 / votes.n_categories
    prior = _Prior(False, np.full(2, smoothing), smoothing)
    if method == "vb":
        prior = _Prior(True, np.array([0.5, 0.5]), 10.0)
    fitted = _Fit(votes, prior, prevalence == "learned")

    def run(start: Floats, how: How) -> Estimate:
        objective: Objective = "lower bound" if prior.variational else "log posterior"
        state, climbed = climb(fitted.step, fitted.start(start), how, objective, strides=True)
        return _estimate(fitted, state, climbed)

    return best_of(votes, how, run, _starts)


@dataclass(frozen=True, eq=False)
class _Prior:
    """What is thought of coders before they are seen, as counts: (2,) known and spammed, style."""

    variational: bool
    both: Floats
    style: float

    def coders(self, knew: Floats, spam: Floats, n_categories: int) -> tuple[Spamming, float]:
        """The coders after (C,) known and (C, O) spammed annotations, and what that costs.

        By 'vb' they are Beta and Dirichlet distributions with these counts, by 'em' their shares.
        """
        both, styles = np.stack([knew, spam.sum(1)], 1) + self.both, spam + self.style
        shares, strategy = rows_of(both), rows_of(styles)
        if self.variational:
            logs, log_strategy = expected_logs(both), expected_logs(styles)
            before = np.broadcast_to(self.both, both.shape), np.full(spam.shape, self.style)
            cost = divergence(both, before[0], logs) + divergence(styles, before[1], log_strategy)
        else:
            logs, log_strategy = np.log(shares), np.log(strategy)
            cost = -self.style * float(logs.sum() + log_strategy.sum())
        found = Spamming(shares[:, 0], strategy, logs[:, 0], logs[:, 1], log_strategy, n_categories)
        return found, cost


class _Fit:
    """The votes laid out for MACE: a sum for each item and label, a sum for each coder and answer.

    A state is (C + 1, 1 + O): for each coder the shares of annotations that were known, and that
    were spammed with each answer; in the last row the prevalence.
    """

    def __init__(self, votes: Votes, prior: _Prior, learned: bool) -> None:
        self.votes, self.prior, self.learned = votes, prior, learned
        self.shape = votes.n_coders, votes.n_categories
        self.given = votes.answers(votes.times)

    @cached_property
    def sides(self) -> Any:
        """(I * K, C * O) sparse: how often the coder said of the item what is true if k is."""
        from scipy.sparse import csr_array

        votes = self.votes
        row = votes.item.astype(np.int64) * votes.n_categories + votes.label
        shape = votes.n_items * votes.n_categories, votes.n_coders * votes.n_categories
        answer = votes.coder.astype(np.int64) * votes.n_categories + votes.label
        return csr_array((votes.times, (row, answer)), shape=shape)

    def start(self, start: Floats) -> Floats:
        """The state in which each annotation was known with a probability (N,).

        Beliefs (I, K) are as good: it was known as far as they agree with it.
        """
        votes = self.votes
        knew = start if start.ndim == 1 else start[votes.item, votes.label]
        even = np.full(votes.n_categories, 1 / votes.n_categories)
        return self._state(votes.answers(votes.times * knew), even)

    def _state(self, known: Floats, prevalence: Floats) -> Floats:
        state = np.zeros((self.shape[0] + 1, self.shape[1] + 1))
        state[:-1, 0] = known.sum(1)
        state[:-1, 1:] = self.given - known
        total = self.given.sum(1, keepdims=True)
        state[:-1] /= np.where(total > 0, total, 1)
        state[:-1, 0] += total[:, 0] == 0  # a coder without annotations: any shares will do
        state[-1, : len(prevalence)] = prevalence
        return state

    def coders(self, state: Floats) -> tuple[Spamming, float]:
        """The coders of a state, and what they cost under the prior."""
        counts = state[:-1] * self.given.sum(1, keepdims=True)
        return self.prior.coders(counts[:, 0], counts[:, 1:], self.votes.n_categories)

    def prevalence(self, state: Floats) -> Floats:
        """(K,) of a state."""
        return state[-1, : self.votes.n_categories]

    def beliefs(self, state: Floats) -> tuple[Floats, float, Spamming]:
        """(I, K) probabilities, the objective, and the coders that led to them."""
        coders, cost = self.coders(state)
        table = np.asarray(self.sides @ coders.gain.ravel()).reshape(self.votes.n_items, -1)
        q, value = believed(self.votes, self.prevalence(state), table)
        return q, value + float((self.given * coders.log_guess).sum()) - cost, coders

    def step(self, state: Floats) -> Iteration:
        """One iteration."""
        q, value, coders = self.beliefs(state)
        true = np.asarray(self.sides.T @ q.ravel()).reshape(self.shape)
        prevalence = q.mean(0) if self.learned else self.prevalence(state)
        return Iteration(self._state(true * coders.known, prevalence), value)


def _starts(votes: Votes, how: How) -> Iterator[Floats]:
    """Starts by lot (N,), in turn with starts near the votes (I, K).

    The former differ in who spams, the latter in what is true. Some data have solutions that only
    one kind finds.
    """
    near = starts(votes, how)
    lots = _lots(votes, how)
    for k in range(how.restarts):
        yield next(near if k % 2 else lots)


def _lots(votes: Votes, how: How) -> Iterator[Floats]:
    """Starts (N,) in which each annotation was known with a probability drawn at random.

    What is drawn belongs to an item and a coder, in the order of their names.
    """
    cell = votes.place[votes.item] * votes.n_coders + votes.coder
    pair, group = np.unique(cell, return_inverse=True)
    for k in range(how.restarts):
        yield how.generator(1, k).random(len(pair))[group]


def _estimate(fitted: _Fit, state: Floats, run: Climb) -> Estimate:
    """What a state says of items and coders."""
    votes = fitted.votes
    q, _, coders = fitted.beliefs(state)
    n_categories = votes.n_categories
    prevalence = q.mean(0)
    guess = coders.strategy @ prevalence
    competence = guess + (1 - guess) * coders.knows
    cells = votes.n_coders * n_categories**2
    return Estimate(
        q,
        prevalence,
        coders,
        competence,
        run,
        coders.confusion() if cells <= MOST_CELLS else None,
        coder_parameters={"competence": np.exp(coders.log_knows), "strategy": coders.strategy},
        prior=fitted.prevalence(state),
    )
