"""Two accounts of a coder, averaged: a confusion matrix, and knowing the answer or guessing."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from ...arrays import Floats, Ints
from ..em import Climb, How
from ..emission import (
    Confusions,
    answers_by_truth,
    competence_of,
    drawn_together,
    items_by_truth,
    with_known,
)
from ..estimate import Estimate, shares_of
from ..model import model
from ..votes import Votes

ROUNDS = 10  # with 30, the labels of the TREC 2011 crowd fall below its majority vote
STRENGTHS = np.geomspace(0.5, 60, 16)  # annotations that the row of all coders may weigh
FEW = 9  # categories, as public crowds have: all annotations together fill the row of each
BORROWED = np.geomspace(0.5, 4000, 10)  # annotations that a row borrows where there are more
MOST_KNOWING = 20.0  # of them, for how many answers a coder knows
KNOWING = 0.6  # at the start
REFINED = 3  # times in a round
AGAIN = 3  # rounds that go on from the beliefs of another model: more change little
LEAST = 1e-4  # probability of an answer in the row of all coders; and of a count that matters
START = 0.01  # of a vote, for each category at first; less where there are very many


_KEPT: WeakKeyDictionary[Votes, Judged] = WeakKeyDictionary()
"""As long as the votes live: fit and dependence of a crowd rest on the same accounts."""


@dataclass(frozen=True, eq=False)
class Judged:
    """Both accounts at the end, and what they say of each item. P pairs of coder and answer.

    Parameters
    ----------
    beliefs, before : ndarray
        (I, K) of the last round, and what its accounts were made from.
    log_joint : ndarray
        (I, K) log P(category and annotations of the item), coders judged by their other items.
    pair : ndarray of int
        (N,) which pair each annotation is.
    counts : ndarray
        (P, K) expected number of items where k is true and the coder gave the answer.
    totals : ndarray
        (C, K) expected number of items where k is true.
    pooled : ndarray
        (K, O) the row of all coders.
    weight : float
        How many annotations it is worth to a coder.
    knows : ndarray
        (C,) how often a coder knows the answer.
    guess : ndarray
        (O,) what all guess otherwise.
    """

    beliefs: Floats
    before: Floats
    log_joint: Floats
    pair: Ints
    counts: Floats
    totals: Floats
    pooled: Floats
    weight: float
    knows: Floats
    guess: Floats


@model(
    "Blend of two accounts",
    "dawid1979",
    "hovy2013",
    right_of_certain=(0.958, 0.788),
)
def blend(votes: Votes, how: How) -> Estimate:
    """A coder has a confusion matrix, or knows or guesses: both accounts count, on average.

    Parameters
    ----------
    votes : Votes
    how : How
        Nothing is drawn and nothing restarted.

    Returns
    -------
    Estimate
        There is no objective: the number of rounds, ten, is part of the definition.

    Notes
    -----
    From the votes on, beliefs and coders are judged in turn. Of an item, a coder is judged by all
    others. The log-likelihoods of two accounts are averaged: a confusion matrix drawn to that of
    all coders (Dirichlet-multinomial, its strength by maximum likelihood), and a coder who knows
    the answer with some probability and otherwise guesses by how frequent labels are. Each errs
    where the other holds: confusions where a coder gave few labels, knowing where errors have a
    direction. Where there are more than nine categories, the row of all coders is drawn to one
    accuracy for all categories in the same way. Stopping early keeps both from agreeing on an
    error of many.
    """
    found = judged(votes, how)
    confusion = drawn_together(answers_by_truth(votes, found.beliefs))  # as right as `competence`
    prevalence = items_by_truth(found.beliefs)
    prevalence = prevalence / prevalence.sum()
    return Estimate(
        found.beliefs,
        prevalence,
        _emission(votes, found),
        competence_of(confusion, prevalence),
        Climb("none", (), converged=True),
        confusion,
        coder_parameters={"knows": found.knows},
        log_joint=found.log_joint,
    )


def judged(votes: Votes, how: How | None = None) -> Judged:
    """Judge items and coders in turn; see `blend`. ``how`` is for its progress."""
    if votes in _KEPT:
        return _KEPT[votes]
    k = votes.n_categories
    q = votes.counts + min(START, 10 * START / k)
    q = with_known(votes, q / q.sum(1, keepdims=True))
    cell, pair = _pairs(votes)
    knows = np.full(len(votes.item), KNOWING)
    for done in range(1, ROUNDS + 1):
        before = q
        own = q[votes.item]
        rows = _rows(votes, own, cell, pair)
        knowing, knows, of_coder, guess = _knowing(votes, own, knows)
        evidence = _by_item(votes, (_confusing(votes, own, pair, *rows) + knowing) / 2)
        log_joint = _others_share(votes, q) + evidence
        q = with_known(votes, shares_of(log_joint))
        if how is not None and how.progress is not None:
            how.progress(done, ROUNDS)
    found = Judged(q, before, log_joint, pair, *rows, of_coder, guess)
    _KEPT[votes] = found
    return found


def judged_by(votes: Votes, q: Floats) -> Judged:
    """The account of confusions that follows from the beliefs (I, K) of another model.

    There is no second account: nobody knows more than the confusions say.
    """
    cell, pair = _pairs(votes)
    rows = _rows(votes, q[votes.item], cell, pair)
    return Judged(q, q, q, pair, *rows, np.zeros(votes.n_coders), np.zeros(votes.n_categories))


def held_out(votes: Votes, q: Floats) -> Floats:
    """(I, K) log P(category and annotations of the item), coders judged by their other items.

    The beliefs (I, K) of another model are where it starts. One that has found a coder good because
    the labels follow that coder is sure of both, and less so after this.
    """
    cell, pair = _pairs(votes)
    for _ in range(AGAIN):
        own = q[votes.item]
        evidence = _confusing(votes, own, pair, *_rows(votes, own, cell, pair))
        log_joint = _others_share(votes, q) + _by_item(votes, evidence)
        q = with_known(votes, shares_of(log_joint))
    return log_joint


def _others_share(votes: Votes, q: Floats) -> Floats:
    """(I, K) log share of each category among the other items."""
    return np.asarray(np.log((items_by_truth(q) + 1 / q.shape[1] - q) / votes.n_items))


def _pairs(votes: Votes) -> tuple[Ints, Ints]:
    """(P,) pairs of coder and answer, as numbers, and which of them each annotation is (N,)."""
    cell, pair = np.unique(
        votes.coder.astype(np.int64) * votes.n_categories + votes.label, return_inverse=True
    )
    return cell, pair


def _rows(
    votes: Votes, own: Floats, cell: Ints, pair: Ints
) -> tuple[Floats, Floats, Floats, float]:
    """Counts (P, K) of the answers that coders gave, totals (C, K), the row of all, its weight."""
    from scipy.sparse import csr_array

    k, o = own.shape[1], votes.n_categories
    n = np.arange(len(pair))
    of_pair = csr_array((votes.times, (pair, n)), shape=(len(cell), len(n)))
    counts = np.asarray(of_pair @ own)
    coder, answer = np.divmod(cell, o)
    of_coder = csr_array(
        (np.ones(len(cell)), (coder, np.arange(len(cell)))), shape=(votes.n_coders, len(cell))
    )
    of_answer = csr_array(
        (np.ones(len(cell)), (answer, np.arange(len(cell)))), shape=(o, len(cell))
    )
    totals = np.asarray(of_coder @ counts)
    pooled = np.asarray(of_answer @ counts).T
    pooled = pooled + (_borrowed(pooled) if k > FEW else 0.5 * np.eye(k, o) + 0.5 / o)
    pooled = np.maximum(pooled / pooled.sum(1, keepdims=True), LEAST / max(1, o / 10))
    pooled /= pooled.sum(1, keepdims=True)
    return counts, totals, pooled, _weight(counts, totals, pooled.T[answer])


def _borrowed(counts: Floats) -> Floats:
    """(K, O) annotations that the row of each category borrows from those of all.

    As if all were equally hard and errors fell on labels as frequent as these are. Of many
    categories a row rests on so few items that it would repeat what their coders said.
    """
    right = np.trace(counts) / counts.sum()
    mean = np.repeat(counts.sum(0)[None] + 0.5, len(counts), 0)
    np.fill_diagonal(mean, 0)
    mean *= (1 - right) / mean.sum(1, keepdims=True)
    np.fill_diagonal(mean, right)
    return mean * _weight(counts, counts.sum(1), mean, strengths=BORROWED)


def _weight(
    counts: Floats,
    totals: Floats,
    mean: Floats,
    most: float = np.inf,
    strengths: Floats = STRENGTHS,
) -> float:
    """The strength of a Dirichlet prior around means that makes counts most likely."""
    from scipy.special import gammaln

    some = counts > LEAST
    n, m, total = counts[some], mean[some], totals[totals > LEAST]
    fit = [
        len(total) * gammaln(s)
        - gammaln(s + total).sum()
        + (gammaln(n + s * m) - gammaln(s * m)).sum()
        for s in strengths
    ]
    return min(float(strengths[int(np.argmax(fit))]), most)


def _confusing(
    votes: Votes,
    own: Floats,
    pair: Ints,
    counts: Floats,
    totals: Floats,
    pooled: Floats,
    weight: float,
) -> Floats:
    """(N, K) log P(annotation | truth) by confusions, the item itself left out."""
    left_out = votes.times[:, None] * own
    up = np.maximum(counts[pair] - left_out, 0) + weight * pooled.T[votes.label]
    up /= np.maximum(totals[votes.coder] - left_out, 0) + weight
    return np.asarray(np.log(up, out=up))


def _knowing(votes: Votes, own: Floats, knows: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """(N, K) the same where a coder knows or guesses; how often (N,) and (C,); the guesses."""
    n, times = votes.n_coders, votes.times
    guess = np.bincount(votes.label, times, votes.n_categories) + 0.5
    guess /= guess.sum()
    mine = guess[votes.label]
    at = np.arange(len(mine))
    right = own[at, votes.label]
    given = votes.per_coder
    for _ in range(REFINED):
        knew = times * right * knows / (knows + (1 - knows) * mine)
        total = np.bincount(votes.coder, knew, n)
        mean = float(np.clip(total.sum() / max(given.sum(), 1), 0.05, 0.98))
        both = np.stack([total, given - total], 1)
        weight = _weight(both, given, np.broadcast_to([mean, 1 - mean], both.shape), MOST_KNOWING)
        knows = (total[votes.coder] - knew + weight * mean) / (given[votes.coder] - times + weight)
    logs = np.repeat(np.log((1 - knows) * mine)[:, None], own.shape[1], 1)
    known = np.log(knows + (1 - knows) * mine)
    logs[at, votes.label] = known
    of_coder = np.asarray((total + weight * mean) / (given + weight), np.float64)
    return logs, knows, of_coder, np.asarray(guess, np.float64)


def _by_item(votes: Votes, x: Floats) -> Floats:
    """(I, K) sums of the annotations (N, K) of each item."""
    from scipy.sparse import csr_array

    n = len(votes.item)
    table = csr_array((votes.times, np.arange(n), votes.item_start), shape=(votes.n_items, n))
    return np.asarray(table @ x)


def _emission(votes: Votes, found: Judged) -> Confusions:
    """The geometric mean of both accounts, as probabilities."""
    c, k, o = votes.n_coders, votes.n_categories, votes.n_categories
    out = np.empty((c, k, o))
    out[:] = found.weight * found.pooled
    first = np.unique(found.pair, return_index=True)[1]
    out[votes.coder[first], :, votes.label[first]] += found.counts
    out /= (found.totals + found.weight)[:, :, None]
    out /= out.sum(2, keepdims=True)
    a = found.knows[:, None, None]
    both = np.sqrt(out * ((1 - a) * found.guess + a * np.eye(k, o)))
    return Confusions(np.asarray(both / both.sum(2, keepdims=True)))
