"""How coders err on items with one reading, hard ones too, and how many items have more than one.

The ease e of an item multiplies the log odds of being right, counted from guessing:
logit r(e) = logit 1/K + e (logit r − logit 1/K). So at e = 0 everybody guesses, whoever guesses
anyway is not touched, and whoever errs does so as usual: an error falls on each other category as
often as the coder's confusion matrix says. The logarithm of e is normal over items (Whitehill et
al. 2009), with such a mean that coders are right as often as they are found to be.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ...arrays import Bools, Floats, Ints
from ..coders.schools import schools as schools_of
from ..emission import Emission, logs
from ..estimate import Estimate, categories_of, shares_of, softened
from ..posterior import Posterior
from ..votes import Votes
from . import readings

__all__ = ["Noise", "between_schools", "counts_of", "noise", "tested"]


SPREADS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Standard deviations of the logarithm of the ease that are tried; 0: all items are alike."""
LOG_EASES = np.linspace(-3.5, 3.5, 22)
EASES = np.append(1.0, np.exp(LOG_EASES))  # the first is that of an ordinary item
EDGE = 1e-9  # nearest to 0 and 1 that a probability of being right is taken to be
ROUNDS = 4  # of fitting without what is probably ambiguous
CELLS = 4_000_000  # numbers that are held at a time
CHUNK = 1 << 18  # annotations that are looked at together
PROFILE = 3.841458820694124  # 95 % point of chi-squared with one degree of freedom
MOST_READINGS = 4  # categories of an item of which two may be its readings
SHARES = (0.2, 0.35, 0.5, 0.65, 0.8)  # of the first of two readings


@dataclass(frozen=True, eq=False)
class Noise:
    """How coders err where they all read the same, and how many items are read in several ways.

    Parameters
    ----------
    emission : Emission
    category : ndarray
        (S,) the category of each state.
    joint : ndarray
        (I, S) log probability of the annotations and the state, all items being ordinary.
    beliefs : ndarray
        (I, S) in each state if an item has one reading, of whatever ease.
    factors, ones : ndarray
        (J, D) of the J items with two annotations or more, for each spread of ease: log Bayes
        factor of two readings against one, and log likelihood of one.
    probability : ndarray
        (I,) that an item has several readings.
    spread : float
        Of the logarithm of the ease of items: the most likely one.
    share, ratio : float
        Share of items with several readings, and its likelihood ratio.
    """

    emission: Emission
    category: Ints
    joint: Floats
    beliefs: Floats
    factors: Floats
    ones: Floats
    probability: Floats
    spread: float
    share: float
    ratio: float

    @property
    def interval(self) -> tuple[float, float]:
        """The shares that are as good as the best within sampling error, whatever the spread is."""
        if not len(self.factors):
            return math.nan, math.nan
        odds = np.exp(np.minimum(self.factors, 500)) - 1
        grid = np.linspace(0, 1, 1001)[:-1]
        without = self.ones.sum(0)
        value = np.array([(without + np.log1p(x * odds).sum(0)).max() for x in grid])
        fits = grid[2 * (value.max() - value) <= PROFILE]
        return float(fits[0]), float(fits[-1])


def noise(posterior: Posterior, votes: Votes) -> Noise:
    """Fit, see what probably has several readings, and fit again without it."""
    how = replace(posterior.how, restarts=0, progress=None)
    options = {k: v for k, v in posterior.options.items() if k in posterior.model.takes}
    left_out = np.zeros(votes.n_items, bool)
    for _ in range(ROUNDS):
        thinned = votes.without(left_out[votes.item]) if left_out.any() else votes
        estimate = posterior.model.fit(thinned, how, **options)
        found = _seen(votes, estimate, softened(estimate, thinned))
        again = left_out
        left_out = found.probability > 0.5
        if (left_out == again).all():
            break
    return found


def _seen(votes: Votes, estimate: Estimate, emission: Emission) -> Noise:
    prior = estimate.state_prior if len(estimate.state_prior) else estimate.prevalence
    category, n_categories = categories_of(estimate), votes.n_categories
    hard = hardness(_usually_right(votes, emission, estimate, prior), n_categories)
    several = np.full(votes.n_items, math.nan)
    log_prior = np.log(np.maximum(prior, 1e-300))
    shape = votes.n_items, len(prior), len(hard.spreads)
    states = np.broadcast_to(log_prior[:, None], shape).copy()
    most = CELLS // (len(prior) * (len(EASES) if len(hard.spreads) > 1 else 1))
    for items, given_at in readings.same_size(votes, 1, most):
        label = votes.label[given_at]
        table = readings.likelihoods(emission, votes, given_at)
        given = readings.given_labels(table, label)
        right = table[:, :, np.arange(len(category)), category]
        hit = label[:, :, None] == category
        states[items] += one_reading(given, right, hit, hard, n_categories)
        if given_at.shape[1] > 1:
            several[items] = two_readings(given, prior)
    known = ~np.isnan(several)
    ones = _log_sum(states[known])
    factors = several[known, None] - ones
    best, share, ratio = _most_likely(factors, ones)
    probability = np.zeros(votes.n_items)
    if share > 0:
        odds = share * np.exp(np.minimum(factors[:, best], 500))
        probability[known] = odds / (1 - share + odds)
    return Noise(
        emission,
        category,
        emission.log_likelihood(votes) + logs(prior),
        shares_of(states[..., best]),
        factors,
        ones,
        probability,
        hard.spreads[best],
        share,
        ratio,
    )


def _usually_right(votes: Votes, emission: Emission, estimate: Estimate, prior: Floats) -> float:
    """How often an annotation is right, on average."""
    belief = shares_of(estimate.emission.log_likelihood(votes) + logs(prior))
    category, total = categories_of(estimate), 0.0
    for start in range(0, len(votes.item), CHUNK):
        part = slice(start, start + CHUNK)
        table = emission.table(votes.item[part], votes.coder[part])
        right = table[:, np.arange(len(category)), category]
        total += float((votes.times[part, None] * right * belief[votes.item[part]]).sum())
    return total / float(votes.times.sum())


def _most_likely(factors: Floats, ones: Floats) -> tuple[int, float, float]:
    """The spread of ease, and the share of items with several readings, that fit best.

    The likelihood ratio is to the best spread without any such item.
    """
    if not len(factors):
        return 0, math.nan, math.nan
    without = ones.sum(0)
    each = [ambiguous_share(factor) for factor in factors.T]
    value = without + np.array([ratio for _, ratio in each]) / 2
    best = int(value.argmax())
    return best, each[best][0], float(2 * max(value[best] - without.max(), 0.0))


@dataclass(frozen=True, eq=False)
class Tested:
    """What was tested of each item, and the shares of its readings; NaN for one annotation."""

    shares: Floats  # (I, S) readings
    p_value: Floats  # (I,) that the usual errors look as ambiguous
    bits: Floats  # (I,)
    expected: Floats  # (I,) disagreement
    hard: Floats  # (I,) that errors about a hard item concentrate as much
    least: Floats  # (I,) how small that could be


def tested(
    votes: Votes, coders: Noise, rng: int, progress: Callable[[int, int], None] | None
) -> Tested:
    """Both tests of each item with two annotations or more.

    Parameters
    ----------
    votes : Votes
        In canonical order, so that what is drawn hangs on no names.
    coders : Noise
    rng : int
        Seed.
    progress : callable, optional
        Called with (done, total) items.
    """
    usual = shares_of(coders.joint)
    found = Tested(coders.beliefs.copy(), *np.full((5, votes.n_items), math.nan))
    n_done = 0

    def done(n: int) -> None:
        nonlocal n_done
        n_done += n
        if progress is not None:
            progress(min(n_done, votes.n_items), votes.n_items)

    for items, given_at in readings.same_size(votes):
        label = votes.label[given_at]
        table = readings.likelihoods(coders.emission, votes, given_at)
        gain, theta = readings.read_as(readings.given_labels(table, label).transpose(2, 1, 0))
        found.bits[items], found.shares[items] = gain / math.log(2), theta.T
        found.expected[items] = readings.apart(table, coders.beliefs[items])
        split = (label != label[:, :1]).any(1)
        # who say the same show no second reading
        found.p_value[items] = found.hard[items] = found.least[items] = 1.0
        done(int((~split).sum()))
        if split.any():
            at, table, label = items[split], table[split], label[split]
            seed = [rng, given_at.shape[1]]
            found.p_value[at] = readings.rareness(
                table,
                usual[at],
                gain[split],
                lambda stage, seed=seed: np.random.default_rng([*seed, stage]),  # type: ignore[misc]
                done,
            )
            found.hard[at], found.least[at] = readings.concentration(
                table, label, coders.beliefs[at], coders.category, votes.n_categories
            )
    return found


def counts_of(votes: Votes, keep: Bools | slice = slice(None)) -> Floats:
    """(I, O) how often each answer was given to each item, by those who are kept (N,)."""
    cell = votes.item[keep].astype(np.int64) * votes.n_answers + votes.label[keep]
    counts = np.bincount(cell, votes.times[keep], votes.n_items * votes.n_answers)
    return np.asarray(counts.reshape(votes.n_items, -1))


def between_schools(
    posterior: Posterior, wanted: bool
) -> tuple[tuple[tuple[str, ...], ...], Bools, Floats]:
    """Schools, (I,) whether their majorities differ, and (I,) share of the pairs between them."""
    votes = posterior.votes
    found = schools_of(posterior) if wanted else None
    if not found:
        return (), np.zeros(votes.n_items, bool), np.zeros(votes.n_items)
    said = found.majorities  # (G, I), -1 where none is
    top = said.max(0)
    bottom = np.where(said >= 0, said, votes.n_categories).min(0)
    differ = (top >= 0) & (top != bottom)
    own = found.of[votes.coder]
    within = sum(_differing(counts_of(votes, own == g)) for g in range(len(found.names)))
    n = votes.per_item
    between = (_differing(counts_of(votes, own >= 0)) - within) / np.maximum(n * (n - 1) / 2, 1)
    return found.names, differ, np.where(differ, between, 0)


def _differing(counts: Floats) -> Floats:
    """(I,) pairs of annotations that differ, from counts (I, O)."""
    return np.asarray((counts.sum(1) ** 2 - (counts**2).sum(1)) / 2)


# ---------------------------------------------------------------------- hard items


@dataclass(frozen=True, eq=False)
class Hardness:
    """How the ease of items may be spread.

    Parameters
    ----------
    spreads : tuple of float
        (D,) standard deviations of the logarithm.
    weights : ndarray
        (D, E) probability of each of `EASES`; rows sum to 1.
    """

    spreads: tuple[float, ...]
    weights: Floats


def hardness(right: float, n_categories: int) -> Hardness:
    """The spreads that are tried, each with the mean that keeps coders right as often.

    Parameters
    ----------
    right : float
        How often coders are right.
    n_categories : int
        K. With two, an item that is hard and one with two readings are the same: then all items
        are taken as alike.

    Examples
    --------
    >>> hardness(0.8, 2).spreads, hardness(0.8, 3).weights.shape
    ((0.0,), (7, 23))
    """
    ordinary = np.append(1.0, np.zeros(len(LOG_EASES)))
    chance = 1 / max(n_categories, 1)
    if n_categories < 3:
        return Hardness(SPREADS[:1], ordinary[None])
    right = min(max(right, chance + 0.01), 0.999)
    each = right_at(np.array(right), n_categories)
    rows = [ordinary]
    for spread in SPREADS[1:]:
        low, high = -3.0, 3.0
        for _ in range(40):
            middle = (low + high) / 2
            row = np.exp(-0.5 * ((LOG_EASES - middle) / spread) ** 2)
            row = np.append(0.0, row / row.sum())
            low, high = (middle, high) if row @ each < right else (low, middle)
        rows.append(row)
    return Hardness(SPREADS, np.array(rows))


def right_at(right: Floats, n_categories: int) -> Floats:
    """(..., E) how often a coder who is right so often (...) is right on items of each ease."""
    base = -np.log(max(n_categories - 1, 1))
    p = np.clip(right, EDGE, 1 - EDGE)
    skill = np.log(p / (1 - p)) - base
    return np.asarray(1 / (1 + np.exp(-(base + EASES * skill[..., None]))))


def one_reading(
    given: Floats, right: Floats, hit: Bools, hard: Hardness, n_categories: int
) -> Floats:
    """(B, S, D) log likelihood of the annotations of items with one reading.

    Parameters
    ----------
    given, right : ndarray
        (B, n, S) probability of each label that was given, and of the right one.
    hit : ndarray of bool
        (B, n, S) whether the label is the right one.
    hard : Hardness
    n_categories : int
    """
    if len(hard.spreads) == 1:
        return np.asarray(np.log(given).sum(1)[..., None])
    alone = right_at(right, n_categories)  # (B, n, S, E)
    wrong = np.log(given / np.maximum(1 - right, EDGE))[..., None] + np.log1p(
        -np.minimum(alone, 1 - EDGE)
    )
    each = np.where(hit[..., None], np.log(np.maximum(alone, EDGE)), wrong).sum(1)  # (B, S, E)
    top = each.max(-1, keepdims=True)
    return np.asarray(top + np.log(np.exp(each - top) @ hard.weights.T + 1e-300))


# ---------------------------------------------------------------------- ambiguous items


def two_readings(given: Floats, prior: Floats) -> Floats:
    """Log likelihood of the annotations of items with two readings, (B,) from (B, n, S), in nats.

    Two readings are a pair of states, the more probable the more frequent both are; the first is
    seen with a share of 0.2 to 0.8. Of many states the four that explain an item best may be its
    readings.
    """
    s = given.shape[-1]
    if s < 2:
        return np.full(len(given), -math.inf)
    best = given / given.sum(-1, keepdims=True)
    chosen = np.argsort(-best.sum(1), axis=1, kind="stable")[:, : min(s, MOST_READINGS)]
    own = np.take_along_axis(given, chosen[:, None, :], 2)
    weight = np.maximum(prior, readings.LEAST)[chosen]
    found, total = [], []
    for first, second in combinations(range(own.shape[-1]), 2):
        pair = np.log(weight[:, first]) + np.log(weight[:, second])
        for share in SHARES:
            mixed = share * own[..., first] + (1 - share) * own[..., second]
            found.append(pair + np.log(mixed).sum(1))
            total.append(pair)
    # pairs that are left out count with their prior and explain nothing
    every = (
        _log_sum(np.stack(total, 1))
        if s <= MOST_READINGS
        else math.log(len(SHARES) * (1 - float((prior**2).sum()) + readings.LEAST) / 2)
    )
    return np.asarray(_log_sum(np.stack(found, 1)) - every)


def _log_sum(x: Floats) -> Floats:
    top = x.max(1, keepdims=True)
    return np.asarray(top[:, 0] + np.log(np.exp(x - top).sum(1)))


def ambiguous_share(factor: Floats) -> tuple[float, float]:
    """The share of ambiguous items that log Bayes factors (B,) speak for, and its likelihood ratio.

    Returns
    -------
    share : float
        0 to 1.
    ratio : float
        Twice the gain in log likelihood over no ambiguous item at all.

    Examples
    --------
    >>> share, ratio = ambiguous_share(np.array([9.0] * 3 + [-3.0] * 7))
    >>> round(share, 2), ratio > 20
    (0.32, True)
    """
    if not len(factor):
        return math.nan, math.nan
    odds = np.exp(np.minimum(factor, 500))

    def slope(share: float) -> float:
        return float(((odds - 1) / (1 + share * (odds - 1))).sum())

    if slope(0.0) <= 0:
        return 0.0, 0.0
    low, high = 0.0, 1 - 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return low, float(2 * np.log1p(low * (odds - 1)).sum())
