"""Votes: all coders count the same, or those more who agree with others; a tie is a tie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...actions import FILE, Action
from ...arrays import Bools, Floats
from ...diagnosis.finding import Contrast, Evidence, Told, found_by, rule
from ...diagnosis.words import label_text
from ...errors import RequestError
from ..em import Climb, How, Step, climb
from ..emission import Confusions, answers_by_truth, rows_of, with_known
from ..estimate import Estimate
from ..model import model
from ..votes import UNKNOWN, Votes

__all__ = [
    "WEIGHTS",
    "agreement",
    "averaged",
    "majority",
    "one_vote_each",
    "pooled_with_margin",
    "shares_of",
    "tied",
    "ties",
    "weighted",
    "winners",
]


EQUAL = 1e-9  # relative: sums of weights that differ by less are equal
MOST_KINDS = 5  # of ties, in a finding


def one_vote_each(votes: Votes) -> Floats:
    """(N,) how much each annotation counts if a coder has one vote for an item.

    However often the coder was asked; who gave several labels divides the vote among them.
    """
    said = votes.label < votes.n_categories
    total = np.bincount(votes.pair, np.where(said, votes.times, 0))[votes.pair]
    return np.where(said, votes.times / np.where(total > 0, total, 1), 0)


def shares_of(counts: Floats, otherwise: Floats) -> Floats:
    """(I, K) shares of a tally; ``otherwise`` where nothing counts."""
    total = counts.sum(1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1), otherwise)


def tied(shares: Floats) -> Bools:
    """(I, K) whether a category has as many votes as any other: several do in a tie."""
    most = shares.max(1, keepdims=True)
    return np.asarray(shares >= most * (1 - EQUAL))


def winners(shares: Floats) -> Floats:
    """(I, K) 1 for the category with most votes; a tie is divided.

    Examples
    --------
    >>> winners(np.array([[0.6, 0.4, 0.0], [0.5, 0.5, 0.0]])).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    """
    won = tied(shares)
    return np.asarray(won / won.sum(1, keepdims=True))


def agreement(votes: Votes, truth: Floats, weight: Floats, only: Bools | None = None) -> Floats:
    """(C, 2) weight of each coder's annotations that are as in ``truth`` (I, K), and of all."""
    use = votes.label < votes.n_categories
    if only is not None:
        use &= only[votes.item]
    coder, w = votes.coder[use], weight[use]
    right = np.bincount(coder, w * truth[votes.item[use], votes.label[use]], votes.n_coders)
    return np.stack([right, np.bincount(coder, w, votes.n_coders)], 1)


def pooled_with_margin(votes: Votes, q: Floats) -> Floats:
    """(C, K, O) one confusion matrix for all coders, with an annotation more in each row.

    It falls as all annotations do, so that no label is impossible that somebody gives.
    """
    counts = answers_by_truth(votes, q).sum(0)
    said = counts.sum(0) + 1 / counts.shape[1]
    pooled = rows_of(counts + said / said.sum())
    return np.broadcast_to(pooled, (votes.n_coders, *pooled.shape))


@rule("warning", "snow2008")
def ties(votes: Votes, shares: Floats) -> Told | None:
    """Ties.

    {n:item} of {items:,} ({share:%}) {n:is a tie|are ties} and {n:has|have} no label: two or more
    categories have as many votes.

    Have them annotated by one more coder or discuss them; or use a model that weighs coders. Any
    rule that breaks ties invents labels.
    """
    won = tied(shares)
    found = np.flatnonzero(won.sum(1) > 1)
    n = len(found)
    if not n:
        return None
    kinds, which, times = np.unique(won[found], axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(-times, kind="stable")[:MOST_KINDS].tolist()
    lines = tuple(
        Contrast(_names(votes, kinds[k]), int(times[k]), float(times[k] / n)) for k in order
    )
    first = found[np.argsort(np.argsort(-times, kind="stable")[which.ravel()], kind="stable")]
    items = first.tolist()
    about = "Tie between", "Items", "Share of ties"
    names = votes.names
    return Told(
        {"n": n, "items": votes.n_items, "share": n / votes.n_items},
        do=(Action("fit", {"model": "pooled"}),),
        remedy="items",
        title="Ties",
        seen=Evidence(lines, *about, items=tuple(items), names=tuple(names[i] for i in items)),
    )


def _names(votes: Votes, won: Bools) -> str:
    return ", ".join(label_text(votes.categories[k]) for k in np.flatnonzero(won).tolist())


@model(
    "Majority vote",
    "snow2008",
    aliases=("mv", "vote", "majority_vote"),
    rank=1,
    matrix=False,
    why="Distinguishing coders does not help: none of the models that do so predicts clearly "
    "better.",
    probabilistic=False,
)
def majority(votes: Votes, how: How, *, one_vote_per_coder: bool = False) -> Estimate:
    """Every annotation counts the same; the probabilities are shares of votes.

    Two categories with as many votes are a tie, and a tie is no label; the finding ``ties`` counts
    them.

    Parameters
    ----------
    votes : Votes
        Control items (``known``) keep their category.
    how : How
        Nothing is drawn, and nothing repeated.
    one_vote_per_coder : bool
        Whether a coder who annotated an item several times has one vote, divided among the labels
        given, and not as many as annotations.

    Returns
    -------
    Estimate
        With the shares as probabilities. ``competence`` is the share of a coder's annotations that
        are as the majority's, a tie of two counting one half; the coder's own votes are part of
        the majority, so it is somewhat high. Prevalence and the one confusion matrix of all
        coders take the majority as true.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.fit([["a", "b", "a"], ["a", "b", "b"]], "majority")
    >>> found.labels
    ['a', 'b', None]
    >>> found.probabilities.tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    """
    each = _each(votes, one_vote_per_coder)
    shares = with_known(votes, shares_of(votes.tally(each), votes.shares))
    return _estimate(votes, shares, each, Climb("none", (), True), {})


def _each(votes: Votes, once: bool) -> Floats:
    """(N,) how much each annotation counts."""
    return one_vote_each(votes) if once else votes.times


def _estimate(
    votes: Votes, shares: Floats, each: Floats, run: Climb, coders: Mapping[str, Floats]
) -> Estimate:
    """What the shares (I, K) of a vote say of items and coders."""
    won = winners(shares)
    right, n = agreement(votes, won, each).T
    return Estimate(
        shares,
        won.mean(0),
        Confusions(pooled_with_margin(votes, won)),
        right / np.where(n > 0, n, np.nan),
        run,
        coder_parameters=coders,
        findings=found_by(ties(votes, shares)),
    )


SHAPE = 15.0  # of the prior of precisions: annotations of a usual coder that everybody is given
TOWARDS_MEAN = 1.0  # precision with which an item is drawn to the mean of all items
ONE = 1.0  # annotations of usual accuracy that a coder is credited with on control items
Weighing = tuple[Floats, Mapping[str, Floats], Climb]


def averaged(votes: Votes, once: bool, how: How) -> tuple[Floats, Floats, Climb]:
    """Weighted averages of what was said, for each category by itself.

    Parameters
    ----------
    votes : Votes
        Control items are 1 in their category and 0 in others.
    once : bool
        Whether a coder says a thing about an item once at most, however often asked. A coder who
        gave it two labels then said both.
    how : How

    Returns
    -------
    averages : ndarray
        (I, K) from 0 to 1; they need not sum to 1.
    precision : ndarray
        (C, K) weight of each coder for each category.
    climb : Climb

    Notes
    -----
    An annotation is 1 in its category and 0 in others, and normally distributed around the item's
    value with a precision of the coder's own, which has a Gamma prior (shape 15 / 2). The value is
    normal around the mean of all items with precision 1. The scale of the prior is what precision
    would be if coders differed by chance only, times 4 (1 − 1 / K) (the paper's correction for
    many categories). Each update is the exact maximum in one group of variables, so the joint log
    density, profiled over precisions and mean, never falls.
    """
    k = votes.n_categories
    each = _each(votes, once)
    said = votes.label < k
    item, coder, label = votes.item[said], votes.coder[said], votes.label[said]
    w = np.ones(len(item)) if once else votes.times[said]
    per_coder = np.bincount(coder, each[said], votes.n_coders)
    table = _table(votes, each)
    n = np.asarray(table.sum(1))[:, None]
    chosen = votes.tally(np.ones_like(each) if once else each)
    start = with_known(votes, np.where(n > 0, chosen / np.where(n > 0, n, 1), 1 / k))
    spread = (np.bincount(item, w, votes.n_items)[:, None] * start * (1 - start)).sum(0) / max(
        per_coder.sum(), 1e-300
    )
    scale = SHAPE * spread * 4 * (1 - 1 / k) + 1e-12  # all may agree: then precision has no limit
    cell = coder.astype(np.int64) * k + label
    own = np.bincount(cell, w, votes.n_coders * k).reshape(-1, k)

    def precisions(z: Floats) -> Floats:
        """(C, K) from squared distances: all as if 0 had been said, then what was said."""
        chosen = np.bincount(cell, w * z[item, label], votes.n_coders * k).reshape(-1, k)
        squares = np.maximum(table.T @ z**2 - 2 * chosen + own, 0)
        return np.asarray((SHAPE + per_coder)[:, None] / (scale + squares))

    def step(z: Floats) -> Step:
        mean, v = z.mean(0), precisions(z)
        value = 0.5 * float(((SHAPE + per_coder)[:, None] * np.log(v)).sum())
        value -= 0.5 * TOWARDS_MEAN * float(((z - mean) ** 2).sum())
        n = votes.n_items * k
        at = item.astype(np.int64) * k + label
        pull = np.bincount(at, w * v[coder, label], n).reshape(-1, k)
        new = (TOWARDS_MEAN * mean + pull) / (TOWARDS_MEAN + table @ v)
        return Step(with_known(votes, new), value)

    z, run = climb(step, start, how, "log posterior")
    return z, precisions(z), run


def _table(votes: Votes, each: Floats) -> Any:
    """(I, C) sparse: how much the coder's annotations of the item count."""
    from scipy.sparse import csr_array

    x = np.where(votes.label < votes.n_categories, each, 0)
    shape = votes.n_items, votes.n_coders
    return csr_array((x, votes.coder, votes.item_start), shape=shape)


@model(
    "Weighted vote",
    "ustalov2024",
    "li2019b",
    aliases=("wawa",),
    rank=2,
    matrix=False,
    why="Coders differ in accuracy; the annotations support no finer distinction.",
    probabilistic=False,
)
def weighted(
    votes: Votes, how: How, *, weights: str = "agreement", one_vote_per_coder: bool = False
) -> Estimate:
    """Coders count by how often they are right; the probabilities are shares of weighted votes.

    Parameters
    ----------
    votes : Votes
        Control items (``known``) keep their category.
    how : How
        Nothing is drawn.
    weights : {'agreement', 'skill', 'bayes', 'gold'}
        Where a coder's weight comes from. 'agreement': the share of annotations that are as the
        majority's, a tie of two counting one half (worker agreement with the aggregate, Wawa).
        'skill': the share that is as the weighted vote itself, repeated until labels stand still
        (zero-based skill). 'bayes': the Bayesian weighted average of Li et al. (2019b), in which a
        coder has a weight for each category. 'gold': the share of right annotations of control
        items.
    one_vote_per_coder : bool
        Whether a coder who annotated an item several times has one vote.

    Returns
    -------
    Estimate
        ``coder_parameters['weight']`` (C,); for 'bayes' also ``'precision'`` (C, K), of which
        the weight is the mean over categories, each as a multiple of that of all coders.
        ``competence`` is the share of annotations that are as the labels found. The finding
        ``ties`` counts items without a label.

    Raises
    ------
    RequestError
        If ``weights`` is none of these, or 'gold' without control items.

    Examples
    --------
    >>> import accordant as ac
    >>> rows = [["a", "b", "a", "b"], ["a", "b", "a", "a"], ["b", "b", "b", "b"]]
    >>> found = ac.fit(rows, "weighted")
    >>> found.estimate.coder_parameters["weight"].round(2).tolist()
    [1.0, 0.75, 0.5]
    """
    if weights not in WEIGHTS:
        raise RequestError(f"unknown weights {weights!r}: choose from {', '.join(WEIGHTS)}")
    shares, coders, run = WEIGHTS[weights](votes, one_vote_per_coder, how)
    return _estimate(votes, shares, _each(votes, one_vote_per_coder), run, coders)


def _voted(votes: Votes, each: Floats, weight: Floats) -> Floats:
    """(I, K) shares of the vote with a weight (C,) of each coder."""
    plain = shares_of(votes.tally(each), votes.shares)
    return with_known(votes, shares_of(votes.tally(each * weight[votes.coder]), plain))


def _accuracy(votes: Votes, truth: Floats, each: Floats) -> Floats:
    """(C,) share of annotations as in ``truth``; 0 for a coder without any."""
    right, n = agreement(votes, truth, each).T
    return np.asarray(right / np.where(n > 0, n, 1))


def _by_agreement(votes: Votes, once: bool, how: How) -> Weighing:
    """Weights from the plain vote, once."""
    each = _each(votes, once)
    weight = _accuracy(votes, winners(_voted(votes, each, np.ones(votes.n_coders))), each)
    return _voted(votes, each, weight), {"weight": weight}, Climb("none", (), True)


def _by_skill(votes: Votes, once: bool, how: How) -> Weighing:
    """Weights that follow the labels they lead to, half of the way each time.

    Half of the way, since two sets of labels could lead to each other for ever.
    """
    each = _each(votes, once)
    weight = _accuracy(votes, winners(_voted(votes, each, np.ones(votes.n_coders))), each)
    for _ in range(how.max_iterations):
        won = winners(_voted(votes, each, weight))
        new = (weight + _accuracy(votes, won, each)) / 2
        still = float(np.abs(new - weight).max(initial=0)) < how.tolerance
        weight = new
        if still:
            break
    return _voted(votes, each, weight), {"weight": weight}, Climb("none", (), still)


def _by_gold(votes: Votes, once: bool, how: How) -> Weighing:
    """Weights from control items, of which a coder may have seen few or none."""
    each = _each(votes, once)
    control = votes.known != UNKNOWN
    if not control.any():
        raise RequestError(
            "the weights 'gold' need control items",
            do=[
                Action("", {"gold": FILE}, "their labels"),
                Action("", {"weights": "agreement"}),
            ],
        )
    truth = np.eye(votes.n_categories)[np.where(control, votes.known, 0)]
    right, n = agreement(votes, truth, each, control).T
    if not n.any():
        raise RequestError("the weights 'gold' need control items that coders have labelled")
    usual = right.sum() / n.sum()
    weight = (right + ONE * usual) / (n + ONE)
    return _voted(votes, each, weight), {"weight": weight}, Climb("none", (), True)


def _by_bayes(votes: Votes, once: bool, how: How) -> Weighing:
    """The Bayesian weighted average."""
    found, precision, run = averaged(votes, once, how)
    shares = with_known(votes, shares_of(found, votes.shares))
    weight = (precision / precision.mean(0)).mean(1)
    return shares, {"weight": weight, "precision": precision}, run


WEIGHTS: Mapping[str, Callable[[Votes, bool, How], Weighing]] = {
    "agreement": _by_agreement,
    "skill": _by_skill,
    "bayes": _by_bayes,
    "gold": _by_gold,
}
"""Where the weight of a coder may come from."""
