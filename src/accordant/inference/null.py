"""Disagreement without a cause: what coders who only slip and guess would show.

Each item has a latent value *k* and a class of difficulty *h*. Coder *c* gives another value
*l* at the rate

    λ[h, c, k, l] = m_h · a_c · r_k · s(l | k) · Π_e ρ_e^[(c, k, l) in explanation e]

where a_c is how often the coder deviates, r_k how often coders deviate from the value, m_h how
hard the item is, and s a mixture of slips to any other value, guesses by the shares of the values,
on a scale slips to neighbours, and in sets of labels flips of single labels. ρ_e is the factor of
an explanation that has been told. Who annotated which item is taken as it is.

Fitted by expectation and maximisation on patterns of items counted once. The yardstick of every
finding, of every decomposition and of groups of coders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .item_patterns import Patterns

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

STEPS = 14  # of expectation and maximisation; enough for three digits on all grids that we tried
FURTHER_STEPS = 6  # from a null that differs by one explanation
LEAST_STEPS = 4
CONVERGED = 1e-3  # no rate changes by more in another step
FITTINGS, ROUNDS = 3, 3  # of factors and mixture in a step, and of margins in each of these
MOST = 0.95  # of the annotations of a coder for a value may deviate
NOISE = (0.25, 0.7)  # standard deviations of slips on a latent scale
HARD = (0.35, 2.5)  # how hard items of the two classes are, at first
LEAST = 1e-7
FLIPS = ("flips", "flips of hard items")
UNEQUAL = 1.5  # log odds by which labels may differ from their mean
FIRST_FLIPS = 0.1  # odds of a flipped label, to start from


def surprise(
    observed: NDArray[Any],
    of: NDArray[Any] | float,
    share: NDArray[Any] | float,
    clumping: NDArray[Any] | float = 1.0,
) -> Floats:
    """About -log P(count ≥ observed), by Chernoff's bound and the correction for counts.

    Bahadur & Rao 1960, which holds for few events too: of five that all happened there is no more.

    Parameters
    ----------
    observed : ndarray
        Counts, which need not be whole.
    of : ndarray or float
        How many comparable events there are.
    share : ndarray or float
        The share of these that is expected.
    clumping : ndarray or float
        How much larger the variance is than that of independent events.

    Returns
    -------
    ndarray
        In nats; below 0 where no more was observed than expected.

    Examples
    --------
    >>> from scipy.stats import binom
    >>> exact = -np.log(binom.sf(29, 100, 0.15))
    >>> bool(abs(surprise(np.array(30.0), 100, 0.15) - exact) < 0.1)
    True
    """
    observed, of = np.asarray(observed, float), np.maximum(np.asarray(of, float), 1e-12)
    share = np.clip(share, 1e-9, 1 - 1e-9)
    seen = np.clip(observed / of, 1e-12, 1 - 1e-12)
    gain = of * (seen * np.log(seen / share) + (1 - seen) * np.log((1 - seen) / (1 - share)))
    spread = np.log1p(2 * np.pi * of * seen * (1 - seen) / clumping) / 2
    lattice = np.log1p(-np.minimum((1 - seen) * share / (seen * (1 - share)), 1 - 1e-12))
    return np.where(observed > of * share, np.maximum(gain / clumping + spread + lattice, 0), 0.0)


@dataclass(frozen=True, eq=False)
class Explained:
    """Deviations that were told: their cells (C, K, K), and how much likelier they are."""

    cells: Bools
    factor: float


@dataclass(eq=False)
class Null:
    """A null fitted to annotations. P patterns, C coders, K values, H classes of difficulty.

    Parameters
    ----------
    patterns : Patterns
    members : ndarray of bool
        (K, L) which value holds which label.
    parts : dict of str to ndarray
        (K, K) each: which value is given instead of which, and 0 on the diagonal; rows sum to 1.
    explained : tuple of Explained
        What has been told already.
    prior : ndarray
        (K,) shares of the latent values.
    rate, weakness, hardness : ndarray
        (C,), (K,) and (H,): the factors a, r and m.
    classes : ndarray
        (H,) shares of the classes of difficulty.
    mixture : ndarray
        Shares of the ``parts``.
    posterior : ndarray
        (P, H, K) how likely an item is of a class and has a latent value.
    deviations : ndarray
        (C, K, K) annotations by coder, latent and given value; 0 where they are the same.
    exposed : ndarray
        (H, C, K) annotations of items of a class and a latent value.
    unequal : float
        By how much the log odds that labels of sets flip may differ from their mean.
    """

    patterns: Patterns
    members: Bools
    parts: dict[str, Floats]
    explained: tuple[Explained, ...]
    prior: Floats
    rate: Floats
    weakness: Floats
    hardness: Floats
    classes: Floats
    mixture: Floats
    posterior: Floats
    deviations: Floats
    exposed: Floats
    unequal: float

    @property
    def n_values(self) -> int:
        """K."""
        return len(self.prior)

    @property
    def latent(self) -> Floats:
        """(P, K) how likely each value is the latent one."""
        return np.asarray(self.posterior.sum(1))

    @property
    def exposure(self) -> Floats:
        """(C, K) how many items of each latent value a coder has."""
        return np.asarray(self.exposed.sum(0))

    @property
    def difficulty(self) -> Floats:
        """(P,) how hard an item is; 1 on average over annotations."""
        return np.asarray(self.posterior.sum(2) @ self.hardness)

    @property
    def factors(self) -> Floats:
        """(C, K, K) how much likelier deviations are by what has been told."""
        found = np.ones(self.deviations.shape)
        for told in self.explained:
            found[told.cells] *= told.factor
        return found

    @property
    def slips(self) -> Floats:
        """(K, K) which value is given instead of which, by the mixture."""
        return np.asarray(
            sum(m * x for m, x in zip(self.mixture, self.parts.values(), strict=True))
        )

    @property
    def often(self) -> Floats:
        """(C, K) how often coders deviate from a value; of average hardness, if nothing is told."""
        return np.outer(self.rate, self.weakness)

    @property
    def rates(self) -> Floats:
        """(C, K, K) how often coders give a value instead of another; of average hardness."""
        rates = self.often[:, :, None] * self.slips
        return np.asarray(rates * self.factors if self.explained else rates)

    @property
    def expected(self) -> Floats:
        """(C, K, K) deviations that the null expects."""
        exposed = self.hardness @ self.exposed.reshape(len(self.hardness), -1)
        return np.asarray(exposed.reshape(self.often.shape)[:, :, None] * self.rates)

    @cached_property
    def once(self) -> Floats:
        """(K, K) annotations by latent and given value."""
        weighted = self.patterns.weight[:, None] * self.latent
        return np.asarray(_off(weighted.T @ self.patterns.given))

    @cached_property
    def twice(self) -> Floats:
        """(K, K) the same with the square of how many coders of an item gave the value."""
        weighted = self.patterns.weight[:, None] * self.latent
        return np.asarray(_off(weighted.T @ self.patterns.given**2))

    def clumping(self, once: NDArray[Any], twice: NDArray[Any]) -> Floats:
        """How far equal deviations of one item come together, outside of some cells.

        Parameters
        ----------
        once, twice : ndarray
            Sums of `once` and `twice` over the cells of an explanation.
        """
        found = (self.twice.sum() + 6 - twice) / (self.once.sum() + 5 - once)
        return np.asarray(found)

    def likelihoods(self) -> Floats:
        """(H, C, K, K) how likely each coder gives each value to an item of a latent value."""
        found = self.hardness[:, None, None, None] * self.rates
        found *= np.minimum(1, MOST / np.maximum(found.sum(3, keepdims=True), 1e-12))
        diagonal = np.einsum("hckk->hck", found)
        diagonal += 1 - found.sum(3)
        return np.asarray(np.maximum(found, LEAST))

    def pairs(self) -> Floats:
        """(K, K) shares of the pairs of annotations that two coders give, by the null.

        The mean over pairs of different coders, each pair of coders alike.
        """
        like = self.likelihoods()
        total, own = like.sum(1), np.einsum("hckx,hcky->hkxy", like, like)
        both = np.einsum("hkx,hky->hkxy", total, total) - own
        found = np.einsum("h,k,hkxy->xy", self.classes, self.prior, both)
        return np.asarray(found / found.sum())

    def simulate(self, n: int, seed: int = 0) -> Ints:
        """(n, I, C) grids that the null would give, with the assignment as it is; -1 for none."""
        random = np.random.default_rng(seed)
        rows = self.patterns
        held = np.zeros((len(rows.weight) + 1, rows.n_coders), bool)
        held[rows.row, rows.coder] = True
        has = held[rows.pattern]
        items, many = len(rows.pattern), self.n_values
        both = self.posterior.reshape(len(rows.weight), -1).cumsum(1)
        both = both[np.minimum(rows.pattern, len(both) - 1)]
        drawn = (random.random((n, items, 1)) * both[:, -1:] > both).sum(2)
        like = self.likelihoods().cumsum(3)
        at = like[drawn[:, :, None] // many, np.arange(has.shape[1]), drawn[:, :, None] % many]
        given = (random.random((*at.shape[:3], 1)) * at[..., -1:] > at).sum(3)
        return np.asarray(np.where(has, np.minimum(given, many - 1), -1))

    def _expect(self) -> None:
        """The posterior of each pattern, by the rates."""
        rows = self.patterns
        like = np.log(self.likelihoods()).transpose(1, 3, 0, 2)[rows.coder, rows.value]
        found = rows.sums(like)
        found += np.log(self.classes)[:, None] + np.log(self.prior)
        found -= found.max((1, 2), keepdims=True)
        np.exp(found, out=found)
        found /= found.sum((1, 2), keepdims=True)
        self.posterior = found

    def _maximise(self) -> None:
        """Shares, then the factors, so that margins are met."""
        rows, n = self.patterns, self.n_values
        weighted = (rows.weight * (rows.size > 0))[:, None, None] * self.posterior
        self.prior = weighted.sum((0, 1)) + 0.5
        self.prior /= self.prior.sum()
        self.classes = weighted.sum((0, 2)) + 1
        self.classes /= self.classes.sum()
        many = len(self.hardness)
        flat = weighted.reshape(len(weighted), -1)[rows.row]
        cells = (rows.by_cell @ flat).reshape(rows.n_coders, n, many, n).transpose(2, 0, 3, 1)
        self.exposed = cells.sum(3)
        deviating = _off(cells)
        self.deviations = deviating.sum(0)
        by_class = deviating.sum((1, 2, 3))
        for _ in range(FITTINGS):
            self._balance(by_class)
            self._explain()
            self._mix()

    def _balance(self, by_class: Floats) -> None:
        """Proportional fitting of coders, values and classes to the margins of deviations."""
        d = self.deviations.sum(2)
        given = (self.slips * self.factors).sum(2) if self.explained else self.slips.sum(1)
        flat = self.exposed.reshape(len(self.hardness), -1)
        of_class = flat.sum(1) / flat.sum()
        for _ in range(ROUNDS):
            exposed = (self.hardness @ flat).reshape(d.shape) * given
            self.rate *= (d.sum(1) + 3) / (self.rate * (exposed @ self.weakness) + 3)
            self.weakness *= (d.sum(0) + 2) / (self.weakness * (self.rate @ exposed) + 2)
            self.weakness = np.minimum(self.weakness, 0.9)
            if len(self.hardness) > 1:
                e = flat @ (self.often * given).ravel()
                self.hardness = (by_class + 1) / (e + 1 / self.hardness)
                mean = self.hardness @ of_class
                self.hardness /= mean
                self.weakness *= mean

    def _explain(self) -> None:
        """Factors of what has been told, so that its deviations are met."""
        if not self.explained:
            return
        d, e = self.deviations, self.expected
        more = [(d[x.cells].sum() + 0.5) / (e[x.cells].sum() + 0.5) for x in self.explained]
        self.explained = tuple(
            Explained(x.cells, float(x.factor * m))
            for x, m in zip(self.explained, more, strict=True)
        )

    def _mix(self) -> None:
        """Shares of the parts, robustly: a confused pair must not move the mixture."""
        told = self.factors if self.explained else 1.0
        net, e = ((x / told).sum(0) for x in (self.deviations, self.expected))
        net = np.minimum(net, e + np.sqrt(e))
        share = self.mixture[:, None, None] * np.stack(list(self.parts.values()))
        share /= np.maximum(share.sum(0), 1e-12)
        self.mixture = (share * net).sum((1, 2)) + 1
        self.mixture /= self.mixture.sum()
        if FLIPS[0] in self.parts:
            self.parts = self.parts | self._flips(net)

    def _flips(self, net: Floats) -> dict[str, Floats]:
        """Flips of single labels, each added and left out as often as it is itself."""
        held = self.members.astype(float)
        free = 1 - held
        exposed = self.exposure.sum(0)
        added = (np.einsum("kl,kt,tl->l", free, net, held) + 0.5) / (exposed @ free + 1)
        left_out = (np.einsum("kl,kt,tl->l", held, net, free) + 0.5) / (exposed @ held + 1)
        odds = [np.log(x / np.maximum(1 - x, 0.05)) for x in (added, left_out)]
        near = (np.clip(x, x.mean() - self.unequal, x.mean() + self.unequal) for x in odds)
        return _flip_parts(self.members, *near)


def fit_null(
    patterns: Patterns,
    members: Bools,
    *,
    ordinal: bool = False,
    explained: Sequence[Explained] = (),
    start: Null | None = None,
    unequal: float = UNEQUAL,
) -> Null:
    """Fit the null to annotations.

    Parameters
    ----------
    patterns : Patterns
        Items with fewer than two annotations say nothing and are left out.
    members : ndarray of bool
        (K, L) which value holds which label; for single labels the identity.
    ordinal : bool
        Whether the values are in order, so that neighbours are taken for each other.
    explained : sequence of Explained
        Deviations that are told already.
    start : Null, optional
        A null of nearly the same annotations to start from.
    unequal : float
        By how much the log odds that labels of sets flip may differ from their mean. Where labels
        are exchanged, both seem to be there and left out if this is not bounded.

    Returns
    -------
    Null

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> latent = random.integers(0, 3, (500, 1))
    >>> slips = random.random((500, 4)) < 0.12
    >>> grid = np.where(slips, (latent + random.integers(1, 3, (500, 4))) % 3, latent)
    >>> found = fit_null(Patterns.of_grid(grid, 3), np.eye(3, dtype=bool))
    >>> bool(abs(found.deviations.sum() / slips.sum() - 1) < 0.1)
    True
    """
    patterns = patterns.compared
    more: dict[str, Any] = {"explained": tuple(explained), "unequal": unequal}
    if start is None:
        null, steps = _first(patterns, members, ordinal, **more), STEPS
        null._maximise()
    else:
        null, steps = _further(patterns, start, **more), FURTHER_STEPS
    for step in range(1, steps + 1):
        before = null.rates
        null._expect()
        null._maximise()
        if step >= LEAST_STEPS and np.abs(null.rates - before).max(initial=0) < CONVERGED:
            break
    return null


def _further(patterns: Patterns, start: Null, **more: Any) -> Null:
    """The parameters of another null, with other patterns or explanations."""
    own = {name: getattr(start, name).copy() for name in ("rate", "weakness", "hardness")}
    return replace(start, patterns=patterns, **own, **more)


def _first(patterns: Patterns, members: Bools, ordinal: bool, **more: Any) -> Null:
    """A null to start from: the latent value is what most coders gave."""
    n, many = patterns.n_values, patterns.n_coders
    hard = np.array(HARD) if (patterns.size > 2).any() else np.ones(1)
    posterior = (patterns.given + 0.05 * patterns.shares) ** 2
    posterior /= posterior.sum(1, keepdims=True)
    disputed = 1 - patterns.given.max(1) / np.maximum(patterns.size, 1)
    first = (
        np.stack([0.8 - disputed, 0.2 + disputed], 1)
        if len(hard) > 1
        else np.ones((len(disputed), 1))
    )
    parts = _parts(patterns.shares, members, ordinal)
    return Null(
        patterns,
        members,
        parts,
        prior=patterns.shares,
        rate=np.ones(many),
        weakness=np.full(n, 0.15),
        hardness=hard,
        classes=np.full(len(hard), 1 / len(hard)),
        mixture=np.full(len(parts), 1 / len(parts)),
        posterior=first[:, :, None] * posterior[:, None, :],
        deviations=np.zeros((many, n, n)),
        exposed=np.zeros(0),
        **more,
    )


def _parts(shares: Floats, members: Bools, ordinal: bool) -> dict[str, Floats]:
    """What may be given instead of a value."""
    n = len(shares)
    parts = {"slips": np.ones((n, n)), "guesses": np.tile(shares, (n, 1))}
    if ordinal and n > 2:
        from scipy.special import ndtr, ndtri

        ends = ndtri(np.concatenate([[0], np.cumsum(shares)]).clip(0, 1))
        middle = ndtri(np.cumsum(shares) - shares / 2)[:, None]
        parts["next values"] = np.eye(n, k=1) + np.eye(n, k=-1) + 1e-9
        for noise in NOISE:
            near = np.diff(ndtr((ends - middle) / noise), axis=1)
            parts[f"neighbours {noise}"] = near + 1e-9
    if members.shape[1] != n or not np.array_equal(members, np.eye(n, dtype=bool)):
        differ = (members[:, None, :] ^ members[None, :, :]).sum(2)
        parts["one label"] = np.where(differ == 1, 1.0, 1e-9)
        odds = np.full(members.shape[1], np.log(FIRST_FLIPS))
        parts |= _flip_parts(members, odds, odds)
    return {name: _rows(_off(x)) for name, x in parts.items()}


def _flip_parts(members: Bools, added: Floats, left_out: Floats) -> dict[str, Floats]:
    """Which set is given if labels flip by themselves, on easy items and on hard ones.

    ``added`` and ``left_out`` (L,) are log odds.
    """
    more = members.astype(float)
    odds = (1 - more) @ (more * added).T + (more * left_out) @ (1 - more).T
    return {
        name: _rows(_off(np.exp(np.clip(odds * power, -30, 30)) + 1e-12))
        for name, power in zip(FLIPS, (1.0, 0.5), strict=True)
    }


def _off(x: Floats) -> Floats:
    """The same without what stands on the diagonal of the last two axes."""
    return np.asarray(x * ~np.eye(x.shape[-1], dtype=bool))


def _rows(x: Floats) -> Floats:
    """Rows that sum to 1; a value alone has none."""
    return np.asarray(x / np.maximum(x.sum(1, keepdims=True), 1e-300))
