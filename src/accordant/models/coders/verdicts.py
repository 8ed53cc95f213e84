"""What can be said of a coder in words, and only where the interval says so."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ...arrays import Bools, Floats, Ints
from ..uncertainty import JEFFREYS, Answers, beta_ends
from ..votes import UNKNOWN, Votes
from .chance import BeyondChance

__all__ = [
    "LEAST_AMONG_VOTES", "LEAST_USUAL", "NEARLY", "VERDICTS", "Judging", "Verdict",
    "agreement_with_others", "control", "judged",
]  # fmt: skip

Verdict: TypeAlias = Literal[
    "reliable", "sloppy", "constant", "random", "adversarial", "few", "school"
]
VERDICTS: Mapping[Verdict, str] = {
    "reliable": "reliable",
    "sloppy": "sloppy",
    "constant": "always the same label",
    "random": "random or nearly so",
    "adversarial": "below chance",
    "few": "undetermined",
    "school": "of another coder group",
}
"""Each verdict in a few words."""
ENOUGH_TO_SIDE = 3  # coders; where two differ, nobody says which of them is right
ENOUGH_ITEMS = 30  # with two annotations; on fewer nobody is called reliable
FEWEST = 5  # annotations; with fewer nothing is said of a coder
LEAST_USUAL = 0.3  # skill; where the usual coder has less, coders are held against this
LEAST_AMONG_VOTES = 0.1  # the same against the labels of others, who err too
HALF = 0.5  # of the usual skill: certainly above it is reliable, certainly below is random
NEARLY = 0.1  # skill; below it labels hardly depend on the items, though they do
SLOPPY = 0.75  # of the usual skill: certainly below it, though above chance, is sloppy all the same
SURELY = 0.01  # p-value of agreement beyond chance, with which coders may be called reliable
CONSTANT = 0.99  # share of the annotations of a coder with one label
NOT_BY_CHANCE = 1e-3  # that a usual coder gives one label only, on the same items


class Control(NamedTuple):
    """How often each coder was right about control items, (C,) each."""

    n: Floats
    accuracy: Floats
    low: Floats
    high: Floats


def agreement_with_others(votes: Votes) -> Floats:
    """(C,) mean share of the other annotations of an item that are the same as the coder's.

    Each annotation of an item with annotations by others counts once. NaN for a coder who shares
    no item with another one.
    """
    times = votes.times
    pair = votes.item.astype(np.int64) * votes.n_coders + votes.coder
    _, group = np.unique(pair, return_inverse=True)
    own = np.bincount(group, times)[group]  # by the same coder, whatever the label
    cell = votes.item.astype(np.int64) * votes.n_answers + votes.label
    same = np.bincount(cell, times, votes.n_items * votes.n_answers)[cell] - times
    others = votes.per_item[votes.item] - own
    met = others > 0
    share = np.where(met, same / np.where(met, others, 1), 0)
    total = np.bincount(votes.coder, times * share, votes.n_coders)
    n = np.bincount(votes.coder, times * met, votes.n_coders)
    return np.asarray(total / np.where(n > 0, n, np.nan))


def control(votes: Votes, level: float) -> Control:
    """Accuracy on control items, with the interval of Jeffreys (Brown et al. 2001)."""
    on = (votes.known[votes.item] != UNKNOWN) & (votes.label < votes.n_categories)
    coder, times = votes.coder[on], votes.times[on]
    n = np.asarray(np.bincount(coder, times, votes.n_coders), np.float64)
    hit = votes.label[on] == votes.known[votes.item[on]]
    right = np.asarray(np.bincount(coder, times * hit, votes.n_coders), np.float64)
    low, high = beta_ends(right + JEFFREYS, n - right + JEFFREYS, level)
    low, high = np.where(right > 0, low, 0.0), np.where(right < n, high, 1.0)
    low, high = (np.where(n > 0, x, np.nan) for x in (low, high))
    return Control(n, right / np.where(n > 0, n, np.nan), low, high)


def favourite(votes: Votes) -> tuple[Ints, Floats]:
    """(C,) the label that each coder gave most, and (C,) how often, as a share."""
    cell = votes.coder.astype(np.int64) * votes.n_answers + votes.label
    n = np.bincount(cell, votes.times, votes.n_coders * votes.n_answers)
    given = n.reshape(votes.n_coders, -1)
    total = given.sum(1)
    return given.argmax(1), given.max(1) / np.where(total > 0, total, np.nan)


@dataclass(frozen=True)
class Judging:
    """What coders are held against, for sentences that say it.

    Parameters
    ----------
    usual : float
        The skill of the usual coder: the median, or a least one if that is more.
    """

    usual: float

    @property
    def enough(self) -> float:
        """Skill that a reliable coder certainly exceeds, and a random one certainly does not."""
        return HALF * self.usual

    @property
    def sloppy(self) -> float:
        """Skill that a sloppy coder certainly stays below."""
        return SLOPPY * self.usual


def usual_skill(skill: Floats, n: Floats, least: float = LEAST_USUAL) -> float:
    """The median skill of those with enough annotations, but at least so much."""
    known = skill[(n >= FEWEST) & ~np.isnan(skill)]
    return max(float(np.median(known)) if len(known) else 0.0, least)


def judged(
    votes: Votes,
    q: Floats,
    found: Answers,
    skill: Floats,
    low: Floats,
    high: Floats,
    beyond: BeyondChance,
    level: float,
    least: float = LEAST_USUAL,
) -> tuple[list[Verdict], Judging]:
    """The verdict on each coder (C,).

    Parameters
    ----------
    votes : Votes
    q : ndarray
        (I, K) beliefs.
    found : Answers
    skill, low, high : ndarray
        (C,) and its interval.
    beyond : BeyondChance
        How the labels of each coder agree with those of the others.
    level : float
        Of all intervals.
    least : float
        Skill of the usual coder, at least.

    Returns
    -------
    verdicts : list of str
        On few items nobody is called reliable, nor where agreement beyond chance is not certain:
        it may be luck.
    judging : Judging

    Notes
    -----
    Beliefs contain the coder's own labels, so that even labels without sense seem skilled where
    there is little else. Nobody is called skilled, or below chance, whom the others do not confirm.
    """
    n = votes.per_coder
    by = Judging(usual_skill(skill, n, least))
    if beyond.none:
        return ["few"] * len(n), by
    constant = _constant(votes, q, found)
    if len(n) < ENOUGH_TO_SIDE and (votes.known == UNKNOWN).all():
        return ["constant" if c else "few" for c in constant], by
    own, others = np.stack([low, high], 1), np.stack(beyond.interval(level), 1)
    verdicts: list[Verdict] = [
        _verdict(n[c], constant[c], skill[c], own[c], others[c], by) for c in range(len(n))
    ]
    agree = beyond.p_value < SURELY or bool((votes.known != UNKNOWN).any())
    if _compared(votes) < ENOUGH_ITEMS or not agree:
        verdicts = ["few" if one == "reliable" else one for one in verdicts]
    return verdicts, by


def _compared(votes: Votes) -> int:
    """How many items have two annotations, or one and a known label."""
    n = np.bincount(votes.item, votes.times, votes.n_items) + (votes.known != UNKNOWN)
    return int(np.count_nonzero(n >= 2))


def _verdict(
    n: float, constant: bool, skill: float, own: Floats, others: Floats, by: Judging
) -> Verdict:
    """Of one coder, by the intervals (2,) of skill and of agreement with others beyond chance."""
    low, high = own.tolist()
    others_low, others_high = others.tolist()
    if n < FEWEST:
        return "few"
    if constant:
        return "constant"
    if math.isnan(low):
        return "few"
    if high < 0 and others_high < 0:
        return "adversarial"
    if (low <= 0 or skill < NEARLY) and high < by.enough:
        return "random"
    if low > 0 and others_low > 0:
        if high < by.sloppy:
            return "sloppy"
        if low > by.enough:
            return "reliable"
    return "few"


def _constant(votes: Votes, q: Floats, found: Answers) -> Bools:
    """(C,) whether a coder gives one label only, on items where a usual coder would not."""
    label, share = favourite(votes)
    always = share >= CONSTANT
    if not always.any():
        return always
    own = np.flatnonzero(always[votes.coder])
    item, coder = votes.item[own], votes.coder[own]
    p = np.einsum("nk,nk->n", q[item], found.pooled[:, label[coder]].T)
    rare = np.bincount(coder, votes.times[own] * np.log(np.maximum(p, 1e-300)), votes.n_coders)
    return np.asarray(always & (rare < math.log(NOT_BY_CHANCE)))
