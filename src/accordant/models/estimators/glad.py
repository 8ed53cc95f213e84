"""GLAD (Whitehill et al. 2009): how able a coder is, and how difficult an item."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...arrays import Floats, Ints
from ..em import KEPT, Climb, How, Iteration, climb
from ..emission import OneCoin
from ..estimate import Estimate, believed
from ..model import model, one_of
from ..solutions import best_of
from ..votes import Votes

HALVINGS = 6  # of a step that leads down
NEAR_ZERO = 1e-4  # shorter steps are not halved
EXTREME = 700.0  # log-odds: beyond, e^x is no number
PREVALENCES = ("uniform", "learned")
MOST_ITEMS = 1000  # that a mean over items is taken of; of more, as many quantiles
PLAIN = 10  # iterations before strides: no published run counts them


@dataclass(frozen=True, eq=False)
class Abilities:
    """Log-odds of being right are the coder's ability times the item's easiness.

    Parameters
    ----------
    ability : ndarray
        (C,) log-odds of being right about an item of easiness 1; negative: usually wrong.
    log_easiness : ndarray
        (I,) natural logarithms; difficulty is 1 / easiness.
    n_categories : int
    """

    ability: Floats
    log_easiness: Floats
    n_categories: int

    def log_odds(self, item: Ints, coder: Ints) -> Floats:
        """(n,) of being right."""
        return np.asarray(self.ability[coder] * np.exp(self.log_easiness)[item])

    def accuracy(self, item: Ints, coder: Ints) -> Floats:
        """(n,) probability of being right."""
        from scipy.special import expit

        return np.asarray(expit(self.log_odds(item, coder)))

    def table(self, item: Ints, coder: Ints) -> Floats:
        """(n, K, K); errors fall on any other category."""
        return OneCoin(self.accuracy, self.n_categories).table(item, coder)

    def log_likelihood(self, votes: Votes) -> Floats:
        """(I, K) without rounding the probability of a rare error to 0."""
        log_odds = self.log_odds(votes.item, votes.coder)
        wrong = -np.logaddexp(0, log_odds) - _log_others(self.n_categories)
        base = np.bincount(votes.item, votes.times * wrong, votes.n_items)
        return _gains(votes, log_odds) + base[:, None]


def _log_others(n_categories: int) -> float:
    """Logarithm of how many categories an error may fall on."""
    return float(np.log(max(n_categories - 1, 1)))


def _gains(votes: Votes, log_odds: Floats) -> Floats:
    """(I, K) how much more probable the annotations are if k is true than if all are wrong."""
    return votes.tally(votes.times * (log_odds + _log_others(votes.n_categories)))


@dataclass(frozen=True, eq=False)
class Parameters:
    """What is looked for: abilities (C,), log easiness (I,), prevalence (K,); as one array too."""

    ability: Floats
    log_easiness: Floats
    prevalence: Floats

    @property
    def joined(self) -> Floats:
        """(C + I + K,) all of them."""
        return np.concatenate([self.ability, self.log_easiness, self.prevalence])


@dataclass(frozen=True, eq=False)
class Search:
    """The steps, for votes laid out once.

    Parameters
    ----------
    votes : Votes
    learned : bool
        Whether prevalence is learned.
    mean : float
        Of the normal priors, with variance 1, of abilities and of log easiness.
    """

    votes: Votes
    learned: bool
    mean: float = 1.0

    def table(self, x: Floats) -> Any:
        """(I, C) sparse with one number for each annotation."""
        from scipy.sparse import csr_array

        votes = self.votes
        shape = votes.n_items, votes.n_coders
        return csr_array((votes.times * x, votes.coder, votes.item_start), shape=shape)

    def split(self, state: Floats) -> Parameters:
        """The parameters of a state (C + I + K,)."""
        c, i = self.votes.n_coders, self.votes.n_items
        return Parameters(state[:c], state[c : c + i], state[c + i :])

    def log_odds(self, p: Parameters) -> Floats:
        """(N,) of being right."""
        easiness = np.exp(p.log_easiness)
        return np.asarray(p.ability[self.votes.coder] * easiness[self.votes.item])

    def start(self, q: Floats) -> Floats:
        """The state that follows from beliefs (I, K) and average coders and items."""
        votes = self.votes
        even = np.full(votes.n_categories, 1 / votes.n_categories)
        average = Parameters(
            np.full(votes.n_coders, self.mean), np.full(votes.n_items, self.mean), even
        )
        return self.improved(average, q, self.log_odds(average)).joined

    def beliefs(self, p: Parameters, log_odds: Floats) -> tuple[Floats, float]:
        """(I, K) probabilities, and the log posterior of the parameters but for a constant."""
        votes = self.votes
        q, value = believed(votes, p.prevalence, _gains(votes, log_odds))
        softplus = np.maximum(log_odds, 0) + np.log1p(np.exp(-np.abs(log_odds)))
        value -= float(votes.times @ softplus) + len(votes) * _log_others(votes.n_categories)
        for x in (p.ability, p.log_easiness):
            value -= 0.5 * float(((x - self.mean) ** 2).sum())
        return q, value

    def step(self, state: Floats) -> Iteration:
        """One iteration."""
        p = self.split(state)
        log_odds = self.log_odds(p)
        q, value = self.beliefs(p, log_odds)
        return Iteration(self.improved(p, q, log_odds).joined, value)

    def improved(self, p: Parameters, q: Floats, x: Floats) -> Parameters:
        """Parameters that make beliefs and annotations more probable.

        Notes
        -----
        Newton's steps of every ability, then of every easiness, each by itself: given the others it
        is a problem in one variable. With log-odds x = ability · easiness, an annotation adds
        right · x − log(1 + e^x). A step is taken only by those to whom it brings something, so the
        objective never falls. After one of each beliefs follow: with more, abilities run ahead of
        beliefs, and on the temporal relations of Snow et al. (2008) the end is 99 nats lower.
        """
        votes = self.votes
        right = q[votes.item, votes.label]
        for of in (votes.coder, votes.item):
            coders = of is votes.coder
            now = p.ability if coders else p.log_easiness
            other = np.exp(p.log_easiness)[votes.item] if coders else p.ability[votes.coder]
            wrong = 1 / (1 + np.exp(np.clip(x, -EXTREME, EXTREME)))
            moves = other if coders else x
            pull = moves * (right - 1 + wrong)
            bend = moves**2 * wrong * (1 - wrong) - (0 if coders else pull)
            n = len(now)
            slope = np.bincount(of, votes.times * pull, n) - (now - self.mean)
            curve = np.bincount(of, votes.times * bend, n) + 1
            step = np.clip(slope / np.maximum(np.abs(curve), 0.1), -1, 1)
            kept, old, still = now, _log_right(x, right), np.arange(len(of))
            for _ in range(HALVINGS):
                new = now + step
                tried = (new if coders else np.exp(new))[of[still]] * other[still]
                gain = votes.times[still] * (_log_right(tried, right[still]) - old[still])
                up = np.bincount(of[still], gain, n) > 0.5 * step * (new + now - 2 * self.mean)
                kept = np.where(up, new, kept)
                step = np.where(up | (np.abs(step) < NEAR_ZERO), 0, step / 2)
                still = np.flatnonzero(step[of])  # annotations of those whose step led down
                if not len(still):
                    break
            p = replace(p, **{"ability" if coders else "log_easiness": kept})
            x = self.log_odds(p) if coders else x
        return replace(p, prevalence=q.mean(0)) if self.learned else p

    def within(self, leapt: Floats, second: Floats) -> Floats:
        """Where a stride may end: prevalences are shares."""
        k = self.votes.n_categories
        shares = np.maximum(leapt[-k:], KEPT * second[-k:])
        return np.concatenate([leapt[:-k], shares / shares.sum()])


def _log_right(x: Floats, right: Floats) -> Floats:
    """(N,) what annotations with log-odds x add."""
    return np.asarray(right * x - np.maximum(x, 0) - np.log1p(np.exp(-np.abs(x))))


@model("GLAD", "whitehill2009")
def glad(votes: Votes, how: How, *, prevalence: str = "uniform") -> Estimate:
    """Coders are more or less able and items more or less easy; errors fall on any other label.

    Parameters
    ----------
    votes : Votes
    how : How
    prevalence : {'uniform', 'learned'}
        All categories are equally frequent, or as frequent as the annotations make them.

    Returns
    -------
    Estimate
        The log-odds of being right are ability / difficulty: ``coder_parameters['ability']``
        (C,), negative for coders who are wrong more often than right, and
        ``item_parameters['difficulty']`` (I,), above 0. Someone of ability 1 has odds of e : 1 at
        difficulty 1, of e² : 1 at difficulty 1/2; the harder an item, the nearer everybody comes
        to 1 : 1. ``competence`` is the mean probability of being right, over all items. The prior
        dominates the difficulty of an item with fewer than about five annotations.

    Raises
    ------
    RequestError
        If ``prevalence`` is neither.

    Notes
    -----
    Ability and the logarithm of 1 / difficulty have normal priors with mean and variance 1. The
    objective is the log posterior of the parameters but for their normal constants; it never
    falls, see `Search.improved`. With more than two categories errors are uniform over
    the others, as Whitehill et al. (2009, section 2) propose.

    Examples
    --------
    >>> import accordant as ac
    >>> rows = [["a", "b", "a", "b", "a", "b"]] * 4 + [["b", "a", "b", "a", "b", "b"]]
    >>> found = ac.fit(rows, "glad")
    >>> found.labels
    ['a', 'b', 'a', 'b', 'a', 'b']
    >>> found.estimate.coder_parameters["ability"].round(1).tolist()
    [1.2, 1.2, 1.2, 1.2, -0.4]
    """
    one_of(PREVALENCES, prevalence=prevalence)
    search = Search(votes, prevalence == "learned")

    def run(start: Floats, how: How) -> Estimate:
        state, climbed = climb(
            search.step,
            search.start(start),
            how,
            "log posterior",
            strides=True,
            within=search.within,
            plain=PLAIN,
        )
        return _estimate(search, search.split(state), climbed)

    return best_of(votes, how, run)


def _estimate(search: Search, p: Parameters, run: Climb) -> Estimate:
    """What the parameters say of items and coders."""
    votes = search.votes
    q, _ = search.beliefs(p, search.log_odds(p))
    return Estimate(
        q,
        q.mean(0),
        Abilities(p.ability, p.log_easiness, votes.n_categories),
        _mean_right(p.ability, p.log_easiness),
        run,
        coder_parameters={"ability": p.ability},
        item_parameters={"difficulty": np.exp(-p.log_easiness)},
        prior=p.prevalence,
    )


def _mean_right(ability: Floats, log_easiness: Floats) -> Floats:
    """(C,) probability of being right, mean over the items."""
    from scipy.special import expit

    if len(log_easiness) > MOST_ITEMS:
        middle = (np.arange(MOST_ITEMS) + 0.5) / MOST_ITEMS
        log_easiness = np.quantile(log_easiness, middle)
    easiness = np.exp(np.sort(log_easiness))  # sorted: the same sum whatever the order of items
    return np.array([float(expit(a * easiness).mean()) for a in ability])
