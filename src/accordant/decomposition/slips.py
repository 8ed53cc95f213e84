"""Random errors, slips and guesses: what these would show, and how far a partition is beyond.

The null of `accordant.inference.null` gives every annotation a latent value and says which
deviations from it slips and guesses explain. A partition is a mask over the cells (latent value,
given value): those that it separates. Both tails mean something. More deviations there than slips
put there: coders disagree *whether*. Fewer: they agree *whether*, and differ in *what*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..inference.null import fit_null, surprise
from ..numbers import tied
from .contingency import Cells, States
from .level_scores import crossed, every_crossed

ALPHA = 0.05  # of data sets without a pattern may have a headline
RARE = 1e-3  # share of the annotations
KEPT = 1 << 12  # bipartitions: so many are few, all of which are scored exactly
SCORED = 1 << 11  # of more, those that are
SAMPLED = 61  # every so many bipartitions; odd, so that all bits of their codes vary
MOST_CELLS = 3_000_000  # coder x latent x given value


@dataclass(frozen=True)
class Beyond:
    """How far a partition lies beyond random errors.

    Parameters
    ----------
    observed, expected : float
        Share of the deviations from the latent values that it separates; by random errors alone.
    n : float
        How many deviations.
    score : float
        Nats beyond the bound that the best of as many exceeds in one data set of twenty where
        coders only slip and guess. Above 0 it may be headlined.
    n_compared : int
        Among how many it was found.
    """

    observed: float
    expected: float
    n: float
    score: float
    n_compared: int

    @property
    def more(self) -> bool:
        """Whether it separates more than random errors would, not less."""
        return self.observed > self.expected


@dataclass(frozen=True, eq=False)
class Slips:
    """Deviations from the latent values of C states, beside those that random errors would give.

    Parameters
    ----------
    deviations, expected : ndarray
        (C, C) how often coders gave a value instead of the latent one; by slips and guesses.
    once, twice : ndarray
        (C, C) Σ over items of the number of coders who gave a value instead of the latent one, and
        of its square: equal deviations of one item come together.
    net : tuple of ndarray
        (C, C) what slips along the scale that fits best would give, without those to neighbours on
        it (0); the same by slips only and by guesses only, with as many deviations from each value
        as observed. Empty where the order is known or values are sets.
    """

    deviations: Floats
    expected: Floats
    once: Floats
    twice: Floats
    net: tuple[Floats, ...] = ()

    @cached_property
    def spread(self) -> Floats:
        """(C, C) where random errors would put the disagreement of two coders; it sums to 1."""
        both = self.expected + self.expected.T
        return np.asarray(both / max(both.sum(), 1e-300))

    def explained(self, blocks: Ints) -> Floats:
        """(N,) the share of disagreement that each partition would separate."""
        return np.clip(crossed(self.spread, blocks), 0, 1)

    def states(self, states: States) -> States:
        """The tables of pairs of coders if their disagreement were spread as slips spread it.

        How much they disagree and how often they give each value stays as it is.
        """
        tables = []
        for table in states.tables:
            differ = table.sum() - np.trace(table)
            off = differ * self.spread
            alike = np.maximum((table.sum(0) + table.sum(1)) / 2 - off.sum(1), 0)
            alike *= np.trace(table) / max(alike.sum(), 1e-300)
            tables.append(off + np.diag(alike))
        return replace(states, tables=np.array(tables).reshape(states.tables.shape))

    def beyond(self, blocks: Ints, n_compared: int) -> tuple[Beyond, ...]:
        """How far each of N partitions lies beyond random errors, as one of so many."""
        n = float(self.deviations.sum())
        observed = crossed(self.deviations, blocks) / max(n, 1e-300)
        found = zip(observed, self.explained(blocks), self.scores(blocks, n_compared), strict=True)
        return tuple(Beyond(float(o), float(q), n, float(s), n_compared) for o, q, s in found)

    def scores(self, blocks: Ints, n_compared: int) -> Floats:
        """(N,) nats beyond the bound; of an unknown order net of slips along the best scale.

        Confused neighbours cross every partition that separates them, as parity does. So where no
        order is declared a partition has to say more than a scale would: net of the pairs of
        neighbours on the scale that fits best, and with the other pairs by their distance on it.
        """
        apart = [self.deviations * (net > 0) for net in self.net]
        tables = [self.once, self.twice, self.deviations, self.expected, *apart, *self.net]
        once, twice, *sums = crossed(np.array(tables), blocks)
        totals = [float(table.sum()) for table in tables[2:]]
        phi = (self.twice.sum() + 6 - twice) / (self.once.sum() + 5 - once)
        more, found = _surprise(sums[0], totals[0], sums[1] / max(totals[1], 1e-300), phi)
        found -= math.log(2 * max(n_compared, 1) / ALPHA)
        n = len(self.net)
        for k, bound in zip(range(2, n + 2), (2 * max(n_compared, 1), 1, 1), strict=False):
            share = sums[k + n] / max(totals[k + n], 1e-300)
            upwards, alone = _surprise(sums[k], totals[k], share, phi)
            alone = np.where(upwards == more, alone, 0) - math.log(bound / ALPHA)
            found = np.minimum(found, alone)
        return np.asarray(found)

    def promising(self, most: int = 0) -> Ints:
        """The codes of the bipartitions with the largest deviation from slips: all, or the first.

        By the normal approximation, T (o − q)² / q (1 − q), which for all of half a million is
        three products of thin matrices. What is kept is scored exactly.
        """
        n_all = 2 ** (len(self.deviations) - 1)
        n_kept = max(SCORED, most)
        if n_all <= max(KEPT, 2 * n_kept):
            return np.arange(1, n_all)
        total, n = max(self.expected.sum(), 1e-300), self.deviations.sum()
        half = np.float32  # enough to choose by, and half of the memory to go through
        more = every_crossed(self.deviations - self.expected * (n / total), half)
        share = every_crossed(self.expected / total, half)
        np.multiply(more, more, out=more)
        more[0] = 0
        share *= 1 - share
        more /= np.maximum(share, half(1e-7), out=share)
        some = more[::SAMPLED]  # where the best begin, about; most are far from it
        least = np.partition(some, -2 * n_kept // SAMPLED)[-2 * n_kept // SAMPLED]
        likely = np.flatnonzero(more >= least)
        likely = likely if len(likely) >= n_kept else np.arange(n_all)
        return np.sort(likely[np.argpartition(more[likely], -n_kept)[-n_kept:]])


def _surprise(o: Floats, n: float, q: Floats, phi: Floats) -> tuple[Bools, Floats]:
    """(N,) whether more than a share ``q`` of ``n`` is separated, and the surprise in that tail."""
    more = o > n * q
    return more, surprise(np.where(more, o, n - o), n, np.where(more, q, 1 - q), phi)


def slips_of(cells: Cells) -> Slips | None:
    """What random errors alone would show in these annotations; None for too many values.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.contingency import cells_of
    >>> rows = [list("abcd" * 30), list("abcd" * 25 + "bcdabcdabcdabcdabcda")]
    >>> found = slips_of(cells_of(count(read(rows))))
    >>> found.deviations.shape, round(float(found.spread.sum()), 6)
    ((4, 4), 1.0)
    """
    states = cells.states
    members, c = states.members, states.n_states
    patterns = cells.patterns(MOST_CELLS // c**2)
    if c**2 * patterns.n_coders > MOST_CELLS:
        return None
    labels = members if states.of_sets else np.eye(c, dtype=bool)
    null = fit_null(patterns, labels, ordinal=states.ordered)
    deviations, expected = null.deviations.sum(0), null.expected.sum(0)
    if states.of_sets:
        expected = _by_label(deviations, expected, members)
    scaled = not states.of_sets and not states.ordered and c > 2
    net = _net_of_scale(deviations, expected, states.share) if scaled else ()
    return Slips(deviations, expected, null.once, null.twice, net)


def _by_label(deviations: Floats, expected: Floats, members: Bools) -> Floats:
    """(C, C) slips in sets: as often in each label, and in as many labels at once, as observed.

    Some labels are harder than others, and on some items several slip. Neither says that a
    partition matters. So where a single label differs, each is added and left out as often as it
    was; where several do, the odds multiply, and as many differ as did.
    """
    differ = (members[:, None] ^ members).sum(2)
    found, one = expected.copy(), differ == 1
    changes = [~members[:, None] & members, members[:, None] & ~members]  # added, left out
    for change in (x[..., k] for k in range(members.shape[1]) for x in changes):
        here = change & one
        found[change] *= (deviations[here].sum() + 0.5) / (expected[here].sum() + 0.5)
    for n in range(1, int(differ.max(initial=0)) + 1):
        here = differ == n
        found[here] *= (deviations[here].sum() + 0.5) / (found[here].sum() + 0.5)
    return found


def _net_of_scale(deviations: Floats, expected: Floats, share: Floats) -> tuple[Floats, ...]:
    """(C, C) slips along the scale that fits best, without those to neighbours on it.

    The scale is a chain through all values, linked where the excess is largest. Its links are left
    out (0), and what else is given instead of a value falls with the distance from it. A pair that
    is confused often moves the null: the factors of its values and what share of the slips are
    guesses. So the second and third table are of slips only and of guesses only, with as many
    deviations from each value as were observed.
    """
    observed, slips = deviations + deviations.T, expected + expected.T
    place = np.argsort(_chain((observed - slips) / np.sqrt(slips + 1)))
    distance = np.abs(place[:, None] - place)
    kept = np.where(distance > 1, deviations, 0)
    found = [_falling(kept, expected, distance)]
    for given in (np.ones(len(share)), share + RARE):
        of_row = np.where(distance > 1, given, 0)
        of_row /= np.maximum(of_row.sum(1, keepdims=True), RARE)
        found.append(_falling(kept, of_row * kept.sum(1, keepdims=True), distance))
    return tuple(found)


def _falling(kept: Floats, expected: Floats, distance: Ints) -> Floats:
    """(C, C) expected deviations with the factor of each distance that fits; it never rises."""
    steps = [distance == d for d in range(2, len(distance))]
    e = np.array([expected[x].sum() + 0.5 for x in steps])
    o = np.array([kept[x].sum() + 0.5 for x in steps])
    factor = _never_rising(o / e, e)
    return np.asarray(expected * np.concatenate([[0, 0], factor])[distance])


def _never_rising(x: Floats, weights: Floats) -> Floats:
    """The nearest numbers that never rise: neighbours that do are pooled (Barlow et al. 1972)."""
    pools: list[tuple[float, float, int]] = []  # mean, weight, members
    for mean, weight in zip(x.tolist(), weights.tolist(), strict=True):
        members = 1
        while pools and pools[-1][0] <= mean:
            before, heavy, more = pools.pop()
            mean = (before * heavy + mean * weight) / (heavy + weight)
            weight, members = weight + heavy, members + more
        pools.append((mean, weight, members))
    return np.repeat([mean for mean, *_ in pools], [members for *_, members in pools])


def _chain(excess: Floats) -> Ints:
    """(C,) the values in the order of a chain, its links taken from the largest excess on."""
    n = len(excess)
    one, other = np.triu_indices(n, 1)
    ends: dict[int, list[int]] = {k: [k] for k in range(n)}  # the piece that ends with each value
    for at in np.argsort(-tied(excess[one, other]), kind="stable"):
        a, b = int(one[at]), int(other[at])
        if a in ends and b in ends and ends[a] is not ends[b]:
            first, second = ends[a], ends[b]
            first = first if first[-1] == a else first[::-1]
            second = second if second[0] == b else second[::-1]
            piece = first + second
            for inside in (a, b):
                ends.pop(inside)
            ends[piece[0]] = ends[piece[-1]] = piece
            if len(piece) == n:
                return np.array(piece)
    return np.arange(n)
