"""The search for groups of coders who share a reading that one truth does not explain."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import Bools, Floats, Ints
from ...numbers import p_text
from ..em import How
from ..uncertainty import Answers
from ..votes import Votes

__all__ = [
    "LEVEL",
    "MOST_CODERS",
    "Grid",
    "Split",
    "best_split",
    "between_groups",
    "found_split",
    "grid_of",
    "kappas",
    "once",
    "rarity",
]


FEW = 5.0  # so many common items of pure chance shrink the kappa of a pair
LEAST_SHAPE = 1e-3  # of a gamma variable
LEVEL = 0.01  # one of the draws at most: whoever is called a school is called so in public
DRAWS = 199
ENOUGH = 3  # draws that part the coders as much: then it is not rare at this level
WORTH_TESTING = 0.05  # kappa; a smaller gap is not worth a word (difficult items alone make .03)
MOST_CELLS = 4_000_000  # annotations x answers (or coders) of one draw; of more, some items
ALIKE = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)  # correlations that are tried
TRIED = 8  # draws of each
COMPATIBLE = 2.0  # standard deviations by which schools may agree less than by a draw
CODE = 71


@dataclass(frozen=True, eq=False)
class Grid:
    """Which cells of a table of coders and items hold an annotation. C coders, I items.

    Parameters
    ----------
    cell : ndarray of int
        (N,) coder * I + item, one annotation each.
    n_coders, n_items : int
    """

    cell: Ints
    n_coders: int
    n_items: int

    def of(self, chosen: Bools) -> NDArray[np.float32]:
        """(C, I) 1 where an annotation is among the chosen (N,)."""
        x = np.zeros(self.n_coders * self.n_items, np.float32)
        x[self.cell[chosen]] = 1
        return x.reshape(self.n_coders, self.n_items)


def kappas(grid: Grid, label: Ints, n_answers: int) -> tuple[Floats, Floats, Floats]:
    """Cohen's kappa of every two coders on the items that both annotated.

    Parameters
    ----------
    grid : Grid
    label : ndarray of int
        (N,) answers.
    n_answers : int
        O.

    Returns
    -------
    kappa : ndarray
        (C, C); NaN where two coders share no item, or both always gave the same one label.
    shrunk : ndarray
        (C, C) kappa drawn towards 0 where few items are shared; 0 where it is undefined.
    n : ndarray
        (C, C) items in common.

    Notes
    -----
    Chance is what the labels of both coders on their common items make it (Cohen 1960), so that a
    strict and a lenient coder are as close as their reading of the items, and no closer or farther.

    Examples
    --------
    >>> grid = Grid(np.arange(8), 2, 4)
    >>> kappas(grid, np.array([0, 1, 1, 0, 0, 1, 0, 0]), 2)[0][0, 1].item()
    0.5
    """
    there = grid.of(np.ones(len(grid.cell), bool))
    n = (there @ there.T).astype(float)
    agreed, chance = np.zeros_like(n), np.zeros_like(n)
    for o in range(n_answers):
        x = grid.of(label == o)
        agreed += x @ x.T
        given = (x @ there.T).astype(float)  # (C, C) how often one gave it on items of both
        chance += given * given.T
    with np.errstate(divide="ignore", invalid="ignore"):
        chance /= n * n
        kappa = np.where((n > 0) & (chance < 1), (agreed / n - chance) / (1 - chance), np.nan)
        shrunk = np.where(np.isnan(kappa), 0.0, kappa * n / (n + FEW))
    return kappa, shrunk, n


@dataclass(frozen=True, eq=False)
class OneTruth:
    """Draws of all annotations: each item has one truth, coders err by confusion matrices.

    Coders of an item may err alike all the same: items near a threshold, or hard ones, lead strict
    coders, or careless ones, to the same error without a reading of their own. So what decides
    their answers may have a part in common (a Gaussian copula): along the scale where there is one,
    else from the true category to the answers that are ever rarer.

    Parameters
    ----------
    votes : Votes
        Who annotated what.
    expected : Answers
        What the model makes of the coders.
    alike : float
        Correlation of what decides the answers of two coders to an item.
    """

    votes: Votes
    expected: Answers
    alike: float = 0.0

    @cached_property
    def _states(self) -> tuple[Ints, Floats]:
        """(K,) categories, the most frequent first, and up to which number each is drawn."""
        n = self.expected.counts.sum((0, 2))
        order = np.argsort(-n, kind="stable")
        return order, np.cumsum(n[order] / n.sum())

    @cached_property
    def _answers(self) -> Ints:
        """(O,) answers, the most frequent first: their names and order do not matter."""
        return np.argsort(-self.expected.counts.sum((0, 1)), kind="stable")

    @cached_property
    def _order(self) -> Ints:
        """(K, O) the order of the answers where each of `_states` is true."""
        states, _ = self._states
        votes = self.votes
        if votes.n_categories == 2 or votes.scheme.scale not in ("nominal", "circular"):
            return np.tile(np.arange(votes.n_answers), (len(states), 1))
        others = [self._answers[self._answers != k] for k in states.tolist()]
        return np.concatenate([states[:, None], np.array(others)], axis=1)

    @cached_property
    def _places(self) -> Ints:
        """(N,) the place of each annotation if items stood in the order of their names."""
        votes = self.votes
        place = np.empty(len(votes.item), np.int64)
        place[np.lexsort((votes.coder, votes.place[votes.item]))] = np.arange(len(place))
        return place

    def draw(self, rng: np.random.Generator) -> Ints:
        """(N,) labels in place of those that were given.

        The confusion matrices are drawn too, since they are not known exactly.
        """
        votes = self.votes
        states, up_to = self._states
        answers = self._answers
        shape = np.maximum(self.expected.shape[:, states][:, :, answers], LEAST_SHAPE)
        confusion = rng.standard_gamma(shape) + 1e-300  # (C, K, O) in that order
        confusion /= confusion.sum(-1, keepdims=True)
        u = np.empty(votes.n_items)
        u[votes.order] = rng.random(votes.n_items)
        state = np.minimum(np.searchsorted(up_to, u, side="right"), len(states) - 1)[votes.item]
        place = np.argsort(answers)[self._order]  # (K, O) where the answers of each order stand
        rows = np.take_along_axis(confusion[votes.coder, state], place[state], axis=1)
        v = self._deciding(rng)
        k = (v[:, None] >= np.cumsum(rows, axis=-1)).sum(1)
        return np.asarray(self._order[state, np.minimum(k, len(answers) - 1)])

    def _deciding(self, rng: np.random.Generator) -> Floats:
        """(N,) what decides the answers, from 0 to 1, alike within items."""
        from scipy.special import ndtr

        votes = self.votes
        if not self.alike:
            return np.asarray(rng.random(len(votes.item))[self._places])
        item = np.empty(votes.n_items)
        item[votes.order] = rng.standard_normal(votes.n_items)
        own = rng.standard_normal(len(votes.item))[self._places]
        both = np.sqrt(self.alike) * item[votes.item] + np.sqrt(1 - self.alike) * own
        return np.asarray(ndtr(both))


class Split(NamedTuple):
    """Which school each coder belongs to, -1 for none, and how clear that is."""

    of: Ints
    gap: float
    p_value: float
    kappa: Floats
    n_shared: Floats
    n_draws: int


def found_split(
    votes: Votes, expected: Answers, how: How, progress: Callable[[int, int], None] | None = None
) -> Split:
    """The clearest split of coders into two to four schools, tested against one truth.

    Parameters
    ----------
    votes : Votes
    expected : Answers
        What a model with one truth makes of the coders.
    how : How
        Its seed.
    progress : callable, optional

    Notes
    -----
    Average linkage on the kappas of all pairs of coders (Kairam & Heer 2016 cluster by overlap).
    The least gap between the mean kappa within a school and with another one is compared with the
    gap that the same search finds in annotations drawn from the model, so with coders who differ
    in skill and bias, but not in what they take for true, and who err as much alike as coders of
    different schools may do here: strict coders, or hard items, are no schools. Draws end once
    three show as large a gap (Besag & Clifford 1991).
    """
    votes = once(votes)
    grid = grid_of(votes)
    kappa, shrunk, n = kappas(grid, votes.label, votes.n_answers)
    split, gap = best_split(shrunk, n)
    nobody = np.full(votes.n_coders, -1)
    if split is None or gap < WORTH_TESTING:
        return Split(nobody, max(gap, 0.0), 1.0, kappa, n, 0)
    some = _some(votes)
    reference = gap
    if some is not votes:  # then what is compared is of the same items
        grid = grid_of(some)
        _, fewer, shared = kappas(grid, some.label, some.n_answers)
        reference = best_split(fewer, shared)[1]
    rng = how.generator(CODE)
    model = _as_alike(OneTruth(some, expected), grid, split, rng)
    as_many, done = 0, 0
    while done < DRAWS and as_many < ENOUGH:
        _, drawn, shared = kappas(grid, model.draw(rng), some.n_answers)
        as_many += best_split(drawn, shared)[1] >= reference
        done += 1
        if progress is not None:
            progress(done, DRAWS)
    p = as_many / done if as_many == ENOUGH else (1 + as_many) / (1 + done)
    return Split(_joined(split, kappa, n), gap, p, kappa, n, done)


def _as_alike(model: OneTruth, grid: Grid, split: Ints, rng: np.random.Generator) -> OneTruth:
    """The model in which coders err as much alike as those of different schools may do here.

    Schools that contradict each other agree less than by any one truth: then nothing is in common.
    """
    votes = model.votes

    def between(label: Ints) -> float:
        kappa, _, n = kappas(grid, label, votes.n_answers)
        return _apart(split, kappa, n)

    seen, most = between(votes.label), 0.0
    for alike in ALIKE:
        one = replace(model, alike=alike)
        drawn = np.array([between(one.draw(rng)) for _ in range(TRIED)])
        if drawn.mean() - COMPATIBLE * drawn.std(ddof=1) > seen:
            break
        most = alike
    return replace(model, alike=most)


def once(votes: Votes) -> Votes:
    """The votes without those of a coder who gave an item several labels for it."""
    again = votes.pair[1:] == votes.pair[:-1]  # sorted by item, coder and label
    if not again.any():
        return votes
    return votes.without(np.append(again, False) | np.append(False, again))


def grid_of(votes: Votes) -> Grid:
    """Where the annotations stand, one of a coder and an item."""
    cell = votes.coder.astype(np.int64) * votes.n_items + votes.item
    return Grid(cell, votes.n_coders, votes.n_items)


def _some(votes: Votes) -> Votes:
    """The votes, or those of as many items as can be drawn quickly."""
    most = MOST_CELLS // max(votes.n_answers, votes.n_coders)
    if len(votes.item) <= most:
        return votes
    return votes.on(votes.order[: max(1, int(votes.n_items * most / len(votes.item)))])


def _joined(split: Ints, kappa: Floats, n: Floats) -> Ints:
    """Those who were left alone with the school that they agree with most, if they do.

    They belong to it if their mean kappa with its members is above that between schools.
    """
    of = split.copy()
    weight = np.where(np.isnan(kappa), 0, n)
    total = weight * np.nan_to_num(kappa)
    apart = _apart(split, kappa, n)
    for c in np.flatnonzero(split < 0):
        mean = [
            float(total[c][split == g].sum() / max(weight[c][split == g].sum(), 1e-9))
            for g in range(int(split.max()) + 1)
        ]
        best = int(np.argmax(mean))
        if mean[best] > apart:
            of[c] = best
    return of


def rarity(p: float) -> str:
    """A p-value in a sentence; the smallest that so many draws can show is only a bound.

    Examples
    --------
    >>> rarity(0.005), rarity(0.25)
    ('p ≤ 0.005', 'p = 0.250')
    """
    return p_text(p, least=1 / (1 + DRAWS))


MOST_CODERS = 60  # a table of all pairs is made for each draw
MOST_GROUPS = 4


def best_split(excess: Floats, n: Floats) -> tuple[Ints | None, float]:
    """(C,) the best split, and its gap; coders alone in a cluster are in no group.

    A gap counts by the share of coders that are in a group, so that groups do not get clearer by
    leaving out members.

    Parameters
    ----------
    excess, n : ndarray
        (C, C) how much two coders agree, and the weight of that.

    Examples
    --------
    >>> alike = np.kron(np.eye(2), np.ones((2, 2)))
    >>> of, gap = best_split(alike, np.ones((4, 4)))
    >>> of.tolist(), gap
    ([0, 0, 1, 1], 1.0)
    """
    best, most = None, 0.0
    for cluster in _clusters(float(excess.max()) - excess):
        size = np.bincount(cluster)
        kept = np.flatnonzero(size >= 2)
        if not 2 <= len(kept) <= MOST_GROUPS or size[kept].sum() * 2 <= len(excess):
            continue
        number = np.full(len(size), -1)
        number[kept] = np.arange(len(kept))
        of = number[cluster]
        gap = _least_gap(of, excess, n) * float(size[kept].sum()) / len(excess)
        if gap > most:
            best, most = of, gap
    return best, most


def _clusters(far: Floats) -> Iterator[Ints]:
    """(C,) clusters of average linkage, from twice as many as there may be groups down to two.

    Of coders who are `far` (C, C) from each other: the two nearest clusters are joined, and the
    distance to the others is the mean over their members (Sokal & Michener 1958).
    """
    d = far.copy()
    np.fill_diagonal(d, np.inf)
    size, of, n = np.ones(len(d)), np.arange(len(d)), len(d)
    while n > 2:
        i, j = sorted(divmod(int(d.argmin()), len(d)))
        mean = (size[i] * d[i] + size[j] * d[j]) / (size[i] + size[j])
        d[i], d[:, i], d[i, i] = mean, mean, np.inf
        d[j], d[:, j] = np.inf, np.inf
        size[i] += size[j]
        of[of == j] = i
        n -= 1
        if n <= 2 * MOST_GROUPS:
            yield of.copy()


def between_groups(of: Ints, kappa: Floats, n: Floats) -> tuple[Floats, Floats]:
    """(G, G) items in common of the coders of two groups, and the sum of their kappas over these.

    Examples
    --------
    >>> kappa = np.array([[1, 0.5, 0.2], [0.5, 1, 0.4], [0.2, 0.4, 1]])
    >>> weight, total = between_groups(np.array([0, 0, 1]), kappa, np.full((3, 3), 10.0))
    >>> weight.tolist(), total.round(1).tolist()
    ([[20.0, 20.0], [20.0, 0.0]], [[10.0, 6.0], [6.0, 0.0]])
    """
    weight = np.where(np.isnan(kappa) | np.eye(len(n), dtype=bool), 0, n)
    member = (of[None, :] == np.arange(of.max() + 1)[:, None]).astype(float)  # (G, C)
    return member @ weight @ member.T, member @ (weight * np.nan_to_num(kappa)) @ member.T


def _apart(of: Ints, kappa: Floats, n: Floats) -> float:
    """Mean kappa of two coders of different groups, by the items they have in common."""
    weight, total = between_groups(of, kappa, n)
    return float((total.sum() - np.trace(total)) / max(weight.sum() - np.trace(weight), 1e-300))


def _least_gap(of: Ints, x: Floats, n: Floats) -> float:
    """The least gap, over all groups and all others, of x (C, C) within above between.

    If the others counted together, a group could be cut in two as soon as there is another one.
    """
    weight, total = between_groups(of, x, n)
    if not (weight > 0).all():
        return -math.inf  # some never met: nothing tells whether they are of one group
    mean = total / weight
    within = np.diag(mean).copy()
    np.fill_diagonal(mean, -np.inf)
    return float((within - mean.max(1)).min())
