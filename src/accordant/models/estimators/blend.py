"""One posterior of labels: averaged over accounts of a coder, and over how far errors are shared.

No account of how coders err holds everywhere, and coders of an item stumble over the same things.
Neither can be read off annotations alone, so both are averaged over:

    p_i = Σ_a Σ_ρ w(a, ρ) softmax(L_ia / (1 + ρ (n_i - 1)^.65))

L_ia (I, K) is the log joint of account a, ρ what a neighbour repeats of an annotation. How far
errors of the coders of an item correlate beyond the estimated truth is seen too small, since that
truth goes where the coders go; so it is compared with what the fitted model shows where errors are
independent, and where they are not. Known labels weigh accounts and ρ by how probable each held
them before it was told. An account is a row of `ACCOUNTS`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import Any, NamedTuple, TypeAlias

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
from ..estimate import Average, Dependence, Estimate, shares_of
from ..model import model
from ..votes import UNKNOWN, Votes

RHO = np.r_[0.0, np.geomspace(0.02, 4, 16)]
NEIGHBOURS = 0.65  # n - 1 neighbours repeat less than n - 1 times as much as one does
INDEPENDENT = 0.75  # prior probability that nothing is repeated
CENTRE, SLOPE, SPREAD = -0.37, 0.40, 0.4
"""log ρ of a dependent crowd ~ Normal(CENTRE + SLOPE (log r + 3.5), SPREAD), as learned from
twenty-five public crowds with known labels; the benchmark learns both anew without the crowd that
it judges."""
LEAST_R = 0.01  # correlations below it are taken as this
SHARED = 0.3  # squared share of annotations that follow what the coders of an item have in common
DRAWS = 4  # annotations drawn anew, without and with that
SAMPLE = 2000  # items of which they are drawn
EXTENT = np.geomspace(0.005, 0.8, 20)  # the same squared share, where errors are dependent
LEAST_ERROR = 0.005  # of a comparison with so few draws
WEIGHTLESS = 1e-6  # cells of (a, ρ) below it do not enter
LEAST_HELD = 1e-3  # probability of a known label: no account is excluded by one
STRENGTHS = np.geomspace(0.5, 60, 16)  # annotations that the row of all coders may weigh
FEW = 9  # categories, as public crowds have: all annotations together fill the row of each
BORROWED = np.geomspace(0.5, 4000, 10)  # annotations that a row borrows where there are more
MOST_KNOWING = 20.0  # of them, for how many answers a coder knows
KNOWING = 0.6  # at the start
REFINED = 3  # times in a round
LEAST = 1e-4  # probability of an answer in the row of all coders; and of a count that matters
START = 0.01  # of a vote, for each category at first; less where there are very many
UNLIKELY = 1e-3  # beliefs below it do not enter correlations
CELLS = 500_000  # annotations x answers at a time, and that correlations look at


class Rows(NamedTuple):
    """Confusions from beliefs, before they are smoothed. P pairs of coder and answer.

    ``counts`` (P, K) of items where k is true, ``totals`` (C, K), the row of all coders ``pooled``
    (K, O), and the annotations that it weighs.
    """

    counts: Floats
    totals: Floats
    pooled: Floats
    weight: float


class Sums:
    """Annotations with the sparse sums that every account needs; N annotations."""

    def __init__(self, votes: Votes) -> None:
        from scipy.sparse import csr_array

        self.votes, k = votes, votes.n_categories
        cell = votes.coder.astype(np.int64) * k + votes.label
        cells, pair = np.unique(cell, return_inverse=True)
        self.pair: Ints = pair
        self.coder, self.answer = np.divmod(cells, k)
        shape = (votes.n_items, len(cells))
        self.by_pair = csr_array((votes.times, pair, votes.item_start), shape=shape)
        where, one = np.arange(len(cells)), np.ones(len(cells))
        self.of_coder = csr_array((one, (self.coder, where)), shape=(votes.n_coders, len(cells)))
        self.of_answer = csr_array((one, (self.answer, where)), shape=(k, len(cells)))
        guess = np.bincount(votes.label, votes.times, k) + 0.5
        self.guess: Floats = np.asarray(guess / guess.sum(), np.float64)

    @cached_property
    def blocks(self) -> list[tuple[slice, slice]]:
        """Items and their annotations, some at a time."""
        start, n = self.votes.item_start, self.votes.n_items
        most = max(CELLS // self.votes.n_categories, 1)
        edges = np.unique(np.searchsorted(start, np.arange(0, start[-1] + most, most)).clip(0, n))
        if edges[-1] < n:
            edges = np.r_[edges, n]
        pairs = zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
        return [(slice(a, b), slice(int(start[a]), int(start[b]))) for a, b in pairs]

    def by_item(self, x: Floats, items: slice, at: slice) -> Floats:
        """(n, K) sums of the annotations (m, K) of each item of a block."""
        from scipy.sparse import csr_array

        start = self.votes.item_start[items.start : items.stop + 1] - at.start
        summed = csr_array(
            (self.votes.times[at], np.arange(len(x)), start), (len(start) - 1, len(x))
        )
        return np.asarray(summed @ x)


# ------------------------------------------------------------------ accounts of a coder


Memory: TypeAlias = dict[str, Any]
Part: TypeAlias = Callable[[Sums, Floats, Memory], Floats]
"""(annotations, beliefs (I, K), what it remembers) → (I, K) log P(annotations | truth), where each
coder is judged by other items."""


def confusion(sums: Sums, q: Floats, memory: Memory) -> Floats:
    """A confusion matrix for each coder, drawn to that of all (Dirichlet, by its likelihood)."""
    votes, rows = sums.votes, _rows(sums, q)
    memory["rows"] = rows
    pooled, out = rows.weight * rows.pooled.T, np.empty_like(q)
    for items, at in sums.blocks:
        own = votes.times[at, None] * q[votes.item[at]]
        up = rows.counts[sums.pair[at]] - own
        np.maximum(up, 0, out=up)
        up += pooled[votes.label[at]]
        own = np.subtract(rows.totals[votes.coder[at]], own, out=own)
        up /= np.maximum(own, 0, out=own) + rows.weight
        out[items] = sums.by_item(np.log(up, out=up), items, at)
    return out


def knowing(sums: Sums, q: Floats, memory: Memory) -> Floats:
    """A coder knows the answer, or guesses by how frequent labels are."""
    return _knows_or_guesses(sums, q, memory, sums.guess)


def coin(sums: Sums, q: Floats, memory: Memory) -> Floats:
    """A coder knows the answer, or guesses any label alike."""
    return _knows_or_guesses(sums, q, memory, np.full(q.shape[1], 1 / q.shape[1]))


class Account(NamedTuple):
    """How coders may err: parts whose log-likelihoods are averaged, rounds, prior weight."""

    parts: tuple[Part, ...]
    rounds: int
    weight: float


ACCOUNTS = {
    "blend": Account((confusion, knowing), 10, 0.45),
    "confusions": Account((confusion,), 3, 0.45),
    "coin": Account((coin,), 10, 0.1),
}
"""Rounds are a part of the definition: with thirty, labels of a TREC crowd fall below its vote."""


def _rows(sums: Sums, q: Floats) -> Rows:
    k = q.shape[1]
    counts = np.asarray(sums.by_pair.T @ q)
    totals = np.asarray(sums.of_coder @ counts)
    pooled = np.asarray(sums.of_answer @ counts).T
    pooled = pooled + (_borrowed(pooled) if k > FEW else 0.5 * np.eye(k) + 0.5 / k)
    pooled = np.maximum(pooled / pooled.sum(1, keepdims=True), LEAST / max(1, k / 10))
    pooled /= pooled.sum(1, keepdims=True)
    return Rows(counts, totals, pooled, _weight(counts, totals, pooled.T[sums.answer]))


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

    @cache
    def fit(j: int) -> float:
        s = strengths[j]
        whole = len(total) * gammaln(s) - gammaln(s + total).sum()
        return float(whole + (gammaln(n + s * m) - gammaln(s * m)).sum())

    low, high = 0, len(strengths) - 1
    while low < high:  # it has one maximum: half of the strengths need not be tried
        j = (low + high) // 2
        low, high = (low, j) if fit(j) >= fit(j + 1) else (j + 1, high)
    return min(float(strengths[low]), most)


def _knows_or_guesses(sums: Sums, q: Floats, memory: Memory, guess: Floats) -> Floats:
    votes, times, coder = sums.votes, sums.votes.times, sums.votes.coder
    mine, given = guess[votes.label], votes.per_coder
    others, right = given[coder] - times, times * q[votes.item, votes.label]
    knows = memory.get("own")
    knows = np.full(len(coder), KNOWING) if knows is None else knows
    knew, room = np.empty_like(knows), 1 - mine
    for _ in range(REFINED):  # in place: of many annotations these are the largest things
        np.multiply(knows, room, out=knew)
        np.divide(knows, np.add(knew, mine, out=knew), out=knew)
        knew *= right
        total = np.bincount(coder, knew, votes.n_coders)
        mean = float(np.clip(total.sum() / max(given.sum(), 1), 0.05, 0.98))
        both = np.stack([total, given - total], 1)
        weight = _weight(both, given, np.broadcast_to([mean, 1 - mean], both.shape), MOST_KNOWING)
        np.subtract((total + weight * mean)[coder], knew, out=knows)
        knows /= others + weight
        np.clip(knows, 1e-3, 1 - 1e-3, out=knows)
    memory["own"], memory["knows"] = knows, (total + weight * mean) / (given + weight)
    guessed = np.log((1 - knows) * mine)
    more = votes.tally(times * (np.log(knows * room + mine) - guessed))
    return np.asarray(more + np.bincount(votes.item, times * guessed, votes.n_items)[:, None])


class Judged(NamedTuple):
    """An account at the end: log joint and beliefs (I, K), those before, what it remembers."""

    log_joint: Floats
    beliefs: Floats
    before: Floats
    memory: Memory


def judged(sums: Sums, account: Account, report: Callable[[int], None] | None = None) -> Judged:
    """Judge items and coders in turn, from the votes."""
    votes, k = sums.votes, sums.votes.n_categories
    q = votes.counts + min(START, 10 * START / k)
    q = with_known(votes, q / q.sum(1, keepdims=True))
    memory: Memory = {}
    for done in range(account.rounds):
        before = q
        evidence = sum(part(sums, q, memory) for part in account.parts) / len(account.parts)
        log_joint = np.log((items_by_truth(q) + 1 / k - q) / votes.n_items) + evidence
        q = with_known(votes, shares_of(log_joint))
        if report is not None:
            report(done + 1)
    return Judged(log_joint, q, before, memory)


# ------------------------------------------------------------------ how far errors are shared


def rho_weights(found: Dependence) -> Floats:
    """(R,) the posterior of `RHO` by what is seen of shared errors."""
    if math.isnan(found.correlation):
        return np.asarray(np.eye(1, len(RHO))[0])
    alone = INDEPENDENT * found.factor / (INDEPENDENT * found.factor + 1 - INDEPENDENT)
    centre = CENTRE + SLOPE * (math.log(max(found.correlation, LEAST_R)) + 3.5)
    spread = np.exp(-0.5 * ((np.log(RHO[1:]) - centre) / SPREAD) ** 2)
    return np.asarray(np.r_[alone, (1 - alone) * spread / spread.sum()])


def dependence(sums: Sums, found: Judged, seed: int) -> Dependence:
    """Measure how far errors are shared, beside what the fitted model shows if drawn anew."""
    votes = sums.votes
    if not (np.diff(votes.item_start) > 1).any() or votes.n_categories < 2:
        return Dependence(math.nan, math.nan, math.nan, 1.0)
    r, error = correlation(sums, found)
    blend = ACCOUNTS["blend"]
    some, own = sums, found
    if votes.n_items > SAMPLE:
        drawn = np.random.default_rng([seed, 2]).choice(votes.n_items, SAMPLE, replace=False)
        some = Sums(_only(votes, np.sort(votes.order[drawn])))
        own = judged(some, blend)
    here, its_error = correlation(some, own)

    def shown(share: float, draw: int) -> float:
        again = Sums(_redrawn(some, own, share, np.random.default_rng([seed, 3, draw])))
        return correlation(again, judged(again, blend))[0]

    shares = (0.0, math.sqrt(SHARED))
    seen = np.array([[shown(share, draw) for draw in range(DRAWS)] for share in shares])
    mean = seen.mean(1)
    between = float(((seen - mean[:, None]) ** 2).sum() / (2 * (DRAWS - 1)))
    variance = its_error**2 + between + LEAST_ERROR**2
    more = max(mean[1] - mean[0], 0) * np.sqrt(np.r_[0, EXTENT] / SHARED)
    away = (here - mean[0] - more) ** 2 / (2 * variance)
    like = np.exp(away.min() - away)
    return Dependence(r, error, float(mean[0]), float(like[0] / max(like[1:].mean(), LEAST)))


def _only(votes: Votes, items: Ints) -> Votes:
    """Some items (sorted positions) and their annotations, all coders; none is known."""
    part = votes.on(items)
    place = np.zeros(votes.n_items, np.int32)
    place[items] = np.arange(len(items))
    names = [votes.items[i] for i in items.tolist()]
    return replace(
        part, items=names, item=place[part.item], known=np.full(len(items), UNKNOWN, np.int32)
    )


def correlation(sums: Sums, found: Judged) -> tuple[float, float]:
    """How far errors of two coders of an item correlate, and the standard error by items.

    With e = (answer is o) - P(coder answers o | truth k), judged by other items,

        Σ_i Σ_k q_ik Σ_o Σ_{j≠j'} e_ij e_ij'  /  Σ_i Σ_k q_ik Σ_o Σ_{j≠j'} sd_j sd_j'

    as the design effect of samples in clusters (Kish 1965). Of very many items some are looked at.
    """
    votes, rows, q = sums.votes, found.memory["rows"], found.beliefs
    start = votes.item_start
    items = np.flatnonzero(np.diff(start) > 1)
    step = -(-int(np.diff(start)[items].sum()) * votes.n_categories // CELLS)
    if step > 1:
        items = np.sort(items[np.argsort(votes.place[items])][::step])
    up, down = np.zeros((2, votes.n_items))
    for k in range(votes.n_categories):
        chosen = items[q[items, k] > UNLIKELY]
        if not len(chosen):
            continue
        width = start[chosen + 1] - start[chosen]
        begin = np.cumsum(width) - width
        at = np.arange(int(width.sum())) - np.repeat(begin - start[chosen], width)
        here, label = np.arange(len(at)), votes.label[at]
        p = _answers(sums, rows, k)[votes.coder[at]]
        p[here, label] -= votes.times[at] * found.before[votes.item[at], k]
        p = np.maximum(p, 0)
        p /= p.sum(1, keepdims=True)
        sd = np.sqrt(p * (1 - p))
        e = -p
        e[here, label] += 1
        up[chosen] += q[chosen, k] * _over_pairs(e, begin)
        down[chosen] += q[chosen, k] * _over_pairs(sd, begin)
    total = max(float(down.sum()), 1e-12)
    r = float(up.sum()) / total
    return r, max(math.sqrt(float(((up - r * down) ** 2).sum())) / total, LEAST)


def _over_pairs(x: Floats, begin: Ints) -> Floats:
    """(n,) Σ over pairs of annotations (m, O) of an item of their products."""
    return np.asarray(
        (np.add.reduceat(x, begin, axis=0) ** 2 - np.add.reduceat(x * x, begin, axis=0)).sum(1)
    )


def _answers(sums: Sums, rows: Rows, k: int) -> Floats:
    """(C, O) expected counts of answers where k is true, drawn to those of all coders."""
    found = np.tile(rows.weight * rows.pooled[k], (sums.votes.n_coders, 1))
    found[sums.coder, sums.answer] += rows.counts[:, k]
    return found


def _redrawn(sums: Sums, found: Judged, share: float, rng: np.random.Generator) -> Votes:
    """The annotations drawn anew by a fitted model.

    A share of them follows a number that the coders of an item have in common, not one of their
    own. Numbers go to items by name, to coders and categories by what was found of them: no order
    and no name of theirs changes what is drawn.
    """
    votes, q = sums.votes, found.beliefs
    by_size = np.lexsort((np.arange(q.shape[1]), -q.sum(0).round(6)))
    rank = np.argsort(np.lexsort((np.arange(votes.n_coders), found.memory["knows"].round(9))))
    turn = np.lexsort(
        (np.argsort(by_size)[votes.label], rank[votes.coder], votes.place[votes.item])
    )
    u, follows, common, true = (np.empty(n) for n in (len(turn), len(turn), len(q), len(q)))
    common[votes.order], true[votes.order] = rng.random((2, len(q)))
    u[turn], follows[turn] = rng.random((2, len(turn)))
    truth = by_size[(true[:, None] > q[:, by_size].cumsum(1)).sum(1).clip(0, q.shape[1] - 1)]
    u = np.where(follows < share, common[votes.item], u)
    label = votes.label.copy()
    for k in np.unique(truth).tolist():
        at = np.flatnonzero(truth[votes.item] == k)
        cut = _answers(sums, found.memory["rows"], k)[:, by_size]
        cut = cut.cumsum(1) / cut.sum(1, keepdims=True)
        label[at] = by_size[(u[at, None] > cut[votes.coder[at]]).sum(1).clip(0, len(by_size) - 1)]
    return replace(votes, label=label, known=np.full(len(q), UNKNOWN, np.int32))


def worth(n: Floats, rho: float) -> Floats:
    """(I,) what an annotation counts on an item with n, if neighbours repeat rho of it.

    Examples
    --------
    >>> worth(np.array([1.0, 2.0]), 1.0).tolist()
    [1.0, 0.5]
    """
    return np.asarray(1 / (1 + rho * np.maximum(n - 1, 0) ** NEIGHBOURS))


# ------------------------------------------------------------------ the posterior


def average(votes: Votes, how: How) -> tuple[Average, Memory]:
    """The posterior of the labels, and what the first account remembers of coders."""
    rounds = sum(one.rounds for one in ACCOUNTS.values())
    known = np.flatnonzero(votes.known != UNKNOWN)
    telling = known if votes.drawn is None else known[votes.drawn[known]]
    free = replace(votes, known=np.full_like(votes.known, UNKNOWN)) if len(known) else votes
    sums, runs = Sums(free), 2 if len(known) else 1
    fits = _fits(sums, how, 0, runs * rounds)
    found = dependence(sums, fits[0], how.seed)
    weights = np.outer([one.weight for one in ACCOUNTS.values()], rho_weights(found))
    n = votes.per_item
    if len(known):
        held = _held(fits, votes.known[telling], telling, n[telling])
        weights = np.where(weights > 0, weights * np.exp(held - held[weights > 1e-9].max()), 0)
        weights /= weights.sum()
        sums = Sums(votes)
        fits = _fits(sums, how, rounds, runs * rounds)
    shape = (len(fits), votes.n_items, votes.n_categories)
    each, alone, share = np.zeros(shape), np.zeros(shape[1:]), weights.sum(1)
    for items, _ in sums.blocks:
        for a, one in enumerate(fits):
            joint = one.log_joint[items]
            alone[items] += share[a] * shares_of(joint)
            for rho, w in zip(RHO.tolist(), weights[a].tolist(), strict=True):
                if w > WEIGHTLESS * share[a]:
                    each[a, items] += w * shares_of(joint * worth(n[items], rho)[:, None])
    each /= np.maximum(each.sum(2, keepdims=True), 1e-300)
    each, alone = np.array([with_known(votes, x) for x in each]), with_known(votes, alone)
    counts = np.einsum("r,ri->i", weights.sum(0), np.array([worth(n, rho) for rho in RHO]))
    made = Average(tuple(ACCOUNTS), weights, each, alone, found, counts, len(telling))
    return made, fits[0].memory


def _fits(sums: Sums, how: How, before: int, of: int) -> list[Judged]:
    """Every account fitted; progress goes on from the rounds before."""
    found = []
    for account in ACCOUNTS.values():
        found.append(judged(sums, account, partial(_told, how, before, of)))
        before += account.rounds
    return found


def _told(how: How, before: int, of: int, done: int) -> None:
    if how.progress is not None:
        how.progress(before + done, of)


def _held(fits: list[Judged], codes: Ints, items: Ints, n: Floats) -> Floats:
    """(A, R) log probability of known labels (n,) by each account and value of `RHO`."""
    at = np.arange(len(items))
    return np.array(
        [
            [
                np.log(
                    np.maximum(
                        shares_of(fit.log_joint[items] * worth(n, rho)[:, None])[at, codes],
                        LEAST_HELD,
                    )
                ).sum()
                for rho in RHO.tolist()
            ]
            for fit in fits
        ]
    )


@model("Average over accounts of coders", "dawid1979", "hovy2013")
def blend(votes: Votes, how: How) -> Estimate:
    """How coders err is not assumed: several accounts of it, and how alike they err, are averaged.

    Parameters
    ----------
    votes : Votes
    how : How
        The seed is of the annotations that are drawn anew; nothing is restarted.

    Returns
    -------
    Estimate
        There is no objective: the number of rounds is part of the definition of an account.

    Notes
    -----
    From the votes on, beliefs and coders are judged in turn, coders of an item by all others. Three
    accounts: confusion matrices drawn to that of all coders and knowing or guessing by how frequent
    labels are, their log-likelihoods averaged; confusion matrices alone; knowing or guessing any
    label alike. Where there are more than nine categories, the row of all coders is drawn to one
    accuracy for all categories.
    """
    found, memory = average(votes, how)
    confusion = drawn_together(answers_by_truth(votes, found.alone))  # as right as `competence`
    prevalence = items_by_truth(found.alone)
    prevalence = prevalence / prevalence.sum()
    return Estimate(
        found.probabilities,
        prevalence,
        Confusions(confusion),
        competence_of(confusion, prevalence),
        Climb("none", (), converged=True),
        confusion,
        coder_parameters={"knows": memory["knows"]},
        average=found,
    )
