"""What can be said of a coder in words, and only where intervals and the other coders say so."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ...actions import FILE, Action
from ...arrays import Bools, Floats, Ints
from ...diagnosis.finding import Told, rule
from ..em import How
from ..uncertainty import JEFFREYS, Answers, beta_ends
from ..votes import UNKNOWN, Votes
from .group_search import MOST_CODERS, grid_of, kappas, once

__all__ = [
    "LEAST_AMONG_VOTES",
    "LEAST_USUAL",
    "NEARLY",
    "VERDICTS",
    "BeyondChance",
    "Judging",
    "Verdict",
    "agreement_with_others",
    "beyond_chance",
    "control",
    "judged",
    "no_agreement",
]


LEVEL = 0.05  # so often coders who do not look at the items are said to agree
ENOUGH_KNOWN = 5  # control items: then labels can be judged though coders do not agree
DRAWS = 199
MOST = 50_000  # annotations that are dealt again
CODE = 72
NEVER = 1e-9


@dataclass(frozen=True, eq=False)
class BeyondChance:
    """How far the labels of coders agree beyond chance. C coders, P coders of items.

    Parameters
    ----------
    votes : Votes
    how : How
        Its seed.
    item, coder : ndarray of int
        (P,) who annotated what; items that nobody else annotated are left out.
    agreed, chance : ndarray
        (P,) share of the others of the item who gave the same label, and share that chance would
        make the same. Of a control item, what is known stands for the others.
    excess, weight : ndarray
        (P,) the difference of both, each of the others counting by skill, and their skills summed.
    """

    votes: Votes
    how: How
    item: Ints
    coder: Ints
    agreed: Floats
    chance: Floats
    excess: Floats
    weight: Floats

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """(C,) the mean excess of each coder over chance, others counted by skill.

        NaN with fewer than two annotations, or if none of the others has any skill.
        """
        from scipy.special import stdtrit

        c, x = self.votes.n_coders, self.excess
        n = np.bincount(self.coder, minlength=c)
        more = np.where(n > 1, n, np.nan)
        weight = np.bincount(self.coder, self.weight, c) / more
        mean = np.bincount(self.coder, x, c) / more
        spread = np.bincount(self.coder, (x - mean[self.coder]) ** 2, c) / (more - 1)
        half = stdtrit(more - 1, (1 + level) / 2) * np.sqrt(spread / more)
        scale = np.where(weight > NEVER, weight, np.nan)
        return (mean - half) / scale, (mean + half) / scale

    @cached_property
    def of_items(self) -> tuple[Floats, Floats]:
        """(M,) agreement and chance on each item; an item counts by its coders."""
        n = np.bincount(self.item)
        agreed, chance = np.bincount(self.item, self.agreed), np.bincount(self.item, self.chance)
        return np.asarray(agreed[n > 0], float), np.asarray(chance[n > 0], float)

    @cached_property
    def means(self) -> tuple[float, float]:
        """Agreement and chance over all annotations; NaN if nobody shares an item."""
        n = len(self.item)
        return (
            float(self.agreed.sum()) / n if n else math.nan,
            float(self.chance.sum()) / n if n else math.nan,
        )

    @cached_property
    def p_value(self) -> float:
        """One-sided, of the mean over items; NaN where chance explains all: one label."""
        from scipy.special import stdtr

        agreed, chance = self.of_items
        x = agreed - chance
        if len(x) < 2 or np.abs(x).max() < NEVER:
            return math.nan
        error = float(x.std(ddof=1)) / math.sqrt(len(x))
        if error < NEVER:
            return 0.0 if x[0] > 0 else 1.0
        return float(stdtr(len(x) - 1, -float(x.mean()) / error))

    @cached_property
    def none(self) -> bool:
        """Whether nothing tells that labels depend on the items, though it could be seen.

        Not with control items, which tell who is right; and not if coders agree and contradict
        each other more than chance, as two schools that contradict each other do.
        """
        if (self.votes.known != UNKNOWN).sum() >= ENOUGH_KNOWN or math.isnan(self.p_value):
            return False
        return self.p_value > LEVEL and not self._alike_or_unlike

    @cached_property
    def _alike_or_unlike(self) -> bool:
        """Whether the kappas of pairs differ more from 0 than if each coder's labels were dealt."""
        votes = once(self.votes)
        if votes.n_coders > MOST_CODERS or len(votes.item) > MOST:
            return False
        table, k, rng = grid_of(votes), votes.n_answers, self.how.generator(CODE)
        seen, as_many = _far_from_0(*kappas(table, votes.label, k)), 0
        for _ in range(DRAWS):
            as_many += _far_from_0(*kappas(table, _dealt(votes, rng), k)) >= seen - NEVER
            if (1 + as_many) / (1 + DRAWS) > LEVEL:  # Besag & Clifford (1991): it is not rare
                return False
        return True


def beyond_chance(votes: Votes, skill: Floats, how: How) -> BeyondChance:
    """Compare each annotation with those of the other coders of the item, and with chance.

    Parameters
    ----------
    votes : Votes
    skill : ndarray
        (C,) by which others count, where one coder is compared with them; 0 for those below 0.
    how : How
        Its seed.

    Returns
    -------
    BeyondChance

    Notes
    -----
    Who annotated nothing else is given the habits of all. A single number for the skill of each of
    the others cannot be fitted to the labels of the one who is compared with them.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> same = np.ones(2)
    >>> alike = beyond_chance(votes(read([["a", "b"] * 6, ["a", "b"] * 6])), same, How())
    >>> alike.means[0], alike.none
    (1.0, False)
    >>> beyond_chance(votes(read([["a", "b"] * 6, ["a", "a", "b", "b"] * 3])), same, How()).none
    True
    """
    given = votes.label < votes.n_categories
    item, coder, label, times = (
        x[given] for x in (votes.item, votes.coder, votes.label, votes.times)
    )
    place, group = np.unique(item.astype(np.int64) * votes.n_coders + coder, return_inverse=True)
    of_item, of_coder = place // votes.n_coders, place % votes.n_coders
    share = times / np.bincount(group, times)[group] if len(group) else times
    control = votes.known != UNKNOWN
    known, n_known = control[of_item], int(control.sum())
    besides = np.bincount(of_coder, minlength=votes.n_coders)[of_coder] - 1.0  # (P,) other items
    n = np.bincount(of_item, minlength=votes.n_items)[of_item] - 1.0  # (P,) others of the item
    skilled = np.fmax(skill, 0)[of_coder]
    agreed, chance, excess = np.zeros((3, len(place)))
    for k in range(votes.n_categories):  # tables of P x K would be the largest things here
        own: Floats = np.bincount(group, share * (label == k), len(place)).astype(float)
        usual = own.sum() / max(len(place), 1)
        habit = _over(_others(of_coder, own), besides, usual)
        is_k = (votes.known == k).astype(float)
        gold = is_k[of_item]  # what is known, and how often it is known of other items
        gold_habit = _over(is_k.sum() - gold, np.full(len(gold), n_known - 1.0), usual)
        agreed += own * np.where(known, gold, _over(_others(of_item, own), n, 0))
        chance += habit * np.where(known, gold_habit, _over(_others(of_item, habit), n, 0))
        excess += own * np.where(known, gold, _others(of_item, skilled * own))
        excess -= habit * np.where(known, gold_habit, _others(of_item, skilled * habit))
    weight = np.where(known, 1.0, _others(of_item, skilled))
    met = known | (n > 0)
    return BeyondChance(
        votes, how, of_item[met], of_coder[met], agreed[met], chance[met], excess[met], weight[met]
    )


def _others(of: Ints, x: Floats) -> Floats:
    """(P,) the sum of x over the others of the same item or coder."""
    return np.asarray(np.bincount(of, x)[of], float) - x if len(x) else x


def _over(x: Floats, n: Floats, otherwise: float) -> Floats:
    """A mean, something else where there is nothing."""
    return np.where(n > 0, x / np.where(n > 0, n, 1), otherwise)


def _far_from_0(kappa: Floats, shrunk: Floats, n: Floats) -> float:
    """Σ n kappa² over pairs, kappas of a few common items shrunk."""
    return float((n * shrunk**2)[np.triu_indices(len(n), 1)].sum())


def _dealt(votes: Votes, rng: np.random.Generator) -> Ints:
    """(N,) labels with those of each coder dealt out again among the items of the coder."""
    by_name = np.lexsort((votes.place[votes.item], votes.coder))
    anew = by_name[np.lexsort((rng.random(len(by_name)), votes.coder[by_name]))]
    label = np.empty_like(votes.label)
    label[by_name] = votes.label[anew]
    return label


@rule("warning")
def no_agreement(found: BeyondChance) -> Told:
    """Agreement beyond chance is not shown.

    That coders agree more than by chance is not shown: observed agreement is {agreement:%},
    expected agreement {chance:%} ({p_value:p}, {n:item} with two coders or more). So nothing shows
    who is right, and coders are not judged; the labels and the accuracies that the model estimates
    may come from noise.

    Do not use these labels yet. Check whether items or coders were exchanged in the data, then
    discuss some items and the guideline with the coders. Control items, labelled with care, show
    how reliable coders are.
    """
    agreed, chance = found.means
    n = len(found.of_items[0])
    return Told(
        {"agreement": agreed, "chance": chance, "p_value": found.p_value, "n": n},
        do=(Action("", {"gold": FILE}, "control items"),),
        remedy="guideline",
        title="Agreement beyond chance is not shown",
    )


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
    own = np.bincount(votes.pair, times)[votes.pair]  # by the same coder, whatever the label
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
    n, right = votes.right(votes.known)
    low, high = beta_ends(right + JEFFREYS, n - right + JEFFREYS, level)
    low, high = np.where(right > 0, low, 0.0), np.where(right < n, high, 1.0)
    low, high = (np.where(n > 0, x, np.nan) for x in (low, high))
    return Control(n, right / np.where(n > 0, n, np.nan), low, high)


def favourite(votes: Votes) -> tuple[Ints, Floats]:
    """(C,) the label that each coder gave most, and (C,) how often, as a share."""
    given = votes.answers(votes.times)
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
