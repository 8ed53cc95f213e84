"""Ordered categories: coders have a precision and a bias on a common scale."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...actions import Action
from ...arrays import Floats
from ...diagnosis.words import listed
from ...errors import RequestError
from ...scheme import Value
from ..em import How, Step, climb
from ..emission import Confusions, answers_by_truth, competence_of
from ..estimate import AS_KNOWN, Estimate, Interval, believed
from ..model import model
from ..solutions import anchor
from ..votes import Votes
from .canonical import Canonical, moved

__all__ = ["Reading", "at_first", "improved", "ordinal", "penalty", "table"]

PRECISE = 3.0  # log odds from one category to the next, at first
AT_FIRST = (1.5, 1.0, 1.5)  # standard deviations of precision, stretch and shift, at first
NARROWEST, WIDEST = 0.1, 5.0  # that they may come to
ANY = 5.0  # standard deviation of the mean precision of a population around PRECISE
SHARED = 1.0  # standard deviation of cut points and positions around equal steps
HALVINGS = 30
LONGEST = 0.25  # step of a population; beliefs that are vague at first must be able to follow
NOTHING = 1e-12  # relative: what a step promises that rounding would swallow
ROUNDS = 1  # of Newton's steps in an iteration of the loop
ORDERED = ("ordinal", "interval", "ratio", "bipolar")
LEARNING = 3  # times that the spread of the coders is learned before the run that counts
WARMING = 15  # iterations of each
REMEMBERED = 4  # steps: a stride takes three
NORMAL = 1.959963984540054  # of intervals of 95 %
METHOD = f"Laplace; labels {AS_KNOWN}"
MANY = 200  # categories: beyond, these are numbers and not labels


@dataclass(frozen=True, eq=False)
class Reading:
    """The parameters. C coders, K categories, T = K − 1 cut points.

    Parameters
    ----------
    coders : ndarray
        (C, 3) precision, stretch, shift.
    cuts : ndarray
        (T,) rising.
    positions : ndarray
        (K,) of the categories; the first is −T / 2 and the last T / 2, so that a scale may be
        turned upside down.
    mean : float
        Mean precision of the population of coders, from a wide normal distribution: where nobody
        ever errs, it would grow for ever.
    spreads : ndarray
        (3,) standard deviations of the coders' parameters.
    """

    coders: Floats
    cuts: Floats
    positions: Floats
    mean: float
    spreads: Floats


def at_first(n_coders: int, k: int) -> Reading:
    """All coders alike, cut points half-way between equal steps."""
    coders = np.zeros((n_coders, 3))
    coders[:, 0] = PRECISE
    return Reading(coders, *_equal(k), PRECISE, np.array(AT_FIRST))


def _equal(k: int) -> tuple[Floats, Floats]:
    """(T,) cut points and (K,) positions in equal steps around 0."""
    positions = np.arange(float(k)) - (k - 1) / 2
    return positions[1:] - 0.5, positions


def table(r: Reading) -> Floats:
    """(C, K, K) log probability of each label where each category is true."""
    a = _odds(r)
    c, k, t = a.shape
    found = np.zeros((c, k, t + 1))
    found[:, :, :t] -= np.logaddexp(0, -a)
    found[:, :, 1:] -= np.logaddexp(0, a)
    found[:, :, 1:t] += np.log(-np.expm1(-_gaps(r)))[:, None]
    return found


def penalty(r: Reading) -> float:
    """Log density of the parameters, but for a constant."""
    away = float(r.mean - PRECISE) / ANY
    return float(_penalties(r).sum()) - _shared(r) - away**2 / 2


def improved(r: Reading, counts: Floats) -> Reading:
    """Parameters under which the expected annotations (C, K, K) are more probable, or as probable.

    Parameters
    ----------
    r : Reading
    counts : ndarray
        (C, K, K) expected annotations: category, then label.
    """
    for _ in range(ROUNDS):
        r = _of_coders(r, counts)
        r = _of_population(r, counts)
        if len(r.cuts):
            r = _of_all(r, counts)
    return r


def spreads_of(r: Reading, counts: Floats) -> Floats:
    """(3,) how far coders differ: squares of their parameters and how uncertain each is (Laplace).

    One round of the EM algorithm for variances, with the curvature at the mode as its precision.
    """
    uncertain = errors_of(r, counts) ** 2
    away = r.coders - [r.mean, 0, 0]
    return np.asarray(np.clip(np.sqrt((away**2 + uncertain).mean(0)), NARROWEST, WIDEST))


def errors_of(r: Reading, counts: Floats) -> Floats:
    """(C, 3) standard errors of a coder's parameters, the labels and the others taken as found."""
    _, curvature = _slopes(r, counts)
    return np.asarray(np.sqrt(np.linalg.inv(curvature)[:, range(3), range(3)]))


# ------------------------------------------------------------------ each coder


def _odds(r: Reading) -> Floats:
    """(C, K, T) log odds of a label up to each cut."""
    precision, stretch, shift = r.coders.T[:, :, None, None]
    return np.asarray(precision * (r.cuts - r.positions[:, None]) + stretch * r.cuts - shift)


def _gaps(r: Reading) -> Floats:
    """(C, T − 1) from each cut to the next, in log odds; above 0."""
    return np.asarray((r.coders[:, :1] + r.coders[:, 1:2]) * np.diff(r.cuts))


def _penalties(r: Reading) -> Floats:
    """(C,) log density of each coder's parameters."""
    away = (r.coders - [r.mean, 0, 0]) / r.spreads
    return np.asarray(-0.5 * (away**2).sum(1) - np.log(r.spreads).sum())


def _values(r: Reading, counts: Floats) -> Floats:
    """(C,) what is to be raised; −inf where cut points of a coder are in the wrong order."""
    gaps = _gaps(r)
    wrong = np.asarray((gaps <= 0).any(1))
    if wrong.any():
        coders = np.where(wrong[:, None], [PRECISE, 0, 0], r.coders)
        r = replace(r, coders=coders)
    value = np.einsum("cko,cko->c", counts, table(r)) + _penalties(r)
    return np.where(wrong, -np.inf, value)


def _weights(r: Reading, counts: Floats) -> tuple[Floats, Floats]:
    """(C, K, T) slopes and curvatures of the two sigmoids in the log odds at each cut."""
    up, down = counts[:, :, :-1], counts[:, :, 1:]
    p = 1 / (1 + np.exp(-np.clip(_odds(r), -700, 700)))
    return up * (1 - p) - down * p, (up + down) * p * (1 - p)


def _gap_weights(r: Reading, counts: Floats) -> tuple[Floats, Floats]:
    """(C, T − 1) slopes and curvatures of what is left, in the gap of each inner label."""
    n, gap = counts.sum(1)[:, 1:-1], np.minimum(_gaps(r), 700)
    grown = np.expm1(gap)
    return n / grown, n * np.exp(gap) / grown**2


def _slopes(r: Reading, counts: Floats) -> tuple[Floats, Floats]:
    """(C, 3) gradient and (C, 3, 3) negative second derivatives for the coders' parameters."""
    k, t = len(r.positions), len(r.cuts)
    x = np.empty((k, t, 3))
    x[:, :, 0] = r.cuts - r.positions[:, None]
    x[:, :, 1] = r.cuts
    x[:, :, 2] = -1
    slope, curve = _weights(r, counts)
    gradient = np.einsum("ckt,ktp->cp", slope, x)
    second = np.einsum("ckt,ktp,ktq->cpq", curve, x, x, optimize=True)
    if t > 1:
        steps = np.diff(r.cuts)
        gap_slope, gap_curve = _gap_weights(r, counts)
        gradient[:, :2] += (gap_slope @ steps)[:, None]
        second[:, :2, :2] += (gap_curve @ steps**2)[:, None, None]
    gradient -= (r.coders - [r.mean, 0, 0]) / r.spreads**2
    second[:, range(3), range(3)] += 1 / r.spreads**2
    return gradient, second


def _of_coders(r: Reading, counts: Floats) -> Reading:
    """A Newton step for each coder, halved until it leads upwards."""
    gradient, second = _slopes(r, counts)
    step = np.linalg.solve(second, gradient[:, :, None])[:, :, 0]
    old, coders = _values(r, counts), r.coders.copy()
    promised = np.einsum("cp,cp->c", gradient, step)
    left = np.flatnonzero(promised > NOTHING * (1 + np.abs(old)))
    for _ in range(HALVINGS):
        tried = replace(r, coders=coders[left] + step[left])
        better = _values(tried, counts[left]) >= old[left]
        coders[left[better]] = tried.coders[better]
        left = left[~better]
        if not len(left):
            break
        step[left] /= 2
    return replace(r, coders=coders)


def _of_population(r: Reading, counts: Floats) -> Reading:
    """The mean of the coders' precision; then all of them and their mean up or down together.

    Without the latter each coder is held by the mean and the mean by the coders, and a population
    that is much more precise than at first is approached in thousands of iterations.
    """
    weight, own = len(r.coders) / float(r.spreads[0]) ** 2, 1 / ANY**2
    mean = (weight * float(r.coders[:, 0].mean()) + own * PRECISE) / (weight + own)
    r = replace(r, mean=mean)
    gradient, second = _slopes(r, counts)
    away = (r.coders[:, 0] - r.mean) / r.spreads[0] ** 2
    slope = float((gradient[:, 0] + away).sum()) - own * (mean - PRECISE)
    step = slope / (float((second[:, 0, 0] - r.spreads[0] ** -2).sum()) + own)
    step = min(max(step, -LONGEST), LONGEST)

    def value(r: Reading) -> float:
        return float(_values(r, counts).sum()) - own * (r.mean - PRECISE) ** 2 / 2

    old = value(r)
    for _ in range(HALVINGS):
        if not slope * step > NOTHING * (1 + abs(old)):
            return r
        tried = replace(r, coders=r.coders + step * np.eye(3)[0], mean=mean + step)
        if value(tried) >= old:
            return tried
        step /= 2
    return r


# ------------------------------------------------------------------ what all share


def _shared(r: Reading) -> float:
    """How far cut points and positions are from equal steps, squared."""
    away = np.concatenate([r.cuts, r.positions]) - np.concatenate(_equal(len(r.positions)))
    return float((away**2).sum()) / (2 * SHARED**2)


def _of_all(r: Reading, counts: Floats) -> Reading:
    """A Newton step for cut points and inner positions together, halved until it leads upwards."""
    k, t = len(r.positions), len(r.cuts)
    precision, wide = r.coders[:, 0], r.coders[:, 0] + r.coders[:, 1]
    slope, curve = _weights(r, counts)
    gradient, second = np.zeros(t + k), np.zeros((t + k, t + k))
    gradient[:t] = np.einsum("c,ckt->t", wide, slope)
    gradient[t:] = -np.einsum("c,ckt->k", precision, slope)
    second[range(t), range(t)] = np.einsum("c,ckt->t", wide**2, curve)
    second[range(t, t + k), range(t, t + k)] = np.einsum("c,ckt->k", precision**2, curve)
    both = -np.einsum("c,ckt->tk", wide * precision, curve)
    second[:t, t:], second[t:, :t] = both, both.T
    if t > 1:
        gap_slope, gap_curve = _gap_weights(r, counts)
        ends = np.zeros((t - 1, t + k))
        ends[range(t - 1), range(1, t)], ends[range(t - 1), range(t - 1)] = 1, -1
        gradient += (wide @ gap_slope) @ ends
        second += ends.T @ ((wide**2 @ gap_curve)[:, None] * ends)
    now = np.concatenate([r.cuts, r.positions])
    gradient -= (now - np.concatenate(_equal(k))) / SHARED**2
    second[range(t + k), range(t + k)] += 1 / SHARED**2
    free = np.delete(np.arange(t + k), [t, t + k - 1])  # where the scale begins and ends is fixed
    step = np.zeros(t + k)
    step[free] = np.linalg.solve(second[np.ix_(free, free)], gradient[free])
    old = float(_values(r, counts).sum()) - _shared(r)
    for _ in range(HALVINGS):
        cuts, positions = now[:t] + step[:t], now[t:] + step[t:]
        tried = replace(r, cuts=cuts, positions=positions)
        rising = bool((np.diff(cuts) > 0).all())
        if rising and float(_values(tried, counts).sum()) - _shared(tried) >= old:
            return tried
        step /= 2
    return r


@model(
    "Ordinal (latent-class signal detection)",
    "decarlo2011",
    rank=7,
    slow=True,
    ordered=True,
    why="Coders err towards neighbours on the scale.",
)
def ordinal(votes: Votes, how: How, *, order: Sequence[Value] | None = None) -> Estimate:
    """Coders see where an item stands on an ordered scale, with a precision and a bias each.

    Three numbers for each coder instead of a confusion matrix, so a few annotations of each coder
    are enough; but what is not a matter of more or less cannot be expressed.

    Parameters
    ----------
    votes : Votes
    how : How
        There is one start, the votes: an order leaves no categories to exchange.
    order : sequence, optional
        All categories from low to high. Default: that of the scheme, if its scale is ordered.

    Returns
    -------
    Estimate
        ``coder_parameters``: ``precision``, by how much the log odds of a higher label rise from
        one category to the next; ``bias``, by how many categories the coder's labels are too high
        in the mean.

    Raises
    ------
    RequestError
        If the categories are not ordered.

    Notes
    -----
    The latent-class signal detection model of DeCarlo, Kim & Johnson (2011), whose criteria here
    are those of all coders, stretched and shifted for each. Parameters of the coders are drawn
    towards those of all coders as much as coders are found to be alike; the objective is the log
    posterior density, and never falls.
    """
    place = _place(votes, order)
    same = np.arange(votes.n_items), np.arange(votes.n_coders)
    answers = np.concatenate([place, np.arange(votes.n_categories, votes.n_answers)])
    there = Canonical(moved(votes, *same, place, answers), *same, place)
    return there.restored(_fitted(there.votes, how))


class _Run:
    """The parameters between one step of the loop and the next.

    Those that belong to beliefs that were returned are kept for a while, since the loop goes back
    to these if a stride fails: a step improves the parameters that its beliefs came from.
    """

    def __init__(self, votes: Votes) -> None:
        self.votes = votes
        self.reading: Reading = at_first(votes.n_coders, votes.n_categories)
        self.skipping: Floats = np.zeros(votes.n_categories)
        self.returned: deque[tuple[Floats, Reading]] = deque(maxlen=REMEMBERED)

    def counted(self, q: Floats) -> Floats:
        """(C, K, O) expected annotations; what is learned from them stays here."""
        counts = answers_by_truth(self.votes, q)
        k = self.votes.n_categories
        given = np.ascontiguousarray(counts[:, :, :k])
        if self.votes.informative:
            skipped = counts[:, :, k].sum(0) + 0.5
            self.skipping = skipped / (skipped + given.sum((0, 2)) + 0.5)
        self.reading = improved(self.reading, given)
        return given

    @property
    def emission(self) -> Confusions:
        """(C, K, O) probabilities."""
        p = np.exp(table(self.reading))
        p /= p.sum(-1, keepdims=True)
        if not self.votes.informative:
            return Confusions(p)
        skip = np.broadcast_to(self.skipping[None, :, None], (*p.shape[:2], 1))
        return Confusions(np.concatenate([p * (1 - skip), skip], axis=2))

    def step(self, q: Floats) -> Step:
        """One round from beliefs (I, K)."""
        for beliefs, reading in self.returned:
            if beliefs is q:
                self.reading = reading
        self.counted(q)
        evidence = self.emission.log_likelihood(self.votes)
        new, value = believed(self.votes, q.mean(0), evidence)
        more = (
            0.5 * float(np.log(self.skipping * (1 - self.skipping)).sum())
            if (self.votes.informative)
            else 0.0
        )
        self.returned.append((new, self.reading))
        return Step(new, value + penalty(self.reading) + more)


def _fitted(votes: Votes, how: How) -> Estimate:
    run = _Run(votes)
    q = anchor(votes)
    short = replace(how, max_iterations=WARMING, tolerance=1e-6, progress=None)
    for _ in range(LEARNING):
        q, _ = climb(run.step, q, short, "log posterior")
        given = answers_by_truth(votes, q)[:, :, : votes.n_categories]
        run.reading = replace(run.reading, spreads=spreads_of(run.reading, given))
        run.returned.clear()
    q, found = climb(run.step, q, how, "log posterior", strides=True)
    given = answers_by_truth(votes, q)[:, :, : votes.n_categories]
    emission, prevalence = run.emission, q.mean(0)
    confusion = emission.probabilities
    precision = run.reading.coders[:, 0]
    error = NORMAL * errors_of(run.reading, given)[:, 0]
    return Estimate(
        q,
        prevalence,
        emission,
        competence_of(confusion, prevalence),
        found,
        confusion,
        coder_parameters={
            "precision": precision,
            "bias": _bias(confusion[:, :, : len(prevalence)], prevalence),
        },
        intervals={"precision": Interval(precision - error, precision + error, 0.95, METHOD)},
    )


def _bias(confusion: Floats, prevalence: Floats) -> Floats:
    """(C,) expected label less what is true, in categories; where a label is given."""
    k = np.arange(len(prevalence))
    step = k[None, :] - k[:, None]
    given = np.einsum("k,cko->c", prevalence, confusion)
    return np.asarray(np.einsum("k,cko,ko->c", prevalence, confusion, step) / given)


def _place(votes: Votes, order: Sequence[Value] | None) -> Any:
    """(K,) where each category stands on the scale."""
    categories = votes.categories
    if len(categories) > MANY:
        raise RequestError(
            f"the ordinal model is for a few ordered categories, not for {len(categories):,}: "
            "group the values, or look at means"
        )
    if order is None:
        if votes.scheme.scale not in ORDERED:
            raise RequestError(
                f"the categories {listed(categories)} are not ordered",
                do=[
                    Action("", {"scale": "ordinal", "categories": [...]}, "from low to high"),
                    Action("", {"order": [...]}, "from low to high"),
                    Action("", {"model": "pooled"}, "for categories without an order"),
                ],
            )
        return np.arange(len(categories))
    texts = [str(c) for c in order] if not isinstance(order, str) else []
    if sorted(texts) != sorted(str(c) for c in categories):
        raise RequestError(
            f"each category once, from low to high: {listed(categories, 10)}; not {order!r:.100}",
            parameter="order",
        )
    return np.array([texts.index(str(c)) for c in categories])
