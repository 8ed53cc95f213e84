"""Whether each coder saw the same in an item: one true category, or several readings of it.

Given one category for all, coders err independently by their confusion matrices. Given several
readings, each coder saw one of them, with shares θ, and then erred. How much better the second
explains the annotations is what speaks for ambiguity, whoever the coders are.

How many coders err tells nothing by itself, since an item may be hard. But whoever errs about a
hard item errs as usual, so the labels of those who differ from the truth fall on the other
categories as their confusion matrices say. Given who differs, the number of them with a certain
label is a sum of independent indicators, whatever the ease of the item is, and even if it is
another one for each coder. An item with a second reading has too many of one label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from ...arrays import Bools, Floats, Ints
from ..emission import Emission, logs
from ..estimate import shares_of
from ..votes import Votes

__all__ = ["adjusted", "discrete", "read_as", "surprises"]


LEAST = 1e-12  # probability of an answer; below it, it is one slip among very many
ROUNDS = 10  # of the climb to the best shares; the statistic is what these rounds reach
TIE = 1e-9
MOST_OUTCOMES = 1 << 12  # ways to annotate an item up to which all are looked at
DRAWS = ((100, 0.2), (1_000, 0.02), (10_000, 0.0))
"""Draws of annotations in each round, and the p-value up to which an item enters the next."""
MOST_NUMBERS = 1_000_000  # drawn of an item with many annotations: 1,000 draws in any case
CELLS = 200_000  # numbers that are looked at together: as many as the cache holds
NEVER = 1e-4  # belief in a state below which it is not looked at
PLAUSIBLE = 0.05  # belief from which a category may be the truth of an item
FEWEST = 2  # of the same label that can be called a second reading
CHUNK = 1 << 18  # annotations that are looked at together
HELD = 2_000_000  # numbers that are held at a time
NEAR = 1 + 1e-9


# ---------------------------------------------------------------------- annotations


def same_size(votes: Votes, least: int = 2, most: int = 1 << 62) -> Iterator[tuple[Ints, Ints]]:
    """Items with so many annotations, by their number n: (B,) items, (B, n) annotations.

    A label that a coder gave several times stands there as often. Not more than ``most``
    annotations come together, unless one item has them.
    """
    each = np.repeat(np.arange(len(votes.item)), np.rint(votes.times).astype(np.int64))
    size = np.bincount(votes.item[each], minlength=votes.n_items)
    start = np.cumsum(size) - size
    for n in np.unique(size[size >= least]).tolist():
        items = np.flatnonzero(size == n)
        step = max(1, most // n)
        for at in range(0, len(items), step):
            part = items[at : at + step]
            yield part, each[start[part][:, None] + np.arange(n)]


def likelihoods(emission: Emission, votes: Votes, annotations: Ints) -> Floats:
    """(B, n, S, O) probability of every answer in place of annotations (B, n)."""
    at = annotations.ravel()
    table = emission.table(votes.item[at], votes.coder[at])
    return np.maximum(table.reshape(*annotations.shape, *table.shape[1:]), LEAST)


def given_labels(table: Floats, label: Ints) -> Floats:
    """(B, n, S) probability of the labels (B, n) that were given, from (B, n, S, O)."""
    return np.take_along_axis(table, label.astype(np.intp)[:, :, None, None], 3)[..., 0]


def apart(table: Floats, belief: Floats) -> Floats:
    """(B,) how often two coders of an item differ on average though all read it the same.

    For two coders whose answers follow p and p', given what is true, 1 − Σ_o p_o p'_o; the mean
    over all pairs needs the sum of the p and of their squares only.

    Parameters
    ----------
    table : ndarray
        (B, n, S, O) probability of each answer of each coder in each state.
    belief : ndarray
        (B, S) in each state.
    """
    n = table.shape[1]
    same = (table.sum(1) ** 2).sum(-1) - (table**2).sum((1, 3))  # (B, S)
    return np.asarray((belief * (1 - same / (n * (n - 1)))).sum(1))


def surprises(votes: Votes, emission: Emission, joint: Floats) -> Floats:
    """(N,) bits of each annotation, given the others of its item: −log₂ Σ_k b_k P(label | k).

    Parameters
    ----------
    votes : Votes
    emission : Emission
    joint : ndarray
        (I, S) log probability of each state and all annotations of the item.
    """
    found = np.empty(len(votes.item))
    for start in range(0, len(found), CHUNK):
        part = slice(start, start + CHUNK)
        item, label = votes.item[part], votes.label[part]
        table = emission.table(item, votes.coder[part])
        own = np.take_along_axis(table, label.astype(np.intp)[:, None, None], 2)[..., 0]
        belief = shares_of(joint[item] - votes.times[part][:, None] * logs(own))
        found[part] = -np.log2(np.maximum((belief * own).sum(1), 1e-300))
    return np.maximum(found, 0.0)


# ---------------------------------------------------------------------- several readings


def read_as(given: Floats) -> tuple[Floats, Floats]:
    """How much better several readings explain annotations than one, and what they are.

    Parameters
    ----------
    given : ndarray
        (S, n, ...) probability of each annotation in each state of the item.

    Returns
    -------
    gain : ndarray
        (...) log likelihood with the best shares of readings less that with one state, in nats,
        from 0 up.
    shares : ndarray
        (S, ...) the best shares.
    """
    one = np.log(given).sum(1).max(0)
    shares = np.full((given.shape[0], *given.shape[2:]), 1 / given.shape[0])
    for _ in range(ROUNDS):
        joint = given * shares[:, None]
        joint /= joint.sum(0)
        shares = joint.mean(1)
    several = np.log((given * shares[:, None]).sum(0)).sum(0)
    return np.maximum(several - one, 0.0), shares


def reaches(given: Floats, gain: Floats) -> Bools:
    """(M,) whether `read_as` of (S, n, M) gains as much, without finishing the climb where it can.

    The climb never falls, so who has come as far is done. And with D_k the mean over annotations
    of P(label | k) over the mixture, no shares can gain more than n log max D_k from here (Jensen's
    inequality), so who cannot come as far is done too.
    """
    n = given.shape[1]
    each = np.log(given)
    target = gain + each.sum(1).max(0)
    found = gain <= 0
    left = np.flatnonzero(~found & (each.max(0).sum(0) >= target))
    given, target = given[:, :, left], target[left]
    shares = np.full((given.shape[0], len(left)), 1 / given.shape[0])
    for last in (*[False] * ROUNDS, True):
        mixed = np.einsum("snm,sm->nm", given, shares)
        value = np.log(mixed).sum(0)
        found[left[value >= target]] = True
        if last or not len(left):
            break
        rise = np.einsum("snm,nm->sm", given, 1 / mixed) / n
        shares *= rise
        going = (value < target) & (value + n * np.log(rise.max(0)) >= target)
        if going.sum() < 0.8 * len(left):
            left, target, shares = left[going], target[going], shares[:, going]
            given = given[:, :, going]
    return np.asarray(found)


def rareness(
    table: Floats,
    belief: Floats,
    gain: Floats,
    generator: Callable[[int], np.random.Generator],
    done: Callable[[int], None] = lambda _: None,
) -> Floats:
    """(B,) posterior predictive p-values: that one reading for all gives as large a gain.

    Where there are few ways to annotate an item, all are looked at and the value is exact; else
    annotations are drawn, the more the smaller the value.

    Parameters
    ----------
    table : ndarray
        (B, n, S, O) probability of each answer of each coder in each state.
    belief : ndarray
        (B, S) what the state of each item is.
    gain : ndarray
        (B,) see `read_as`.
    generator : callable
        From the number of a round to random numbers.
    done : callable
        Called with how many items were finished.
    """
    b, n, s, o = table.shape
    exact = o**n <= MOST_OUTCOMES
    found = np.empty(b)
    step = max(1, CELLS // (o**n * n * s)) if exact else b
    outcomes = np.array(list(product(range(o), repeat=n))) if exact else np.empty((0, n), int)
    for start in range(0, b if exact else 0, step):
        part = slice(start, start + step)
        found[part] = _exact(table[part], belief[part], gain[part], outcomes)
        done(len(found[part]))
    if exact:
        return found
    left = np.arange(b)
    for stage, (n_draws, enough) in enumerate(DRAWS):
        rng = generator(stage)
        n_draws = min(n_draws, max(DRAWS[1][0], MOST_NUMBERS // (n * s)))
        size = max(1, CELLS // (n_draws * n * s))
        for start in range(0, len(left), size):
            some = left[start : start + size]
            found[some] = _drawn(table[some], belief[some], gain[some], n_draws, rng)
        done(int((found[left] > enough).sum()) if enough else len(left))
        left = left[found[left] <= enough]
        if not len(left):
            break
    return found


def _exact(table: Floats, belief: Floats, gain: Floats, outcomes: Ints) -> Floats:
    """(B,) from all outcomes (R, n)."""
    n = table.shape[1]
    given = table[:, np.arange(n), :, outcomes]  # (R, n, B, S)
    given = np.ascontiguousarray(given.transpose(3, 1, 2, 0))  # (S, n, B, R)
    weight = np.exp(np.log(given).sum(1))  # (S, B, R)
    s, _, b, r = given.shape
    far = reaches(given.reshape(s, n, b * r), np.repeat(gain - TIE, r)).reshape(b, r)
    return np.asarray(np.einsum("br,sbr,bs->b", far, weight, belief).clip(0, 1))


def _drawn(
    table: Floats, belief: Floats, gain: Floats, n_draws: int, rng: np.random.Generator
) -> Floats:
    """(B,) from draws given each state that may be the item's."""
    b, n, s, n_answers = table.shape
    uniform = rng.random((b, n_draws, n), dtype=np.float32)
    found = np.zeros(b)
    logs = np.log(table)
    for state in range(s):
        at = np.flatnonzero(belief[:, state] > NEVER)
        if not len(at):
            continue
        steps = table[at, :, state].cumsum(-1)[:, None].astype(np.float32)  # (b', 1, n, O)
        answer = np.zeros((len(at), n_draws, n), np.intp)
        for o in range(n_answers - 1):
            answer += uniform[at] > steps[..., o]
        # no readings explain an answer better than the best state, nor one less than this state
        most = logs[at].max(2) - logs[at, :, state]  # (b', n, O)
        item, who = np.arange(len(at))[:, None, None], np.arange(n)
        open_ = most[item, who, answer].sum(-1) >= gain[at][:, None] - TIE
        where, draw = np.nonzero(open_)
        given = table[at[where][:, None], who, :, answer[where, draw]]  # (M, n, S)
        given = np.ascontiguousarray(given.transpose(2, 1, 0))
        far = reaches(given, gain[at[where]] - TIE)
        n_far = np.bincount(where[far], minlength=len(at))
        found[at] += belief[at, state] * (1 + n_far) / (1 + n_draws)
    return found


# ---------------------------------------------------------------------- hard items


def concentration(
    table: Floats, label: Ints, belief: Floats, category: Ints, n_categories: int
) -> tuple[Floats, Floats]:
    """p-values of the hypothesis that an item has one reading, however hard it is.

    Parameters
    ----------
    table : ndarray
        (B, n, S, O) probability of each answer of each coder in each state.
    label : ndarray
        (B, n) what they said; answers from ``n_categories`` on are no labels and do not count.
    belief : ndarray
        (B, S) in each state. The p-value is the largest of those of the states that are believed
        in by 5 % or more.
    category : ndarray
        (S,) the category of each state.
    n_categories : int
        K. With two p is 1.

    Returns
    -------
    p_value, least : ndarray
        (B,) the smallest tail of any label counted for all labels (Bonferroni, but for what each
        can reach); and the p-value if all who differ gave the same label, which is as low as it
        can be.
    """
    p, least = np.zeros(len(label)), np.zeros(len(label))
    n = label.shape[1]
    size = max(1, HELD // (n_categories * (n + 1)))
    for state, own in enumerate(category.tolist()):
        chosen = np.flatnonzero((belief[:, state] >= PLAUSIBLE) | (belief.argmax(1) == state))
        for start in range(0, len(chosen), size):
            at = chosen[start : start + size]
            found = _given_truth(table[at, :, state, :n_categories], label[at], own)
            p[at], least[at] = np.maximum(p[at], found[0]), np.maximum(least[at], found[1])
    return p, least


def _given_truth(row: Floats, label: Ints, truth: int) -> tuple[Floats, Floats]:
    """(B,) and (B,) where one category is the truth; ``row`` is (B, n, K)."""
    b, n, k = row.shape
    others = np.delete(np.arange(k), truth)
    if not len(others):
        return np.ones(b), np.ones(b)
    differs = (label != truth) & (label < k)
    pattern = row[..., others] / row[..., others].sum(-1, keepdims=True)
    chance = np.where(differs[..., None], pattern, 0.0)  # (B, n, K − 1)
    exactly = np.zeros((b, len(others), n + 1))
    exactly[..., 0] = 1
    for a in range(n):
        q = chance[:, a, :, None]
        exactly[..., 1:] += q * (exactly[..., :-1] - exactly[..., 1:])
        exactly[..., :1] *= 1 - q
    tail = exactly[..., ::-1].cumsum(-1)[..., ::-1]  # this many or more
    tail[..., :FEWEST] = 1.0
    count = (label[..., None] == others).sum(1)  # (B, K − 1)
    seen = np.take_along_axis(tail, count[..., None], -1)[..., 0].min(1)
    all_alike = np.take_along_axis(tail, differs.sum(1)[:, None, None], -1)[..., 0].min(1)
    return _reached(tail, seen), _reached(tail, all_alike)


def _reached(tail: Floats, t: Floats) -> Floats:
    """(B,) that the tail of some label is as small as t: each adds what it can reach."""
    below = np.where(tail <= t[:, None, None] * NEAR, tail, 0.0).max(-1)
    return np.asarray(np.minimum(below.sum(1), 1.0))


# ---------------------------------------------------------------------- many tests


def adjusted(p: Floats) -> Floats:
    """q-values of Benjamini & Hochberg (1995); NaN stays NaN and counts for nothing.

    Examples
    --------
    >>> adjusted(np.array([0.01, 0.04, 0.03, 0.5])).round(4).tolist()
    [0.04, 0.0533, 0.0533, 0.5]
    """
    found = np.full(len(p), np.nan)
    at = np.flatnonzero(~np.isnan(p))
    order = at[np.argsort(p[at], kind="stable")]
    raised = p[order] * len(order) / np.arange(1, len(order) + 1)
    found[order] = np.minimum.accumulate(raised[::-1])[::-1].clip(0, 1)
    return found


def discrete(p: Floats, least: Floats, level: float) -> Floats:
    """q-values of tests some of which cannot reject, whatever is seen (Gilbert 2005).

    Tests that could not be significant even after the correction for those that could (Tarone
    1990) do not count; the others are adjusted as by Benjamini & Hochberg (1995).

    Parameters
    ----------
    p, least : ndarray
        (I,) p-values, and how small each could be; NaN where nothing is tested.
    level : float

    Returns
    -------
    ndarray
        (I,) 1 for tests that cannot reject.

    Examples
    --------
    >>> p = np.array([0.01, 0.5, 1.0, 1.0, np.nan])
    >>> discrete(p, np.array([0.001, 0.01, 0.6, 0.6, np.nan]), 0.1).tolist()
    [0.02, 0.5, 1.0, 1.0, nan]
    """
    known = ~np.isnan(p)
    could = np.sort(least[known])
    m = int(known.sum())
    fit_for = np.searchsorted(could, level / np.arange(1, m + 1), side="right")
    enough = np.flatnonzero(fit_for <= np.arange(1, m + 1))
    bound = level / (enough[0] + 1) if len(enough) else level
    able = known & (np.where(known, least, 1.0) <= bound)
    found = np.where(known, 1.0, np.nan)
    found[able] = adjusted(p[able])
    return found
